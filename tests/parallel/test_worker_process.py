"""What a process does for the one that started it, spoken to directly."""

import atexit
import os
import signal
import sys

import numpy as np
import pytest

from feedline.parallel.processes import Processes
from feedline.parallel.worker import Thing
from tests.parallel.leftovers import ends


class Unpickles:
    """Can be pickled, but not be made again in another process."""

    def __reduce__(self):
        return _only_in, (os.getpid(),)


def _only_in(pid):
    if os.getpid() != pid:
        raise ImportError("not here")
    return Unpickles()


@pytest.fixture(scope="module")
def pool():
    processes = Processes(threads=3, idle_s=None)
    with processes.lease(1) as worker:
        worker.call(Thing(len), [])
    yield processes
    processes.close()


def called(pool, fn, *args):
    with pool.lease(1) as worker:
        return worker.call(Thing(fn), *args)


def test_a_thing_is_called_with_arguments(pool):
    assert called(pool, lambda x, y: x + y, 2, 3) == 5


def test_it_runs_in_another_process_with_the_same_paths_and_folder(pool):
    pid, path, folder = called(pool, lambda: (os.getpid(), sys.path, os.getcwd()))

    assert pid in pool.pids
    assert path == [os.path.abspath(entry) if entry == "" else entry for entry in sys.path]
    assert folder == os.getcwd()


def test_libraries_use_as_many_threads_as_they_were_given(pool):
    assert called(pool, lambda: os.environ["OMP_NUM_THREADS"]) == "3"


def test_a_thing_is_kept_with_what_it_changes(pool):
    calls = []
    thing = Thing(lambda: calls.append(0) or len(calls))
    with pool.lease(1) as worker:
        counted = [worker.call(thing) for _ in range(3)]

    assert counted == [1, 2, 3]
    assert calls == []


def test_things_that_are_not_called_any_more_are_forgotten_and_sent_again(pool):
    things = [Thing(lambda x, n=n: x + n) for n in range(40)]
    with pool.lease(1) as worker:
        results = [worker.call(thing, 1) for _ in range(2) for thing in things]
        assert len(worker._things) < 40

    assert results == [n + 1 for _ in range(2) for n in range(40)]


def test_what_is_raised_there_is_raised_here_and_the_process_goes_on(pool):
    with pool.lease(1) as worker:
        with pytest.raises(KeyError, match="missing"):
            worker.call(Thing(lambda: {}["missing"]))
        assert worker.is_usable
        assert worker.call(Thing(lambda: 1)) == 1


def test_a_result_that_cannot_be_sent_is_an_error(pool):
    with pytest.raises(TypeError, match="generator"):
        called(pool, lambda: (x for x in ()))


def test_a_thing_that_cannot_be_loaded_says_why_at_every_call(pool):
    thing = Thing(Unpickles())
    with pool.lease(1) as worker:
        for _ in range(2):
            with pytest.raises(RuntimeError, match="ImportError: not here"):
                worker.call(thing)
        assert worker.call(Thing(lambda: 1)) == 1


def test_leaving_python_inside_a_call_leaves_it_here(pool):
    with pytest.raises(SystemExit):
        called(pool, lambda: sys.exit(3))


def test_ctrl_c_does_not_concern_it(pool):
    (pid,) = pool.pids
    os.kill(pid, signal.SIGINT)

    assert called(pool, os.getpid) == pid


def test_large_arrays_come_and_go():
    array, processes = np.arange(1 << 20), Processes()

    assert np.array_equal(called(processes, lambda x: x * 2, array), array * 2)
    processes.close()


def test_what_a_function_registered_for_the_end_is_done(tmp_path):
    file = tmp_path / "ended"
    processes = Processes()

    with processes.lease(1) as worker:
        worker.call(Thing(atexit.register), file.write_text, "yes")
    pids = processes.pids
    processes.close()

    assert ends(pids)
    assert file.read_text() == "yes"
