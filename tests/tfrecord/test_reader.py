"""The records of one file, run after run."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.errors import CheckpointError, DataLossError, NotFoundError
from feedline.tfrecord import reader as module
from feedline.tfrecord.reader import RecordReader
from tests.kernels.tfrecords import damaged_frames
from tests.tfrecord.made import DAMAGES, PACK, framed, header, put


def rows(found):
    data, offsets = found
    return [data[a:b].tobytes() for a, b in pairwise(offsets)]


def read_all(reader, most=3):
    """Everything a reader gives: records, and errors where they were raised."""
    found = []
    while True:
        try:
            run = reader.read(most)
        except DataLossError as error:
            found.append(error)
            continue
        if run is None:
            return found
        found += rows(run)


RECORDS = [b"x" * size for size in [0, 1, 5000, 3, 70_000, 0, 9000, 1_500_000, 2, 1]] * 2


@pytest.mark.parametrize("kind", ["", "GZIP", "ZLIB"])
@pytest.mark.parametrize("most", [1, 3, 1000])
@pytest.mark.parametrize("window", [1, 5000, 1 << 22])
def test_records_of_all_sizes_are_read(tmp_path, kind, most, window):
    path = put(tmp_path / "a", PACK[kind](framed(*RECORDS)))

    assert read_all(RecordReader(path, kind, window), most) == RECORDS


SIZES = st.lists(st.integers(0, 300) | st.sampled_from([0, 3000, 5000, 20_000]), max_size=60)
STEPS = st.lists(st.tuples(st.booleans(), st.integers(1, 30)), max_size=20)


@given(SIZES, STEPS, st.booleans())
def test_what_was_returned_stays_as_it_is_while_more_is_read(tmp_path_factory, sizes, steps, packs):
    records = [bytes([number % 251]) * size for number, size in enumerate(sizes)]
    kind = "GZIP" if packs else ""
    path = put(tmp_path_factory.mktemp("a") / "a", PACK[kind](framed(*records)))
    reader, kept = RecordReader(path, kind, 4096), []
    for skips, count in [*steps, *[(False, 25)] * 100]:
        first = reader.number
        found = None if skips else reader.read(count)
        if skips:
            reader.skip(count)
        if found is not None:
            kept.append((found, records[first : reader.number]))

    assert reader.number == len(records)
    assert all(rows(found) == expected for found, expected in kept)


@pytest.fixture(scope="module")
def always_ahead():
    """Runs of any length are read ahead, and no run is long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SHORT", 0)
        patch.setattr(module, "_RUN", 1500)
        patch.setattr(module, "kernel_threads", lambda: 2)
        yield


ASKED = st.lists(st.tuples(st.booleans(), st.integers(1, 30)), max_size=30)


@given(SIZES, ASKED, st.integers(1, 12))
def test_runs_that_are_read_ahead_are_the_same(tmp_path_factory, always_ahead, sizes, asked, group):
    records = [bytes([number % 251]) * size for number, size in enumerate(sizes)]
    path = put(tmp_path_factory.mktemp("a") / "a", framed(*records))
    places = np.cumsum([0, *(len(record) + 16 for record in records)])
    reader, kept = RecordReader(path, "", 4096), []
    reader.group = group
    for skips, count in [*asked, *[(False, 25)] * 100]:
        first = reader.number
        found = None if skips else reader.read(count)
        if skips:
            assert reader.skip(count) == reader.number - first
        if found is not None:
            assert 1 <= len(found[1]) - 1 <= count
            kept.append((found, records[first : reader.number]))
        assert reader.at == places[reader.number]
    reader.close()

    assert reader.number == len(records)
    assert all(rows(found) == expected for found, expected in kept)


@given(damaged_frames(), st.integers(1, 9), st.integers(1, 4))
def test_damage_that_is_met_ahead_is_told_as_any(tmp_path_factory, always_ahead, data, most, group):
    path = put(tmp_path_factory.mktemp("a") / "a", data)
    told = []
    for threads in (1, 2):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "kernel_threads", lambda threads=threads: threads)
            reader = RecordReader(path, "", 4096)
            reader.group = group
            told.append([one if type(one) is bytes else str(one) for one in read_all(reader, most)])

    assert told[0] == told[1]


def test_groups_come_whole_where_runs_end_elsewhere(tmp_path, always_ahead):
    path = put(tmp_path / "a", framed(*[b"x" * 84] * 200))
    reader = RecordReader(path, "", 4096)
    reader.group = 4
    lengths = []
    while found := reader.read(12):
        lengths.append(len(found[1]) - 1)

    assert sum(lengths) == 200
    assert [length % 4 for length in lengths[2:-1]] == [0] * len(lengths[2:-1])


def test_one_thread_reads_nothing_ahead(tmp_path, always_ahead, monkeypatch):
    monkeypatch.setattr(module, "kernel_threads", lambda: 1)
    monkeypatch.delattr(module, "RunsAhead")
    path = put(tmp_path / "a", framed(*RECORDS))

    assert read_all(RecordReader(path, "", 4096), 2) == RECORDS


@pytest.mark.parametrize("kind", ["", "GZIP"])
@pytest.mark.parametrize("count", [0, 1, 4, 8, 19, 20, 50])
def test_records_can_be_passed_over(tmp_path, kind, count):
    path = put(tmp_path / "a", PACK[kind](framed(*RECORDS)))
    reader = RecordReader(path, kind, 4096)

    assert reader.skip(count) == min(count, 20)
    assert reader.number == min(count, 20)
    assert read_all(reader) == RECORDS[count:]


