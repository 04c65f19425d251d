"""Puts known bugs into the core, one at a time, and sees that the tests catch each: `python tests/mutants.py`.

A test of exactness that never failed proves nothing. Every mutant is a change that still compiles; it works on a
copy of the repository, never on the sources themselves.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ["--test", "fronts", "--test", "windows", "--test", "stairs", "--test", "kernels"]

# Name, file under crates/core/src, the code, the bug.
MUTANTS = [
    (
        "union in place of the residual (rule A as printed)",
        "staircase.rs",
        "kernel::shift_max(machine, &mut self.limit[..end], &from[..end], m);",
        "let first = (l, m) == sibling[0]; let _ = machine; for (to, from) in self.limit[..end].iter_mut().zip(from) "
        "{ let rest = from.saturating_sub(m); *to = if first { rest } else { rest.min(*to) }; }",
    ),
    (
        "a finished search reused for a wider window",
        "cache.rs",
        "self.windows.iter().zip(windows).all(|(own, other)| own.covers(other))",
        "self.windows.len() == windows.len()",
    ),
    (
        "an interrupted search cached",
        "search.rs",
        "let fronts = self.fronts(&mut child, depth, windows)?;",
        "let fronts = self.fronts(&mut child, depth, windows).unwrap_or_default();\n"
        "        let fronts = if fronts.is_empty() { vec![Front::new(); windows.len()] } else { fronts };",
    ),
    (
        "interrupted bounds cached as if they were finished",
        "lows.rs",
        "let lows = self.child_lows(&known, split, depth, caps)?;",
        "let Ok(lows) = self.child_lows(&known, split, depth, caps) else { break };",
    ),
    (
        "one node too many in a budget",
        "budget.rs",
        "(i, layer - 1 - i)).collect()",
        "(i, (layer - i).min(below - 1))).collect()",
    ),
    ("one node too few in a budget", "budget.rs", "(0..layer).filter", "(1..layer).filter"),
    (
        "rule D with the difference as printed",
        "kernel/sweep.rs",
        "*one = (*one).max(low[1] - only_c).max(low[0] - neither);",
        "*one = (*one).max(low[1] - only_h).max(low[0] - neither);",
    ),
    (
        "similarity although leaves have a least size",
        "worker.rs",
        "self.on(rule) && self.pass.ground.least == 1",
        "self.on(rule)",
    ),
    (
        "a half-plane rounded up once too often",
        "kernel/sweep.rs",
        "let y = (f64::from(left) + (f64::from(b) - 0.5)) * inverse;",
        "let y = (f64::from(left) + (f64::from(b) + 0.5)) * inverse;",
    ),
    (
        "a corner cut off that a half-plane only touches",
        "kernel/sweep.rs",
        "-i32::from(values[lane] >= least)",
        "-i32::from(values[lane] > least)",
    ),
    (
        "a staircase shifted by the wrong difference",
        "stairs.rs",
        "(1, 1) => one - both,",
        "(1, 1) => other - both,",
    ),
    (
        "a leaf size ignored in stumps",
        "stumps.rs",
        "if n + p < least || all - n - p < least {",
        "if n + p < 1 || all - n - p < 1 {",
    ),
    (
        "complementary columns dropped that are not",
        "block.rs",
        "let new = !alike.iter().any(|&k| (0..valid.len()).all(|w| normal(w, j) == normal(w, k)));",
        "let new = !alike.iter().any(|&k| (0..1).all(|w| normal(w, j) == normal(w, k))) && j % 7 != 6;",
    ),
    (
        "workers use what later splits found",
        "run.rs",
        ".filter(|(at, _)| *at < position)",
        ".filter(|(at, _)| *at != position)",
    ),
    (
        "a side searched along the line of one layer only",
        "staircase.rs",
        "if self.is_empty() || self.line == parent.line { parent.line } else { None }",
        "parent.line",
    ),
    (
        "supported points cut off with the hull's own edge",
        "goal.rs",
        "height.div_ceil(dx) as u32",
        "(height / dx) as u32",
    ),
]


def caught(copy: Path, name: str, file: str, code: str, bug: str) -> bool:
    """Whether the tests fail with this bug."""
    path = copy / "crates/core/src" / file
    text = path.read_text()
    if text.count(code) != 1:
        sys.exit(f"mutant {name!r}: its code stands {text.count(code)} times in {file}")
    path.write_text(text.replace(code, bug))
    build = subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=copy / "crates/core", capture_output=True)
    if build.returncode:
        sys.exit(f"mutant {name!r} does not compile:\n{build.stderr.decode()[-2000:]}")
    tests = subprocess.run(
        ["cargo", "test", "--release", "--quiet", *TESTS], cwd=copy / "crates/core", capture_output=True
    )
    path.write_text(text)
    return tests.returncode != 0


def main() -> int:
    """Runs all mutants, or those whose names contain the argument."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    survived = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("target", ".venv", ".git", "__pycache__"))
        for name, file, code, bug in MUTANTS:
            if wanted in name:
                dead = caught(copy, name, file, code, bug)
                print(f"{'caught  ' if dead else 'SURVIVED'} {name} ({file})", flush=True)
                survived += [] if dead else [name]
    print(f"{len(survived)} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
