"""Rows of files that hold them in groups: which groups are read, and by whom."""

import threading

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feedline as tf
from feedline.data import ArrowDataset, ParquetDataset
from feedline.errors import DataLossError, NotFoundError
from feedline.ops import arrow_dataset, groups_ahead, parquet_dataset

GROUP = 5
COUNTS = (12, 0, 1, 30)
CLASSES = {"parquet": ParquetDataset, "arrow": ArrowDataset}
GROUPS = {"parquet": parquet_dataset.ParquetGroups, "arrow": arrow_dataset.ArrowGroups}


def written(path, start, count):
    table = pa.table({"n": np.arange(start, start + count), "s": [f"s{n}" for n in range(count)]})
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=GROUP)
    else:
        pyarrow.feather.write_feather(table, path, compression="zstd", chunksize=GROUP)
    return str(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("groups")
    for kind in CLASSES:
        first = 0
        for number, count in enumerate(COUNTS):
            written(folder / f"{number}.{kind}", first, count)
            first += count
    return folder


def dataset(folder, kind, **settings):
    names = [str(folder / f"{number}.{kind}") for number in range(len(COUNTS))]
    return CLASSES[kind](names, **settings)


def numbers(ds):
    return [int(row["n"]) for row in ds]


@pytest.fixture(params=CLASSES)
def kind(request):
    return request.param


@pytest.fixture
def reads(monkeypatch, kind):
    """What was read: the file, the group, and the thread that read it."""
    noted = []
    plain = GROUPS[kind].read

    def read(self, number):
        noted.append((self._path.split("/")[-1][0], number, threading.current_thread().name))
        return plain(self, number)

    monkeypatch.setattr(GROUPS[kind], "read", read)
    return noted


def test_rows_that_are_skipped_are_not_read(folder, kind, reads):
    assert numbers(dataset(folder, kind).skip(24).take(2)) == [24, 25]
    assert [(file, group) for file, group, _ in reads][:1] == [("3", 2)]
    assert {file for file, _, _ in reads} == {"3"}


@given(
    skips=st.lists(st.integers(0, 30), max_size=3), block_size=st.sampled_from([None, 1, 4, 100])
)
@settings(max_examples=40)
@pytest.mark.parametrize("kind", CLASSES)
def test_what_follows_a_skip_is_what_follows(folder, kind, skips, block_size):
    ds = dataset(folder, kind).with_options(tf.data.Options(block_size=block_size))
    for count in skips:
        ds = ds.skip(count)

    assert numbers(ds) == list(range(sum(skips), 43))


def test_a_file_that_is_missing_raises_after_the_rows_before_it(folder, kind):
    names = [str(folder / f"0.{kind}"), str(folder / f"no.{kind}"), str(folder / f"3.{kind}")]
    ds = CLASSES[kind](names).skip(14)

    with pytest.raises(NotFoundError):
        numbers(ds)
    assert numbers(ds.ignore_errors()) == list(range(15, 43))


def test_a_state_in_the_middle_goes_on_while_groups_are_read_ahead(folder, kind):
    ds = dataset(folder, kind).skip(3)
    expected = numbers(ds)
    for place in range(0, 40, 3):
        it = iter(ds)
        for _ in range(place):
            next(it)
        again = iter(ds)
        again.load_state_dict(it.state_dict())
        it.close()
        assert numbers(again) == expected[place:]


def test_the_next_groups_are_read_by_other_threads(folder, kind, reads):
    assert numbers(dataset(folder, kind)) == list(range(43))

    mine = threading.current_thread().name
    assert sorted((file, group) for file, group, _ in reads) == sorted(
        (str(number), group)
        for number, count in enumerate(COUNTS)
        for group in range(-(-count // 5))
    )
    assert {name != mine for file, group, name in reads if group} == {True}
    assert {name == mine for file, group, name in reads if not group} == {True}


def test_of_files_read_in_turn_no_groups_are_read_ahead(folder, kind, reads):
    assert sorted(numbers(dataset(folder, kind, num_parallel_reads=2))) == list(range(43))

    assert not any(name.startswith("feedline-groups") for _, _, name in reads)


def test_one_element_starts_no_thread(folder, kind, reads):
    it = iter(dataset(folder, kind))
    next(it)

    assert len(reads) == 1
    assert not [t for t in threading.enumerate() if t.name.startswith("feedline-groups")]


def test_a_bound_in_bytes_keeps_groups_from_being_read_ahead(folder, kind, reads, monkeypatch):
    monkeypatch.setattr(groups_ahead, "_MOST_BYTES", 1)
    assert numbers(dataset(folder, kind)) == list(range(43))

    assert {name for _, _, name in reads} == {threading.current_thread().name}


def test_no_thread_is_left_when_reading_stops_early(folder, kind):
    it = iter(dataset(folder, kind))
    for _ in range(7):
        next(it)
    it.close()

    assert not [t for t in threading.enumerate() if t.name.startswith("feedline-groups")]


def test_no_thread_is_left_of_an_iterator_that_was_dropped(folder, kind):
    it = iter(dataset(folder, kind))
    for _ in range(7):
        next(it)
    del it

    assert not [t for t in threading.enumerate() if t.name.startswith("feedline-groups")]


def test_a_group_that_cannot_be_read_raises_in_its_turn(folder, kind, monkeypatch):
    plain = GROUPS[kind].read

    def read(self, number):
        if number == 3:
            raise DataLossError("group 3 is damaged")
        return plain(self, number)

    monkeypatch.setattr(GROUPS[kind], "read", read)
    it = iter(CLASSES[kind](str(folder / f"3.{kind}")))

    assert [int(next(it)["n"]) for _ in range(15)] == list(range(13, 28))
    with pytest.raises(DataLossError, match="group 3"):
        next(it)


@pytest.mark.parametrize("num_shards", [2, 3, 11])
def test_a_shard_reads_every_group_once(folder, kind, reads, num_shards):
    ds = dataset(folder, kind)
    found = [numbers(ds.shard(num_shards, index)) for index in range(num_shards)]

    assert found == [list(range(index, 43, num_shards)) for index in range(num_shards)]
    assert len(reads) <= num_shards * 10


@given(index=st.lists(st.integers(0, 42), max_size=30))
@settings(max_examples=30)
@pytest.mark.parametrize("kind", CLASSES)
def test_rows_can_be_had_in_any_order(folder, kind, index):
    ds = dataset(folder, kind)

    assert [int(ds[n]["n"]) for n in index] == index
    assert sorted(numbers(ds.shuffle(None, seed=len(index)))) == list(range(43))
