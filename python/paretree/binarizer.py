"""Any table as 0/1 columns that read back as tests: `age <= 41.5`, `color == 'red'`, `income is missing`.

Guarantees: a test means exactly what it says, for rows seen and unseen; a missing value answers every other test of its
column with no; a category that was not seen, or was rare, answers `is rare` with yes where there is such a test and all
others with no. Flags (0/1 or booleans without missing values) stay as they are; of values not seen before, those above
zero answer yes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from paretree import arguments, matrix
from paretree.columns import CATEGORY, FLAG, NUMBER, Column, Table

STRATEGIES = ("quantile", "stumps", "all")
STUMPS = 200  # of the reference model
STUMP_ROWS = 10_000  # that the reference model learns from at most
MOST_TESTS = 100_000
KINDS = ("flag", "<=", "==", "rare", "missing")
"""The kinds of tests."""


@dataclass(frozen=True)
class Test:
    """A question about one column of a table: `value` is a number, a category, or those that are not rare."""

    column: int
    name: str
    kind: str
    value: Any = None

    def holds(self, column: Column) -> np.ndarray:
        """Which values answer it with yes."""
        if self.kind == "missing":
            return column.missing
        if self.kind in ("flag", "<="):
            if column.kind == CATEGORY:
                raise ValueError(f"{self.name} held numbers in the rows that were learnt from; now it holds texts")
            return column.values > 0 if self.kind == "flag" else column.values <= self.value
        texts = column.values if column.kind == CATEGORY else _as_texts(column)
        if self.kind == "==":
            return np.array([text == self.value for text in texts.tolist()], dtype=bool)
        known = set(self.value)
        return np.array([text is not None and text not in known for text in texts.tolist()], dtype=bool)

    def says(self, holds: bool, missing: bool = False) -> str:
        """What an answer says of a row; a row without a value answers no, which says no more than that."""
        if holds:
            return str(self)
        if missing and self.kind != "missing":
            return f"{self.name} is missing"
        opposite = {"<=": f"{self.name} > {self.value!r}", "==": f"{self.name} != {self.value!r}"}
        negated = {
            "flag": f"not {self.name}",
            "missing": f"{self.name} is not missing",
            "rare": f"{self.name} is not rare",
        }
        return (opposite | negated)[self.kind]

    def __str__(self) -> str:
        if self.kind == "flag":
            return self.name
        if self.kind in ("missing", "rare"):
            return f"{self.name} is {self.kind}"
        return f"{self.name} {self.kind} {self.value!r}"


def _as_texts(column: Column) -> np.ndarray:
    """A column of categories that has no texts at all: every value is missing, or is not a category that was seen."""
    missing = column.missing
    return np.array(
        [None if gone else str(value) for gone, value in zip(missing, column.values, strict=True)] + [None],
        dtype=object,
    )[:-1]


class ThresholdBinarizer(TransformerMixin, BaseEstimator):
    """Turn numbers into `x <= t`, categories into `x == c`, missing values into tests of their own.

    Parameters
    ----------
    strategy : where the thresholds of a number are. "quantile": so that about as many rows lie between neighbours;
        "stumps": those that a boosted model of stumps uses most (needs y); "all": between all neighbouring values.
        A column of no more than `max_thresholds` + 1 values has a threshold between all of them in any case.
    max_thresholds : thresholds of one column at most, for "quantile" and "stumps".
    max_categories : categories of one column that have a test of their own; the others are rare.
    random_state : of the rows that "stumps" learns from, where there are more than 10,000.

    Attributes
    ----------
    tests_ : the tests, one for each 0/1 column.
    n_features_in_, feature_names_in_ : of the table.

    """

    def __init__(
        self,
        strategy: str = "quantile",
        *,
        max_thresholds: int = 10,
        max_categories: int = 10,
        random_state: Any = None,
    ) -> None:
        self.strategy = strategy
        self.max_thresholds = max_thresholds
        self.max_categories = max_categories
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> ThresholdBinarizer:
        """Find the tests. A row of weight k counts as k rows, one of weight 0 as none."""
        if self.strategy not in STRATEGIES:
            raise ValueError(f"strategy={self.strategy!r}: choose one of {', '.join(map(repr, STRATEGIES))}")
        arguments.whole("max_thresholds", self.max_thresholds, 1, None)
        arguments.whole("max_categories", self.max_categories, 1, None)
        table = Table(validated(self, X, reset=True))
        weights = None if sample_weight is None else matrix.checked_weights(sample_weight, table.shape[0])
        if weights is not None and not weights.any():
            raise ValueError("all sample weights are zero; give at least one row a positive weight")
        columns = [table.column(j) for j in range(table.shape[1])]
        names = [name_of(table, j) for j in range(table.shape[1])]
        wanted = self._wanted(columns, y, weights)
        tests: list[Test] = []
        for j, (column, name) in enumerate(zip(columns, names, strict=True)):
            if column.kind == FLAG:
                tests.append(Test(j, name, "flag"))
                continue
            tests += self._tests(j, name, column, weights, None if wanted is None else wanted[j])
            if _weighty(column.missing, weights).any():
                tests.append(Test(j, name, "missing"))
        if len(tests) > MOST_TESTS:
            raise ValueError(
                f"{len(tests)} tests, more than {MOST_TESTS}: choose another strategy or lower max_thresholds"
            )
        self.tests_ = tuple(tests)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The answers of each row: 1 for yes, 0 for no."""
        check_is_fitted(self)
        return answers(Table(validated(self, X, reset=False)), self.tests_)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The tests as texts."""
        check_is_fitted(self)
        return np.array([str(test) for test in self.tests_], dtype=object)

    def inverse(self, columns: int | Iterable[int] | None = None) -> Test | list[Test]:
        """The tests behind 0/1 columns, by their numbers; all of them by default."""
        check_is_fitted(self)
        if columns is None:
            return list(self.tests_)
        return self.tests_[columns] if np.ndim(columns) == 0 else [self.tests_[int(j)] for j in columns]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        tags.target_tags.required = self.strategy == "stumps"
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _tests(
        self, j: int, name: str, column: Column, weights: np.ndarray | None, wanted: np.ndarray | None
    ) -> list[Test]:
        if column.kind == CATEGORY:
            counts: Counter[str] = Counter()
            for value, weight in zip(column.values.tolist(), _ones(weights, len(column.values)).tolist(), strict=True):
                if value is not None and weight > 0:
                    counts[value] += weight
            # The most frequent first, and among equals in alphabetical order.
            ranked = sorted(counts, key=lambda value: (-counts[value], value))
            kept = ranked[: self.max_categories]
            tests = [Test(j, name, "==", value) for value in kept]
            return [*tests, *([Test(j, name, "rare", tuple(kept))] if len(ranked) > len(kept) else [])]
        return [Test(j, name, "<=", cut) for cut in self._cuts(column.values, weights, wanted)]

    def _cuts(self, values: np.ndarray, weights: np.ndarray | None, wanted: np.ndarray | None) -> list[float]:
        known = _weighty(~np.isnan(values), weights)
        if weights is None:
            distinct, counts = np.unique(values[known], return_counts=True)
        else:
            distinct, places = np.unique(values[known], return_inverse=True)
            counts = np.bincount(places, weights[known], len(distinct))
        gaps = np.arange(len(distinct) - 1)
        if self.strategy != "all" and len(gaps) > self.max_thresholds:
            if wanted is None:
                # The gap that comes next to each quantile.
                shares = np.arange(1, self.max_thresholds + 1) / (self.max_thresholds + 1)
                below = np.cumsum(counts)[:-1] / counts.sum()
                after = np.searchsorted(below, shares).clip(max=len(gaps) - 1)
                before = np.maximum(after - 1, 0)
                nearer = np.abs(below[before] - shares) <= np.abs(below[after] - shares)
                gaps = np.unique(np.where(nearer, before, after))
            else:
                gaps = np.unique((np.searchsorted(distinct, wanted, side="right") - 1).clip(0, len(gaps) - 1))
        return [readable(distinct[gap], distinct[gap + 1]) for gap in gaps]

    def _wanted(self, columns: list[Column], y: Any, weights: np.ndarray | None) -> list[np.ndarray] | None:
        """The thresholds that a boosted model of stumps uses most, for each column."""
        from sklearn.ensemble import GradientBoostingClassifier  # slow to import

        if self.strategy != "stumps":
            return None
        if y is None:
            raise ValueError(
                "strategy='stumps' requires y to be passed, but the target y is None: give labels, or choose 'quantile'"
            )
        labels = matrix.label_values(y, len(columns[0].values) if columns else 0)
        numbers = [j for j, column in enumerate(columns) if column.kind == NUMBER]
        wanted = [np.zeros(0)] * len(columns)
        rows = np.flatnonzero(_ones(weights, len(labels)) > 0)
        if not numbers or len(np.unique(labels[rows])) < 2:
            return wanted
        X = np.stack([_filled(columns[j].values) for j in numbers], axis=1)
        if len(rows) > STUMP_ROWS:
            some = check_random_state(self.random_state).permutation(rows)[:STUMP_ROWS]
            rows = some if len(np.unique(labels[some])) > 1 else rows
        model = GradientBoostingClassifier(n_estimators=STUMPS, max_depth=1, random_state=0)
        model.fit(X[rows], labels[rows], None if weights is None else weights[rows])
        gains: dict[tuple[int, float], float] = {}
        for stump in model.estimators_.ravel():
            tree = stump.tree_
            if tree.feature[0] >= 0:
                gain = tree.impurity[0] * tree.n_node_samples[0] - (tree.impurity * tree.n_node_samples)[1:].sum()
                key = (int(tree.feature[0]), float(tree.threshold[0]))
                gains[key] = gains.get(key, 0.0) + gain
        for at, j in enumerate(numbers):
            best = sorted(((gain, cut) for (feature, cut), gain in gains.items() if feature == at), reverse=True)
            wanted[j] = np.array([cut for _, cut in best[: self.max_thresholds]])
        return wanted


def _ones(weights: np.ndarray | None, rows: int) -> np.ndarray:
    return np.ones(rows, dtype=np.int64) if weights is None else weights


def _weighty(rows: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Those of the rows that weigh anything."""
    return rows if weights is None else rows & (weights > 0)


