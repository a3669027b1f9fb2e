import tarfile

import fsspec
import pyarrow
import pytest
from pyarrow import parquet

from feedline.errors import (
    DataLossError,
    DecodeError,
    FileError,
    InvalidArgumentError,
    NotFoundError,
)
from feedline.tools.converting.kinds import source_of
from feedline.tools.converting.plan import Order, planned
from feedline.tools.example_bytes import FLOAT, INT, TEXT
from tests.tools import made


def read(path, shard_bytes=300):
    """All records of a source, each piece read by itself."""
    paths = path if isinstance(path, tuple) else (path,)
    plan = planned(Order(paths, "/nowhere", shard_bytes=shard_bytes))
    assert sum(shard.records for shard in plan.shards) == plan.records
    return plan, [
        record
        for shard in plan.shards
        for piece in shard.pieces
        for record in plan.source.records(piece)
    ]


def test_images_have_their_folder_as_label(tmp_path):
    plan, records = read(made.images(tmp_path / "images"))

    assert plan.source.labels == ["cat", "dog"]
    assert [record["label"][1] for record in records] == [[0]] * 5 + [[1]] * 5
    assert records[5]["filename"] == (TEXT, [b"dog/0.png"])
    assert records[5]["image"][1][0].startswith(b"\x89PNG")
    assert len(plan.shards) > 1


def test_rows_of_csv_keep_their_text_and_get_their_numbers(tmp_path):
    plan, records = read(made.csv_file(tmp_path / "a.csv"))

    assert plan.source.columns() == {"id": "int64", "x": "float32", "name": "bytes"}
    assert [record["id"][1][0] for record in records] == list(range(50))
    assert records[7]["name"] == (TEXT, [b'quoted, "7"\nand a line'])
    assert "x" not in records[3]
    assert records[2]["x"] == (FLOAT, [0.5])


def test_several_csv_files_are_one_table(tmp_path):
    first = made.csv_file(tmp_path / "a.csv", 10)
    second = made.csv_file(tmp_path / "b.csv", 10)
    _, records = read((first, second), shard_bytes=100_000)

    assert [record["id"][1][0] for record in records] == [*range(10), *range(10)]


def test_a_column_is_text_if_one_field_is(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,1\n2,1.5\nx,2\n")
    plan, records = read(str(tmp_path / "a.csv"))

    assert plan.source.columns() == {"a": "bytes", "b": "float32"}
    assert records[0] == {"a": (TEXT, [b"1"]), "b": (FLOAT, [1.0])}


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbfid\r\n1\r\n")
    plan, _ = read(str(tmp_path / "a.csv"))

    assert plan.source.columns() == {"id": "int64"}


def test_json_lines_become_features(tmp_path):
    plan, records = read(made.json_lines(tmp_path / "a.jsonl"))

    kinds = {"id": "int64", "v": "float32", "meta/t": "bytes", "opt": "int64"}
    assert plan.source.columns() == kinds
    assert records[1] == {
        "id": (INT, [1]),
        "v": (FLOAT, [1.0, 1.5]),
        "meta/t": (TEXT, ["é1".encode()]),
    }


def test_rows_of_parquet_become_features(tmp_path):
    table = pyarrow.table(
        {
            "id": list(range(100)),
            "x": [number / 2 for number in range(100)],
            "s": [f"t{number}" for number in range(100)],
            "l": [[number, 1] for number in range(100)],
            "b": [None if number % 2 else True for number in range(100)],
        }
    )
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=30)
    plan, records = read(str(tmp_path / "a.parquet"), shard_bytes=1000)

    assert len(plan.shards) > 2
    assert [record["id"][1][0] for record in records] == list(range(100))
    assert records[2]["l"] == (INT, [2, 1])
    assert records[2]["b"] == (INT, [1])
    assert "b" not in records[1]


