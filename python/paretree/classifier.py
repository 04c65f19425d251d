"""`ParetoTreeClassifier`: the best small tree for a metric, as scikit-learn's classifiers are used.

Guarantees: the tree is the one that `best_tree` proves; `is_optimal_` and `metric_bound_` say what is proven; what
`predict` says is what the tree printed by `to_text` says.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted

from paretree import export, matrix, metrics
from paretree.best import NotProvenWarning, find
from paretree.binarizer import validated
from paretree.front import ParetoFront
from paretree.levels import Target
from paretree.problem import Problem
from paretree.strategy import Best, Hunt
from paretree.tree import ARRAYS

FRONTS = ("auto", "all")


class ParetoTreeClassifier(ClassifierMixin, BaseEstimator):
    """The decision tree of a given depth and size that is best for a metric, proven.

    Parameters
    ----------
    metric : what to make large: a name of `paretree.metrics`, a metric of its factories, or a function of
        tp, fp, fn, tn.
    subject_to : constraints on the training rows, such as `{"precision": 0.9}`.
    max_depth, max_nodes, min_samples_leaf : limits on the trees; see `pareto_front`.
    complexity : a price for each branching node, taken off the metric.
    pos_label : which label is positive; the larger one by default.
    class_weight : None, "balanced" or a mapping from labels to weights, as in scikit-learn.
    binarizer : how a table becomes 0/1 columns: "auto", a `ThresholdBinarizer`, or None to demand 0/1 columns.
    front : "auto" to search only what the metric's proof needs, "all" for the whole front, so that `select` can choose
        any other point of it.
    time_limit, memory_limit, n_jobs : see `pareto_front`.
    verbose : whether to show progress on a terminal.

    Attributes
    ----------
    classes_ : the labels.
    tree_ : the tree.
    front_ : the front, or with `front="auto"` those of its points that the search met.
    metric_value_, metric_bound_ : the value of the metric on the training rows, and a proven upper bound of it.
    is_optimal_ : whether it is proven that no tree within the limits is better.
    pos_label_ : the positive label.
    tests_ : the tests that the tree's columns ask of the table; None for 0/1 columns.
    stats_ : what the search did.

    """

    def __init__(
        self,
        metric: Any = "f1",
        *,
        subject_to: Mapping[str, Any] | None = None,
        max_depth: int = 3,
        max_nodes: int | None = None,
        min_samples_leaf: float = 1,
        complexity: float = 0.0,
        pos_label: Any = None,
        class_weight: Any = None,
        binarizer: Any = "auto",
        front: str = "auto",
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.metric = metric
        self.subject_to = subject_to
        self.max_depth = max_depth
        self.max_nodes = max_nodes
        self.min_samples_leaf = min_samples_leaf
        self.complexity = complexity
        self.pos_label = pos_label
        self.class_weight = class_weight
        self.binarizer = binarizer
        self.front = front
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ParetoTreeClassifier:
        """Find the best tree for the metric, and prove it."""
        if self.front not in FRONTS:
            raise ValueError(f"front={self.front!r}: choose 'auto' or 'all'")
        X, y = validated(self, X, reset=True), labels_of(self, y)
        check_consistent_length(X, y)
        problem = self.problem(X, y, sample_weight)
        try:
            best, hunt = find(problem, problem.target(self.metric, self.subject_to, self.complexity))
            self.front_ = problem.front(stacklevel=3) if self.front == "all" else _points_met(problem, hunt)
        finally:
            problem.reporter.close()
        self.classes_, self.pos_label_ = problem.labels.classes, problem.labels.positive
        self.tests_, self.tree_, self.stats_ = problem.tests, best.tree, best.stats
        self.metric_value_, self.metric_bound_, self.is_optimal_ = best.value, best.bound, best.is_optimal
        self._scored, self._planes = self.metric, hunt.half_planes
        best.warn(stacklevel=2)
        return self

    def problem(self, X: Any, y: np.ndarray, sample_weight: Any) -> Problem:
        """What is asked of the core."""
        return Problem(
            X=X,
            y=y,
            max_depth=self.max_depth,
            max_nodes=self.max_nodes,
            min_samples_leaf=self.min_samples_leaf,
            pos_label=self.pos_label,
            sample_weight=self._sample_weight(y, sample_weight),
            binarizer=self.binarizer,
            time_limit=self.time_limit,
            memory_limit=self.memory_limit,
            n_jobs=self.n_jobs,
            progress=bool(self.verbose),
            rules=None,
            lenient=True,
        )

    def predict(self, X: Any) -> np.ndarray:
        """The predicted labels."""
        leaf = self.apply(X)
        if len(self.classes_) == 1:
            return np.repeat(self.classes_, len(leaf))
        positive = self._positive
        return self.classes_[np.where(self.tree_.label == 1, positive, 1 - positive)[leaf]]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The shares of the classes among the training rows in each row's leaf, in the order of `classes_`."""
        leaf = self.apply(X)
        if len(self.classes_) == 1:
            return np.ones((len(leaf), 1))
        return self.tree_.shares()[leaf][:, [1, 0] if self._positive == 0 else [0, 1]]

    def apply(self, X: Any) -> np.ndarray:
        """The number of the leaf that each row ends in."""
        check_is_fitted(self)
        return self.tree_.apply(validated(self, X, reset=False))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The metric on these rows. A constraint holds on the training rows, and does not count here."""
        predicted = self.predict(X)
        y = column_or_1d(y)
        counts = metrics.counts(y == self.pos_label_, predicted == self.pos_label_, sample_weight)
        return metrics.score_counts(self._scored, counts)

    def select(self, metric: Any, subject_to: Mapping[str, Any] | None = None) -> ParetoTreeClassifier:
        """Take the point of the front that is best for another metric, without any search.

        With `front="all"` it is the best of all trees. Else it is the best of those that were met on the way to the
        first metric's proof; `metric_bound_` says how much better another might be, and a warning says so.
        """
        check_is_fitted(self)
        front = self.front_
        point = front.best(metric, subject_to)
        target = Target.of_front(front, metric, subject_to)
        key = target.key(*(round(errors / front.weight_step) for errors in (point.fp, point.fn)))
        value = target.value(key)
        bound = value if front.complete else max(value, target.ceiling(key, self._planes))
        self.tree_, self._scored = point.tree, metric
        self.metric_value_, self.metric_bound_, self.is_optimal_ = value, bound, value >= bound
        if not self.is_optimal_:
            told = f"{target.metric} of the best tree known is {value:.6g}, and no tree has more than {bound:.6g}"
            warnings.warn(f"{told}; fit with front='all' to choose among all", NotProvenWarning, stacklevel=2)
        return self

    def explain(self, X: Any) -> list[list[str]]:
        """For each row the answers to the tests on its way, in the columns and units of the table."""
        check_is_fitted(self)
        X = validated(self, X, reset=False)
        return self.tree_.explain(X)

    def get_depth(self) -> int:
        """Tests on the longest way to a leaf."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def to_text(self) -> str:
        """The tree as indented lines."""
        check_is_fitted(self)
        return self.tree_.to_text()

    def plot(self, ax: Any = None) -> Any:
        """Draw the tree with matplotlib; the axes. `paretree.plots.FrontDisplay.from_estimator` draws the front."""
        check_is_fitted(self)
        from paretree.plots import draw_tree

        return draw_tree(self.tree_, ax)

    def to_dot(self) -> str:
        """The tree for Graphviz."""
        check_is_fitted(self)
        return export.dot(self.tree_)

    def to_sql(self) -> str:
        """The prediction as a CASE expression over the columns of the table."""
        check_is_fitted(self)
        return export.sql(self.tree_)

    def to_json(self, path: str | Path | None = None) -> str:
        """The tree as JSON, also written to a file if one is named; `Tree.from_json` reads it back."""
        check_is_fitted(self)
        text = export.json_text(self.tree_)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def to_sklearn(self) -> Any:
        """The same predictions as a fitted `DecisionTreeClassifier` on the numeric columns of the table."""
        check_is_fitted(self)
        return export.sklearn_tree(self.tree_, self.classes_, self.n_features_in_, self._positive)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = self.binarizer is not None
        tags.input_tags.categorical = self.binarizer is not None
        tags.input_tags.string = self.binarizer is not None
        tags.input_tags.sparse = True
        return tags

    @property
    def _positive(self) -> int:
        """The place of the positive label among the classes."""
        return int(np.flatnonzero(self.classes_ == self.pos_label_)[0])

    def _sample_weight(self, y: np.ndarray, sample_weight: Any) -> Any:
        if self.class_weight is None:
            return sample_weight
        by_class = compute_sample_weight(self.class_weight, y)
        return by_class if sample_weight is None else by_class * matrix.checked_weights(sample_weight, len(y))


def labels_of(estimator: Any, y: Any) -> np.ndarray:
    """Labels of two classes at most, or scikit-learn's messages."""
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
    y = column_or_1d(y, warn=True)
    check_array(y, ensure_2d=False, dtype=None, input_name="y", ensure_min_samples=0)
    check_classification_targets(y)
    kind = type_of_target(y)
    if kind != "binary":
        raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
    return y


def _points_met(problem: Problem, hunt: Hunt) -> ParetoFront:
    """The nondominated points that a search met, as a front that is not complete."""
    kept: list[Best] = []
    for point in sorted(hunt.known.values(), key=lambda point: (point.fp, point.fn)):
        if not kept or point.fn < kept[-1].fn:
            kept.append(point)
    layer = {name: np.concatenate([point.tree[name] for point in kept]) for name in ARRAYS}
    layer |= {"fp": np.array([point.fp for point in kept]), "fn": np.array([point.fn for point in kept])}
    layer["starts"] = np.cumsum([0, *(len(point.tree["column"]) for point in kept)])
    # There is a front for this budget only.
    about = replace(problem.about("metric", hunt.counters), max_nodes=None)
    return ParetoFront([layer], about)
