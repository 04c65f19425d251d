"""What `pareto_front` cannot take it refuses, with a message that names the value, where it stands, or the way out."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from paretree import RULES, pareto_front

X = np.array([[0, 1], [1, 0], [1, 1], [0, 0], [1, 0], [0, 1]])
Y = np.array([0, 1, 1, 0, 1, 0])
NAMES = ["left", "right"]


def refused(match, error=ValueError, X=X, y=Y, **more):
    """Assert that a call is refused with a message that has `match` in it."""
    with pytest.raises(error, match=re.escape(match)):
        pareto_front(X, y, **{"binarizer": None, **more})


def with_cells(dtype, *cells):
    """Put values into X at (row, column)."""
    changed = X.astype(dtype)
    for row, column, value in cells:
        changed[row, column] = value
    return changed


def pandas(array):
    return pd.DataFrame(array, columns=NAMES)


def polars(array):
    return pl.DataFrame(array, schema=NAMES)


SPARSE = [sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix, sp.lil_matrix]
POSITION = "at row 3, column 1"
NAMED = "at row 3, column 'right'"


PLACES = [(np.asarray, POSITION), (np.asfortranarray, POSITION), (pandas, NAMED), (polars, NAMED)]
VALUES = [(int, 7), (np.int8, -1), (np.uint8, 255), (float, 0.5), (float, 1 + 1e-12), (float, float("inf"))]


@pytest.mark.parametrize(("kind", "place"), PLACES)
@pytest.mark.parametrize(("dtype", "value"), VALUES)
def test_the_first_value_that_is_not_0_or_1_is_named(kind, place, dtype, value):
    cells = with_cells(dtype, (3, 1, value), (4, 1, 2), (5, 1, 3))
    refused(f"X holds {value} {place}; only 0 and 1", X=kind(cells))


@pytest.mark.parametrize("kind", SPARSE)
@pytest.mark.parametrize(("dtype", "value"), [(int, 2), (int, -1), (float, 0.5)])
def test_values_of_sparse_matrices_are_named(kind, dtype, value):
    refused(f"X holds {value} {POSITION}; only 0 and 1", X=kind(with_cells(dtype, (3, 1, value))))


def test_the_first_value_goes_by_rows():
    refused("X holds 4 at row 2, column 1", X=with_cells(int, (4, 0, 3), (2, 1, 4)))


def test_values_are_found_far_down():
    cells = np.zeros((100_000, 60), dtype=np.int8)
    cells[99_998, 59] = 2
    refused("X holds 2 at row 99998, column 59", X=cells, y=np.arange(100_000) % 2)


def test_doubled_entries_of_sparse_matrices_are_summed():
    cells = sp.coo_array((np.ones(2), ([4, 4], [1, 1])), shape=(6, 2))
    refused("X holds 2.0 at row 4, column 1", X=cells)


@pytest.mark.parametrize("kind", [np.asarray, *SPARSE])
def test_nan_is_named(kind):
    refused(f"X is NaN {POSITION}; fill it", X=kind(with_cells(float, (3, 1, np.nan))))


@pytest.mark.parametrize("kind", [pandas, polars])
def test_nan_in_frames_is_named(kind):
    with pytest.raises(ValueError, match=r"X is (NaN|missing a value) at row 3, column 'right'; fill it"):
        pareto_front(kind(with_cells(float, (3, 1, np.nan))), Y, binarizer=None)


@pytest.mark.parametrize("dtype", ["Int64", "boolean", "Float64", "object"])
def test_missing_values_of_pandas_are_named(dtype):
    refused(f"X is missing a value {NAMED}; fill it", X=pandas(with_cells(object, (3, 1, None))).astype(dtype))


def test_missing_values_of_polars_are_named():
    frame = pl.DataFrame({"left": [0, 1, 0, 1, 0, 1], "right": [1, 0, 1, None, 1, None]})
    refused(f"X is missing a value {NAMED}; fill it", X=frame)


@pytest.mark.parametrize("value", ["1", "yes", (0,)])
def test_objects_that_are_not_0_or_1_are_named(value):
    cells = X.astype(object)
    cells[3, 1] = value
    refused(f"X holds {value!r} {POSITION}; only 0 and 1", X=cells)


def test_missing_objects_are_named():
    for missing in (pd.NA, None):
        refused(f"X is missing a value {POSITION}", X=with_cells(object, (3, 1, missing)))


def test_masked_cells_are_missing():
    refused("mask", X=np.ma.array(X, mask=X == 1))


@pytest.mark.parametrize("column", [list("xyxyxy"), pd.Categorical(list("xyxyxy")), pd.to_datetime(["2020-02-02"] * 6)])
def test_columns_that_are_not_numbers_are_named(column):
    refused("column 'what'", X=pd.DataFrame({"left": X[:, 0], "what": column}))
    refused("column 'what'", X=pl.DataFrame({"left": X[:, 0], "what": list(column)}))


@pytest.mark.parametrize("dtype", [str, complex, "M8[s]"])
def test_arrays_that_are_not_numbers_are_refused(dtype):
    refused(f"values of type {X.astype(dtype).dtype}", X=X.astype(dtype))


@pytest.mark.parametrize(("wrong", "has"), [(Y, "1 dimension,"), ([0] * 6, "1 dimension,"), (X[None], "3 dimensions")])
def test_the_number_of_dimensions_is_named(wrong, has):
    refused(f"X has {has}", X=wrong)


@pytest.mark.parametrize("wrong", [pd.Series(Y), pl.Series(Y), None, 1, "t.csv", [[0, 1], [1]], pl.LazyFrame({"a": Y})])
def test_what_is_no_table_is_refused(wrong):
    with pytest.raises((TypeError, ValueError), match=r"X (has|is)|inhomogeneous"):
        pareto_front(wrong, Y)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, pandas, polars])
def test_lengths_that_differ_are_named(kind):
    refused("X has 6 rows but y has 5 labels", X=kind(X), y=Y[:5])


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, pandas, polars])
def test_no_rows_are_refused(kind):
    refused("X has no rows; give at least one", X=kind(X[:0]), y=Y[:0])


def test_columns_of_one_name_are_refused():
    with pytest.raises(ValueError, match=r"same name.*'a'"):
        pareto_front(pd.DataFrame(X, columns=["a", "a"]), Y)


def test_labels_of_three_classes_are_listed():
    refused("y has 3 classes ('a', 'b', 'c'); only two are supported", y=list("abcabc"))
    refused("y has 6 classes (0, 1, 2, 3, 4, …); only two are supported", y=range(6))


@pytest.mark.parametrize(
    "y",
    [
        [0, 1, None, 1, 0, 1],
        [0, 1, np.nan, 1, 0, 1],
        np.array(["a", "b", None, "a", "b", "a"], dtype=object),
        pd.Series([0, 1, None, 1, 0, 1]),
        pd.Series([0, 1, None, 1, 0, 1], dtype="Int64"),
        pd.Series([True, False, None, True, True, False], dtype="boolean"),
        pd.Series(["a", "b", None, "b", "a", "a"], dtype="string"),
        pd.Series(["a", "b", None, "b", "a", "a"], dtype="category"),
        pd.Series([0, 1, pd.NA, 1, 0, 1], dtype="object"),
        pl.Series([0, 1, None, 1, 0, 1]),
        pl.Series(["a", "b", None, "b", "a", "a"]),
    ],
)
def test_missing_labels_are_named(y):
    refused("y is missing a label at row 2; drop the row or label it", y=y)


@pytest.mark.parametrize(
    ("y", "match"),
    [
        (np.column_stack([Y, Y]), "y has 2 dimensions"),
        (1, "y has 0 dimensions"),
        (np.array([0, "a", 0, "a", 0, "a"], dtype=object), "y mixes labels of types int, str"),
    ],
)
def test_labels_that_are_not_one_value_for_each_row_are_refused(y, match):
    refused(match, y=y)


@pytest.mark.parametrize(
    ("weight", "match"),
    [
        ([1, 1, -1, 1, 1, 1], "sample_weight is -1.0 at row 2; weights are finite and not negative"),
        ([1, 1, 1, np.nan, 1, 1], "sample_weight is nan at row 3"),
        ([1, 1, 1, 1, np.inf, 1], "sample_weight is inf at row 4"),
        ([1, 1, 1], "X has 6 rows but sample_weight has shape (3,)"),
        (np.ones((6, 1)), "sample_weight has shape (6, 1)"),
        (2, "sample_weight has shape ()"),
        ([2**32, 1, 1, 1, 1, 1], "sample_weight is 4294967296.0 at row 0, which is too large"),
        ([2**24] * 6, "divide the sample weights"),
        ([0] * 6, "all sample weights are zero; give at least one row a positive weight"),
        ([0.0] * 6, "all sample weights are zero; give at least one row a positive weight"),
    ],
)
def test_weights_that_cannot_be(weight, match):
    refused(match, sample_weight=weight)


def test_weights_of_any_scale_count():
    small, one = pareto_front(X, Y, sample_weight=[2.0**-20] * 6), pareto_front(X, Y)
    assert (small.fp * 2**20).tolist() == one.fp.tolist()
    assert [point.tree for point in small] == [point.tree for point in one]


NAN, INF = float("nan"), float("inf")
WRONG = {
    "max_depth": {ValueError: [-1, 1000], TypeError: [2.0, "3", True, None, [2], NAN]},
    "max_nodes": {ValueError: [-1], TypeError: [1.5, "3", False, [2], NAN]},
    "min_samples_leaf": {ValueError: [0, 0.5, -3, NAN, INF, 2**31], TypeError: ["2", None, True, [1]]},
    "time_limit": {ValueError: [0, -1.5, NAN], TypeError: ["10", True, [1]]},
    "memory_limit": {
        ValueError: [0, -1, "lots", "", "-1GB", "1PB", "1IB", "GB", "1,5GB", "1e9", "1 GB free"],
        TypeError: [1.5, True, [1]],
    },
    "points": {ValueError: ["hull", None, "ALL"]},
    "binarizer": {ValueError: ["quantile", 3]},
    "progress": {TypeError: [1, 0, "yes"]},
    "rules": {TypeError: ["cache", 1]},
}
ARGUMENTS = [(name, value, error) for name, wrong in WRONG.items() for error in wrong for value in wrong[error]]


@pytest.mark.parametrize(("name", "value", "error"), ARGUMENTS)
def test_arguments_that_cannot_be_are_shown(name, value, error):
    refused(f"{name}={value!r}: ", error=error, **{name: value})


@pytest.mark.parametrize(
    ("argument", "match"),
    [
        ({"max_depth": 1000}, "give a number from 0 to "),
        ({"max_nodes": -1}, "give a number from 0 to "),
        ({"memory_limit": "lots"}, "give bytes, or text such as '500MB' or '2GiB'"),
        ({"points": "hull"}, "choose 'all' or 'supported'"),
        ({"rules": ["cache", "magic"]}, f"unknown rule 'magic'; the rules are {', '.join(RULES)}"),
        ({"rules": [1]}, "unknown rule 1"),
    ],
)
def test_refusals_tell_the_way_out(argument, match):
    refused(match, **argument)


@pytest.mark.parametrize("value", [0, 1.5, "2"])
def test_numbers_of_threads_that_cannot_be(value):
    refused("n_jobs", error=(TypeError, ValueError), n_jobs=value)


LARGE = ["900GB", "1.5 TiB", "1000000 mb", "900g", " 900000000000 ", "900000000KiB", 2**40, 2**70]


@pytest.mark.parametrize("limit", LARGE)
def test_memory_limits_that_can_be(limit):
    assert pareto_front(X, Y, memory_limit=limit).complete


@pytest.mark.parametrize("limit", [10, 2.5, np.float32(3), INF, 1e300])
def test_time_limits_that_can_be(limit):
    assert pareto_front(X, Y, time_limit=limit).complete


def test_options_are_given_by_name():
    with pytest.raises(TypeError, match="positional"):
        pareto_front(X, Y, 3)
