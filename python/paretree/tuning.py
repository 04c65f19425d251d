"""`ParetoTreeCV`: depth and size chosen by cross-validation, from one solver for each fold.

Guarantees: tests, thresholds and trees of a fold come from its training rows alone; a budget's front serves every
metric, so that several scores cost no further search; the outer estimate of `nested` never sees the rows it scores.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import joblib
import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, check_consistent_length
from sklearn.utils.validation import check_is_fitted

from paretree import arguments, metrics
from paretree._core import MOST_DEPTH
from paretree.binarizer import validated
from paretree.classifier import ParetoTreeClassifier, labels_of
from paretree.front import Infeasible, ParetoFront

RULES = ("best", "one_se")


class ParetoTreeCV(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A `ParetoTreeClassifier` whose depth and number of nodes are chosen by cross-validation.

    Parameters
    ----------
    metric : what the trees are optimal for on training rows, and what they are chosen by on held-out rows.
    max_depth : the depths to try.
    max_nodes : the numbers of branching nodes to try, or "all": every number up to the largest tree of each depth.
    cv : folds, as scikit-learn's `check_cv` takes them; an integer gives stratified folds.
    scoring : further metrics to report: a list of names or metrics.
    rule : "best" takes the best mean score, the smaller tree among equals; "one_se" the smallest tree whose mean is
        within one standard error of that.
    nested : whether to estimate, by an outer cross-validation over the same kind of folds, what the whole procedure
        scores on new rows.
    refit : whether to fit the chosen depth and size on all rows.
    subject_to, min_samples_leaf, pos_label, class_weight, binarizer, time_limit, memory_limit : as for the classifier.
        The limits are those of each search.
    n_jobs : folds at a time, through joblib.

    Attributes
    ----------
    cv_results_ : as `GridSearchCV` lays it out, one row for each depth and size; `pooled_test_score` is the metric of
        all held-out rows together.
    best_params_, best_index_, best_score_, best_estimator_ : the choice.
    nested_scores_, nested_score_, nested_interval_ : each outer fold's score, their mean, and its 95 % confidence
        interval from the spread of the folds (t distribution).

    """

    def __init__(
        self,
        metric: Any = "f1",
        *,
        max_depth: Sequence[int] = (1, 2, 3, 4),
        max_nodes: str | Sequence[int] = "all",
        cv: Any = 5,
        scoring: Sequence[Any] | None = None,
        rule: str = "best",
        nested: bool = False,
        refit: bool = True,
        subject_to: Mapping[str, Any] | None = None,
        min_samples_leaf: float = 1,
        pos_label: Any = None,
        class_weight: Any = None,
        binarizer: Any = "auto",
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.metric = metric
        self.max_depth = max_depth
        self.max_nodes = max_nodes
        self.cv = cv
        self.scoring = scoring
        self.rule = rule
        self.nested = nested
        self.refit = refit
        self.subject_to = subject_to
        self.min_samples_leaf = min_samples_leaf
        self.pos_label = pos_label
        self.class_weight = class_weight
        self.binarizer = binarizer
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ParetoTreeCV:
        """Choose depth and size, and fit them on all rows."""
        if self.rule not in RULES:
            raise ValueError(f"rule={self.rule!r}: choose 'best' or 'one_se'")
        X, y = validated(self, X, reset=True), labels_of(self, y)
        check_consistent_length(X, y)
        weight = None if sample_weight is None else np.asarray(sample_weight)
        self.cv_results_, self.n_splits_ = self._search(X, y, weight)
        self.best_index_ = self._choice(self.cv_results_)
        self.best_params_ = self.cv_results_["params"][self.best_index_]
        self.best_score_ = self.cv_results_["mean_test_score"][self.best_index_]
        if self.nested:
            self._estimate(X, y, weight)
        self.classes_ = np.unique(y)
        if self.refit:
            started = time.perf_counter()
            self.best_estimator_ = self._classifier(**self.best_params_).fit(X, y, sample_weight)
            self.refit_time_ = time.perf_counter() - started
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The labels that the best estimator predicts."""
        return self._fitted().predict(X)

    def predict_proba(self, X: Any) -> np.ndarray:
        """The shares of the classes in each row's leaf of the best estimator."""
        return self._fitted().predict_proba(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The metric of the best estimator on these rows."""
        return self._fitted().score(X, y, sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags = ParetoTreeClassifier(binarizer=self.binarizer).__sklearn_tags__().input_tags
        return tags

    def _fitted(self) -> ParetoTreeClassifier:
        check_is_fitted(self)
        if not self.refit:
            raise AttributeError("refit=False: there is no best_estimator_; fit best_params_ yourself")
        return self.best_estimator_

    def _grid(self) -> list[tuple[int, int]]:
        """Depths and sizes to try; sizes that a depth cannot have are left out."""
        if np.ndim(self.max_depth) != 1 or not len(self.max_depth):
            raise ValueError(f"max_depth={self.max_depth!r}: give the depths to try, such as (1, 2, 3)")
        depths = [arguments.whole("max_depth", depth, 0, MOST_DEPTH) for depth in self.max_depth]
        if isinstance(self.max_nodes, str):
            if self.max_nodes != "all":
                raise ValueError(f"max_nodes={self.max_nodes!r}: give 'all', or the numbers of nodes to try")
            if max(depths) > 8:
                raise ValueError(
                    "max_nodes='all' beyond depth 8 means too many sizes: give the numbers of nodes to try"
                )
            return [(depth, nodes) for depth in depths for nodes in range(min(1, depth), 2**depth)]
        sizes = [arguments.whole("max_nodes", nodes, 0, 2**31 - 1) for nodes in self.max_nodes]
        grid = [(depth, nodes) for depth in depths for nodes in sizes if nodes < 2**depth]
        if not grid:
            raise ValueError(f"max_nodes={self.max_nodes!r}: no tree of depth {max(depths)} has so many nodes")
        return grid

    def _classifier(self, **limits: Any) -> ParetoTreeClassifier:
        shared = ("metric", "subject_to", "min_samples_leaf", "pos_label", "class_weight", "binarizer")
        shared += ("time_limit", "memory_limit")
        return ParetoTreeClassifier(**{name: getattr(self, name) for name in shared}, **limits)

    def _scores(self) -> dict[str, Any]:
        """The metrics to score by name; the one that is tuned is called "score"."""
        named = {"score": self.metric}
        for metric in self.scoring or ():
            named[metric if isinstance(metric, str) else getattr(metric, "name", None) or metric.__name__] = metric
        return named

    def _search(self, X: Any, y: np.ndarray, weight: np.ndarray | None) -> tuple[dict[str, Any], int]:
        """Every depth and size on every fold, laid out as `GridSearchCV` does."""
        grid, scores = self._grid(), self._scores()
        folds = list(check_cv(self.cv, y, classifier=is_classifier(self)).split(X, y))
        done = joblib.Parallel(n_jobs=self.n_jobs)(
            joblib.delayed(_fold)(clone(self), grid, scores, X, y, weight, train, test) for train, test in folds
        )
        results: dict[str, Any] = {
            "params": [{"max_depth": depth, "max_nodes": nodes} for depth, nodes in grid],
            "param_max_depth": np.ma.array([depth for depth, _ in grid]),
            "param_max_nodes": np.ma.array([nodes for _, nodes in grid]),
        }
        for clock in ("fit_time", "score_time"):
            times = np.array([fold[clock] for fold in done])
            results |= {f"mean_{clock}": times.mean(axis=0), f"std_{clock}": times.std(axis=0)}
        for name, metric in scores.items():
            for part in ("test", "train"):
                values = np.array([fold[part][name] for fold in done])
                results |= {f"split{at}_{part}_{name}": row for at, row in enumerate(values)}
                results |= {f"mean_{part}_{name}": values.mean(axis=0), f"std_{part}_{name}": values.std(axis=0)}
            results[f"rank_test_{name}"] = _ranks(results[f"mean_test_{name}"])
            counts = np.sum([fold["counts"] for fold in done], axis=0)
            results[f"pooled_test_{name}"] = np.array([metrics.score_counts(metric, row.tolist()) for row in counts])
        return results, len(folds)

    def _choice(self, results: Mapping[str, Any]) -> int:
        """The row that the rule takes."""
        mean, std = results["mean_test_score"], results["std_test_score"]
        best = int(np.lexsort((results["param_max_depth"], results["param_max_nodes"], -mean))[0])
        if self.rule == "best":
            return best
        folds = sum(name.startswith("split") and name.endswith("_test_score") for name in results)
        floor = mean[best] - std[best] * np.sqrt(1 / max(folds - 1, 1))
        near = np.flatnonzero(mean >= floor)
        order = np.lexsort((-mean[near], results["param_max_depth"][near], results["param_max_nodes"][near]))
        return int(near[order[0]])

    def _estimate(self, X: Any, y: np.ndarray, weight: np.ndarray | None) -> None:
        """Score the whole procedure on rows that it never saw."""
        folds = list(check_cv(self.cv, y, classifier=True).split(X, y))
        inner = clone(self).set_params(nested=False, refit=True, n_jobs=None)
        scores = joblib.Parallel(n_jobs=self.n_jobs)(
            joblib.delayed(_outer)(clone(inner), X, y, weight, train, test) for train, test in folds
        )
        self.nested_scores_ = np.array(scores)
        self.nested_score_ = float(self.nested_scores_.mean())
        spread = stats.sem(self.nested_scores_) if len(scores) > 1 else np.nan
        half = float(stats.t.ppf(0.975, max(len(scores) - 1, 1)) * spread)
        self.nested_interval_ = (self.nested_score_ - half, self.nested_score_ + half)


def _outer(model: ParetoTreeCV, X: Any, y: np.ndarray, weight: Any, train: np.ndarray, test: np.ndarray) -> float:
    model.fit(_safe_indexing(X, train), y[train], None if weight is None else weight[train])
    return model.score(_safe_indexing(X, test), y[test], None if weight is None else weight[test])


def _fold(
    model: ParetoTreeCV,
    grid: list[tuple[int, int]],
    scores: Mapping[str, Any],
    X: Any,
    y: np.ndarray,
    weight: np.ndarray | None,
    train: np.ndarray,
    test: np.ndarray,
) -> dict[str, Any]:
    """All depths and sizes on one fold: a front with every budget for each depth, a tree for each place of the grid."""
    parts = {
        name: (_safe_indexing(X, rows), y[rows], None if weight is None else weight[rows])
        for name, rows in (("train", train), ("test", test))
    }
    sizes = {depth: max(nodes for other, nodes in grid if other == depth) for depth, _ in grid}
    fronts: dict[int, tuple[ParetoFront, float]] = {}
    problem = model._classifier(max_depth=max(sizes), max_nodes=max(sizes.values())).problem(*parts["train"])
    solver = problem.solver(problem.nodes)
    for depth in sizes:
        started = time.perf_counter()
        fronts[depth] = problem.front(solver, depth), time.perf_counter() - started
    positive = problem.labels.positive
    out: dict[str, Any] = {name: {score: [] for score in scores} for name in parts}
    out |= {"fit_time": [], "score_time": [], "counts": []}
    for depth, nodes in grid:
        front, seconds = fronts[depth]
        started = time.perf_counter()
        within = front.by_nodes[nodes]
        try:
            point = within.best(model.metric, model.subject_to)
        except Infeasible:
            point = within[0]  # predict nothing positive, where no tree satisfies the constraints
        for name, (table, labels, weights) in parts.items():
            counts = metrics.counts(labels == positive, point.tree.predict(table) == positive, weights)
            for score, metric in scores.items():
                out[name][score].append(metrics.score_counts(metric, counts))
        out["counts"].append(counts)
        out["score_time"].append(time.perf_counter() - started)
        out["fit_time"].append(seconds)
    return out


def _ranks(means: np.ndarray) -> np.ndarray:
    return stats.rankdata(-means, method="min").astype(np.int32)
