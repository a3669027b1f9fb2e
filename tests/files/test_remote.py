"""Files at URLs."""

import gc
import subprocess
import sys
import zipfile

import fsspec
import numpy as np
import pytest

from feedline.errors import FileError, NotFoundError
from feedline.files import matching, open_file, open_to_write, remote, retrying
from tests.files.reading_threads import all_end

CONTENT = bytes(range(256)) * 9000


@pytest.fixture
def stored():
    system = fsspec.filesystem("memory")
    system.pipe_file("/room/numbers", CONTENT)
    yield "memory://room/numbers"
    system.rm("/room", recursive=True)


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(retrying, "DELAYS", ())


def test_any_part_can_be_read(stored):
    with open_file(stored) as file:
        assert file.size() == len(CONTENT)
        assert file.read(1, 3) == b"\x01\x02\x03"
        assert file.read(len(CONTENT) - 1, 2**60) == b"\xff"
        assert file.read(2**40, 5) == b""
        assert file.read_rows(np.array([0, 2, 1]), 2).tolist() == [0, 1, 2, 3, 1, 2]


@pytest.mark.parametrize("by_range", [False, True])
@pytest.mark.parametrize(("start", "size"), [(0, 1 << 20), (7, 1000), (len(CONTENT), 10)])
def test_chunks_cover_what_follows_a_place(stored, by_range, start, size, monkeypatch):
    monkeypatch.setattr(remote.RemoteFile, "_by_range", by_range)

    parts = list(open_file(stored).chunks(start, size))

    assert b"".join(parts) == CONTENT[start:]
    assert max(map(len, parts), default=0) <= size


@pytest.mark.parametrize("by_range", [False, True])
def test_no_thread_is_left_when_reading_stops_early(stored, by_range, monkeypatch):
    monkeypatch.setattr(remote.RemoteFile, "_by_range", by_range)
    chunks = open_file(stored).chunks()
    next(chunks)
    chunks.close()

    assert all_end()


def test_reading_that_is_dropped_in_a_cycle_ends(stored):
    chunks = open_file(stored).chunks()
    next(chunks)
    cycle = [chunks]
    cycle.append(cycle)
    del chunks, cycle
    gc.collect()

    assert all_end()


class Flaky(fsspec.get_filesystem_class("memory")):
    """Fails at every other call."""

    protocol = "flaky"
    calls = 0

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(path.replace("flaky://", "memory://"))

    def fail_now_and_then(self):
        type(self).calls += 1
        if self.calls % 2:
            raise ConnectionResetError("by peer")

    def cat_file(self, path, start=None, end=None, **kwargs):
        self.fail_now_and_then()
        return super().cat_file(path, start, end, **kwargs)

    def _open(self, path, mode="rb", **kwargs):
        if mode == "rb":
            self.fail_now_and_then()
        return super()._open(path, mode, **kwargs)


@pytest.mark.parametrize("by_range", [False, True])
def test_connections_that_break_are_made_again(by_range, monkeypatch):
    monkeypatch.setattr(remote.RemoteFile, "_by_range", by_range)
    monkeypatch.setattr(retrying, "DELAYS", (0, 0, 0))
    fsspec.register_implementation("flaky", Flaky, clobber=True)
    Flaky().pipe_file("/flaky/numbers", CONTENT)

    file = open_file("flaky://flaky/numbers")

    assert b"".join(file.chunks(3)) == CONTENT[3:]
    assert file.read(5, 1) == b"\x05"


def test_a_missing_file_is_named(at_once):
    with pytest.raises(NotFoundError, match="memory://nowhere: there is no such file"):
        open_file("memory://nowhere")


def test_a_folder_is_no_file(stored):
    with pytest.raises(FileError, match="is a folder"):
        open_file("memory://room")


def test_an_unknown_protocol_is_named():
    with pytest.raises(FileError, match=r"nonsense://x cannot be opened: .*nonsense"):
        open_file("nonsense://x")


def test_patterns_match_urls(stored):
    assert matching("memory://room/*") == ["memory:///room/numbers"]
    assert matching("memory://room/x*") == []


def test_files_inside_a_zip_file_are_streamed(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("numbers", CONTENT)

    with open_file(f"zip://numbers::{tmp_path}/a.zip") as file:
        assert b"".join(file.chunks()) == CONTENT
        assert file.read(300, 2) == CONTENT[300:302]


def test_fsspec_and_isal_are_not_loaded_before_they_are_needed():
    code = "import sys, feedline.files, feedline as f; f.data; print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert not {"fsspec", "isal", "pyarrow"} & set(done.stdout.split())


def test_memory_is_filled(stored):
    memory = bytearray(4)

    assert open_file(stored).read_into(254, memoryview(memory)) == 4
    assert memory == b"\xfe\xff\x00\x01"


def test_a_file_is_written_to_a_url():
    with open_to_write("memory://room2/a") as file:
        file.write(b"new")

    assert open_file("memory://room2/a").read(0, 9) == b"new"
