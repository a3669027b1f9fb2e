"""Where the records of a file begin."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from feedline.errors import BuildError, DataLossError
from feedline.files import open_file
from feedline.io import TFRecordWriter
from feedline.tfrecord import index as module
from feedline.tfrecord.index import bounds_at_hand, find_bounds, index_path, kept_bounds
from feedline.tfrecord.reader import RecordReader
from tests.kernels.tfrecords import records
from tests.tfrecord.made import DAMAGES, framed, put


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDLINE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def bounds_of(path, find=find_bounds):
    with open_file(path) as file:
        return find(file).tolist()


@pytest.mark.parametrize("whole", [4096, 1 << 20])
def test_every_record_is_found(tmp_path, whole, monkeypatch):
    monkeypatch.setattr(module, "_WHOLE", whole)
    sizes = [0, 1, 5000, 3, 70_000, 0, 900_000, 1_500_000, 2, 1, 4064, 4080]
    path = put(tmp_path / "a", framed(*(b"x" * size for size in sizes)))

    assert bounds_of(path) == np.cumsum([0, *(size + 16 for size in sizes)]).tolist()


@settings(max_examples=20)
@given(records)
def test_an_index_finds_what_the_reader_finds(tmp_path_factory, values):
    path = put(tmp_path_factory.getbasetemp() / "indexed", framed(*values))
    reader = RecordReader(path)
    reader.skip(100)

    assert (len(bounds_of(path)) - 1, bounds_of(path)[-1]) == (reader.number, reader.at)


@pytest.mark.parametrize(
    "name", [name for name in DAMAGES if name not in ("bad data", "bad checksum of data")]
)
def test_damage_is_told(tmp_path, name):
    data, *_, says = DAMAGES[name]

    with pytest.raises(DataLossError, match=says):
        bounds_of(put(tmp_path / "a", data))


def test_an_index_is_kept(tmp_path, monkeypatch):
    path = put(tmp_path / "a", framed(b"one", b"two"))
    first = bounds_of(path, kept_bounds)
    monkeypatch.setattr(module, "find_bounds", None)

    assert bounds_of(path, kept_bounds) == first == [0, 19, 38]
    assert os.path.exists(index_path(path))


def test_a_changed_file_gets_a_new_index(tmp_path):
    path = put(tmp_path / "a", framed(b"one", b"two"))
    bounds_of(path, kept_bounds)
    put(tmp_path / "a", framed(b"o", b"netwo"))

    assert bounds_of(path, kept_bounds) == [0, 17, 38]


def test_content_counts_if_size_and_time_are_the_same(tmp_path):
    path = put(tmp_path / "a", framed(b"one", b"two"))
    os.utime(path, (1, 1))
    bounds_of(path, kept_bounds)
    put(tmp_path / "a", framed(b"o", b"netwo"))
    os.utime(path, (1, 1))

    assert bounds_of(path, kept_bounds) == [0, 17, 38]


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_a_damaged_index_is_made_anew(tmp_path, damage):
    path = put(tmp_path / "a", framed(b"one", b"two"))
    bounds_of(path, kept_bounds)
    stored = Path(index_path(path)).read_bytes()
    put(tmp_path / "b", damage if damage is not None else stored[:-1] + b"\x07")
    shutil.move(tmp_path / "b", index_path(path))

    assert bounds_of(path, kept_bounds) == [0, 19, 38]


def test_where_nothing_can_be_written_the_index_is_in_memory(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDLINE_CACHE_DIR", "/dev/null/nowhere")
    path = put(tmp_path / "a", framed(b"one"))

    assert bounds_of(path, kept_bounds) == [0, 19]


def test_the_cache_is_in_the_users_folder_unless_told_otherwise(monkeypatch):
    monkeypatch.delenv("FEEDLINE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")

    assert index_path("a").startswith("/caches/feedline/tfrecord-index/")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert index_path("a").startswith(os.path.expanduser("~/.cache/feedline/"))


def test_an_empty_file_has_an_index(tmp_path):
    assert bounds_of(put(tmp_path / "a", b""), kept_bounds) == [0]


def test_an_index_beside_a_file_at_a_url_is_used(monkeypatch):
    monkeypatch.setenv("FEEDLINE_INDEX", "beside")
    with TFRecordWriter("memory://indexed/a") as writer:
        writer.write(b"one")
        writer.write(b"two")
    file = open_file("memory://indexed/a")

    assert bounds_at_hand(file) is None
    assert kept_bounds(file).tolist() == [0, 19, 38]
    assert bounds_at_hand(file).tolist() == [0, 19, 38]


def test_an_unknown_place_for_indexes_is_refused(monkeypatch):
    monkeypatch.setenv("FEEDLINE_INDEX", "everywhere")

    with pytest.raises(BuildError, match="FEEDLINE_INDEX must be 'cache' or 'beside'"):
        index_path("a")
