import sqlite3
from contextlib import closing

import numpy as np
import pytest

import feedline as tf
from feedline.data.experimental import SqlDataset
from feedline.errors import (
    BuildError,
    BuildTypeError,
    CheckpointError,
    FileError,
    InvalidArgumentError,
    NotFoundError,
)
from feedline.spec import TensorSpec, string
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

REPLAYED = pytest.mark.filterwarnings("ignore:.*a query cannot be entered")
ROWS = [(1, "x", 1.5, b"\x00\xff"), (300, "ä", -2.5, b""), (None,) * 4, (-1, "12", "3.7", b"z")]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("sql") / "base 1?.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("create table t(a integer, b text, c real, d blob)")
        database.executemany("insert into t values(?, ?, ?, ?)", ROWS)
    return path


CASES = {
    "all": (
        "select a, b, c, d from t",
        (tf.int32, tf.string, tf.float64, tf.string),
    ),
    "one": ("select a from t", tf.int64),
    "dict": ("select a, b from t order by a", {"a": tf.int16, "b": tf.string}),
    "nothing": ("select a from t where a = 77", (tf.int32,)),
}


@REPLAYED
@pytest.mark.parametrize("check", [*CHECKS, check_resume_in_fresh_process])
@pytest.mark.parametrize("case", CASES)
def test_conforms(path, case, check):
    check(SqlDataset("sqlite", path, *CASES[case]))


@REPLAYED
@pytest.mark.parametrize("check", CHECKS)
def test_what_is_made_of_it_conforms(path, check):
    check(SqlDataset("sqlite", path, *CASES["all"]).repeat(2).shuffle(3, seed=1).batch(3))


def test_rows_are_elements(path):
    ds = SqlDataset("sqlite", str(path), *CASES["all"])

    assert_same_elements(
        ds,
        [
            (np.int32(1), "x", np.float64(1.5), b"\x00\xff"),
            (np.int32(300), "ä", np.float64(-2.5), b""),
            (np.int32(0), "", np.float64(0), ""),
            (np.int32(-1), "12", np.float64(3.7), b"z"),
        ],
    )
    assert ds.cardinality() == -2
    assert ds.element_spec[:2] == (TensorSpec((), np.int32), TensorSpec((), string))


@pytest.mark.parametrize(
    ("column", "dtype", "values"),
    [
        ("a", tf.bool, [True, True, False, True]),
        ("a", tf.float64, [1, 300, 0, -1]),
        ("a", tf.string, ["1", "300", "", "-1"]),
        ("b", tf.int32, [0, 0, 0, 12]),
        ("b", tf.float64, [0, 0, 0, 12]),
        ("c", tf.int32, [1, -2, 0, 3]),
        ("c", tf.string, ["1.5", "-2.5", "", "3.7"]),
    ],
)
def test_values_are_converted_as_in_tensorflow(path, column, dtype, values):
    assert list(SqlDataset("sqlite", path, f"select {column} from t", dtype)) == values


def test_a_number_that_does_not_fit_is_refused(path):
    with pytest.raises(InvalidArgumentError, match=r"300 does not fit int8\. Give a wider dtype"):
        list(SqlDataset("sqlite", path, "select a from t", tf.int8))


def test_a_replay_is_said_once(path):
    ds = SqlDataset("sqlite", path, *CASES["one"]).with_options(tf.data.Options(block_size=1))
    it = iter(ds)
    first = [next(it), next(it)]
    saved = it.state_dict()

    again = iter(ds)
    again.load_state_dict(saved)
    with pytest.warns(RuntimeWarning, match="it is run again"):
        rest = list(again)
    assert first + rest == [1, 300, 0, -1]


@REPLAYED
def test_a_table_that_became_shorter_cannot_be_resumed(tmp_path):
    path = tmp_path / "base"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("create table t as select 1 as a union select 2 union select 3")
    ds = SqlDataset("sqlite", path, "select a from t", tf.int32)
    ds = ds.with_options(tf.data.Options(block_size=1))
    it = iter(ds)
    [next(it) for _ in range(3)]
    saved = it.state_dict()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("delete from t where a > 1")

    again = iter(ds)
    again.load_state_dict(saved, check_files=False)
    with pytest.raises(CheckpointError, match="were read when the state was saved"):
        next(again)


def test_a_missing_database_is_not_made(tmp_path):
    with pytest.raises(NotFoundError, match="none: there is no such database"):
        list(SqlDataset("sqlite", tmp_path / "none", "select 1", tf.int32))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("query", "kind", "text"),
    [
        ("selekt", FileError, 'near "selekt": syntax error, in the query'),
        ("select q from t", FileError, "no such column: q"),
        ("insert into t values(9, 'n', 1, 'q')", FileError, "readonly database"),
        ("select a, b from t", InvalidArgumentError, "the query gives 2 columns, output_types has"),
    ],
)
def test_a_query_that_cannot_be_run_is_named(path, query, kind, text):
    it = iter(SqlDataset("sqlite", path, query, (tf.int32,)))

    with pytest.raises(kind, match=text):
        next(it)
    assert next(it, None) is None


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "file").write_text("no database, " * 100)

    with pytest.raises(FileError, match="file is not a database"):
        list(SqlDataset("sqlite", tmp_path / "file", "select 1 from t", tf.int32))


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        (("mysql", "f", "q", tf.int32), BuildError, "driver_name must be 'sqlite', got 'mysql'"),
        (("sqlite", "f", 5, tf.int32), BuildTypeError, "query must be a string, got 5"),
        (("sqlite", "f", "q", tf.float32), BuildTypeError, "output_types must be some of int8"),
        (("sqlite", "f", "q", [tf.int32]), BuildTypeError, "output_types must be some of int8"),
    ],
)
def test_wrong_arguments_are_refused(arguments, kind, text):
    with pytest.raises(kind, match=text):
        SqlDataset(*arguments)
