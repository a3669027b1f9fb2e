"""A File as Python's own file objects are."""

import os

from feedline.files import open_file
from feedline.files.seekable import SeekableFile


def test_it_is_read_from_any_place(tmp_path):
    (tmp_path / "file").write_bytes(b"0123456789")
    with open_file(str(tmp_path / "file")) as source:
        file = SeekableFile(source)

        assert (file.readable(), file.seekable(), file.writable()) == (True, True, False)
        assert (file.read(3), file.tell()) == (b"012", 3)
        assert (file.seek(-2, os.SEEK_END), file.read()) == (8, b"89")
        assert (file.seek(1), file.seek(2, os.SEEK_CUR), file.read(1)) == (1, 3, b"3")
        assert (file.seek(99), file.read(1)) == (99, b"")
        file.close()
        assert source.read(0, 1) == b"0"
