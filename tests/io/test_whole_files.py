"""Files read and written as a whole."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError, FileError, NotFoundError


def test_a_file_is_written_with_its_folders_and_read(tmp_path):
    path = tmp_path / "new" / "deep" / "file"
    tf.io.write_file(path, b"\x00\xff")

    assert tf.io.read_file(path) == b"\x00\xff"
    assert tf.io.read_file(str(path).encode()) == b"\x00\xff"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_text_is_written_as_utf8(tmp_path):
    tf.io.write_file(str(tmp_path / "file"), "ä")

    assert tf.io.read_file(np.array(str(tmp_path / "file"), object)) == "ä".encode()


def test_files_of_fsspec_are_written_and_read():
    tf.io.write_file("memory://whole/file", np.array(b"abc", object))

    assert tf.io.read_file("memory://whole/file") == b"abc"


def test_files_are_read_in_a_map(tmp_path):
    for name in "ab":
        tf.io.write_file(tmp_path / name, name * 3)
    names = tf.data.Dataset.list_files(f"{tmp_path}/*", shuffle=False)

    assert list(names.map(tf.io.read_file)) == [b"aaa", b"bbb"]
    with_more = names.map(lambda name: (tf.io.read_file(name), 1)).batch(2)
    assert [contents.tolist() for contents, _ in with_more] == [[b"aaa", b"bbb"]]


def test_what_cannot_be_read_is_named(tmp_path):
    with pytest.raises(NotFoundError, match="none: there is no such file"):
        tf.io.read_file(tmp_path / "none")
    with pytest.raises(FileError, match="is a folder"):
        tf.io.read_file(tmp_path)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: tf.io.read_file(["a"]), r"read_file\(\): filename must be the name of one file"),
        (lambda: tf.io.read_file(5), "got 5 of type int"),
        (lambda: tf.io.write_file("a", ["b"]), r"write_file\(\): contents must be bytes or str"),
        (lambda: tf.io.write_file("a", 5), "got 5 of type int"),
        (lambda: tf.io.matching_files(5), r"matching_files\(\): names of files must be str"),
    ],
)
def test_wrong_arguments_are_refused(call, text):
    with pytest.raises(BuildTypeError, match=text):
        call()


def test_files_are_found_by_one_pattern_or_several(tmp_path):
    for name in ("b1", "a1", ".h1", "a2"):
        tf.io.write_file(tmp_path / name, "")
    found = tf.io.matching_files([f"{tmp_path}/b*", f"{tmp_path}/a*"])

    assert [path[-2:] for path in found] == ["a1", "a2", "b1"]
    assert found.dtype == object
    assert [path[-2:] for path in tf.io.matching_files(f"{tmp_path}/*1")] == ["h1", "a1", "b1"]
    assert tf.io.matching_files(f"{tmp_path}/x*").shape == (0,)
    with pytest.raises(BuildError, match=r"got shape \(1, 2\)"):
        tf.io.matching_files(np.array([["a", "b"]], object))


def test_a_function_that_reads_files_is_recorded(tmp_path):
    paths = [str(tmp_path / f"{number}.jpg") for number in range(40)]
    for number, path in enumerate(paths):
        tf.io.write_file(path, tf.image.encode_jpeg(np.full((number + 1, 9, 3), 50, np.uint8)))

    def loaded(path):
        image = tf.image.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, (4, 5)) / 255.0

    images = tf.data.Dataset.from_tensor_slices(paths).map(loaded)

    assert images.element_spec.shape == (4, 5, 3)
    assert "in one pass: decode_jpeg, resize, divide" in str(images.explain())
    for path, image in zip(paths, images, strict=True):
        assert np.array_equal(image, loaded(path))
