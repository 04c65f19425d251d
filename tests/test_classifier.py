"""`ParetoTreeClassifier` is a classifier of scikit-learn, and its tree is the one that `best_tree` proves."""

import json
import pickle
import re
import sqlite3

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from paretree import (
    NotProvenWarning,
    ParetoTreeClassifier,
    ThresholdBinarizer,
    Tree,
    best_tree,
    metrics,
    pareto_front,
)
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.tree import plot_tree
from sklearn.utils.estimator_checks import parametrize_with_checks


@parametrize_with_checks(
    [
        ParetoTreeClassifier(),
        ParetoTreeClassifier("mcc", max_depth=2, front="all"),
        ParetoTreeClassifier("gmean", max_nodes=4, complexity=0.001),
        ParetoTreeClassifier("accuracy", binarizer=ThresholdBinarizer("stumps"), class_weight="balanced"),
    ]
)
def test_it_is_a_classifier_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def cancer():
    data = load_breast_cancer(as_frame=True)
    return data.data, data.target.map({0: "malignant", 1: "benign"})


@pytest.fixture(scope="module")
def messy():
    """Numbers, categories, missing values, flags, string labels, a rare class."""
    random = np.random.default_rng(3)
    n = 600
    table = pd.DataFrame(
        {
            "age": random.integers(18, 90, n).astype(float),
            "income": np.round(random.lognormal(10, 1, n), 2),
            "city": random.choice(["Oslo", "Bergen", "O'Hara", "Rome", "Lund"], n, p=[0.4, 0.3, 0.1, 0.1, 0.1]),
            "smoker": random.random(n) < 0.3,
        }
    )
    table.loc[random.random(n) < 0.1, "income"] = np.nan
    table.loc[random.random(n) < 0.05, "city"] = None
    risk = (table.age > 60) * 0.25 + table.income.isna() * 0.4 + (table.city == "Rome") * 0.3
    return table, np.where(random.random(n) < risk * 0.6, "fraud", "fine")


@pytest.mark.parametrize("metric", ["f1", "mcc", "min_recall", metrics.cost(1, 9)])
def test_the_tree_is_the_proven_one(metric, cancer):
    X, y = cancer
    model = ParetoTreeClassifier(metric, max_depth=2, pos_label="malignant").fit(X, y)
    best = best_tree(X, y, metric, max_depth=2, pos_label="malignant")
    assert model.tree_ == best.tree
    assert (model.metric_value_, model.metric_bound_, model.is_optimal_) == (best.value, best.value, True)
    assert model.score(X, y) == pytest.approx(best.value)
    assert model.classes_.tolist() == ["benign", "malignant"]
    assert (model.get_depth(), model.get_n_leaves()) == (best.tree.depth, best.tree.n_leaves)
    assert (model.predict(X) == best.tree.predict(X)).all()


def test_shares_are_those_of_the_leaves(messy):
    X, y = messy
    weight = np.random.default_rng(1).integers(1, 4, len(y))
    model = ParetoTreeClassifier(max_depth=3, pos_label="fraud").fit(X, y, sample_weight=weight)
    leaf, shares = model.apply(X), model.predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(1)
    for at in np.unique(leaf):
        here = leaf == at
        assert shares[here][0, model.classes_.tolist().index("fraud")] == pytest.approx(
            weight[here & (y == "fraud")].sum() / weight[here].sum()
        )


def test_select_takes_another_point(cancer):
    X, y = cancer
    model = ParetoTreeClassifier("f1", max_depth=2, pos_label="malignant", front="all").fit(X, y)
    assert model.front_.complete
    for metric, subject_to in (("mcc", None), ("recall", {"precision": 0.9}), ("gmean", None)):
        assert model.select(metric, subject_to) is model
        expected = best_tree(X, y, metric, subject_to=subject_to, max_depth=2, pos_label="malignant")
        assert (model.metric_value_, model.is_optimal_) == (expected.value, True)
        assert model.score(X, y) == pytest.approx(expected.value)


def test_select_from_the_points_met_says_what_is_proven(cancer):
    X, y = cancer
    model = ParetoTreeClassifier("f1", max_depth=3, pos_label="malignant").fit(X, y)
    assert not model.front_.complete
    # The half-plane that proves F1 proves Jaccard too.
    best = best_tree(X, y, "recall", subject_to={"fp": 3}, max_depth=3, pos_label="malignant")
    with pytest.warns(NotProvenWarning, match="fit with front='all'"):
        model.select("recall", {"fp": 3})
    assert model.metric_value_ <= best.value <= model.metric_bound_
    assert not model.is_optimal_


