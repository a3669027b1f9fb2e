"""A reader that leaves an index behind."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedline.errors import DataLossError
from feedline.files import open_file
from feedline.io import TFRecordWriter
from feedline.tfrecord import indexing
from feedline.tfrecord.index import bounds_at_hand, find_bounds, index_path, kept_bounds
from feedline.tfrecord.indexing import IndexingReader


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDLINE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(indexing, "_SHORTEST", 0)
    return tmp_path / "cache" / "tfrecord-index"


def written(path, records, options=None):
    with TFRecordWriter(path, options) as writer:
        for record in records:
            writer.write(record)
    return str(path)


RECORDS = [b"x" * n for n in range(100)]


def read_all(reader, most=7):
    count = 0
    while (found := reader.read(most)) is not None:
        count += len(found[1]) - 1
    reader.close()
    return count


def at_hand(path):
    with open_file(path) as file:
        return bounds_at_hand(file)


@given(lengths=st.lists(st.integers(0, 3000), max_size=60), most=st.integers(1, 40))
@settings(max_examples=40)
def test_the_index_is_the_one_that_is_found_otherwise(tmp_path_factory, lengths, most):
    folder = tmp_path_factory.mktemp("indexed")
    path = written(folder / "a", [b"y" * length for length in lengths])
    assert read_all(IndexingReader(path, window=4096), most) == len(lengths)

    found = at_hand(path)
    with open_file(path) as file:
        expected = find_bounds(file)
    # A file without records has nothing to be seen.
    assert found is None if not lengths else np.array_equal(found, expected)


def test_the_kept_index_is_used(tmp_path, monkeypatch):
    path = written(tmp_path / "a", RECORDS)
    read_all(IndexingReader(path))
    monkeypatch.setattr("feedline.tfrecord.index.find_bounds", None)

    with open_file(path) as file:
        assert len(kept_bounds(file)) == 101


def test_what_was_not_read_as_a_whole_has_no_index(tmp_path):
    path = written(tmp_path / "a", RECORDS)
    stopped = IndexingReader(path)
    stopped.read(5)
    stopped.close()
    entered = IndexingReader(path)
    entered.seek(16, 1)
    read_all(entered)
    skipped = IndexingReader(path, window=4096)
    skipped.read(3)
    skipped.skip(60)
    read_all(skipped)

    assert at_hand(path) is None


def test_a_damaged_record_leaves_no_index(tmp_path):
    path = tmp_path / "a"
    written(path, RECORDS)
    data = bytearray(path.read_bytes())
    data[17 + 16 + 12] ^= 1
    path.write_bytes(bytes(data))
    reader = IndexingReader(str(path))
    with pytest.raises(DataLossError):
        read_all(reader, 1)
    read_all(reader)

    assert at_hand(str(path)) is None


@pytest.mark.parametrize("kind", ["GZIP", "ZLIB"])
def test_compressed_files_have_no_index(tmp_path, kind, cache):
    read_all(IndexingReader(written(tmp_path / "a", RECORDS, kind), kind))

    assert not cache.exists()


def test_a_file_that_changed_meanwhile_has_no_index(tmp_path):
    path = written(tmp_path / "a", RECORDS)
    reader = IndexingReader(path)
    reader.read(5)
    os.utime(path, (1, 1))
    read_all(reader)

    assert at_hand(path) is None


def test_an_index_that_is_there_is_not_written_again(tmp_path):
    path = written(tmp_path / "a", RECORDS)
    os.utime(path, (1, 1))
    read_all(IndexingReader(path))
    before = os.stat(index_path(path)).st_ino
    read_all(IndexingReader(path))
    assert os.stat(index_path(path)).st_ino == before

    written(tmp_path / "a", RECORDS[:50])
    os.utime(index_path(path), (2, 2))
    read_all(IndexingReader(path))
    assert len(at_hand(path)) == 51


def test_short_files_and_those_of_very_many_records_have_none(tmp_path, monkeypatch, cache):
    monkeypatch.setattr(indexing, "_MOST_RECORDS", 50)
    read_all(IndexingReader(written(tmp_path / "a", RECORDS)))
    monkeypatch.setattr(indexing, "_SHORTEST", 1 << 20)
    read_all(IndexingReader(written(tmp_path / "b", RECORDS[:10])))

    assert not cache.exists()


def test_an_index_can_lie_beside_the_file(tmp_path, monkeypatch, cache):
    monkeypatch.setenv("FEEDLINE_INDEX", "beside")
    path = written(tmp_path / "a", RECORDS)
    read_all(IndexingReader(path))

    assert sorted(os.listdir(tmp_path)) == [".a.index", "a"]
    monkeypatch.delenv("FEEDLINE_INDEX")
    assert len(at_hand(path)) == 101  # it is used without being asked for
    assert not cache.exists()


def test_where_nothing_can_be_written_nothing_fails(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("FEEDLINE_CACHE_DIR", str(tmp_path / "file" / "cache"))

    assert read_all(IndexingReader(written(tmp_path / "a", RECORDS))) == 100
