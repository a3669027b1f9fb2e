"""What failed is listed: which element, of which file, with what, and how to see it again."""

from __future__ import annotations

import itertools
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, DecodeError
from feedline.quarantine import Origin, QuarantineEntry, QuarantineFile

Dataset, ErrorPolicy, Quarantine = tf.data.Dataset, tf.data.ErrorPolicy, tf.data.Quarantine
WAYS = {"inline": {}, "threads": {"num_parallel_calls": 3}}


def fails(x):
    if int(x) % 5 == 3:
        raise KeyError(f"no {x}")
    return x * 2


def skipping(**settings):
    return ErrorPolicy("skip", **settings)


@pytest.mark.parametrize("way", WAYS)
def test_an_entry_says_what_failed_where_and_how(way):
    failed = Quarantine()
    list(Dataset.range(10).map(fails, on_error=skipping(quarantine=failed), **WAYS[way]))

    entry = failed[0]
    assert [e.position for e in failed] == [3, 8]
    assert entry.step.startswith("map(fails) built at test_quarantine.py")
    assert (entry.kind, entry.message) == ("KeyError", "'no 3'")
    assert 'raise KeyError(f"no {x}")' in entry.traceback
    assert entry.origin is None


def test_failures_that_are_raised_or_replaced_are_listed_too():
    raised, replaced = Quarantine(), Quarantine()
    ds = Dataset.range(10).map(fails, on_error=ErrorPolicy(quarantine=raised))
    list(ds.ignore_errors())
    policy = ErrorPolicy("replace", replacement=0, quarantine=replaced)
    list(Dataset.range(10).map(fails, on_error=policy))

    assert [e.position for e in raised] == [e.position for e in replaced] == [3, 8]


def test_ignore_errors_lists_what_fails_below_it():
    failed = Quarantine()
    ds = Dataset.range(10).map(fails).batch(2).ignore_errors(quarantine=failed)

    assert [batch.tolist() for batch in ds] == [[0, 2], [8, 10], [12, 14]]
    assert [e.message for e in failed] == ["'no 3'", "'no 8'"]
    assert failed[0].step.startswith("ignore_errors() built at")


def test_only_an_iteration_lists_failures():
    failed = Quarantine()
    ds = Dataset.range(3, 10).map(fails, on_error=skipping(quarantine=failed))

    assert ds.element_spec.shape == ()
    assert len(failed) == 0


def test_every_iteration_and_every_epoch_lists_its_failures():
    failed = Quarantine()
    ds = Dataset.range(10).map(fails, on_error=skipping(quarantine=failed)).repeat(2)
    list(ds)
    list(ds)

    assert [e.position for e in failed] == [3, 8] * 4


