"""From a target to a proof: which questions to ask the solver until nothing can beat the best point known.

Guarantees: a point is called optimal only when a finished search at the full depth, or half-planes proven by finished
searches there, leave nothing that beats it; every decision between points is exact. Depths are searched in turn, so
that each begins with the best of the one before.

- Linear and linear-fractional metrics: what beats a point is a half-plane, so that the least weighted error along its
  edge either beats it or proves it (Dinkelbach 1967). The last question is the proof.
- Other smooth metrics: the least weighted error along the tangent finds a good point, then one search of the window of
  all that beats it, bounded along that tangent among others, is the proof.
- Any others, and all with constraints or a price for nodes: that window alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from paretree._core import Solver
from paretree.levels import HalfPlane, Target
from paretree.tree import ARRAYS

if TYPE_CHECKING:
    from paretree._core import Until

MOST_WEIGHT = 1 << 62  # of a line that the core compares exactly
FEW = 2  # points that are compared exactly at once
WIDTH = 4  # directions that a window is bounded with
SHALLOW = 3  # depths up to this take no time; the last of them gives the order of splits for deeper ones
PROBED = 5  # splits of the root that are looked at first, for a good point
SHARES = (0.125, 0.25, 0.5)  # of the way from the bound to the best, that long searches look at first
LONG = 1000  # pairs of sets counted for the first few splits, from which on all of them take long

SPREAD = [(1, 0), (16, 1), (4, 1), (2, 1), (1, 1), (1, 2), (1, 4), (1, 16), (0, 1)]
"""Directions of the bounds that hold before any search."""


class Stopped(Exception):
    """A limit came first."""


@dataclass
class Best:
    """A point with the arrays of its tree; its key is worked out where it may be the best."""

    fp: int
    fn: int
    key: Fraction | None
    nodes: int
    tree: dict[str, np.ndarray]


@dataclass
class Hunt:
    """A search for the best point of a target among the trees of a solver."""

    solver: Solver
    target: Target
    depth: int
    until: Callable[[], Until]
    shallow_first: bool = True
    best: Best | None = None
    known: dict[tuple[int, int], Best] = field(default_factory=dict)
    """The points that were met."""
    planes: list[HalfPlane] = field(default_factory=list)
    """Half-planes that hold for all trees of the full depth."""
    ceiling: float = math.inf
    """No tree of the full depth has a greater value, as searches showed that found nothing above it."""
    counters: dict[str, int] = field(default_factory=dict)
    before: int = 0
    """Pairs of sets that were counted before the search of this depth began."""
    stopped: str | None = None

    def __post_init__(self) -> None:
        self.target = replace(self.target, positives_first=self.solver.positives_first)

    def run(self) -> None:
        """Find the best point and prove it, or stop at a limit with the best so far."""
        self.solver.layers(self.depth)  # a budget that is too large is refused at once
        try:
            shallow = 1 if self.target.metric.parts and not self._is_priced else 2
            start, first = (min(self.depth, shallow), shallow + 1) if self.shallow_first else (0, self.depth)
            self._ask(self.solver.front(start, supported=False, until=self.until()))
            for depth in range(first, self.depth + 1):
                self.before = self.counters["pairs"]
                self._search(depth)
            self.ceiling = self.target.value(self.best.key, self.best.nodes)
            self._replace_by_what_dominates()
        except Stopped:
            return
        except KeyboardInterrupt:
            if self.best is None:
                raise
            self.stopped = "interrupt"

    @property
    def bound(self) -> float:
        """No tree within the limits has a greater value."""
        return self.target.value(self.best.key, self.best.nodes) if self.stopped is None else self.bound_so_far

    @property
    def bound_so_far(self) -> float:
        """The same while the search goes on: from half-planes, and from searches that found nothing."""
        best = self.best
        ceiling = min(self.ceiling, self.target.ceiling(best.key, self.half_planes))
        return max(ceiling, self.target.value(best.key, best.nodes))

    @property
    def half_planes(self) -> list[HalfPlane]:
        """All that is known to hold for the trees of the full depth."""
        return [*self.planes, *self._floor]

    @cached_property
    def _floor(self) -> list[HalfPlane]:
        """Half-planes that hold before any search: for whatever tells apart rows that differ in some column."""
        return [(weights, self.solver.any_classifier(weights)) for weights in SPREAD]

    def _search(self, depth: int) -> None:
        """Find and prove the best point of the full depth; of a lower one, a good point that costs little."""
        search = self._by_lines if self._line() else self._by_windows
        search(depth, last=depth == self.depth)

    def _by_lines(self, depth: int, last: bool) -> None:
        probed: set[tuple[int, int]] = set()
        while (
            self._is_probed(depth) and (line := self._line()) and line[0] not in probed and not self._is_proven(*line)
        ):
            probed.add(line[0])
            self._probe(depth, *line)
        while (depth <= SHALLOW or last) and (line := self._line()) and not self._is_proven(*line):
            if not self._least(depth, *line) or not last:
                break
        if last and self._line() is None:
            # The weights of the best point that was found are too large for the core.
            self._useful(depth)

    def _is_probed(self, depth: int) -> bool:
        """Whether the first few splits are worth a look of their own: where they are few of many."""
        return depth > SHALLOW and self.solver.columns > 6 * PROBED

    def _is_proven(self, weights: tuple[int, int], value: int) -> bool:
        """Whether it is known already that no tree weighs less than that along these weights."""
        # The least along a line is found at once; and nothing tells rows apart that agree in every column.
        known = any(at == weights and low >= value for at, low in self.planes)
        return known or self.solver.any_classifier(weights) >= value

    def _by_windows(self, depth: int, last: bool) -> None:
        while self._is_probed(depth) and (tangent := self._tangent()) and self._probe(depth, *tangent):
            pass
        tangent = self._tangent()
        if tangent is None and self._is_probed(depth):
            self._useful(depth, splits=PROBED)
        if last and self._is_long(depth) and self._far_above(depth):
            return
        if last or (tangent is None and depth <= SHALLOW):
            self._useful(depth)
        elif depth <= SHALLOW:
            self._least(depth, *tangent)

    @property
    def _is_priced(self) -> bool:
        return bool(self.target.demands or self.target.complexity)

    def _line(self) -> tuple[tuple[int, int], int] | None:
        """The half-plane of what beats the best, where it is one, and its weights are not too large for the core."""
        if self.best is None or self._is_priced or self.target.metric.parts is None:
            return None
        line = self.target.line(self.best.fp, self.best.fn)
        return line if max(line[0]) < MOST_WEIGHT else None

    def _tangent(self) -> tuple[tuple[int, int], int] | None:
        return None if self.best is None or self._is_priced else self.target.tangent(self.best.fp, self.best.fn)

    def _least(self, depth: int, weights: tuple[int, int], value: int) -> bool:
        """Whether the point of least weight, below a value, beats the best."""
        floor = self.solver.any_classifier(weights)
        for share in (*SHARES, 1) if self._is_long(depth) else (1,):
            below = value - int((value - floor) * (1 - share))
            self._count("weighted_solves", depth)
            answer = self.solver.least(depth, self.depth, weights, below, until=self.until())
            better = self._take(answer)
            layer = answer["layers"][-1]
            found = [weights[0] * fp + weights[1] * fn for fp, fn in zip(*_counts(layer), strict=True)]
            if answer["stopped"] is not None:
                # In splits that are done, what was not asked for weighs no less than the line did in the end.
                lows = [low for at, low in answer["lows"] if at == weights]
                self.planes += [(weights, min([low, below, *found])) for low in lows]
            elif depth == self.depth:
                self.planes.append((weights, min([below, *found])))
            self._stop(answer)
            if found:
                return better
        return False

    def _probe(self, depth: int, weights: tuple[int, int], value: int) -> bool:
        """Whether the trees with the most promising splits at their root beat the best."""
        self._count("probes", depth)
        return self._ask(self.solver.least(depth, self.depth, weights, value, splits=PROBED, until=self.until()))

    def _useful(self, depth: int, splits: int | None = None) -> None:
        """Find all that beats the best, of all trees or of those with the first few splits, and take the best of it."""
        key, nodes = self.best.key, self.best.nodes
        self._within(depth, lambda budget: self.target.window(key, nodes, budget), splits)

    def _far_above(self, depth: int) -> bool:
        """Whether the best point was found by looking for points far above the best so far, then less far."""
        ceiling, value = self.bound_so_far, self.target.value(self.best.key, self.best.nodes)
        for share in SHARES if math.isfinite(ceiling - value) else ():
            above = ceiling - share * (ceiling - value)
            window = lambda budget, above=above: self.target.window_above(above, budget)  # noqa: E731
            found = self._within(depth, window, above=above)
            # All that is above was found.
            self.ceiling = above
            if found:
                return True
        return False

    def _within(
        self,
        depth: int,
        window: Callable[[int], np.ndarray],
        splits: int | None = None,
        above: float = -math.inf,
    ) -> bool:
        """Find all points inside the windows of each budget, which leave out what is not above a value or not better.

        Returns whether one of them beats the best.
        """
        layers = self.solver.layers(depth)
        if self.target.complexity:
            windows = [window(layer) for layer in range(layers)]
        else:
            # Where nodes are free, the last budget has all points.
            windows = [np.zeros(0, dtype=np.uint32)] * (layers - 1) + [window(0)]
        if all(self.target.is_closed(one, self.half_planes) for one in windows):
            return False
        self._count("window_searches" if splits is None else "probes", depth)
        directions = self._directions(windows)
        answer = self.solver.useful(depth, self.depth, windows, directions, splits=splits, until=self.until())
        better = self._take(answer)
        if answer["stopped"] is not None and splits is None:
            # The lows hold for splits that are open; in those that are done, all that the windows asked for was found.
            open_ = self.target.ceiling(self.best.key, [*self.half_planes, *answer["lows"]])
            self.ceiling = min(self.ceiling, max(open_, above))
        self._stop(answer)
        return better

    def _replace_by_what_dominates(self) -> None:
        """Where a metric stays the same with fewer errors, take a tree of the best value that no other dominates."""
        best, target = self.best, self.target
        fewer = [(best.fp - 1, best.fn), (best.fp, best.fn - 1)]
        if not any(min(point) >= 0 and target.key(*point) == best.key for point in fewer):
            return
        window = target.window_dominating(best.fp, best.fn)
        self._within(self.depth, lambda budget: window if budget <= best.nodes or not target.complexity else window[:0])

    def _is_long(self, depth: int) -> bool:
        """Whether to look for far better points first: that takes less time, and proves a bound.

        It pays where a limit may come first, and what was looked at already took long.
        """
        timed = self.until()[0] is not None
        return timed and depth == self.depth and self.counters["pairs"] - self.before >= LONG

    def _directions(self, windows: list[np.ndarray]) -> list[tuple[int, int]]:
        """Normals of the hull of the points known that face the corners of the windows."""
        window = max(windows, key=len)
        steps = np.flatnonzero(np.append(window[:-1] > window[1:], True)) if len(window) else np.zeros(0, dtype=int)
        if not len(steps):
            return [(1, 1)]
        fp, fn = self.target.turned(steps.astype(float), window[steps].astype(float) - 1)
        edges = list(itertools.pairwise(hull(sorted(self.known))))
        normals = np.array([(one[1] - two[1], two[0] - one[0]) for one, two in edges], dtype=float).reshape(-1, 2)
        heights = np.array([a * one[0] + b * one[1] for (a, b), (one, _) in zip(normals, edges, strict=True)])
        share = (np.outer(fp, normals[:, 0]) + np.outer(fn, normals[:, 1])) / heights
        chosen = np.bincount(share.argmin(axis=1), minlength=len(edges)) if len(edges) else np.zeros(0)
        often = np.argsort(-chosen, kind="stable")[:WIDTH]
        facing = [(int(normals[k, 0]), int(normals[k, 1])) for k in often if chosen[k]]
        tangent = self._tangent()
        return [*facing, *([tangent[0]] if tangent else [])] or [(1, 1)]

    def _ask(self, answer: dict[str, Any]) -> bool:
        """Note what an answer holds, stop if it was stopped; whether it beats the best known."""
        better = self._take(answer)
        self._stop(answer)
        return better

    def _take(self, answer: dict[str, Any]) -> bool:
        """Note what an answer holds; whether it beats the best known."""
        better = False
        for name, count in answer["stats"].items():
            self.counters[name] = self.counters.get(name, 0) + count
        points = list(_points(answer))
        for point in points:
            self.known.setdefault((point.fp, point.fn), point)
        for point in self._promising(points):
            point.key = self.target.key(point.fp, point.fn)
            if self._beats(point):
                self.best, better = point, True
        return better

    def _stop(self, answer: dict[str, Any]) -> None:
        if answer["stopped"] is not None:
            self.stopped = answer["stopped"]
            raise Stopped

    def _promising(self, points: list[Best]) -> list[Best]:
        """Those that may be the best of some points, going by floats where they are many."""
        if len(points) <= FEW:
            return points
        return [points[at] for at in self.target.highest([(point.fp, point.fn, point.nodes) for point in points])]

    def _beats(self, point: Best) -> bool:
        best = self.best
        if best is None or self.target.exceeds(point.key, point.nodes, best.key, best.nodes):
            return True
        tied = not self.target.exceeds(best.key, best.nodes, point.key, point.nodes)
        return tied and (point.fp, point.fn) < (best.fp, best.fn)

    def _count(self, name: str, depth: int) -> None:
        for counter in (name, f"{name}_at_full_depth")[: 1 + (depth == self.depth)]:
            self.counters[counter] = self.counters.get(counter, 0) + 1


def _counts(layer: dict[str, np.ndarray]) -> tuple[list[int], list[int]]:
    """The (fp, fn) of a layer as Python's numbers, which do not overflow."""
    return layer["fp"].tolist(), layer["fn"].tolist()


def _points(answer: dict[str, Any]) -> Iterator[Best]:
    """The points of an answer, with their trees."""
    for layer in answer["layers"]:
        starts = layer["starts"]
        for at, (fp, fn) in enumerate(zip(*_counts(layer), strict=True)):
            rows = slice(int(starts[at]), int(starts[at + 1]))
            tree = {name: layer[name][rows] for name in ARRAYS}
            yield Best(fp, fn, None, int(np.count_nonzero(tree["column"] >= 0)), tree)


def hull(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The vertices of the lower left convex hull of points, by ascending fp."""
    vertices: list[tuple[int, int]] = []
    for x, y in points:
        if vertices and y >= vertices[-1][1]:
            continue
        while len(vertices) > 1:
            (x1, y1), (x2, y2) = vertices[-2:]
            if (x2 - x1) * (y - y1) > (y2 - y1) * (x - x1):
                break
            vertices.pop()
        vertices.append((x, y))
    return vertices
