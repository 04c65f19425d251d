"""Provably optimal small decision trees for metrics of false positives and false negatives."""

from importlib.metadata import version

from paretree import metrics
from paretree.arguments import RULES
from paretree.compute import IncompleteFrontWarning, pareto_front
from paretree.front import FrontPoint, Infeasible, ParetoFront
from paretree.progress import Progress
from paretree.tree import Tree

__version__ = version("paretree")

__all__ = [
    "RULES",
    "FrontPoint",
    "IncompleteFrontWarning",
    "Infeasible",
    "ParetoFront",
    "Progress",
    "Tree",
    "__version__",
    "metrics",
    "pareto_front",
]
