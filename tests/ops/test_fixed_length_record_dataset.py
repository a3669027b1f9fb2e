import gzip
import zlib
from pathlib import Path

import fsspec
import pytest

from feedline.data import FixedLengthRecordDataset
from feedline.errors import (
    BuildError,
    BuildTypeError,
    CheckpointError,
    DataLossError,
    InvalidArgumentError,
    NotFoundError,
)
from feedline.spec import TensorSpec, string
from feedline.testing import CHECKS, check_resume_in_fresh_process

REPLAYED = pytest.mark.filterwarnings("ignore:.*compressed file cannot be entered")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    (folder / "ten").write_bytes(bytes(range(10)))
    (folder / "ten.gz").write_bytes(gzip.compress(bytes(range(10))))
    (folder / "ten.z").write_bytes(zlib.compress(bytes(range(10))))
    (folder / "eight").write_bytes(bytes(range(100, 108)))
    (folder / "none").write_bytes(b"")
    return folder


CASES = {
    "one": lambda f: FixedLengthRecordDataset(f / "ten", 2),
    "header": lambda f: FixedLengthRecordDataset(f / "ten", 3, header_bytes=1),
    "both": lambda f: FixedLengthRecordDataset(f / "ten", 2, 1, 1),
    "several": lambda f: FixedLengthRecordDataset([f / "ten", f / "none", f / "eight"], 2),
    "in turn": lambda f: FixedLengthRecordDataset(
        [f / "ten", f / "eight"], 2, num_parallel_reads=2
    ),
    "gzip": lambda f: FixedLengthRecordDataset(f / "ten.gz", 2, 1, 1, 3, "GZIP"),
    "zlib": lambda f: FixedLengthRecordDataset(f / "ten.z", 3, 1, compression_type="ZLIB"),
    "nothing": lambda f: FixedLengthRecordDataset(f / "none", 4),
    "no names": lambda f: FixedLengthRecordDataset(FixedLengthRecordDataset(f / "none", 4), 2),
    "shuffled": lambda f: FixedLengthRecordDataset([f / "ten", f / "eight"], 2).shuffle(None, 3),
}


@REPLAYED
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("case", CASES)
def test_conforms(folder, case, check):
    check(CASES[case](folder))


def test_resumes_in_a_fresh_process(folder):
    check_resume_in_fresh_process(CASES["several"](folder))


@pytest.mark.parametrize(("name", "compression"), [("ten", None), ("ten.gz", "GZIP")])
@pytest.mark.parametrize(
    ("sizes", "records"),
    [
        ((2,), [b"\0\1", b"\2\3", b"\4\5", b"\6\7", b"\x08\t"]),
        ((3, 1), [b"\1\2\3", b"\4\5\6", b"\7\x08\t"]),
        ((2, 1, 1), [b"\1\2", b"\3\4", b"\5\6", b"\7\x08"]),
        ((2, 5, 5), []),
        ((10,), [bytes(range(10))]),
    ],
)
@pytest.mark.parametrize("buffer_size", [None, 1, 4])
def test_records_are_between_header_and_footer(
    folder, name, compression, sizes, records, buffer_size
):
    ds = FixedLengthRecordDataset(
        folder / name, *sizes, buffer_size=buffer_size, compression_type=compression
    )

    assert list(ds) == records


def test_any_record_is_found_at_once(folder):
    ds = FixedLengthRecordDataset([folder / "ten", folder / "none", folder / "eight"], 2)

    assert [ds[0], ds[4], ds[5], ds[-1]] == [b"\0\1", b"\x08\t", b"de", b"jk"]
    assert ds.element_spec == TensorSpec((), string)
    assert ds.cardinality() == -2
    with pytest.raises(IndexError):
        ds[9]


def test_a_shuffle_of_everything_reads_by_index(folder):
    ds = FixedLengthRecordDataset([folder / "ten", folder / "eight"], 2)

    assert sorted(ds.shuffle(None, seed=1)) == sorted(ds)
    assert ds.shuffle(None, seed=1)[3] == list(ds.shuffle(None, seed=1))[3]


@pytest.mark.parametrize("name", ["ten.gz", "in turn"])
def test_there_is_no_index_where_files_are_compressed_or_taken_in_turn(folder, name):
    ds = CASES["gzip" if name == "ten.gz" else name](folder)

    with pytest.raises(TypeError, match="cannot be read by index"):
        ds[0]


