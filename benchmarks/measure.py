"""One measurement in a process of its own: `python -m benchmarks.measure JOB`, JOB being a JSON object.

Guarantees: only the call itself is on the clock (reading the file, imports and the checks of the answer are not); the
answer is checked (a tree of the front has the counts it is listed with; the rival's F1 is recomputed from its
predictions); a call is repeated while the calls so far took less than `budget` seconds, and minima are reported.
The report is one line, `RESULT {json}`; any failure is a traceback and a non-zero exit code.
"""

from __future__ import annotations

import contextlib
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.datasets import load
from benchmarks.rounds import MARK


def f1_score(tp: int, fp: int, fn: int) -> float:
    """F1 from counts; 0/0 counts as 0."""
    return 2 * tp / (2 * tp + fp + fn) if tp else 0.0


def score_of(metric: str, y, predicted) -> float:
    """F1 or accuracy of predictions, the metrics that rivals are compared in."""
    tp = int(((predicted == 1) & (y == 1)).sum())
    fp, fn = int((predicted == 1).sum()) - tp, int((y == 1).sum()) - tp
    return 1 - (fp + fn) / len(y) if metric == "accuracy" else f1_score(tp, fp, fn)


def front_call(X, y, job: dict) -> tuple[Callable[[], Any], Callable[[Any], dict]]:
    """The complete front with its trees; options go to `pareto_front` unchanged."""
    import paretree

    def call():
        return paretree.pareto_front(X, y, max_depth=job["depth"], **job["options"])

    def report(front) -> dict:
        positives = int((y == 1).sum())
        counts = list(zip(front.fp.tolist(), front.fn.tolist(), strict=True))
        scores = [f1_score(positives - fn, fp, fn) for fp, fn in counts]
        best = scores.index(max(scores))
        for index in {0, best, len(counts) - 1}:
            predicted = front[index].tree.predict(X)
            attained = (int(((predicted == 1) & (y == 0)).sum()), int(((predicted == 0) & (y == 1)).sum()))
            if attained != counts[index]:
                raise AssertionError(f"point {index} is listed as {counts[index]}, its tree attains {attained}")
        stats = {name: value for name, value in dict(front.stats).items() if isinstance(value, int | float)}
        known = {"finished": bool(front.complete), "front_size": len(counts), "score": max(scores), "stats": stats}
        return known | {"core_seconds": stats.get("seconds")}

    return call, report


def best_call(X, y, job: dict) -> tuple[Callable[[], Any], Callable[[Any], dict]]:
    """The tree that is best for a metric, with its proof."""
    import paretree

    def call():
        return paretree.best_tree(X, y, job["metric"], max_depth=job["depth"], **job["options"])

    def report(best) -> dict:
        predicted = best.tree.predict(X)
        attained = (int(((predicted == 1) & (y == 0)).sum()), int(((predicted == 0) & (y == 1)).sum()))
        if attained != (best.fp, best.fn):
            raise AssertionError(f"the tree is said to make {best.fp}, {best.fn} errors but makes {attained}")
        solves = {name: best.stats.get(f"{name}_at_full_depth", 0) for name in SOLVES}
        return {"finished": best.is_optimal, "score": best.value} | solves

    return call, report


def query_call(X, y, job: dict) -> tuple[Callable[[], Any], Callable[[Any], dict]]:
    """The best point of a front that is there already."""
    import paretree

    front = paretree.pareto_front(X, y, max_depth=job["depth"], **job["options"])

    def call():
        return front.best(job["metric"])

    def report(point) -> dict:
        score = float(front.value(job["metric"]).max())
        return {"finished": front.complete, "front_size": len(front), "score": score}

    return call, report


def pystreed_call(X, y, job: dict) -> tuple[Callable[[], Any], Callable[[Any], dict]]:
    """One optimal tree by STreeD, a new solver for each call since a solver keeps its cache."""
    from pystreed import STreeDClassifier

    depth, labels = job["depth"], y.astype(int)
    task = {"f1": "f1-score"}.get(job["metric"], job["metric"])

    def call():
        model = STreeDClassifier(
            task, max_depth=depth, max_num_nodes=2**depth - 1, time_limit=job["timeout"], **job["options"]
        )
        return model.fit(X, labels)

    def report(model) -> dict:
        if not model.is_fitted():
            return {"finished": False}
        return {"finished": bool(model.fit_result.is_optimal()), "score": score_of(job["metric"], y, model.predict(X))}

    return call, report


SOLVES = ("weighted_solves", "window_searches", "probes")

CALLS = {"paretree": front_call, "best_tree": best_call, "query": query_call, "pystreed": pystreed_call}


def peak_mb(forget: bool = False) -> float:
    """Peak resident memory of this process in MB (getrusage counts kB on Linux).

    `forget` first lowers the peak to what is resident now, where the system can, so that reading the file, which takes
    more memory than the matrix, does not hide what a call takes.
    """
    if forget:
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(call: Callable[[], Any], budget: float, most: int) -> tuple[Any, dict]:
    """The last answer, and the minima over the calls made: seconds by the wall clock and by the processor's."""
    wall, cpu = [], []
    while not wall or (sum(wall) < budget and len(wall) < most):
        answer = None  # frees the previous answer before the clock starts
        at_wall, at_cpu = time.perf_counter(), time.process_time()
        answer = call()
        cpu.append(time.process_time() - at_cpu)
        wall.append(time.perf_counter() - at_wall)
    return answer, {"seconds": min(wall), "cpu_seconds": min(cpu), "runs": len(wall)}


def main() -> None:
    """Measures the job given as the only argument."""
    job = json.loads(sys.argv[1])
    X, y = load(Path(job["path"]))
    call, report = CALLS[job["contender"]](X, y, job)
    before = peak_mb(forget=True)
    answer, times = timed(call, job["budget"], job["most"])
    peak = peak_mb()
    print(MARK + json.dumps(report(answer) | times | {"peak_mb": peak, "extra_mb": peak - before}), flush=True)


if __name__ == "__main__":
    main()
