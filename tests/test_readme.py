"""The code of the README and the docs runs and prints what they show; commands and files exist; the examples run."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"```python\n(.*?)```\n```text\n(.*?)```", re.DOTALL)


@pytest.mark.filterwarnings("ignore::paretree.NotProvenWarning")
@pytest.mark.parametrize("page", ["README.md", "docs/metrics.md"])
def test_code_prints_what_is_shown(page):
    names: dict[str, object] = {}
    text = (ROOT / page).read_text()
    blocks = BLOCK.findall(text)
    assert len(blocks) == text.count("```python") >= 2
    for code, shown in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, names)
        assert out.getvalue().rstrip() == shown.rstrip()


def test_commands_and_links_exist():
    readme = (ROOT / "README.md").read_text()
    targets = set(re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"^    make ([a-z]+)", readme, re.MULTILINE)) <= targets
    for link in re.findall(r"\]\((\w[^)]*)\)", readme):
        assert (ROOT / link).exists(), link


def test_the_demo_prints_a_proven_front():
    run = subprocess.run(
        [sys.executable, ROOT / "examples/breast_cancer.py"], capture_output=True, text=True, check=True
    )
    assert "complete" in run.stdout
    assert "proven: True" in run.stdout
