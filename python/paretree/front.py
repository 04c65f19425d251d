"""`pareto_front` and what it returns.

Guarantees: every point comes with a tree whose false positives and false negatives were counted again on the rows as
given; `complete` is true only if the search proved that no tree within the limits does better anywhere; the same input
gives the same front and the same trees, for any number of threads, unless a limit ended the search.
"""

from __future__ import annotations

import operator
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, overload

import joblib
import numpy as np

from paretree import matrix
from paretree._core import MOST_DEPTH, Solver
from paretree._core import RULES as _RULES
from paretree.progress import Reporter
from paretree.tree import Tree

try:
    import resource
except ImportError:  # Windows has none
    resource = None

RULES: dict[str, str] = dict(_RULES)
"""The pruning rules by name, each with what it does and what its counter in `stats` counts."""

CACHE_BYTES = 1 << 30
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}


class IncompleteFrontWarning(UserWarning):
    """A limit or Ctrl-C ended the search: the points are attained, but better ones may exist."""


@dataclass(frozen=True)
class FrontPoint:
    """False positives, false negatives, and a tree that makes them."""

    fp: float
    fn: float
    tree: Tree


class ParetoFront(Sequence[FrontPoint]):
    """All nondominated (fp, fn) of the trees within the limits, by ascending fp; each point has its tree."""

    def __init__(self, layer: dict[str, np.ndarray], about: _About) -> None:
        self._layer = layer
        self._about = about
        counts = (layer["fp"], layer["fn"])
        self.fp, self.fn = counts if about.step == 1 else (counts[0] * about.step, counts[1] * about.step)
        self.fp.flags.writeable = self.fn.flags.writeable = False
        self._others: list[dict[str, np.ndarray]] | None = None

    complete = property(lambda self: self._about.stopped is None, doc="Whether it is proven that nothing is missing.")
    stopped = property(lambda self: self._about.stopped, doc="What ended the search early: None if nothing did.")
    positives = property(lambda self: self._about.positives, doc="Weight of the positive rows.")
    negatives = property(lambda self: self._about.negatives, doc="Weight of the negative rows.")
    classes = property(lambda self: self._about.labels.classes, doc="The labels in y, ascending.")
    pos_label = property(lambda self: self._about.labels.positive, doc="The label that counts as positive.")
    feature_names = property(lambda self: self._about.names, doc="The names of the columns, if X had names.")
    weight_step = property(lambda self: self._about.step, doc="The grid that real sample weights were rounded to.")
    stats = property(
        lambda self: self._about.stats, doc="Seconds, exact counts of the work done, one per pruning rule."
    )

    @property
    def hull(self) -> np.ndarray:
        """Indices of the supported points: the vertices of the lower left convex hull."""
        fp, fn = self._layer["fp"].tolist(), self._layer["fn"].tolist()
        hull: list[int] = []
        for i in range(len(fp)):
            while len(hull) > 1:
                j, k = hull[-2:]
                if (fp[k] - fp[j]) * (fn[i] - fn[j]) > (fn[k] - fn[j]) * (fp[i] - fp[j]):
                    break
                hull.pop()
            hull.append(i)
        return np.array(hull, dtype=np.intp)

    @property
    def by_nodes(self) -> FrontsByNodes:
        """The front for every budget of 0, 1, …, `max_nodes` branching nodes, from the same run."""
        if self._others is None:
            raise AttributeError("by_nodes needs a node budget: call pareto_front with max_nodes")
        return FrontsByNodes(self._others, self._about)

    def __len__(self) -> int:
        return len(self.fp)

    @overload
    def __getitem__(self, index: int) -> FrontPoint: ...
    @overload
    def __getitem__(self, index: slice) -> list[FrontPoint]: ...
    def __getitem__(self, index: int | slice) -> FrontPoint | list[FrontPoint]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = operator.index(index)
        if not -len(self) <= at < len(self):
            raise IndexError(f"point {at} of a front of {len(self)} points")
        at %= len(self)
        return FrontPoint(self.fp[at].item(), self.fn[at].item(), self._tree(at))

    def _tree(self, at: int) -> Tree:
        layer, about = self._layer, self._about
        rows = slice(int(layer["starts"][at]), int(layer["starts"][at + 1]))
        arrays = (layer[name][rows].copy() for name in ("column", "zero", "one", "label"))
        return Tree(*arrays, about.n_features, about.names, about.labels.negative, about.labels.positive)

    def __repr__(self) -> str:
        state = "complete" if self.complete else f"incomplete: {self.stopped}"
        return f"ParetoFront({len(self)} points, {self.positives} positives, {self.negatives} negatives, {state})"


class FrontsByNodes(Sequence[ParetoFront]):
    """Fronts by node budget: `fronts[k]` is the front of trees with at most k branching nodes."""

    def __init__(self, layers: list[dict[str, np.ndarray]], about: _About) -> None:
        self._layers = layers
        self._about = about

    def __len__(self) -> int:
        return self._about.max_nodes + 1

    def __getitem__(self, budget: int) -> ParetoFront:
        at = operator.index(budget)
        if not -len(self) <= at < len(self):
            raise IndexError(f"budget {at}, but fronts are known for 0 to {len(self) - 1} nodes")
        # Budgets beyond the largest tree of the depth forbid nothing.
        return ParetoFront(self._layers[min(at % len(self), len(self._layers) - 1)], self._about)


