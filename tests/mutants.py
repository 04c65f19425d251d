"""Puts known bugs into the core, one at a time, and sees that the tests catch each: `python tests/mutants.py`.

A test of exactness that never failed proves nothing. Every mutant is a change that still compiles; it works on a
copy of the repository, never on the sources themselves.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUST = ["--test", "fronts", "--test", "windows", "--test", "stairs", "--test", "kernels", "--test", "questions"]
PYTHON = ["tests/test_best.py", "tests/test_bounds.py", "tests/test_levels.py", "-x", "-q"]

# Name, file under crates/core/src or python/paretree, the code, the bug.
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
        "supported points cut off with the hull's own edge",
        "goal.rs",
        "height.div_ceil(dx) as u32",
        "(height / dx) as u32",
    ),
    (
        "lows turned to another direction as if it were the same",
        "directions.rs",
        "let shares = vec![(k, cross((c, d), other)), (above, cross(one, (c, d)))];",
        "let shares = vec![(k, cross((c, d), other)), (above, cross(one, other))];",
    ),
    (
        "lows of a side remembered for other directions",
        "passes.rs",
        "if directions != self.cached {",
        "if directions.len() != self.cached.len() {",
    ),
    (
        "bounds of splits that are done, in place of those that are open",
        "run.rs",
        ".filter(|&split| !state.done[split]);",
        ".filter(|&split| state.done[split]);",
    ),
    (
        "what was proven of shallower trees taken for the bound of deeper ones",
        "solver.rs",
        "if depth.depth == depth.toward && depth.splits.is_none() {",
        "if depth.splits.is_none() {",
    ),
    (
        "a bound from data whose columns were never read",
        "data.rs",
        "if self.cut_off {",
        "if self.cut_off && self.merged > usize::MAX - 1 {",
    ),
    (
        "one question for a ratio where the last one is the proof",
        "strategy.py",
        "if not self._least(depth, *line) or not last:",
        "if not self._least(depth, *line) or last:",
    ),
    (
        "a half-plane of other weights taken for a proof",
        "strategy.py",
        "any(at == weights and low >= value",
        "any(at != 0 and low >= value",
    ),
    (
        "good splits at the root taken for all",
        "strategy.py",
        "while (depth <= SHALLOW or last) and",
        "while depth <= SHALLOW and",
    ),
    (
        "a window's bound taken from halfway further on",
        "strategy.py",
        "self.ceiling = above",
        "self.ceiling = (above + value) / 2",
    ),
    (
        "a half-plane of what was not asked for",
        "strategy.py",
        "min([low, below, *found])",
        "min([low, below])",
    ),
    (
        "lows of a window far above taken for a bound of what is not",
        "strategy.py",
        "max(open_, above)",
        "open_",
    ),
    (
        "half-planes of shallower trees",
        "strategy.py",
        "            elif depth == self.depth:",
        "            elif depth > 1:",
    ),
    (
        "a line with the errors exchanged",
        "levels.py",
        "_whole(*(u * below[i] - v * above[i] for i in (1, 2)), fp, fn)",
        "_whole(*(u * below[i] - v * above[i] for i in (2, 1)), fp, fn)",
    ),
    (
        "a window without its edge",
        "levels.py",
        "limit = bisect.bisect_left(range(limit), True,",
        "limit = -1 + bisect.bisect_left(range(limit), True,",
    ),
    (
        "a price that is paid back",
        "levels.py",
        "value += float(self.complexity) * nodes",
        "value -= float(self.complexity) * nodes",
    ),
    (
        "a step of a long axis with the limit of its other end",
        "levels.py",
        "return np.arange(0, self._light + 1, self._stride)",
        "return np.minimum(np.arange(0, self._light + 1, self._stride) + self._stride - 1, self._light)",
    ),
    (
        "differences of roots compared with the wrong sign below zero",
        "levels.py",
        "twice = 2 * price * (1 if other >= 0 else -1) * sign",
        "twice = 2 * price * sign",
    ),
]


def place(copy: Path, file: str) -> Path:
    """Where a file is in a copy."""
    return copy / ("python/paretree" if file.endswith(".py") else "crates/core/src") / file


def run(copy: Path, command: list[str], folder: str = ".") -> subprocess.CompletedProcess:
    """Run a command in a copy."""
    quick = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}
    return subprocess.run(command, cwd=copy / folder, capture_output=True, env=os.environ | quick)


def caught(copy: Path, name: str, file: str, code: str, bug: str) -> bool:
    """Whether the tests fail with this bug: those of the core, or else those of the package."""
    path = place(copy, file)
    text = path.read_text()
    if text.count(code) != 1:
        sys.exit(f"mutant {name!r}: its code stands {text.count(code)} times in {file}")
    path.write_text(text.replace(code, bug))
    dead = False
    if file.endswith(".rs"):
        build = run(copy, ["cargo", "test", "--release", "--quiet", "--no-run", *RUST], "crates/core")
        if build.returncode:
            sys.exit(f"mutant {name!r} does not compile:\n{build.stderr.decode()[-2000:]}")
        dead = run(copy, ["cargo", "test", "--release", "--quiet", *RUST], "crates/core").returncode != 0
    if not dead:
        develop(copy)
        dead = run(copy, [str(copy / ".venv/bin/python"), "-m", "pytest", *PYTHON]).returncode != 0
    path.write_text(text)
    return dead


def develop(copy: Path) -> None:
    """Install the copy into an environment of its own."""
    if not (copy / ".venv").exists():
        run(copy, [sys.executable, "-m", "venv", ".venv"])
    done = run(copy, [str(copy / ".venv/bin/python"), "-m", "pip", "install", "--quiet", ".[test]"])
    if done.returncode:
        sys.exit(done.stderr.decode()[-2000:])


def main() -> int:
    """Runs all mutants, or those whose names contain the argument."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    survived = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        ignored = shutil.ignore_patterns("target", ".venv", ".git", "__pycache__", "*.so")
        shutil.copytree(ROOT, copy, ignore=ignored)
        for name, file, code, bug in MUTANTS:
            if wanted in name:
                dead = caught(copy, name, file, code, bug)
                print(f"{'caught  ' if dead else 'SURVIVED'} {name} ({file})", flush=True)
                survived += [] if dead else [name]
    print(f"{len(survived)} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
