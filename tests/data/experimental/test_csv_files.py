"""Batches of the columns of comma-separated files by name."""

import gzip
import zlib
from collections import OrderedDict

import numpy as np
import pytest

import feedline as tf
from feedline.data.experimental import make_csv_dataset
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.spec import TensorSpec, string
from feedline.testing import CHECKS, check_resume_in_fresh_process, check_traits


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("csv")
    one = "id,name,val,big\n" + "".join(f"{i},n{i},{i}.5,{i * 10**10}\n" for i in range(7))
    two = "id,name,val,big\n" + "".join(f"{i},n{i},{i},{i}\n" for i in range(100, 105))
    (folder / "m1.csv").write_text(one)
    (folder / "m2.csv").write_text(two)
    (folder / "m1.gz").write_bytes(gzip.compress(one.encode()))
    (folder / "m1.z").write_bytes(zlib.compress(one.encode()))
    (folder / "kinds.csv").write_text(
        "a,b,c,d,e,f,g,h\n1,3000000000,1e50,x,,nan,1_0,0x10\n2,1,1,1,,1,1,1\n"
    )
    (folder / "other.csv").write_text("a,b\n1,2\n")
    (folder / "short.csv").write_text("a,b\n1\n")
    (folder / "twice.csv").write_text("a,a\n1,2\n")
    (folder / "bad.csv").write_text("a\n1\nx\n3\n")
    (folder / "plain.csv").write_text("1;2\n3;4\n")
    (folder / "none.csv").write_text("")
    return folder


def plain(ds, count=9):
    def lists(element):
        if isinstance(element, dict):
            return {name: column.tolist() for name, column in element.items()}
        return lists(element[0]), element[1].tolist()

    return [lists(element) for element in ds.take(count)]


def both(folder):
    return [folder / "m1.csv", folder / "m2.csv"]


# Without check_traits: it iterates twice, and every iteration has an order of its own.
PROMISES = [*(each for each in CHECKS if each is not check_traits), check_resume_in_fresh_process]
CASES = {
    "in order": lambda f: make_csv_dataset(both(f), 3, num_epochs=1, shuffle=False),
    "shuffled": lambda f: make_csv_dataset(both(f), 4, num_epochs=2, shuffle_seed=3),
    "labels": lambda f: make_csv_dataset(both(f), 5, label_name="val", num_epochs=1),
}


@pytest.mark.parametrize("check", PROMISES)
@pytest.mark.parametrize("case", CASES)
def test_conforms(folder, case, check):
    check(CASES[case](folder))


@pytest.mark.parametrize("executor", ["inline", "threads"])
@pytest.mark.parametrize("reads", [1, 2])
def test_sloppy_gives_up_the_order_and_nothing_else(folder, executor, reads):
    ds = make_csv_dataset(both(folder), 5, num_epochs=1, sloppy=True, num_parallel_reads=reads)
    it = iter(ds.with_options(tf.data.Options(executor=executor)))
    found = [*next(it)["id"].tolist()]
    again = iter(ds)
    again.load_state_dict(it.state_dict())
    for batch in again:
        found += batch["id"].tolist()

    assert sorted(found) == [*range(7), *range(100, 105)]


def test_batches_are_dicts_of_columns(folder):
    ds = make_csv_dataset(folder / "m1.csv", 3, shuffle=False, num_epochs=1)
    first = next(iter(ds))

    assert type(first) is OrderedDict
    assert plain(ds)[0] == {
        "id": [0, 1, 2],
        "name": ["n0", "n1", "n2"],
        "val": [0.5, 1.5, 2.5],
        "big": [0, 10**10, 2 * 10**10],
    }
    assert [len(batch["id"]) for batch in ds] == [3, 3, 1]


def test_a_label_is_taken_out(folder):
    ds = make_csv_dataset(
        both(folder),
        4,
        label_name="val",
        shuffle=False,
        num_epochs=1,
        select_columns=["val", "id"],
    )

    assert plain(ds, 2) == [
        ({"id": [0, 1, 2, 3]}, [0.5, 1.5, 2.5, 3.5]),
        ({"id": [4, 5, 6, 100]}, [4.5, 5.5, 6.5, 100]),
    ]


def test_files_are_read_in_turn(folder):
    ds = make_csv_dataset(
        both(folder), 12, shuffle=False, num_epochs=1, select_columns=[0], num_parallel_reads=2
    )

    assert plain(ds) == [{"id": [0, 100, 1, 101, 2, 102, 3, 103, 4, 104, 5, 6]}]


def test_the_order_for_a_seed_is_that_of_tensorflow(folder):
    """Recorded with TensorFlow 2.21."""
    ds = make_csv_dataset(
        f"{folder}/m[12].csv",
        5,
        shuffle_seed=7,
        num_epochs=2,
        select_columns=["id"],
        shuffle_buffer_size=4,
    )

    assert [batch["id"] for batch in plain(ds)] == [
        [0, 4, 2, 3, 5],
        [6, 1, 102, 101, 103],
        [100, 104, 101, 103, 100],
        [104, 1, 0, 2, 3],
        [6, 102, 4, 5],
    ]


