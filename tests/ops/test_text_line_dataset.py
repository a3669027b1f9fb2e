import gzip
import zlib
from pathlib import Path

import fsspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.data import AUTOTUNE, Dataset, TextLineDataset
from feedline.errors import (
    BuildError,
    BuildTypeError,
    CheckpointError,
    DataLossError,
    DecodeError,
    FileError,
    NotFoundError,
)
from feedline.spec import TensorSpec, string
from feedline.testing import CHECKS, check_resume_in_fresh_process

LENGTHS = [1, 3, 2, 0, 4, 1]
REPLAYED = pytest.mark.filterwarnings("ignore:.*compressed file cannot be entered")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("text")
    for number, length in enumerate(LENGTHS):
        text = "".join(f"{number}-{line}\n" for line in range(length))
        (folder / f"{number}.txt").write_text(text)
    text = "eins\r\nzwei äöü\n\n" + "lang " * 20 + "\nletzte"
    (folder / "text.txt").write_bytes(text.encode())
    (folder / "text.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "text.z").write_bytes(zlib.compress(text.encode()))
    return folder


def numbered(folder):
    return [folder / f"{number}.txt" for number in range(len(LENGTHS))]


def raising(ds):
    """The elements of a dataset, with the type of what was raised where one failed."""
    found, it = [], iter(ds)
    while True:
        try:
            found.append(next(it))
        except StopIteration:
            return found
        except Exception as error:
            found.append(type(error))


CASES = {
    "one": lambda folder: TextLineDataset(folder / "text.txt"),
    "bytes": lambda folder: TextLineDataset(folder / "text.txt", encoding=None),
    "small buffer": lambda folder: TextLineDataset(folder / "text.txt", buffer_size=3),
    "bytes, small buffer": lambda f: TextLineDataset(f / "text.txt", None, 3, encoding=None),
    "several": lambda folder: TextLineDataset(numbered(folder)),
    "in turn": lambda folder: TextLineDataset(numbered(folder), num_parallel_reads=3),
    "gzip": lambda folder: TextLineDataset(folder / "text.gz", "GZIP", 7),
    "zlib": lambda folder: TextLineDataset(folder / "text.z", "ZLIB"),
    "nothing": lambda folder: TextLineDataset(folder / "3.txt"),
    "no file": lambda folder: TextLineDataset([]),
    "listed": lambda folder: TextLineDataset(
        Dataset.list_files(f"{folder}/?.txt", seed=5), num_parallel_reads=2
    ).batch(3),
    "repeated": lambda folder: TextLineDataset(numbered(folder)).repeat(2).batch(4),
    "shuffled": lambda folder: TextLineDataset(numbered(folder)).shuffle(5, seed=1),
}


@REPLAYED
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("case", CASES)
def test_conforms(folder, case, check):
    check(CASES[case](folder))


def test_resumes_in_a_fresh_process(folder):
    check_resume_in_fresh_process(CASES["in turn"](folder))


def test_lines_are_text(folder):
    lines = ["eins", "zwei äöü", "", "lang " * 20, "letzte"]

    assert list(TextLineDataset(folder / "text.txt")) == lines
    assert list(TextLineDataset(str(folder / "text.gz"), "GZIP")) == lines
    assert list(TextLineDataset(folder / "text.z", compression_type="ZLIB")) == lines


def test_lines_are_bytes_without_an_encoding(folder):
    ds = TextLineDataset(folder / "text.txt", encoding=None)

    assert list(ds)[:2] == [b"eins", "zwei äöü".encode()]
    assert ds.element_spec == TensorSpec((), string)
    assert ds.cardinality() == -2


TEXT = st.lists(st.sampled_from(["\n", "\r", "a", "ä", "lang", "\x00", "\u2028"]), max_size=30)


@given(TEXT.map("".join), st.integers(1, 20))
def test_text_and_bytes_agree_whatever_is_read_at_once(tmp_path_factory, text, size):
    path = tmp_path_factory.mktemp("text") / "file"
    path.write_bytes(text.encode())

    expected = list(TextLineDataset(path, encoding=None))
    assert [line.encode() for line in TextLineDataset(path, buffer_size=size)] == expected
    assert list(TextLineDataset(path, buffer_size=size, encoding=None)) == expected


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"\n", [b""]),
        (b"a\rb\r\nc\r", [b"ab", b"c"]),
        (b"a\n\r", [b"a"]),
        (b"\r", []),
        (b"a\x00b\n\n", [b"a\x00b", b""]),
    ],
)
def test_ends_of_lines_are_those_of_tensorflow(tmp_path, text, lines):
    (tmp_path / "file").write_bytes(text)

    assert list(TextLineDataset(tmp_path / "file", encoding=None)) == lines
    assert list(TextLineDataset(tmp_path / "file")) == [line.decode() for line in lines]


