"""The front of a data set that ships with scikit-learn: which mistakes can a tree of depth 3 trade for which?"""

import pandas as pd
from paretree import pareto_front
from sklearn.datasets import load_breast_cancer


def quartiles(table: pd.DataFrame) -> pd.DataFrame:
    """Every number as three tests, `x <= t` at its quartiles."""
    cuts = table.quantile([0.25, 0.5, 0.75])
    return pd.DataFrame({f"{name} <= {t:.4g}": table[name] <= t for name in table for t in cuts[name]})


def main() -> None:
    """Prints the front, the tree with the best F1, and whether it is proven."""
    data = load_breast_cancer(as_frame=True)
    X, y = quartiles(data.data), data.target.map({0: "malignant", 1: "benign"})

    front = pareto_front(X, y, max_depth=3, pos_label="malignant")

    print(front)
    for point in front:
        print(f"{point.fp:4d} false alarms, {point.fn:4d} missed, {point.tree.n_nodes} tests")
    print(f"\nThe best F1 of all trees of depth 3 is {front.value('f1').max():.4f} (proven: {front.complete}):")
    print(front.best("f1").tree)


if __name__ == "__main__":
    main()
