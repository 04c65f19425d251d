"""The oracle: fronts by the definition, with no bound and no cache, on plain NumPy arrays.

    front(S, 0) = leaves of S
    front(S, d) = nondominated( leaves of S, and for every column f the sums of front(S without f, d-1)
                                                                            and front(S with f, d-1) )

It shares no code with the package. Points carry the number of branching nodes as a third coordinate, so that one run
serves every node budget.
"""

import numpy as np


def points(X, y, depth, least=1, weight=None):
    """Find the nondominated (fp, fn, nodes) of the trees up to a depth whose leaves weigh at least `least`.

    A tree that is one leaf is always allowed. Rows of weight 0 count for nothing.
    """
    X, y = np.asarray(X, dtype=bool), np.asarray(y)
    weight = np.ones(len(y), dtype=np.int64) if weight is None else np.asarray(weight, dtype=np.int64)
    return _grow(X, np.stack([weight * (y == 0), weight * (y == 1)], axis=1), depth, max(least, 1))


def front(X, y, depth, nodes=None, least=1, weight=None):
    """List the (fp, fn) of the front, ascending in fp."""
    return within(points(X, y, depth, least, weight), nodes)


def within(points, nodes=None):
    """List the front of those points that need at most `nodes` branching nodes."""
    allowed = points if nodes is None else points[points[:, 2] <= nodes]
    return [(fp, fn) for fp, fn, _ in _staircase(allowed).tolist()]


def _grow(X, weight, depth, least):
    # `weight` has a column for the negatives and one for the positives.
    negatives, positives = weight.sum(axis=0)
    found = [np.array([[negatives, 0, 0], [0, positives, 0]])]
    for column in X.T if depth else ():
        if min(weight[column].sum(), weight[~column].sum()) >= least:
            zero, one = (_grow(X[side], weight[side], depth - 1, least) for side in (~column, column))
            found.append((zero[:, None] + one[None] + [0, 0, 1]).reshape(-1, 3))
    return _nondominated(np.concatenate(found))


def _nondominated(points):
    budgets = np.unique(points[:, 2])
    fronts = [_staircase(points[points[:, 2] <= nodes]) for nodes in budgets]
    return np.concatenate([front[front[:, 2] == nodes] for front, nodes in zip(fronts, budgets, strict=True)])


def _staircase(points):
    # By fp, each with less fn than all before it; of equal ones the one with fewest nodes.
    points = points[np.lexsort(points.T[::-1])]
    best = np.minimum.accumulate(points[:, 1])
    return points[np.append(True, points[1:, 1] < best[:-1])]


def hull(front):
    """Keep the supported points of a front: those strictly below every segment between two others."""
    return [p for at, p in enumerate(front) if not any(_covers(i, p, k) for i in front[:at] for k in front[at + 1 :])]


def _covers(i, p, k):
    return (p[1] - i[1]) * (k[0] - i[0]) >= (k[1] - i[1]) * (p[0] - i[0])


def leaf(tree, row):
    """Walk a row down a tree, node by node, to the number of its leaf."""
    node = 0
    while tree.column[node] >= 0:
        node = int((tree.one if row[tree.column[node]] else tree.zero)[node])
    return node


def errors(predicted, y, weight=None):
    """Weigh the false positives and the false negatives of predictions of 0 and 1."""
    predicted, y = np.asarray(predicted), np.asarray(y)
    weight = np.ones(len(y), dtype=np.int64) if weight is None else np.asarray(weight)
    wrong = weight * (predicted != y)
    return wrong[y == 0].sum(), wrong[y == 1].sum()
