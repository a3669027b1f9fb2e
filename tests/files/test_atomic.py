"""Files that appear whole or not at all."""

import os
import stat

import fsspec
import pytest

from feedline.errors import FileError, NotFoundError
from feedline.files import written_atomically


def write_half(path, error):
    with written_atomically(path) as file:
        file.write(b"half")
        raise error


def test_the_file_is_there_when_the_block_has_ended(tmp_path):
    with written_atomically(str(tmp_path / "a")) as file:
        file.write(b"new")
        before = (tmp_path / "a").exists()

    assert not before
    assert (tmp_path / "a").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_what_was_there_and_nothing_else(tmp_path, error):
    (tmp_path / "a").write_bytes(b"old")

    with pytest.raises(error):
        write_half(str(tmp_path / "a"), error)

    assert (tmp_path / "a").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_others_may_read_the_file_if_the_user_lets_them(tmp_path):
    usual = os.umask(0o022)
    with written_atomically(str(tmp_path / "a")):
        pass
    os.umask(usual)

    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o644


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")

    with written_atomically(str(tmp_path / "link")) as file:
        file.write(b"new")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_missing_folder_is_named(tmp_path):
    path = str(tmp_path / "no" / "a")

    with pytest.raises(NotFoundError, match="there is no folder"), written_atomically(path):
        pass


def test_a_folder_cannot_be_replaced(tmp_path):
    (tmp_path / "a").mkdir()

    with pytest.raises((FileError, OSError)), written_atomically(str(tmp_path / "a")):
        pass

    assert os.listdir(tmp_path) == ["a"]


def test_remote_files_appear_whole_too():
    system = fsspec.filesystem("memory")

    with written_atomically("memory://atomic/a") as file:
        file.write(b"new")
    with pytest.raises(KeyError):
        write_half("memory://atomic/a", KeyError)

    assert system.cat_file("/atomic/a") == b"new"
    assert system.ls("/atomic", detail=False) == ["/atomic/a"]
