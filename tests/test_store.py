"""Fronts survive files; damaged files are refused with their name; data frames show what the points are."""

import json

import numpy as np
import pandas as pd
import pytest
from paretree import ParetoFront, metrics, pareto_front

X = pd.DataFrame({"old": [0, 1, 1, 0, 1, 0, 1, 0], "rich": [1, 1, 0, 0, 1, 0, 0, 1], "tall": [0, 0, 0, 1, 1, 1, 1, 0]})
Y = ["no", "yes", "yes", "no", "no", "yes", "yes", "no"]


@pytest.fixture
def front():
    return pareto_front(X, Y, max_depth=3, max_nodes=4)


@pytest.mark.parametrize("y", [Y, [label == "yes" for label in Y], [-1 if label == "no" else 1 for label in Y]])
def test_a_front_survives_a_file(tmp_path, y):
    front = pareto_front(X, y, max_depth=3, max_nodes=4, sample_weight=[1, 2, 1.5, 1, 1, 1, 1, 0.25])
    front.save(tmp_path / "front.json")
    back = ParetoFront.load(tmp_path / "front.json")
    assert [point.tree for point in back] == [point.tree for point in front]
    assert [len(within) for within in back.by_nodes] == [len(within) for within in front.by_nodes]
    for name in ("positives", "negatives", "weight_step", "complete", "feature_names", "pos_label", "stats"):
        assert getattr(back, name) == getattr(front, name)
    assert (back.fp.tolist(), back.fn.tolist()) == (front.fp.tolist(), front.fn.tolist())
    assert back[1].tree.predict(X).tolist() == front[1].tree.predict(X).tolist()
    assert back.best("f1") == front.best("f1")


def damaged(document, **changes):
    return json.dumps(document | changes)


def test_damaged_files_are_refused(tmp_path, front):
    path = tmp_path / "front.json"
    front.save(path)
    document = json.loads(path.read_text())
    layer = document["layers"][-1]
    texts = [
        "",
        "[]",
        "{}",
        path.read_text()[:-10],
        damaged(document, version=3),
        damaged(document, schema="other"),
        damaged(document, layers=[]),
        damaged(document, layers=[layer | {"fp": layer["fp"][:-1]}]),
        damaged(document, layers=[layer | {"zero": [10**6] * len(layer["zero"])}]),
        damaged(document, layers=[layer | {"column": [0] * len(layer["column"])}]),
        damaged(document, layers=[layer | {"column": "abc"}]),
        damaged(document, n_features=1),
        damaged(document, n_features="x"),
        damaged(document, step="a"),
        damaged(document, weights=["a", "b"]),
        damaged(document, layers=[layer | {"column": [2**40] * len(layer["column"])}]),
        "[" * 100_000,
        json.dumps({key: value for key, value in document.items() if key != "step"}),
    ]
    for text in texts:
        path.write_text(text)
        with pytest.raises(ValueError, match=r"front\.json"):
            ParetoFront.load(path)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        ParetoFront.load(tmp_path / "nowhere.json")


def test_frames_show_every_point(front):
    table = front.to_frame()
    assert table["fp"].tolist() == front.fp.tolist()
    assert table["n_nodes"].tolist() == [point.tree.n_nodes for point in front]
    assert np.flatnonzero(table["supported"]).tolist() == front.hull.tolist()
    assert set(metrics.REGISTRY) <= set(table.columns)
    assert table["f1"].tolist() == front.value("f1").tolist()


def test_evaluating_on_the_same_rows_gives_the_same_errors(front):
    table = front.evaluate(X, Y)
    assert table["fp"].tolist() == front.fp.tolist() == table["train_fp"].tolist()
    assert table["fn"].tolist() == front.fn.tolist() == table["train_fn"].tolist()
    assert table["matthews_corrcoef"].tolist() == front.value("mcc").tolist()


def test_evaluating_weighs_rows_and_knows_its_labels(front):
    twice = front.evaluate(X, Y, sample_weight=[2] * len(Y))
    assert twice["tp"].tolist() == [2 * count for count in front.evaluate(X, Y)["tp"]]
    assert front.evaluate(X[:1], ["no"])["tn"].max() == 1
    with pytest.raises(ValueError, match="'maybe' at row 1"):
        front.evaluate(X[:2], ["no", "maybe"])


def test_evaluating_needs_only_the_columns_that_trees_test(front):
    more = X.assign(age=[33.5] * len(Y))
    assert front.evaluate(more, Y)["fp"].tolist() == front.fp.tolist()


def test_the_front_of_a_budget_knows_its_budget(front):
    within = front.by_nodes[1]
    assert len(within.by_nodes) == 2
    with pytest.raises(IndexError, match="budget 3"):
        within.by_nodes[3]
