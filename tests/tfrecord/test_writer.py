"""TFRecord files, written record by record."""

import gzip
import subprocess
import sys
import zlib

import fsspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.errors import BuildTypeError, FileError, NotFoundError
from feedline.io import TFRecordOptions, TFRecordWriter
from feedline.tfrecord.reader import RecordReader
from tests.kernels.tfrecords import records
from tests.tfrecord.made import framed
from tests.tfrecord.test_reader import read_all

UNPACK = {"": bytes, "GZIP": gzip.decompress, "ZLIB": zlib.decompress}


@given(records, st.sampled_from(["", "GZIP", "ZLIB"]), st.integers(1, 300))
def test_what_is_written_is_read(tmp_path_factory, values, kind, at_once):
    path = tmp_path_factory.getbasetemp() / "written"
    options = TFRecordOptions(kind, input_buffer_size=at_once, output_buffer_size=at_once)
    with TFRecordWriter(path, options) as writer:
        for value in values:
            writer.write(value)

    assert UNPACK[kind](path.read_bytes()) == framed(*values)
    assert read_all(RecordReader(str(path), kind)) == values


def test_text_bytearrays_and_scalars_are_records_too(tmp_path):
    with TFRecordWriter(tmp_path / "a") as writer:
        for value in ["é", bytearray(b"b"), memoryview(b"c"), np.bytes_(b"d"), np.array(b"e")]:
            writer.write(value)

    assert (tmp_path / "a").read_bytes() == framed("é".encode(), b"b", b"c", b"d", b"e")


@pytest.mark.parametrize("value", [3, None, [b"x"], np.arange(3)])
def test_other_records_are_refused(tmp_path, value):
    with (
        TFRecordWriter(tmp_path / "a") as writer,
        pytest.raises(BuildTypeError, match=r"TFRecordWriter.write\(\): a record must be bytes"),
    ):
        writer.write(value)


@pytest.mark.parametrize("kind", ["", "GZIP", "ZLIB"])
def test_flush_puts_everything_into_the_file(tmp_path, kind):
    writer = TFRecordWriter(tmp_path / "a", kind)
    writer.write(b"one")
    writer.flush()
    unpacker = zlib.decompressobj(wbits=47)
    stored = (tmp_path / "a").read_bytes()
    writer.write(b"two")
    writer.close()
    writer.close()

    assert (unpacker.decompress(stored) if kind else stored) == framed(b"one")
    assert read_all(RecordReader(str(tmp_path / "a"), kind)) == [b"one", b"two"]


def test_a_closed_writer_says_so(tmp_path):
    writer = TFRecordWriter(str(tmp_path / "a"))
    writer.close()

    with pytest.raises(FileError, match="was closed"):
        writer.write(b"one")
    with pytest.raises(FileError, match="was closed"):
        writer.flush()


def test_a_writer_that_is_dropped_writes_what_it_has(tmp_path):
    writer = TFRecordWriter(tmp_path / "a")
    writer.write(b"one")
    del writer

    assert (tmp_path / "a").read_bytes() == framed(b"one")


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(NotFoundError, match="there is no folder"):
        TFRecordWriter(tmp_path / "no" / "a")


def test_a_path_must_be_one():
    with pytest.raises(BuildTypeError, match="path must be str"):
        TFRecordWriter(3)


def test_records_can_be_written_to_urls():
    with TFRecordWriter("memory://written/a") as writer:
        writer.write(b"one")

    assert fsspec.filesystem("memory").cat_file("/written/a") == framed(b"one")
    assert read_all(RecordReader("memory://written/a")) == [b"one"]


@pytest.mark.parametrize("options", ["GZIP", 2, TFRecordOptions("GZIP"), TFRecordOptions(2)])
def test_compression_can_be_said_in_several_ways(tmp_path, options):
    with TFRecordWriter(tmp_path / "a", options) as writer:
        writer.write(b"one")

    assert gzip.decompress((tmp_path / "a").read_bytes()) == framed(b"one")


@pytest.mark.parametrize("mode", [zlib.Z_PARTIAL_FLUSH, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH])
def test_a_flush_mode_is_used_after_every_input_buffer(tmp_path, mode):
    for name, flush_mode in [("plain", None), ("flushed", mode)]:
        options = TFRecordOptions("ZLIB", flush_mode, input_buffer_size=40)
        with TFRecordWriter(tmp_path / name, options) as writer:
            for _ in range(50):
                writer.write(b"some record")

    assert (tmp_path / "flushed").stat().st_size > (tmp_path / "plain").stat().st_size
    assert read_all(RecordReader(str(tmp_path / "flushed"), "ZLIB")) == [b"some record"] * 50


FULL = """
import gzip, resource, signal, sys, zlib
import feedline as tf
path, kind = sys.argv[1:]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
options = tf.io.TFRecordOptions(kind, input_buffer_size=5000, output_buffer_size=5000)
writer, taken = tf.io.TFRecordWriter(path, options), []
noise = __import__("numpy").random.default_rng(1)
for number in range(100):
    record = noise.bytes(10_000)
    try:
        writer.write(record)
        taken.append(record)
    except OSError:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
writer.close()
assert len(taken) == 99, len(taken)
assert list(tf.data.TFRecordDataset(path, kind)) == taken
"""

LOST = """
import resource, signal, sys
import feedline as tf
path, kind = sys.argv[1:]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
writer = tf.io.TFRecordWriter(path, kind)
writer.write(__import__("numpy").random.default_rng(1).bytes(10_000))
try:
    writer.close()
except OSError as error:
    assert "not in the file" in error.__notes__[0]
else:
    raise SystemExit("close() said nothing")
writer.close()
"""


@pytest.mark.parametrize("kind", ["", "GZIP", "ZLIB"])
@pytest.mark.parametrize("script", [FULL, LOST], ids=["goes on", "closed"])
def test_a_disk_that_is_full_for_a_while_tears_no_record_and_loses_none_silently(
    tmp_path, script, kind
):
    command = [sys.executable, "-W", "error", "-c", script, str(tmp_path / "a"), kind]
    done = subprocess.run(command, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
