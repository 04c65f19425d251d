"""Windows, lines, ceilings and comparisons are what brute force over all counts says."""

import decimal
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from paretree import levels, metrics
from paretree.levels import Target, _root_exceeds
from targets import METRICS, random_constraints, random_function


def any_target(seed, metric=None):
    random = np.random.default_rng([seed, 71])
    positives, negatives = (int(number) for number in random.integers(0, 14, 2))
    metric = metric or list(METRICS.values())[int(random.integers(len(METRICS)))]
    subject_to = random_constraints(random) if random.random() < 0.4 else None
    price = Fraction(int(random.integers(1, 40)), 200) if random.random() < 0.3 else Fraction(0)
    constraints = tuple(metrics.constraints(subject_to))
    first = bool(random.random() < 0.5)
    return random, Target(metric, constraints, positives, negatives, 1, price, first)


def points(target):
    return itertools.product(range(target.negatives + 1), range(target.positives + 1))


def inside(target, window, fp, fn):
    x, y = target.turned(fp, fn)
    return x < len(window) and y < window[x]


@pytest.mark.cases(600)
def test_windows_hold_just_what_beats_a_point(seed):
    random, target = any_target(seed)
    known = list(points(target))
    best = known[int(random.integers(len(known)))]
    nodes, budget = (int(number) for number in random.integers(0, 5, 2))
    key = target.key(*best)
    window = target.window(key, nodes, budget)
    assert (np.diff(window.astype(int)) <= 0).all()
    for point in known:
        beats = target.exceeds(target.key(*point), budget, key, nodes)
        assert inside(target, window, *point) == beats, (target, best, point)


@pytest.mark.cases(100)
def test_coarse_windows_and_those_of_functions_hold_at_least_that(seed, monkeypatch):
    monkeypatch.setattr(levels, "STEPS", 4)
    monkeypatch.setattr(levels, "PLAIN_STEPS", 3)
    random = np.random.default_rng([seed, 72])
    target = any_target(seed)[1]
    if seed % 2:
        metric = metrics.read(random_function(random), target.positives, target.negatives)
        target = any_target(seed, metric)[1]
    known = list(points(target))
    for best in random.choice(len(known), 3):
        key = target.key(*known[best])
        window = target.window(key, 0, 0)
        assert (np.diff(window.astype(int)) <= 0).all()
        assert all(inside(target, window, *p) for p in known if target.exceeds(target.key(*p), 0, key, 0))


@pytest.mark.cases(200)
def test_windows_above_a_value_hold_what_is_above_it(seed):
    random, target = any_target(seed)
    values = {point: target.value(target.key(*point), 2) for point in points(target)}
    level = float(random.choice([value for value in values.values() if math.isfinite(value)] or [0.0]))
    window = target.window_above(level, 2)
    assert all(inside(target, window, *point) for point, value in values.items() if value > level + 1e-12)
    assert not any(inside(target, window, *point) for point, value in values.items() if value < level - 1e-4)


def test_functions_that_like_errors_between_the_lines_of_the_grid_are_named():
    def bumpy(tp, fp, fn, tn):
        return -fp - fn + (500.0 if fp == 77 else 0.0)

    target = Target(metrics.Metric("bumpy", metrics.MONOTONE, "", bumpy, plain=True), (), 100, 100)
    with pytest.raises(ValueError, match="metric bumpy gets better with more errors"):
        target.window_above(-50.0, 0)


@pytest.mark.cases(300)
def test_lines_hold_just_what_beats_a_point(seed):
    random, target = any_target(seed)
    if target.metric.parts is None:
        return
    known = list(points(target))
    # Lines are drawn from points that are at least as good as predicting one class.
    floor = max(target.metric.key(*target.counts(*one)) for one in ((target.negatives, 0), (0, target.positives)))
    good = [point for point in known if target.metric.key(*target.counts(*point)) >= floor]
    best = good[int(random.integers(len(good)))]
    (a, b), value = target.line(*best)
    assert a >= 0
    assert b >= 0
    key = target.metric.key(*target.counts(*best))
    for fp, fn in known:
        assert (a * fp + b * fn < value) == (target.metric.key(*target.counts(fp, fn)) > key)


@pytest.mark.cases(200)
def test_tangents_touch_the_level_of_a_point(seed):
    """A metric falls along both weights, and one step across the line changes it more than one along it."""
    random, target = any_target(seed)
    if target.demands or target.metric.name == "min_recall" or min(target.positives, target.negatives) < 6:
        return
    fp, fn = (int(random.integers(2, most - 2)) for most in (target.negatives, target.positives))
    tangent = target.tangent(fp, fn)
    if tangent is None:
        return
    (a, b), value = tangent
    assert min(a, b) > 0
    assert value == a * fp + b * fn
    step = 0.05 / max(a, b)
    near = np.array([[fp + b * step, fn - a * step], [fp + a * step, fn + b * step], [fp, fn]]).T
    along, across, here = target.metric.formula(*target.counts(*near))
    assert abs(along - here) <= 0.35 * abs(across - here) + 1e-12


@pytest.mark.cases(300)
def test_ceilings_are_above_all_that_half_planes_allow(seed):
    random, target = any_target(seed)
    known = list(points(target))
    planes = []
    for _ in range(int(random.integers(4))):
        weights = tuple(int(weight) for weight in random.integers(0, 9, 2))
        planes.append((weights, int(random.integers(0, 60)) if any(weights) else 0))
    allowed = [p for p in known if all(a * p[0] + b * p[1] >= low for (a, b), low in planes)]
    best = known[int(random.integers(len(known)))]
    ceiling = target.ceiling(target.key(*best), planes)
    values = [target.metric.value(target.key(*point)) for point in [*allowed, best]]
    assert ceiling >= max(values)
    assert ceiling <= max(values) + 1e-5 or not math.isfinite(ceiling)
    window = target.window(target.key(*best), 0, 0)
    assert target.is_closed(window, planes) == (not any(inside(target, window, *point) for point in allowed))


def test_large_half_planes_do_not_overflow():
    target = Target(metrics.get("f1"), (), 10, 10)
    planes = [((1 << 61, 1 << 60), (1 << 61) * 3)]
    allowed = [(x, y) for x, y in itertools.product(range(11), range(11)) if 2 * x + y >= 6]
    best = max(metrics.get("f1")(10 - y, x, y, 10 - x) for x, y in allowed)
    assert target.ceiling(None, planes) == pytest.approx(best)


@pytest.mark.cases(300)
def test_differences_of_roots_are_compared_without_rounding(seed):
    random = np.random.default_rng([seed, 73])
    decimal.getcontext().prec = 60

    def root(key):
        return (decimal.Decimal(abs(key.numerator)) / key.denominator).sqrt().copy_sign(1 if key >= 0 else -1)

    for _ in range(20):
        one, other = (Fraction(int(random.integers(-9, 10)), int(random.integers(1, 6))) for _ in range(2))
        price = Fraction(int(random.integers(-6, 7)), int(random.integers(1, 5)))
        if random.random() < 0.3:
            # Squares, so that differences are exactly the price.
            first, second = (Fraction(int(random.integers(-5, 6)), 2) for _ in range(2))
            one, other, price = first * abs(first), second * abs(second), first - second
            assert not _root_exceeds(one, other, price)
            assert _root_exceeds(one, other, price - Fraction(1, 10**12))
            continue
        difference = root(one) - root(other) - decimal.Decimal(price.numerator) / price.denominator
        assert _root_exceeds(one, other, price) == (difference > decimal.Decimal("1e-40")), (one, other, price)
