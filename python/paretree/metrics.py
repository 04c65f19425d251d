"""What a metric is, the registry of those with names, and constraints.

A metric is a function of (tp, fp, fn, tn), larger is better, that never gets better when fp or fn grows. Values are
compared exactly: `key` is a rational number that orders counts as the metric does, whatever floats would say. Every 0/0
counts as 0, as with scikit-learn's `zero_division=0`. The kind says what it takes to prove an optimum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

LINEAR, FRACTIONAL, QUASI_CONVEX, MONOTONE = "linear", "linear-fractional", "quasi-convex", "monotone"

Formula = Callable[[int, int, int, int], Fraction]


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


@dataclass(frozen=True)
class Metric:
    """A metric with a name. Call it with tp, fp, fn, tn for its value."""

    name: str
    kind: str
    text: str
    formula: Formula = field(repr=False)
    root: bool = field(default=False, repr=False)
    constraint: Constraint | None = None

    def key(self, tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
        """A rational number that orders counts as the metric does; None where its constraint fails."""
        if self.constraint is not None and not self.constraint.holds(tp, fp, fn, tn):
            return None
        return self.formula(tp, fp, fn, tn)

    def __call__(self, tp: int, fp: int, fn: int, tn: int) -> float:
        """The value; minus infinity where the metric's constraint fails."""
        key = self.key(tp, fp, fn, tn)
        if key is None:
            return -math.inf
        return math.copysign(math.sqrt(abs(key)), key) if self.root else float(key)

    def __str__(self) -> str:
        return self.name


def ratio(above: int | Fraction, below: int | Fraction) -> Fraction:
    """Divide exactly; 0/0 is 0."""
    return Fraction(above) / below if below else Fraction(0)


