"""Files and folders by name, on this machine and in a file system of fsspec."""

import uuid

import pytest

from feedline.errors import (
    AlreadyExistsError,
    BuildError,
    BuildTypeError,
    FileError,
    NotFoundError,
)
from feedline.io import gfile


@pytest.fixture(params=["local", "file://", "memory://"])
def root(request, tmp_path):
    if request.param == "memory://":
        return f"memory://{uuid.uuid4().hex}"
    return f"{'' if request.param == 'local' else 'file://'}{tmp_path}/root"


def write(path, content, mode="w"):
    with gfile.GFile(path, mode) as file:
        file.write(content)
    return path


def test_folders_are_made_listed_and_removed(root):
    gfile.makedirs(f"{root}/a/b")
    gfile.makedirs(f"{root}/a/b")
    gfile.mkdir(f"{root}/a/c")
    gfile.mkdir(f"{root}/a/c")
    write(f"{root}/a/f.txt", "text")

    assert gfile.isdir(f"{root}/a")
    assert not gfile.isdir(f"{root}/a/f.txt")
    assert not gfile.isdir(f"{root}/none")
    assert sorted(gfile.listdir(f"{root}/a")) == ["b", "c", "f.txt"]
    gfile.rmtree(f"{root}/a")
    assert not gfile.exists(f"{root}/a")


def test_files_are_copied_renamed_and_removed(root):
    gfile.makedirs(root)
    write(f"{root}/f", "text")
    gfile.copy(f"{root}/f", f"{root}/g")
    gfile.rename(f"{root}/g", f"{root}/h")

    assert gfile.GFile(f"{root}/h").read() == "text"
    assert not gfile.exists(f"{root}/g")
    gfile.remove(f"{root}/h")
    assert not gfile.exists(f"{root}/h")
    gfile.rmtree(f"{root}/f")
    assert not gfile.exists(f"{root}/f")


def test_nothing_is_replaced_unless_that_was_said(root):
    gfile.makedirs(root)
    write(f"{root}/f", "first")
    write(f"{root}/g", "second")

    with pytest.raises(AlreadyExistsError, match=r"g is there already\. Say overwrite=True"):
        gfile.copy(f"{root}/f", f"{root}/g")
    with pytest.raises(FileExistsError, match="g is there already"):
        gfile.rename(f"{root}/f", f"{root}/g")
    gfile.copy(f"{root}/f", f"{root}/g", overwrite=True)
    assert gfile.GFile(f"{root}/g").read() == "first"
    gfile.rename(f"{root}/f", f"{root}/g", overwrite=True)
    assert not gfile.exists(f"{root}/f")


def test_files_are_found_by_patterns(root):
    gfile.makedirs(f"{root}/sub")
    for name in ("b.txt", "a.txt", "c.csv"):
        write(f"{root}/{name}", "")

    assert [path[-5:] for path in gfile.glob(f"{root}/*.txt")] == ["a.txt", "b.txt"]
    assert [path[-5:] for path in gfile.glob([f"{root}/c*", f"{root}/a*"])] == ["c.csv", "a.txt"]
    assert gfile.glob(f"{root}/x*") == []


def test_a_tree_is_walked_from_both_ends(root):
    gfile.makedirs(f"{root}/a/b")
    write(f"{root}/f", "")
    down = [(f"{root}", ["a"], ["f"]), (f"{root}/a", ["b"], []), (f"{root}/a/b", [], [])]

    assert list(gfile.walk(root)) == down
    assert list(gfile.walk(root, topdown=False)) == down[::-1]


def test_a_folder_that_cannot_be_walked_is_passed_over_or_told(root):
    met = []

    assert list(gfile.walk(f"{root}/none", onerror=met.append)) == []
    assert [type(error) for error in met] == [NotFoundError]
    assert list(gfile.walk(f"{root}/none")) == []


def test_stat_tells_length_time_and_kind(root):
    gfile.makedirs(root)
    write(f"{root}/f", "äö")

    about = gfile.stat(f"{root}/f")
    assert (about.length, about.is_directory) == (4, False)
    assert about.mtime_nsec > 1_600_000_000 * 10**9
    assert gfile.stat(root).is_directory


