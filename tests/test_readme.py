"""The README's code runs and prints what the README shows; its commands and files exist; the examples run."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"```python\n(.*?)```\n```text\n(.*?)```", re.DOTALL)


def test_code_prints_what_is_shown():
    names: dict[str, object] = {}
    blocks = BLOCK.findall((ROOT / "README.md").read_text())
    assert len(blocks) >= 2
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
