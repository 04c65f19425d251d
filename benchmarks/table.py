"""Results on disk and on the terminal: a CSV that survives interruption, aligned tables, geometric means.

Guarantees: after `Store.put` the row is on disk and the file is whole (written beside it and renamed); a row with the
same key replaces the older one. Numbers are written so that reading them back loses nothing that was measured.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from pathlib import Path


class Store:
    """The rows of one CSV file, in the order in which they were first put, told apart by their key columns."""

    def __init__(self, path: Path, columns: Sequence[str], key: Sequence[str], resume: bool) -> None:
        self.path, self.columns, self.key = path, list(columns), list(key)
        self.rows: dict[tuple[str, ...], dict[str, str]] = {}
        if resume and path.is_file():
            with path.open(newline="") as lines:
                for row in csv.DictReader(lines):
                    self.rows[self._key(row)] = row

    def get(self, **key: object) -> dict[str, str] | None:
        """The row with these key values, or None."""
        return self.rows.get(self._key(key))

    def put(self, row: dict[str, object]) -> None:
        """Adds or replaces a row and writes the file; columns that the row lacks are left empty."""
        self.rows[self._key(row)] = {name: written(row.get(name)) for name in self.columns}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(self.path.suffix + ".new")
        with fresh.open("w", newline="") as lines:
            writer = csv.DictWriter(lines, self.columns, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows.values())
        fresh.replace(self.path)

    def _key(self, row: dict) -> tuple[str, ...]:
        return tuple(written(row[name]) for name in self.key)


def written(value: object) -> str:
    """A value as the CSV holds it: nothing for None, floats to a billionth, which is below every clock used here."""
    if value is None:
        return ""
    return repr(round(value, 9)) if isinstance(value, float) else str(value)


def number(row: dict[str, str], name: str) -> float | None:
    """The number in a column, or None where it is empty or absent."""
    text = row.get(name) or ""
    return float(text) if text else None


def geometric_mean(values: Iterable[float]) -> float | None:
    """The geometric mean of positive values, or None of none."""
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else None


def short(value: float | None, suffix: str = "") -> str:
    """A number for people: three significant digits, a dash for None."""
    if value is None:
        return "-"
    digits = 3 if value == 0 else max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(digits, 5)}f}{suffix}"


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A text table: the first column to the left, the others to the right."""
    widths = [max(len(row[at]) for row in [header, *rows]) for at in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        rest = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
        return "  ".join([cells[0].ljust(widths[0]), *rest])

    return "\n".join([line(header), line(["-" * width for width in widths]), *(line(row) for row in rows)])