@pytest.mark.parametrize(
    ("reads", "order"),
    [
        (None, "00 10 11 12 20 21 40 41 42 43 50"),
        (1, "00 10 11 12 20 21 40 41 42 43 50"),
        (2, "00 10 11 20 12 21 40 50 41 42 43"),
        (3, "00 10 20 11 21 12 40 50 41 42 43"),
        (10, "00 10 20 40 50 11 21 41 12 42 43"),
        (AUTOTUNE, "00 10 20 40 50 11 21 41 12 42 43"),
    ],
)
def test_files_are_read_in_turn_in_the_order_of_tensorflow(folder, reads, order):
    ds = TextLineDataset(numbered(folder), num_parallel_reads=reads)

    assert [line.replace("-", "") for line in ds] == order.split()


def test_names_may_come_from_a_dataset_or_an_array(folder):
    names = [str(path) for path in numbered(folder)]
    expected = list(TextLineDataset(names))

    assert list(TextLineDataset(Dataset.from_tensor_slices(names))) == expected
    assert list(TextLineDataset(np.array(names).reshape(2, 3))) == expected
    assert list(TextLineDataset(Dataset.from_tensor_slices(names).map(str.encode))) == expected


def test_a_line_may_be_longer_than_what_is_read_at_once(tmp_path):
    line = "x" * 1_000_003
    (tmp_path / "file").write_text(f"a\n{line}\nb")

    assert list(TextLineDataset(tmp_path / "file", buffer_size=1000)) == ["a", line, "b"]


def test_other_encodings_are_decoded(tmp_path):
    (tmp_path / "file").write_bytes("äö\nü".encode("latin-1"))

    assert list(TextLineDataset(tmp_path / "file", encoding="latin-1")) == ["äö", "ü"]


def test_a_line_that_is_no_text_is_named_and_can_be_passed_over(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"a\r\nb\n\xff\r\nc\nx\xe4\nd")
    ds = TextLineDataset(path, buffer_size=4)

    assert raising(ds) == ["a", "b", DecodeError, "c", DecodeError, "d"]
    assert list(ds.ignore_errors()) == ["a", "b", "c", "d"]
    with pytest.raises(DecodeError, match=rf"{path}, line 3: byte 0xff at place 0 .*encoding=None"):
        list(ds)


def test_a_resume_goes_on_after_a_line_that_failed(tmp_path):
    (tmp_path / "file").write_bytes(b"a\n\xff\nb\nc\n")
    ds = TextLineDataset(tmp_path / "file")
    it = iter(ds)
    next(it)
    with pytest.raises(DecodeError):
        next(it)

    again = iter(ds)
    again.load_state_dict(it.state_dict())
    assert list(again) == ["b", "c"]


def test_a_missing_file_is_named_and_the_next_one_is_read(folder):
    ds = TextLineDataset([folder / "missing.txt", folder / "1.txt"])

    assert raising(ds) == [NotFoundError, "1-0", "1-1", "1-2"]
    with pytest.raises(FileNotFoundError, match=r"missing\.txt: there is no such file") as raised:
        list(ds)
    assert "TextLineDataset() built at test_text_line_dataset.py" in raised.value.__notes__[0]


def test_a_folder_is_no_file(folder):
    with pytest.raises(FileError, match="is a folder"):
        list(TextLineDataset(folder))


def test_what_is_not_compressed_is_told(folder):
    with pytest.raises(DataLossError, match=r"text\.txt: this is not a GZIP file"):
        list(TextLineDataset(folder / "text.txt", "GZIP"))