@pytest.mark.parametrize("kind", ["", "GZIP"])
@pytest.mark.parametrize("number", [0, 3, 19, 20])
def test_reading_goes_on_anywhere(tmp_path, kind, number):
    path = put(tmp_path / "a", PACK[kind](framed(*RECORDS)))
    first = RecordReader(path, kind)
    first.skip(number)
    second = RecordReader(path, kind)
    second.seek(first.at, first.number)

    assert read_all(second) == RECORDS[number:]


def test_entering_a_compressed_file_is_told(tmp_path):
    path = put(tmp_path / "a", PACK["GZIP"](framed(b"one", b"two")))
    said = []
    reader = RecordReader(path, "GZIP", replays=said.append)
    reader.seek(19, 1)

    assert rows(reader.read(9)) == [b"two"]
    assert len(said) == 1
    assert "unpacked again from its start" in said[0]


@pytest.mark.parametrize("kind", ["", "GZIP"])
def test_a_file_that_became_shorter_cannot_be_entered(tmp_path, kind):
    reader = RecordReader(put(tmp_path / "a", PACK[kind](framed(b"one"))), kind)
    reader.seek(100, 7)

    with pytest.raises(CheckpointError, match="but 100 were read when the state was saved"):
        reader.read(1)
    assert reader.read(1) is None


@pytest.mark.parametrize("name", DAMAGES)
@pytest.mark.parametrize("most", [1, 50])
def test_damage_is_told_where_it_is(tmp_path, name, most):
    data, before, after, says = DAMAGES[name]
    reader = RecordReader(put(tmp_path / "a", data))

    found = read_all(reader, most)

    assert found[: len(before)] == before
    assert found[len(before) + 1 :] == after
    with pytest.raises(DataLossError, match=says):
        raise found[len(before)]


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_in_compressed_files_is_told_too(tmp_path, name):
    data, before, after, _ = DAMAGES[name]
    reader = RecordReader(put(tmp_path / "a", PACK["ZLIB"](data)), "ZLIB")

    found = read_all(reader)

    assert found[: len(before)] == before
    assert isinstance(found[len(before)], DataLossError)
    assert found[len(before) + 1 :] == after


def test_records_before_a_cut_of_the_compressed_data_are_read(tmp_path):
    data = np.random.default_rng(0).bytes(3000)
    packed = PACK["GZIP"](framed(b"one", b"two", data))[:-100]

    found = read_all(RecordReader(put(tmp_path / "a", packed), "GZIP"))

    assert found[:2] == [b"one", b"two"]
    assert "the GZIP data is cut off" in str(found[2])
    assert len(found) == 3


@pytest.mark.parametrize("kind", ["", "GZIP", "ZLIB"])
def test_an_empty_file_has_no_records(tmp_path, kind):
    assert RecordReader(put(tmp_path / "a", b""), kind).read(1) is None


def test_a_missing_file_fails_once(tmp_path):
    reader = RecordReader(str(tmp_path / "nowhere"))

    with pytest.raises(NotFoundError, match="nowhere: there is no such file"):
        reader.read(1)
    assert reader.read(1) is None
    assert reader.skip(1) == 0


@pytest.mark.parametrize("kind", ["", "GZIP"])
def test_a_length_is_no_reason_to_take_memory(tmp_path, kind):
    path = put(tmp_path / "a", PACK[kind](framed(b"one") + header(2**40)))
    reader = RecordReader(path, kind)
    reader.read(1)
    tracemalloc.start()
    with pytest.raises(DataLossError, match="truncated"):
        reader.read(1)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert most < 4 * module.WINDOW + (2 << 20)


def test_what_is_wrong_is_met_after_passing_over_what_is_right(tmp_path):
    reader = RecordReader(put(tmp_path / "a", framed(b"one", b"two") + b"x" * 20))

    assert reader.skip(5) == 2
    with pytest.raises(DataLossError, match="record 2"):
        reader.skip(5)
    assert reader.skip(5) == 0


@given(damaged_frames(), st.integers(1, 5), st.sampled_from(["", "GZIP"]))
def test_whatever_is_in_a_file_the_reader_ends(tmp_path_factory, data, most, kind):
    path = put(tmp_path_factory.getbasetemp() / "damaged", PACK[kind](data))

    found = read_all(RecordReader(path, kind, 4096), most)

    assert found == read_again(path, kind)


def read_again(path, kind):
    """The same, one by one; errors are equal if they say the same."""
    return [
        _Said(e) if isinstance(e, Exception) else e for e in read_all(RecordReader(path, kind), 1)
    ]


class _Said:
    def __init__(self, error):
        self.text = str(error)

    def __eq__(self, other):
        return str(other) == self.text


@pytest.mark.parametrize("kind", ["", "GZIP"])
def test_every_byte_of_a_long_record_is_moved_a_few_times_at_most(tmp_path, kind):
    record, moved = bytes(20 << 20), []

    class Counting(RecordReader):
        def _move(self, size):
            moved.append(self._stop - self._start)
            super()._move(size)

    reader = Counting(put(tmp_path / "r", PACK[kind](framed(record))), kind)
    window, offsets = reader.read(1)

    assert window[offsets[0] :].tobytes() == record
    assert sum(moved) < 2 * len(record)
