"""`pareto_front`: from a user's call to the core and back.

Guarantees: every point comes with a tree whose false positives and false negatives were counted again on the rows as
given; `complete` is true only if the search proved that no tree within the limits does better anywhere; the same input
gives the same front and the same trees, for any number of threads, unless a limit ended the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from paretree.front import ParetoFront
from paretree.problem import Problem


def pareto_front(
    X: Any,
    y: Any,
    *,
    max_depth: int = 3,
    max_nodes: int | None = None,
    min_samples_leaf: float = 1,
    pos_label: Any = None,
    sample_weight: Any = None,
    binarizer: Any = "auto",
    points: str = "all",
    time_limit: float | None = None,
    memory_limit: int | str | None = None,
    n_jobs: int | None = None,
    progress: bool | Callable[..., object] | None = None,
    rules: Iterable[str] | None = None,
) -> ParetoFront:
    """Find every nondominated (false positives, false negatives) of small decision trees, each with its tree.

    Parameters
    ----------
    X : numpy array, data frame (pandas, polars, …) or scipy sparse matrix.
    y : labels, any two values. The larger one is positive unless `pos_label` says otherwise.
    max_depth : branching nodes on any way from the root to a leaf.
    max_nodes : branching nodes in the whole tree; `.by_nodes` then has the front for every smaller budget too.
    min_samples_leaf : least sum of sample weights in a leaf, rows counting 1 without weights; 1 asks for a row.
        A tree that is one leaf is always allowed.
    sample_weight : whole weights are exact, and weight k is the same as k copies of the row. Other weights are
        rounded to multiples of 1/1024; of a smaller power of two if their mean is below 1, of a larger one if
        their sums need it; `.weight_step` tells.
    binarizer : how X becomes 0/1 columns. "auto" takes 0/1 columns as they are and any other table through a
        `ThresholdBinarizer()`; one of your own is fitted to X; None demands 0/1 columns.
    points : "all", or "supported" for the vertices of the convex hull only.
    time_limit : seconds. When they are over, what was found so far is returned, marked as incomplete.
    memory_limit : bytes, or text such as "1GB", that the whole process shall stay below.
    n_jobs : threads, as in joblib. The answer does not depend on it.
    progress : True for a line on a terminal, or a callable that takes a `Progress` record.
    rules : names of the pruning rules that are on (see `RULES`); for tests and ablations. Default: all.

    Ctrl-C ends the search too: it returns what was found so far, marked as incomplete.

    """
    if points not in ("all", "supported"):
        raise ValueError(f"points={points!r}: choose 'all' or 'supported'")
    problem = Problem(
        X=X,
        y=y,
        max_depth=max_depth,
        max_nodes=max_nodes,
        min_samples_leaf=min_samples_leaf,
        pos_label=pos_label,
        sample_weight=sample_weight,
        binarizer=binarizer,
        time_limit=time_limit,
        memory_limit=memory_limit,
        n_jobs=n_jobs,
        progress=progress,
        rules=rules,
    )
    try:
        return problem.front(supported=points == "supported")
    finally:
        problem.reporter.close()
