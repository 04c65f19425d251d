"""A search ends when it is told to, and says so: what it returns then is attained, marked as incomplete, and warned of.

Time, memory, Ctrl-C, other signals, and exceptions of the progress callable; Python runs on meanwhile.
"""

import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pytest
from paretree import IncompleteFrontWarning, Progress, pareto_front

LATE = 0.2  # seconds that a search may take to end
SCHEDULING = 0.15  # what a busy machine may add where a process has to be woken


@contextmanager
def ends_after(seconds):
    """Assert that the block takes no longer than this, but for what an end may take."""
    start = time.perf_counter()
    yield
    assert time.perf_counter() - start < seconds + LATE


MORE = [{}, {"n_jobs": 2}, {"points": "supported"}, {"max_nodes": 12}, {"min_samples_leaf": 20}, {"rules": []}]


@pytest.mark.parametrize("more", MORE, ids=str)
@pytest.mark.parametrize("seconds", [0.001, 0.4])
def test_a_time_limit_ends_the_search(seconds, more, hard_case, check_points):
    told = pytest.warns(IncompleteFrontWarning, match="time_limit was reached after .* not proven complete")
    with told, ends_after(seconds):
        front = hard_case.front(max_depth=5, time_limit=seconds, **more)
    assert (front.complete, front.stopped) == (False, "time_limit")
    assert "incomplete: time_limit" in repr(front)
    assert front.stats["seconds"] < seconds + LATE
    check_points(front, hard_case, 5, more.get("max_nodes"), more.get("min_samples_leaf", 1))


def test_every_budget_of_an_unfinished_search_is_attained(hard_case, check_points):
    with pytest.warns(IncompleteFrontWarning):
        front = hard_case.front(max_depth=5, max_nodes=8, time_limit=0.3)
    assert len(front.by_nodes) == 9
    for nodes, within in enumerate(front.by_nodes):
        assert not within.complete
        check_points(within, hard_case, 5, nodes)


@pytest.mark.parametrize("depth", [6, 12, 20])
def test_great_depths_end_in_time(depth, hard_case, check_points):
    with pytest.warns(IncompleteFrontWarning), ends_after(0.4):
        front = hard_case.front(max_depth=depth, time_limit=0.4)
    check_points(front, hard_case, depth)


def test_large_data_end_in_time():
    random = np.random.default_rng(1)
    X, y = random.integers(0, 2, (40_000, 1000), dtype=np.uint8), random.integers(0, 2, 40_000)
    with pytest.warns(IncompleteFrontWarning), ends_after(0.1):
        front = pareto_front(X, y, max_depth=5, time_limit=0.1)
    assert (front.complete, front.stopped) == (False, "time_limit")


