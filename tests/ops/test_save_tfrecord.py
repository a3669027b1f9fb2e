"""Writing all elements to TFRecord files."""

import gzip
import os
import re

import fsspec
import numpy as np
import pytest

import feedline as tf
from feedline.data import Dataset, TFRecordDataset
from feedline.errors import BuildError, BuildTypeError, NotFoundError

WORDS = Dataset.from_tensor_slices([b"one", b"", b"three", b"four" * 100, b"5"])


def listed(folder):
    return sorted(os.listdir(folder))


def test_all_elements_are_written(tmp_path):
    (name,) = WORDS.save_tfrecord(tmp_path / "words")

    assert name == str(tmp_path / "words-00000-of-00001.tfrecord")
    assert list(TFRecordDataset(name)) == list(WORDS)
    assert listed(tmp_path) == ["words-00000-of-00001.tfrecord"]


@pytest.mark.parametrize("shard_bytes", [1, 40, 300, 10**9])
@pytest.mark.parametrize("kind", [None, "GZIP", "ZLIB"])
def test_a_file_that_is_long_enough_is_followed_by_another(tmp_path, shard_bytes, kind):
    ds = Dataset.range(60)
    files = ds.save_tfrecord(
        f"{tmp_path}/n", lambda x: b"%d" % x, shard_bytes=shard_bytes, options=kind
    )

    assert list(TFRecordDataset(files, kind)) == [b"%d" % n for n in range(60)]
    assert files == [f"{tmp_path}/{name}" for name in listed(tmp_path)]
    assert all(re.fullmatch(rf".*/n-\d{{5}}-of-{len(files):05}.tfrecord", file) for file in files)


def test_files_are_about_as_long_as_asked_for(tmp_path):
    files = Dataset.range(2000).save_tfrecord(
        tmp_path / "n", lambda x: b"%100d" % x, shard_bytes=20_000
    )
    sizes = [os.path.getsize(file) for file in files]

    assert all(20_000 <= size < 20_200 for size in sizes[:-1])
    assert len(sizes) == 12


def test_records_of_a_file_are_written_as_they_are(tmp_path):
    files = WORDS.save_tfrecord(tmp_path / "a")
    copies = TFRecordDataset(files).save_tfrecord(tmp_path / "b", options="GZIP")

    assert gzip.decompress(open_bytes(copies[0])) == open_bytes(files[0])


def open_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def test_no_elements_make_one_empty_file(tmp_path):
    files = WORDS.take(0).save_tfrecord(tmp_path / "none")

    assert [os.path.getsize(file) for file in files] == [0]


def test_parts_of_a_tuple_are_separate_arguments(tmp_path):
    ds = Dataset.from_tensor_slices((np.arange(2), ["a", "b"]))
    files = ds.save_tfrecord(tmp_path / "t", lambda n, text: f"{n}{text}")

    assert list(TFRecordDataset(files)) == [b"0a", b"1b"]


def test_messages_are_serialized(tmp_path):
    class Message:
        def SerializeToString(self):  # noqa: N802
            return b"message"

    files = Dataset.range(2).save_tfrecord(tmp_path / "m", lambda x: Message())

    assert list(TFRecordDataset(files)) == [b"message"] * 2


def test_what_is_there_is_not_replaced_unless_asked_for(tmp_path):
    WORDS.save_tfrecord(tmp_path / "w", shard_bytes=20)
    before = listed(tmp_path)

    with pytest.raises(BuildError, match=r"is there already. Give overwrite=True"):
        WORDS.save_tfrecord(tmp_path / "w")
    assert listed(tmp_path) == before
    WORDS.save_tfrecord(tmp_path / "w", overwrite=True)
    assert listed(tmp_path) == ["w-00000-of-00001.tfrecord"]


def test_a_name_with_special_characters_is_only_a_name(tmp_path):
    WORDS.save_tfrecord(tmp_path / "w1")

    assert len(WORDS.save_tfrecord(tmp_path / "w[0-9]*")) == 1


def fail_at_300(x):
    if x == 300:
        raise KeyError("no")
    return b"%d" % x


def test_a_failure_leaves_nothing_behind(tmp_path):
    ds = Dataset.range(500)
    ds.save_tfrecord(tmp_path / "n", lambda x: b"old", shard_bytes=5000)
    before = {name: open_bytes(tmp_path / name) for name in listed(tmp_path)}

    with pytest.raises(KeyError) as caught:
        ds.save_tfrecord(tmp_path / "n", fail_at_300, shard_bytes=2000, overwrite=True)

    assert {name: open_bytes(tmp_path / name) for name in listed(tmp_path)} == before
    assert any("save_tfrecord(fail_at_300)" in n and "300" in n for n in caught.value.__notes__)


def test_elements_must_be_bytes(tmp_path):
    with pytest.raises(BuildTypeError, match="a record must be bytes") as caught:
        Dataset.range(5).save_tfrecord(tmp_path / "n")

    assert any("element 0" in note for note in caught.value.__notes__)
    assert listed(tmp_path) == []


def test_files_at_urls_are_written():
    files = WORDS.save_tfrecord("memory://saved/words", shard_bytes=20)

    assert [name.rsplit("/")[-1] for name in fsspec.filesystem("memory").ls("/saved", False)] == [
        name.rsplit("/")[-1] for name in files
    ]
    assert list(TFRecordDataset(files)) == list(WORDS)


def test_progress_is_shown_on_stderr(tmp_path, capsys):
    WORDS.save_tfrecord(tmp_path / "a", progress=True)
    WORDS.save_tfrecord(tmp_path / "b", progress=False)

    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"path": 3}, "path must be str or os.PathLike"),
        ({"serialize": 3}, "serialize must be"),
        ({"shard_bytes": 0}, "shard_bytes must be at least 1"),
        ({"options": "SNAPPY"}, "compression_type must be"),
        ({"overwrite": 3}, "overwrite must be"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path, arguments, says):
    with pytest.raises(BuildError, match=says):
        WORDS.save_tfrecord(**{"path": tmp_path / "a", **arguments})
    assert listed(tmp_path) == []


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(NotFoundError, match="there is no folder"):
        WORDS.save_tfrecord(tmp_path / "no" / "a")


def test_what_was_saved_can_be_shuffled_globally(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDLINE_CACHE_DIR", str(tmp_path / "cache"))
    files = Dataset.range(100).save_tfrecord(tmp_path / "n", lambda x: b"%d" % x, shard_bytes=500)
    ds = tf.data.TFRecordDataset(files).shuffle(None, seed=1).map(int)

    assert sorted(map(int, ds)) == list(range(100))
