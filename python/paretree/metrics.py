"""The metrics with names, their factories, and constraints.

A metric is a function of (tp, fp, fn, tn), larger is better, that never gets better when fp or fn grows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from paretree.functions import from_callable
from paretree.metric import (
    FRACTIONAL,
    LINEAR,
    MONOTONE,
    QUASI_CONVEX,
    Coefficients,
    Constraint,
    Formula,
    Metric,
    Parts,
    exact,
    least,
    ratio,
)


def _matthews(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    above = tp * tn - fp * fn
    return ratio(above * abs(above), (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def _harmonic(a: Any, b: Any) -> Any:
    return ratio(2 * a * b, a + b)


def _recall(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return ratio(tp, tp + fn)


def _specificity(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return ratio(tn, tn + fp)


def _precision(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return ratio(tp, tp + fp)


def _f1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return ratio(2 * tp, 2 * tp + fp + fn)


def _p4(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return ratio(4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn))


def _balanced(p: Any, n: Any) -> tuple[Coefficients, Coefficients]:
    # A class without rows says nothing, as in scikit-learn.
    if not p or not n:
        return (p + n, -1, -1), (p + n, 0, 0)
    return (2 * p * n, -p, -n), (2 * p * n, 0, 0)


def _youden(p: Any, n: Any) -> tuple[Coefficients, Coefficients]:
    if not p or not n:
        return (0, -1, -1), (p + n, 0, 0)
    return (p * n, -p, -n), (p * n, 0, 0)


def _fraction(name: str, kind: str, text: str, parts: Parts) -> Metric:
    """A metric that is a linear function of the errors over another one."""

    def formula(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        # The classes weigh the same everywhere; an array of them has one value.
        p, n = (side.flat[0] if isinstance(side, np.ndarray) else side for side in (tp + fn, fp + tn))
        (a, b, c), (d, e, f) = parts(p, n)
        return ratio(a + b * fp + c * fn, d + e * fp + f * fn)

    return Metric(name, kind, text, formula, parts=parts)


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
    raise TypeError(f"metric={metric!r}: give a name, a metric, or a function of tp, fp, fn, tn")


def _named(*metrics: Metric) -> dict[str, Metric]:
    return {metric.name: replace(metric, maker=(get, (metric.name,))) for metric in metrics}


REGISTRY: dict[str, Metric] = _named(
    _fraction("accuracy", LINEAR, "(tp + tn) / n", lambda p, n: ((p + n, -1, -1), (p + n, 0, 0))),
    _fraction("balanced_accuracy", LINEAR, "(tp / (tp + fn) + tn / (tn + fp)) / 2", _balanced),
    _fraction("recall", LINEAR, "tp / (tp + fn)", lambda p, n: ((p, 0, -1), (p, 0, 0))),
    _fraction("specificity", LINEAR, "tn / (tn + fp)", lambda p, n: ((n, -1, 0), (n, 0, 0))),
    _fraction("youden", LINEAR, "recall + specificity - 1", _youden),
    _fraction("f1", FRACTIONAL, "2 tp / (2 tp + fp + fn)", lambda p, n: ((2 * p, 0, -2), (2 * p, 1, -1))),
    _fraction("jaccard", FRACTIONAL, "tp / (tp + fp + fn)", lambda p, n: ((p, 0, -1), (p, 1, 0))),
    _fraction("precision", FRACTIONAL, "tp / (tp + fp)", lambda p, n: ((p, 0, -1), (p, 1, -1))),
    _fraction(
        "cohen_kappa",
        FRACTIONAL,
        "2 (tp tn - fn fp) / ((tp + fp)(fp + tn) + (tp + fn)(fn + tn))",
        lambda p, n: ((2 * p * n, -2 * p, -2 * n), (2 * p * n, n - p, p - n)),
    ),
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
    Metric("min_recall", MONOTONE, "min(recall, specificity)", lambda *c: least(_recall(*c), _specificity(*c))),
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
    more = 1 + square
    metric = _fraction(
        f"fbeta({float(beta):g})",
        FRACTIONAL,
        "(1 + b²) tp / ((1 + b²) tp + b² fn + fp)",
        lambda p, n: ((more * p, 0, -more), (more * p, 1, -1)),
    )
    return replace(metric, maker=(fbeta, (beta,)))


def cost(fp: float = 1, fn: float = 5) -> Metric:
    """Minus the cost of the errors, so that larger is better."""
    a, b = exact(fp, "fp"), exact(fn, "fn")
    if a < 0 or b < 0:
        raise ValueError(f"cost(fp={fp!r}, fn={fn!r}): costs are not negative")
    name = f"cost(fp={float(fp):g}, fn={float(fn):g})"
    metric = _fraction(name, LINEAR, "-(a fp + b fn)", lambda p, n: ((0, -a, -b), (1, 0, 0)))
    return replace(metric, maker=(cost, (fp, fn)))


def _constrained(
    maker: Callable[[float], Metric], text: str, formula: Formula, constraint: str, bound: float
) -> Metric:
    limits = constraints({constraint: bound})
    name = f"{maker.__name__}({float(bound):g})"
    return Metric(name, MONOTONE, text, formula, constraint=limits[0], maker=(maker, (bound,)))


def recall_at_precision(precision: float) -> Metric:
    """Recall where precision is at least this."""
    return _constrained(recall_at_precision, "recall, given precision >= p", _recall, "precision", precision)


def precision_at_recall(recall: float) -> Metric:
    """Precision where recall is at least this."""
    return _constrained(precision_at_recall, "precision, given recall >= r", _precision, "recall", recall)


def recall_at_fpr(fpr: float) -> Metric:
    """Recall where the false positive rate is at most this."""
    return _constrained(recall_at_fpr, "recall, given fp / (fp + tn) <= r", _recall, "fpr", fpr)


def fpr_at_recall(recall: float) -> Metric:
    """Minus the false positive rate where recall is at least this, so that larger is better."""
    return _constrained(fpr_at_recall, "-fp / (fp + tn), given recall >= r", lambda *c: -_fpr(*c), "recall", recall)


def _fpr(tp: int, fp: int, fn: int, tn: int) -> Fraction:
    return ratio(fp, fp + tn)


SHRINKING: dict[str, Formula] = {
    "fp": lambda tp, fp, fn, tn: fp,
    "fn": lambda tp, fp, fn, tn: fn,
    "fpr": _fpr,
    "fnr": lambda tp, fp, fn, tn: ratio(fn, fn + tp),
}
"""What gets smaller as errors shrink, and is bounded from above."""


def read(metric: Any, positives: int, negatives: int, step: float = 1) -> Metric:
    """The metric of that name, the metric itself, or a function as a metric of counts in units of a weight step."""
    if isinstance(metric, str | Metric) or not callable(metric):
        return get(metric)
    return from_callable(metric, positives, negatives, step)


def counts(actual: np.ndarray, predicted: np.ndarray, sample_weight: Any = None) -> list[float]:
    """Weights of the rows that are tp, fp, fn and tn; actual and predicted are booleans."""
    weights = np.ones(len(actual), dtype=np.int64) if sample_weight is None else np.asarray(sample_weight)
    cells = [(actual, predicted), (~actual, predicted), (actual, ~predicted), (~actual, ~predicted)]
    return [weights[one & other].sum().item() for one, other in cells]


def score_counts(metric: Any, counts: list[float]) -> float:
    """The value of a metric at tp, fp, fn, tn; its constraint does not count."""
    if callable(metric) and not isinstance(metric, Metric):
        return float(metric(*counts))
    chosen = get(metric)
    return chosen.value(chosen.formula(*(exact(count, "count") for count in counts)))


def constraints(subject_to: Mapping[str, Any] | None) -> list[Constraint]:
    """Read `{"precision": 0.9, "fpr": ("<=", 0.01), "fp": ("<=", 20)}`."""
    if subject_to is not None and not isinstance(subject_to, Mapping):
        raise TypeError(f"subject_to={subject_to!r}: give a mapping such as {{'precision': 0.9}}")
    found = []
    for name, asked in (subject_to or {}).items():
        sign, bound = asked if isinstance(asked, tuple) and len(asked) == 2 else (None, asked)
        easier = "<=" if name in SHRINKING else ">="
        if sign not in (None, easier):
            raise ValueError(
                f"{name} {sign} {bound}: a constraint gets easier as fp and fn shrink, that is {name} {easier}"
            )
        found.append(constraint(name, bound))
    return found


def constraint(name: str, bound: Any) -> Constraint:
    """The constraint on a metric or a count."""
    metric = None if name in SHRINKING else get(name)
    if metric is not None and (metric.root or metric.constraint is not None):
        raise ValueError(f"{name} cannot be a constraint; take a metric without a root or a constraint of its own")
    quantity = SHRINKING[name] if metric is None else metric.formula
    limit = exact(bound, name)
    if name in ("fp", "fn") and isinstance(bound, float):
        # Sums of weights are binary fractions: one that is printed with few digits is still within its own bound.
        limit = max(limit, Fraction(bound))
    return Constraint(name, metric is None, limit, quantity)
