"""Provably optimal small decision trees for metrics of false positives and false negatives."""

from importlib.metadata import version

from paretree import metrics
from paretree.arguments import RULES
from paretree.best import BestTree, NotProvenWarning, best_tree
from paretree.binarizer import ThresholdBinarizer
from paretree.classifier import ParetoTreeClassifier
from paretree.compute import pareto_front
from paretree.front import FrontPoint, Infeasible, ParetoFront
from paretree.problem import IncompleteFrontWarning
from paretree.progress import Progress
from paretree.tree import Tree
from paretree.tuning import ParetoTreeCV

__version__ = version("paretree")

__all__ = [
    "RULES",
    "BestTree",
    "FrontPoint",
    "IncompleteFrontWarning",
    "Infeasible",
    "NotProvenWarning",
    "ParetoFront",
    "ParetoTreeCV",
    "ParetoTreeClassifier",
    "Progress",
    "ThresholdBinarizer",
    "Tree",
    "__version__",
    "best_tree",
    "metrics",
    "pareto_front",
]
