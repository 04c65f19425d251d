"""Provably optimal small decision trees for metrics of false positives and false negatives."""

from importlib.metadata import version

from paretree.front import RULES, FrontPoint, IncompleteFrontWarning, ParetoFront, pareto_front
from paretree.progress import Progress
from paretree.tree import Tree

__version__ = version("paretree")

__all__ = [
    "RULES",
    "FrontPoint",
    "IncompleteFrontWarning",
    "ParetoFront",
    "Progress",
    "Tree",
    "__version__",
    "pareto_front",
]
