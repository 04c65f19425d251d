"""`best_tree` finds what brute force finds, for every metric, constraint and price, and proves no more than is true."""

import math
import pickle
import warnings

import numpy as np
import pytest
from asking import any_question, ask, check, counts
from paretree import Infeasible, best_tree, metrics, pareto_front, strategy
from targets import METRICS, random_constraints, random_function, satisfied


@pytest.mark.cases(120)
def test_every_metric_is_the_best_of_all_trees(seed, random_case):
    _, case, (depth, nodes, least), limits = any_question(seed, random_case)
    every = [counts(case, point) for point in case.expected(depth, nodes, least)]
    for metric in METRICS.values():
        keys = [key for key in (metric.key(*four) for four in every) if key is not None]
        if not keys:
            with pytest.raises(Infeasible, match=metric.constraint.name):
                ask(case, metric, **limits)
            continue
        best = ask(case, metric, **limits)
        assert metric.key(*counts(case, (best.fp, best.fn))) == max(keys), metric
        assert best.is_optimal
        assert best.value == best.bound == metric(*counts(case, (best.fp, best.fn)))
        check(best, case, depth, nodes, least)


@pytest.mark.cases(300)
def test_functions_are_the_best_of_all_trees(seed, random_case):
    random, case, (depth, nodes, least), limits = any_question(seed, random_case)
    function = random_function(random)
    every = [counts(case, point) for point in case.expected(depth, nodes, least)]
    best = ask(case, function, **limits)
    assert best.value == max(float(function(*four)) for four in every)
    assert best.is_optimal
    check(best, case, depth, nodes, least)


@pytest.mark.cases(300)
def test_constraints_keep_the_best_that_satisfies_them(seed, random_case):
    random, case, (depth, nodes, least), limits = any_question(seed, random_case)
    subject_to = random_constraints(random)
    metric = list(METRICS.values())[int(random.integers(len(METRICS)))]
    every = [counts(case, point) for point in case.expected(depth, nodes, least)]
    keys = [metric.key(*four) for four in every if satisfied(subject_to, *four)]
    keys = [key for key in keys if key is not None]
    if not keys:
        with pytest.raises(Infeasible, match="no tree within the limits has"):
            ask(case, metric, subject_to=subject_to, **limits)
        return
    best = ask(case, metric, subject_to=subject_to, **limits)
    assert satisfied(subject_to, *counts(case, (best.fp, best.fn)))
    assert metric.key(*counts(case, (best.fp, best.fn))) == max(keys)
    assert best.is_optimal
    check(best, case, depth, nodes, least)


@pytest.mark.cases(200)
def test_a_price_for_nodes_buys_the_best_trade(seed, random_case):
    random, case, (depth, nodes, least), limits = any_question(seed, random_case, 3)
    metric = METRICS[["f1", "accuracy", "matthews_corrcoef", "gmean", "p4", "cost(fp=1, fn=5)"][seed % 6]]
    price = float(random.choice([0.001, 0.01, 0.03, 0.1, 0.5, 1.0, 7.0]))
    every = [point for point in case.points(depth, least).tolist() if nodes is None or point[2] <= nodes]
    expected = max(metric(*counts(case, point)) - price * point[2] for point in every)
    best = ask(case, metric, complexity=price, **limits)
    assert best.value == pytest.approx(expected, abs=1e-12)
    assert best.value == pytest.approx(metric(*counts(case, (best.fp, best.fn))) - price * best.tree.n_nodes, abs=1e-12)
    assert best.is_optimal
    check(best, case, depth, nodes, least)


SYMMETRIC = ["accuracy", "balanced_accuracy", "mcc", "kappa", "gmean", "hmean", "min_recall", "p4", "macro_f1"]


@pytest.mark.cases(40)
def test_swapped_labels_give_the_mirrored_answer(seed, random_case):
    case = random_case([seed, 92], rows=50, columns=6)
    for name in [*SYMMETRIC, "markedness", "youden"]:
        best = best_tree(case.X, case.y, name, sample_weight=case.weight, pos_label=1, max_depth=3)
        other = best_tree(case.X, 1 - case.y, name, sample_weight=case.weight, pos_label=1, max_depth=3)
        assert best.value == other.value
    one = best_tree(case.X, case.y, metrics.cost(1, 3), sample_weight=case.weight, pos_label=1, max_depth=3)
    other = best_tree(case.X, case.y, metrics.cost(3, 1), sample_weight=case.weight, pos_label=0, max_depth=3)
    assert one.value == other.value


