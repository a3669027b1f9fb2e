"""Files of which some elements cannot be read: the others keep every promise."""

import gzip

import pytest

from feedline.data import FixedLengthRecordDataset, JsonLinesDataset, TextLineDataset
from feedline.data.experimental import CsvDataset
from feedline.ops import chunked
from feedline.testing import CHECKS, check_resume_in_fresh_process, check_traits

# Without check_traits: it iterates over the input, which fails.
PROMISES = [*(each for each in CHECKS if each is not check_traits), check_resume_in_fresh_process]
REPLAYED = pytest.mark.filterwarnings("ignore:.*compressed file cannot be entered")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("failing")
    numbers = b"".join(b"%d\n" % number for number in range(3000))
    (folder / "a.csv").write_bytes(b"h,i\n1,2\n\nx,3\n4,5\n6\n7,8\n")
    (folder / "a.txt").write_bytes(b"a\n\xff\nb\n\xfe\n\xfd\nc\n")
    (folder / "a.gz").write_bytes(gzip.compress(numbers)[:2000])
    (folder / "a.jsonl").write_bytes(b'{"a":1}\n{"a"\n\n{"a":3}\n[\n{"a":5}')
    return folder


def twice(folder, name):
    """A file, one that is not there, and the file again."""
    return [folder / name, folder / "none", folder / name]


CASES = {
    "csv": lambda f: CsvDataset(twice(f, "a.csv"), [[0], [0]], header=True, buffer_size=6),
    "text": lambda f: TextLineDataset(twice(f, "a.txt"), buffer_size=3),
    "in turn": lambda f: TextLineDataset(twice(f, "a.txt"), num_parallel_reads=2),
    "cut off": lambda f: TextLineDataset([f / "a.gz", f / "a.txt"], "GZIP", 500),
    "json": lambda f: JsonLinesDataset(twice(f, "a.jsonl"), buffer_size=5),
    "records": lambda f: FixedLengthRecordDataset([f / "a.txt", f / "a.csv", f / "none"], 2),
}
COUNTS = {"csv": 6, "text": 6, "in turn": 6, "json": 6, "records": 6}


@REPLAYED
@pytest.mark.parametrize("check", PROMISES)
@pytest.mark.parametrize("case", CASES)
def test_what_can_be_read_conforms(folder, case, check):
    check(CASES[case](folder).ignore_errors().take(40))


@pytest.mark.parametrize("case", COUNTS)
def test_nothing_but_what_fails_is_left_out(folder, case):
    assert len(list(CASES[case](folder).ignore_errors())) == COUNTS[case]


@REPLAYED
@pytest.mark.parametrize("check", PROMISES)
def test_what_can_be_read_is_shuffled(folder, check):
    check(CASES["text"](folder).ignore_errors().shuffle(3, seed=1).batch(2))


class Recording:
    """A file of lines that notes when its chunks, and when it itself, are done with."""

    def __init__(self, path):
        self.path = path
        self.ended = []

    def size(self):
        return 1 << 20

    def chunks(self, start=0, size=0):
        try:
            while True:
                yield b"line\n"
        finally:
            self.ended.append("chunks")

    def close(self):
        self.ended.append("file")


def test_chunks_that_are_under_way_end_before_their_file_is_closed(monkeypatch):
    file = Recording("endless")
    monkeypatch.setattr(chunked, "open_file", lambda path: file)

    assert list(TextLineDataset("endless", buffer_size=5).take(3)) == ["line"] * 3
    assert file.ended == ["chunks", "file"]
