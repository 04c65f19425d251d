"""Decision trees over 0/1 columns or over tests of a table: plain arrays that predict, print and pickle.

Guarantees: node 0 is the root, children come after their parent; `column` is -1 in leaves; a row with 0 in the column
of a node goes to `zero`, otherwise to `one`; `label` is 1 in leaves that predict the positive class, 0 in the others,
-1 in branching nodes; `negatives` and `positives` are the weights of the training rows that reach a node. A tree knows
the names of its columns where the data had names, and its tests where the columns answer tests of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from paretree import matrix
from paretree.binarizer import Test
from paretree.columns import Table

ARRAYS = {
    "column": np.int32,
    "zero": np.int32,
    "one": np.int32,
    "label": np.int8,
    "negatives": np.int64,
    "positives": np.int64,
}
"""What a tree has for each of its nodes."""


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree over the columns that the front was computed from."""

    column: np.ndarray
    zero: np.ndarray
    one: np.ndarray
    label: np.ndarray
    negatives: np.ndarray
    positives: np.ndarray
    n_features: int
    feature_names: tuple[str, ...] | None
    negative: Any
    positive: Any
    tests: tuple[Test, ...] | None = None
    """What the columns ask of a table of `n_features` columns; without them X has these columns itself."""

    @classmethod
    def from_json(cls, text: str) -> Tree:
        """The tree that `to_json` of a classifier wrote."""
        from paretree.store import tree_of_json

        return tree_of_json(text)

    @property
    def n_nodes(self) -> int:
        """Number of branching nodes."""
        return int(np.count_nonzero(self.column >= 0))

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return len(self.column) - self.n_nodes

    @property
    def depth(self) -> int:
        """Branching nodes on the longest way from the root to a leaf."""
        depth = np.zeros(len(self.column), dtype=int)
        for node in reversed(range(len(self.column))):
            if self.column[node] >= 0:
                depth[node] = 1 + max(depth[self.zero[node]], depth[self.one[node]])
        return int(depth[0])

    def predict(self, X: Any) -> np.ndarray:
        """The predicted labels, as they were in y."""
        return self.labels()[self.label[self.apply(X)]]

    def apply(self, X: Any) -> np.ndarray:
        """The number of the leaf that each row ends in."""
        rows, answer = self._of_tests(X) if self.tests is not None else self._of_columns(X)
        leaf = np.zeros(rows, dtype=np.intp)
        for node in np.flatnonzero(self.column >= 0):
            here = leaf == node
            yes = answer(int(self.column[node]))
            leaf[here] = np.where(yes[here], self.one[node], self.zero[node])
        return leaf

    def _of_columns(self, X: Any) -> tuple[int, Callable[[int], np.ndarray]]:
        """The number of rows, and which of them have 1 in a column."""
        table = None if self.feature_names is None else matrix.frame(X)
        if table is None or not all(isinstance(name, str) for name in table.columns):
            data = matrix.read(X)
            self._check_width(data.shape[1])
            return data.shape[0], data.column
        used = [self.feature_names[column] for column in self._used()]
        self._check_names(used, table.columns)
        # A tree that tests nothing needs no column, only the number of rows.
        data = matrix.read(table.select(used).to_native()) if used else None
        place = {name: j for j, name in enumerate(used)}
        return len(table), lambda column: data.column(place[self.feature_names[column]])

    def _of_tests(self, X: Any) -> tuple[int, Callable[[int], np.ndarray]]:
        """The number of rows, and which of them answer a test with yes."""
        table = Table(X)
        tests = {column: self.tests[column] for column in self._used()}
        if self.feature_names is None or table.names is None:
            self._check_width(table.shape[1])
            place = {test.column: test.column for test in tests.values()}
        else:
            self._check_names([test.name for test in tests.values()], table.names)
            place = {test.column: table.names.index(test.name) for test in tests.values()}
        columns = {column: table.column(at) for column, at in place.items()}
        return table.shape[0], lambda column: tests[column].holds(columns[tests[column].column])

    def _used(self) -> list[int]:
        return np.unique(self.column[self.column >= 0]).tolist()

    def _check_width(self, columns: int) -> None:
        if columns != self.n_features:
            raise ValueError(f"X has {columns} columns, but the tree was learnt from {self.n_features}")

    def _check_names(self, used: Iterable[str], known: Sequence[str]) -> None:
        missing = [name for name in used if name not in known]
        if missing:
            shown = ", ".join(known[:8])
            raise ValueError(f"X lacks the column {missing[0]!r}, which the tree tests; it has {shown}")

    def labels(self) -> np.ndarray:
        """The negative and the positive label; a class that y did not have is never predicted."""
        present = self.positive if self.negative is None else self.negative
        values = [present if label is None else label for label in (self.negative, self.positive)]
        plain = np.array(values)
        if plain.tolist() == values and plain.dtype.kind != "O":
            return plain
        labels = np.empty(2, dtype=object)
        labels[:] = values
        return labels

    def name(self, column: int) -> str:
        """The test of a column, or its name; `x7` where the data had no names."""
        if self.tests is not None:
            return str(self.tests[column])
        return f"x{column}" if self.feature_names is None else self.feature_names[column]

    def shares(self) -> np.ndarray:
        """The share of negatives and of positives among the training rows that reach each node."""
        weights = np.stack([self.negatives, self.positives], axis=1).astype(float)
        return weights / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(float).tiny)

    def parents(self) -> np.ndarray:
        """The parent of each node, -1 for the root."""
        parents = np.full(len(self.column), -1)
        for node in np.flatnonzero(self.column >= 0):
            parents[[self.zero[node], self.one[node]]] = node
        return parents

    def explain(self, X: Any) -> list[list[str]]:
        """For each row the answers to the tests on its way to its leaf."""
        leaf, parents = self.apply(X), self.parents()
        missing = self._missing(X)
        told = []
        for row, node in enumerate(leaf.tolist()):
            steps: list[str] = []
            while (parent := int(parents[node])) >= 0:
                column, holds = int(self.column[parent]), bool(self.one[parent] == node)
                if self.tests is None:
                    steps.append(self.name(column) if holds else f"not {self.name(column)}")
                else:
                    test = self.tests[column]
                    gone = test.column in missing and bool(missing[test.column][row])
                    steps.append(test.says(holds, gone))
                node = parent
            told.append(steps[::-1])
        return told

    def _missing(self, X: Any) -> dict[int, np.ndarray]:
        """Where the columns of a table that are tested have no value."""
        if self.tests is None:
            return {}
        table = Table(X)
        asked = {self.tests[column].column: self.tests[column].name for column in self._used()}
        by_name = self.feature_names is not None and table.names is not None
        place = {column: table.names.index(name) if by_name else column for column, name in asked.items()}
        return {column: table.column(at).missing for column, at in place.items()}

    def to_text(self) -> str:
        """Write the tree as indented lines: a test, then what follows where it holds and where it does not."""
        labels = self.labels().tolist()
        lines: list[str] = []

        def grow(node: int, lead: str, below: str) -> None:
            if self.column[node] < 0:
                lines.append(f"{lead}predict {labels[self.label[node]]!r}")
                return
            lines.append(f"{lead}{self.name(int(self.column[node]))}")
            grow(int(self.one[node]), f"{below}├─ yes: ", f"{below}│  ")
            grow(int(self.zero[node]), f"{below}└─ no:  ", f"{below}   ")

        grow(0, "", "")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"Tree(depth={self.depth}, n_nodes={self.n_nodes})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        arrays = ("column", "zero", "one", "label")
        same = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in arrays)
        facts = ("n_features", "feature_names", "negative", "positive", "tests")
        return same and all(getattr(self, name) == getattr(other, name) for name in facts)

    def __hash__(self) -> int:
        return hash((self.column.tobytes(), self.label.tobytes(), self.n_features))
