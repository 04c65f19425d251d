"""Pictures of fronts and trees with matplotlib, by the conventions of scikit-learn's displays.

Guarantees: every marker is a tree; what is drawn beside the training points was counted on the rows that were given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from paretree import metrics

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from paretree.front import FrontPoint, ParetoFront
    from paretree.tree import Tree

SPACES = {
    "counts": ("False positives", "False negatives"),
    "roc": ("False positive rate", "True positive rate"),
    "pr": ("Recall", "Precision"),
}
# Told apart without colour vision (Okabe and Ito).
TRAINING, HELD_OUT, CHOSEN, LINES = "#0072B2", "#E69F00", "#D55E00", "#999999"
ISO_LINES, GRID = 8, 160


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'paretree[plots]'") from None
    return plt


def _place(space: str, tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[np.ndarray, np.ndarray]:
    """Where counts are in a space; 0/0 counts as 0, and precision as 1 where nothing is predicted."""
    tp, fp, fn, tn = (np.asarray(count, dtype=float) for count in (tp, fp, fn, tn))
    if space == "counts":
        return fp, fn
    recall = metrics.ratio(tp, tp + fn)
    if space == "roc":
        return metrics.ratio(fp, fp + tn), recall
    return recall, np.where(tp + fp > 0, metrics.ratio(tp, tp + fp), 1.0)


class FrontDisplay:
    """A front in a space of its two errors.

    Parameters
    ----------
    front : the front.
    space : "counts" (false positives and negatives), "roc" or "pr".
    metric : draw lines along which this metric stays the same, and mark its best point.
    chosen : the point to mark, in place of the metric's best.
    held_out : a data frame of `front.evaluate`, drawn beside the training points.

    Attributes
    ----------
    ax_, figure_ : where it was drawn.
    points_, hull_, chosen_, held_out_ : what was drawn; None where there is none.

    """

    def __init__(
        self,
        front: ParetoFront,
        *,
        space: str = "counts",
        metric: Any = None,
        chosen: FrontPoint | None = None,
        held_out: Any = None,
    ) -> None:
        if space not in SPACES:
            raise ValueError(f"space={space!r}: choose one of {', '.join(map(repr, SPACES))}")
        self.front, self.space, self.metric, self.chosen, self.held_out = front, space, metric, chosen, held_out

    @classmethod
    def from_front(
        cls, front: ParetoFront, X: Any = None, y: Any = None, *, ax: Axes | None = None, **options: Any
    ) -> FrontDisplay:
        """Draw a front; with X and y each of its trees on these rows too."""
        held_out = None if X is None else front.evaluate(X, y)
        return cls(front, held_out=held_out, **options).plot(ax)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any = None, y: Any = None, *, ax: Axes | None = None, **options: Any
    ) -> FrontDisplay:
        """Draw the front of a fitted classifier, its metric and the point that it chose."""
        model = getattr(estimator, "best_estimator_", estimator)
        at = [(point.tree == model.tree_, point) for point in model.front_]
        chosen = next((point for same, point in at if same), None)
        return cls.from_front(model.front_, X, y, ax=ax, **{"metric": model.metric, "chosen": chosen} | options)

    def plot(self, ax: Axes | None = None) -> FrontDisplay:
        """Draw into axes, or into new ones."""
        if ax is None:
            _, ax = _pyplot().subplots()
        self.ax_, self.figure_ = ax, ax.figure
        x, y = self._places(self.front.fp, self.front.fn)
        self._iso_lines()
        hull = self.front.hull
        (self.hull_,) = ax.plot(x[hull], y[hull], color=LINES, linewidth=1, label="convex hull", zorder=2)
        (self.points_,) = ax.plot(x, y, "o", color=TRAINING, markersize=4, label="training rows", zorder=3)
        self.held_out_ = self.chosen_ = None
        if self.held_out is not None:
            counts = (np.asarray(self.held_out[name]) for name in ("tp", "fp", "fn", "tn"))
            self.held_out_ = ax.plot(
                *_place(self.space, *counts), "s", color=HELD_OUT, markersize=4, label="held-out rows", zorder=3
            )[0]
        chosen = self.chosen
        if chosen is None and self.metric is not None:
            chosen = self.front.best(self.metric)
        if chosen is not None:
            place = self._places(np.array([chosen.fp]), np.array([chosen.fn]))
            said = "chosen" if self.metric is None or self.chosen is not None else f"best {_name(self.metric)}"
            self.chosen_ = ax.plot(*place, "*", color=CHOSEN, markersize=14, label=said, zorder=4)[0]
        ax.set_xlabel(SPACES[self.space][0])
        ax.set_ylabel(SPACES[self.space][1])
        ax.set_title("" if self.front.complete else "not the whole front")
        ax.legend()
        return self

    def _places(self, fp: Any, fn: Any) -> tuple[np.ndarray, np.ndarray]:
        front = self.front
        return _place(self.space, front.positives - fn, fp, fn, front.negatives - fp)

    def _iso_lines(self) -> None:
        if self.metric is None:
            return
        front = self.front
        fp, fn = np.meshgrid(np.linspace(0, front.negatives, GRID), np.linspace(0, front.positives, GRID))
        counts = (front.positives - fn, fp, fn, front.negatives - fp)
        metric = metrics.read(self.metric, front.positives, front.negatives)
        if metric.plain:
            each = zip(*(count.ravel().tolist() for count in counts), strict=True)
            values = np.array([float(self.metric(*four)) for four in each]).reshape(fp.shape)
        else:
            keys = np.broadcast_to(metric.formula(*counts), fp.shape)
            values = np.sign(keys) * np.sqrt(np.abs(keys)) if metric.root else keys
        if np.ptp(values) > 0:
            drawn = self.ax_.contour(
                *self._places(fp, fn), values, ISO_LINES, colors=LINES, linewidths=0.5, linestyles="dotted", zorder=1
            )
            self.ax_.clabel(drawn, fontsize="small")


def _name(metric: Any) -> str:
    return metric if isinstance(metric, str) else getattr(metric, "name", getattr(metric, "__name__", "metric"))


def draw_tree(tree: Tree, ax: Axes | None = None) -> Axes:
    """A tree with the weight of the positive rows in each leaf: where a test holds, to the left."""
    if ax is None:
        _, ax = _pyplot().subplots(figsize=(1.8 * max(tree.n_leaves, 2), 1.2 * (tree.depth + 1)))
    labels, leaves = tree.labels().tolist(), iter(range(tree.n_leaves))
    places: dict[int, tuple[float, float]] = {}

    def grow(node: int, depth: int) -> float:
        if tree.column[node] < 0:
            places[node] = (next(leaves), -depth)
        else:
            sides = [grow(int(child[node]), depth + 1) for child in (tree.one, tree.zero)]
            places[node] = (sum(sides) / 2, -depth)
        return places[node][0]

    grow(0, 0)
    for node, (x, y) in places.items():
        column = int(tree.column[node])
        said = tree.name(column) if column >= 0 else str(labels[tree.label[node]])
        share = f"{tree.positives[node]:g} of {tree.positives[node] + tree.negatives[node]:g}"
        colour = TRAINING if column < 0 and tree.label[node] == 1 else LINES
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": colour}
        ax.text(x, y, f"{said}\n{share}", ha="center", va="center", bbox=box, zorder=2, parse_math=False)
        for child, answer in ((tree.one, "yes"), (tree.zero, "no")) if column >= 0 else ():
            below = places[int(child[node])]
            ax.plot([x, below[0]], [y, below[1]], color=LINES, zorder=1)
            ax.text((x + below[0]) / 2, (y + below[1]) / 2, answer, color=LINES, fontsize="small")
    ax.set_xlim(-0.7, tree.n_leaves - 0.3)
    ax.set_ylim(-tree.depth - 0.5, 0.5)
    ax.set_axis_off()
    return ax