def test_explanations_are_the_way_to_the_leaf(messy):
    X, y = messy
    model = ParetoTreeClassifier(max_depth=3, pos_label="fraud").fit(X, y)
    forms = {
        r"(\w+) <= (.+)": lambda v, c: v <= float(c),
        r"(\w+) > (.+)": lambda v, c: v > float(c),
        r"(\w+) == '?(.+?)'?$": lambda v, c: v == c.replace('"', ""),
        r"(\w+) != '?(.+?)'?$": lambda v, c: v != c.replace('"', ""),
        r"(\w+) is missing()": lambda v, c: v is None or v != v,
        r"(\w+) is not missing()": lambda v, c: v is not None and v == v,
        r"not (\w+)()": lambda v, c: not v,
        r"(smoker)()": lambda v, c: bool(v),
    }
    for steps, row in zip(model.explain(X), X.to_dict("records"), strict=True):
        assert 0 < len(steps) <= 3
        for step in steps:
            form = next(form for form in forms if re.fullmatch(form, step))
            name, value = re.fullmatch(form, step).groups()
            assert forms[form](row[name], value), (step, row)


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (5, 9), ("n", "y"), (False, True)])
def test_any_two_labels(labels, messy):
    X, y = messy
    codes = (y == "fraud").astype(int)
    model = ParetoTreeClassifier(max_depth=2).fit(X, np.array(labels)[codes])
    assert model.predict(X).dtype == np.array(labels).dtype
    assert set(model.predict(X).tolist()) <= set(labels)
    assert model.metric_value_ == ParetoTreeClassifier(max_depth=2).fit(X, codes).metric_value_
    other = ParetoTreeClassifier(max_depth=2, pos_label=labels[0]).fit(X, np.array(labels)[codes])
    assert other.pos_label_ == labels[0]
    assert other.predict_proba(X).shape == (len(y), 2)


def test_one_class_is_a_constant():
    model = ParetoTreeClassifier().fit([[1.5], [2.5]], ["a", "a"])
    assert model.predict([[9.0]]).tolist() == ["a"]
    assert model.predict_proba([[9.0]]).tolist() == [[1.0]]


def test_all_kinds_of_tables_give_equal_trees(messy):
    X, y = messy
    plain = X.astype(object).where(X.notna(), None)
    tables = [X, pl.DataFrame(plain.to_dict("list")), X.convert_dtypes()]
    models = [ParetoTreeClassifier(max_depth=2, pos_label="fraud").fit(table, y) for table in tables]
    assert all(model.tree_ == models[0].tree_ for model in models)
    assert all(
        (model.predict(table) == models[0].predict(X)).all() for model, table in zip(models, tables, strict=True)
    )
    numbers = X[["age", "income"]].to_numpy()
    array = ParetoTreeClassifier(max_depth=2, pos_label="fraud").fit(numbers, y)
    frame = ParetoTreeClassifier(max_depth=2, pos_label="fraud").fit(X[["age", "income"]], y)
    assert array.tree_.column.tolist() == frame.tree_.column.tolist()


def test_sparse_flags():
    random = np.random.default_rng(4)
    X, y = random.integers(0, 2, (100, 20)), random.integers(0, 2, 100)
    dense, sparse = (ParetoTreeClassifier(binarizer=None).fit(table, y) for table in (X, sp.csr_array(X)))
    assert dense.tree_ == sparse.tree_
    assert (dense.predict(X) == sparse.predict(sp.csc_matrix(X))).all()


def test_class_weight_is_a_weight_of_rows(messy):
    X, y = messy
    by_class = ParetoTreeClassifier("accuracy", max_depth=2, class_weight={"fraud": 8, "fine": 1}).fit(X, y)
    by_row = ParetoTreeClassifier("accuracy", max_depth=2).fit(X, y, sample_weight=np.where(y == "fraud", 8, 1))
    assert by_class.tree_ == by_row.tree_
    balanced = ParetoTreeClassifier("accuracy", max_depth=2, class_weight="balanced").fit(X, y)
    assert balanced.metric_value_ >= 0.5


def own_metric(tp, fp, fn, tn):
    return -fp - 3 * fn


@pytest.mark.parametrize("metric", ["f1", metrics.fbeta(2), metrics.recall_at_precision(0.3), own_metric])
def test_it_pickles_and_clones(metric, messy):
    X, y = messy
    model = clone(ParetoTreeClassifier(metric, max_depth=2, pos_label="fraud")).fit(X, y)
    back = pickle.loads(pickle.dumps(model))
    assert (back.predict(X) == model.predict(X)).all()
    assert back.score(X, y) == model.score(X, y)


def test_scikit_learn_takes_it_in(messy):
    X, y = messy
    model = ParetoTreeClassifier(max_depth=2, pos_label="fraud")
    scores = cross_val_score(model, X, y, cv=3, n_jobs=2)
    assert ((scores >= 0) & (scores <= 1)).all()
    search = GridSearchCV(model, {"max_depth": [1, 2], "metric": ["f1", "mcc"]}, cv=3).fit(X, y)
    assert search.best_estimator_.is_optimal_
    chosen = ColumnTransformer([("keep", "passthrough", ["age", "income"])])
    assert make_pipeline(chosen, model).fit(X, y).score(X, y) > 0
    assert "ParetoTreeClassifier" in model.fit(X, y)._repr_html_()


