"""Trees in other tools: Graphviz, SQL, JSON, scikit-learn.

Guarantees: what is written predicts what the tree predicts, or is refused with the test that cannot be written.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import Tree as SklearnTree

from paretree.binarizer import Test
from paretree.tree import ARRAYS, Tree

SCHEMA, VERSION = "paretree tree", 1


def dot(tree: Tree) -> str:
    """A tree in the language of Graphviz."""
    labels = tree.labels().tolist()
    lines = ["digraph tree {", '  node [shape=box, style=rounded, fontname="Helvetica"];']
    for node in range(len(tree.column)):
        column = int(tree.column[node])
        said = tree.name(column) if column >= 0 else f"{labels[tree.label[node]]}"
        counts = f"{tree.positives[node]:g} of {tree.positives[node] + tree.negatives[node]:g} positive"
        lines.append(f'  {node} [label={_quoted(said)[:-1]}\\n{counts}"];')
        if column >= 0:
            for child, answer in ((tree.one[node], "yes"), (tree.zero[node], "no")):
                lines.append(f'  {node} -> {child} [label="{answer}"];')
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def sql(tree: Tree) -> str:
    """The prediction as a CASE expression; columns without a value answer no, as NULL does."""
    labels = tree.labels().tolist()

    def grow(node: int, indent: str) -> str:
        if tree.column[node] < 0:
            return _literal(labels[tree.label[node]])
        deeper = indent + "  "
        one, zero = (grow(int(child[node]), deeper) for child in (tree.one, tree.zero))
        condition = _condition(tree, int(tree.column[node]))
        return f"CASE WHEN {condition}\n{deeper}THEN {one}\n{deeper}ELSE {zero}\n{indent}END"

    return grow(0, "")


def _condition(tree: Tree, column: int) -> str:
    if tree.tests is None:
        return f"{_identifier(tree.name(column))} = 1"
    test = tree.tests[column]
    name = _identifier(test.name)
    if test.kind == "rare":
        return f"{name} IS NOT NULL AND {name} NOT IN ({', '.join(map(_literal, test.value))})"
    forms = {"flag": f"{name} = 1", "missing": f"{name} IS NULL"}
    operators = {"<=": "<=", "==": "="}
    return forms.get(test.kind) or f"{name} {operators[test.kind]} {_literal(test.value)}"


def _identifier(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return repr(value)
    escaped = str(value).replace("'", "''")
    return f"'{escaped}'"


def json_text(tree: Tree) -> str:
    """A tree with all it needs to predict, as JSON."""
    document = {"schema": SCHEMA, "version": VERSION}
    document |= {name: getattr(tree, name).tolist() for name in ARRAYS}
    plain = {"negative": tree.negative, "positive": tree.positive}
    document |= {name: label.item() if isinstance(label, np.generic) else label for name, label in plain.items()}
    document |= {"n_features": tree.n_features, "feature_names": tree.feature_names}
    document["tests"] = None if tree.tests is None else listed(tree.tests)
    return json.dumps(document)


def listed(tests: tuple[Test, ...]) -> list[list[Any]]:
    """Tests as JSON has them."""
    return [[test.column, test.name, test.kind, test.value] for test in tests]


def sklearn_tree(tree: Tree, classes: np.ndarray, n_features: int, positive: int) -> DecisionTreeClassifier:
    """The same predictions as a fitted scikit-learn tree, for tables of numbers without missing values.

    scikit-learn rounds what it is given to 32 bits: rows whose value differs from a threshold by less than that may go
    the other way. The values of a leaf are the shares of the classes where the larger one is what the leaf predicts,
    and else the predicted class alone.
    """
    for column in np.unique(tree.column[tree.column >= 0]).tolist():
        if tree.tests is not None and tree.tests[column].kind not in ("<=", "flag"):
            raise ValueError(
                f"the test {tree.tests[column]} has no counterpart in scikit-learn's trees, which compare numbers with "
                "thresholds: use to_json or to_sql, or binarize the table yourself and fit with binarizer=None"
            )
    model = DecisionTreeClassifier(max_depth=max(tree.depth, 1), random_state=0)
    model.fit(np.zeros((len(classes), n_features)), classes)
    nodes = np.zeros(len(tree.column), dtype=model.tree_.__getstate__()["nodes"].dtype)
    values = np.zeros((len(nodes), 1, len(classes)))
    shares = tree.shares()
    for node in range(len(nodes)):
        weight = tree.negatives[node] + tree.positives[node]
        nodes[node]["n_node_samples"], nodes[node]["weighted_n_node_samples"] = round(weight), weight
        nodes[node]["impurity"] = 1 - (shares[node] ** 2).sum()
        column = int(tree.column[node])
        values[node, 0] = shares[node][[1 - positive, positive]] if len(classes) == 2 else 1.0
        if column < 0:
            nodes[node]["left_child"] = nodes[node]["right_child"] = -1
            nodes[node]["feature"] = nodes[node]["threshold"] = -2
            label = positive if tree.label[node] == 1 else 1 - positive
            if len(classes) == 2 and values[node, 0].argmax() != label:
                values[node, 0] = np.arange(2) == label
            continue
        # scikit-learn's left is where the value is at most the threshold.
        test = None if tree.tests is None else tree.tests[column]
        at_most = test is not None and test.kind == "<="
        left, right = (tree.one, tree.zero) if at_most else (tree.zero, tree.one)
        nodes[node]["left_child"], nodes[node]["right_child"] = left[node], right[node]
        nodes[node]["feature"] = column if test is None else test.column
        nodes[node]["threshold"] = test.value if at_most else 0.5
    grown = SklearnTree(n_features, np.array([len(classes)], dtype=np.intp), 1)
    grown.__setstate__({"max_depth": tree.depth, "node_count": len(nodes), "nodes": nodes, "values": values})
    model.tree_ = grown
    if tree.feature_names is not None:
        model.feature_names_in_ = np.array(tree.feature_names, dtype=object)
    return model
