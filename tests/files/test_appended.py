"""Files that grow by whole pieces."""

import errno
import io

import pytest

from feedline.errors import FileError
from feedline.files.appended import Appended


class Limited(io.FileIO):
    """A file on a disk that has room for so many bytes, and takes a few of them at once."""

    def __init__(self, path, room):
        super().__init__(path, "wb")
        self.room = room

    def write(self, data):
        left = self.room - self.tell()
        if left <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(bytes(data)[: min(left, 7)])


class Pipe(Limited):
    def truncate(self, size=None):
        raise OSError(errno.EINVAL, "Invalid argument")


class Stored(io.BytesIO):
    """A file of an object store, whose connection breaks."""

    closed = False
    is_discarded = False

    def write(self, data):
        super().write(bytes(data)[:3])
        raise ConnectionError("the store is gone")

    def truncate(self, size=None):
        raise io.UnsupportedOperation("truncate")

    def discard(self):
        self.is_discarded = True


def test_a_piece_that_does_not_fit_leaves_nothing_behind(tmp_path):
    disk = Limited(tmp_path / "a", 20)
    file = Appended(disk, "a")
    file.write(b"x" * 15)
    with pytest.raises(FileError, match=r"a cannot be written: No space left on device\.") as seen:
        file.write(b"y" * 10)
    disk.room = 100
    file.write(b"z" * 10)
    file.close()

    assert seen.value.errno == errno.ENOSPC
    assert file.size == 25
    assert (tmp_path / "a").read_bytes() == b"x" * 15 + b"z" * 10


def test_where_a_part_cannot_be_taken_back_every_later_call_fails_with_the_first_error(tmp_path):
    disk = Pipe(tmp_path / "a", 20)
    file = Appended(disk, "a")
    with pytest.raises(FileError, match="No space left"):
        file.write(b"y" * 30)
    disk.room = 100

    for call in (lambda: file.write(b"z"), file.flush, file.sync, file.close):
        with pytest.raises(FileError, match=r"an earlier write failed .*No space left"):
            call()
    assert disk.closed


def test_a_torn_file_does_not_appear_in_a_store():
    stored = Stored()
    file = Appended(stored, "s3://a")
    with pytest.raises(FileError, match="the store is gone"):
        file.write(b"12345")
    with pytest.raises(FileError, match="the store is gone"):
        file.close()

    assert stored.is_discarded
    assert stored.closed


def test_ctrl_c_between_parts_leaves_nothing_behind(tmp_path):
    class Interrupted(Limited):
        def write(self, data):
            if self.tell() >= 7:
                raise KeyboardInterrupt
            return super().write(data)

    file = Appended(Interrupted(tmp_path / "a", 100), "a")
    with pytest.raises(KeyboardInterrupt):
        file.write(b"y" * 30)
    file.close()

    assert (tmp_path / "a").read_bytes() == b""