class Skipping:
    """A solver that finds nothing in its questions about all splits of the greatest depth: no question is the proof."""

    def __init__(self, solver, depth):
        self._solver, self._depth = solver, depth

    def __getattr__(self, name):
        return getattr(self._solver, name)

    def _ask(self, name, depth, *rest, splits=None, **more):
        answer = getattr(self._solver, name)(depth, *rest, splits=splits, **more)
        if depth == self._depth and splits is None:
            for layer in answer["layers"]:
                layer.update(fp=layer["fp"][:0], fn=layer["fn"][:0])
        return answer

    def least(self, *rest, **more):
        return self._ask("least", *rest, **more)

    def useful(self, *rest, **more):
        return self._ask("useful", *rest, **more)


STRATEGIES = {
    "linear": {"metric": "accuracy"},
    "linear-fractional": {"metric": "f1"},
    "quasi-convex": {"metric": "mcc"},
    "monotone": {"metric": "gmean"},
    "function": {"metric": lambda tp, fp, fn, tn: -max(fp, fn)},
    "constraint": {"metric": "recall", "subject_to": {"fp": ("<=", 12)}},
    "price": {"metric": "f1", "complexity": 0.004},
}


@pytest.mark.parametrize("depth", [3, 4])
@pytest.mark.parametrize("name", STRATEGIES)
def test_no_proof_holds_without_its_last_question(name, depth, random_case, monkeypatch):
    """There are data on which the points known before the last question are not the best."""
    wrong = 0
    for seed in range(60):
        random = np.random.default_rng([seed, 93])
        case = random_case(0).but(X=random.integers(0, 2, (80, 12)), y=random.integers(0, 2, 80), weight=None)
        proven = ask(case, **STRATEGIES[name], max_depth=depth)
        with monkeypatch.context() as patch:
            hunt = strategy.Hunt.__post_init__

            def skip(self, hunt=hunt):
                hunt(self)
                self.solver = Skipping(self.solver, depth)

            patch.setattr(strategy.Hunt, "__post_init__", skip)
            skipped = ask(case, **STRATEGIES[name], max_depth=depth)
        assert skipped.value <= proven.value
        wrong += skipped.value < proven.value
    assert wrong > 0


@pytest.mark.cases(60)
def test_no_tree_dominates_the_best(seed, random_case):
    case = random_case([seed, 95], rows=60, columns=6)
    for name in ("recall", "specificity", "min_recall", "accuracy", "precision"):
        for more in ({}, {"time_limit": 60}):
            best = ask(case, name, max_depth=3, **more)
            for fp, fn in case.expected(3):
                assert not (fp <= best.fp and fn <= best.fn and (fp, fn) != (best.fp, best.fn)), name


def test_weights_beyond_the_core_are_searched_in_windows():
    random = np.random.default_rng(63)
    for seed in range(8):
        X = random.integers(0, 2, (900, 8))
        y = ((X[:, 0] | X[:, 1] & X[:, 2]) ^ (random.random(900) < 0.15)).astype(int)
        metric = metrics.fbeta(0.98765431 + seed / 10**8)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            best = best_tree(X, y, metric, max_depth=3)
        front = pareto_front(X, y, max_depth=3)
        assert best.value == front.value(metric).max()
    assert best_tree(X, y, metrics.cost(2**60, 2**60 - 1), max_depth=3).is_optimal


def test_nothing_feasible_says_how_far_it_is(random_case):
    random = np.random.default_rng(5)
    X, y = random.integers(0, 2, (60, 4)), random.integers(0, 2, 60)
    best = best_tree(X, y, "recall", subject_to={"precision": 0.7}, max_depth=2)
    with pytest.raises(Infeasible) as told:
        best_tree(X, y, "f1", subject_to={"recall": 0.99, "precision": 0.7}, max_depth=2)
    said = f"no tree within the limits has recall >= 0.99 and precision >= 0.7: recall is {best.value:.6g} at best"
    assert str(told.value) == f"{said} beside precision >= 0.7"
    with pytest.raises(Infeasible, match=r"fp <= 0 and fn <= 0: fp is \d+ at best beside fn <= 0"):
        best_tree(X, y, "f1", subject_to={"fp": 0, "fn": 0}, max_depth=2)


def test_stats_say_how_many_questions_the_proof_took():
    random = np.random.default_rng(6)
    X, y = random.integers(0, 2, (100, 40)), random.integers(0, 2, 100)
    stats = best_tree(X, y, "f1", max_depth=4).stats
    assert stats["weighted_solves"] >= stats["weighted_solves_at_full_depth"] >= 1
    assert stats["probes"] >= 1
    assert stats["pairs"] > 0
    assert best_tree(X, y, "mcc", max_depth=4).stats["window_searches_at_full_depth"] == 1