@pytest.mark.parametrize("sizes", [(3,), (2, 11), (2, 6, 5), (20,)])
def test_a_length_that_does_not_fit_is_told(folder, sizes):
    ds = FixedLengthRecordDataset([folder / "ten", folder / "none"], *sizes)

    with pytest.raises(
        InvalidArgumentError, match=r"ten: .* not a multiple of record_bytes"
    ) as raised:
        list(ds)
    assert "FixedLengthRecordDataset() built at" in raised.value.__notes__[0]
    with pytest.raises(InvalidArgumentError, match="record_bytes"):
        ds[0]


@pytest.mark.parametrize(("sizes", "found"), [((3,), 3), ((2, 11), 0), ((2, 6, 5), 0), ((20,), 0)])
@pytest.mark.parametrize("buffer_size", [None, 1])
def test_a_compressed_file_of_a_wrong_length_fails_after_its_records(
    folder, sizes, found, buffer_size
):
    it = iter(
        FixedLengthRecordDataset(
            folder / "ten.gz", *sizes, compression_type="GZIP", buffer_size=buffer_size
        )
    )

    assert len([next(it) for _ in range(found)]) == found
    with pytest.raises(InvalidArgumentError, match=r"ten\.gz: .* not a multiple"):
        next(it)
    assert next(it, None) is None


def test_after_a_file_that_failed_the_next_one_is_read(folder):
    ds = FixedLengthRecordDataset([folder / "ten", folder / "missing", folder / "eight"], 4)

    assert list(ds.ignore_errors()) == [b"defg", b"hijk"]
    with pytest.raises(NotFoundError, match="missing"):
        list(FixedLengthRecordDataset(folder / "missing", 4))


def test_an_empty_compressed_file_holds_no_header(tmp_path):
    (tmp_path / "file").write_bytes(gzip.compress(b""))

    assert list(FixedLengthRecordDataset(tmp_path / "file", 2, compression_type="GZIP")) == []
    with pytest.raises(InvalidArgumentError, match="is shorter than both"):
        list(FixedLengthRecordDataset(tmp_path / "file", 2, 1, compression_type="GZIP"))


def test_a_file_that_became_shorter_cannot_be_resumed(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(8))
    ds = FixedLengthRecordDataset(path, 2)
    it = iter(ds)
    [next(it) for _ in range(3)]
    path.write_bytes(bytes(4))

    again = iter(ds)
    again.load_state_dict(it.state_dict())
    with pytest.raises(CheckpointError, match="ends after 2 elements, but 3 were read"):
        next(again)


def test_files_of_fsspec_are_read_by_index():
    with fsspec.open("memory://records/a", "wb") as file:
        file.write(b"aabbcc")
    ds = FixedLengthRecordDataset("memory://records/a", 2)

    assert list(ds) == [b"aa", b"bb", b"cc"]
    assert ds[2] == b"cc"
    assert list(ds.shuffle(None, seed=2)) == [ds.shuffle(None, seed=2)[i] for i in range(3)]


def test_many_files_need_few_open_at_once(tmp_path):
    paths = [tmp_path / str(number) for number in range(40)]
    for path in paths:
        path.write_bytes(b"ab")
    before = len(list(Path("/proc/self/fd").iterdir()))
    ds = FixedLengthRecordDataset(paths, 1)

    assert [ds[i] for i in (0, 41, 79)] == [b"a", b"b", b"b"]
    assert len(list(Path("/proc/self/fd").iterdir())) - before <= 40


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"record_bytes": 0}, BuildError, "record_bytes must be at least 1, got 0"),
        ({"record_bytes": 2.5}, BuildTypeError, "record_bytes must be an integer, got 2.5"),
        ({"record_bytes": None}, BuildTypeError, "record_bytes must be an integer"),
        ({"header_bytes": -1}, BuildError, "header_bytes must be at least 0, got -1"),
        ({"footer_bytes": -1}, BuildError, "footer_bytes must be at least 0, got -1"),
        ({"buffer_size": -1}, BuildError, "buffer_size must be at least 0, got -1"),
        ({"compression_type": "x"}, BuildError, "compression_type must be"),
        ({"num_parallel_reads": 0}, BuildError, "num_parallel_reads must be at least 1"),
    ],
)
def test_wrong_arguments_are_refused_where_they_are_written(arguments, kind, text):
    with pytest.raises(kind, match=text):
        FixedLengthRecordDataset(**{"filenames": "file", "record_bytes": 2, **arguments})


def test_damage_is_told(tmp_path):
    (tmp_path / "file").write_bytes(gzip.compress(bytes(1000))[:-9])

    with pytest.raises(DataLossError, match="cut off"):
        list(FixedLengthRecordDataset(tmp_path / "file", 2, compression_type="GZIP"))
