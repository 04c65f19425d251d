"""Trees predict, print and survive pickling; fronts are sequences; labels come back as they were given.

A tree is compared with a walk by hand from node to node, and its text with what a reader would write.
"""

import copy
import io
import pickle
from collections.abc import Sequence
from itertools import product

import joblib
import naive
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from paretree import FrontPoint, ParetoFront, Tree, pareto_front

NAMES = ("age > 60", "smoker", "sex = f")
TABLE = np.array(list(product([0, 1], repeat=3)))  # every row of three columns
PREDICTED = np.array(["ill", "ill", "ill", "ill", "well", "well", "well", "ill"])


def small_tree(names=NAMES, negative="well", positive="ill"):
    """Predict ill unless column 0 holds and not both of the others do."""
    return Tree(
        column=np.array([0, -1, 1, -1, 2, -1, -1]),
        zero=np.array([1, -1, 3, -1, 5, -1, -1]),
        one=np.array([2, -1, 4, -1, 6, -1, -1]),
        label=np.array([-1, 1, -1, 0, -1, 0, 1]),
        negatives=np.array([3, 0, 3, 2, 1, 1, 0]),
        positives=np.array([5, 4, 1, 0, 1, 0, 1]),
        n_features=3,
        feature_names=names,
        negative=negative,
        positive=positive,
    )


@pytest.fixture(scope="module")
def case(random_case):
    """Give the data of a front of several points."""
    random = np.random.default_rng(1)
    X = random.integers(0, 2, (60, 5))
    return random_case(0).but(X=X, y=(X[:, 0] ^ X[:, 1]) & (random.random(60) < 0.8), weight=None)


@pytest.fixture(scope="module")
def front(case):
    """Give a front of several points."""
    return case.front(max_depth=2, max_nodes=2)


def test_size_of_a_tree():
    tree = small_tree()
    assert (tree.depth, tree.n_nodes, tree.n_leaves) == (3, 3, 4)
    assert repr(tree) == "Tree(depth=3, n_nodes=3)"


def test_a_leaf_is_a_tree(random_case):
    (point,) = random_case(0).but(X=TABLE, y=np.ones(8), weight=None).front()
    assert (point.tree.depth, point.tree.n_nodes, point.tree.n_leaves) == (0, 0, 1)
    assert point.tree.to_text() == "predict 1.0"
    assert point.tree.apply(TABLE).tolist() == [0] * 8


@pytest.mark.parametrize(
    "kind",
    [
        np.asarray,
        np.ndarray.tolist,
        lambda X: X.astype(bool),
        lambda X: X.astype(float),
        sp.csr_array,
        sp.csc_matrix,
        sp.coo_array,
        lambda X: pd.DataFrame(X, columns=NAMES),
        lambda X: pl.DataFrame(X, schema=NAMES),
    ],
)
def test_predict_and_apply_on_every_kind_of_input(kind):
    tree = small_tree()
    assert tree.predict(kind(TABLE)).tolist() == PREDICTED.tolist()
    assert tree.apply(kind(TABLE)).tolist() == [naive.leaf(tree, row) for row in TABLE] == [1] * 4 + [3, 3, 5, 6]


@pytest.mark.cases(40)
def test_predict_and_apply_walk_the_tree(seed, random_case):
    case = random_case([seed, 20], rows=40, columns=8)
    for point in case.front(max_depth=4, max_nodes=7):
        leaves = [naive.leaf(point.tree, row) for row in case.X]
        assert point.tree.apply(case.X).tolist() == leaves
        assert point.tree.predict(case.X).tolist() == point.tree.labels()[point.tree.label[leaves]].tolist()


def test_predict_no_rows():
    assert small_tree().predict(TABLE[:0]).shape == (0,)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_columns_are_found_by_name(frame):
    columns = dict(zip(NAMES, TABLE.T, strict=True))
    assert small_tree().predict(frame({name: columns[name] for name in reversed(NAMES)})).tolist() == PREDICTED.tolist()
    assert small_tree().predict(frame({"new": TABLE[:, 0], **columns})).tolist() == PREDICTED.tolist()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_column_that_is_not_there_is_named(frame):
    with pytest.raises(ValueError, match="lacks the column 'smoker'"):
        small_tree().predict(frame({name: [0, 1] for name in ("age > 60", "sex = f", "other")}))


@pytest.mark.parametrize("X", [TABLE[:, :2], np.hstack([TABLE, TABLE]), sp.csr_array(TABLE[:, :2])])
def test_the_wrong_width_is_refused(X):
    with pytest.raises(ValueError, match=f"X has {X.shape[1]} columns, but the tree was learnt from 3"):
        small_tree().predict(X)


def test_frames_go_by_position_where_the_tree_has_no_names():
    assert small_tree(names=None).predict(pd.DataFrame(TABLE, columns=list("cba"))).tolist() == PREDICTED.tolist()
    with pytest.raises(ValueError, match="4 columns"):
        small_tree(names=None).predict(pl.DataFrame(np.hstack([TABLE, TABLE[:, :1]])))


@pytest.mark.parametrize(("X", "match"), [(TABLE[0], "1 dimension"), (TABLE + 1, "X holds 2 at row 1, column 2")])
def test_predict_refuses_what_pareto_front_refuses(X, match):
    with pytest.raises(ValueError, match=match):
        small_tree().predict(X)


def test_text():
    text = """\
age > 60
├─ yes: smoker
│  ├─ yes: sex = f
│  │  ├─ yes: predict 'ill'
│  │  └─ no:  predict 'well'
│  └─ no:  predict 'well'
└─ no:  predict 'ill'"""
    assert small_tree().to_text() == str(small_tree()) == text
    bare = text.replace("age > 60", "x0").replace("smoker", "x1").replace("sex = f", "x2")
    assert small_tree(names=None).to_text() == bare
    assert [small_tree().name(1), small_tree(names=None).name(1)] == ["smoker", "x1"]


