"""Pipes, devices and files without a size: read whole, or refused, never taken for empty."""

import gzip
import io
import os
import tarfile
import threading

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import feedline as tf
from feedline.errors import FileError
from feedline.files import open_file
from feedline.files.read_once import is_read_once, is_stream
from feedline.tools.converting.plan import Order, planned
from feedline.tools.record_report import record_report

COUNT = 5000
LINES = b"".join(b"line %d\n" % number for number in range(COUNT))
JSON = b"".join(b'{"a": %d}\n' % number for number in range(COUNT))
CSV = b"a,b\n" + b"".join(b"%d,%d\n" % (number, number) for number in range(COUNT))


def records(compression):
    path = f"records{compression}"
    with tf.io.TFRecordWriter(path, compression) as writer:
        for number in range(COUNT):
            writer.write(b"record %d" % number)
    with open(path, "rb") as file:
        return file.read()


def tar():
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as file:
        for number in range(COUNT):
            member = tarfile.TarInfo(f"{number}.txt")
            member.size = 3
            file.addfile(member, io.BytesIO(b"abc"))
    return made.getvalue()


def saved(save, value):
    made = io.BytesIO()
    save(made, value)
    return made.getvalue()


def arrow():
    table = pa.table({"a": range(COUNT)})
    made = io.BytesIO()
    with pa.ipc.new_file(made, table.schema) as writer:
        writer.write_table(table)
    return made.getvalue()


def zipped(path):
    return tf.data.TextLineDataset(path, "GZIP")


def zipped_records(path):
    return tf.data.TFRecordDataset(path, "GZIP")


def fixed(path):
    return tf.data.FixedLengthRecordDataset(path, 10, header_bytes=4, footer_bytes=6)


def rows(path):
    return tf.data.experimental.CsvDataset(path, [tf.int32, tf.int32], header=True)


def in_turns(path):
    return tf.data.Dataset.from_tensors(path).interleave(tf.data.TextLineDataset)


def parallel(path):
    return tf.data.TextLineDataset([path, path + "x"][:1], num_parallel_reads=4)


def named_rows(path):
    return tf.data.experimental.make_csv_dataset(
        path, 1, ["a", "b"], [0, 0], num_epochs=1, shuffle=False
    )


READ = {
    "TextLineDataset": (tf.data.TextLineDataset, lambda: LINES),
    "TextLineDataset, packed": (zipped, lambda: gzip.compress(LINES)),
    "TFRecordDataset": (tf.data.TFRecordDataset, lambda: records("")),
    "TFRecordDataset, packed": (zipped_records, lambda: records("GZIP")),
    "FixedLengthRecordDataset": (fixed, lambda: bytes(10 * COUNT + 10)),
    "CsvDataset": (rows, lambda: CSV),
    "make_csv_dataset": (named_rows, lambda: CSV),
    "JsonLinesDataset": (tf.data.JsonLinesDataset, lambda: JSON),
    "TarDataset": (tf.data.TarDataset, tar),
    "interleave": (in_turns, lambda: LINES),
    "parallel reads": (parallel, lambda: LINES),
}
REFUSED = {
    "npy": (tf.data.NumpyFileDataset, lambda: saved(np.save, np.arange(COUNT))),
    "npz": (tf.data.NumpyFileDataset, lambda: saved(np.savez, np.arange(COUNT))),
    "Parquet": (
        tf.data.ParquetDataset,
        lambda: saved(lambda f, t: pq.write_table(t, f), pa.table({"a": range(COUNT)})),
    ),
    "Arrow": (tf.data.ArrowDataset, arrow),
    "records by index": (lambda path: tf.data.TFRecordDataset(path).shuffle(None), lambda: b""),
    "report": (record_report, lambda: b""),
    "conversion": (lambda path: planned(Order((path,), "out")), lambda: b""),
}


@pytest.fixture
def piped(tmp_path, monkeypatch):
    """Return what gives a pipe, with or without a name, that data is written to."""
    monkeypatch.chdir(tmp_path)
    ends, threads = [], []

    def give(data, is_named=False):
        if is_named:
            os.mkfifo("pipe.jsonl")
            path = "pipe.jsonl"
        else:
            end, target = os.pipe()
            ends.append(end)
            path = f"/dev/fd/{end}"

        def write():
            try:
                with open(path if is_named else target, "wb") as file:
                    file.write(data)
            except BrokenPipeError:
                pass  # whoever read it has seen enough

        threads.append(threading.Thread(target=write))
        threads[-1].start()
        return path

    yield give
    for end in ends:
        os.close(end)
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("is_named", [False, True])
@pytest.mark.parametrize("kind", READ)
def test_a_pipe_is_read_whole(piped, kind, is_named):
    made, data = READ[kind]

    assert sum(1 for _ in made(piped(data(), is_named))) == COUNT


