"""The compiled core: digested 0/1 data, and the questions that it answers about them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

RULES: list[tuple[str, str]]
MACHINES: list[str]
MOST_DEPTH: int

Sparse = tuple[tuple[int, int], NDArray[np.int64], NDArray[np.int64]]

Until = tuple[float | None, int | None, Callable[[int, int, int, int, float], object] | None]
"""When to stop: seconds, bytes, and a callable that is told of progress."""

class Solver:
    """0/1 data, digested once, limits on trees, and what earlier questions found out.

    Questions about trees of a `depth` that only prepare one about deeper trees say so by `toward`. With `splits`, only
    trees with one of so many splits at their root are looked at, those that are tried first.
    """

    def __new__(
        cls,
        cells: NDArray[np.uint8] | Sparse,
        labels: NDArray[np.uint8],
        weights: NDArray[np.uint32] | None,
        *,
        nodes: int | None,
        least: int,
        rules: list[str],
        machine: str | None,
        threads: int,
        cache: int,
        until: Until,
    ) -> Solver: ...
    @property
    def positives_first(self) -> bool: ...
    @property
    def columns(self) -> int: ...
    def any_classifier(self, weights: tuple[int, int]) -> int: ...
    def halt_after(self, checks: int) -> None: ...
    def layers(self, depth: int) -> int: ...
    def front(self, depth: int, *, supported: bool, until: Until) -> dict[str, Any]: ...
    def least(
        self,
        depth: int,
        toward: int,
        weights: tuple[int, int],
        below: int,
        *,
        splits: int | None = None,
        until: Until,
    ) -> dict[str, Any]: ...
    def useful(
        self,
        depth: int,
        toward: int,
        windows: list[NDArray[np.uint32]],
        weights: list[tuple[int, int]],
        *,
        splits: int | None = None,
        until: Until,
    ) -> dict[str, Any]: ...
