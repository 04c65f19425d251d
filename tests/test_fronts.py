"""The fronts that `pareto_front` returns are those of the definition, and every point is attained by its tree.

Compared with `naive`: random matrices under every limit, with weights and rules; the widths at which counters of 16
bits end; every kind of input, order of rows and number of threads.
"""

import naive
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from paretree import RULES, pareto_front


def any_limits(random, depth):
    # Limits in the words of the oracle, and how the package shall work.
    limits = {"depth": int(random.integers(depth + 1)), "least": int(random.choice([1, 1, 2, 3, 5, 9]))}
    work = {"n_jobs": int(random.integers(1, 3))}
    if random.random() < 0.5:
        work["rules"] = [name for name in RULES if random.random() < 0.5]
    return limits, work


def asked(depth, nodes=None, least=1):
    return {"max_depth": depth, "max_nodes": nodes, "min_samples_leaf": least}


def fronts(front):
    # (budget, front) of each budget, or the front alone where no budget was given.
    return [(None, front)] if not hasattr(front, "by_nodes") else list(enumerate(front.by_nodes))


@pytest.mark.cases(250)
@pytest.mark.parametrize(("depth", "columns"), [(4, 5), (3, 7), (2, 14)])
def test_fronts_are_those_of_the_definition(seed, depth, columns, random_case, pairs, check_points):
    random = np.random.default_rng([seed, depth])
    case = random_case([seed, depth], rows=60, columns=columns)
    limits, work = any_limits(random, depth)
    front = case.front(**asked(**limits), **work)
    assert front.complete
    assert pairs(front) == case.expected(**limits)
    check_points(front, case, **limits)


@pytest.mark.cases(150)
def test_one_run_has_the_front_of_every_node_budget(seed, random_case, pairs, check_points):
    random = np.random.default_rng([seed, 5])
    case = random_case([seed, 5], rows=60, columns=5)
    limits, work = any_limits(random, 4)
    nodes = int(random.integers(2 ** limits["depth"] + 2))
    front = case.front(**asked(nodes=nodes, **limits), **work)
    points = case.points(**limits)
    assert len(front.by_nodes) == nodes + 1
    for budget, within in enumerate(front.by_nodes):
        assert pairs(within) == naive.within(points, budget)
        check_points(within, case, nodes=budget, **limits)
    assert pairs(front) == pairs(front.by_nodes[-1])


@pytest.mark.cases(5)
@pytest.mark.parametrize("columns", [16, 31, 32, 33, 63, 64, 65, 97])
def test_any_number_of_columns(seed, columns, pairs, check_points, random_case):
    case = random_case([seed, columns], rows=50, columns=4)
    more = np.random.default_rng(seed).integers(0, 2, (len(case.y), columns - case.X.shape[1]), dtype=np.uint8)
    case = case.but(X=np.hstack([more, case.X]))
    front = case.front(max_depth=2, max_nodes=2)
    assert pairs(front) == case.expected(2, nodes=2)
    check_points(front, case, 2, nodes=2)


@pytest.mark.cases(100)
def test_supported_points_are_the_vertices_of_the_hull(seed, random_case, pairs, check_points):
    random = np.random.default_rng([seed, 6])
    case = random_case([seed, 6], rows=60, columns=7)
    limits, work = any_limits(random, 3)
    limits["nodes"] = int(random.integers(8)) if random.random() < 0.5 else None
    whole, supported = (case.front(**asked(**limits), **work, points=points) for points in ("all", "supported"))
    for (budget, front), (_, vertices) in zip(fronts(whole), fronts(supported), strict=True):
        expected = naive.hull(pairs(front))
        assert [pairs(front)[at] for at in front.hull] == expected
        assert pairs(vertices) == expected
        assert vertices.hull.tolist() == list(range(len(expected)))
        check_points(vertices, case, **limits | {"nodes": limits["nodes"] if budget is None else budget})


@pytest.mark.cases(60)
def test_weight_k_is_k_copies_and_weight_0_is_no_row(seed, random_case, structure, check_points):
    case = random_case([seed, 7], rows=30, columns=6, weighted=True)
    copies = case.but(X=np.repeat(case.X, case.weight, axis=0), y=np.repeat(case.y, case.weight), weight=None)
    limits = {"depth": 3, "nodes": 5, "least": 1 + seed % 4}
    weighted, copied = case.front(**asked(**limits)), copies.front(**asked(**limits))
    assert structure(weighted) == structure(copied)
    assert (weighted.positives, weighted.negatives) == (copied.positives, copied.negatives)
    check_points(copied, copies, **limits)


