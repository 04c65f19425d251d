"""The benchmark files: which there are, how large they are, and their 0/1 matrices.

Guarantees: `listing` returns only files that exist, each with the number of its rows and features; a missing data
folder is an error that says where the files are published. This module needs no third-party package except in `load`,
so that the process that starts the measurements stays small (its size is a floor of its children's peak memory).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

PUBLISHED_AT = "https://bitbucket.org/EmirD/murtree-bi-objective"

# The rows of the paper's table of front computations ("table_small").
SMALL_TABLE = (
    "DL/anneal.txt",
    "DL/australian-credit.txt",
    "DL/breast-wisconsin.txt",
    "DL/diabetes.txt",
    "DL/german-credit.txt",
    "DL/heart-cleveland.txt",
    "DL/kr-vs-kp.txt",
    "DL/yeast.txt",
    "NL/HTRU_2_categorical_bin.txt",
    "NL/Ionosphere_categorical_bin.txt",
    "NL/bank_conv_categorical_bin.txt",
    "NL/magic04_categorical_bin.txt",
    "NL/spambase_categorical_bin.txt",
)


class DataMissing(Exception):
    """The data folder, or a file asked for, is not there."""


@dataclass(frozen=True)
class Dataset:
    """One file of the format "label first, then 0/1 columns, blank-separated"; label 1 is the positive class."""

    name: str
    path: Path
    rows: int
    features: int


def listing(folder: Path, names: list[str] | None = None, max_features: int | None = None) -> list[Dataset]:
    """The datasets of `folder`, those with fewest rows times features first.

    `names` are parts of file names ("anneal" or "DL/anneal.txt"); without them every file is taken.
    """
    if not folder.is_dir():
        raise DataMissing(
            f"no data folder {folder}: get DL, NL, Hu and Nina from {PUBLISHED_AT} and pass --data FOLDER"
        )
    known = _names(folder)
    chosen = known if names is None else [name for part in names for name in _matching(part, known, folder)]
    found = [_dataset(folder, name) for name in dict.fromkeys(chosen)]
    found = [one for one in found if max_features is None or one.features <= max_features]
    return sorted(found, key=lambda one: (one.rows * one.features, one.name))


def load(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """(X, y): the 0/1 columns and the 0/1 labels, both uint8, X C-contiguous."""
    import numpy as np

    table = np.loadtxt(path, dtype=np.uint8, ndmin=2)
    return np.ascontiguousarray(table[:, 1:]), np.ascontiguousarray(table[:, 0])


def _names(folder: Path) -> list[str]:
    """File names relative to the folder: those of manifest.csv, or without it every text file one level down."""
    manifest = folder / "manifest.csv"
    if manifest.is_file():
        with manifest.open(newline="") as lines:
            return [row["file"] for row in csv.DictReader(lines) if (folder / row["file"]).is_file()]
    return sorted(path.relative_to(folder).as_posix() for path in folder.glob("*/*.txt"))


def _matching(part: str, known: list[str], folder: Path) -> list[str]:
    exact = [name for name in known if name == part]
    hits = exact or [name for name in known if part in name]
    if not hits:
        raise DataMissing(f"no file named like {part!r} in {folder}; the files are published at {PUBLISHED_AT}")
    return hits


def _dataset(folder: Path, name: str) -> Dataset:
    with (folder / name).open() as lines:
        features = len(lines.readline().split()) - 1
        rows = 1 + sum(1 for line in lines if line.strip())
    return Dataset(name, folder / name, rows, features)
