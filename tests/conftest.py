"""What the tests share: random cases that hold the difficulties, the checks of a front's trees, and the data folder.

Every random test is a function of its `seed`; PARETREE_CASES asks for more seeds than the usual number, PARETREE_SEED
for others.
"""

import csv
import os
from dataclasses import dataclass, replace
from pathlib import Path

import naive
import numpy as np
import pytest
from paretree import pareto_front

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure(config):
    config.addinivalue_line("markers", "cases(n): run a test that takes a `seed` for n seeds")


def pytest_generate_tests(metafunc):
    if "seed" in metafunc.fixturenames:
        usual = metafunc.definition.get_closest_marker("cases").args[0]
        first, number = int(os.environ.get("PARETREE_SEED", "0")), int(os.environ.get("PARETREE_CASES", usual))
        metafunc.parametrize("seed", range(first, first + number))


@dataclass(frozen=True)
class Case:
    """Data, and the same question to the package and to the oracle."""

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray | None = None

    def front(self, **limits):
        """Ask the package. The positive label is 1, also where every label is 0."""
        return pareto_front(self.X, self.y, sample_weight=self.weight, pos_label=1, **limits)

    def expected(self, depth, nodes=None, least=1):
        """Ask the oracle."""
        return naive.front(self.X, self.y, depth, nodes, least, self.weight)

    def points(self, depth, least=1):
        """Ask the oracle for the points of every node budget."""
        return naive.points(self.X, self.y, depth, least, self.weight)

    def but(self, **changes):
        """Change data or weights."""
        return replace(self, **changes)


@pytest.fixture(scope="session")
def random_case():
    """Give a function of a seed: constant, equal, opposite columns, equal rows of both labels, one class, weights."""
    return _random_case


def _random_case(seed, rows=40, columns=5, weighted=None):
    random = np.random.default_rng(seed)
    n = int(random.choice([64, 128])) if random.random() < 0.15 else random.integers(1, rows + 1, 2).max()
    X = _random_cells(random, n, random.integers(0, columns + 1, 2).max())
    y = _random_labels(random, X)
    weight = None
    if random.random() < 0.4 if weighted is None else weighted:
        weight = random.integers(0, random.choice([2, 7, 300]), n)
        weight[random.integers(n)] += 1
    return Case(X, y, weight)


def _random_cells(random, rows, columns):
    X = (random.random((rows, columns)) < random.uniform(0.1, 0.9)).astype(np.uint8)
    for column in range(1, columns):
        other = X[:, random.integers(column)]
        kinds = {0: other, 1: 1 - other, 2: 1, 3: 0}
        X[:, column] = kinds.get(int(random.integers(20)), X[:, column])
    for row in np.flatnonzero(random.random(rows) < 0.2):
        X[row] = X[random.integers(rows)]
    return X


def _random_labels(random, X):
    """Half of the time a noisy function of two columns, else noise; sometimes all 0 or all 1."""
    share = random.choice([0, 0.1, 0.3, 0.5, 0.5, 0.8, 1], p=[0.05, 0.2, 0.2, 0.2, 0.15, 0.15, 0.05])
    noise = random.random(len(X)) < share
    if X.shape[1] < 2 or random.random() < 0.5:
        return noise.astype(np.int64)
    a, b = X[:, random.integers(X.shape[1], size=2)].T
    return np.where(random.random(len(X)) < 0.2, noise, (a != b) if random.random() < 0.5 else (a & b)).astype(np.int64)


@pytest.fixture(scope="session")
def hard_case():
    """Noise: a search of depth 5 that takes minutes."""
    random = np.random.default_rng(0)
    return Case(random.integers(0, 2, (3000, 200), dtype=np.uint8), random.integers(0, 2, 3000))


@pytest.fixture(scope="session")
def pairs():
    """Give a function that lists the (fp, fn) of a front."""
    return lambda front: list(zip(front.fp.tolist(), front.fn.tolist(), strict=True))


@pytest.fixture(scope="session")
def structure():
    """Give a function that lists all that a front says of its points and trees but the names of the columns."""
    return lambda front: [
        (p.fp, p.fn, *(getattr(p.tree, name).tolist() for name in ("column", "zero", "one", "label"))) for p in front
    ]


@pytest.fixture(scope="session")
def check_points():
    """Give a function that asserts that a front is in order and its trees are within the limits and priced right."""
    return _check_points


def _check_points(front, case, depth, nodes=None, least=1):
    weight = np.ones(len(case.y), dtype=np.int64) if case.weight is None else case.weight
    assert (np.diff(front.fp) > 0).all()
    assert (np.diff(front.fn) < 0).all()
    for point in front:
        tree = point.tree
        assert naive.errors(tree.predict(case.X), case.y, weight) == (point.fp, point.fn)
        assert tree.depth <= depth
        assert tree.n_nodes <= (2**depth - 1 if nodes is None else nodes)
        _check_reached(tree, case, weight)
        if tree.n_nodes:
            leaves = np.bincount(tree.apply(case.X), weight, minlength=len(tree.column))[tree.column < 0]
            assert leaves.min() >= least


def _check_reached(tree, case, weight):
    """A tree says what weight of each class reaches its nodes."""
    leaf = tree.apply(case.X)
    for value, reached in ((0, tree.negatives), (1, tree.positives)):
        expected = np.bincount(leaf, weight * (case.y == value), minlength=len(tree.column))
        for node in np.flatnonzero(tree.column >= 0)[::-1]:
            expected[node] = expected[tree.zero[node]] + expected[tree.one[node]]
        assert reached.tolist() == expected.tolist()


@pytest.fixture(scope="session")
def data():
    """Give a function that reads a file of the paper's data sets, such as `DL/anneal`."""
    folder = Path(os.environ.get("PARETREE_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "manifest.csv").is_file():
        absent = f"no data sets in {folder}: set PARETREE_DATA to the folder that has manifest.csv"
        (pytest.fail if os.environ.get("PARETREE_REQUIRE_DATA") == "1" else pytest.skip)(absent)
    with open(folder / "manifest.csv", newline="") as file:
        shapes = {row["file"]: (int(row["rows"]), int(row["features"])) for row in csv.DictReader(file)}
    return lambda name: _read(folder / f"{name}.txt", *shapes[f"{name}.txt"])


def _read(path, rows, features):
    # The papers' format: a digit for the label, then one for each feature, separated by blanks.
    digits = np.frombuffer(path.read_bytes(), np.uint8)
    table = (digits[digits >= ord("0")] - ord("0")).reshape(rows, features + 1)
    return Case(table[:, 1:], table[:, 0])