@pytest.mark.cases(60)
def test_real_weights_on_the_grid_are_exact(seed, random_case, pairs):
    case = random_case([seed, 8], rows=40, columns=6, weighted=True)
    step = 2.0 ** -(1 + seed % 10)
    weight = case.weight * step
    weight[0] += 0.5  # whole weights are on a grid of 1
    least = 1 + (seed % 3) / 2
    front = case.but(weight=weight).front(max_depth=3, min_samples_leaf=least)
    whole = (weight == np.floor(weight)).all()
    step = 1 if whole else min(1 / 1024, 2.0 ** np.floor(np.log2(weight[weight > 0].mean() / 1024)))
    assert front.weight_step == step
    scaled = case.but(weight=np.rint(weight / step).astype(int))
    expected = scaled.expected(3, least=1 if least == 1 else int(np.ceil(least / step)))
    assert [(fp / step, fn / step) for fp, fn in pairs(front)] == expected


@pytest.mark.cases(30)
@pytest.mark.parametrize("total", [100, 1e5, 1e8])
def test_other_weights_are_rounded_to_the_step(seed, total, random_case, pairs):
    case = random_case([seed, 9], rows=40, columns=6)
    weight = np.random.default_rng(seed).random(len(case.y)) * total / len(case.y)
    front = case.but(weight=weight).front(max_depth=2)
    assert np.log2(front.weight_step) % 1 == 0
    assert front.weight_step <= 2**-10 or total > 100
    whole = case.but(weight=np.rint(weight / front.weight_step).astype(int))
    expected = whole.expected(2, least=1)
    assert [(fp / front.weight_step, fn / front.weight_step) for fp, fn in pairs(front)] == expected
    for point in front:
        exact = naive.errors(point.tree.predict(case.X) == 1, case.y, weight)
        assert (point.fp, point.fn) == pytest.approx(exact, abs=len(weight) * front.weight_step / 2)


def noisy_case(random_case, negatives, positives, seed=0):
    random = np.random.default_rng(seed)
    y = np.repeat([0, 1], [negatives, positives])
    share = np.array([[0.3, 0.6, 0.5, 0.2, 0.45], [0.4, 0.3, 0.55, 0.5, 0.7]])
    return random_case(0).but(X=(random.random((len(y), 5)) < share[y]).astype(np.uint8), y=y, weight=None)


def counted(case):
    # The distinct rows, weighted by how often they occur.
    rows, inverse = np.unique(np.column_stack([case.X, case.y]), axis=0, return_inverse=True)
    return case.but(X=rows[:, :-1], y=rows[:, -1], weight=np.bincount(inverse.ravel(), case.weight).astype(int))


EDGE = [65_535, 65_536, 65_537]


@pytest.mark.parametrize("many", EDGE)
@pytest.mark.parametrize("few", [0, 300, 65_536])
@pytest.mark.parametrize("swap", [False, True])
def test_classes_as_wide_as_16_bits(many, few, swap, random_case, pairs, check_points):
    case = noisy_case(random_case, *((few, many) if swap else (many, few)))
    expected = counted(case).points(2)
    for rules in (None, set(RULES) - {"merge_rows"}):
        front = case.front(max_depth=2, max_nodes=3, rules=rules)
        assert [pairs(within) for within in front.by_nodes] == [naive.within(expected, nodes) for nodes in range(4)]
    check_points(front, case, 2)


@pytest.mark.parametrize("total", [*EDGE, 131_072])
@pytest.mark.parametrize("other", [40, 65_535, 65_536])
@pytest.mark.parametrize("depth", [2, 3])
def test_weights_that_sum_to_what_16_bits_hold(total, other, depth, random_case, pairs, check_points):
    case = noisy_case(random_case, 40, 40, seed=total)
    random = np.random.default_rng(total)
    weights = [random.multinomial(weight, np.full(40, 1 / 40)) for weight in (total, other)]
    case = case.but(weight=np.concatenate(weights))
    front = case.front(max_depth=depth, min_samples_leaf=30)
    assert (front.negatives, front.positives) == (total, other)
    assert pairs(front) == counted(case).expected(depth, least=30)
    check_points(front, case, depth, least=30)


def with_explicit_zeros(X):
    sparse = sp.csr_array(np.ones_like(X))
    sparse.data = X.ravel().copy()
    return sparse


