"""A user's function as a metric: tested first for never liking errors, and told of with the counts where it fails."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from paretree.metric import MONOTONE, Metric, exact


@dataclass(frozen=True)
class _Function:
    """A user's function as a formula: what it says is taken exactly, what it must not say is told with the counts."""

    function: Callable[[int, int, int, int], float]

    @property
    def name(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)

    def __call__(self, tp: int, fp: int, fn: int, tn: int) -> Fraction:
        shown = f"tp={_plain(tp)}, fp={_plain(fp)}, fn={_plain(fn)}, tn={_plain(tn)}"
        whole = all(isinstance(count, int) for count in (tp, fp, fn, tn))
        counts = (tp, fp, fn, tn) if whole else tuple(float(count) for count in (tp, fp, fn, tn))
        try:
            found = float(self.function(*counts))
        except Exception as error:
            raise ValueError(f"metric {self.name} failed at {shown}: {type(error).__name__}: {error}") from error
        if not math.isfinite(found):
            raise ValueError(f"metric {self.name} is {found} at {shown}; return a finite number for all counts")
        return Fraction(found)


def from_callable(
    function: Callable[[int, int, int, int], float], positives: int, negatives: int, step: float = 1
) -> Metric:
    """Wrap `f(tp, fp, fn, tn)`, after testing on a grid of counts that it never gets better with more errors."""
    formula = _Function(function)
    metric = Metric(formula.name, MONOTONE, "a function", formula, plain=True)
    _refuse_unless_monotone(metric, positives, negatives, 1 if step == 1 else exact(step, "step"))
    return metric


def _plain(count: int | Fraction) -> int | float:
    return count if isinstance(count, int) else float(count)


GRID = 40
ROUNDING = Fraction(1, 10**12)


def _refuse_unless_monotone(metric: Metric, positives: int, negatives: int, step: int | Fraction) -> None:
    """Compare neighbours on a grid over all counts, and next to its lines at a distance of one error."""

    def steps(most: int) -> list[int]:
        lines = {round(most * i / GRID) for i in range(GRID + 1)}
        return sorted({x for line in lines for x in (line, line + 1) if x <= most})

    def counts(fp: int, fn: int) -> tuple[int, int, int, int]:
        return tuple(step * count for count in (positives - fn, fp, fn, negatives - fp))

    across, down = steps(negatives), steps(positives)
    keys = {(fp, fn): metric.formula(*counts(fp, fn)) for fp in across for fn in down}
    pairs = [((fp, fn), (more, fn)) for fn in down for fp, more in pairwise(across)]
    pairs += [((fp, fn), (fp, more)) for fp in across for fn, more in pairwise(down)]
    for less, more in pairs:
        # Rounding in the function is no fault of its user.
        if keys[more] - keys[less] > ROUNDING * max(1, abs(keys[less])):
            first, second = (
                dict(zip(("tp", "fp", "fn", "tn"), map(_plain, counts(*at)), strict=True)) for at in (less, more)
            )
            raise ValueError(
                f"metric {metric.name} gets better with more errors: {float(keys[less]):g} at {first}, "
                f"{float(keys[more]):g} at {second}; a metric must not, or no front holds its optimum"
            )
