"""`ParetoTreeCV` chooses what a loop over folds, depths and sizes would choose."""

import distributed
import joblib
import numpy as np
import pandas as pd
import pytest
from paretree import ParetoTreeClassifier, ParetoTreeCV, metrics
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils.estimator_checks import parametrize_with_checks


@parametrize_with_checks(
    [ParetoTreeCV(max_depth=(1, 2), cv=2), ParetoTreeCV("mcc", max_depth=(2,), max_nodes=(1, 3), cv=2)]
)
def test_it_is_a_classifier_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def cancer():
    data = load_breast_cancer(as_frame=True)
    return data.data.iloc[:, :12], data.target.map({0: "malignant", 1: "benign"})


GRID = {"max_depth": (1, 2, 3), "cv": StratifiedKFold(4, shuffle=True, random_state=0), "pos_label": "malignant"}


def test_scores_are_those_of_a_loop(cancer):
    X, y = cancer
    tuned = ParetoTreeCV("f1", scoring=["mcc", metrics.cost(1, 9)], **GRID).fit(X, y)
    results = tuned.cv_results_
    assert len(results["params"]) == 1 + 3 + 7
    assert results["params"][4] == {"max_depth": 3, "max_nodes": 1}
    for fold, (train, test) in enumerate(GRID["cv"].split(X, y)):
        for at, limits in enumerate(results["params"]):
            model = ParetoTreeClassifier("f1", pos_label="malignant", **limits).fit(X.iloc[train], y.iloc[train])
            assert results[f"split{fold}_train_score"][at] == pytest.approx(model.metric_value_)
            # Of several trees with the same best value another may be chosen; where there is one, all scores agree.
            if tuned_point_is_unique(model):
                assert results[f"split{fold}_test_score"][at] == pytest.approx(model.score(X.iloc[test], y.iloc[test]))
    for name in ("score", "mcc", "cost(fp=1, fn=9)"):
        splits = np.array([results[f"split{fold}_test_{name}"] for fold in range(4)])
        assert results[f"mean_test_{name}"] == pytest.approx(splits.mean(axis=0))
        assert results[f"std_test_{name}"] == pytest.approx(splits.std(axis=0))
        assert results[f"rank_test_{name}"][np.argmax(splits.mean(axis=0))] == 1
    assert tuned.best_score_ == results["mean_test_score"].max()
    assert tuned.best_estimator_.metric_value_ == tuned.best_estimator_.metric_bound_
    assert {
        "max_depth": tuned.best_estimator_.max_depth,
        "max_nodes": tuned.best_estimator_.max_nodes,
    } == tuned.best_params_
    assert (tuned.predict(X) == tuned.best_estimator_.predict(X)).all()
    assert pd.DataFrame(results).shape[0] == 11


def tuned_point_is_unique(model):
    """Whether no other tree of the same errors or the same value was met; then both ways take the same one."""
    return model.tree_.n_nodes <= 1


def test_the_rule_of_one_standard_error_takes_a_smaller_tree(cancer):
    X, y = cancer
    best, smaller = (ParetoTreeCV("f1", rule=rule, refit=False, **GRID).fit(X, y) for rule in ("best", "one_se"))
    results = smaller.cv_results_
    assert smaller.best_params_["max_nodes"] <= best.best_params_["max_nodes"]
    error = results["std_test_score"][best.best_index_] / np.sqrt(3)
    assert smaller.best_score_ >= best.best_score_ - error
    fewer = results["param_max_nodes"] < smaller.best_params_["max_nodes"]
    assert (results["mean_test_score"][fewer] < best.best_score_ - error).all()
    with pytest.raises(AttributeError, match="refit=False"):
        smaller.predict(X)


def test_the_outer_estimate_never_sees_its_rows(cancer):
    X, y = cancer
    tuned = ParetoTreeCV("f1", nested=True, **GRID | {"max_depth": (1, 2)}).fit(X, y)
    for score, (train, test) in zip(tuned.nested_scores_, GRID["cv"].split(X, y), strict=True):
        inner = ParetoTreeCV("f1", **GRID | {"max_depth": (1, 2)}).fit(X.iloc[train], y.iloc[train])
        assert score == inner.score(X.iloc[test], y.iloc[test])
    low, high = tuned.nested_interval_
    assert low < tuned.nested_score_ < high
    assert tuned.nested_score_ == tuned.nested_scores_.mean()


def test_backends_of_joblib_agree(cancer):
    X, y = cancer
    model = ParetoTreeCV("f1", refit=False, **GRID | {"max_depth": (1, 2)})
    one = model.fit(X, y).cv_results_
    for backend in ("loky", "threading"):
        with joblib.parallel_config(backend=backend):
            other = clone(model).set_params(n_jobs=2).fit(X, y).cv_results_
        assert same(one, other)


def same(one, other):
    return all((one[name] == other[name]).all() for name in one if "test_" in name or "train_" in name)


def test_a_dask_cluster_agrees(cancer):
    X, y = cancer
    model = ParetoTreeCV("f1", refit=False, **GRID | {"max_depth": (1, 2)})
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        other = clone(model).set_params(n_jobs=2).fit(X, y).cv_results_
    assert same(model.fit(X, y).cv_results_, other)


def test_what_no_tree_satisfies_scores_as_predicting_nothing(cancer):
    X, y = cancer
    tuned = ParetoTreeCV(
        "recall", subject_to={"fp": 0}, max_depth=(1,), cv=KFold(3, shuffle=True, random_state=1), refit=False
    ).fit(X, y)
    assert (tuned.cv_results_["mean_train_score"] >= 0).all()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"rule": "least"}, "rule='least'"),
        ({"max_depth": ()}, r"max_depth=\(\)"),
        ({"max_depth": 3}, "max_depth=3"),
        ({"max_nodes": "some"}, "max_nodes='some'"),
        ({"max_depth": (1,), "max_nodes": (2, 3)}, "no tree of depth 1"),
        ({"max_depth": (9,)}, "beyond depth 8"),
    ],
)
def test_bad_grids_are_refused(more, told, cancer):
    with pytest.raises(ValueError, match=told):
        ParetoTreeCV(**more).fit(*cancer)
