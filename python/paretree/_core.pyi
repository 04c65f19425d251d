"""The compiled core: digested 0/1 data, and the questions that it answers about them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

RULES: list[tuple[str, str]]
MACHINES: list[str]
MOST_DEPTH: int

Sparse = tuple[tuple[int, int], NDArray[np.int64], NDArray[np.int64]]

class Solver:
    """0/1 data, digested once; rows that agree in all columns become one."""

    def __new__(
        cls,
        cells: NDArray[np.uint8] | Sparse,
        labels: NDArray[np.uint8],
        weights: NDArray[np.uint32] | None = None,
        *,
        merge_rows: bool = True,
        time_limit: float | None = None,
        memory_limit: int | None = None,
    ) -> Solver: ...
    def front(
        self,
        *,
        depth: int,
        nodes: int | None,
        least: int,
        supported: bool,
        rules: list[str],
        machine: str | None,
        threads: int,
        cache: int,
        time_limit: float | None,
        memory_limit: int | None,
        progress: Callable[[int, int, int, int, float], object] | None,
    ) -> dict[str, Any]: ...
