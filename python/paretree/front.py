"""Fronts and their points: what the core found, and what can be asked of it without any further search.

Guarantees: points are sorted by fp; each has a tree that makes just its errors on the rows that the front was computed
from; the best point for a metric is decided exactly, and is the best of all trees within the limits if the front is
complete.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, overload

import numpy as np

from paretree import matrix, metrics, store, tables
from paretree.binarizer import Test
from paretree.metric import Metric
from paretree.tree import ARRAYS, Tree

CLOSE = 1e-9  # floats further apart than this order counts as the exact values do


@dataclass(frozen=True)
class FrontPoint:
    """False positives, false negatives, and a tree that makes them."""

    fp: float
    fn: float
    tree: Tree


@dataclass(frozen=True)
class About:
    """What the fronts of one run have in common; weights and sums of weights are in units of `step`."""

    labels: matrix.Labels
    names: tuple[str, ...] | None
    n_features: int
    weights: tuple[int, int]
    step: float
    max_nodes: int | None
    stopped: str | None
    stats: dict[str, float | None]
    tests: tuple[Test, ...] | None = None

    def tree(self, arrays: Mapping[str, np.ndarray]) -> Tree:
        """The tree that has these arrays, its weights in units of `step`."""
        arrays = {name: values.copy() for name, values in arrays.items()}
        weights = {name: self.weigh(arrays[name]) for name in ("negatives", "positives")}
        labels = self.labels
        return Tree(
            **arrays | weights,
            n_features=self.n_features,
            feature_names=self.names,
            negative=labels.negative,
            positive=labels.positive,
            tests=self.tests,
        )

    def weigh(self, units: Any) -> Any:
        """Weight of so many units: whole where the weights were whole."""
        return units if self.step == 1 else units * self.step


class Infeasible(ValueError):
    """No point of a front satisfies the constraints."""


class ParetoFront(Sequence[FrontPoint]):
    """All nondominated (fp, fn) of the trees within the limits, by ascending fp; each point has its tree."""

    def __init__(self, layers: Sequence[dict[str, np.ndarray]], about: About) -> None:
        self._layers = layers
        self._layer = layers[-1]
        self._about = about
        self.fp, self.fn = about.weigh(self._layer["fp"]), about.weigh(self._layer["fn"])
        self.fp.flags.writeable = self.fn.flags.writeable = False

    complete = property(lambda self: self._about.stopped is None, doc="Whether it is proven that nothing is missing.")
    stopped = property(lambda self: self._about.stopped, doc="What ended the search early: None if nothing did.")
    positives = property(lambda self: self._about.weigh(self._about.weights[1]), doc="Weight of the positive rows.")
    negatives = property(lambda self: self._about.weigh(self._about.weights[0]), doc="Weight of the negative rows.")
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
        if self._about.max_nodes is None:
            raise AttributeError("by_nodes needs a node budget: call pareto_front with max_nodes")
        return FrontsByNodes(self._layers, self._about)

    def best(
        self, metric: str | Metric | Callable[..., float], subject_to: Mapping[str, Any] | None = None
    ) -> FrontPoint:
        """The best point for a metric among those that satisfy the constraints; of equals that of lowest fp."""
        return self[self._best(self._metric(metric), metrics.constraints(subject_to))]

    def value(self, metric: str | Metric | Callable[..., float]) -> np.ndarray:
        """The value of a metric at every point; minus infinity where the constraint of the metric fails."""
        chosen = self._metric(metric)
        return np.array([chosen(*self._counts(at)) for at in range(len(self))])

    def evaluate(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Every point on other data: a data frame of its errors there and of all metrics with a name."""
        return tables.evaluated(self, X, y, sample_weight)

    def to_frame(self) -> Any:
        """Every point as a row of a data frame: errors, size of its tree, whether it is supported, metrics."""
        return tables.described(self)

    def plot(self, space: str = "counts", **options: Any) -> Any:
        """Draw the front in counts, "roc" or "pr" space: a `paretree.plots.FrontDisplay` (needs matplotlib)."""
        from paretree.plots import FrontDisplay

        return FrontDisplay.from_front(self, space=space, **options)

    def save(self, path: str | Path) -> None:
        """Write the front, its trees and what is known of it as JSON."""
        store.save(Path(path), self._layers, self._about)

    @classmethod
    def load(cls, path: str | Path) -> ParetoFront:
        """Read a front that `save` wrote."""
        return cls(*store.load(Path(path)))

    def _metric(self, metric: str | Metric | Callable[..., float]) -> Metric:
        return metrics.read(metric, *reversed(self._about.weights), step=self._about.step)

    def _counts(self, at: int) -> tuple[int, int, int, int]:
        """Exact tp, fp, fn, tn of a point; whole weights for a metric that counts errors."""
        negatives, positives = self._about.weights
        fp, fn = int(self._layer["fp"][at]), int(self._layer["fn"][at])
        counts = (positives - fn, fp, fn, negatives - fp)
        return counts if self._about.step == 1 else tuple(metrics.exact(self._about.step, "step") * x for x in counts)

    def _best(self, metric: Metric, constraints: list[metrics.Constraint]) -> int:
        feasible = [at for at in range(len(self)) if all(one.holds(*self._counts(at)) for one in constraints)]
        values = {at: metric(*self._counts(at)) for at in feasible}
        top = max(values.values(), default=-np.inf)
        if top == -np.inf:
            asked = [*constraints, *([metric.constraint] if metric.constraint else [])]
            raise Infeasible(f"no tree of this front has {' and '.join(map(str, asked))}: {self._closest(asked[0])}")
        near = [at for at in feasible if values[at] >= top - CLOSE * max(1.0, abs(top))]
        return max(near, key=lambda at: (metric.key(*self._counts(at)), -at))

    def _closest(self, constraint: metrics.Constraint) -> str:
        values = [constraint.quantity(*self._counts(at)) for at in range(len(self))]
        return f"{constraint.name} is {float(min(values) if constraint.at_most else max(values)):.4g} at best"

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
        rows = slice(int(self._layer["starts"][at]), int(self._layer["starts"][at + 1]))
        return self._about.tree({name: self._layer[name][rows] for name in ARRAYS})

    def __repr__(self) -> str:
        state = "complete" if self.complete else f"incomplete: {self.stopped}"
        return f"ParetoFront({len(self)} points, {self.positives} positives, {self.negatives} negatives, {state})"


class FrontsByNodes(Sequence[ParetoFront]):
    """Fronts by node budget: `fronts[k]` is the front of trees with at most k branching nodes."""

    def __init__(self, layers: Sequence[dict[str, np.ndarray]], about: About) -> None:
        self._layers = layers
        self._about = about

    def __len__(self) -> int:
        return (self._about.max_nodes or 0) + 1

    def __getitem__(self, budget: int) -> ParetoFront:
        at = operator.index(budget)
        if not -len(self) <= at < len(self):
            raise IndexError(f"budget {at}, but fronts are known for 0 to {len(self) - 1} nodes")
        # Budgets beyond the largest tree of the depth forbid nothing.
        at %= len(self)
        about = replace(self._about, max_nodes=at)
        return ParetoFront(self._layers[: min(at, len(self._layers) - 1) + 1], about)
