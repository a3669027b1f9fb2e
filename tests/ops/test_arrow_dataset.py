import fsspec
import numpy as np
import pyarrow as pa
import pytest

from feedline.data import ArrowDataset
from feedline.errors import (
    DataLossError,
    InvalidArgumentError,
    NotFoundError,
)
from feedline.spec import TensorSpec
from feedline.testing import CHECKS, check_resume_in_fresh_process
from tests.ops.test_parquet_dataset import TABLE


def write(path, table, size):
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=size)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arrow")
    write(folder / "a.arrow", TABLE, 3)
    write(folder / "b.arrow", TABLE.slice(0, 4), 10)
    write(folder / "none.arrow", TABLE.slice(0, 0), 10)
    return folder


CASES = {
    "all": lambda f: ArrowDataset(f / "a.arrow"),
    "columns": lambda f: ArrowDataset(f / "a.arrow", ["x", "n"]),
    "several": lambda f: ArrowDataset([f / "b.arrow", f / "none.arrow", f / "a.arrow"]),
    "in turn": lambda f: ArrowDataset([f / "a.arrow", f / "b.arrow"], ["n"], None, 2),
    "shuffled": lambda f: ArrowDataset(f / "a.arrow", ["n", "l"]).shuffle(None, seed=3),
    "nothing": lambda f: ArrowDataset(f / "none.arrow"),
}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("case", CASES)
def test_conforms(folder, case, check):
    check(CASES[case](folder))


def test_resumes_in_a_fresh_process(folder):
    check_resume_in_fresh_process(CASES["several"](folder))


def test_rows_are_dicts(folder):
    ds = ArrowDataset(folder / "a.arrow", columns=["s", "n", "l", "st"])

    assert [row["n"] for row in ds] == list(range(10))
    assert (ds[7]["s"], ds[7]["l"].tolist(), ds[7]["st"]) == ("ä7", [0, 1, 2], {"a": 7, "b": "x"})
    assert ds.element_spec["l"] == TensorSpec((None,), np.int64)


def test_numbers_are_not_copied(folder):
    batch = next(iter(ArrowDataset(folder / "b.arrow", columns=["n"]).batch(4)))

    assert not batch["n"].flags.writeable
    assert batch["n"].tolist() == [0, 1, 2, 3]


def test_files_of_fsspec_are_read(folder):
    with fsspec.open("memory://arrow/a", "wb") as file:
        file.write((folder / "a.arrow").read_bytes())

    assert ArrowDataset("memory://arrow/a")[8]["s"] == "ä8"


def test_nulls_are_refused_or_filled(tmp_path):
    write(tmp_path / "file", pa.table({"n": [1, None]}), 10)

    with pytest.raises(InvalidArgumentError, match="column 'n' has 1 nulls"):
        list(ArrowDataset(tmp_path / "file"))
    assert list(ArrowDataset(tmp_path / "file", fill_values={"n": 7}))[1] == {"n": 7}


def test_what_is_no_arrow_file_is_named(folder, tmp_path):
    with pa.ipc.new_stream(str(tmp_path / "stream"), TABLE.schema) as writer:
        writer.write_table(TABLE)
    data = (folder / "a.arrow").read_bytes()
    (tmp_path / "cut").write_bytes(data[: len(data) // 2])
    (tmp_path / "empty").write_bytes(b"")

    for name in ("stream", "cut", "empty"):
        with pytest.raises(DataLossError, match=f"{name}: this is no Arrow file"):
            list(ArrowDataset(tmp_path / name))
    with pytest.raises(InvalidArgumentError, match=r"there are no columns \['q'\]"):
        list(ArrowDataset(folder / "a.arrow", columns=["q"]))
    with pytest.raises(NotFoundError):
        list(ArrowDataset(tmp_path / "missing"))