def exact(number: Any, name: str) -> Fraction:
    """The number that was written: 0.9 is nine tenths, not the nearest binary fraction."""
    number = getattr(number, "item", lambda: number)()  # numpy's numbers
    if isinstance(number, bool) or not isinstance(number, int | float | Fraction) or not math.isfinite(number):
        raise ValueError(f"{name}={number!r}: give a finite number")
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def _balanced_accuracy(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    # A class without rows says nothing, as in scikit-learn.
    classes = (tp + fn > 0) + (tn + fp > 0)
    return ratio(ratio(tp, tp + fn) + ratio(tn, tn + fp), classes)


def _matthews(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    above = tp * tn - fp * fn
    return ratio(above * abs(above), (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def _harmonic(a: Fraction, b: Fraction) -> Fraction:
    return ratio(2 * a * b, a + b)


def _recall(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    return ratio(tp, tp + fn)


def _specificity(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    return ratio(tn, tn + fp)


def _precision(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    return ratio(tp, tp + fp)


def _f1(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    return ratio(2 * tp, 2 * tp + fp + fn)


def _kappa(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    return ratio(2 * (tp * tn - fn * fp), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


def _p4(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    return ratio(4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn))


def _named(*metrics: Metric) -> dict[str, Metric]:
    return {metric.name: metric for metric in metrics}


REGISTRY: dict[str, Metric] = _named(
    Metric("accuracy", LINEAR, "(tp + tn) / n", lambda tp, fp, fn, tn: ratio(tp + tn, tp + fp + fn + tn)),
    Metric("balanced_accuracy", LINEAR, "(tp / (tp + fn) + tn / (tn + fp)) / 2", _balanced_accuracy),
    Metric("recall", LINEAR, "tp / (tp + fn)", _recall),
    Metric("specificity", LINEAR, "tn / (tn + fp)", _specificity),
    Metric("youden", LINEAR, "recall + specificity - 1", lambda *c: _recall(*c) + _specificity(*c) - 1),
    Metric("f1", FRACTIONAL, "2 tp / (2 tp + fp + fn)", _f1),
    Metric("jaccard", FRACTIONAL, "tp / (tp + fp + fn)", lambda tp, fp, fn, tn: ratio(tp, tp + fp + fn)),
    Metric("precision", FRACTIONAL, "tp / (tp + fp)", _precision),
    Metric("cohen_kappa", FRACTIONAL, "2 (tp tn - fn fp) / ((tp + fp)(fp + tn) + (tp + fn)(fn + tn))", _kappa),
    Metric(
        "matthews_corrcoef",
        QUASI_CONVEX,
        "(tp tn - fp fn) / sqrt((tp + fp)(tp + fn)(tn + fp)(tn + fn))",
        _matthews,
        root=True,
    ),
    Metric(
        "fowlkes_mallows",
        QUASI_CONVEX,
        "tp / sqrt((tp + fp)(tp + fn))",
        lambda tp, fp, fn, tn: ratio(tp * tp, (tp + fp) * (tp + fn)),
        root=True,
    ),
    Metric(
        "markedness",
        QUASI_CONVEX,
        "tp / (tp + fp) + tn / (tn + fn) - 1",
        lambda tp, fp, fn, tn: ratio(tp, tp + fp) + ratio(tn, tn + fn) - 1,
    ),
    Metric("gmean", MONOTONE, "sqrt(recall specificity)", lambda *c: _recall(*c) * _specificity(*c), root=True),
    Metric(
        "hmean", MONOTONE, "2 / (1 / recall + 1 / specificity)", lambda *c: _harmonic(_recall(*c), _specificity(*c))
    ),
    Metric("min_recall", MONOTONE, "min(recall, specificity)", lambda *c: min(_recall(*c), _specificity(*c))),
    Metric("p4", MONOTONE, "4 tp tn / (4 tp tn + (tp + tn)(fp + fn))", _p4),
    Metric(
        "macro_f1",
        MONOTONE,
        "mean of f1 and 2 tn / (2 tn + fn + fp)",
        lambda tp, fp, fn, tn: (_f1(tp, fp, fn, tn) + _f1(tn, fn, fp, tp)) / 2,
    ),
)
ALIASES = {"mcc": "matthews_corrcoef", "kappa": "cohen_kappa"}


def fbeta(beta: float) -> Metric:
    """F-beta: recall counts beta times as much as precision."""
    square = exact(beta, "beta") ** 2
    if beta <= 0:
        raise ValueError(f"beta={beta!r}: give a positive number")
    return Metric(
        f"fbeta({beta:g})",
        FRACTIONAL,
        "(1 + b²) tp / ((1 + b²) tp + b² fn + fp)",
        lambda tp, fp, fn, tn: ratio((1 + square) * tp, (1 + square) * tp + square * fn + fp),
    )


def cost(fp: float = 1, fn: float = 5) -> Metric:
    """Minus the cost of the errors, so that larger is better."""
    a, b = exact(fp, "fp"), exact(fn, "fn")
    if a < 0 or b < 0:
        raise ValueError(f"cost(fp={fp!r}, fn={fn!r}): costs are not negative")
    return Metric(f"cost(fp={fp:g}, fn={fn:g})", LINEAR, "-(a fp + b fn)", lambda tp, fp, fn, tn: -(a * fp + b * fn))


def _constrained(name: str, text: str, formula: Formula, constraint: str, bound: float) -> Metric:
    return Metric(f"{name}({bound:g})", MONOTONE, text, formula, constraint=constraints({constraint: bound})[0])


def recall_at_precision(precision: float) -> Metric:
    """Recall where precision is at least this."""
    return _constrained("recall_at_precision", "recall, given precision >= p", _recall, "precision", precision)


def precision_at_recall(recall: float) -> Metric:
    """Precision where recall is at least this."""
    return _constrained("precision_at_recall", "precision, given recall >= r", _precision, "recall", recall)


def recall_at_fpr(fpr: float) -> Metric:
    """Recall where the false positive rate is at most this."""
    return _constrained("recall_at_fpr", "recall, given fp / (fp + tn) <= r", _recall, "fpr", fpr)


def fpr_at_recall(recall: float) -> Metric:
    """Minus the false positive rate where recall is at least this, so that larger is better."""
    return _constrained("fpr_at_recall", "-fp / (fp + tn), given recall >= r", lambda *c: -_fpr(*c), "recall", recall)


def _fpr(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    return ratio(fp, fp + tn)


SHRINKING: dict[str, Formula] = {
    "fp": lambda tp, fp, fn, tn: Fraction(fp),
    "fn": lambda tp, fp, fn, tn: Fraction(fn),
    "fpr": _fpr,
    "fnr": lambda tp, fp, fn, tn: ratio(fn, fn + tp),
}
"""What gets smaller as errors shrink, and is bounded from above."""


def get(metric: Any) -> Metric:
    """The metric of that name, or the metric itself."""
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, str):
        name = ALIASES.get(metric, metric)
        if name in REGISTRY:
            return REGISTRY[name]
        known = ", ".join([*REGISTRY, *ALIASES])
        raise ValueError(f"unknown metric {metric!r}; there are {known}, and the factories of paretree.metrics")
    raise TypeError(f"metric={metric!r}: give a name or a metric; wrap a function with paretree.metrics.from_callable")


def constraints(subject_to: Mapping[str, Any] | None) -> list[Constraint]:
    """Read `{"precision": 0.9, "fpr": ("<=", 0.01), "fp": ("<=", 20)}`."""
    found = []
    if subject_to is not None and not isinstance(subject_to, Mapping):
        raise TypeError(f"subject_to={subject_to!r}: give a mapping such as {{'precision': 0.9}}")
    for name, asked in (subject_to or {}).items():
        sign, bound = asked if isinstance(asked, tuple) and len(asked) == 2 else (None, asked)
        at_most = name in SHRINKING
        easier = "<=" if at_most else ">="
        if sign not in (None, easier):
            raise ValueError(
                f"{name} {sign} {bound}: a constraint gets easier as fp and fn shrink, that is {name} {easier}"
            )
        metric = None if at_most else get(name)
        if metric is not None and (metric.root or metric.constraint is not None):
            raise ValueError(f"{name} cannot be a constraint; take a metric without a root or a constraint of its own")
        quantity = SHRINKING[name] if metric is None else metric.formula
        found.append(Constraint(name, at_most, exact(bound, name), quantity))
    return found


def from_callable(
    function: Callable[[int, int, int, int], float], positives: int, negatives: int, step: float = 1
) -> Metric:
    """Wrap `f(tp, fp, fn, tn)`, after testing on a grid of counts that it never gets better with more errors."""
    name = getattr(function, "__name__", type(function).__name__)

    def value(tp: int, fp: int, fn: int, tn: int) -> Fraction:
        shown = f"tp={_plain(tp)}, fp={_plain(fp)}, fn={_plain(fn)}, tn={_plain(tn)}"
        whole = all(isinstance(count, int) for count in (tp, fp, fn, tn))
        counts = (tp, fp, fn, tn) if whole else tuple(float(count) for count in (tp, fp, fn, tn))
        try:
            found = float(function(*counts))
        except Exception as error:
            raise ValueError(f"metric {name} failed at {shown}: {type(error).__name__}: {error}") from error
        if not math.isfinite(found):
            raise ValueError(f"metric {name} is {found} at {shown}; return a finite number for all counts")
        return Fraction(found)

    metric = Metric(name, MONOTONE, "a function", value)
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
