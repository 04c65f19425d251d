"""How far a search is: a record for a callable, or a line on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """A moment of a search. Depths are searched one after the other; `splits` counts those of the root."""

    depth: int
    splits_done: int
    splits: int
    points: int
    seconds: float


class Reporter:
    """Turns what the core reports into records for a callable, or into one line that is rewritten."""

    def __init__(self, progress: Any) -> None:
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise TypeError(f"progress={progress!r}: give None, True or a callable that takes a Progress record")
        line = progress is True and sys.stderr.isatty()
        self._tell: Callable[[Progress], object] | None = (
            self._write if line else progress if callable(progress) else None
        )
        self._written = False

    @property
    def callback(self) -> Callable[..., object] | None:
        """What the core calls, if anything."""
        return None if self._tell is None else lambda *record: self._tell(Progress(*record))

    def _write(self, now: Progress) -> None:
        share = f"{now.splits_done}/{now.splits} splits"
        sys.stderr.write(f"\r\x1b[Kdepth {now.depth}: {share}, {now.points} points, {now.seconds:.1f} s")
        sys.stderr.flush()
        self._written = True

    def close(self) -> None:
        """Clears the line."""
        if self._written:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