def test_lines_before_damage_come_first(tmp_path):
    text = b"".join(b"%d\n" % number for number in range(100_000))
    packed = gzip.compress(text)
    (tmp_path / "file.gz").write_bytes(packed[: len(packed) // 2])
    found = raising(TextLineDataset(tmp_path / "file.gz", "GZIP"))

    assert found[-1] is DataLossError
    assert found[:-1] == [str(number) for number in range(len(found) - 1)]
    assert len(found) > 10_000


def test_a_replay_is_said_once(folder):
    ds = TextLineDataset(folder / "text.gz", "GZIP", buffer_size=7)
    it = iter(ds)
    assert [next(it), next(it)] == ["eins", "zwei äöü"]
    saved = it.state_dict()

    again = iter(ds)
    again.load_state_dict(saved)
    with pytest.warns(RuntimeWarning, match=r"text\.gz is read again from its start"):
        assert next(again) == ""
    third = iter(ds)
    third.load_state_dict(saved)
    assert next(third) == ""


@pytest.mark.parametrize("name", ["file", "file.gz"])
@REPLAYED
def test_a_file_that_became_shorter_cannot_be_resumed(tmp_path, name):
    path, compression = tmp_path / name, "GZIP" if name.endswith("gz") else None
    pack = gzip.compress if compression else bytes
    path.write_bytes(pack(b"aaaa\nbbbb\ncccc\n"))
    ds = TextLineDataset(path, compression, buffer_size=6)
    it = iter(ds)
    assert [next(it), next(it)] == ["aaaa", "bbbb"]
    saved = it.state_dict()
    path.write_bytes(pack(b"a\n"))

    again = iter(ds)
    again.load_state_dict(saved, check_files=False)
    with pytest.raises(CheckpointError, match="must be the same file"):
        next(again)


def test_transforming_gives_a_plain_dataset(folder):
    ds = TextLineDataset(folder / "1.txt")

    assert type(ds.map(len)) is Dataset
    spec = "TensorSpec(shape=(), dtype=tf.string, name=None)"
    assert repr(ds).startswith(f"<TextLineDataset element_spec={spec}")


def test_files_of_fsspec_are_read():
    with fsspec.open("memory://lines/a.txt", "wb") as file:
        file.write(b"a\nb\n")

    assert list(TextLineDataset("memory://lines/a.txt")) == ["a", "b"]


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"filenames": 5}, BuildTypeError, "names of files must be str"),
        ({"filenames": None}, BuildTypeError, "names of files must be str"),
        ({"filenames": Dataset.range(3)}, BuildTypeError, "a dataset of TensorSpec"),
        ({"compression_type": "BZIP"}, BuildError, "'GZIP' or 'ZLIB', got 'BZIP'"),
        ({"buffer_size": -1}, BuildError, "buffer_size must be at least 0, got -1"),
        ({"buffer_size": "a"}, BuildTypeError, "buffer_size must be an integer"),
        ({"num_parallel_reads": 0}, BuildError, "num_parallel_reads must be at least 1"),
        ({"num_parallel_reads": -5}, BuildError, "num_parallel_reads must be at least 1"),
        ({"encoding": "no such"}, BuildError, "'no such' is not known for text"),
        ({"encoding": "hex"}, BuildError, "'hex' is not known for text"),
        ({"encoding": "utf-16"}, BuildError, "Convert the files to UTF-8"),
        ({"encoding": 8}, BuildTypeError, "encoding must be the name of an encoding"),
    ],
)
def test_wrong_arguments_are_refused_where_they_are_written(arguments, kind, text):
    with pytest.raises(kind, match=text) as raised:
        TextLineDataset(**{"filenames": "file", **arguments})

    assert str(raised.value).startswith("TextLineDataset(): ")


def test_a_dataset_of_batches_of_names_is_refused():
    names = Dataset.from_tensor_slices(["a", "b"]).batch(2)

    with pytest.raises(BuildTypeError, match="a dataset of single names"):
        TextLineDataset(names)


def test_no_file_is_left_open(folder):
    open_files = len(list(Path("/proc/self/fd").iterdir()))
    it = iter(TextLineDataset(numbered(folder), num_parallel_reads=3, buffer_size=1))
    next(it)
    it.close()
    list(TextLineDataset(numbered(folder), num_parallel_reads=3))

    assert len(list(Path("/proc/self/fd").iterdir())) == open_files


def test_a_character_is_not_put_together_across_the_end_of_a_line(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_bytes(b"good\n\xc3\n\xa9\nend\n")

    it = iter(TextLineDataset(path))

    assert next(it) == "good"
    for line in (2, 3):
        with pytest.raises(DecodeError, match=f"line {line}"):
            next(it)
    assert next(it) == "end"