@pytest.mark.parametrize("limit", [1, 10_000_000, "20MB"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_memory_limit_ends_the_search(limit, n_jobs, hard_case, check_points):
    with pytest.warns(IncompleteFrontWarning, match="memory_limit was reached"), ends_after(0.1):
        front = hard_case.front(max_depth=5, memory_limit=limit, n_jobs=n_jobs)
    assert (front.complete, front.stopped) == (False, "memory_limit")
    check_points(front, hard_case, 5)


def test_a_memory_limit_that_suffices_ends_nothing(random_case, structure):
    case = random_case(11, rows=100, columns=10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        front = case.front(max_depth=4, memory_limit="64GB", time_limit=60)
    assert front.complete
    assert structure(front) == structure(case.front(max_depth=4))


@pytest.fixture(scope="module")
def lengthy_case(random_case):
    """Give data whose complete front takes long enough to be interrupted, but not long."""
    random = np.random.default_rng(2)
    return random_case(0).but(X=random.integers(0, 2, (1000, 40)), y=random.integers(0, 2, 1000), weight=None)


def test_what_was_interrupted_leaves_no_trace(lengthy_case, pairs, structure):
    whole = lengthy_case.front(max_depth=4)
    for more in ({"time_limit": whole.stats["seconds"] / 3}, {"memory_limit": 1}):
        with pytest.warns(IncompleteFrontWarning):
            part = lengthy_case.front(max_depth=4, **more)
        assert all(any(fp <= p.fp and fn <= p.fn for fp, fn in pairs(whole)) for p in part)
    again = lengthy_case.front(max_depth=4)
    assert again.complete
    assert structure(again) == structure(whole)


CHILD = """
import signal, sys, time, warnings
import numpy as np
from paretree import pareto_front

signal.signal(signal.SIGINT, signal.default_int_handler)
random = np.random.default_rng(0)
X, y = random.integers(0, 2, (3000, 200), dtype=np.uint8), random.integers(0, 2, 3000)
warnings.simplefilter("ignore")
print("ready", flush=True)
front = pareto_front(X, y, max_depth=5, n_jobs=int(sys.argv[1]), time_limit=20)
end = time.monotonic()
attained = all((p.tree.predict(X) != y).sum() == p.fp + p.fn for p in front)
print(end, front.complete, front.stopped, len(front) > 2, attained)
"""


@pytest.mark.parametrize("n_jobs", ["1", "2"])
def test_ctrl_c_returns_what_was_found(n_jobs):
    with subprocess.Popen([sys.executable, "-c", CHILD, n_jobs], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(1)
        sent = time.monotonic()  # one clock for all processes
        child.send_signal(signal.SIGINT)
        said, _ = child.communicate(timeout=20)
    end, *rest = said.split()
    assert rest == ["False", "interrupt", "True", "True"]
    assert float(end) - sent < LATE + SCHEDULING
    assert child.returncode == 0


@contextmanager
def ctrl_c_is_kept():
    """Assert that no KeyboardInterrupt leaves the block; it would end the whole test run."""
    try:
        yield
    except KeyboardInterrupt:
        pytest.fail("Ctrl-C took what was found with it")


class AlarmError(Exception):
    """What the handler of an alarm raises."""


@contextmanager
def alarm_after(seconds, handler):
    """Let an alarm go off in the block."""
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_ctrl_c_in_this_process_is_warned_of(hard_case, check_points):
    told = pytest.warns(IncompleteFrontWarning, match="interrupted after")
    with ends_after(0.3), alarm_after(0.3, signal.default_int_handler), told, ctrl_c_is_kept():
        front = hard_case.front(max_depth=5, time_limit=20)
    assert (front.complete, front.stopped) == (False, "interrupt")
    check_points(front, hard_case, 5)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_exception_of_a_signal_handler_is_the_callers(n_jobs, hard_case):
    def handler(*_):
        raise AlarmError("enough")

    with ends_after(0.3), alarm_after(0.3, handler), pytest.raises(AlarmError, match="enough"):
        hard_case.front(max_depth=5, time_limit=20, n_jobs=n_jobs)


def test_a_signal_handler_that_returns_ends_nothing(hard_case):
    seen = []
    with alarm_after(0.1, lambda *_: seen.append(time.perf_counter())), pytest.warns(IncompleteFrontWarning):
        front = hard_case.front(max_depth=5, time_limit=0.4)
    assert front.stopped == "time_limit"
    assert len(seen) == 1


def test_progress_tells_how_far_the_search_is(hard_case):
    records = []
    with pytest.warns(IncompleteFrontWarning):
        hard_case.front(max_depth=5, time_limit=1, progress=records.append)
    assert 5 <= len(records) <= 50
    assert all(type(record) is Progress for record in records)
    assert all(a.seconds < b.seconds and a.depth <= b.depth for a, b in pairwise(records))
    assert all(0 <= record.splits_done <= record.splits <= 200 and 0 < record.depth <= 5 for record in records)
    assert all(record.points >= 1 and 0 < record.seconds < 1 + LATE for record in records)


@pytest.mark.parametrize("error", [AlarmError, SystemExit])
def test_an_exception_of_progress_is_the_callers(error, hard_case):
    def progress(record):
        raise error("enough")

    with ends_after(0.1), pytest.raises(error, match="enough"):
        hard_case.front(max_depth=5, time_limit=20, progress=progress)


def test_ctrl_c_while_progress_is_told_returns_what_was_found(hard_case):
    def progress(record):
        signal.raise_signal(signal.SIGALRM)

    told = pytest.warns(IncompleteFrontWarning, match="interrupted after")
    with alarm_after(20, signal.default_int_handler), ctrl_c_is_kept(), told:
        front = hard_case.front(max_depth=5, time_limit=20, progress=progress)
    assert front.stopped == "interrupt"


@pytest.mark.parametrize("progress", [None, True, False])
def test_nothing_is_written_where_there_is_no_terminal(progress, hard_case, capfd):
    with pytest.warns(IncompleteFrontWarning):
        hard_case.front(max_depth=5, time_limit=0.3, progress=progress)
    assert capfd.readouterr() == ("", "")


def test_other_threads_run_meanwhile(hard_case):
    ticks, over = [], threading.Event()
    ticker = threading.Thread(target=lambda: [ticks.append(0) for _ in iter(lambda: over.wait(0.001), True)])
    ticker.start()
    with pytest.warns(IncompleteFrontWarning):
        hard_case.front(max_depth=5, time_limit=0.5)
    over.set()
    ticker.join()
    assert len(ticks) > 100


def test_searches_in_several_threads_are_apart(lengthy_case, structure):
    depths = [3, 4, 2, 3]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda depth: structure(lengthy_case.front(max_depth=depth)), depths))
    assert found == [structure(lengthy_case.front(max_depth=depth)) for depth in depths]


def test_budgets_beyond_the_rows_cost_nothing():
    random = np.random.default_rng(3)
    X, y = random.integers(0, 2, (12, 6), dtype=np.uint8), random.integers(0, 2, 12)
    start = time.perf_counter()
    front = pareto_front(X, y, max_depth=15, max_nodes=32767, time_limit=20)
    assert time.perf_counter() - start < 10
    assert front.complete
    assert len(front.by_nodes) == 32768
    assert [(p.fp, p.fn) for p in front.by_nodes[32767]] == [(p.fp, p.fn) for p in front]


def test_budgets_that_are_too_large_are_refused():
    X = np.random.default_rng(4).integers(0, 2, (2000, 30), dtype=np.uint8)
    with pytest.raises(ValueError, match="max_nodes is 1000; at most 255"):
        pareto_front(X, X[:, 0], max_depth=12, max_nodes=1000)


def test_heavy_weights_obey_the_time_limit():
    random = np.random.default_rng(5)
    X, y = random.integers(0, 2, (400, 30), dtype=np.uint8), random.integers(0, 2, 400)
    weight = random.integers(1, 80_000, 400)
    start = time.perf_counter()
    with pytest.warns(IncompleteFrontWarning):
        pareto_front(X, y, max_depth=3, max_nodes=7, sample_weight=weight, time_limit=1)
    assert time.perf_counter() - start < 1.5


def test_wide_data_of_depth_one_need_no_pair_counts():
    X = np.random.default_rng(6).integers(0, 2, (60, 20_000), dtype=np.uint8)
    front = pareto_front(X, X[:, 7], max_depth=1, time_limit=60)
    assert front.complete
    assert [(point.fp, point.fn) for point in front] == [(0, 0)]
