"""Every n-th record of TFRecord files."""

import os
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feedline as tf
from feedline.data import Dataset, TFRecordDataset
from feedline.errors import CheckpointError, DataLossError, NotFoundError
from feedline.files import open_file
from feedline.ops import sharded_records
from feedline.testing import CHECKS, check_resume_in_fresh_process
from feedline.tfrecord import indexing
from feedline.tfrecord.index import kept_bounds


def written(path, records, options=None):
    with tf.io.TFRecordWriter(path, options) as writer:
        for record in records:
            writer.write(record)
    return str(path)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    counts = (5, 0, 1, 17)
    return [
        written(folder / str(number), [b"%d-%d" % (number, k) * (k + 1) for k in range(count)])
        for number, count in enumerate(counts)
    ]


@pytest.fixture
def eager_index(monkeypatch, tmp_path):
    """Have every index used, and left behind, however short a file is."""
    monkeypatch.setenv("FEEDLINE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(sharded_records, "_SHORTEST", 0)
    monkeypatch.setattr(sharded_records, "GAP", 0)
    monkeypatch.setattr(indexing, "_SHORTEST", 0)


def as_asked(ds):
    return ds.with_options(tf.data.Options(skip_rules=["shard_into_records"]))


def test_the_rule_fires_for_files_that_are_read_one_after_the_other(files):
    assert "shard_into_records" in TFRecordDataset(files).shard(2, 1).explain()
    in_turn = TFRecordDataset(files, num_parallel_reads=2).shard(2, 1)
    assert "shard_into_records" not in in_turn.explain()


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(("num_shards", "index"), [(2, 0), (3, 2), (7, 6), (100, 99)])
def test_conforms(files, num_shards, index, check):
    check(TFRecordDataset(files).shard(num_shards, index))


@pytest.mark.parametrize("check", CHECKS)
def test_conforms_with_an_index_at_hand(files, check, eager_index):
    TFRecordDataset(files)[0]
    check(TFRecordDataset(files).shard(3, 1))


def test_conforms_below_other_steps(files):
    ds = TFRecordDataset(files).shard(3, 1).map(len).shuffle(4, seed=1).batch(2).repeat(2)
    for check in CHECKS:
        check(ds)


def test_resumes_in_a_fresh_process(files):
    check_resume_in_fresh_process(TFRecordDataset(files).shard(3, 1))


@given(
    lengths=st.lists(st.lists(st.integers(0, 600), max_size=40), max_size=4),
    num_shards=st.integers(2, 9),
    data=st.data(),
    with_index=st.booleans(),
    kind=st.sampled_from([None, "GZIP"]),
)
@settings(max_examples=40)
def test_the_records_are_those_of_the_plan_as_asked(
    tmp_path_factory, lengths, num_shards, data, with_index, kind
):
    folder = tmp_path_factory.mktemp("any")
    names = [
        written(folder / str(n), [bytes([k % 256]) * size for k, size in enumerate(sizes)], kind)
        for n, sizes in enumerate(lengths)
    ]
    index = data.draw(st.integers(0, num_shards - 1))
    block_size = data.draw(st.sampled_from([None, 1, 3]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharded_records, "_SHORTEST", 0)
        patch.setattr(sharded_records, "GAP", 0 if with_index else 1 << 60)
        patch.setattr(indexing, "_SHORTEST", 0)
        ds = TFRecordDataset(names, kind, buffer_size=4096).shard(num_shards, index)
        ds = ds.with_options(tf.data.Options(block_size=block_size))

        assert list(ds) == list(as_asked(ds))  # the second pass may find an index
        assert list(ds) == list(TFRecordDataset(names, kind))[index::num_shards]


def test_records_longer_than_the_window_are_passed_over_unread(tmp_path, monkeypatch):
    name = written(tmp_path / "long", [bytes([n]) * 100_000 for n in range(40)])
    reads = []
    read = sharded_records.StridedReader._read_into

    def counted(self, memory):
        reads.append(read(self, memory))
        return reads[-1]

    monkeypatch.setattr(sharded_records.StridedReader, "_read_into", counted)
    found = list(TFRecordDataset(name, buffer_size=4096).shard(10, 3).batch(1).unbatch())

    assert [record[0] for record in found] == [3, 13, 23, 33]
    assert sum(reads) < 40 * 100_000


def test_with_an_index_only_the_records_of_the_shard_are_read(tmp_path, eager_index, monkeypatch):
    name = written(tmp_path / "a", [bytes([n]) * 30_000 for n in range(40)])
    kept_bounds(open_file(name))
    reads = []
    read = open_file(name).__class__.read_into

    def counted(self, offset, memory):
        reads.append(len(memory))
        return read(self, offset, memory)

    monkeypatch.setattr("feedline.files.local.LocalFile.read_into", counted)
    found = list(TFRecordDataset(name).shard(10, 3))

    assert [record[0] for record in found] == [3, 13, 23, 33]
    assert sum(reads) == 4 * (30_000 + 16)


@pytest.mark.parametrize("with_index", [False, True])
def test_ids_are_those_of_the_plan_as_asked(files, with_index, eager_index):
    if with_index:
        TFRecordDataset(files)[0]

    def drawn():
        ds = TFRecordDataset(files).shard(3, 1).map(lambda x, rng: rng.integers(1 << 60))
        return ds.with_options(tf.data.Options(seed=5))

    assert list(map(int, drawn())) == list(map(int, as_asked(drawn())))


def flip(path, place):
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(bytes(data))


FRAME = 16 + 4


@pytest.mark.parametrize("with_index", [False, True])
@pytest.mark.parametrize("damaged", [0, 4, 9])
def test_a_damaged_record_keeps_its_place(tmp_path, damaged, with_index, eager_index):
    path = tmp_path / "a"
    written(path, [b"%04d" % n for n in range(20)])
    flip(path, damaged * FRAME + 13)
    if with_index:
        kept_bounds(open_file(str(path)))
    ds = TFRecordDataset(str(path))
    found = [list(ds.shard(4, index).ignore_errors()) for index in range(4)]

    assert sorted(chain(*found)) == [b"%04d" % n for n in range(20) if n != damaged]
    with pytest.raises(DataLossError, match=f"record {damaged}, byte {damaged * FRAME}"):
        list(ds.shard(4, damaged % 4))
    assert found[(damaged + 1) % 4] == [b"%04d" % n for n in range((damaged + 1) % 4, 20, 4)]


def test_a_damaged_length_ends_the_file_with_an_error(tmp_path):
    path = tmp_path / "a"
    written(path, [b"%04d" % n for n in range(20)])
    more = written(tmp_path / "b", [b"more"] * 3)
    flip(path, 10 * FRAME)
    ds = TFRecordDataset([str(path), more]).shard(3, 1)

    with pytest.raises(DataLossError, match="record 10"):
        list(ds)
    assert list(ds.ignore_errors()) == [b"0001", b"0004", b"0007", b"more"]


def test_a_missing_file_is_named_and_passed_over_if_asked_to(tmp_path, files):
    ds = TFRecordDataset([str(tmp_path / "no"), *files]).shard(2, 0)

    with pytest.raises(NotFoundError, match="no such file"):
        list(ds)
    assert list(ds.ignore_errors()) == list(TFRecordDataset(files).shard(2, 0))


def test_a_state_of_a_longer_file_is_refused(tmp_path):
    path = tmp_path / "a"
    written(path, [b"%04d" % n for n in range(20)])
    ds = TFRecordDataset(str(path)).shard(2, 0)
    it = iter(ds)
    for _ in range(8):
        next(it)
    state = it.state_dict()
    written(path, [b"%04d" % n for n in range(2)])
    again = iter(ds)
    again.load_state_dict(state, check_files=False)

    with pytest.raises(CheckpointError):
        next(again)


def test_a_pass_leaves_the_index_behind(tmp_path, eager_index):
    names = [written(tmp_path / str(n), [b"x" * n] * 50) for n in range(3)]
    list(TFRecordDataset(names).shard(7, 2))

    assert len(os.listdir(tmp_path / "cache" / "tfrecord-index")) == 3


def test_elements_can_be_read_by_index(files):
    ds = TFRecordDataset(files).shard(3, 1)

    assert [ds[n] for n in range(len(list(ds)))] == list(ds)


def test_names_may_come_from_a_dataset(files):
    names = Dataset.from_tensor_slices(files).shuffle(10, seed=2, reshuffle_each_iteration=False)
    ds = TFRecordDataset(names).shard(3, 1)

    assert list(ds) == list(as_asked(ds))
    assert len(list(ds)) > 1
