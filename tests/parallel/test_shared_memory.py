"""Memory that two processes see."""

import errno
import os

import pytest

from feedline.parallel import shared_memory
from feedline.parallel.shared_memory import SharedMemory
from tests.parallel.leftovers import shared_files


def no_space(fd, start, size):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_whoever_maps_the_file_sees_the_same_bytes():
    ours = SharedMemory.make(5000)
    theirs = SharedMemory(os.dup(ours.fd), 5000)

    ours.array[4999] = 7

    assert theirs.array[4999] == 7
    ours.close()
    theirs.close()


def test_without_anonymous_files_a_file_without_a_name_serves(monkeypatch):
    monkeypatch.delattr(os, "memfd_create", raising=False)
    memory = SharedMemory.make(100)
    memory.array[:] = 3

    assert memory.array.sum() == 300
    assert shared_files() == []
    memory.close()


def test_without_a_call_that_sets_memory_aside_it_is_written_to(monkeypatch):
    monkeypatch.delattr(os, "posix_fallocate", raising=False)
    memory = SharedMemory.make(shared_memory._AT_A_TIME + 10)

    assert os.fstat(memory.fd).st_size == shared_memory._AT_A_TIME + 10
    memory.close()


def test_too_little_memory_is_an_error_and_leaves_no_file_open(monkeypatch):
    before = os.listdir("/proc/self/fd")
    monkeypatch.setattr(os, "posix_fallocate", no_space)

    with pytest.raises(OSError, match="No space left"):
        SharedMemory.make(100)
    assert len(os.listdir("/proc/self/fd")) == len(before)


def test_closing_twice_is_no_error():
    memory = SharedMemory.make(100)
    memory.close()

    memory.close()
