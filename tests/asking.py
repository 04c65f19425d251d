"""Questions to `best_tree` about random cases, and the checks of its answers."""

import naive
import numpy as np
from paretree import RULES, best_tree


def counts(case, point):
    """Tp, fp, fn, tn of a point as whole numbers."""
    weight = np.ones(len(case.y), dtype=np.int64) if case.weight is None else case.weight
    positives, negatives = int(weight[case.y == 1].sum()), int(weight[case.y == 0].sum())
    fp, fn = (int(errors) for errors in point[:2])
    return positives - fn, fp, fn, negatives - fp


def ask(case, metric, **limits):
    return best_tree(case.X, case.y, metric, sample_weight=case.weight, pos_label=1, **limits)


def check(best, case, depth, nodes, least):
    """The tree makes the errors that are said, and is within the limits."""
    tree = best.tree
    assert naive.errors(tree.predict(case.X) == 1, case.y, case.weight) == (best.fp, best.fn)
    assert tree.depth <= depth
    assert nodes is None or tree.n_nodes <= nodes
    weight = np.ones(len(case.y), dtype=np.int64) if case.weight is None else case.weight
    if tree.n_nodes:
        assert np.bincount(tree.apply(case.X), weight)[tree.column < 0].min() >= least


def any_question(seed, random_case, most_depth=4):
    random = np.random.default_rng([seed, 91])
    case = random_case([seed, 91], rows=60, columns=6)
    depth, least = int(random.integers(most_depth + 1)), int(random.choice([1, 1, 2, 4]))
    nodes = int(random.integers(2**depth + 1)) if random.random() < 0.4 else None
    work = {"n_jobs": int(random.integers(1, 3))}
    if random.random() < 0.3:
        work["rules"] = [name for name in RULES if random.random() < 0.6]
    limits = {"max_depth": depth, "max_nodes": nodes, "min_samples_leaf": least}
    return random, case, (depth, nodes, least), limits | work
