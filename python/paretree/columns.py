"""The columns of any table, one kind of value each: flags, numbers, categories; missing values are known as such.

Guarantees: what cannot be told apart as one of these kinds is refused with the name of its column; infinities are
refused; a column is looked at only when it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp

from paretree import matrix

FLAG, NUMBER, CATEGORY = "flag", "number", "category"


@dataclass(frozen=True)
class Column:
    """The values of a column: 0/1 as flags, floats with NaN where missing, or objects with None where missing."""

    kind: str
    values: np.ndarray

    @property
    def missing(self) -> np.ndarray:
        """Where values are missing."""
        if self.kind == FLAG:
            return np.zeros(len(self.values), dtype=bool)
        if self.kind == NUMBER:
            return np.isnan(self.values)
        return np.array([value is None for value in self.values.tolist()], dtype=bool)


class Table:
    """A table whose columns are read one by one."""

    def __init__(self, X: Any) -> None:
        matrix.unmasked("X", X)
        frame = None if isinstance(X, np.ndarray) or sp.issparse(X) else matrix.frame(X)
        self._frame = frame
        self._cells = None
        self.names: tuple[str, ...] | None = None
        if frame is not None:
            self.shape = frame.shape
            self.names = tuple(frame.columns) if all(isinstance(name, str) for name in frame.columns) else None
        else:
            cells = sp.csc_array(X) if sp.issparse(X) else np.asarray(X)
            matrix.two_dimensional(cells)
            if not sp.issparse(cells) and cells.dtype.kind == "c":
                raise ValueError("Complex data not supported: X holds complex numbers")
            self._cells, self.shape = cells, cells.shape

    def called(self, j: int) -> str:
        """A column as messages name it."""
        return matrix.called(j, self.names)

    def column(self, j: int) -> Column:
        """Column j."""
        if self._frame is not None:
            return self._from_frame(j)
        if sp.issparse(self._cells):
            return _numbers(self._cells[:, [j]].toarray().ravel(), self.called(j))
        values = self._cells[:, j]
        if values.dtype.kind in "buif":
            return _numbers(values, self.called(j))
        if values.dtype.kind in "OUS":
            return _objects(values, self.called(j))
        raise ValueError(f"X holds values of type {values.dtype} in {self.called(j)}; give numbers, texts or booleans")

    def _from_frame(self, j: int) -> Column:
        series, called = self._frame[:, j], self.called(j)
        kind = series.dtype
        if kind.is_numeric() or kind == nw.Boolean:
            if series.null_count():
                series = series.cast(nw.Float64)
            values = series.to_numpy()
            # Nullable columns come as objects.
            return _numbers(values.astype(float) if values.dtype == object else values, called)
        if kind in (nw.String, nw.Categorical, nw.Enum, nw.Object):
            return _objects(np.array([*series.to_list(), None], dtype=object)[:-1], called)
        raise ValueError(f"X holds values of type {kind} in {called}; give numbers, texts or booleans")


def _numbers(values: np.ndarray, called: str) -> Column:
    if values.dtype == bool:
        return Column(FLAG, values.view(np.uint8))
    if values.dtype.kind == "f" and np.isinf(values).any():
        row = int(np.flatnonzero(np.isinf(values))[0])
        raise ValueError(f"X contains infinity at row {row}, {called}; replace it by a number or by a missing value")
    if ((values == 0) | (values == 1)).all():
        return Column(FLAG, values.astype(np.uint8))
    return Column(NUMBER, values.astype(float))


def _objects(values: np.ndarray, called: str) -> Column:
    """Objects are numbers, or texts, or booleans; never some of each."""
    plain = [None if matrix.is_missing(value) else value for value in values.tolist()]
    kinds = {type(value) for value in plain if value is not None}
    if all(issubclass(kind, bool | np.bool_) for kind in kinds) and kinds and None not in plain:
        return Column(FLAG, np.array(plain, dtype=np.uint8))
    if all(issubclass(kind, int | float | np.number) for kind in kinds):
        return _numbers(np.array([np.nan if value is None else value for value in plain], dtype=float), called)
    if all(issubclass(kind, str) for kind in kinds):
        return Column(CATEGORY, np.array([*plain, None], dtype=object)[:-1])
    odd = next(iter(sorted(kind.__name__ for kind in kinds if not issubclass(kind, int | float | str | np.number))), "")
    if odd:
        raise TypeError(f"{called} of X holds a {odd}: its argument must be a string or a number")
    row = next(i for i, value in enumerate(plain) if isinstance(value, str))
    other = next(i for i, value in enumerate(plain) if value is not None and not isinstance(value, str))
    raise ValueError(
        f"{called} of X mixes texts and numbers ({plain[row]!r} at row {row}, {plain[other]!r} at row {other}); "
        "use one kind of value in a column"
    )
