"""How the end of a process is told."""

import os
import platform
import resource
import signal

import pytest

from feedline.parallel.processes import Processes
from feedline.parallel.worker import Died, Thing
from tests.parallel.leftovers import children


@pytest.mark.parametrize(
    ("fn", "text"),
    [
        (lambda: os._exit(7), "ended with exit code 7"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "was ended by SIGKILL"),
        (lambda: os.kill(os.getpid(), signal.SIGSEGV), "was ended by SIGSEGV"),
    ],
    ids=["exit", "kill", "segfault"],
)
def test_the_text_says_how_it_ended_and_nothing_is_left(fn, text):
    before = children()
    processes = Processes()
    with pytest.raises(Died, match=text), processes.lease(1) as worker:
        worker.call(Thing(fn))

    assert processes.pids == []
    assert children() == before


def test_in_a_fork_it_is_not_ours():
    processes = Processes()
    with processes.lease(1) as worker:
        worker._owner += 1
        with pytest.raises(Died, match="forked"):
            worker.call(Thing(len), [])
        worker._owner -= 1
        assert worker.call(Thing(len), [1]) == 1
    processes.close()


def _faults_of_temporary_arrays(_):
    def work():
        for _ in range(50):
            some = [bytearray(200_000) for _ in range(20)]
            del some

    work()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    work()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others have no way to say so")
@pytest.mark.parametrize(("asked", "least", "most"), [(None, 0, 1_000), ("4096", 10_000, 10**9)])
def test_memory_is_kept_for_the_next_call_unless_the_user_says_how(asked, least, most, monkeypatch):
    for name in ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"):
        if asked is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, asked)
    processes = Processes()
    with processes.lease(1) as worker:
        faults = worker.call(Thing(_faults_of_temporary_arrays), None)
    processes.close()

    assert least <= faults <= most