def test_it_prints_and_pickles():
    X, y = np.array([[0, 1], [1, 1], [1, 0], [1, 0]]), np.array(["n", "n", "y", "n"])
    best = best_tree(X, y, "f1", max_depth=1)
    assert repr(best) == "BestTree(f1=0.666667, proven optimal, fp=1, fn=0, Tree(depth=1, n_nodes=1))"
    assert best.tree.predict(X).tolist() == ["n", "n", "y", "y"]
    assert (best.positives, best.negatives, best.stopped) == (1, 3, None)
    assert pickle.loads(pickle.dumps(best.tree)) == best.tree


def test_real_weights_and_counts_of_the_user():
    X, y = np.array([[0], [1], [1], [0]]), np.array([0, 1, 0, 1])
    weight = [0.5, 2.25, 0.25, 1.5]
    best = best_tree(X, y, metrics.cost(1, 1), sample_weight=weight, max_depth=1)
    assert (
        best.value
        == -(best.fp + best.fn)
        == pareto_front(X, y, sample_weight=weight, max_depth=1).value(metrics.cost(1, 1)).max()
    )
    limited = best_tree(X, y, "recall", sample_weight=weight, max_depth=1, subject_to={"fp": 0.3})
    assert (limited.fp, limited.value) == (0.25, 0.6)


@pytest.mark.parametrize(
    ("more", "error", "told"),
    [
        ({"complexity": -1}, ValueError, "complexity=-1: give a price"),
        ({"complexity": math.nan}, ValueError, "complexity=nan"),
        ({"complexity": 1e-9, "max_depth": 9}, ValueError, "set max_nodes to 255 at most"),
        ({"metric": "auc"}, ValueError, "unknown metric 'auc'"),
        ({"metric": None}, TypeError, "metric=None: give a name"),
        ({"metric": lambda tp, fp, fn, tn: fp}, ValueError, "gets better with more errors"),
        ({"subject_to": {"precision": ("<=", 0.5)}}, ValueError, "precision <= 0.5"),
        ({"subject_to": ["precision"]}, TypeError, "give a mapping"),
        ({"max_depth": -1}, ValueError, "max_depth=-1"),
        ({"complexity": 5e-324}, ValueError, "complexity=5e-324: give 0, or a number whose size"),
        ({"subject_to": {"fp": 10**400}}, ValueError, "give 0, or a number whose size"),
        ({"sample_weight": np.zeros(300)}, ValueError, "all sample weights are zero"),
    ],
)
def test_bad_arguments_are_refused(more, error, told):
    X, y = np.eye(300, dtype=np.uint8)[:, :20], np.arange(300) % 2
    with pytest.raises(error, match=told):
        best_tree(X, y, **{"metric": "f1", **more})


def test_functions_that_fail_in_the_middle_are_told_with_their_counts():
    random = np.random.default_rng(7)
    X, y = random.integers(0, 2, (200, 8)), random.integers(0, 2, 200)
    calls, last = [], math.inf

    def fails_later(tp, fp, fn, tn):
        calls.append((fp, fn))
        if len(calls) == last:
            raise RuntimeError("no more")
        return -float(fp + fn)

    best_tree(X, y, fails_later, max_depth=3)
    last = len(calls) - 5
    calls.clear()
    with pytest.raises(ValueError, match=r"failed at tp=\d+, fp=\d+, fn=\d+, tn=\d+: RuntimeError: no more"):
        best_tree(X, y, fails_later, max_depth=3)


TEN = [
    "DL/anneal",
    "DL/breast-wisconsin",
    "DL/diabetes",
    "DL/heart-cleveland",
    "DL/soybean",
    "DL/tic-tac-toe",
    "DL/yeast",
    "NL/bank_conv_categorical_bin",
    "NL/monk2_bin",
    "NL/seismic_bumps_categorical_bin",
]


@pytest.mark.data
@pytest.mark.parametrize("depth", [3, 4])
@pytest.mark.parametrize("name", TEN)
def test_ten_files_agree_with_their_whole_fronts(name, depth, data):
    case = data(name)
    front = case.front(max_depth=depth)
    random = np.random.default_rng(8)
    asked = [(metric, None) for metric in [*METRICS.values(), *(random_function(random) for _ in range(12))]]
    asked += [("f1", {"precision": 0.6, "recall": 0.3}), ("mcc", {"fpr": 0.05}), ("recall", {"fp": ("<=", 30)})]
    for metric, subject_to in asked:
        try:
            expected = front.best(metric, subject_to)
        except Infeasible:
            with pytest.raises(Infeasible):
                best_tree(case.X, case.y, metric, subject_to=subject_to, max_depth=depth)
            continue
        best = best_tree(case.X, case.y, metric, subject_to=subject_to, max_depth=depth)
        read = metrics.read(metric, front.positives, front.negatives)
        assert read.key(*counts(case, (best.fp, best.fn))) == read.key(*counts(case, (expected.fp, expected.fn)))
        assert best.is_optimal