@pytest.mark.parametrize("is_named", [False, True])
def test_read_file_reads_a_pipe_whole(piped, is_named):
    assert tf.io.read_file(piped(LINES, is_named)) == LINES


@pytest.mark.parametrize("kind", REFUSED)
def test_a_pipe_is_refused_where_places_in_it_must_be_known(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.jsonl")

    # Without a writer: opening it would wait for ever.
    with pytest.raises(FileError, match=r"pipe.jsonl is a pipe .* Copy it to a regular file"):
        list(REFUSED[kind][0]("pipe.jsonl"))


@pytest.mark.parametrize("kind", list(REFUSED)[:4])
def test_the_same_is_read_out_of_a_regular_file(tmp_path, kind):
    made, data = REFUSED[kind]
    (tmp_path / "file").write_bytes(data())

    assert sum(1 for _ in made(str(tmp_path / "file"))) == COUNT


def whole_lines(path):
    return tf.data.experimental.CsvDataset(path, [tf.string], field_delim="|")


PROC = "/proc/version"
with open(PROC, "rb") as about:
    TEXT = about.read()


def test_the_files_of_the_system_say_that_they_are_empty():
    assert os.stat(PROC).st_size == 0
    assert is_stream(PROC)
    assert not is_read_once(PROC)


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (tf.io.read_file, TEXT),
        (lambda path: tf.io.gfile.GFile(path, "rb").read(), TEXT),
        (lambda path: b"".join(tf.data.FixedLengthRecordDataset(path, 1)), TEXT),
        (lambda path: list(tf.data.TextLineDataset(path)), TEXT.decode().splitlines()),
        (lambda path: [line for (line,) in whole_lines(path)], TEXT.decode().splitlines()),
    ],
)
def test_a_file_that_says_it_is_empty_is_read_whole(read, expected):
    assert read(PROC) == expected
    assert read(PROC) == expected


@pytest.mark.parametrize("kind", [*list(REFUSED)[:5], "report"])
def test_a_file_that_says_it_is_empty_is_refused_where_its_size_must_be_known(kind):
    with pytest.raises(FileError, match="/proc/version is of no known size"):
        list(REFUSED[kind][0](PROC))


def test_damage_in_a_file_that_says_it_is_empty_is_found():
    with pytest.raises(tf.errors.DataLossError, match="/proc/version"):
        list(tf.data.TFRecordDataset(PROC))
    with pytest.raises(tf.errors.DataLossError, match="/proc/version"):
        list(tf.data.TarDataset(PROC))


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/urandom"])
def test_a_device_without_an_end_is_read_as_far_as_asked(path):
    assert len(list(tf.data.FixedLengthRecordDataset(path, 100).take(7))) == 7


def test_nothing_is_in_the_device_that_holds_nothing():
    assert list(tf.data.FixedLengthRecordDataset("/dev/null", 3)) == []
    assert list(tf.data.TextLineDataset("/dev/null")) == []


@pytest.mark.parametrize(
    ("made", "data"), [READ["JsonLinesDataset"], READ["TarDataset"]], ids=["JSON", "tar"]
)
def test_a_look_at_the_first_elements_takes_nothing_out_of_a_pipe(piped, made, data):
    ds = made(piped(data()))

    with pytest.raises(FileError, match="looking at what it holds would lose that"):
        _ = ds.element_spec
    assert sum(1 for _ in ds) == COUNT


def test_dtypes_are_not_guessed_from_a_pipe(piped):
    path = piped(CSV)

    with pytest.raises(FileError, match="column_names and column_defaults"):
        tf.data.experimental.make_csv_dataset(path, 1)
    assert tf.io.read_file(path) == CSV


def test_a_pipe_is_not_read_again_by_the_next_epoch(piped):
    ds = tf.data.TextLineDataset(piped(LINES))

    assert len(list(ds.take(3))) == 3
    with pytest.raises(FileError, match="was read before, and can only be read once"):
        list(ds)


def test_a_cached_pipe_is_read_for_every_epoch(piped):
    ds = tf.data.TextLineDataset(piped(LINES)).cache()

    assert len(list(ds.repeat(3))) == 3 * COUNT


def test_the_place_of_a_state_is_not_looked_for_in_a_pipe(piped):
    with open_file(piped(LINES)) as file, pytest.raises(FileError, match="only be read once"):
        file.read(10, 3)


def test_another_process_is_not_sent_the_files_that_this_one_holds_open(piped):
    ds = tf.data.TextLineDataset(piped(LINES))
    ds = ds.with_options(tf.data.Options(executor="background"))

    with pytest.raises(FileError, match="a process in the background cannot read it"):
        list(ds)
