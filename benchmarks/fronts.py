"""The complete front of paretree beside its prototype and beside pystreed's single F1-optimal tree.

`python -m benchmarks.fronts --data FOLDER` measures every file at every depth, all contenders in turn on one core, and
writes one row per file and depth. Guarantees: a ratio is written only where both finished; every answer is compared
with the others' (best F1 of the front with pystreed's F1, front size with the prototype's) and a difference is shown
loudly, is kept in the column `agree`, and makes the exit code 1. Other modes: --by-nodes, --threads, --memory.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks import host, modes
from benchmarks.datasets import DataMissing, Dataset, listing
from benchmarks.rounds import Job, alternate
from benchmarks.summary import print_summary
from benchmarks.table import Store, short

CONTENDERS = ("paretree", "prototype", "pystreed")
PROTOTYPE_DEPTHS = (3, 4, 5)
MEASURED = ("status", "seconds", "cpu_seconds", "runs", "peak_mb", "extra_mb", "front_size", "score", "error")
COLUMNS = [
    *("file", "depth", "rows", "features", "pystreed_over_paretree", "paretree_over_prototype", "agree", "clock"),
    *(f"{contender}_{name}" for contender in CONTENDERS for name in MEASURED),
    *("paretree_core_seconds", "commit", "paretree_version", "pystreed_version", "python", "processor", "core", "date"),
]
EXACT, PRINTED = 1e-12, 1e-6  # F1 of pystreed is recomputed from counts; the prototype prints six digits


def row_of(data: Dataset, depth: int, records: dict[str, dict], clock: str) -> dict[str, object]:
    """The CSV row of one file and depth."""
    row: dict[str, object] = {"file": data.name, "depth": depth, "rows": data.rows, "features": data.features}
    for contender, record in records.items():
        row |= {f"{contender}_{name}": record.get(name) for name in MEASURED}
        if record["status"] != "ok":
            row |= {f"{contender}_{name}": None for name in MEASURED if name not in ("status", "error")}
    finished = {name: record for name, record in records.items() if record["status"] == "ok"}
    row["clock"] = clock
    row["paretree_core_seconds"] = finished.get("paretree", {}).get("core_seconds")
    row["pystreed_over_paretree"] = ratio(finished, "pystreed", "paretree", clock)
    row["paretree_over_prototype"] = ratio(finished, "paretree", "prototype", clock)
    row["agree"] = "; ".join(disagreements(finished)) or ("yes" if len(finished) > 1 else "")
    return row


def ratio(finished: dict[str, dict], upper: str, lower: str, clock: str) -> float | None:
    """How many times as long one contender takes as another, where both finished."""
    if upper not in finished or lower not in finished:
        return None
    below = max(finished[lower][clock], 1e-4)  # the prototype prints no more digits
    return max(finished[upper][clock], 1e-4) / below


def disagreements(finished: dict[str, dict]) -> list[str]:
    """What two finished contenders contradict each other in."""
    found = []
    names = list(finished)
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            allowed = PRINTED if "prototype" in (one, other) else EXACT
            if abs(finished[one]["score"] - finished[other]["score"]) > allowed:
                found.append(f"score {one} {finished[one]['score']} but {other} {finished[other]['score']}")
            sizes = [finished[name].get("front_size") for name in (one, other)]
            if None not in sizes and sizes[0] != sizes[1]:
                found.append(f"front size {one} {sizes[0]} but {other} {sizes[1]}")
    return found


def jobs_of(data: Dataset, depth: int, contenders: list[str], prototype: Path | None) -> dict[str, Job]:
    """One job per contender that can do this depth; paretree runs on one thread, as the others do."""
    jobs = {}
    for name in contenders:
        if name == "prototype":
            if depth in PROTOTYPE_DEPTHS:
                jobs[name] = Job(name, data.path, depth, program=prototype)
        else:
            jobs[name] = Job(name, data.path, depth, {"n_jobs": 1} if name == "paretree" else {})
    return jobs


def compare(args: argparse.Namespace, datasets: list[Dataset], prototype: Path | None) -> int:
    """Measures and stores every file and depth that is asked for; the exit code."""
    store = Store(args.out, COLUMNS, ("file", "depth"), args.resume)
    facts = host.description(host.pin(args.core))
    for depth in args.depth:
        for data in datasets:
            jobs = jobs_of(data, depth, args.contenders, prototype)
            done = store.get(file=data.name, depth=depth) or {}
            if all(done.get(f"{name}_status") for name in jobs):
                continue
            records = alternate(jobs, args.repeats, args.timeout)
            row = row_of(data, depth, records, args.clock)
            store.put(row | facts)
            print(_progress(row, records, args.clock), flush=True)
    rows = [row for row in store.rows.values() if int(row["depth"]) in args.depth]
    return print_summary(rows, args.contenders)


def _progress(row: dict, records: dict[str, dict], clock: str) -> str:
    cells = [f"{name} {short(r[clock], ' s') if r['status'] == 'ok' else r['status']}" for name, r in records.items()]
    loud = "" if row["agree"] in ("", "yes") else f"  *** DISAGREE: {row['agree']} ***"
    return f"depth {row['depth']} {row['file']}: {', '.join(cells)}{loud}"


def common_parser(name: str, told: str, contenders: tuple[str, ...]) -> argparse.ArgumentParser:
    """What the command lines of the comparisons have in common."""
    made = argparse.ArgumentParser(prog=f"python -m {name}", description=told.split("\n")[0])
    made.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder with the benchmark files")
    made.add_argument("--files", nargs="+", help="names, or parts of names, of the files to measure")
    made.add_argument("--depth", type=int, nargs="+", default=[3, 4, 5])
    made.add_argument("--max-features", type=int, default=150, help="leave out wider files; 0 takes every file")
    made.add_argument("--contenders", nargs="+", choices=contenders, default=list(contenders))
    made.add_argument("--repeats", type=int, default=5, help="rounds at most; slow cases get one or two")
    made.add_argument("--timeout", type=float, default=60.0, help="seconds for one call")
    made.add_argument("--clock", choices=("cpu_seconds", "seconds"), default="cpu_seconds", help="what ratios are of")
    made.add_argument("--core", type=int, default=1, help="core to pin to; --threads is never pinned")
    made.add_argument("--prototype", type=Path, help="its executable or its sources; default: beside the data folder")
    made.add_argument("--out", type=Path, help="CSV file; default benchmarks/results/MODE.csv")
    made.add_argument("--resume", action="store_true", help="keep the rows already in the CSV file")
    return made


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = common_parser("benchmarks.fronts", __doc__, CONTENDERS)
    mode = made.add_mutually_exclusive_group()
    mode.add_argument("--by-nodes", dest="mode", action="store_const", const="by_nodes", help="cost of a node budget")
    mode.add_argument("--threads", dest="mode", action="store_const", const="threads", help="one thread against two")
    mode.add_argument("--memory", dest="mode", action="store_const", const="memory", help="peak memory of two cases")
    made.set_defaults(mode="fronts")
    return made


def usable(args: argparse.Namespace) -> Path | None:
    """Drops contenders that are not here, saying so; returns the prototype's executable when it takes part."""
    packages = [name for name in args.contenders if name in ("paretree", "pystreed")]
    for name in [name for name in packages if not host.installed(name)]:
        print(f"{name} is not installed: left out", file=sys.stderr)
        args.contenders.remove(name)
    if "prototype" not in args.contenders:
        return None
    try:
        return host.prototype(args.prototype or args.data.parent / "prototype")
    except host.PrototypeMissing as error:
        print(f"prototype left out: {error}", file=sys.stderr)
        args.contenders.remove("prototype")
        return None


def main() -> int:
    """Runs the mode asked for; 2 when the data are missing, 1 when answers disagree."""
    args = parser().parse_args()
    args.data = args.data.resolve()
    args.out = args.out or host.ROOT / "benchmarks" / "results" / f"{args.mode}.csv"
    try:
        if args.mode != "fronts":
            return modes.MODES[args.mode](args)
        datasets = listing(args.data, args.files, args.max_features or None)
    except DataMissing as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    prototype = usable(args)
    return compare(args, datasets, prototype)


if __name__ == "__main__":
    sys.exit(main())
