"""The pages list what there is: metrics, and the bugs that tests were seen to catch."""

from pathlib import Path

from mutants import MUTANTS
from paretree import metrics

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "metrics.md"
FACTORIES = {
    "cost(fp=1, fn=5)": metrics.cost(),
    "fbeta(beta)": metrics.fbeta(2),
    "fpr_at_recall(r)": metrics.fpr_at_recall(0.5),
    "precision_at_recall(r)": metrics.precision_at_recall(0.5),
    "recall_at_fpr(r)": metrics.recall_at_fpr(0.5),
    "recall_at_precision(p)": metrics.recall_at_precision(0.5),
}


def rows(listed):
    return [f"| `{name}` | {metric.kind} | {metric.text} |" for name, metric in listed.items()]


def test_every_metric_is_listed_as_it_is():
    lines = PAGE.read_text().splitlines()
    listed = [line for line in lines if line.startswith("| `")]
    assert listed == rows(metrics.REGISTRY) + rows(FACTORIES)


def test_every_deliberate_bug_is_listed():
    text = (ROOT / "DESIGN.md").read_text()
    for name, file, _, _ in MUTANTS:
        assert f"- {name} (`{file}`)" in text


def test_every_deliberate_bug_still_has_a_place():
    for _, file, code, _ in MUTANTS:
        folder = "python/paretree" if file.endswith(".py") else "crates/core/src"
        assert (ROOT / folder / file).read_text().count(code) == 1, (file, code)
