"""What the rows of the fronts benchmark say: a table, means per depth, and the cases where paretree is behind.

Guarantees: means are over cases that both contenders finished, and say over how many; a case that only one of the two
finished is counted apart, never given a made-up time; contradictions between contenders are listed first and last.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.table import aligned, geometric_mean, number, short

TOO_SLOW = 1.25  # times the prototype, from which a case is listed
NOTICEABLE = 0.01  # seconds of the prototype, below which a call's fixed costs decide
WAITING = 1.2, 0.02  # wall clock above this factor of processor time plus these seconds is waiting


def print_summary(rows: list[dict[str, str]], contenders: list[str]) -> int:
    """Prints everything; 1 when answers contradict each other, else 0."""
    wrong = [f"{_case(row)}: {row['agree']}" for row in rows if row["agree"] not in ("", "yes")]
    _print_list("*** ANSWERS DISAGREE ***", wrong)
    print("\n" + aligned(_header(contenders), [_cells(row, contenders) for row in rows]))
    for depth in sorted({int(row["depth"]) for row in rows}):
        _print_means(depth, [row for row in rows if int(row["depth"]) == depth])
    behind = [row for row in rows if (number(row, "pystreed_over_paretree") or 1) < 1 or _lost_to(row, "pystreed")]
    _print_list("slower than pystreed", [_with(row, "pystreed") for row in behind])
    behind = [
        row for row in rows if (number(row, "paretree_over_prototype") or 0) > TOO_SLOW or _lost_to(row, "prototype")
    ]
    _print_list(f"more than {TOO_SLOW} times the prototype", [_with(row, "prototype") for row in behind])
    _print_list("wall clock well above processor time (waiting, or a busy core)", [_case(r) for r in rows if _waits(r)])
    failed = [f"{_case(r)}: {c}: {r[f'{c}_error']}" for r in rows for c in contenders if r[f"{c}_status"] == "crash"]
    _print_list("crashed", failed)
    _print_list("*** ANSWERS DISAGREE ***", wrong)
    return 1 if wrong else 0


def _print_means(depth: int, rows: list[dict[str, str]]) -> None:
    print(f"\ndepth {depth}")
    noticeable = [row for row in rows if (number(row, "prototype_cpu_seconds") or 0) >= NOTICEABLE]
    for title, column, among in (
        ("pystreed / paretree", "pystreed_over_paretree", rows),
        ("paretree / prototype", "paretree_over_prototype", rows),
        (f"paretree / prototype where that takes {NOTICEABLE} s", "paretree_over_prototype", noticeable),
    ):
        known = [value for row in among if (value := number(row, column)) is not None]
        if known:
            mean, least, most = (short(value) for value in (geometric_mean(known), min(known), max(known)))
            print(f"  {title}: geometric mean {mean} over {len(known)} cases ({least} to {most})")
    for rival in ("pystreed", "prototype"):
        ahead = _count(rows, lambda row, name=rival: row["paretree_status"] == "ok" and _failed(row, name))
        behind = _count(rows, lambda row, name=rival: _lost_to(row, name))
        if ahead or behind:
            print(f"  only paretree finished: {ahead} cases; only {rival}: {behind}")


def _count(rows: list[dict[str, str]], holds: Callable[[dict[str, str]], bool]) -> int:
    return sum(1 for row in rows if holds(row))


def _failed(row: dict[str, str], contender: str) -> bool:
    return row[f"{contender}_status"] in ("timeout", "crash")


def _lost_to(row: dict[str, str], rival: str) -> bool:
    return _failed(row, "paretree") and row[f"{rival}_status"] == "ok"


def _waits(row: dict[str, str]) -> bool:
    wall, cpu = number(row, "paretree_seconds"), number(row, "paretree_cpu_seconds")
    return wall is not None and cpu is not None and wall > WAITING[0] * cpu + WAITING[1]


def _case(row: dict[str, str]) -> str:
    return f"{row['file']} depth {row['depth']}"


def _with(row: dict[str, str], rival: str) -> str:
    return f"{_case(row)}: paretree {_time(row, 'paretree')}, {rival} {_time(row, rival)}"


def _time(row: dict[str, str], contender: str) -> str:
    seconds = number(row, f"{contender}_cpu_seconds")
    return row[f"{contender}_status"] or "-" if seconds is None else short(seconds, " s")


def _header(contenders: list[str]) -> list[str]:
    return ["file", "depth", "features", *contenders, "core", "points", "pystreed/paretree", "paretree/prototype"]


def _cells(row: dict[str, str], contenders: list[str]) -> list[str]:
    times = [_time(row, contender) for contender in contenders]
    points = row["paretree_front_size"] or row["prototype_front_size"] or "-"
    ratios = [short(number(row, name)) for name in ("pystreed_over_paretree", "paretree_over_prototype")]
    core = short(number(row, "paretree_core_seconds"), " s")
    return [row["file"], row["depth"], row["features"], *times, core, points, *ratios]


def _print_list(title: str, lines: list[str]) -> None:
    if lines:
        print(f"\n{title}:")
        for line in lines:
            print(f"  {line}")
