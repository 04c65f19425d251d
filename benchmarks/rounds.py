"""Measurements side by side: every contender in turn, round by round, each in a process with a hard time limit.

Guarantees: a contender that hangs, crashes or exhausts its time costs at most `timeout` plus a fixed grace and is
recorded as `timeout` or `crash`, never as a time; what is kept of several rounds is the minimum of each clock; cases
that take long are repeated less often. Contenders alternate so that a disturbance of the machine hits all of them.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

GRACE, PROTOTYPE_GRACE = 30.0, 5.0  # seconds for starting, importing and reading, on top of the time limit
BUDGET, MOST = 0.5, 7  # a fast call is repeated within one round: up to BUDGET seconds, at most MOST times
SLOW, VERY_SLOW = 5.0, 20.0  # seconds from which a case is measured at most twice, or only once
ROOT = Path(__file__).resolve().parent.parent
MARK = "RESULT "  # what the line of a report starts with

PROTOTYPE_LINES = {
    "front": re.compile(r"front d\d+ size (?P<size>\d+) .* f1 (?P<score>[\d.]+) time (?P<time>[\d.]+)"),
    "f1": re.compile(r" f1 d\d+ f1=(?P<score>[\d.]+) .* time (?P<time>[\d.]+)"),
    "accuracy": re.compile(r" acc d\d+ opt=(?P<errors>\d+) .* time (?P<time>[\d.]+)"),
}
"""What the prototype prints for each question."""


@dataclass(frozen=True)
class Job:
    """What one process is asked to do; `program` is set for the prototype, which is an executable of its own."""

    contender: str
    path: Path
    depth: int
    options: dict = field(default_factory=dict)
    program: Path | None = None
    metric: str = "f1"
    """What is asked for where it is not the whole front."""
    rows: int = 0

    @property
    def question(self) -> str:
        """What the prototype is asked."""
        return "front" if self.contender == "prototype" else self.metric

    def command(self, timeout: float) -> list[str]:
        """The command line of one measurement."""
        if self.program is not None:
            words = {"front": "front", "f1": "f1", "accuracy": "acc"}
            more = ["6"] if self.question == "front" else []
            return [str(self.program), words[self.question], str(self.path), str(self.depth), *more]
        asked = {"contender": self.contender, "path": str(self.path), "depth": self.depth, "options": self.options}
        asked |= {"metric": self.metric, "timeout": timeout, "budget": BUDGET, "most": MOST}
        return [sys.executable, "-m", "benchmarks.measure", json.dumps(asked)]


def measure(job: Job, timeout: float) -> dict:
    """One round of one contender: `status` is ok, timeout or crash; times are there only when it is ok."""
    if job.program is None:
        return _once(job, timeout)
    start, known = time.perf_counter(), _once(job, timeout)
    while known["status"] == "ok" and known["runs"] < MOST and time.perf_counter() - start < BUDGET:
        known = merge(known, _once(job, timeout))
    return known


def merge(known: dict, new: dict) -> dict:
    """Both rounds in one record: minima of the times, maximum of the memory; one success outweighs a failure."""
    if new["status"] != "ok" or known["status"] != "ok":
        return new if new["status"] == "ok" else known
    out = known | {"runs": known["runs"] + new["runs"]}
    for name, pick in {
        "seconds": min,
        "cpu_seconds": min,
        "core_seconds": min,
        "peak_mb": max,
        "extra_mb": max,
    }.items():
        if known.get(name) is not None and new.get(name) is not None:
            out[name] = pick(known[name], new[name])
    return out


def alternate(jobs: dict[str, Job], repeats: int, timeout: float) -> dict[str, dict]:
    """The record of each labelled job after up to `repeats` rounds in which they take turns."""
    records: dict[str, dict] = {}
    for done in range(repeats):
        for label, job in jobs.items():
            if label not in records:
                records[label] = measure(job, timeout)
            elif done < _rounds_wanted(records[label], repeats):
                records[label] = merge(records[label], measure(job, timeout))
    return records


def _rounds_wanted(record: dict, repeats: int) -> int:
    if record["status"] != "ok" or record["seconds"] > VERY_SLOW:
        return 1
    return min(repeats, 2) if record["seconds"] > SLOW else repeats


def _once(job: Job, timeout: float) -> dict:
    output, code, killed, peak = _run(job.command(timeout), timeout + (PROTOTYPE_GRACE if job.program else GRACE))
    if killed:
        return {"status": "timeout", "peak_mb": peak}
    record = _prototype_record(output, job) if job.program else _python_record(output)
    if code != 0 or record is None:
        last = output.strip().splitlines()[-1:] or [""]
        return {"status": "crash", "error": f"exit code {code}: {last[0][:200]}"}
    finished = record.pop("finished", True) and min(record["seconds"], record["cpu_seconds"]) <= timeout
    status = "ok" if finished else "timeout"
    return {"peak_mb": peak, "extra_mb": peak} | record | {"status": status}


def _run(command: list[str], limit: float) -> tuple[str, int, bool, float]:
    """(output, exit code, killed for its time, peak MB) of a command run in a process group of its own."""
    child = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    killed = threading.Event()

    def kill() -> None:
        killed.set()
        os.killpg(child.pid, signal.SIGKILL)

    timer = threading.Timer(limit, kill)
    timer.start()
    try:
        output = child.stdout.read()
        timer.cancel()
        _, status, usage = os.wait4(child.pid, 0)
    except BaseException:
        timer.cancel()
        child.kill()
        raise
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stdout.close()
    return output, child.returncode, killed.is_set(), usage.ru_maxrss / 1024


def _python_record(output: str) -> dict | None:
    lines = [line for line in output.splitlines() if line.startswith(MARK)]
    return json.loads(lines[-1][len(MARK) :]) if lines else None


def _prototype_record(output: str, job: Job) -> dict | None:
    """The prototype prints processor seconds only; they stand for both clocks."""
    found = PROTOTYPE_LINES[job.question].search(output)
    if found is None:
        return None
    seconds, known = float(found["time"]), found.groupdict()
    record = {"seconds": seconds, "cpu_seconds": seconds, "runs": 1}
    if "errors" in known:
        return record | {"score": 1 - int(known["errors"]) / job.rows}
    record |= {"front_size": int(known["size"])} if "size" in known else {}
    return record | {"score": float(known["score"])}
