"""What a user asks, read and checked: data for the solver, limits on trees, and when to stop."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from paretree import arguments, matrix, metrics
from paretree._core import MOST_DEPTH, Solver
from paretree.binarizer import Test, ThresholdBinarizer, answers
from paretree.columns import Table
from paretree.front import About, ParetoFront
from paretree.levels import Target
from paretree.progress import Reporter

if TYPE_CHECKING:
    from paretree._core import Until

try:
    import resource
except ImportError:  # Windows has none
    resource = None

CACHE_BYTES = 1 << 30

CAUSES = {
    "time_limit": "time_limit was reached",
    "memory_limit": "memory_limit was reached",
    "interrupt": "interrupted",
}
"""What ends a search early, as a warning says it."""


@dataclass(kw_only=True)
class Problem:
    """Data and limits, checked as soon as they are given; `start` begins the clock and builds the solver."""

    X: Any = field(repr=False)
    y: Any = field(repr=False)
    max_depth: int
    max_nodes: int | None
    min_samples_leaf: float
    pos_label: Any
    sample_weight: Any = field(repr=False)
    binarizer: Any
    time_limit: float | None
    memory_limit: int | str | None
    n_jobs: int | None
    progress: bool | Callable[..., object] | None
    rules: Iterable[str] | None
    lenient: bool = False
    """Whether 0/1 columns are tests too, so that trees take other numbers when they predict."""

    def __post_init__(self) -> None:
        self.began = time.perf_counter()
        if not (self.binarizer in ("auto", None) or isinstance(self.binarizer, ThresholdBinarizer)):
            raise ValueError(f"binarizer={self.binarizer!r}: give 'auto', None or a ThresholdBinarizer")
        self.depth = arguments.whole("max_depth", self.max_depth, 0, MOST_DEPTH)
        nodes = self.max_nodes
        self.nodes = None if nodes is None else arguments.whole("max_nodes", nodes, 0, 2**31 - 1)
        self.seconds = arguments.seconds(self.time_limit)
        self.memory = arguments.memory(self.memory_limit)
        self.chosen = arguments.rules(self.rules)
        self.reporter = Reporter(self.progress)
        self._read()
        self.codes, self.labels = matrix.labels(self.y, self.data.shape[0], self.pos_label)
        self.weights, self.step = matrix.weights(self.sample_weight, self.codes)
        self.least = arguments.least(self.min_samples_leaf, self.step)
        self.threads = arguments.threads(self.n_jobs)
        totals = np.bincount(self.codes, weights=self.weights, minlength=2)
        self.totals = tuple(int(total) for total in totals)
        if not any(self.totals):
            raise ValueError("all sample weights are zero; give at least one row a positive weight")

    def _read(self) -> None:
        """X as 0/1 columns, with the tests that they answer if X is another table."""
        binarizer, self.tests = self.binarizer, None
        if not isinstance(binarizer, ThresholdBinarizer):
            try:
                self.data = matrix.read(self.X)
            except matrix.NotBinary:
                if binarizer is None:
                    raise
                binarizer = ThresholdBinarizer()
        if isinstance(binarizer, ThresholdBinarizer):
            table = Table(self.X)
            fitted = clone(binarizer).set_output(transform="default").fit(self.X, self.y, self.sample_weight)
            self.tests, self.names, self.n_features = fitted.tests_, table.names, table.shape[1]
            bits = np.ascontiguousarray(answers(table, fitted.tests_))
            self.data = matrix.Matrix(bits, bits.shape, None)
        else:
            self.names, self.n_features = self.data.names, self.data.shape[1]
            if self.lenient and binarizer == "auto":
                names = self.names or [f"x{j}" for j in range(self.n_features)]
                self.tests = tuple(Test(j, name, "flag") for j, name in enumerate(names))

    def solver(self, nodes: int | None) -> Solver:
        """The solver for these data, with a limit on branching nodes."""
        return Solver(
            self.data.cells,
            self.codes,
            self.weights,
            nodes=nodes,
            least=self.least,
            rules=self.chosen,
            machine=None,
            threads=self.threads,
            cache=CACHE_BYTES if self.memory is None else min(CACHE_BYTES, self.memory // 3),
            until=(*self.until()[:2], None),
        )

    def target(self, metric: Any, subject_to: Any, complexity: Any) -> Target:
        """What is to be made large."""
        negatives, positives = self.totals
        read = metrics.read(metric, positives, negatives, self.step)
        price = metrics.exact(complexity, "complexity")
        if price < 0:
            raise ValueError(f"complexity={complexity!r}: give a price for each node, at least 0")
        constraints = tuple(metrics.constraints(subject_to))
        return Target(read, constraints, positives, negatives, self.step, price)

    def front(
        self, solver: Solver | None = None, depth: int | None = None, supported: bool = False, stacklevel: int = 2
    ) -> ParetoFront:
        """The front, of a lower depth than asked for if one is given; a warning if a limit came first."""
        depth = self.depth if depth is None else depth
        if solver is None:
            solver = self.solver(None if self.nodes is None else min(self.nodes, 2**depth - 1))
        found = solver.front(depth, supported=supported, until=self.until())
        about = self.about(found["stopped"], found["stats"])
        if about.stopped is not None:
            told = "the points returned are attained, but the front is not proven complete; "
            told += "raise the limit or lower max_depth"
            warn(about.stopped, about.stats["seconds"], told, IncompleteFrontWarning, stacklevel + 1)
        return ParetoFront(found["layers"], about)

    def until(self) -> Until:
        """What is left of the time, and the other reasons to stop."""
        left = None if self.seconds is None else self.seconds - (time.perf_counter() - self.began)
        return left, self.memory, self.reporter.callback

    def about(self, stopped: str | None, counters: dict[str, int]) -> About:
        """What the answers to this problem have in common."""
        return About(
            self.labels,
            self.names,
            self.n_features,
            self.totals,
            self.step,
            self.nodes,
            stopped,
            self.stats(counters),
            self.tests,
        )

    def stats(self, counters: dict[str, int]) -> dict[str, float | None]:
        """The figures of a search: seconds since the beginning, memory, counters."""
        return {"seconds": time.perf_counter() - self.began, "peak_memory": _peak_memory(), **counters}


class IncompleteFrontWarning(UserWarning):
    """A limit or Ctrl-C ended the search: the points are attained, but better ones may exist."""


def warn(stopped: str, seconds: float, told: str, category: type[Warning], stacklevel: int) -> None:
    """Say that a limit ended a search."""
    warnings.warn(f"{CAUSES[stopped]} after {seconds:.1f} s: {told}", category, stacklevel=stacklevel + 1)


def _peak_memory() -> int | None:
    """The greatest resident size of this process so far, in bytes, where the system tells."""
    if resource is None:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
