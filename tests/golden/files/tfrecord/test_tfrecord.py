"""Files of TensorFlow are read by Feedline, files of Feedline were read by TensorFlow."""

import hashlib
import json

import pytest

import feedline
from feedline.data import TFRecordDataset
from feedline.files import unpacked
from tests.golden.files.tfrecord.what import HERE, RECORDS, WAYS, digests, kind_of, write_all

READ = json.loads((HERE / "read_by_tensorflow.json").read_text())["files"]
each_file = pytest.mark.parametrize("name", READ)


def content(path):
    kind = kind_of(path.name)
    return b"".join(unpacked([path.read_bytes()], kind, path.name)) if path.stat().st_size else b""


def test_there_are_files_of_both_libraries_for_every_way():
    assert {f"{who}_{way}.tfrecord" for who in ("tensorflow", "feedline") for way in WAYS} <= set(
        READ
    )


@each_file
def test_feedline_reads_what_tensorflow_read(name):
    ds = TFRecordDataset(HERE / name, kind_of(name))

    assert hashlib.sha256((HERE / name).read_bytes()).hexdigest() == READ[name]["sha256"]
    assert digests(list(ds)) == READ[name]["records"]


@pytest.mark.parametrize("way", WAYS)
def test_tensorflow_read_every_record(way):
    assert READ[f"tensorflow_{way}.tfrecord"]["records"] == digests(RECORDS)
    assert READ[f"feedline_{way}.tfrecord"]["records"] == digests(RECORDS)


def test_feedline_still_writes_the_files_that_tensorflow_read(tmp_path):
    write_all(feedline, tmp_path, "feedline")
    made = {path.name: content(path) for path in tmp_path.iterdir()}

    # Unpacked: another version of zlib may pack in another way.
    assert made == {path.name: content(path) for path in HERE.glob("feedline_*.tfrecord")}


@pytest.mark.parametrize("way", WAYS)
def test_both_libraries_write_the_same(way):
    one, other = (HERE / f"{who}_{way}.tfrecord" for who in ("tensorflow", "feedline"))

    assert content(one) == content(other)
