import datetime

import fsspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from feedline.data import ParquetDataset
from feedline.errors import (
    BuildTypeError,
    DataLossError,
    InvalidArgumentError,
    NotFoundError,
)
from feedline.ops import groups_ahead
from feedline.spec import RaggedTensorSpec, TensorSpec, string
from feedline.testing import (
    CHECKS,
    assert_same_elements,
    check_resume_in_fresh_process,
)

TABLE = pa.table(
    {
        "n": pa.array(range(10), pa.int32()),
        "x": pa.array([n / 2 for n in range(10)], pa.float64()),
        "s": [f"ä{n}" for n in range(10)],
        "b": pa.array([bytes([n]) * n for n in range(10)], pa.binary()),
        "l": pa.array([list(range(n % 4)) for n in range(10)], pa.list_(pa.int64())),
        "f": pa.array([[n, n + 1] for n in range(10)], pa.list_(pa.float32(), 2)),
        "t": pa.array([n % 2 == 0 for n in range(10)]),
        "d": pa.array([f"k{n % 2}" for n in range(10)]).dictionary_encode(),
        "st": pa.array([{"a": n, "b": "x"} for n in range(10)]),
    }
)
SIMPLE = ["n", "s", "l"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parquet")
    pq.write_table(TABLE, folder / "a.parquet", row_group_size=3)
    pq.write_table(TABLE.slice(0, 4), folder / "b.parquet")
    pq.write_table(TABLE.slice(0, 0), folder / "none.parquet")
    return folder


CASES = {
    "all": lambda f: ParquetDataset(f / "a.parquet"),
    "columns": lambda f: ParquetDataset(f / "a.parquet", ["x", "n"]),
    "several": lambda f: ParquetDataset([f / "b.parquet", f / "none.parquet", f / "a.parquet"]),
    "in turn": lambda f: ParquetDataset(
        [f / "a.parquet", f / "b.parquet"], SIMPLE, num_parallel_reads=2
    ),
    "shuffled": lambda f: ParquetDataset(f / "a.parquet", SIMPLE).shuffle(None, seed=3),
    "nothing": lambda f: ParquetDataset(f / "none.parquet"),
}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("case", CASES)
def test_conforms(folder, case, check):
    check(CASES[case](folder))


def test_resumes_in_a_fresh_process(folder):
    check_resume_in_fresh_process(CASES["several"](folder))


def test_rows_are_dicts(folder):
    row = ParquetDataset(folder / "a.parquet")[7]

    assert_same_elements(
        [row],
        [
            {
                "n": np.int32(7),
                "x": np.float64(3.5),
                "s": "ä7",
                "b": b"\7" * 7,
                "l": np.array([0, 1, 2]),
                "f": np.array([7, 8], np.float32),
                "t": np.False_,
                "d": "k1",
                "st": {"a": np.int64(7), "b": "x"},
            }
        ],
    )


def test_the_schema_is_the_spec(folder):
    spec = ParquetDataset(folder / "none.parquet").element_spec

    assert spec["n"] == TensorSpec((), np.int32)
    assert spec["l"] == TensorSpec((None,), np.int64)
    assert spec["f"] == TensorSpec((2,), np.float32)
    assert spec["st"] == {"a": TensorSpec((), np.int64), "b": TensorSpec((), string)}


def test_columns_come_in_the_order_they_are_asked_for(folder):
    first = next(iter(ParquetDataset(folder / "a.parquet", columns=["s", "n"])))

    assert list(first) == ["s", "n"]


def test_one_row_group_is_read_at_a_time_where_memory_allows_no_more(folder, monkeypatch):
    monkeypatch.setattr(groups_ahead, "_MOST_BYTES", 0)
    read = []
    plain = pq.ParquetFile.read_row_group

    def noted(self, number, **options):
        read.append((number, options["columns"]))
        return plain(self, number, **options)

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", noted)
    ds = ParquetDataset(folder / "a.parquet", columns=["n"])
    it = iter(ds)
    assert [next(it)["n"] for _ in range(5)] == [0, 1, 2, 3, 4]
    assert read == [(0, ["n"]), (1, ["n"])]
    assert [ds[9]["n"], ds[9]["n"]] == [9, 9]
    assert read[2:] == [(3, ["n"])]


def test_lists_are_padded_and_ragged_in_batches(folder):
    ds = ParquetDataset(folder / "b.parquet", columns=["l"])

    assert next(iter(ds.padded_batch(4)))["l"].tolist() == [
        [0, 0, 0],
        [0, 0, 0],
        [0, 1, 0],
        [0, 1, 2],
    ]
    assert next(iter(ds.ragged_batch(4)))["l"].to_list() == [[], [0], [0, 1], [0, 1, 2]]


@pytest.mark.parametrize(
    ("column", "rows"),
    [
        (pa.array([["a"], ["b", "c"]]), [["a"], ["b", "c"]]),
        (pa.array([[[1], [2, 3]], []]), [[[1], [2, 3]], []]),
        (pa.array([[[1, 2]], []], pa.list_(pa.list_(pa.int8(), 2))), [[[1, 2]], []]),
        (pa.array([b"ab", b"cd"], pa.binary(2)), [b"ab", b"cd"]),
        (pa.array(["a", "b"], pa.large_string()), ["a", "b"]),
    ],
)
def test_other_kinds_of_columns_are_read(tmp_path, column, rows):
    pq.write_table(pa.table({"c": column}), tmp_path / "file")
    found = [row["c"] for row in ParquetDataset(tmp_path / "file")]

    plain = [
        getattr(value, "to_list", getattr(value, "tolist", lambda v=value: v))() for value in found
    ]
    assert plain == rows


def test_lists_of_lists_have_a_ragged_spec(tmp_path):
    pq.write_table(pa.table({"c": pa.array([[[1], [2, 3]], []])}), tmp_path / "file")

    spec = ParquetDataset(tmp_path / "file").element_spec["c"]
    assert spec == RaggedTensorSpec((None, None), np.int64, 1)


def test_times_are_datetimes(tmp_path):
    day = datetime.datetime(2020, 1, 2, 3)
    pq.write_table(pa.table({"c": [day]}), tmp_path / "file")

    (row,) = ParquetDataset(tmp_path / "file")
    assert row["c"] == np.datetime64(day)


def test_nulls_are_refused_or_filled(tmp_path):
    table = pa.table({"n": [1, None], "s": ["a", None], "st": [{"a": 1}, {"a": None}]})
    pq.write_table(table, tmp_path / "file")
    path = tmp_path / "file"

    with pytest.raises(
        InvalidArgumentError, match=r"column 'n' has 1 nulls among 2 rows.*fill_val"
    ):
        list(ParquetDataset(path))
    filled = ParquetDataset(path, fill_values={"n": -1, "s": "", "st.a": 5})
    assert list(filled)[1] == {"n": -1, "s": "", "st": {"a": 5}}
    with pytest.raises(InvalidArgumentError, match=r"fill_values\['n'\] must be a int64, got 'x'"):
        list(ParquetDataset(path, columns=["n"], fill_values={"n": "x"}))


def test_nulls_inside_lists_are_refused(tmp_path):
    pq.write_table(pa.table({"l": [[1, None]]}), tmp_path / "file")

    with pytest.raises(InvalidArgumentError, match="has nulls inside its lists"):
        list(ParquetDataset(tmp_path / "file"))


@pytest.mark.parametrize(
    "column",
    [
        pa.array([1], pa.decimal128(5)),
        pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64())),
        pa.array([[[[1]]]]),
    ],
)
def test_what_has_no_dtype_is_refused(tmp_path, column):
    pq.write_table(pa.table({"c": column, "n": [1]}), tmp_path / "file")

    with pytest.raises(InvalidArgumentError, match="column 'c' has"):
        list(ParquetDataset(tmp_path / "file"))
    assert list(ParquetDataset(tmp_path / "file", columns=["n"])) == [{"n": 1}]


