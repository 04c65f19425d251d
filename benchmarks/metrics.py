"""The best tree for one metric, proven: paretree's `best_tree` beside its prototype, pystreed, and a finished front.

`python -m benchmarks.metrics --data FOLDER` measures every file, depth and metric, all contenders in turn on one core,
and writes one row for each. Guarantees: a ratio is written only where both finished; the values of all contenders are
compared, and a difference is shown loudly, is kept in the column `agree`, and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks import fronts, host
from benchmarks.datasets import DataMissing, Dataset, listing
from benchmarks.rounds import Job, alternate
from benchmarks.table import Store, aligned, geometric_mean, number, short

RIVALED = ("f1", "accuracy")  # what the prototype and pystreed solve too
METRICS = (*RIVALED, "mcc", "fowlkes_mallows", "kappa", "gmean", "min_recall", "p4", "macro_f1")
CONTENDERS = ("best_tree", "query", "prototype", "pystreed")
SOLVES = ("weighted_solves", "window_searches", "probes")
MEASURED = ("status", "seconds", "cpu_seconds", "runs", "score", "error")
COLUMNS = [
    *("file", "depth", "metric", "rows", "features"),
    *("pystreed_over_best_tree", "best_tree_over_prototype", "best_tree_over_f1", "agree", "clock"),
    *(f"{contender}_{name}" for contender in CONTENDERS for name in MEASURED),
    *SOLVES,
    *("commit", "paretree_version", "pystreed_version", "python", "processor", "core", "date"),
]


def jobs_of(data: Dataset, depth: int, metric: str, contenders: list[str], prototype: Path | None) -> dict[str, Job]:
    """One job for each contender that answers this question."""
    jobs = {}
    for name in contenders:
        if name in ("prototype", "pystreed") and metric not in RIVALED:
            continue
        options = {} if name == "pystreed" else {"n_jobs": 1}
        program = prototype if name == "prototype" else None
        contender = "prototype's best" if name == "prototype" else name
        jobs[name] = Job(contender, data.path, depth, options, program, metric, data.rows)
    return jobs


def row_of(data: Dataset, depth: int, metric: str, records: dict[str, dict], clock: str) -> dict[str, object]:
    """The CSV row of one file, depth and metric."""
    row: dict[str, object] = {"file": data.name, "depth": depth, "metric": metric, "clock": clock}
    row |= {"rows": data.rows, "features": data.features}
    for contender, record in records.items():
        kept = MEASURED if record["status"] == "ok" else ("status", "error")
        row |= {f"{contender}_{name}": record.get(name) for name in kept}
    finished = {name: record for name, record in records.items() if record["status"] == "ok"}
    row |= {name: finished.get("best_tree", {}).get(name) for name in SOLVES}
    row["pystreed_over_best_tree"] = fronts.ratio(finished, "pystreed", "best_tree", clock)
    row["best_tree_over_prototype"] = fronts.ratio(finished, "best_tree", "prototype", clock)
    row["agree"] = "; ".join(fronts.disagreements(finished)) or ("yes" if len(finished) > 1 else "")
    return row


def compare(args: argparse.Namespace, datasets: list[Dataset], prototype: Path | None) -> int:
    """Measures and stores every file, depth and metric that is asked for; the exit code."""
    store = Store(args.out, COLUMNS, ("file", "depth", "metric"), args.resume)
    facts = host.description(host.pin(args.core))
    for depth in args.depth:
        for data in datasets:
            for metric in args.metrics:
                jobs = jobs_of(data, depth, metric, args.contenders, prototype)
                done = store.get(file=data.name, depth=depth, metric=metric) or {}
                if all(done.get(f"{name}_status") for name in jobs):
                    continue
                row = row_of(data, depth, metric, alternate(jobs, args.repeats, args.timeout), args.clock)
                f1 = store.get(file=data.name, depth=depth, metric="f1") or {}
                own = row.get(f"best_tree_{args.clock}")
                base = own if metric == "f1" else number(f1, f"best_tree_{args.clock}")
                row["best_tree_over_f1"] = own / base if own and base else None
                store.put(row | facts)
                _tell(row, list(jobs), args.clock)
    return _print_means(list(store.rows.values()), args.clock)


def _tell(row: dict, contenders: list[str], clock: str) -> None:
    times = (
        f"{name} {short(row[f'{name}_{clock}'], ' s') if row[f'{name}_status'] == 'ok' else row[f'{name}_status']}"
        for name in contenders
    )
    loud = "" if row["agree"] in ("", "yes") else f"  *** DISAGREE: {row['agree']} ***"
    print(f"depth {row['depth']} {row['file']} {row['metric']}: {', '.join(times)}{loud}", flush=True)


def _print_means(rows: list[dict[str, str]], clock: str) -> int:
    """Geometric means for each depth and metric, over the cases that both contenders of a ratio finished."""
    header = ["depth", "metric", "cases", "pystreed/best_tree", "cases", "best_tree/prototype", "cases", "over f1"]
    header += ["slowest best_tree", "slowest query"]
    cells = []
    for depth, metric in dict.fromkeys((row["depth"], row["metric"]) for row in rows):
        these = [row for row in rows if (row["depth"], row["metric"]) == (depth, metric)]
        line = [depth, metric]
        for name in ("pystreed_over_best_tree", "best_tree_over_prototype", "best_tree_over_f1"):
            known = [value for row in these if (value := number(row, name)) is not None]
            line += [str(len(known)), short(geometric_mean(known))]
        for name in ("best_tree", "query"):
            line.append(short(max((number(row, f"{name}_{clock}") or 0 for row in these), default=None), " s"))
        cells.append(line)
    print("\n" + aligned(header, cells))
    wrong = [f"{row['file']} {row['depth']} {row['metric']}: {row['agree']}" for row in rows]
    wrong = [line for line, row in zip(wrong, rows, strict=True) if row["agree"] not in ("", "yes")]
    for line in wrong:
        print(f"*** ANSWERS DISAGREE *** {line}")
    return 1 if wrong else 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = fronts.common_parser("benchmarks.metrics", __doc__, CONTENDERS)
    made.add_argument("--metrics", nargs="+", default=list(METRICS), help="names of paretree's metrics")
    made.set_defaults(depth=[4])
    return made


def main() -> int:
    """Measures; 2 when the data are missing, 1 when answers disagree."""
    args = parser().parse_args()
    args.data = args.data.resolve()
    args.out = args.out or host.ROOT / "benchmarks" / "results" / "metrics.csv"
    try:
        datasets = listing(args.data, args.files, args.max_features or None)
    except DataMissing as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return compare(args, datasets, fronts.usable(args))


if __name__ == "__main__":
    sys.exit(main())