# ---- resumes -------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", range(0, 17, 4))
@pytest.mark.parametrize("way", WAYS)
def test_what_failed_before_a_resume_is_listed_once(way, cut, tmp_path):
    failed, path = Quarantine(), tmp_path / "failed.jsonl"
    ds = Dataset.range(20).map(fails, on_error=skipping(quarantine=failed), **WAYS[way])
    ds = ds.map(lambda x: 1 // int(x), on_error=skipping(quarantine=path), **WAYS[way]).batch(3)
    it = iter(ds)
    list(itertools.islice(it, cut // 3))
    saved = it.state_dict()
    it.close()
    again = iter(ds)
    again.load_state_dict(saved)
    list(again)

    assert sorted(e.position for e in failed) == [3, 8, 13, 18]
    assert [e.position for e in Quarantine.read(path)] == [0]


# ---- files ---------------------------------------------------------------------------------


def test_a_file_has_a_line_of_json_for_every_failure(tmp_path):
    path = tmp_path / "failed.jsonl"
    ds = Dataset.range(10).map(fails, on_error=skipping(quarantine=path))
    list(ds)
    list(ds)

    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["position"] for line in lines] == [3, 8, 3, 8]
    assert lines[0]["kind"] == "KeyError"


def test_without_a_failure_there_is_no_file(tmp_path):
    path = tmp_path / "failed.jsonl"
    list(Dataset.range(3).map(fails, on_error=skipping(quarantine=str(path))))

    assert not path.exists()


def test_a_file_is_complete_while_the_iteration_goes_on(tmp_path):
    path = tmp_path / "failed.jsonl"
    it = iter(Dataset.range(100).map(fails, on_error=skipping(quarantine=path)))
    for _ in range(4):
        next(it)

    assert Quarantine.read(path)[0].message == "'no 3'"


def test_a_list_is_written_and_read(tmp_path):
    failed = Quarantine()
    list(Dataset.range(10).map(fails, on_error=skipping(quarantine=failed)))
    failed.write(tmp_path / "failed.jsonl")

    assert list(Quarantine.read(tmp_path / "failed.jsonl")) == list(failed)


def test_what_is_no_entry_is_refused():
    with pytest.raises(DecodeError, match="no entry"):
        tf.data.QuarantineEntry.from_json('{"step": 3}')


def test_a_list_in_memory_cannot_be_filled_by_a_background_process(tmp_path):
    options = tf.data.Options(executor="background")
    ds = Dataset.range(10).map(fails, on_error=skipping(quarantine=Quarantine()))

    with pytest.raises(BuildError, match="Give the path of a file"):
        iter(ds.with_options(options))
    path = tmp_path / "failed.jsonl"
    ds = Dataset.range(10).map(fails, on_error=skipping(quarantine=path))
    assert len(list(ds.with_options(options))) == 8
    assert [e.position for e in Quarantine.read(path)] == [3, 8]


# ---- where elements came from ----------------------------------------------------------------


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """Files of records, and where each record is."""
    folder, places = tmp_path_factory.mktemp("records"), {}
    for number, length in enumerate([5, 0, 33, 70]):
        path, at = str(folder / f"{number}.tfrecord"), 0
        with tf.io.TFRecordWriter(path) as writer:
            for record in range(length):
                data = b"%d:%d" % (number, record)
                places[data.decode()] = Origin(path, record, at)
                writer.write(data)
                at += 16 + len(data)
    return sorted(map(str, folder.iterdir())), places


def fails_on_some(record):
    if int(record.split(b":")[1]) % 7 == 3:
        raise ValueError(record.decode())
    return record


@given(
    reads=st.sampled_from([None, 2, 4]),
    first=st.integers(0, 12),
    calls=st.sampled_from([None, 2]),
    block_size=st.sampled_from([None, 1, 5]),
)
def test_an_entry_names_file_record_and_byte(records, reads, first, calls, block_size):
    files, places = records
    failed = Quarantine()
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=reads).skip(first).take(90)
    ds = ds.map(lambda record: record, vectorize=False)
    ds = ds.map(fails_on_some, num_parallel_calls=calls, on_error=skipping(quarantine=failed))
    list(ds.with_options(tf.data.Options(block_size=block_size)))

    assert len(failed) > 9
    assert [e.origin for e in failed] == [places[e.message] for e in failed]


def test_an_entry_of_ignore_errors_names_the_file_as_well(records):
    files, places = records
    failed = Quarantine()
    list(tf.data.TFRecordDataset(files).map(fails_on_some).ignore_errors(quarantine=failed))

    assert [e.origin for e in failed] == [places[e.message] for e in failed]


def test_a_line_of_text_is_named_by_its_number(tmp_path):
    (tmp_path / "a.txt").write_text("1\n2\nthree\n4\n")
    failed = Quarantine()
    ds = tf.data.TextLineDataset(str(tmp_path / "a.txt"))
    list(ds.map(lambda line: int(line), on_error=skipping(quarantine=failed)))

    (entry,) = failed
    assert (entry.origin.path, entry.origin.record) == (str(tmp_path / "a.txt"), 2)
    assert str(entry.origin).startswith(f"{tmp_path}/a.txt, record 2")


def test_what_was_shuffled_or_compressed_has_no_place(records, tmp_path):
    path = str(tmp_path / "a.gz")
    with tf.io.TFRecordWriter(path, "GZIP") as writer:
        writer.write(b"0:3")
    shuffled, compressed = Quarantine(), Quarantine()
    ds = tf.data.TFRecordDataset(records[0]).shuffle(9)
    list(ds.map(fails_on_some, on_error=skipping(quarantine=shuffled)))
    ds = tf.data.TFRecordDataset(path, "GZIP")
    list(ds.map(fails_on_some, on_error=skipping(quarantine=compressed)))

    assert {e.origin for e in shuffled} == {e.origin for e in compressed} == {None}


@pytest.mark.parametrize("damage", [b"\xff\xfe", b"[" * 100_000, b'{"state": 3}', b"null"])
def test_a_damaged_file_is_refused(tmp_path, damage):
    (tmp_path / "failed").write_bytes(damage)
    with pytest.raises(DecodeError, match="the line is no entry"):
        tf.data.Quarantine.read(tmp_path / "failed")


def test_a_line_that_does_not_fit_on_the_disk_is_taken_back(tmp_path, monkeypatch):
    file, write, room = QuarantineFile(str(tmp_path / "failed")), os.write, [10]
    entry = QuarantineEntry("map", 1, "ValueError", "no", "trace", None, {})
    monkeypatch.setattr(os, "write", lambda number, data: write(number, data[: room[0]]))
    with pytest.raises(OSError, match="the disk is full"):
        file.add(entry)
    room[0] = None
    file.add(entry)
    file.close()

    assert list(tf.data.Quarantine.read(tmp_path / "failed")) == [entry]