def test_text_of_a_tree_that_was_found():
    X = pd.DataFrame({"noise": [0, 1, 0, 1, 0, 1], "fever": [0, 0, 0, 1, 1, 1]})
    (point,) = pareto_front(X, ["no", "no", "no", "yes", "yes", "yes"], max_depth=1)
    assert (point.fp, point.fn) == (0, 0)
    assert point.tree.to_text() == "fever\n├─ yes: predict 'yes'\n└─ no:  predict 'no'"


def through_joblib(thing):
    file = io.BytesIO()
    joblib.dump(thing, file)
    file.seek(0)
    return joblib.load(file)


COPIES = [pytest.param(lambda thing, p=p: pickle.loads(pickle.dumps(thing, p)), id=f"pickle {p}") for p in range(2, 6)]
COPIES += [copy.copy, copy.deepcopy, through_joblib]


@pytest.mark.parametrize("copied", COPIES)
def test_copies_are_equal(copied, front, case, structure):
    assert copied(small_tree()) == small_tree()
    assert hash(copied(small_tree())) == hash(small_tree())
    assert copied(small_tree()).predict(TABLE).tolist() == PREDICTED.tolist()
    assert copied(front[0]) == front[0]
    again = copied(front)
    assert structure(again) == structure(front)
    assert repr(again) == repr(front)
    assert [structure(within) for within in again.by_nodes] == [structure(within) for within in front.by_nodes]
    assert (again[0].tree.predict(case.X) == front[0].tree.predict(case.X)).all()
    assert again.stats == front.stats


@pytest.mark.parametrize(
    "other",
    [
        small_tree(names=None),
        small_tree(positive="sick"),
        small_tree(negative="fine"),
        Tree(*(np.array([x]) for x in (-1, -1, -1, 0, 3, 5)), 3, NAMES, "well", "ill"),
        "a tree",
        None,
    ],
)
def test_other_trees_are_not_equal(other):
    assert small_tree() != other


def test_trees_work_in_sets(front):
    assert len({point.tree for point in front} | {front[0].tree}) == len(front)
    assert small_tree() in {small_tree()}


def test_a_front_is_a_sequence(front):
    points = list(front)
    assert isinstance(front, Sequence)
    assert len(front) == len(points) == len(front.fp) == len(front.fn) >= 4
    assert all(isinstance(point, FrontPoint) for point in points)
    assert [(p.fp, p.fn) for p in points] == list(zip(front.fp, front.fn, strict=True))
    assert [type(x) for x in (points[0].fp, points[0].fn)] == [int, int]
    assert list(reversed(front)) == points[::-1]
    assert points[1] in front
    assert front.index(points[2]) == 2
    assert front.count(points[0]) == 1


@pytest.mark.parametrize("at", [slice(None), slice(1, 3), slice(None, None, -2), slice(-2, None), slice(5, 2)])
def test_slices(at, front):
    assert front[at] == list(front)[at]


def test_indices(front):
    assert front[-1] == front[len(front) - 1] == front[np.int64(-1)]
    assert front[-len(front)] == front[0]
    for at in (len(front), -len(front) - 1):
        with pytest.raises(IndexError, match=f"{at} of a front of {len(front)} points"):
            front[at]
    for at in (1.0, "first", None):
        with pytest.raises(TypeError):
            front[at]


def test_points_are_their_own(front):
    tree = front[1].tree
    tree.label[:] = 0
    tree.column[:] = -1
    assert front[1].tree != tree


def test_what_a_front_says_of_itself(front, case):
    positives, negatives = int(case.y.sum()), int((case.y == 0).sum())
    assert front.complete
    assert front.stopped is None
    assert (front.positives, front.negatives) == (positives, negatives)
    assert (front.classes.tolist(), front.pos_label, front.feature_names, front.weight_step) == ([0, 1], 1, None, 1)
    assert repr(front) == f"ParetoFront({len(front)} points, {positives} positives, {negatives} negatives, complete)"
    assert {"seconds", "peak_memory", "subproblems"} <= set(front.stats)
    assert 0 < front.stats["seconds"] < 60
    assert 2**20 < front.stats["peak_memory"] < 2**40


def test_hull_on_known_points():
    X = np.repeat(np.eye(4, dtype=int), [6, 6, 6, 6], axis=0)
    y = np.array([1] * 6 + [1] * 5 + [0] + [1, 0] * 3 + [0] * 6)
    front = pareto_front(X, y, max_depth=3)
    assert list(zip(front.fp, front.fn, strict=True)) == [(0, 8), (1, 3), (4, 0)]
    assert front.hull.tolist() == [0, 1, 2]


def test_by_nodes_needs_a_budget(case):
    front = case.front(max_depth=1)
    assert not hasattr(front, "by_nodes")
    with pytest.raises(AttributeError, match="max_nodes"):
        _ = front.by_nodes


def test_by_nodes_beyond_the_largest_tree(case, structure):
    front = case.front(max_depth=2, max_nodes=9)
    assert len(front.by_nodes) == len(list(front.by_nodes)) == 10
    assert all(isinstance(within, ParetoFront) for within in front.by_nodes)
    assert structure(front.by_nodes[3]) == structure(front.by_nodes[9]) == structure(front.by_nodes[-1])
    assert structure(front.by_nodes[0]) == structure(front.by_nodes[-10]) == structure(case.front(max_depth=0))
    for budget in (10, -11):
        with pytest.raises(IndexError, match="0 to 9 nodes"):
            front.by_nodes[budget]
