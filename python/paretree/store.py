"""Fronts as files: JSON with a schema version, which says what wrote it and what it holds.

Guarantees: what `load` returns predicts as what `save` was given; a file that is not a front, is damaged, or was
written by a later version is refused with a message that names it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paretree import export, matrix, tree
from paretree.binarizer import KINDS, Test

if TYPE_CHECKING:
    from paretree.front import About

SCHEMA = "paretree front"
VERSION = 2
ARRAYS = {"fp": np.int64, "fn": np.int64, "starts": np.int64, **tree.ARRAYS}


WEIGHTS = ("negatives", "positives")
"""What is weighed, in real numbers where weights are."""


def save(path: Path, layers: Any, about: About) -> None:
    """Write fronts and what they have in common."""
    labels = about.labels
    document = {
        "schema": SCHEMA,
        "version": VERSION,
        "classes": labels.classes.tolist(),
        "negative": _plain(labels.negative),
        "positive": _plain(labels.positive),
        "feature_names": about.names,
        "n_features": about.n_features,
        "weights": about.weights,
        "step": about.step,
        "max_nodes": about.max_nodes,
        "stopped": about.stopped,
        "stats": about.stats,
        "tests": None if about.tests is None else export.listed(about.tests),
        "layers": [{name: layer[name].tolist() for name in ARRAYS} for layer in layers],
    }
    try:
        text = json.dumps(document)
    except TypeError as error:
        raise ValueError(f"the labels {labels.classes.tolist()} cannot be written as JSON: {error}") from None
    path.write_text(text, encoding="utf-8")


def load(path: Path) -> tuple[list[dict[str, np.ndarray]], About]:
    """Read what `save` wrote."""
    from paretree.front import About

    document = _read(path)
    try:
        labels = matrix.Labels(document["negative"], document["positive"], np.array(document["classes"]))
        names = document["feature_names"]
        about = About(
            labels,
            None if names is None else tuple(names),
            document["n_features"],
            tuple(document["weights"]),
            document["step"],
            document["max_nodes"],
            document["stopped"],
            document["stats"],
            _tests(document["tests"], document["n_features"]),
        )
        if not all(isinstance(number, int) for number in (about.n_features, *about.weights)):
            raise TypeError("n_features and weights are whole numbers")
        if not isinstance(about.step, int | float) or not about.step > 0:
            raise TypeError("step is a positive number")
        layers = [
            {name: np.array(layer[name], dtype=kind) for name, kind in ARRAYS.items()} for layer in document["layers"]
        ]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{path} is damaged: {type(error).__name__} {error}") from None
    for layer in layers:
        _check(path, layer, about.n_features if about.tests is None else len(about.tests))
    if not layers:
        raise ValueError(f"{path} is damaged: it holds no front")
    return layers, about


def _tests(listed: Any, n_features: int) -> tuple[Test, ...] | None:
    if listed is None:
        return None
    tests = tuple(Test(column, name, kind, tuple(v) if isinstance(v, list) else v) for column, name, kind, v in listed)
    if not all(isinstance(test.name, str) and 0 <= test.column < n_features and test.kind in KINDS for test in tests):
        raise ValueError("its tests ask of columns that there are not")
    return tests


def _read(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not a front of paretree: {error}") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ValueError(f"{path} is not a front of paretree: it lacks the schema {SCHEMA!r}")
    if document.get("version") != VERSION:
        raise ValueError(
            f"{path} has version {document.get('version')!r}, this paretree reads {VERSION}: "
            "upgrade paretree, or save the front again"
        )
    return document


def _check(path: Path, layer: dict[str, np.ndarray], n_features: int) -> None:
    """A damaged file must not become a tree that walks out of its arrays."""
    points, starts, nodes = len(layer["fp"]), layer["starts"], len(layer["column"])
    whole = len(layer["fn"]) == points and len(starts) == points + 1 and starts[0] == 0 and starts[-1] == nodes
    whole = whole and all(len(layer[name]) == nodes for name in tree.ARRAYS) and (np.diff(starts) > 0).all()
    if whole:
        place = np.arange(nodes) - np.repeat(starts[:-1], np.diff(starts))
        size = np.repeat(np.diff(starts), np.diff(starts))
        branch = layer["column"] >= 0
        for child in (layer["zero"], layer["one"]):
            whole = whole and ((child > place) & (child < size))[branch].all()
        whole = whole and (layer["column"] < n_features).all() and np.isin(layer["label"][~branch], (0, 1)).all()
    if not whole:
        raise ValueError(f"{path} is damaged: its trees do not fit together")


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def tree_of_json(text: str) -> tree.Tree:
    """The tree that `export.json_text` wrote."""
    try:
        document = json.loads(text)
        if not isinstance(document, dict) or document.get("schema") != export.SCHEMA:
            raise TypeError(f"the schema {export.SCHEMA!r} is missing")
        if document["version"] != export.VERSION:
            raise TypeError(f"version {document['version']!r}, this paretree reads {export.VERSION}")
        arrays = {
            name: np.array(document[name], dtype=float if name in WEIGHTS else kind)
            for name, kind in tree.ARRAYS.items()
        }
        names, tests = document["feature_names"], _tests(document["tests"], document["n_features"])
        facts = {name: document[name] for name in ("n_features", "negative", "positive")}
        nodes = len(arrays["column"])
        _check("the text", arrays | {"fp": [0], "fn": [0], "starts": np.array([0, nodes])}, _width(facts, tests))
    except (json.JSONDecodeError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ValueError(f"this is not the JSON of a tree of paretree: {type(error).__name__} {error}") from None
    whole = {
        name: values.astype(np.int64) for name, values in arrays.items() if name in WEIGHTS and (values % 1 == 0).all()
    }
    return tree.Tree(**arrays | whole, **facts, feature_names=None if names is None else tuple(names), tests=tests)


def _width(facts: dict[str, Any], tests: tuple[Test, ...] | None) -> int:
    return facts["n_features"] if tests is None else len(tests)
