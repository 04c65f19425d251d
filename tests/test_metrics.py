"""Metrics have scikit-learn's values where it has them, never get better with more errors, and are compared exactly."""

import itertools
import math
from fractions import Fraction

import naive
import numpy as np
import pytest
import sklearn.metrics as sk
from paretree import Infeasible, metrics, pareto_front
from targets import METRICS

KNOWN = {
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "f1": lambda y, p: sk.f1_score(y, p, zero_division=0),
    "jaccard": lambda y, p: sk.jaccard_score(y, p, zero_division=0),
    "matthews_corrcoef": sk.matthews_corrcoef,
    "cohen_kappa": sk.cohen_kappa_score,
    "precision": lambda y, p: sk.precision_score(y, p, zero_division=0),
    "recall": lambda y, p: sk.recall_score(y, p, zero_division=0),
    "macro_f1": lambda y, p: sk.f1_score(y, p, average="macro", zero_division=0, labels=[0, 1]),
    "fbeta(2)": lambda y, p: sk.fbeta_score(y, p, beta=2, zero_division=0),
    "fbeta(0.5)": lambda y, p: sk.fbeta_score(y, p, beta=0.5, zero_division=0),
}


def counts_of(positives, negatives):
    for fp, fn in itertools.product(range(negatives + 1), range(positives + 1)):
        yield positives - fn, fp, fn, negatives - fp


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize(("positives", "negatives"), [(3, 5), (6, 2), (1, 1), (4, 4)])
def test_values_are_those_of_scikit_learn(name, positives, negatives):
    for tp, fp, fn, tn in counts_of(positives, negatives):
        y = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn])
        predicted = np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])
        assert METRICS[name](tp, fp, fn, tn) == pytest.approx(KNOWN[name](y, predicted), abs=1e-12)


@pytest.mark.parametrize("metric", METRICS.values(), ids=str)
@pytest.mark.parametrize(("positives", "negatives"), [(5, 7), (7, 3), (0, 4), (4, 0)])
def test_no_metric_gets_better_with_more_errors(metric, positives, negatives):
    def better(key, than):
        return key is not None and (than is None or key > than)

    for tp, fp, fn, tn in counts_of(positives, negatives):
        key = metric.key(tp, fp, fn, tn)
        if tn > 0:
            assert not better(metric.key(tp, fp + 1, fn, tn - 1), key)
        if tp > 0:
            assert not better(metric.key(tp - 1, fp, fn + 1, tn), key)


@pytest.mark.parametrize("metric", METRICS.values(), ids=str)
def test_keys_order_as_values_do(metric):
    values = [(metric.key(*counts), metric(*counts)) for counts in counts_of(6, 5)]
    for (key, value), (other, less) in itertools.combinations([one for one in values if one[0] is not None], 2):
        assert (key > other) <= (value >= less)
        assert (key == other) <= math.isclose(value, less, abs_tol=1e-15)


def test_aliases_and_unknown_names():
    assert metrics.get("mcc") is metrics.get("matthews_corrcoef")
    with pytest.raises(ValueError, match="unknown metric 'auc'; there are accuracy"):
        metrics.get("auc")
    with pytest.raises(TypeError, match="metric=3"):
        metrics.get(3)


def test_decimal_bounds_are_what_was_written():
    (constraint,) = metrics.constraints({"precision": 0.9})
    assert constraint.bound == Fraction(9, 10)
    assert constraint.holds(9, 1, 0, 0)
    assert not constraint.holds(899, 100, 0, 0)