def test_missing_columns_are_named(folder):
    with pytest.raises(InvalidArgumentError, match=r"there are no columns \['q'\]. The file has"):
        list(ParquetDataset(folder / "a.parquet", columns=["n", "q"]))


def test_damage_is_named(folder, tmp_path):
    data = (folder / "a.parquet").read_bytes()
    (tmp_path / "text").write_text("no parquet")
    (tmp_path / "cut").write_bytes(data[: len(data) // 2])
    (tmp_path / "hole").write_bytes(data[:4] + b"\xff" * 200 + data[204:])

    for name in ("text", "cut", "hole"):
        with pytest.raises(DataLossError, match=name):
            list(ParquetDataset(tmp_path / name, columns=["n"]))
    with pytest.raises(NotFoundError):
        list(ParquetDataset(tmp_path / "missing"))


def test_after_a_file_that_failed_the_next_one_is_read(folder):
    ds = ParquetDataset([folder / "missing", folder / "b.parquet"], columns=["n"])

    assert [row["n"] for row in ds.ignore_errors()] == [0, 1, 2, 3]


def test_files_of_fsspec_are_read_by_index(folder):
    with fsspec.open("memory://parquet/a", "wb") as file:
        file.write((folder / "a.parquet").read_bytes())

    assert [row["n"] for row in ParquetDataset("memory://parquet/a", SIMPLE)] == list(range(10))
    assert ParquetDataset("memory://parquet/a")[8]["s"] == "ä8"


def test_wrong_arguments_are_refused():
    with pytest.raises(BuildTypeError, match="columns must be a list of names, got 'n'"):
        ParquetDataset("file", columns="n")
    with pytest.raises(BuildTypeError, match="fill_values must be a dict"):
        ParquetDataset("file", fill_values=[0])
