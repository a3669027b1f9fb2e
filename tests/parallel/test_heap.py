"""Memory that was freed goes back to the system, or is kept."""

import gc
import platform
import subprocess
import sys

import pytest

from feedline.parallel import room
from feedline.parallel.heap import give_back_freed
from feedline.parallel.room import Memory


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others have no way to say so")
def test_what_lies_below_memory_in_use_goes_back():
    many = [bytes(64_000) for _ in range(2_000)]
    last = many.pop()
    del many
    before = resident()
    give_back_freed()

    assert before - resident() > 50_000_000
    assert len(last) == 64_000


_FREED = """
import sys
import numpy as np
from feedline.parallel.heap import return_large_at_once

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

np.ones(1 << 21)  # 16 MB: from now on the library keeps what is smaller
if sys.argv[1] == "at once":
    return_large_at_once()
many = [np.ones(1 << 20) for _ in range(20)]
last, before = many.pop(), resident()
del many
print(before - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others have no way to say so")
@pytest.mark.parametrize(("when", "least", "most"), [("at once", 150, 160), ("later", -1, 100)])
def test_large_pieces_go_back_at_once_where_that_was_asked_for(when, least, most):
    command = [sys.executable, "-c", _FREED, when]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert least <= int(done.stdout) / 1e6 <= most


_FAULTS = """
import resource, sys
import numpy as np
from feedline.parallel.heap import keep_freed, return_large_at_once

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def work():  # as a function does that computes with arrays of 200 KB
    some = [np.ones(25_000) for _ in range(20)]
    del some

if sys.argv[1] == "back":
    return_large_at_once()
elif sys.argv[1] == "kept":
    return_large_at_once()
    keep_freed()  # the last one to say so is heard
work()
before = faults()
for _ in range(50):
    work()
print(faults() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others have no way to say so")
def test_temporary_arrays_find_their_memory_again_where_it_is_kept():
    def faults(what):
        command = [sys.executable, "-c", _FAULTS, what]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return int(done.stdout)

    assert faults("back") > 10_000
    assert faults("kept") < 1_000


def test_it_goes_back_now_and_then_where_memory_is_rationed(monkeypatch):
    calls = []
    monkeypatch.setattr(room, "give_back_freed", lambda: calls.append(1))
    memory = Memory(limit=800, is_rationed=True)
    for _ in range(20):
        memory.add(60)
        memory.add(-60)

    assert len(calls) == 10
    assert memory.held == 0


def test_nothing_is_given_back_where_it_is_not(monkeypatch):
    monkeypatch.setattr(room, "give_back_freed", lambda: pytest.fail("was called"))
    memory = Memory(limit=800)
    for _ in range(20):
        memory.add(600)
        memory.add(-600)


def test_nobody_has_it_kept_while_somebody_rations_it(monkeypatch):
    calls = []
    monkeypatch.setattr(room, "keep_freed", lambda: calls.append("kept"))
    monkeypatch.setattr(room, "return_large_at_once", lambda: calls.append("goes back"))
    gc.collect()
    Memory()
    rationed = Memory(limit=800, is_rationed=True)
    Memory()
    assert rationed.is_rationed
    del rationed
    Memory()

    assert calls == ["kept", "goes back", "kept"]
