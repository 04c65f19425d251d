"""`best_tree`: the tree that is best for a metric, proven, without the rest of the front.

Guarantees: the errors were counted again on the rows as given; `is_optimal` is true only if it is proven that no tree
within the limits has a greater value; `bound` is never below the value of any tree within the limits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from paretree.front import Infeasible
from paretree.levels import Target
from paretree.metric import MONOTONE, Constraint, Metric
from paretree.problem import CAUSES, Problem, warn
from paretree.strategy import Hunt
from paretree.tree import Tree

MOST_NODES = 255  # of the core, where a budget is one of many layers


class NotProvenWarning(UserWarning):
    """A limit or Ctrl-C ended the search: the tree is real, but a better one may exist."""


@dataclass(frozen=True)
class BestTree:
    """The best tree found, its errors, and what is proven of better ones."""

    metric: Metric
    value: float
    """The metric's value, less the price of the nodes."""
    bound: float
    """No tree within the limits has a greater value."""
    fp: float
    fn: float
    tree: Tree
    positives: float
    negatives: float
    stopped: str | None
    """What ended the search early: None if nothing did."""
    stats: dict[str, float | None] = field(repr=False)

    @property
    def is_optimal(self) -> bool:
        """Whether it is proven that no tree within the limits is better."""
        return self.value >= self.bound

    def warn(self, stacklevel: int) -> None:
        """Say that a limit came before the proof, if one did."""
        if self.stopped is None or self.is_optimal:
            return
        told = f"{self.metric} of the best tree found is {self.value:.6g}, and no tree has more than {self.bound:.6g}"
        warn(self.stopped, self.stats["seconds"], told, NotProvenWarning, stacklevel + 1)

    def __repr__(self) -> str:
        proof = "proven optimal" if self.is_optimal else f"at most {self.bound:.6g}, {self.stopped}"
        return f"BestTree({self.metric}={self.value:.6g}, {proof}, fp={self.fp}, fn={self.fn}, {self.tree!r})"


def best_tree(
    X: Any,
    y: Any,
    metric: str | Metric | Callable[..., float] = "f1",
    *,
    subject_to: Mapping[str, Any] | None = None,
    max_depth: int = 3,
    max_nodes: int | None = None,
    min_samples_leaf: float = 1,
    complexity: float = 0.0,
    pos_label: Any = None,
    sample_weight: Any = None,
    binarizer: Any = "auto",
    time_limit: float | None = None,
    memory_limit: int | str | None = None,
    n_jobs: int | None = None,
    progress: bool | Callable[..., object] | None = None,
    rules: Iterable[str] | None = None,
) -> BestTree:
    """Find the small decision tree with the greatest value of a metric, and prove it.

    It is the best point of the front, found without the rest of it, which takes less time on all but small data.

    Parameters
    ----------
    metric : a name of `paretree.metrics`, one of its factories' metrics, or a function of tp, fp, fn, tn.
    subject_to : constraints such as `{"precision": 0.9, "fpr": ("<=", 0.01)}`. `Infeasible` is raised where no tree
        within the limits satisfies them.
    complexity : a price for each branching node: what is made large is the metric less `complexity` times the nodes.
    X, y and the others : as for `pareto_front`.

    """
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
    target = problem.target(metric, subject_to, complexity)
    try:
        best, _ = find(problem, target)
    finally:
        problem.reporter.close()
    best.warn(stacklevel=2)
    return best


def find(problem: Problem, target: Target) -> tuple[BestTree, Hunt]:
    """Find the best tree of a problem for a target; and what else is known after the search."""
    solver = problem.solver(_budget(problem, target))
    hunt = Hunt(solver, target, problem.depth, problem.until, "shallow_first" in problem.chosen)
    hunt.run()
    found = hunt.best
    if found is None or found.key is None:
        raise Infeasible(_nothing_feasible(problem, target, hunt))
    about = problem.about(hunt.stopped, hunt.counters)
    best = BestTree(
        target.metric,
        target.value(found.key, found.nodes),
        hunt.bound,
        about.weigh(found.fp),
        about.weigh(found.fn),
        about.tree(found.tree),
        about.weigh(target.positives),
        about.weigh(target.negatives),
        hunt.stopped,
        about.stats,
    )
    return best, hunt


def _budget(problem: Problem, target: Target) -> int | None:
    """The limit on branching nodes; where nodes have a price, the most that can pay."""
    # More nodes than that tell no more rows apart.
    most = min(2**problem.depth - 1, max(problem.data.shape[0] - 1, 0))
    nodes = most if problem.nodes is None else min(problem.nodes, most)
    if not target.complexity:
        return None if problem.nodes is None else nodes
    top = target.value(target.key(0, 0))
    floor = max(target.value(target.key(*point)) for point in ((target.negatives, 0), (0, target.positives)))
    # Without a tree that is known to satisfy the constraints, any number of nodes may be needed.
    if floor > -math.inf and (top - floor) / float(target.complexity) < most:
        nodes = min(nodes, int((top - floor) / float(target.complexity)) + 1)
    if nodes > MOST_NODES:
        raise ValueError(
            f"complexity={float(target.complexity):g} at max_depth={problem.depth} asks for trees of up to {nodes} "
            f"nodes; set max_nodes to {MOST_NODES} at most"
        )
    return nodes


def _nothing_feasible(problem: Problem, target: Target, hunt: Hunt) -> str:
    """Say what no tree has, and which constraint could be met how far beside the others."""
    asked = " and ".join(map(str, target.demands))
    if hunt.stopped is not None:
        return f"{CAUSES[hunt.stopped]} before a tree was found that has {asked}"
    told = f"no tree within the limits has {asked}"
    for at, constraint in enumerate(target.demands):
        others = target.demands[:at] + target.demands[at + 1 :]
        closest = _closest(problem, target, constraint, others)
        if closest is not None:
            beside = f" beside {' and '.join(map(str, others))}" if others else ""
            return f"{told}: {constraint.name} is {closest:.6g} at best{beside}"
    return told


def _closest(problem: Problem, target: Target, constraint: Constraint, others: tuple[Constraint, ...]) -> float | None:
    """How far one constraint can be met beside others; None where they cannot be met or a limit comes first."""
    sign = -1 if constraint.at_most else 1
    metric = Metric(constraint.name, MONOTONE, "", lambda *counts: sign * constraint.quantity(*counts))
    relaxed = Target(metric, others, target.positives, target.negatives, target.step)
    hunt = Hunt(problem.solver(problem.nodes), relaxed, problem.depth, problem.until)
    hunt.run()
    if hunt.stopped is not None or hunt.best is None or hunt.best.key is None:
        return None
    return float(sign * hunt.best.key)
