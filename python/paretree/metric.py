"""What a metric and a constraint are: exact values from counts, and floats from arrays of counts.

Values are compared exactly: `key` is a rational number that orders counts as the metric does, whatever floats say.
Every 0/0 counts as 0, as with scikit-learn's `zero_division=0`. The kind says what it takes to prove an optimum.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

LINEAR, FRACTIONAL, QUASI_CONVEX, MONOTONE = "linear", "linear-fractional", "quasi-convex", "monotone"

Formula = Callable[[Any, Any, Any, Any], Any]
"""From tp, fp, fn, tn to a value: exactly from whole numbers, or nearly from arrays of floats."""

Coefficients = tuple[Any, Any, Any]
"""Of a linear function of the errors: what stands alone, before fp, and before fn."""

Parts = Callable[[Any, Any], tuple[Coefficients, Coefficients]]
"""From the weights of the positives and the negatives to the upper and the lower part of a linear fraction."""


@dataclass(frozen=True)
class Constraint:
    """A bound on a metric or a count, from below or above, that gets easier as fp and fn shrink."""

    name: str
    at_most: bool
    bound: Fraction
    quantity: Formula = field(repr=False)

    def holds(self, tp: int, fp: int, fn: int, tn: int) -> bool:
        """Whether counts satisfy it, decided exactly."""
        value = self.quantity(tp, fp, fn, tn)
        return value <= self.bound if self.at_most else value >= self.bound

    def __str__(self) -> str:
        return f"{self.name} {'<=' if self.at_most else '>='} {float(self.bound):g}"

    def __reduce__(self) -> Any:
        from paretree.metrics import constraint

        return constraint, (self.name, self.bound)


@dataclass(frozen=True)
class Metric:
    """A metric with a name. Call it with tp, fp, fn, tn for its value."""

    name: str
    kind: str
    text: str
    formula: Formula = field(repr=False)
    root: bool = field(default=False, repr=False)
    constraint: Constraint | None = None
    parts: Parts | None = field(default=None, repr=False)
    """Of linear and linear-fractional metrics; the formula is made of them."""
    plain: bool = field(default=False, repr=False)
    """Whether the formula takes no arrays: a user's function."""
    maker: tuple[Callable[..., Metric], tuple[Any, ...]] | None = field(default=None, repr=False, compare=False)
    """What makes it, for pickles: formulas cannot be pickled."""

    def key(self, tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
        """A rational number that orders counts as the metric does; None where its constraint fails."""
        if self.constraint is not None and not self.constraint.holds(tp, fp, fn, tn):
            return None
        return self.formula(tp, fp, fn, tn)

    def value(self, key: Fraction | None) -> float:
        """The value that has this key."""
        if key is None:
            return -math.inf
        return math.copysign(math.sqrt(abs(key)), key) if self.root else float(key)

    def __call__(self, tp: int, fp: int, fn: int, tn: int) -> float:
        """The value; minus infinity where the metric's constraint fails."""
        return self.value(
            self.key(*(getattr(count, "item", lambda count=count: count)() for count in (tp, fp, fn, tn)))
        )

    def __str__(self) -> str:
        return self.name

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.maker or super().__reduce_ex__(protocol)


def ratio(above: Any, below: Any) -> Any:
    """Divide, whole numbers exactly; 0/0 is 0."""
    if isinstance(above, np.ndarray) or isinstance(below, np.ndarray):
        above, below = np.broadcast_arrays(np.asarray(above, dtype=float), below)
        return np.divide(above, below, out=np.zeros(above.shape), where=below != 0)
    return Fraction(above) / below if below else Fraction(0)


def least(one: Any, other: Any) -> Any:
    """The lesser of two numbers, or of the elements of arrays."""
    return np.minimum(one, other) if isinstance(one, np.ndarray) or isinstance(other, np.ndarray) else min(one, other)


def exact(number: Any, name: str) -> Fraction:
    """The number that was written: 0.9 is nine tenths, not the nearest binary fraction."""
    plain = number.item() if isinstance(number, np.generic) else number
    if isinstance(plain, bool) or not isinstance(plain, int | float | Fraction) or plain != plain:
        raise ValueError(f"{name}={number!r}: give a finite number")
    if plain != 0 and not LEAST <= abs(plain) <= 1 / LEAST:
        raise ValueError(f"{name}={number!r}: give 0, or a number whose size is between {LEAST} and {1 / LEAST}")
    return Fraction(repr(plain)) if isinstance(plain, float) else Fraction(plain)


LEAST = 1e-100  # numbers nearer to 0, or as far from it, would leave the range of floats in products
