"""What the tests make large: every metric, random monotone functions, random constraints; and brute force for them.

Values are worked out here from formulas of their own, in fractions; only names and constraints are the package's.
"""

import math
from fractions import Fraction

from paretree import metrics

MADE = [metrics.fbeta(2), metrics.fbeta(0.5), metrics.cost(1, 5), metrics.cost(2.5, 0), metrics.cost(0.1, 1.7)]
CONSTRAINED = [
    metrics.recall_at_precision(0.75),
    metrics.precision_at_recall(0.5),
    metrics.recall_at_fpr(0.25),
    metrics.fpr_at_recall(2 / 3),
]
METRICS = {metric.name: metric for metric in [*metrics.REGISTRY.values(), *MADE, *CONSTRAINED]}


def random_function(random):
    """A function of tp, fp, fn, tn that never gets better with more errors: one of a dozen kinds."""
    a, b = (float(weight) for weight in random.uniform(0.1, 3, 2))
    k = int(random.integers(1, 6))
    kinds = [
        lambda tp, fp, fn, tn: -a * fp - b * fn,
        lambda tp, fp, fn, tn: -((a * fp) ** 2) - (b * fn) ** 2,
        lambda tp, fp, fn, tn: -math.sqrt(a * fp) - math.sqrt(b * fn),
        lambda tp, fp, fn, tn: -max(a * fp, b * fn),
        lambda tp, fp, fn, tn: -min(fp, k) - min(fn, 2 * k),
        lambda tp, fp, fn, tn: -(fp // k) - (fn // k),
        lambda tp, fp, fn, tn: tp if fp <= k else -fp,
        lambda tp, fp, fn, tn: tn * tp,
        lambda tp, fp, fn, tn: (tp + 1) ** a * (tn + 1) ** b,
        lambda tp, fp, fn, tn: float(fp <= k and fn <= k),
        lambda tp, fp, fn, tn: min(tp, a * tn) + 0.01 * tp,
        lambda tp, fp, fn, tn: math.log(tp + 1) - a * math.log(fp + 1),
        lambda tp, fp, fn, tn: tp / (tp + fp + a) + tn / (tn + fn + b),
    ]
    return kinds[int(random.integers(len(kinds)))]


def random_constraints(random):
    """Some constraints, often so tight that little or nothing satisfies them."""
    one = {
        "fp": ("<=", int(random.integers(8))),
        "fn": int(random.integers(8)),
        "fpr": round(float(random.random()), 2),
        "fnr": ("<=", round(float(random.random()), 2)),
        "precision": round(float(random.random()), 2),
        "recall": (">=", round(float(random.random()), 2)),
        "f1": round(float(random.random()), 2),
        "specificity": round(float(random.random()), 2),
    }
    names = random.choice(list(one), size=int(random.integers(1, 4)), replace=False)
    return {str(name): one[str(name)] for name in names}


def satisfied(constraints, tp, fp, fn, tn):
    """Whether counts satisfy `subject_to`, by definition."""

    def part(above, below):
        return Fraction(above, below) if below else Fraction(0)

    values = {
        "fp": fp,
        "fn": fn,
        "fpr": part(fp, fp + tn),
        "fnr": part(fn, fn + tp),
        "precision": part(tp, tp + fp),
        "recall": part(tp, tp + fn),
        "specificity": part(tn, tn + fp),
        "f1": part(2 * tp, 2 * tp + fp + fn),
    }
    for name, asked in constraints.items():
        bound = Fraction(repr(asked[1] if isinstance(asked, tuple) else asked))
        if not (values[name] <= bound if name in ("fp", "fn", "fpr", "fnr") else values[name] >= bound):
            return False
    return True
