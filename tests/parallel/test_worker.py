"""How the end of a process is told."""

import os
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


@pytest.mark.parametrize("asked", [None, "12345"])
def test_memory_is_kept_for_the_next_call_unless_the_user_says_how(asked, monkeypatch):
    name = "MALLOC_TRIM_THRESHOLD_"
    if asked is None:
        monkeypatch.delenv(name, raising=False)
    else:
        monkeypatch.setenv(name, asked)
    processes = Processes()
    with processes.lease(1) as worker:
        found = worker.call(Thing(os.getenv), name)
    processes.close()

    assert found == (asked or str(16 << 20))
