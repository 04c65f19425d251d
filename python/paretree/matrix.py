"""What the user has, as the core wants it: 0/1 cells, 0/1 labels, whole weights.

Guarantees: nothing but zeros and ones gets through; what is refused is named with its row and column as the user
knows them. Dense 8-bit cells and boolean arrays are not copied; sparse matrices stay sparse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp

STEPS = 1024  # real weights are rounded to multiples of 1/1024, or finer if their mean is below 1, as far as sums fit
MOST_LIGHT = 2**22  # weight of the lighter class on that grid
MOST_HEAVY = 2**28
MISSING = "fill it or give missing values a column of their own"
BLOCK = 1 << 22  # cells that are checked at once


class NotBinary(ValueError):
    """A cell is neither 0 nor 1."""


@dataclass(frozen=True)
class Matrix:
    """0/1 cells, dense or as sparse columns, and the names of the columns."""

    cells: Any
    shape: tuple[int, int]
    names: tuple[str, ...] | None

    def column(self, j: int) -> np.ndarray:
        """Column j as booleans."""
        if isinstance(self.cells, np.ndarray):
            return self.cells[:, j].astype(bool)
        _, starts, rows = self.cells
        out = np.zeros(self.shape[0], dtype=bool)
        out[rows[starts[j] : starts[j + 1]]] = True
        return out


def read(X: Any) -> Matrix:
    """Check X: a numpy array, a data frame or a scipy sparse matrix of zeros and ones."""
    unmasked("X", X)
    if sp.issparse(X):
        return _sparse(X)
    names = None
    if not isinstance(X, np.ndarray) and (table := frame(X)) is not None:
        # Columns that are numbered, not named, are known by position, as scikit-learn has it.
        names = tuple(table.columns) if all(isinstance(name, str) for name in table.columns) else None
        array = _from_frame(table, names)
    else:
        array = np.asarray(X)
    two_dimensional(array)
    return Matrix(_zeros_and_ones(array, lambda j: called(j, names)), array.shape, names)


def two_dimensional(array: Any) -> None:
    """Refuse arrays that are no tables."""
    if array.ndim != 2:
        raise ValueError(
            f"X has {array.ndim} dimension{'s' if array.ndim != 1 else ''}, but a table has 2: "
            "use X.reshape(-1, 1) for a single column or X.reshape(1, -1) for a single row"
        )


def unmasked(name: str, values: Any) -> None:
    """Refuse arrays with masked values."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name} is a masked array with masked values; {MISSING}")