def test_json_predicts_the_same(messy):
    X, y = messy
    model = ParetoTreeClassifier(max_depth=3, pos_label="fraud").fit(X, y)
    back = Tree.from_json(model.to_json())
    assert back == model.tree_
    assert (back.predict(X) == model.predict(X)).all()
    for text in ("", "{}", model.to_json()[:-5], json.dumps(json.loads(model.to_json()) | {"zero": [9] * 3})):
        with pytest.raises(ValueError, match="JSON"):
            Tree.from_json(text)


def test_sql_predicts_the_same(messy):
    X, y = messy
    model = ParetoTreeClassifier(max_depth=4, pos_label="fraud", binarizer=ThresholdBinarizer(max_categories=2)).fit(
        X, y
    )
    with sqlite3.connect(":memory:") as base:
        X.to_sql("t", base, index=False)
        rows = base.execute(f"SELECT {model.to_sql()} FROM t ORDER BY rowid").fetchall()
    assert [row[0] for row in rows] == model.predict(X).tolist()


def test_dot_has_every_node(messy):
    X, y = messy
    model = ParetoTreeClassifier(max_depth=3, pos_label="fraud").fit(X.rename(columns={"age": 'a "quoted"\\ age'}), y)
    text = model.to_dot()
    assert text.count("->") == len(model.tree_.column) - 1
    assert text.count("label=") == 2 * len(model.tree_.column) - 1
    assert text.startswith("digraph tree {")


def test_scikit_learns_tree_predicts_the_same(cancer):
    X, y = cancer
    for metric in ("f1", metrics.cost(1, 20)):
        model = ParetoTreeClassifier(metric, max_depth=3, pos_label="malignant").fit(X, y)
        tree = model.to_sklearn()
        assert (tree.predict(X) == model.predict(X)).all()
        assert (tree.get_depth(), tree.get_n_leaves()) == (model.get_depth(), model.get_n_leaves())
        assert sum("samples" in box.get_text() for box in plot_tree(tree)) == len(model.tree_.column)
        assert tree.classes_.tolist() == model.classes_.tolist()
    high = X.gt(X.median())
    flags = ParetoTreeClassifier(max_depth=3).fit(high, y)
    assert (flags.to_sklearn().predict(high) == flags.predict(high)).all()


def test_what_scikit_learns_trees_cannot_say_is_refused():
    X = pd.DataFrame({"city": ["a", "b", "a", "c"] * 5})
    model = ParetoTreeClassifier().fit(X, [0, 1, 0, 1] * 5)
    with pytest.raises(ValueError, match="city == 'a' has no counterpart"):
        model.to_sklearn()


@pytest.mark.parametrize(
    ("X", "y", "more", "told"),
    [
        (
            [[1.0], [2.0], [3.0]],
            [0, 1, 2],
            {},
            "Only binary classification is supported. The type of the target is multi",
        ),
        ([[1.0], [2.0]], [0.5, 1.7], {}, "Unknown label type: continuous"),
        ([[1.0], [np.inf]], [0, 1], {}, "infinity"),
        ([[1.0], [2.0]], [0, 1], {"front": "some"}, "front='some': choose 'auto' or 'all'"),
        ([[1.0], [2.0]], [0, 1], {"metric": "auc"}, "unknown metric 'auc'"),
        ([[1.0], [2.0]], [0, 1], {"binarizer": None}, "only 0 and 1"),
        ([[1.0], [2.0]], [0, 1], {"binarizer": "quantile"}, "binarizer='quantile'"),
        ([[1.0], [2.0]], [0, 1], {"pos_label": 7}, "pos_label=7 is not a label"),
        ([[1.0], [2.0]], None, {}, "requires y to be passed"),
    ],
)
def test_bad_input_is_refused(X, y, more, told):
    with pytest.raises(ValueError, match=told):
        ParetoTreeClassifier(**more).fit(X, y)


def test_flags_take_other_numbers_later():
    model = ParetoTreeClassifier().fit([[0], [1], [1], [0]], [0, 1, 1, 0])
    assert model.predict([[2], [0.5], [-1], [np.nan]]).tolist() == [1, 1, 0, 0]
    with pytest.raises(ValueError, match="only 0 and 1"):
        ParetoTreeClassifier(binarizer=None).fit([[0], [1], [1], [0]], [0, 1, 1, 0]).predict([[2]])


def test_limits_are_told(hard_case):
    with pytest.warns(NotProvenWarning, match="time_limit was reached"):
        model = ParetoTreeClassifier(max_depth=5, time_limit=0.3).fit(hard_case.X, hard_case.y)
    assert not model.is_optimal_
    assert model.metric_value_ < model.metric_bound_


def test_the_front_serves_every_budget(messy):
    X, y = messy
    model = ParetoTreeClassifier(max_depth=2, max_nodes=2, front="all", pos_label="fraud").fit(X, y)
    expected = pareto_front(X, y, max_depth=2, max_nodes=2, pos_label="fraud")
    assert [len(front) for front in model.front_.by_nodes] == [len(front) for front in expected.by_nodes]
