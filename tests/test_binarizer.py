"""`ThresholdBinarizer` asks what its tests say, in every kind of table, as scikit-learn's transformers do."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from paretree import ParetoFront, ThresholdBinarizer, best_tree, pareto_front
from paretree.binarizer import readable
from sklearn.utils.estimator_checks import parametrize_with_checks

TABLE = {
    "age": [20.0, 30.0, 41.5, 50.0, None, 18.0],
    "color": ["red", "blue", None, "red", "green", "red"],
    "kids": [0, 1, 2, 2, 3, 0],
    "smoker": [True, False, True, True, False, True],
    "ill": [0, 1, 1, 0, 0, 1],
}
Y = np.array([0, 1, 1, 0, 1, 0])


@parametrize_with_checks([ThresholdBinarizer(), ThresholdBinarizer("stumps"), ThresholdBinarizer("all")])
def test_it_is_a_transformer_of_scikit_learn(estimator, check):
    check(estimator)


def by_definition(table, test):
    """Answer a test row by row."""
    values = table[test.name]
    missing = [value is None or value != value for value in values]
    answers = {
        "flag": lambda value: value == 1,
        "<=": lambda value: value <= test.value,
        "==": lambda value: value == test.value,
        "rare": lambda value: value not in test.value,
    }
    if test.kind == "missing":
        return missing
    return [not gone and answers[test.kind](value) for value, gone in zip(values, missing, strict=True)]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, lambda t: pd.DataFrame(t).convert_dtypes()])
@pytest.mark.parametrize("categories", [1, 2, 10])
def test_tests_mean_what_they_say(frame, categories):
    binarizer = ThresholdBinarizer(max_categories=categories).fit(frame(TABLE))
    bits = binarizer.transform(frame(TABLE))
    names = binarizer.get_feature_names_out().tolist()
    assert names[:5] == ["age <= 19", "age <= 25", "age <= 40", "age <= 46", "age is missing"]
    assert ("color is rare" in names) == (categories < 3)
    assert {"color == 'red'", "color is missing", "kids <= 0", "kids <= 2", "smoker", "ill"} <= set(names)
    for test, column in zip(binarizer.tests_, bits.T, strict=True):
        assert column.tolist() == by_definition(TABLE, test), test


def test_categories_that_were_not_seen_are_rare():
    binarizer = ThresholdBinarizer(max_categories=1).fit(pd.DataFrame({"color": ["red", "red", "blue", None]}))
    assert binarizer.get_feature_names_out().tolist() == ["color == 'red'", "color is rare", "color is missing"]
    new = pd.DataFrame({"color": ["green", "blue", "red", None]})
    assert binarizer.transform(new).tolist() == [[0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]
    empty = pd.DataFrame({"color": [None, None]}, dtype=object)
    assert binarizer.transform(empty).tolist() == [[0, 0, 1], [0, 0, 1]]


@pytest.mark.cases(60)
def test_thresholds_split_the_rows_evenly(seed):
    random = np.random.default_rng([seed, 61])
    values = np.round(random.normal(size=int(random.integers(2, 400))), int(random.integers(0, 4)))
    most = int(random.integers(1, 12))
    cuts = [test.value for test in ThresholdBinarizer(max_thresholds=most).fit(values[:, None]).tests_]
    distinct = np.unique(values)
    if set(distinct) <= {0, 1}:
        return
    assert len(cuts) <= most
    assert cuts == sorted(set(cuts))
    # Each lies in a gap of its own.
    assert len(np.unique(np.searchsorted(distinct, cuts, side="right"))) == len(cuts)
    if len(distinct) <= most + 1:
        assert len(cuts) == len(distinct) - 1
    elif len(distinct) == len(values):
        sizes = np.diff([0, *(np.sum(values <= cut) for cut in cuts), len(values)])
        assert sizes.max() - sizes.min() <= 2


def test_a_weight_counts_as_rows():
    random = np.random.default_rng(62)
    X, weight = random.normal(size=(80, 3)).round(1), random.integers(0, 4, 80)
    for strategy in ("quantile", "all"):
        one = ThresholdBinarizer(strategy, max_thresholds=5).fit(X, sample_weight=weight)
        other = ThresholdBinarizer(strategy, max_thresholds=5).fit(np.repeat(X, weight, axis=0))
        assert one.tests_ == other.tests_


def test_stumps_find_the_thresholds_that_matter():
    random = np.random.default_rng(63)
    X = random.uniform(0, 100, (3000, 3))
    y = (X[:, 0] > 90) ^ (random.random(3000) < 0.05)
    binarizer = ThresholdBinarizer("stumps", max_thresholds=2).fit(X, y)
    cuts = [test.value for test in binarizer.tests_ if test.column == 0]
    assert min(abs(cut - 90) for cut in cuts) < 0.5
    assert len([test for test in binarizer.tests_ if test.column == 1]) <= 2
    with pytest.raises(ValueError, match="requires y"):
        ThresholdBinarizer("stumps").fit(X)


@pytest.mark.parametrize(
    ("low", "high", "cut"), [(41, 42, 41), (3, 10, 6), (41.2, 41.9, 41.55), (0.001, 0.0012, 0.0011), (-2.5, 7.25, 2)]
)
def test_thresholds_have_few_digits(low, high, cut):
    assert readable(low, high) == pytest.approx(cut, abs=0.51 * 10 ** np.floor(np.log10(high - low)))
    assert low <= readable(low, high) < high


@pytest.mark.cases(200)
def test_thresholds_separate_any_two_numbers(seed):
    random = np.random.default_rng([seed, 64])
    low = float(random.normal() * 10.0 ** random.integers(-12, 12))
    high = (
        float(np.nextafter(low, np.inf)) if random.random() < 0.3 else low + abs(low) * 10.0 ** -random.integers(0, 15)
    )
    if low < high:
        assert low <= readable(low, high) < high
        assert float(repr(readable(low, high))) == readable(low, high)


@pytest.mark.parametrize(
    ("table", "error", "told"),
    [
        (pd.DataFrame({"a": [1.0, np.inf]}), ValueError, "infinity at row 1, column 'a'"),
        (
            pd.DataFrame({"a": [1, "x", 2]}),
            ValueError,
            "column 'a' of X mixes texts and numbers .*'x' at row 1, 1 at row 0",
        ),
        (pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}), ValueError, "type Datetime.* in column 'a'"),
        (pd.DataFrame({"a": [{}, 1]}), TypeError, "column 'a' of X holds a dict"),
        (pd.DataFrame({"a": []}), ValueError, "0 sample"),
        (pd.DataFrame(index=[1, 2]), ValueError, "0 feature"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), ValueError, "same name"),
        (np.array([[1j]]), ValueError, "Complex"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), (ValueError, TypeError), "datetime64|dtype"),
    ],
)
def test_bad_tables_are_refused(table, error, told):
    with pytest.raises(error, match=told):
        ThresholdBinarizer().fit(table)


def test_what_changes_after_fit_is_refused():
    binarizer = ThresholdBinarizer().fit(pd.DataFrame({"a": [0, 1, 1], "b": [1.5, 2.5, 3.5]}))
    assert binarizer.transform(pd.DataFrame({"a": [2, -1, np.nan], "b": [1.0, 2.0, 3.0]}))[:, 0].tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match="b held numbers"):
        binarizer.transform(pd.DataFrame({"a": [0, 1], "b": ["x", "y"]}))
    with pytest.raises(ValueError, match="feature names"):
        binarizer.transform(pd.DataFrame({"b": [0, 1], "a": [1.0, 2.0]}))


def test_columns_without_values_give_no_tests():
    assert ThresholdBinarizer().fit(pd.DataFrame({"a": [np.nan, np.nan]})).get_feature_names_out().tolist() == [
        "a is missing"
    ]
    assert ThresholdBinarizer().fit([[2.0], [2.0]]).tests_ == ()


def test_tests_are_found_by_number():
    binarizer = ThresholdBinarizer().fit(pd.DataFrame(TABLE))
    assert str(binarizer.inverse(4)) == "age is missing"
    assert [str(test) for test in binarizer.inverse([0, 4])] == ["age <= 19", "age is missing"]
    assert tuple(binarizer.inverse()) == binarizer.tests_
    frame = binarizer.set_output(transform="pandas").transform(pd.DataFrame(TABLE))
    assert frame.columns.tolist() == [str(test) for test in binarizer.tests_]


@pytest.mark.parametrize("binarizer", ["auto", ThresholdBinarizer(max_thresholds=2), ThresholdBinarizer("all")])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_fronts_of_tables_predict_tables(binarizer, frame, tmp_path):
    front = pareto_front(frame(TABLE), Y, max_depth=2, binarizer=binarizer)
    front.save(tmp_path / "front.json")
    back = ParetoFront.load(tmp_path / "front.json")
    assert [point.tree for point in back] == [point.tree for point in front]
    for point in (*front, *back):
        predicted = point.tree.predict(frame(TABLE))
        assert (((predicted == 1) & (Y == 0)).sum(), ((predicted == 0) & (Y == 1)).sum()) == (point.fp, point.fn)
    assert best_tree(frame(TABLE), Y, max_depth=2, binarizer=binarizer).value == front.value("f1").max()


def test_all_kinds_of_tables_give_the_same_tree():
    random = np.random.default_rng(65)
    X, y = random.normal(size=(200, 4)), random.integers(0, 2, 200)
    tables = [X, X.tolist(), X.astype(object), pd.DataFrame(X), sp.csr_array(X)]
    trees = [best_tree(table, y, max_depth=2).tree for table in tables]
    assert all(tree == trees[0] for tree in trees)
    names = ["a", "b", "c", "d"]
    named = [best_tree(f, y, max_depth=2).tree for f in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names))]
    assert named[0] == named[1]
    assert named[0].column.tolist() == trees[0].column.tolist()
    assert "a <= " in str(pareto_front(pd.DataFrame(X, columns=names), y, max_depth=3)[20].tree)
    with pytest.raises(ValueError, match="X lacks the column"):
        named[0].predict(pd.DataFrame(X[:, :0]).assign(z=1.5))
    with pytest.raises(ValueError, match="X has 3 columns, but the tree was learnt from 4"):
        trees[0].predict(X[:, :3])