def frame(X: Any) -> nw.DataFrame | None:
    """X as a data frame of narwhals, None if it is something else."""
    try:
        table = nw.from_native(X, eager_only=True, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        raise ValueError(f"X has columns of the same name, rename them: {' '.join(str(error).split())}") from None
    if table is X:
        return None
    if not isinstance(table, nw.DataFrame):
        raise TypeError(f"X is a {type(X).__name__}; give a two-dimensional array or a data frame")
    return table


def _from_frame(table: nw.DataFrame, names: tuple[str, ...] | None) -> np.ndarray:
    out = np.zeros(table.shape, dtype=np.uint8)
    for j, values in enumerate(table.iter_columns()):
        column = called(j, names)
        if values.null_count() > 0:
            row = values.is_null().to_list().index(True)
            raise NotBinary(f"X is missing a value at row {row}, {column}; {MISSING}")
        out[:, j] = _zeros_and_ones(values.to_numpy().reshape(-1, 1), lambda _, column=column: column)[:, 0]
    return out


def called(j: int, names: tuple[str, ...] | None) -> str:
    """A column as messages name it."""
    return f"column {j}" if names is None else f"column {names[j]!r}"


def _zeros_and_ones(array: np.ndarray, called: Callable[[int], str]) -> np.ndarray:
    """The array as C-contiguous uint8, or an error that names the first cell that is neither 0 nor 1."""
    if array.dtype == bool:
        return np.ascontiguousarray(array).view(np.uint8)
    if array.dtype.kind not in "iuf" and array.dtype != object:
        raise NotBinary(
            f"X holds values of type {array.dtype} (first in {called(0)}); only 0 and 1 or booleans are taken: "
            "turn numbers and categories into 0/1 columns first"
        )
    if array.dtype == np.uint8 and array.max(initial=0) <= 1:
        return np.ascontiguousarray(array)
    out = np.empty(array.shape, dtype=np.uint8)
    step = max(1, BLOCK // max(1, array.shape[1]))
    for start in range(0, array.shape[0], step):
        block = array[start : start + step]
        if array.dtype == object:
            _known(block, start, called)
        one = block == 1
        bad = ~(one | (block == 0))
        if bad.any():
            i, j = np.argwhere(bad)[0]
            raise _refusal(block[i, j], start + int(i), called(int(j)))
        out[start : start + step] = one
    return out


def _known(block: np.ndarray, start: int, called: Callable[[int], str]) -> None:
    """Refuse None and pandas.NA, which do not even compare."""
    for i, j in np.ndindex(block.shape):
        if is_missing(block[i, j]):
            raise NotBinary(f"X is missing a value at row {start + i}, {called(j)}; {MISSING}")


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, NaT or pandas.NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def _refusal(value: Any, row: int, column: str) -> NotBinary:
    if isinstance(value, float | np.floating) and np.isnan(value):
        return NotBinary(f"X is NaN at row {row}, {column}; {MISSING}")
    shown = value if isinstance(value, str) else getattr(value, "item", lambda: value)()
    return NotBinary(
        f"X holds {shown!r} at row {row}, {column}; only 0 and 1 are taken: "
        "turn numbers and categories into 0/1 columns first"
    )


def _sparse(X: Any) -> Matrix:
    columns = sp.csc_array(X)
    if not columns.has_canonical_format:
        columns = columns.copy()
        columns.sum_duplicates()
    bad = np.flatnonzero((columns.data != 0) & (columns.data != 1))
    if bad.size:
        at = bad[0]
        column = int(np.searchsorted(columns.indptr, at, side="right")) - 1
        raise _refusal(columns.data[at], int(columns.indices[at]), f"column {column}")
    if (columns.data == 0).any():
        columns = columns.copy()
        columns.eliminate_zeros()
    starts, rows = columns.indptr.astype(np.int64), columns.indices.astype(np.int64)
    return Matrix((columns.shape, starts, rows), columns.shape, None)


@dataclass(frozen=True)
class Labels:
    """The two values of y: the negative and the positive one (None where that class is absent), and those it has."""

    negative: Any
    positive: Any
    classes: np.ndarray


def label_values(y: Any, rows: int) -> np.ndarray:
    """One label for each row, none missing."""
    unmasked("y", y)
    values = y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"y has {values.ndim} dimensions; give one label for each row")
    if len(values) != rows:
        raise ValueError(f"X has {rows} rows but y has {len(values)} labels; they must agree")
    if rows == 0:
        raise ValueError("X has no rows; give at least one")
    if values.dtype.kind in "fmMO":
        missing = [is_missing(value) for value in (values if values.dtype.kind == "O" else values.tolist())]
        if any(missing):
            raise ValueError(f"y is missing a label at row {missing.index(True)}; drop the row or label it")
    return values


def labels(y: Any, rows: int, pos_label: Any) -> tuple[np.ndarray, Labels]:
    """Encode y as 0 and 1: any two values; the larger one is positive unless `pos_label` names the other."""
    values = label_values(y, rows)
    try:
        classes, codes = np.unique(values, return_inverse=True)
    except TypeError:
        kinds = sorted({type(value).__name__ for value in values.tolist()})
        raise ValueError(f"y mixes labels of types {', '.join(kinds)}; use one type") from None
    if len(classes) > 2:
        shown = ", ".join(repr(value) for value in classes[:5].tolist())
        raise ValueError(
            f"y has {len(classes)} classes ({shown}{', …' if len(classes) > 5 else ''}); only two are supported"
        )
    known = classes.tolist()
    if pos_label is not None and pos_label not in known and len(known) == 2:
        raise ValueError(f"pos_label={pos_label!r} is not a label of y, which has {known[0]!r} and {known[1]!r}")
    if len(known) == 1:
        # One class: it is positive if it says so, or looks like a positive label.
        positive = known[0] == pos_label if pos_label is not None else known[0] not in (0, -1, False)
        codes = np.full(rows, positive, dtype=np.uint8)
        absent = pos_label if pos_label is not None and not positive else None
        return codes, Labels(None if positive else known[0], known[0] if positive else absent, classes)
    positive = 1 if pos_label is None else known.index(pos_label)
    codes = (codes == positive).astype(np.uint8)
    return codes, Labels(known[1 - positive], known[positive], classes)


def weights(sample_weight: Any, codes: np.ndarray) -> tuple[np.ndarray | None, float]:
    """Weights as whole numbers of a step, and the step: 1 for whole weights, else a power of two as `STEPS` says."""
    if sample_weight is None:
        return None, 1.0
    given = checked_weights(sample_weight, len(codes))
    if not np.isfinite(given.sum()):
        raise ValueError("the sum of sample_weight is not finite: divide all weights")
    totals = sorted([given[codes == 0].sum(), given[codes == 1].sum()])
    step = 1.0
    if (given != np.floor(given)).any():
        step = max(2.0 ** min(np.floor(np.log2(given[given > 0].mean())), 0.0) / STEPS, np.finfo(float).tiny)
        while totals[0] / step > MOST_LIGHT or totals[1] / step > MOST_HEAVY:
            step *= 2
    whole = np.rint(given / step)
    if whole.max(initial=0) > np.iinfo(np.uint32).max:
        row = int(np.argmax(whole))
        raise ValueError(f"sample_weight is {given[row]} at row {row}, which is too large: divide all weights")
    return whole.astype(np.uint32), float(step)


def checked_weights(sample_weight: Any, rows: int) -> np.ndarray:
    """One finite weight that is not negative for each row."""
    unmasked("sample_weight", sample_weight)
    given = np.asarray(sample_weight, dtype=float)
    if given.shape != (rows,):
        raise ValueError(f"X has {rows} rows but sample_weight has shape {given.shape}; give one weight for each row")
    bad = ~np.isfinite(given) | (given < 0)
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"sample_weight is {given[row]} at row {row}; weights are finite and not negative")
    return given
