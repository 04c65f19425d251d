"""`pareto_front`: from a user's call to the core and back.

Guarantees: every point comes with a tree whose false positives and false negatives were counted again on the rows as
given; `complete` is true only if the search proved that no tree within the limits does better anywhere; the same input
gives the same front and the same trees, for any number of threads, unless a limit ended the search.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from paretree import arguments, matrix
from paretree._core import MOST_DEPTH, Solver
from paretree.front import About, ParetoFront
from paretree.progress import Reporter

try:
    import resource
except ImportError:  # Windows has none
    resource = None

CACHE_BYTES = 1 << 30


class IncompleteFrontWarning(UserWarning):
    """A limit or Ctrl-C ended the search: the points are attained, but better ones may exist."""


def pareto_front(
    X: Any,
    y: Any,
    *,
    max_depth: int = 3,
    max_nodes: int | None = None,
    min_samples_leaf: float = 1,
    pos_label: Any = None,
    sample_weight: Any = None,
    binarizer: str | None = "auto",
    points: str = "all",
    time_limit: float | None = None,
    memory_limit: int | str | None = None,
    n_jobs: int | None = None,
    progress: bool | Callable[..., object] | None = None,
    rules: Iterable[str] | None = None,
) -> ParetoFront:
    """Find every nondominated (false positives, false negatives) of small decision trees, each with its tree.

    Parameters
    ----------
    X : numpy array, data frame (pandas, polars, …) or scipy sparse matrix of 0/1 or booleans.
    y : labels, any two values. The larger one is positive unless `pos_label` says otherwise.
    max_depth : branching nodes on any way from the root to a leaf.
    max_nodes : branching nodes in the whole tree; `.by_nodes` then has the front for every smaller budget too.
    min_samples_leaf : least sum of sample weights in a leaf, rows counting 1 without weights; 1 asks for a row.
        A tree that is one leaf is always allowed.
    sample_weight : whole weights are exact, and weight k is the same as k copies of the row. Other weights are
        rounded to multiples of 1/1024; of a smaller power of two if their mean is below 1, of a larger one if
        their sums need it; `.weight_step` tells.
    binarizer : X has to consist of 0/1 columns, for "auto" as for None.
    points : "all", or "supported" for the vertices of the convex hull only.
    time_limit : seconds. When they are over, what was found so far is returned, marked as incomplete.
    memory_limit : bytes, or text such as "1GB", that the whole process shall stay below.
    n_jobs : threads, as in joblib. The answer does not depend on it.
    progress : True for a line on a terminal, or a callable that takes a `Progress` record.
    rules : names of the pruning rules that are on (see `RULES`); for tests and ablations. Default: all.

    Ctrl-C ends the search too: it returns what was found so far, marked as incomplete.

    """
    start = time.perf_counter()
    if binarizer not in ("auto", None):
        raise ValueError(f"binarizer={binarizer!r}: X has to consist of 0/1 columns, leave binarizer at 'auto' or None")
    if points not in ("all", "supported"):
        raise ValueError(f"points={points!r}: choose 'all' or 'supported'")
    depth = arguments.whole("max_depth", max_depth, 0, MOST_DEPTH)
    nodes = None if max_nodes is None else arguments.whole("max_nodes", max_nodes, 0, 2**31 - 1)
    seconds = arguments.seconds(time_limit)
    memory = arguments.memory(memory_limit)
    chosen = arguments.rules(rules)
    reporter = Reporter(progress)
    data = matrix.read(X)
    codes, labels = matrix.labels(y, data.shape[0], pos_label)
    weights, step = matrix.weights(sample_weight, codes)
    least = arguments.least(min_samples_leaf, step)
    threads = arguments.threads(n_jobs)

    def left() -> float | None:
        return None if seconds is None else seconds - (time.perf_counter() - start)

    try:
        solver = Solver(
            data.cells,
            codes,
            weights,
            nodes=None if nodes is None else min(nodes, 2**depth - 1),
            least=least,
            rules=chosen,
            machine=None,
            threads=threads,
            cache=CACHE_BYTES if memory is None else min(CACHE_BYTES, memory // 3),
            until=(left(), memory, None),
        )
        found = solver.front(depth, supported=points == "supported", until=(left(), memory, reporter.callback))
    finally:
        reporter.close()
    stats = {"seconds": time.perf_counter() - start, "peak_memory": _peak_memory(), **found["stats"]}
    totals = tuple(int(total) for total in np.bincount(codes, weights=weights, minlength=2))
    stopped = found["stopped"]
    about = About(labels, data.names, data.shape[1], totals, step, nodes, stopped, stats)
    front = ParetoFront(found["layers"], about)
    if stopped is not None:
        warnings.warn(_told(stopped, stats["seconds"]), IncompleteFrontWarning, stacklevel=2)
    return front


def _told(stopped: str, seconds: float) -> str:
    cause = {
        "time_limit": "time_limit was reached",
        "memory_limit": "memory_limit was reached",
        "interrupt": "interrupted",
    }
    return (
        f"{cause[stopped]} after {seconds:.1f} s: the points returned are attained, but the front is not proven "
        "complete; raise the limit or lower max_depth"
    )


def _peak_memory() -> int | None:
    """The greatest resident size of this process so far, in bytes, where the system tells."""
    if resource is None:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
