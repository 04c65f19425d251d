"""Decision trees over 0/1 columns: plain arrays that predict, print and pickle.

Guarantees: node 0 is the root, children come after their parent; `column` is -1 in leaves; a row with 0 in the column of a
node goes to `zero`, otherwise to `one`; `label` is 1 in leaves that predict the positive class, 0 in the others, -1 in
branching nodes. A tree knows the names of its columns where the data had names.
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
        data = matrix.read(X)
        at = self._positions(data)
        leaf = np.zeros(data.shape[0], dtype=np.intp)
        known: dict[int, np.ndarray] = {}
        for node in np.flatnonzero(self.column >= 0):
            here = leaf == node
            if here.any():
                j = at(int(self.column[node]))
                bits = known.setdefault(j, data.column(j)) if j not in known else known[j]
                leaf[here] = np.where(bits[here], self.one[node], self.zero[node])
        return leaf

    def labels(self) -> np.ndarray:
        """The negative and the positive label; 0 and 1 stand for a class that y did not have."""
        values = [0 if self.negative is None else self.negative, 1 if self.positive is None else self.positive]
        labels = np.empty(2, dtype=object)
        labels[:] = values
        plain = np.array(values)
        return plain if plain.tolist() == values else labels

    def _positions(self, data: matrix.Matrix):
        """Where the columns of the front are in these data: by name if both have names, else by position."""
        if data.names is not None and self.feature_names is not None:
            place = {name: j for j, name in enumerate(data.names)}
            used = sorted({int(column) for column in self.column if column >= 0})
            missing = [self.feature_names[column] for column in used if self.feature_names[column] not in place]
            if missing:
                raise ValueError(f"X lacks the column {missing[0]!r}, which the tree tests; it has {', '.join(data.names[:8])}")
            return lambda column: place[self.feature_names[column]]
        if data.shape[1] != self.n_features:
            raise ValueError(f"X has {data.shape[1]} columns, but the tree was learnt from {self.n_features}")
        return lambda column: column

    def name(self, column: int) -> str:
        """The name of a column; `x7` where the data had no names."""
        return f"x{column}" if self.feature_names is None else self.feature_names[column]

    def to_text(self) -> str:
        """The tree as indented lines: a test, then what follows where it holds and where it does not."""
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
