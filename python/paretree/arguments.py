"""Checks of arguments: what is out of range or of the wrong type is refused with its value and the way out."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from typing import Any

import joblib
import numpy as np

from paretree._core import RULES as _RULES

RULES: dict[str, str] = dict(_RULES)
"""The pruning rules by name, each with what it does and what its counter in `stats` counts."""

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}


def whole(name: str, value: Any, least: int, most: int | None) -> int:
    """A whole number from `least` to `most`."""
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: give a whole number") from None
    if number < least or (most is not None and number > most):
        span = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name}={number}: give a number {span}")
    return number


def least(min_samples_leaf: Any, step: float) -> int:
    """The least weight of a leaf in units of the weight step."""
    if isinstance(min_samples_leaf, bool) or not isinstance(min_samples_leaf, int | float | np.number):
        raise TypeError(f"min_samples_leaf={min_samples_leaf!r}: give a number")
    if not 1 <= min_samples_leaf < 2**31:
        raise ValueError(f"min_samples_leaf={min_samples_leaf}: give a number from 1 on")
    # Every row weighs at least a step, and one row is all that 1 asks for.
    return 1 if min_samples_leaf == 1 else min(int(np.ceil(float(min_samples_leaf) / step)), 2**31)


def threads(n_jobs: Any) -> int:
    """A number of threads, as joblib counts."""
    if n_jobs is None:
        return 1
    jobs = whole("n_jobs", n_jobs, -(2**31), 2**16)
    if jobs == 0:
        raise ValueError("n_jobs=0: give a number of threads, or -1 for all cores")
    return joblib.effective_n_jobs(jobs)


def seconds(time_limit: Any) -> float | None:
    """A time limit."""
    if time_limit is None:
        return None
    if isinstance(time_limit, bool) or not isinstance(time_limit, int | float | np.number):
        raise TypeError(f"time_limit={time_limit!r}: give seconds")
    if not time_limit > 0:
        raise ValueError(f"time_limit={time_limit}: give a positive number of seconds")
    return float(time_limit)


def memory(memory_limit: Any) -> int | None:
    """A memory limit in bytes."""
    if memory_limit is None:
        return None
    if isinstance(memory_limit, str):
        parts = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?I?)B?\s*", memory_limit.upper())
        if parts is None or parts[2] not in UNITS:
            raise ValueError(f"memory_limit={memory_limit!r}: give bytes, or text such as '500MB' or '2GiB'")
        memory_limit = int(float(parts[1]) * UNITS[parts[2]])
    # More than any machine has is more than the core can count.
    return min(whole("memory_limit", memory_limit, 1, None), 2**62)


def rules(rules: Iterable[str] | None) -> list[str]:
    """Names of rules."""
    if rules is None:
        return list(RULES)
    if isinstance(rules, str) or not isinstance(rules, Iterable):
        raise TypeError(f"rules={rules!r}: give a collection of names, such as ['cache']")
    chosen = list(rules)
    unknown = [name for name in chosen if name not in RULES]
    if unknown:
        raise ValueError(f"unknown rule {unknown[0]!r}; the rules are {', '.join(RULES)}")
    return chosen