def _filled(values: np.ndarray) -> np.ndarray:
    known = values[~np.isnan(values)]
    return np.where(np.isnan(values), np.median(known) if len(known) else 0.0, values)


def readable(low: float, high: float) -> float:
    """A number with few digits, at least `low` and below `high`, as close to their middle as that allows."""
    middle = low + (high - low) / 2
    if float(low).is_integer() and float(high).is_integer():
        return _plain(np.floor(middle))
    scale = -int(np.floor(np.log10(high - low))) if high > low else 0
    for digits in range(scale, scale + 20):
        cut = float(np.round(middle, digits)) if -300 < digits < 300 else middle
        if low <= cut < high:
            return _plain(cut)
    return _plain(low)


def _plain(number: float) -> float | int:
    """Whole numbers without a point, as far as floats are exact."""
    number = float(number)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def name_of(table: Table, j: int) -> str:
    """The name of a column; `x7` where the table has no names."""
    return f"x{j}" if table.names is None else table.names[j]


def validated(estimator: Any, X: Any, reset: bool) -> Any:
    """A data frame, an array or a sparse matrix that scikit-learn's checks have passed, with their messages."""
    if isinstance(X, np.ndarray) or matrix.frame(X) is None:
        return validate_data(
            estimator, X, reset=reset, dtype=None, accept_sparse=("csr", "csc"), ensure_all_finite="allow-nan"
        )
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    shape = matrix.frame(X).shape
    for size, what in zip(shape, ("sample", "feature"), strict=True):
        if size == 0:
            raise ValueError(f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required.")
    return X


def answers(table: Table, tests: Iterable[Test]) -> np.ndarray:
    """The answers of each row to each test, as 0 and 1, column by column."""
    tests = tuple(tests)
    out = np.zeros((table.shape[0], len(tests)), dtype=np.uint8, order="F")
    by_column: dict[int, list[int]] = {}
    for at, test in enumerate(tests):
        by_column.setdefault(test.column, []).append(at)
    for j, places in by_column.items():
        column = table.column(j)
        for at in places:
            out[:, at] = tests[at].holds(column)
    return out
