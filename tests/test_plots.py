"""Displays draw what the front holds, where it belongs."""

import matplotlib as mpl
import numpy as np
import pytest
from paretree import ParetoTreeClassifier, pareto_front
from paretree.plots import FrontDisplay
from sklearn.metrics import precision_score, recall_score

mpl.use("Agg")


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(5)
    X = random.integers(0, 2, (300, 8))
    return X, ((X[:, 0] & X[:, 1]) ^ (random.random(300) < 0.15)).astype(int)


@pytest.fixture(autouse=True)
def closed():
    yield
    mpl.pyplot.close("all")


@pytest.mark.parametrize("space", ["counts", "roc", "pr"])
@pytest.mark.parametrize("metric", [None, "f1", "mcc", "gmean", lambda tp, fp, fn, tn: -fp - 2 * fn])
def test_points_are_where_they_belong(space, metric, data):
    X, y = data
    front = pareto_front(X[:200], y[:200], max_depth=2)
    display = FrontDisplay.from_front(front, X[200:], y[200:], space=space, metric=metric)
    for line, (rows, labels) in ((display.points_, (X[:200], y[:200])), (display.held_out_, (X[200:], y[200:]))):
        for point, x, height in zip(front, *line.get_data(), strict=True):
            predicted = point.tree.predict(rows)
            fp, fn = ((predicted == 1) & (labels == 0)).sum(), ((predicted == 0) & (labels == 1)).sum()
            recall = recall_score(labels, predicted)
            precision = precision_score(labels, predicted, zero_division=1)
            expected = {"counts": (fp, fn), "roc": (fp / (labels == 0).sum(), recall), "pr": (recall, precision)}
            assert (x, height) == pytest.approx(expected[space])
    assert len(display.hull_.get_xdata()) == len(front.hull)
    assert (display.chosen_ is None) == (metric is None)
    if metric is not None:
        best = front.best(metric)
        at = [point.fp for point in front].index(best.fp)
        assert display.chosen_.get_xdata()[0] == pytest.approx(display.points_.get_xdata()[at])
        assert len(display.ax_.collections) > 0
    assert display.figure_ is display.ax_.figure


def test_an_estimator_shows_its_choice(data):
    model = ParetoTreeClassifier("mcc", max_depth=2, front="all").fit(*data)
    display = FrontDisplay.from_estimator(model, *data, space="roc")
    assert "chosen" in [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert display.chosen_.get_ydata()[0] == pytest.approx(recall_score(data[1], model.predict(data[0])))
    partial = ParetoTreeClassifier("mcc", max_depth=2).fit(*data)
    assert FrontDisplay.from_estimator(partial).ax_.get_title() == "not the whole front"


def test_a_tree_is_drawn_whole(data):
    model = ParetoTreeClassifier(max_depth=3).fit(*data)
    ax = model.plot()
    texts = [text.get_text() for text in ax.texts]
    assert sum("\n" in text for text in texts) == len(model.tree_.column)
    assert texts.count("yes") == texts.count("no") == model.tree_.n_nodes
    _, own = mpl.pyplot.subplots()
    assert model.plot(ax=own) is own


def test_spaces_that_are_not_there_are_refused(data):
    with pytest.raises(ValueError, match="space='log': choose one of 'counts', 'roc', 'pr'"):
        pareto_front(*data, max_depth=1).plot("log")
