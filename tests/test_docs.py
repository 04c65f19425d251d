"""The page of metrics lists what the registry holds."""

from pathlib import Path

from paretree import metrics

PAGE = Path(__file__).resolve().parent.parent / "docs" / "metrics.md"
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
