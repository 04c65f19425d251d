"""Decision trees over 0/1 columns: plain arrays that predict, print and pickle.

Guarantees: node 0 is the root, children come after their parent; `column` is -1 in leaves; a row with 0 in the column
of a node goes to `zero`, otherwise to `one`; `label` is 1 in leaves that predict the positive class, 0 in the others,
-1 in branching nodes. A tree knows the names of its columns where the data had names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from paretree import matrix


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree over the columns that the front was computed from."""

    column: np.ndarray
    zero: np.ndarray
    one: np.ndarray
    label: np.ndarray
    n_features: int
    feature_names: tuple[str, ...] | None
    negative: Any
    positive: Any

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
        table = None if self.feature_names is None else matrix.frame(X)
        if table is not None and all(isinstance(name, str) for name in table.columns):
            used = self._used(table)
            # A tree that tests nothing needs no column, only the number of rows.
            return (
                self._walk(matrix.read(used.to_native()), True) if used.columns else np.zeros(len(table), dtype=np.intp)
            )
        data = matrix.read(X)
        if data.shape[1] != self.n_features:
            raise ValueError(f"X has {data.shape[1]} columns, but the tree was learnt from {self.n_features}")
        return self._walk(data, False)

    def _used(self, table: Any) -> Any:
        """The columns that the tree tests, whatever else the table has."""
        used = [self.name(column) for column in np.unique(self.column[self.column >= 0]).tolist()]
        missing = [name for name in used if name not in table.columns]
        if missing:
            known = ", ".join(table.columns[:8])
            raise ValueError(f"X lacks the column {missing[0]!r}, which the tree tests; it has {known}")
        return table.select(used)

    def _walk(self, data: matrix.Matrix, by_name: bool) -> np.ndarray:
        place = {name: j for j, name in enumerate(data.names or ())}
        leaf = np.zeros(data.shape[0], dtype=np.intp)
        for node in np.flatnonzero(self.column >= 0):
            here = leaf == node
            column = int(self.column[node])
            bits = data.column(place[self.name(column)] if by_name else column)
            leaf[here] = np.where(bits[here], self.one[node], self.zero[node])
        return leaf

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
        """The name of a column; `x7` where the data had no names."""
        return f"x{column}" if self.feature_names is None else self.feature_names[column]

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
        facts = ("n_features", "feature_names", "negative", "positive")
        return same and all(getattr(self, name) == getattr(other, name) for name in facts)

    def __hash__(self) -> int:
        return hash((self.column.tobytes(), self.label.tobytes(), self.n_features))
