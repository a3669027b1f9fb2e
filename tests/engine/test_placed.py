"""Where the work of a map is done when nobody named an executor."""

import os
import threading

import numpy as np
import pytest

from feedline.block import Block
from feedline.engine.function import Function
from feedline.engine.mapped import Mapper
from feedline.engine.placed import Placed
from feedline.errors import RemoteError
from feedline.options import Options
from feedline.parallel.stage import Stage
from feedline.parallel.workers import Workers


@pytest.fixture
def placed():
    made = []

    def place(fn, executor="processes", choices=("inline", "threads", "processes")):
        workers = Workers(Options())
        stage = Stage("map(f)", executor=executor, choices=choices)
        made.append(workers)
        return Placed(Mapper(Function(fn, "map(f)"), 0), stage, workers, False)

    yield place
    for workers in made:
        workers.processes.close()
        workers.close()


def pids(work, runs=1):
    block = Block.of([np.int64(0)] * 3)
    return [int(work(block, 0)[0].rows()[0]) for _ in range(runs)]


def test_threads_do_it_here(placed):
    assert pids(placed(lambda x: os.getpid(), "threads")) == [os.getpid()]


def test_processes_do_it_elsewhere_if_they_were_asked_for(placed):
    assert pids(placed(lambda x: os.getpid(), choices=("processes",))) != [os.getpid()]


def test_otherwise_the_first_run_is_done_here_and_the_next_elsewhere(placed):
    first, second = pids(placed(lambda x: os.getpid()), 2)

    assert first == os.getpid()
    assert second != os.getpid()


def test_a_function_that_keeps_something_stays(placed):
    seen = []
    work = placed(lambda x: seen.append(0) or os.getpid())

    assert set(pids(work, 3)) == {os.getpid()}
    assert work.stage.executor == "threads"
    assert work.stage.choices == ("inline", "threads")
    assert "keeps something" in work.stage.no_processes


def test_a_function_that_cannot_be_sent_stays(placed):
    lock = threading.Lock()
    work = placed(lambda x: lock and os.getpid())

    assert set(pids(work, 3)) == {os.getpid()}
    assert "lock" in work.stage.no_processes


class Unmade:
    """Can be pickled, but not made again."""

    def __call__(self, x):
        return os.getpid()

    def __reduce__(self):
        return int, ("no number",)


def test_a_function_that_cannot_be_made_elsewhere_stays(placed):
    work = placed(Unmade())

    assert set(pids(work, 3)) == {os.getpid()}
    assert work.stage.executor == "threads"
    assert "cannot be made again in another process" in work.stage.no_processes


class Held(Exception):  # noqa: N818
    """Cannot be pickled."""

    def __reduce__(self):
        raise TypeError("stays here")


def fails(x):
    raise Held(x)


@pytest.mark.parametrize("fn", [lambda x: threading.Lock(), fails])
def test_what_cannot_come_back_stays_in_threads(placed, fn):
    work, block = placed(fn), Block.of([np.int64(0)] * 3)
    pieces = [work(block, 0) for _ in range(3)]

    assert work.stage.executor == "threads"
    assert "processes" not in work.stage.choices
    assert "cannot be sent" in work.stage.no_processes
    assert not any(type(piece) is RemoteError for run in pieces for piece in run)
    assert all(sum(getattr(piece, "length", 1) for piece in run) == 3 for run in pieces)