@dataclass(frozen=True)
class _About:
    """What the fronts of one run have in common."""

    labels: matrix.Labels
    names: tuple[str, ...] | None
    n_features: int
    positives: float
    negatives: float
    step: float
    max_nodes: int
    stopped: str | None
    stats: dict[str, float | None]


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
    points : "all", or "supported" for the vertices of the convex hull only, in less time.
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
    depth = _whole("max_depth", max_depth, 0, MOST_DEPTH)
    nodes = None if max_nodes is None else _whole("max_nodes", max_nodes, 0, 2**31 - 1)
    seconds = _seconds(time_limit)
    memory = _bytes(memory_limit)
    if memory is not None and memory >= 2**63:
        memory = None  # more than any machine has
    chosen = _rules(rules)
    reporter = Reporter(progress)
    data = matrix.read(X)
    labels = matrix.labels(y, data.shape[0], pos_label)
    weights, step = matrix.weights(sample_weight, labels.codes)
    least = _least(min_samples_leaf, step)
    threads = _threads(n_jobs)

    def left() -> float | None:
        return None if seconds is None else seconds - (time.perf_counter() - start)

    try:
        solver = Solver(
            data.cells,
            labels.codes,
            weights,
            merge_rows="merge_rows" in chosen,
            time_limit=left(),
            memory_limit=memory,
        )
        found = solver.front(
            depth=depth,
            nodes=None if nodes is None else min(nodes, 2**depth - 1),
            least=least,
            supported=points == "supported",
            rules=chosen,
            machine=None,
            threads=threads,
            cache=CACHE_BYTES if memory is None else min(CACHE_BYTES, memory // 3),
            time_limit=left(),
            memory_limit=memory,
            progress=reporter.callback,
        )
    finally:
        reporter.close()
    stats = {"seconds": time.perf_counter() - start, "peak_memory": _peak_memory(), **found["stats"]}
    sums = np.bincount(labels.codes, weights=weights, minlength=2) * step
    negatives, positives = (sums if step != 1 else sums.astype(int)).tolist()
    stopped = found["stopped"]
    limit = 0 if nodes is None else nodes
    about = _About(labels, data.names, data.shape[1], positives, negatives, step, limit, stopped, stats)
    front = ParetoFront(found["layers"][-1], about)
    if nodes is not None:
        front._others = found["layers"]
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


def _whole(name: str, value: Any, least: int, most: int | None) -> int:
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: give a whole number") from None
    if number < least or (most is not None and number > most):
        span = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name}={number}: give a number {span}")
    return number


def _least(min_samples_leaf: Any, step: float) -> int:
    if isinstance(min_samples_leaf, bool) or not isinstance(min_samples_leaf, int | float | np.number):
        raise TypeError(f"min_samples_leaf={min_samples_leaf!r}: give a number")
    if not 1 <= min_samples_leaf < 2**31:
        raise ValueError(f"min_samples_leaf={min_samples_leaf}: give a number from 1 on")
    # Every row weighs at least a step, and one row is all that 1 asks for.
    return 1 if min_samples_leaf == 1 else min(int(np.ceil(float(min_samples_leaf) / step)), 2**31)


def _threads(n_jobs: Any) -> int:
    if n_jobs is None:
        return 1
    jobs = _whole("n_jobs", n_jobs, -(2**31), 2**16)
    if jobs == 0:
        raise ValueError("n_jobs=0: give a number of threads, or -1 for all cores")
    return joblib.effective_n_jobs(jobs)


def _seconds(time_limit: Any) -> float | None:
    if time_limit is None:
        return None
    if isinstance(time_limit, bool) or not isinstance(time_limit, int | float | np.number):
        raise TypeError(f"time_limit={time_limit!r}: give seconds")
    if not time_limit > 0:
        raise ValueError(f"time_limit={time_limit}: give a positive number of seconds")
    return float(time_limit)


def _bytes(memory_limit: Any) -> int | None:
    if memory_limit is None:
        return None
    if isinstance(memory_limit, str):
        parts = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?I?)B?\s*", memory_limit.upper())
        if parts is None or parts[2] not in UNITS:
            raise ValueError(f"memory_limit={memory_limit!r}: give bytes, or text such as '500MB' or '2GiB'")
        return _whole("memory_limit", int(float(parts[1]) * UNITS[parts[2]]), 1, None)
    return _whole("memory_limit", memory_limit, 1, None)


def _rules(rules: Iterable[str] | None) -> list[str]:
    if rules is None:
        return list(RULES)
    if isinstance(rules, str) or not isinstance(rules, Iterable):
        raise TypeError(f"rules={rules!r}: give a collection of names, such as ['cache']")
    chosen = list(rules)
    unknown = [name for name in chosen if name not in RULES]
    if unknown:
        raise ValueError(f"unknown rule {unknown[0]!r}; the rules are {', '.join(RULES)}")
    return chosen


def _peak_memory() -> int | None:
    """The greatest resident size of this process so far, in bytes, where the system tells."""
    if resource is None:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