@pytest.mark.parametrize(
    "bad", [{"fp": (">=", 3)}, {"precision": ("<=", 0.5)}, {"nothing": 1}, {"recall": "a"}, {"mcc": 0.5}]
)
def test_constraints_that_make_no_sense_are_refused(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        metrics.constraints(bad)


def random_front(seed, random_case, **limits):
    case = random_case([seed, 77], rows=50, columns=6)
    return case, case.front(max_depth=2, **limits)


@pytest.mark.cases(40)
def test_best_is_the_best_of_all_trees(seed, random_case):
    case, front = random_front(seed, random_case)
    positives, negatives = front.positives, front.negatives
    every = [(positives - fn, fp, fn, negatives - fp) for fp, fn in case.expected(2)]
    for metric in METRICS.values():
        keys = [key for key in (metric.key(*counts) for counts in every) if key is not None]
        if not keys:
            with pytest.raises(Infeasible, match=metric.constraint.name):
                front.best(metric)
            continue
        point = front.best(metric)
        assert metric.key(positives - point.fn, point.fp, point.fn, negatives - point.fp) == max(keys)
        assert naive.errors(point.tree.predict(case.X) == 1, case.y, case.weight) == (point.fp, point.fn)


@pytest.mark.cases(20)
def test_constraints_keep_the_best_that_satisfies_them(seed, random_case):
    _, front = random_front(seed, random_case)
    cases = [{"fp": ("<=", 3)}, {"fn": 2, "fpr": 0.6}, {"precision": 0.7, "recall": 0.2}]
    for subject_to in cases:
        constraints = metrics.constraints(subject_to)
        counts = [(front.positives - p.fn, p.fp, p.fn, front.negatives - p.fp) for p in front]
        allowed = [at for at, four in enumerate(counts) if all(one.holds(*four) for one in constraints)]
        if not allowed:
            with pytest.raises(Infeasible, match="at best"):
                front.best("f1", subject_to)
            continue
        expected = max(allowed, key=lambda at: (metrics.REGISTRY["f1"].key(*counts[at]), -at))
        assert front.best("f1", subject_to) == front[expected]


X = np.array([[0, 1], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]])
Y = [0, 1, 1, 0, 0, 1]


def test_values_of_a_function_and_of_a_name_agree():
    front = pareto_front(X, Y, max_depth=2)

    def own(tp, fp, fn, tn):
        return 2 * tp / (2 * tp + fp + fn) if tp else 0.0

    assert front.value(own).tolist() == front.value("f1").tolist()
    assert front.best(own) == front.best("f1")


def test_functions_that_like_errors_are_refused_with_two_matrices():
    front = pareto_front(X, Y, max_depth=1)
    with pytest.raises(ValueError, match=r"gets better with more errors: .*'fp': \d+.*'fp': \d+"):
        front.best(lambda tp, fp, fn, tn: fp)
    with pytest.raises(ValueError, match="gets better"):
        front.best(lambda tp, fp, fn, tn: -abs(fn - 1))


def test_functions_that_fail_show_the_counts():
    front = pareto_front(X, Y, max_depth=1)
    with pytest.raises(ValueError, match=r"failed at tp=\d+, fp=0, .*ZeroDivisionError"):
        front.best(lambda tp, fp, fn, tn: 1 / fp)
    with pytest.raises(ValueError, match=r"is nan at tp="):
        front.best(lambda tp, fp, fn, tn: math.nan)


def test_numbers_are_fractions_or_refused():
    assert metrics.cost(Fraction(1, 3), 1)(0, 3, 0, 0) == -1
    assert metrics.fbeta(Fraction(1, 2)).name == "fbeta(0.5)"
    assert metrics.recall_at_precision(Fraction(1, 2))(1, 1, 0, 0) == 1
    for factory in (lambda: metrics.fbeta(1e160), lambda: metrics.cost(10**400, 1), lambda: metrics.cost(1e-300, 1)):
        with pytest.raises(ValueError, match="whose size is between"):
            factory()
    for bad in ("0.9", None, np.array([0.1, 0.2])):
        with pytest.raises(ValueError, match="give a finite number"):
            metrics.recall_at_precision(bad)


def test_a_printed_sum_of_weights_is_within_its_own_bound():
    total = 1234567.1234567165  # exactly a binary fraction of more digits
    (constraint,) = metrics.constraints({"fp": total})
    assert constraint.holds(0, Fraction(total), 0, 0)


@pytest.mark.parametrize(
    "factory", [lambda: metrics.fbeta(0), lambda: metrics.cost(-1, 2), lambda: metrics.fbeta(math.nan)]
)
def test_factories_refuse_what_is_no_metric(factory):
    with pytest.raises(ValueError, match=r"fbeta|beta|cost"):
        factory()


def test_functions_get_plain_numbers_whatever_the_weights():
    front = pareto_front(X, Y, max_depth=2, sample_weight=[0.3, 1.7, 1, 2.25, 0.5, 1])
    seen = set()

    def own(tp, fp, fn, tn):
        seen.update(map(type, (tp, fp, fn, tn)))
        return float(np.sqrt(tp * tn))

    assert front.best(own) in list(front)
    assert seen == {float}


def test_constraints_come_as_a_mapping():
    with pytest.raises(TypeError, match="subject_to='precision'"):
        pareto_front(X, Y, max_depth=1).best("f1", "precision")
