"""The pool of processes of a dataset."""

import dis
import gc
import os
import sys
import threading

import pytest

from feedline.parallel import processes as processes_module
from feedline.parallel.processes import Processes
from feedline.parallel.worker import Died, Thing, current_folder
from tests.parallel.leftovers import children, ends, shared_files

PID = Thing(os.getpid)


@pytest.fixture(autouse=True)
def nothing_left():
    before = children()
    yield
    gc.collect()
    assert children() == before
    assert shared_files() == []
    assert not [t for t in threading.enumerate() if t.name == "feedline-keeper"]


def test_nothing_is_started_before_it_is_needed():
    assert Processes().pids == []


def test_the_first_lease_starts_all_that_will_be_needed():
    processes = Processes()
    with processes.lease(2):
        assert len(processes.pids) == 2
    processes.close()


def test_leases_share_as_many_as_the_widest_of_them_asked_for():
    processes, pids = Processes(), set()

    def use():
        for _ in range(3):
            with processes.lease(2) as worker:
                pids.add(worker.call(PID))

    threads = [threading.Thread(target=use) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 1 <= len(pids) <= 2
    processes.close()


def test_those_that_are_taken_are_not_limited():
    processes = Processes()
    taken = [processes.take(), processes.take()]

    assert len(processes.pids) == 2
    for worker in taken:
        processes.give_back(worker)
    processes.close()


def test_a_process_is_used_again():
    processes = Processes()
    pids = set()
    for _ in range(5):
        with processes.lease(1) as worker:
            pids.add(worker.call(PID))

    assert len(pids) == 1
    processes.close()


def test_one_that_died_while_idle_is_replaced():
    processes = Processes()
    with processes.lease(1) as worker:
        first = worker.call(PID)
    os.kill(first, 9)
    assert ends([first])
    with processes.lease(1) as worker:
        assert worker.call(PID) != first
    processes.close()


def test_an_interrupted_call_ends_its_process():
    processes = Processes()
    with processes.lease(1) as worker:
        worker.call(PID)
        worker.is_usable = False  # as an interrupt amid a call leaves it

    assert processes.pids == []


def test_idle_processes_are_ended():
    processes = Processes(idle_s=0.05)
    with processes.lease(2) as worker:
        worker.call(PID)
        pids = processes.pids
    keeper = processes._keeper
    keeper.join()

    assert processes.pids == []
    assert ends(pids)


def test_forgetting_the_pool_ends_its_processes():
    processes = Processes()
    with processes.lease(2) as worker:
        worker.call(PID)
        pids = processes.pids
    del processes, worker
    gc.collect()

    assert ends(pids, seconds=5)


def test_a_call_that_does_not_return_is_ended_by_who_is_in_a_hurry():
    processes, raised = Processes(), []

    def hang():
        try:
            with processes.lease(1) as worker:
                entered.set()
                worker.call(Thing(lambda: threading.Event().wait()))
        except Died as died:
            raised.append(str(died))

    entered = threading.Event()
    thread = threading.Thread(target=hang)
    thread.start()
    entered.wait()
    with processes.hurried():
        thread.join()

    assert raised == ["was ended by SIGKILL"]


def test_a_call_that_returns_in_time_is_not_disturbed():
    processes, pids = Processes(), []

    def use():
        with processes.lease(1) as worker:
            pids.append(worker.call(PID))  # which takes as long as it takes to start
            leased.set()
            hurry.wait()
            pids.append(worker.call(PID))

    leased, hurry = threading.Event(), threading.Event()
    thread = threading.Thread(target=use)
    thread.start()
    leased.wait()
    with processes.hurried():
        hurry.set()
        thread.join()

    assert len(set(pids)) == 1
    processes.close()


class Standing:
    """Stands for a process: an interrupt at every place takes as many of them."""

    is_ours = is_alive = is_usable = True
    pid = 0

    def __init__(self, threads):
        self.folder, self.idle_since, self.is_ended = current_folder(), 0.0, False

    def kill(self):
        self.is_alive = self.is_usable = False

    def hang_up(self):
        self.kill()

    def wait(self, seconds):
        self.kill()
        self.is_ended = True


def interrupted_at(place, work):
    """Do work with Ctrl-C at its place-th step in the pool's code; return whether it got there."""
    left = place
    files = (processes_module.__file__, threading.__file__)

    def trace(frame, event, _):
        nonlocal left
        if frame.f_code.co_filename not in files:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and dis.opname[frame.f_code.co_code[frame.f_lasti]] in AFTER_CALLS:
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


# Where Python looks for signals: when a call has returned, and as one begins.
AFTER_CALLS = {"RESUME", "POP_TOP", "STORE_FAST", "RETURN_VALUE", "POP_JUMP_IF_FALSE"}


def test_ctrl_c_anywhere_keeps_no_process_and_no_lock_from_others(monkeypatch):
    monkeypatch.setattr(processes_module, "WorkerProcess", Standing)
    monkeypatch.setattr(processes_module, "end_all", lambda ws: [w.wait(0) for w in ws])
    place, goes_on = 0, True

    while goes_on:
        place += 1
        processes, got = Processes(idle_s=None), []

        def lease(processes=processes):
            with processes.lease(1):
                pass
            with processes.lease(1):
                pass

        def use(processes=processes, got=got):
            with processes.lease(1) as worker:
                got.append(worker)

        goes_on = interrupted_at(place, lease)
        with processes.hurried():
            other = threading.Thread(target=use, daemon=True)
            other.start()
            other.join(20)
        assert got, f"interrupted at step {place}: nobody else gets a process"
        processes.close()

    assert place > 40


def test_another_folder_needs_another_process(tmp_path, monkeypatch):
    processes = Processes()
    with processes.lease(1) as worker:
        worker.call(PID)
    monkeypatch.chdir(tmp_path)
    with processes.lease(1) as worker:
        assert worker.call(Thing(os.getcwd)) == str(tmp_path)
    processes.close()


def test_a_closed_pool_starts_nothing():
    processes = Processes()
    processes.close()

    with pytest.raises(RuntimeError, match="closed"):
        processes.take()


def test_a_fork_leaves_the_processes_to_their_owner():
    processes = Processes()
    with processes.lease(1) as worker:
        pid = worker.call(PID)
    keeper = processes._keeper
    processes._owner += 1  # as a fork would find it
    processes._leave_to_owner()
    assert processes.pids == []
    # Neither end of the connection is held any more: it ends as when its owner is killed.
    assert ends([pid])
    os.waitpid(pid, 0)
    processes.close()
    keeper.join()  # a real fork has no other thread
