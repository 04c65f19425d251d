"""Every pruning rule is at work somewhere, can be switched off, and changes no front; the counts of the work are exact.

The fronts here are too large for the oracle; those of `test_fronts` are compared with it under random sets of rules.
"""

import numpy as np
import pytest
from paretree import RULES

# Rows, columns, share of positives, and the limits under which the rules are watched.
SETTINGS = {
    "depth 5": (150, 12, 0.25, {"max_depth": 5}),
    "many equal rows": (400, 10, 0.5, {"max_depth": 5}),
    "few points": (60, 40, 0.25, {"max_depth": 4}),
    "node budget": (400, 14, 0.25, {"max_depth": 5, "max_nodes": 7}),
    "leaf size": (300, 20, 0.5, {"max_depth": 4, "min_samples_leaf": 6}),
    "supported points": (200, 16, 0.4, {"max_depth": 5, "points": "supported"}),
}


@pytest.fixture(scope="module")
def ask(random_case):
    """Give a function that computes the front of a setting on one thread."""

    def front(setting, rules=None):
        rows, columns, share, limits = SETTINGS[setting]
        case = random_case(0).but(**noisy_data(rows, columns, share), weight=None)
        return case.front(**limits, rules=rules, n_jobs=1)

    return front


def noisy_data(rows, columns, share):
    """Columns of which one is the opposite of another and one follows from two; labels are noisy sums of the rest."""
    random = np.random.default_rng(rows + columns)
    X = (random.random((rows, columns)) < random.uniform(0.2, 0.8, columns)).astype(np.uint8)
    X[:, 1], X[:, 2] = 1 - X[:, 0], X[:, 3] & X[:, 4]
    score = X[:, 3:] @ random.normal(0, 1, columns - 3) + random.normal(0, 1, rows)
    return {"X": X, "y": (score > np.quantile(score, 1 - share)).astype(int)}


@pytest.fixture(scope="module")
def usual(ask):
    """Give the front of each setting with every rule on."""
    return {setting: ask(setting) for setting in SETTINGS}


def layers(front, pairs):
    return [pairs(within) for within in front.by_nodes] if hasattr(front, "by_nodes") else [pairs(front)]


def work(front):
    return {name: count for name, count in front.stats.items() if name not in ("seconds", "peak_memory")}


def test_rules_are_explained():
    assert len(RULES) > 5
    for name, help in RULES.items():
        assert name.isidentifier()
        assert help.endswith(".")
        assert "Counts" in help


def test_every_rule_has_a_counter(usual):
    for front in usual.values():
        assert set(RULES) < set(work(front))
        assert all(type(count) is int and count >= 0 for count in work(front).values())


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_at_work_somewhere(rule, usual):
    assert sum(front.stats[rule] for front in usual.values()) > 0


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("rule", RULES)
def test_without_a_rule_the_front_is_the_same(rule, setting, usual, ask, pairs):
    front = ask(setting, rules=set(RULES) - {rule})
    assert layers(front, pairs) == layers(usual[setting], pairs)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_is_off_counts_nothing(rule, setting, ask):
    assert ask(setting, rules=set(RULES) - {rule}).stats[rule] == 0


@pytest.mark.parametrize("setting", SETTINGS)
def test_pairs_of_rules_and_none_at_all_give_the_same_front(setting, usual, ask, pairs):
    random = np.random.default_rng(0)
    for left_out in [*(random.choice(list(RULES), 2, replace=False) for _ in range(6)), RULES]:
        front = ask(setting, rules=set(RULES) - set(left_out))
        assert layers(front, pairs) == layers(usual[setting], pairs), left_out


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_work_is_the_same_in_every_run(setting, usual, ask, structure):
    again = ask(setting)
    assert work(again) == work(usual[setting])
    assert structure(again) == structure(usual[setting])


def test_the_order_of_the_rules_means_nothing(ask):
    assert work(ask("depth 5", rules=reversed(RULES))) == work(ask("depth 5", rules=list(RULES) * 2))


def test_the_rules_save_work(usual, ask):
    for setting in ("depth 5", "leaf size"):
        assert usual[setting].stats["subproblems"] < ask(setting, rules=[]).stats["subproblems"]
