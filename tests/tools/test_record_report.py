import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline
from feedline.errors import NotFoundError
from feedline.tools.record_report import compression_of, record_report
from tests.tools.made import records, tfrecord


@pytest.mark.parametrize("options", [None, "GZIP", "ZLIB"])
def test_a_whole_file_is_counted_and_measured(tmp_path, options):
    items = [b"x" * length for length in (0, 1, 100, 70)]
    report = record_report(tfrecord(tmp_path / "f", items, options))

    assert report.compression == (options or "")
    assert (report.records, report.content) == (4, 171)
    assert (report.shortest, report.mean, report.longest) == (0, 171 / 4, 100)
    assert report.histogram == {1: 2, 128: 2}
    assert report.damage == []


def test_the_code_reads_the_file(tmp_path):
    report = record_report(tfrecord(tmp_path / "f", records(), "GZIP"))
    names = {}
    exec(report.code(), names)

    first = next(iter(names["ds"]))
    assert first["id"] == 0
    assert first["x"].tolist() == [0.0, -1.0]
    assert feedline.data.TFRecordDataset


def test_a_damaged_record_is_reported_and_the_rest_is_read(tmp_path):
    path = tmp_path / "f"
    tfrecord(path, [b"aaaa", b"bbbb", b"cccc"])
    data = bytearray(path.read_bytes())
    data[20 + 12] ^= 1
    path.write_bytes(data)
    report = record_report(str(path))

    assert report.records == 2
    assert [(one.record, one.offset) for one in report.damage] == [(1, 20)]
    assert "another checksum" in report.damage[0].message


def test_a_truncated_file_is_reported_with_its_place(tmp_path):
    path = tmp_path / "f"
    tfrecord(path, [b"aaaa", b"bbbb"])
    path.write_bytes(path.read_bytes()[:-3])
    report = record_report(str(path))

    assert report.records == 1
    assert [(one.record, one.offset) for one in report.damage] == [(1, 20)]
    assert "truncated" in report.damage[0].message


def test_a_truncated_gzip_file_is_reported(tmp_path):
    path = tmp_path / "f"
    tfrecord(path, [b"%d" % number for number in range(1000)], "GZIP")
    path.write_bytes(path.read_bytes()[:-20])

    assert record_report(str(path)).damage


def test_a_file_without_records_is_whole(tmp_path):
    (tmp_path / "f").write_bytes(b"")
    report = record_report(str(tmp_path / "f"))

    assert (report.records, report.damage, report.code()) == (0, [], "")


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(NotFoundError):
        record_report(str(tmp_path / "nothing"))


def test_many_records_are_looked_into_now_and_then(tmp_path):
    report = record_report(tfrecord(tmp_path / "f", [b"", *records(1)] * 2_500))

    assert report.records == 5_000
    assert report.summary.records == 1_004
    assert len(report.first) == 3


@given(st.integers(0, 2**64 - 1))
def test_a_length_that_looks_compressed_is_not_taken_for_it(length):
    record = np.frombuffer(length.to_bytes(8, "little") + b"\0\0\0\0", np.uint8)

    assert compression_of(record.tobytes()) in ("", "ZLIB", "GZIP")


@given(st.binary(max_size=200))
def test_any_file_gets_a_report(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("any") / "f"
    path.write_bytes(data)
    report = record_report(str(path))

    assert report.records or report.damage or not data
