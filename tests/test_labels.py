"""Labels come back as they were given, whatever two values they are, and data at the edge give the fronts they must."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from paretree import pareto_front

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]])
Y = np.array([0, 1, 1, 0, 1])  # exclusive or, and a row that contradicts it
LABELS = {
    "0 and 1": (0, 1),
    "-1 and 1": (-1, 1),
    "5 and 9": (5, 9),
    "floats": (0.5, 2.5),
    "booleans": (False, True),
    "texts": ("bad", "good"),
    "texts of two lengths": ("n", "yes"),
    "text that looks like numbers": ("10", "9"),
}
KINDS = {
    "array": np.array,
    "list": list,
    "objects": lambda y: np.array(y, dtype=object),
    "column": lambda y: np.array(y).reshape(-1, 1),
    "pandas": pd.Series,
    "pandas with another index": lambda y: pd.Series(y, index=range(7, 7 + len(y))),
    "pandas categories": lambda y: pd.Series(y, dtype="category"),
    "pandas nullable": lambda y: pd.Series(y).convert_dtypes(),
    "pandas frame": lambda y: pd.DataFrame({"y": y}),
    "polars": pl.Series,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("swap", [None, False, True])
def test_labels_come_back(kind, labels, swap, pairs):
    negative, positive = LABELS[labels][:: -1 if swap else 1]
    given = [LABELS[labels][code] for code in Y]
    front = pareto_front(X, KINDS[kind](given), max_depth=2, pos_label=None if swap is None else positive)
    codes = np.array(given) == positive
    assert pairs(front) == pairs(pareto_front(X, codes, max_depth=2))
    assert front.classes.tolist() == sorted(LABELS[labels])
    assert (front.pos_label, front.positives) == (positive, codes.sum())
    point = front[0]
    predicted = point.tree.predict(X).tolist()
    assert {type(label) for label in predicted} <= {type(negative)}
    assert set(predicted) <= {negative, positive}
    assert point.fn == sum(y == positive != p for p, y in zip(predicted, given, strict=True))


@pytest.mark.parametrize("pos_label", [2, "1", "yes", float("nan")])
def test_a_positive_label_that_is_not_there_is_named(pos_label):
    with pytest.raises(ValueError, match=f"pos_label={pos_label!r} is not a label of y, which has 0 and 1"):
        pareto_front(X, Y, pos_label=pos_label)


@pytest.mark.parametrize("labels", [*LABELS.values(), (3.5, 0.0)])
@pytest.mark.parametrize("which", [0, 1])
def test_one_class_is_a_constant(labels, which):
    label = labels[which]
    front = pareto_front(X, [label] * 5, max_depth=2)
    assert [(point.fp, point.fn, point.tree.n_nodes) for point in front] == [(0, 0, 0)]
    assert front.positives + front.negatives == 5
    assert front.classes.tolist() == [label]
    assert front[0].tree.predict(X).tolist() == [label] * 5
    assert repr(front[0].tree.predict(X[:1]).tolist()) == repr([label])


@pytest.mark.parametrize("label", [0, -1, False, 0.0])
def test_one_class_that_looks_negative_is(label):
    assert pareto_front(X, [label] * 5).positives == 0


@pytest.mark.parametrize("label", [1, True, "a", 7])
def test_one_class_that_does_not_is_positive(label):
    assert pareto_front(X, [label] * 5).positives == 5


def test_one_class_is_what_pos_label_says():
    assert pareto_front(X, ["no"] * 5, pos_label="yes").positives == 0
    assert pareto_front(X, ["no"] * 5, pos_label="no").positives == 5
    assert pareto_front(X, [1] * 5, pos_label=0).positives == 0
    assert pareto_front(X, [0] * 5, pos_label=0).positives == 5


@pytest.mark.parametrize("cells", [np.zeros((5, 0)), np.zeros((5, 3)), np.ones((5, 3)), pd.DataFrame(index=range(5))])
def test_columns_that_tell_nothing(cells, pairs):
    front = pareto_front(cells, Y, max_depth=3, max_nodes=4)
    assert [pairs(within) for within in front.by_nodes] == [[(0, 3), (2, 0)]] * 5
    assert all(point.tree.n_nodes == 0 for point in front)
    assert front[0].tree.predict(cells).tolist() == [0] * 5


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("columns", [0, 1, 4])
def test_one_row(label, columns, pairs):
    front = pareto_front(np.ones((1, columns)), [label])
    assert pairs(front) == [(0, 0)]
    assert front[0].tree.predict(np.zeros((1, columns))).tolist() == [label]


def test_equal_rows_of_both_labels(pairs):
    assert pairs(pareto_front(np.ones((7, 2)), [0, 1, 0, 1, 0, 0, 0])) == [(0, 2), (5, 0)]


def test_a_class_of_weight_0_is_free(pairs):
    front = pareto_front(X, Y, sample_weight=[1, 0, 0, 1, 0])
    assert pairs(front) == [(0, 0)]
    assert (front.positives, front.negatives) == (0, 2)


CONSTANT, HALVES = [(0, 2), (2, 0)], [(0, 2), (1, 1), (2, 0)]


@pytest.mark.parametrize(
    ("least", "expected"), [(1, [(0, 0)]), (1.5, HALVES), (2, HALVES), (3, CONSTANT), (2**31 - 1, CONSTANT)]
)
def test_leaves_too_small_are_not_made(least, expected, pairs):
    assert pairs(pareto_front(X[:4], Y[:4], max_depth=2, min_samples_leaf=least)) == expected
