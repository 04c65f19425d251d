"""What beats a value: the target of a search as lines, windows and bounds in the plane of its two errors.

Guarantees: `window` leaves out nothing that beats what is known; `line` holds just that; `ceiling` is never below the
value of a point that the half-planes allow. Decisions between counts are exact; floats only ever make windows wider and
ceilings higher.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from paretree import metrics
from paretree.metric import Constraint, Metric, exact

if TYPE_CHECKING:
    from paretree.front import ParetoFront

MARGIN = 1e-9  # far above the rounding errors of keys, which are below 1e-12 in their scale
STEPS = 4096  # an axis is cut into at most so many steps
PLAIN_STEPS = 512  # for functions that are called count by count
MOST_RUNS = 2048  # of equal limits, that are looked through for ties

HalfPlane = tuple[tuple[int, int], int]
"""((a, b), low): no tree has a·fp + b·fn < low."""


@dataclass(frozen=True)
class Target:
    """A metric to make large subject to constraints, less a price for each branching node.

    Counts are in units of the weight step, those of the metric and the constraints in the user's.
    """

    metric: Metric
    constraints: tuple[Constraint, ...]
    positives: int
    negatives: int
    step: float = 1
    complexity: Fraction = Fraction(0)
    positives_first: bool = False
    """Whether windows are laid along the false negatives: those of the lighter class."""

    @classmethod
    def of_front(cls, front: ParetoFront, metric: Any, subject_to: Any) -> Target:
        """A target for points of a front."""
        step = front.weight_step
        positives, negatives = (round(weight / step) for weight in (front.positives, front.negatives))
        read = metrics.read(metric, positives, negatives, step)
        constraints = tuple(metrics.constraints(subject_to))
        return cls(read, constraints, positives, negatives, step, positives_first=positives < negatives)

    @property
    def demands(self) -> tuple[Constraint, ...]:
        """All constraints, that of the metric among them."""
        own = self.metric.constraint
        return (*self.constraints, *(() if own is None else (own,)))

    def counts(self, fp: Any, fn: Any) -> tuple[Any, Any, Any, Any]:
        """Tp, fp, fn, tn as the metric wants them."""
        counts = (self.positives - fn, fp, fn, self.negatives - fp)
        if self.step == 1:
            return counts
        step = self.step if isinstance(fp, np.ndarray) else exact(self.step, "step")
        return tuple(step * count for count in counts)

    def key(self, fp: int, fn: int) -> Fraction | None:
        """What orders points as the metric does; None where a constraint fails."""
        counts = self.counts(fp, fn)
        if not all(constraint.holds(*counts) for constraint in self.demands):
            return None
        return self.metric.formula(*counts)

    def value(self, key: Fraction | None, nodes: int = 0) -> float:
        """The value of a point with this key whose tree has so many nodes."""
        return self.metric.value(key) - float(self.complexity) * nodes

    def highest(self, points: Sequence[tuple[int, int, int]]) -> list[int]:
        """Which of some (fp, fn, nodes) may have the greatest value, going by floats."""
        if self.metric.parts is not None and not self.demands and not self.complexity:
            # Points are few where a line is all that is asked for, and NumPy would take longer.
            above, below = (tuple(map(float, part)) for part in self.metric.parts(self.positives, self.negatives))
            pairs = [(_at(above, fp, fn), _at(below, fp, fn)) for fp, fn, _ in points]
            values = [u / v if v else 0.0 for u, v in pairs]
            margin = MARGIN * max(map(abs, values))
        else:
            fp, fn, nodes = np.array(points).T
            keys = self._keys(*self.turned(fp, fn))
            roots = np.sign(keys) * np.sqrt(np.abs(keys)) if self.metric.root else keys
            values = (roots - float(self.complexity) * nodes).tolist()
            # Near zero a root magnifies the rounding errors of its key.
            margin = math.sqrt(self._margin) if self.metric.root else self._margin
        top = max(values)
        return [at for at, value in enumerate(values) if value >= top - margin or value == top]

    def exceeds(self, key: Fraction | None, nodes: int, other: Fraction | None, other_nodes: int) -> bool:
        """Whether one key with so many nodes is better than another, decided exactly."""
        if key is None or other is None:
            return key is not None
        price = self.complexity * (nodes - other_nodes)
        if not self.metric.root:
            return key - other > price
        return _root_exceeds(key, other, price)

    def line(self, fp: int, fn: int) -> tuple[tuple[int, int], int]:
        """Weights (a, b) and a value: the points that beat this one are those with a·fp + b·fn below the value.

        For linear and linear-fractional metrics (Dinkelbach's method: one linear function says what beats a ratio).
        """
        above, below = self.metric.parts(self.positives, self.negatives)
        u, v = (part[0] + part[1] * fp + part[2] * fn for part in (above, below))
        if v == 0:
            u, v = 0, 1
        return _whole(*(u * below[i] - v * above[i] for i in (1, 2)), fp, fn)

    def tangent(self, fp: int, fn: int) -> tuple[tuple[int, int], int] | None:
        """A line through a point along which the metric changes least, and the value that it has there."""
        if self.metric.plain or self.demands:
            return None
        at = np.array([[fp - 0.5, fn], [fp + 0.5, fn], [fp, fn - 0.5], [fp, fn + 0.5]]).clip(0).T
        at = np.minimum(at, [[self.negatives], [self.positives]])
        keys = self._keys_alone(*self.turned(*at))
        a, b = keys[0] - keys[1], keys[2] - keys[3]
        # At the rim of the counts a difference spans half a step less.
        a, b = (less / max(span, 0.25) for less, span in ((a, at[0, 1] - at[0, 0]), (b, at[1, 3] - at[1, 2])))
        if not (a > 0 and b > 0 and math.isfinite(a / b) and 1e-6 < a / b < 1e6):
            return None
        slope = Fraction(a / b).limit_denominator(200) if a > b else 1 / Fraction(b / a).limit_denominator(200)
        return _whole(slope, Fraction(1), fp, fn)

    def window(self, key: Fraction | None, nodes: int, budget: int) -> np.ndarray:
        """Limits along the errors of the lighter class: points below them beat this one at a budget of nodes.

        Where counts are many, neighbours share the limit of the lowest, and points that tie may be left in.
        """
        threshold = self._threshold(-math.inf if key is None else self.value(key, nodes), budget)
        limits = self._limits(threshold)
        if key is not None:
            self._leave_out_ties(limits, threshold, key, nodes, budget)
        return self._spread(limits)

    def window_above(self, value: float, budget: int) -> np.ndarray:
        """The same for points with a greater value at a budget of nodes."""
        return self._spread(self._limits(self._threshold(value, budget)))

    def window_dominating(self, fp: int, fn: int) -> np.ndarray:
        """The same for points that dominate this one."""
        x, y = self.turned(fp, fn)
        limits = np.full(x + 1, y + 1, dtype=np.uint32)
        limits[x] = y
        return np.trim_zeros(limits, "b")

    def ceiling(self, key: Fraction | None, planes: Sequence[HalfPlane]) -> float:
        """An upper bound of the values of points that the half-planes allow, and of the point with this key."""
        starts, spans = self._starts(), self._spans()
        low = self._lowest(starts + spans - 1, planes)
        allowed = low <= self._heavy
        best = -math.inf if key is None else float(key)
        if allowed.any():
            keys = self._keys(starts[allowed], low[allowed])
            best = max(best, keys.max())
        if not math.isfinite(best):
            return best
        best += self._margin / 1000
        top = self.key(0, 0)
        return min(self.metric.value(best), self.metric.value(top) if top is not None else math.inf)

    def is_closed(self, window: np.ndarray, planes: Sequence[HalfPlane]) -> bool:
        """Whether half-planes leave nothing of a window."""
        starts = self._starts()[: -(-len(window) // self._stride)]
        ends = np.minimum(starts + self._stride, len(window)) - 1
        return bool((self._lowest(ends, planes) >= window[starts]).all())

    @property
    def _light(self) -> int:
        return self.positives if self.positives_first else self.negatives

    @property
    def _heavy(self) -> int:
        return self.negatives if self.positives_first else self.positives

    @property
    def _stride(self) -> int:
        return -(-(self._light + 1) // (PLAIN_STEPS if self.metric.plain else STEPS))

    def _starts(self) -> np.ndarray:
        return np.arange(0, self._light + 1, self._stride)

    def _spans(self) -> np.ndarray:
        return np.diff(self._starts(), append=self._light + 1)

    def turned(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Errors of the lighter and the heavier class as (fp, fn), and the other way."""
        return (y, x) if self.positives_first else (x, y)

    def _keys(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Keys as floats; minus infinity where a constraint surely fails."""
        keys = self._keys_alone(x, y)
        fp, fn = self.turned(x.astype(float), y.astype(float))
        for constraint in self.demands:
            held = np.broadcast_to(constraint.quantity(*self.counts(fp, fn)), fp.shape)
            bound = float(constraint.bound)
            slack = MARGIN * (abs(bound) or 1.0)
            keys[held > bound + slack if constraint.at_most else held < bound - slack] = -math.inf
        return keys

    def _keys_alone(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Keys as floats, constraints apart."""
        fp, fn = self.turned(x.astype(float), y.astype(float))
        if self.metric.plain:
            pairs = zip(fp.tolist(), fn.tolist(), strict=True)
            keys = np.array([self.metric.formula(*self.counts(int(a), int(b))) for a, b in pairs], dtype=float)
        else:
            keys = np.broadcast_to(np.asarray(self.metric.formula(*self.counts(fp, fn)), dtype=float), fp.shape).copy()
        return keys

    def _threshold(self, value: float, nodes: int) -> float:
        """What a key must be above, rounding errors apart, to have a greater value with so many nodes."""
        value += float(self.complexity) * nodes
        key = value * abs(value) if self.metric.root else value
        return key - self._margin if math.isfinite(key) else key

    @cached_property
    def _margin(self) -> float:
        """What floats may be wrong by, with much to spare, in the scale of this metric's keys."""
        corners = np.array([[0, self._light], [0, self._heavy]])
        return MARGIN * (float(np.abs(self._keys_alone(*corners)).max()) or 1.0)

    def _limits(self, threshold: float) -> np.ndarray:
        """By bisection for each step: how many points above it have keys above a threshold."""
        starts = self._starts()
        low, high = np.zeros(len(starts), dtype=np.int64), np.full(len(starts), self._heavy + 1)
        while (low < high).any():
            middle = (low + high) // 2
            above = (self._keys(starts, np.minimum(middle, self._heavy)) > threshold) & (middle <= self._heavy)
            low, high = np.where(above & (low < high), middle + 1, low), np.where(above, high, middle)
        if self.metric.plain and (np.diff(low) > 0).any():
            raise ValueError(f"metric {self.metric.name} gets better with more errors somewhere; a metric must not")
        # Rounding errors must not make limits rise: the wider window holds all that beats.
        return np.maximum.accumulate(low[::-1])[::-1].copy()

    def _spread(self, limits: np.ndarray) -> np.ndarray:
        return np.trim_zeros(np.repeat(limits, self._spans()), "b").astype(np.uint32)

    def _leave_out_ties(self, limits: np.ndarray, threshold: float, key: Fraction, nodes: int, budget: int) -> None:
        """Take out of the limits, exactly, what lies on the edge and does not beat a key."""
        starts = self._starts()
        ends = np.flatnonzero(np.append(np.diff(limits) != 0, True))
        if self.metric.plain or len(ends) > MOST_RUNS:
            return

        def beats(step: int, y: int) -> bool:
            point = self.turned(int(starts[step]), y)
            return self.exceeds(self.key(*point), budget, key, nodes)

        close = self._keys(starts, np.maximum(limits - 1, 0)) <= threshold + 4 * self._margin
        begin = 0
        for end in ends.tolist():
            limit = int(limits[end])
            while limit > 0 and close[end]:
                # Along steps of the same limit, those whose highest points beat the key come first.
                last = limit - 1
                begin += bisect.bisect_left(range(begin, end + 1), True, key=lambda step, y=last: not beats(step, y))
                if begin > end:
                    break
                limit = bisect.bisect_left(range(limit), True, key=lambda y, step=begin: not beats(step, y))
                limits[begin : end + 1] = limit
            begin = end + 1

    def _lowest(self, x: np.ndarray, planes: Sequence[HalfPlane]) -> np.ndarray:
        """The least errors of the heavier class that the half-planes allow beside these of the lighter one."""
        lowest = np.zeros(len(x), dtype=np.int64)
        for weights, low in planes:
            a, b = self.turned(*weights)
            left = low - a * x.astype(object) if low >= 1 << 52 or a >= 1 << 30 else low - a * x
            if b > 0:
                lowest = np.maximum(lowest, np.array(-(-left // b), dtype=np.int64))
            else:
                lowest = np.where(np.array(left > 0, dtype=bool), self._heavy + 1, lowest)
        return lowest


def _at(part: tuple[float, float, float], fp: int, fn: int) -> float:
    return part[0] + part[1] * fp + part[2] * fn


def _whole(a: Any, b: Any, fp: int, fn: int) -> tuple[tuple[int, int], int]:
    """Whole weights in the same proportion, and the weight of a point."""
    scale = math.lcm(a.denominator, b.denominator)
    a, b = int(a * scale), int(b * scale)
    divisor = math.gcd(a, b) or 1
    a, b = a // divisor, b // divisor
    return (a, b), a * fp + b * fn


def _root_exceeds(key: Fraction, other: Fraction, price: Fraction) -> bool:
    """Whether the signed root of a key exceeds that of another by more than a price, without rounding."""
    if price == 0:
        return key > other
    # sgn √|key| > r with r = sgn √|other| + price: by the sign of r, which is that of a difference of squares.
    square = price * abs(price)
    sign = (other + square > 0) - (other + square < 0)
    if sign <= 0 < key or sign < 0 <= key:
        return True
    if key <= 0 <= sign or (key == 0 and sign == 0):
        return False
    # Both have the same sign: |key| against r² = |other| + price² + 2 price sgn √|other|, turned round below zero.
    rest = (abs(key) - abs(other) - price * price) * sign
    twice = 2 * price * (1 if other >= 0 else -1) * sign
    # rest > twice √|other|
    left, right = rest * abs(rest), twice * abs(twice) * abs(other)
    return left > right