NAMES = [f"test {j}" for j in range(6)]
KINDS = {
    "bool": lambda X: X.astype(bool),
    "uint8": lambda X: X.astype(np.uint8),
    "int64": lambda X: X.astype(np.int64),
    "float64": lambda X: X.astype(np.float64),
    "objects": lambda X: X.astype(object),
    "lists": lambda X: X.tolist(),
    "Fortran order": np.asfortranarray,
    "view": lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "csr": sp.csr_matrix,
    "csc": sp.csc_array,
    "coo": sp.coo_array,
    "bool csr": lambda X: sp.csr_array(X.astype(bool)),
    "explicit zeros": with_explicit_zeros,
    "pandas": lambda X: pd.DataFrame(X, columns=NAMES),
    "pandas bool": lambda X: pd.DataFrame(X.astype(bool), columns=NAMES),
    "pandas nullable": lambda X: pd.DataFrame(X, columns=NAMES).convert_dtypes(),
    "pandas mixed": lambda X: pd.DataFrame(X, columns=NAMES).astype({NAMES[0]: float, NAMES[3]: bool}),
    "pandas index": lambda X: pd.DataFrame(X, columns=NAMES, index=np.arange(len(X)) % 3),
    "pandas without names": pd.DataFrame,
    "polars": lambda X: pl.DataFrame(X, schema=NAMES),
    "polars bool": lambda X: pl.DataFrame(X.astype(bool), schema=NAMES),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_input_gives_the_same_front_and_trees(kind, random_case, structure):
    case = random_case(3).but(X=np.random.default_rng(3).integers(0, 2, (90, 6)), weight=None)
    case = case.but(y=(case.X[:, 0] ^ case.X[:, 1]) | case.X[:, 4] & (np.arange(90) % 4 == 0))
    plain, given = case.front(max_depth=3), pareto_front(KINDS[kind](case.X), case.y, max_depth=3)
    assert structure(given) == structure(plain)
    for point in given:
        assert (point.tree.predict(KINDS[kind](case.X)) == point.tree.predict(case.X)).all()


@pytest.mark.parametrize("kind", ["uint8", "csr", "explicit zeros", "pandas"])
def test_the_data_are_left_as_they_were(kind, random_case):
    cells, labels = np.random.default_rng(4).integers(0, 2, (30, 6)), np.arange(30) % 2
    X, weight = KINDS[kind](cells), np.full(30, 2.0)
    pareto_front(X, labels, sample_weight=weight, max_depth=2)
    assert (KINDS[kind](cells) != X).sum().sum() == 0
    assert (labels == np.arange(30) % 2).all()
    assert (weight == 2).all()


@pytest.mark.cases(60)
def test_swapped_labels_mirror_the_front(seed, random_case, pairs):
    case = random_case([seed, 10], rows=80, columns=10)
    limits = {"max_depth": 3, "max_nodes": 4, "min_samples_leaf": 2}
    mirrored = [(fn, fp) for fp, fn in reversed(pairs(case.front(**limits)))]
    assert pairs(case.but(y=1 - case.y).front(**limits)) == mirrored
    assert pairs(pareto_front(case.X, case.y, sample_weight=case.weight, pos_label=0, **limits)) == mirrored


@pytest.mark.cases(40)
def test_the_order_of_rows_and_columns_does_not_change_the_front(seed, random_case, pairs, structure):
    case, random = random_case([seed, 11], rows=150, columns=12), np.random.default_rng(seed)
    rows, columns = random.permutation(len(case.y)), random.permutation(case.X.shape[1])
    weight = None if case.weight is None else case.weight[rows]
    shuffled = case.but(X=case.X[rows], y=case.y[rows], weight=weight)
    front = case.front(max_depth=3)
    assert structure(shuffled.front(max_depth=3)) == structure(front)
    assert pairs(shuffled.but(X=shuffled.X[:, columns]).front(max_depth=3)) == pairs(front)


@pytest.mark.cases(40)
def test_threads_and_repetition_change_nothing(seed, random_case, structure):
    case = random_case([seed, 12], rows=150, columns=14)
    limits = {"max_depth": 3 + seed % 2, "max_nodes": 6, "points": ("all", "supported")[seed % 3 == 0]}
    first = [structure(front) for front in case.front(n_jobs=1, **limits).by_nodes]
    for n_jobs in (1, 2, 2, 4, -1):
        assert [structure(front) for front in case.front(n_jobs=n_jobs, **limits).by_nodes] == first
