"""Searches that end early say what is proven: no more than is true, and more as time goes on."""

import warnings

import numpy as np
import pytest
from asking import any_question, ask, check
from paretree import NotProvenWarning, best_tree, metrics, strategy
from targets import METRICS


@pytest.mark.data
@pytest.mark.parametrize("metric", ["f1", "accuracy", "mcc", "gmean", "min_recall", "markedness", "f1 at a price"])
@pytest.mark.parametrize("name", ["DL/german-credit", "NL/bank_conv_categorical_bin", "Hu/compas-binary"])
def test_bounds_of_unfinished_searches_hold(name, metric, data):
    case = data(name)
    more = {"complexity": 0.002, "max_nodes": 15} if "price" in metric else {}
    metric = metric.split()[0]
    whole = best_tree(case.X, case.y, metric, max_depth=4, **more)
    assert whole.is_optimal
    for seconds in (0.0005, 0.002, 0.004, 0.008, 0.016, 0.03, 0.06, 0.12):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", NotProvenWarning)
            best = best_tree(case.X, case.y, metric, max_depth=4, time_limit=seconds, **more)
        assert best.value <= whole.value <= best.bound
        assert best.is_optimal == (best.value == best.bound) == (not told)
        if best.is_optimal:
            assert best.value == whole.value
        else:
            assert best.stopped == "time_limit"
            assert "no tree has more than" in str(told[0].message)
        check(best, case, 4, more.get("max_nodes"), 1)


class Halting:
    """A solver one of whose questions is ended after so many checks, and which then has no time left."""

    def __init__(self, solver, question, checks):
        self._solver, self._left, self._checks = solver, question, checks

    def __getattr__(self, name):
        return getattr(self._solver, name)

    def _ask(self, name, *rest, **more):
        if self._left == 0:
            self._solver.halt_after(self._checks)
        self._left -= 1
        return getattr(self._solver, name)(*rest, **more)

    def front(self, *rest, **more):
        return self._ask("front", *rest, **more)

    def least(self, *rest, **more):
        return self._ask("least", *rest, **more)

    def useful(self, *rest, **more):
        return self._ask("useful", *rest, **more)


@pytest.mark.filterwarnings("ignore::paretree.NotProvenWarning")
@pytest.mark.cases(60)
def test_bounds_hold_wherever_a_search_ends(seed, random_case, monkeypatch):
    random, case, (depth, nodes, least), limits = any_question(seed, random_case)
    if seed % 2:
        # Wider data, on which questions take longer and find more on their way.
        case = case.but(X=random.integers(0, 2, (120, 14)), y=random.integers(0, 2, 120), weight=None)
        depth, nodes, least = 3, None, 1
        limits |= {"max_depth": 3, "max_nodes": None, "min_samples_leaf": 1}
    metric = list(METRICS.values())[int(random.integers(len(METRICS) - 4))]
    more = {"complexity": 0.005} if seed % 5 == 0 and metric.name in ("f1", "gmean", "p4") else {}
    monkeypatch.setattr(strategy, "LONG", 0)  # look far above first, as long searches do
    whole = ask(case, metric, **limits, **more)
    post_init = strategy.Hunt.__post_init__
    for _ in range(25):
        question, checks = int(random.integers(10)), int(random.integers(1, 400) ** random.uniform(0.2, 1))

        def halt(self, question=question, checks=checks):
            post_init(self)
            self.solver = Halting(self.solver, question, checks)

        monkeypatch.setattr(strategy.Hunt, "__post_init__", halt)
        best = ask(case, metric, **limits, **more, time_limit=60)
        assert best.value <= whole.value <= best.bound, (metric, question, checks)
        assert best.value == whole.value or not best.is_optimal
        check(best, case, depth, nodes, least)


@pytest.mark.filterwarnings("ignore::paretree.NotProvenWarning")
@pytest.mark.parametrize("case", [62, 272, 306, 310])
def test_bounds_hold_where_a_point_was_found_before_the_end(case, monkeypatch):
    """What was found along a line moves it; trees between the old line and the new one are looked at no more."""
    random = np.random.default_rng([case, 7])
    n, m = int(random.integers(100, 600)), int(random.integers(15, 40))
    X = (random.random((n, m)) < random.random(m) * 0.8 + 0.1).astype(int)
    y = ((X @ random.normal(size=m) + random.normal(size=n) * 3) > random.normal() * 3).astype(int)
    monkeypatch.setattr(strategy, "LONG", 0)
    whole = best_tree(X, y, "kappa", max_depth=3, time_limit=60)
    post_init = strategy.Hunt.__post_init__
    for checks in (20, 25, 29, 35, 45, 55, 64, 75, 90):

        def halt(self, checks=checks):
            post_init(self)
            self.solver = Halting(self.solver, 5, checks)

        monkeypatch.setattr(strategy.Hunt, "__post_init__", halt)
        best = best_tree(X, y, "kappa", max_depth=3, time_limit=60)
        assert best.value <= whole.value <= best.bound


@pytest.mark.parametrize("metric", ["f1", "mcc", "gmean", metrics.cost(2, 1), lambda tp, fp, fn, tn: -max(fp, fn)])
def test_a_search_that_has_no_time_claims_nothing(metric, random_case):
    random = np.random.default_rng(94)
    X, y = random.integers(0, 2, (50, 6)), random.integers(0, 2, 50)
    whole = best_tree(X, y, metric, max_depth=3)
    for seconds in (1e-9, 1e-6, 1e-5):
        with pytest.warns(NotProvenWarning, match="time_limit was reached"):
            best = best_tree(X, y, metric, max_depth=3, time_limit=seconds)
        assert not best.is_optimal
        assert best.value < whole.value <= best.bound
        check(best, random_case(0).but(X=X, y=y, weight=None), 3, None, 1)


@pytest.mark.filterwarnings("ignore::paretree.NotProvenWarning")
def test_the_gap_shrinks_as_time_goes_on(data):
    case = data("DL/german-credit")
    gaps = []
    for seconds in (0.02, 0.4, 4):
        best = best_tree(case.X, case.y, "f1", max_depth=5, time_limit=seconds)
        gaps.append(best.bound - best.value)
    assert gaps[0] > gaps[1] > gaps[2]


def test_ctrl_c_between_questions_keeps_what_was_found(random_case, monkeypatch):
    case = random_case(0).but(X=np.eye(12, dtype=np.uint8), y=np.arange(12) % 2, weight=None)

    def interrupted(self, depth):
        raise KeyboardInterrupt

    monkeypatch.setattr(strategy.Hunt, "_search", interrupted)
    with pytest.warns(NotProvenWarning, match="interrupted"):
        best = best_tree(case.X, case.y, "f1", max_depth=3)
    assert (best.stopped, best.is_optimal) == ("interrupt", False)
    check(best, case, 3, None, 1)