def test_data_is_repeated_for_ever_in_full_batches(folder):
    ds = make_csv_dataset(folder / "m1.csv", 5, shuffle=False, select_columns=["id"])

    assert [batch["id"] for batch in plain(ds, 3)] == [
        [0, 1, 2, 3, 4],
        [5, 6, 0, 1, 2],
        [3, 4, 5, 6, 0],
    ]
    assert ds.element_spec == OrderedDict(id=TensorSpec((5,), np.int32))


def test_it_is_shuffled_by_default(folder):
    orders = {str(plain(make_csv_dataset(both(folder), 12), 1)) for _ in range(5)}

    assert len(orders) > 1


@pytest.mark.parametrize("rows", [100, None, 1])
def test_dtypes_are_guessed_as_in_tensorflow(folder, rows):
    """But 1_0, which TensorFlow takes for an int32 and then cannot read, is a string."""
    ds = make_csv_dataset(folder / "kinds.csv", 1, num_rows_for_inference=rows)

    assert [spec.dtype for spec in ds.element_spec.values()] == [
        np.dtype("int32"),
        np.dtype("int64"),
        np.dtype("float64"),
        *[string] * 5,
    ]


@pytest.mark.parametrize(("name", "kind"), [("m1.gz", "GZIP"), ("m1.z", "ZLIB")])
def test_columns_of_compressed_files_are_guessed(folder, name, kind):
    packed = make_csv_dataset(folder / name, 3, shuffle=False, compression_type=kind)
    loose = make_csv_dataset(folder / "m1.csv", 3, shuffle=False)

    assert plain(packed, 2) == plain(loose, 2)


def test_columns_may_be_told(folder):
    ds = make_csv_dataset(
        folder / "plain.csv",
        2,
        column_names=["x", "y"],
        column_defaults=[tf.float64, [7]],
        header=False,
        field_delim=";",
        shuffle=False,
        num_epochs=1,
        prefetch_buffer_size=1,
    )

    assert plain(ds) == [{"x": [1.0, 3.0], "y": [2, 4]}]
    assert ds.element_spec["x"].dtype == np.float64


@pytest.mark.parametrize(("asked", "ahead"), [(None, tf.data.AUTOTUNE), (0, 0), (3, 3)])
def test_as_many_batches_are_made_ahead_as_asked_for(folder, asked, ahead):
    ds = make_csv_dataset(folder / "m1.csv", 3, prefetch_buffer_size=asked)

    assert ds.node.buffer_size == ahead


def test_strings_are_bytes_without_an_encoding(folder):
    ds = make_csv_dataset(folder / "m1.csv", 1, shuffle=False, encoding=None)

    assert plain(ds, 1)[0]["name"] == [b"n0"]


def test_records_that_cannot_be_read_are_passed_over_if_that_was_said(folder):
    options = {"column_defaults": [tf.int32], "shuffle": False, "num_epochs": 1}

    assert plain(make_csv_dataset(folder / "bad.csv", 2, ignore_errors=True, **options)) == [
        {"a": [1, 3]}
    ]
    with pytest.raises(InvalidArgumentError, match=r"bad\.csv, line 3, column 0"):
        list(make_csv_dataset(folder / "bad.csv", 2, **options))


@pytest.mark.parametrize(
    ("file", "arguments", "kind", "text"),
    [
        ("zz*.csv", {}, BuildError, r"no files match .*zz\*\.csv"),
        ("none.csv", {}, BuildError, r"none\.csv has no header to take names from"),
        ("short.csv", {}, BuildError, r"record 2 of .*short\.csv must have 2 fields, it has 1"),
        ("twice.csv", {}, BuildError, r"the names of columns must differ, \['a'\]"),
        ("[mo]*[1r].csv", {}, BuildError, r"all files must have the same header, .*other\.csv has"),
        ("m1.csv", {"label_name": "q"}, BuildError, r"label_name must be one of \['id', "),
        ("m1.csv", {"select_columns": ["q"]}, BuildError, r"some of the columns \['id'.*got 'q'"),
        ("m1.csv", {"select_columns": [9]}, BuildError, "must be from 0 to 3, got 9"),
        ("m1.csv", {"select_columns": ["id", 0]}, BuildError, "names a column twice"),
        ("m1.csv", {"header": False}, BuildError, "the columns must have names"),
        ("m1.csv", {"column_names": "id"}, BuildTypeError, "column_names must be a list"),
        ("m1.csv", {"column_names": ["x"]}, BuildError, "must have 1 fields, it has 4"),
        (
            "m1.csv",
            {"select_columns": ["id"], "column_defaults": [0, 1]},
            BuildError,
            "for every one of the 1 select_columns, it has 2",
        ),
        ("m1.csv", {"num_parallel_reads": 0}, BuildError, "num_parallel_reads must be"),
        ("m1.csv", {"num_rows_for_inference": -1}, BuildError, "num_rows_for_inference must be"),
        ("m1.csv", {"compression_type": "X"}, BuildError, "compression_type must be"),
        ("m1.csv", {"batch_size": 0}, BuildError, "batch_size must be at least 1"),
    ],
)
def test_wrong_arguments_and_files_are_refused(folder, file, arguments, kind, text):
    with pytest.raises(kind, match=text):
        make_csv_dataset(**{"file_pattern": f"{folder}/{file}", "batch_size": 2, **arguments})
