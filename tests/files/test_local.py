"""Files of this machine."""

import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest

from feedline.errors import DataLossError, FileError, NotFoundError
from feedline.files import matching, open_file, open_to_write


@pytest.fixture
def numbers(tmp_path):
    path = tmp_path / "numbers"
    path.write_bytes(bytes(range(256)) * 40)
    return str(path)


def test_any_part_can_be_read(numbers):
    with open_file(numbers) as file:
        assert file.size() == 10240
        assert file.read(1, 3) == b"\x01\x02\x03"
        assert file.read(10238, 100) == b"\xfe\xff"
        assert file.read(99999, 1) == b""


def test_a_huge_count_allocates_nothing(numbers):
    with open_file(numbers) as file:
        assert file.read(10239, 2**60) == b"\xff"


def test_chunks_cover_what_follows_a_place(numbers):
    with open_file(numbers) as file:
        parts = list(file.chunks(5, 100))

    assert b"".join(parts) == (bytes(range(256)) * 40)[5:]
    assert {len(part) for part in parts[:-1]} == {100}


def test_several_threads_may_read_one_file(numbers):
    with open_file(numbers) as file, ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda at: file.read(at, 1)[0], range(256)))

    assert found == list(range(256))


def test_rows_are_read_wherever_they_lie(numbers):
    with open_file(numbers) as file:
        rows = file.read_rows(np.array([3, 5, 250, 0]), 2)

        assert rows.tolist() == [3, 4, 5, 6, 250, 251, 0, 1]
        with pytest.raises(DataLossError, match="became shorter while it was read"):
            file.read_rows(np.array([0, 1 << 40]), 2)


def test_an_empty_file_has_no_chunks(tmp_path):
    (tmp_path / "empty").touch()

    with open_file(str(tmp_path / "empty")) as file:
        assert list(file.chunks()) == []


def test_a_pipe_can_be_read_once():
    reads, writes = os.pipe()
    os.write(writes, b"through a pipe")
    os.close(writes)

    with open_file(f"/dev/fd/{reads}") as file:
        assert b"".join(file.chunks()) == b"through a pipe"
        with pytest.raises(FileError, match="only be read once"):
            next(file.chunks(3))
    os.close(reads)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(NotFoundError, match="nowhere: there is no such file") as caught:
        open_file(str(tmp_path / "nowhere"))

    assert isinstance(caught.value, FileNotFoundError)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(FileError, match="is a folder"):
        open_file(str(tmp_path))


def test_a_closed_file_says_so(numbers):
    file = open_file(numbers)
    file.close()
    file.close()

    with pytest.raises(FileError, match="was closed"):
        file.read(0, 1)


def test_a_path_may_be_a_file_url(numbers):
    with open_file(f"file://{numbers}") as file:
        assert file.read(7, 1) == b"\x07"


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.txt", [".c.txt", "B.txt", "a.txt", "x[1].txt"]),
        ("[ab].txt", ["a.txt"]),
        ("[!a].txt", ["B.txt"]),
        ("x\\[1].txt", ["x[1].txt"]),
        ("**/*.txt", ["sub/a.txt"]),
        ("sub/", ["sub"]),
        ("{a,B}.txt", []),
        ("nowhere/*", []),
        ("a.txt", ["a.txt"]),
    ],
)
def test_patterns_match_as_in_tensorflow(tmp_path, pattern, found):
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    for name in ["a.txt", "B.txt", ".c.txt", "x[1].txt", "sub/a.txt", "sub/deep/a.txt"]:
        (tmp_path / name).touch()

    assert matching(f"{tmp_path}/{pattern}") == [f"{tmp_path}/{name}" for name in found]


def test_memory_is_filled(numbers):
    memory = bytearray(8)
    with open_file(numbers) as file:
        assert file.read_into(254, memoryview(memory)) == 8
        assert file.read_into(10237, memoryview(memory)[:5]) == 3
        assert file.is_seekable

    assert memory == b"\xfd\xfe\xff\x01\x02\x03\x04\x05"


def test_a_new_file_replaces_an_old_one(numbers):
    with open_to_write(numbers) as file:
        file.write(b"new")

    with open_file(numbers) as file:
        assert file.read(0, 100) == b"new"


def test_a_file_cannot_be_made_where_there_is_no_folder(tmp_path):
    with pytest.raises(NotFoundError, match="there is no folder"):
        open_to_write(str(tmp_path / "no" / "a"))
    with pytest.raises(FileError, match="cannot be written"):
        open_to_write(str(tmp_path))


@pytest.fixture
def ctrl_c(monkeypatch):
    """Return what presses Ctrl-C once, some time after it runs something over and over."""
    pressed = []

    def press(*_):
        pressed.append(True)
        raise KeyboardInterrupt

    def strike(seconds, work):
        pressed.clear()
        with suppress(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, seconds)
            while not pressed:  # Python only prints what strikes in a destructor
                work()

    monkeypatch.setattr(sys, "unraisablehook", lambda found: None)
    before = signal.signal(signal.SIGALRM, press)
    yield strike
    signal.signal(signal.SIGALRM, before)


def test_ctrl_c_leaves_no_file_open_wherever_it_strikes(numbers, ctrl_c):
    def open_some():
        open_file(numbers).close()
        open_file(numbers)

    for tries in range(300):
        ctrl_c(0.0001 + tries * 1e-6, open_some)

    links = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
    assert numbers not in [os.readlink(link) for link in links if os.path.exists(link)]