@pytest.mark.parametrize(("name", "mode"), [("a.tar", "w"), ("a.tar.gz", "w:gz")])
def test_files_of_one_name_in_a_tar_are_one_record(tmp_path, name, mode):
    plan, records = read(made.tar(tmp_path / name, mode=mode))

    assert plan.source.columns() == {
        "__key__": "bytes",
        "cls": "int64",
        "png": "bytes",
        "txt": "bytes",
    }
    assert [record["__key__"][1][0] for record in records][:2] == [b"x/000", b"x/001"]
    assert [record["cls"][1][0] for record in records][:4] == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("name", "content", "error", "words"),
    [
        ("a.csv", "", DecodeError, "the file is empty"),
        ("a.csv", "a,a\n1,2\n", DecodeError, "name every column once"),
        ("a.csv", "a,b\n1\n", DecodeError, "2 fields are needed"),
        ("a.csv", 'a\n"1\n', DecodeError, "row that ends at byte"),
        ("a.jsonl", "{\n", DecodeError, "the line at byte 0"),
        ("a.jsonl", '{"a":1}\n[1]\n', DecodeError, "at byte 8: a JSON object is needed"),
        ("a.jsonl", '{"a":1}\n{"a":"x"}\n', InvalidArgumentError, "byte 8: column 'a' holds text"),
        ("a.jsonl", '{"a":[[1]]}\n', InvalidArgumentError, "lists in lists"),
        ("a.jsonl", "\n\n", InvalidArgumentError, "not a single record"),
        ("a.parquet", "PAR1", DataLossError, "damaged or no Parquet file"),
        ("a.tar", "text" * 200, DataLossError, "no tar file"),
        ("a.xyz", "", InvalidArgumentError, "must be one of .csv, .parquet"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(tmp_path, name, content, error, words):
    (tmp_path / name).write_text(content)

    with pytest.raises(error, match=words):
        read(str(tmp_path / name))


def test_a_label_of_a_tar_must_be_a_number(tmp_path):
    path = made.tar(tmp_path / "a.tar", count=1)
    data = (tmp_path / "a.tar").read_bytes()
    (tmp_path / "a.tar").write_bytes(data.replace(b"0\n\0\0", b"c\n\0\0", 1))

    with pytest.raises(DecodeError, match=r"000\.cls: a label must be a whole number"):
        read(path)


def test_a_column_that_an_example_cannot_hold_is_refused(tmp_path):
    table = pyarrow.table({"d": [{"a": 1}]})
    parquet.write_table(table, tmp_path / "a.parquet")

    with pytest.raises(FileError, match="column 'd' is struct"):
        read(str(tmp_path / "a.parquet"))


def test_sources_of_two_kinds_are_refused(tmp_path):
    both = [made.csv_file(tmp_path / "a.csv"), made.json_lines(tmp_path / "a.jsonl")]

    with pytest.raises(InvalidArgumentError, match="all sources must be of one kind"):
        source_of(both)


def test_a_folder_without_images_is_refused(tmp_path):
    with pytest.raises(NotFoundError, match="there is no image in this folder"):
        read(str(tmp_path))


def test_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(NotFoundError, match="no such file or folder"):
        source_of([str(tmp_path / "a.csv")])


def test_an_ending_that_comes_twice_is_refused(tmp_path):
    made.tar(tmp_path / "a.tar", count=1)
    with tarfile.open(tmp_path / "a.tar", "a") as archive:
        member = tarfile.TarInfo("x/000.txt")
        archive.addfile(member)

    with pytest.raises(DecodeError, match="key 'x/000' has 'txt' twice"):
        read(str(tmp_path / "a.tar"))


def test_files_far_away_are_read_too():
    with fsspec.open("memory://sources/a.jsonl", "w") as file:
        file.write('{"a": 1}\n{"a": 2}\n')
    _, records = read("memory://sources/a.jsonl")

    assert records == [{"a": (INT, [1])}, {"a": (INT, [2])}]