@pytest.mark.parametrize(
    "call",
    [
        lambda path: gfile.remove(path),
        lambda path: gfile.rmtree(path),
        lambda path: gfile.stat(path),
        lambda path: gfile.listdir(path),
        lambda path: gfile.copy(path, path + "x"),
        lambda path: gfile.rename(path, path + "x"),
        lambda path: gfile.GFile(path).read(),
        lambda path: gfile.GFile(path, "r+").read(),
    ],
)
def test_what_is_not_there_is_named(root, call):
    with pytest.raises(FileNotFoundError, match="none: there is no such") as raised:
        call(f"{root}/none")

    assert isinstance(raised.value, NotFoundError)


def test_a_folder_is_no_file_and_a_file_no_folder(tmp_path):
    path = write(f"{tmp_path}/f", "x")

    with pytest.raises(FileError, match=r"is a folder, not a file\. Use rmtree"):
        gfile.remove(tmp_path)
    with pytest.raises(NotFoundError, match="there is no such folder"):
        gfile.listdir(path)
    with pytest.raises(FileError, match="f is there already"):
        gfile.makedirs(path)
    with pytest.raises(NotFoundError):
        gfile.mkdir(f"{tmp_path}/none/deep")
    with pytest.raises(NotFoundError):
        write(f"{tmp_path}/none/deep", "x")
    with pytest.raises(FileError, match="Is a directory"):
        gfile.GFile(tmp_path).read()


def test_text_and_bytes_are_read_in_parts(root):
    gfile.makedirs(root)
    path = write(f"{root}/f", "héllo\r\nwörld\n")

    assert gfile.GFile(path).read() == "héllo\r\nwörld\n"
    assert gfile.GFile(path).read(3) == "hé"
    assert gfile.GFile(path, "rb").read(3) == b"h\xc3\xa9"
    assert gfile.GFile(path).readlines() == ["héllo\r\n", "wörld\n"]
    assert list(gfile.GFile(path, "rb")) == [b"h\xc3\xa9llo\r\n", b"w\xc3\xb6rld\n"]
    with gfile.GFile(path, "rb") as file:
        assert (file.name, file.mode, file.size(), file.seekable()) == (path, "rb", 15, True)
        file.seek(-2, 2)
        assert (file.tell(), file.read(), file.readline()) == (13, b"d\n", b"")


def test_files_are_written_appended_and_changed(tmp_path):
    path = write(f"{tmp_path}/f", "abc")
    write(path, b"d", "ab")
    with gfile.GFile(path, "r+") as file:
        file.write("X")
        file.flush()
        file.seek(0)
        assert file.read() == "Xbcd"
    assert gfile.GFile(path).read() == "Xbcd"


def test_a_file_is_not_used_in_a_way_it_was_not_opened_for(tmp_path):
    path = write(f"{tmp_path}/f", "abc")

    with pytest.raises(FileError, match="open for reading alone, by 'r'"):
        gfile.GFile(path).write("x")
    with pytest.raises(FileError, match="open for writing alone, by 'wb'"):
        gfile.GFile(path, "wb").read()
    with pytest.raises(BuildError, match=r"GFile\(\): mode must be one of 'r', 'w'.*got 'q'"):
        gfile.GFile(path, "q")
    with pytest.raises(BuildTypeError, match="file_content must be str or bytes, got 5"):
        gfile.GFile(path, "w").write(5)


def test_paths_are_joined():
    assert gfile.join("a", "b") == "a/b"
    assert gfile.join("a", "/b") == "/b"
    assert gfile.join("gs://x", b"b") == "gs://x/b"


def test_files_are_not_moved_between_file_systems(tmp_path):
    path = write(f"{tmp_path}/f", "abc")

    with pytest.raises(FileError, match="different file systems"):
        gfile.rename(path, "memory://moved")
    gfile.copy(path, "memory://copied", overwrite=True)
    assert gfile.GFile("memory://copied").read() == "abc"


def test_schemes_that_can_be_opened_are_listed():
    assert {"", "memory", "s3", "gs", "http"} <= set(gfile.get_registered_schemes())
