"""Fronts as data frames: pandas where it is installed, else polars."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from paretree import matrix, metrics

if TYPE_CHECKING:
    from paretree.front import ParetoFront


def frame(columns: dict[str, Any]) -> Any:
    """A data frame of these columns."""
    for backend in ("pandas", "polars"):
        if find_spec(backend):
            return nw.from_dict(columns, backend=backend).to_native()
    raise ImportError("a data frame needs pandas or polars: pip install pandas")


def described(front: ParetoFront) -> Any:
    """Every point of a front: errors, size of its tree, whether it is supported, metrics with a name."""
    supported = np.zeros(len(front), dtype=bool)
    supported[front.hull] = True
    trees = [point.tree for point in front]
    facts = {
        "fp": front.fp,
        "fn": front.fn,
        "n_nodes": [tree.n_nodes for tree in trees],
        "depth": [tree.depth for tree in trees],
        "supported": supported,
    }
    return frame(facts | {name: front.value(name) for name in metrics.REGISTRY})


def evaluated(front: ParetoFront, X: Any, y: Any, sample_weight: Any) -> Any:
    """Every point of a front on other data: errors there and metrics with a name."""
    trees = [point.tree for point in front]
    leaves = [tree.apply(X) for tree in trees]
    codes = _codes(front, y, len(leaves[0]))
    weights = np.ones(len(codes), dtype=np.int64)
    if sample_weight is not None:
        weights = matrix.checked_weights(sample_weight, len(codes))
    rows = []
    for tree, leaf in zip(trees, leaves, strict=True):
        predicted = tree.label[leaf]
        rows.append([weights[(predicted == p) & (codes == c)].sum() for p, c in ((1, 1), (1, 0), (0, 1), (0, 0))])
    tp, fp, fn, tn = np.array(rows).T
    exact = [[metrics.exact(count.item(), "count") for count in row] for row in rows]
    values = {name: [metric(*counts) for counts in exact] for name, metric in metrics.REGISTRY.items()}
    return frame({"train_fp": front.fp, "train_fn": front.fn, "tp": tp, "fp": fp, "fn": fn, "tn": tn} | values)


def _codes(front: ParetoFront, y: Any, rows: int) -> np.ndarray:
    """The labels as 1 for the positive class of the front; labels that it does not know are refused."""
    values = matrix.label_values(y, rows)
    known = front.classes.tolist()
    for row, value in enumerate(values.tolist()):
        if value not in known and value != front.pos_label:
            raise ValueError(f"y holds {value!r} at row {row}, which is not a label of the front: {known}")
    return np.array([value == front.pos_label for value in values.tolist()], dtype=np.int8)
