"""The measurements of paretree against itself: the cost of a node budget, a second thread, and memory.

Guarantees: the two sides of a ratio are measured in turn in one run; whatever did not finish has no ratio. Each mode
writes one CSV file (columns: what was measured, then commit, versions and host) and prints a table.
"""

from __future__ import annotations

import argparse

from benchmarks import host
from benchmarks.datasets import SMALL_TABLE, Dataset, listing
from benchmarks.rounds import Job, alternate, measure
from benchmarks.table import Store, aligned, geometric_mean, number, short

FACTS = ("commit", "paretree_version", "python", "processor", "core", "date")
WORTH_THREADS = 1.0  # seconds on one thread, below which a second one is not measured
MEMORY_CASES = {
    "NL/magic04_categorical_bin.txt": (4, {}),
    "NL/spambase_categorical_bin.txt": (5, {"memory_limit": "1GB"}),
}


def by_nodes(args: argparse.Namespace) -> int:
    """Depth 4 on the paper's thirteen files: max_nodes = 15, which forbids nothing, against no budget."""
    datasets = listing(args.data, args.files or list(SMALL_TABLE))
    core = host.pin(args.core)
    sides = {"unbounded": {"n_jobs": 1}, "budgeted": {"n_jobs": 1, "max_nodes": 15}}
    return _pairs(args, datasets, 4, sides, args.clock, core)


def threads(args: argparse.Namespace) -> int:
    """Depth 5: n_jobs = 2 against 1 by the wall clock, not pinned, where one thread takes more than a second."""
    datasets = listing(args.data, args.files, args.max_features or None)
    return _pairs(
        args, datasets, 5, {"one": {"n_jobs": 1}, "two": {"n_jobs": 2}}, "seconds", host.pin(None), WORTH_THREADS
    )


def memory(args: argparse.Namespace) -> int:
    """Peak memory of the widest front of depth 4, and of a depth-5 search whose cache is limited."""
    columns = ["file", "depth", "options", "status", "seconds", "peak_mb", "extra_mb", "front_size", "stats", "error"]
    store = Store(args.out, [*columns, *FACTS], ("file", "depth"), args.resume)
    facts = host.description(host.pin(args.core))
    for data in listing(args.data, list(MEMORY_CASES)):
        depth, options = MEMORY_CASES[data.name]
        options = options | {"n_jobs": 1, "time_limit": args.timeout}
        job = Job("paretree", data.path, depth, options)
        record = measure(job, 2 * args.timeout)
        store.put({"file": data.name, "depth": depth, "options": options} | record | facts)
    shown = ["file", "depth", "status", "seconds", "peak_mb", "extra_mb", "front_size"]
    cells = [[row[name] if name == "file" else _shown(row, name) for name in shown] for row in store.rows.values()]
    print(aligned(shown, cells))
    return 0


def _shown(row: dict[str, str], name: str) -> str:
    return short(number(row, name)) if name in ("seconds", "peak_mb", "extra_mb") else row[name] or "-"


def _pairs(
    args: argparse.Namespace,
    datasets: list[Dataset],
    depth: int,
    sides: dict[str, dict],
    clock: str,
    core: str,
    least: float = 0.0,
) -> int:
    """Measures two settings of paretree; the ratio is the second's time over the first's.

    Files on which the first takes less than `least` seconds are left out.
    """
    first, second = sides
    measured = [
        f"{side}_{name}" for side in sides for name in ("status", clock, "runs", "front_size", "peak_mb", "error")
    ]
    store = Store(args.out, ["file", "depth", "ratio", *measured, *FACTS], ("file", "depth"), args.resume)
    facts = host.description(core)
    for data in datasets:
        if store.get(file=data.name, depth=depth):
            continue
        jobs = {side: Job("paretree", data.path, depth, options) for side, options in sides.items()}
        if least and measure(jobs[first], args.timeout).get("seconds", 0.0) < least:
            continue
        records = alternate(jobs, args.repeats, args.timeout)
        row = {"file": data.name, "depth": depth, "ratio": None} | facts
        for side, record in records.items():
            row |= {f"{side}_{name}": value for name, value in record.items()}
        if all(record["status"] == "ok" for record in records.values()):
            row["ratio"] = records[second][clock] / records[first][clock]
        store.put(row)
        print(f"depth {depth} {data.name}: {second}/{first} {short(row['ratio'])}", flush=True)
    return _print_pairs(store, first, second, clock)


def _print_pairs(store: Store, first: str, second: str, clock: str) -> int:
    rows = list(store.rows.values())
    wrong = [row["file"] for row in rows if row["ratio"] and row[f"{first}_front_size"] != row[f"{second}_front_size"]]
    cells = []
    for row in rows:
        times = [short(number(row, f"{side}_{clock}")) for side in (first, second)]
        cells.append(
            [row["file"], row["depth"], *times, short(number(row, "ratio")), row[f"{first}_front_size"] or "-"]
        )
    print("\n" + aligned(["file", "depth", f"{first} s", f"{second} s", f"{second}/{first}", "points"], cells))
    known = [value for row in rows if (value := number(row, "ratio")) is not None]
    print(f"\n{second} / {first}: geometric mean {short(geometric_mean(known))} over {len(known)} of {len(rows)} cases")
    if wrong:
        print(f"*** FRONTS DIFFER between {first} and {second}: {', '.join(wrong)} ***")
    return 1 if wrong else 0


MODES = {"by_nodes": by_nodes, "threads": threads, "memory": memory}
