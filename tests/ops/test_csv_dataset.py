import csv
import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.data import Dataset
from feedline.data.experimental import CsvDataset
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError, NotFoundError
from feedline.ops.csv_dataset import CsvDatasetNode
from feedline.spec import TensorSpec, string
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

REPLAYED = pytest.mark.filterwarnings("ignore:.*compressed file cannot be entered")
TEXT = b'h,i,j\r\n1,2.5,"a, b"\r\n2,,c\n3,4,"d""\ne"\n\n4,1e3,\xc3\xa4\n'
DEFAULTS = [[7], [0.5], [""]]
SKIPS_LINE_6 = {"header": True, "select_cols": [0], "record_defaults": [[7]]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("csv")
    (folder / "a.csv").write_bytes(TEXT)
    (folder / "a.csv.gz").write_bytes(gzip.compress(TEXT))
    (folder / "b.csv").write_bytes(b"h,i,j\n5,6,f")
    (folder / "c.csv").write_bytes(TEXT.replace(b"\n\n", b"\n"))
    (folder / "none.csv").write_bytes(b"")
    return folder


@pytest.fixture
def read(tmp_path):
    """Writes a file and returns its records, with the first words of what was raised."""

    def records(text, record_defaults, **options):
        path = tmp_path / "file.csv"
        path.write_bytes(text)
        found, it = [], iter(CsvDataset(path, record_defaults, **options))
        while len(found) < 20:
            try:
                found.append(
                    tuple(value.item() if hasattr(value, "item") else value for value in next(it))
                )
            except StopIteration:
                break
            except InvalidArgumentError as error:
                found.append(str(error).removeprefix(f"{path}, ").split(". ")[0].rstrip("."))
        return found

    return records


CASES = {
    "selected": lambda f: CsvDataset(f / "a.csv", **SKIPS_LINE_6),
    "two files": lambda f: CsvDataset([f / "b.csv", f / "a.csv"], **SKIPS_LINE_6),
    "small buffer": lambda f: CsvDataset(f / "a.csv", **SKIPS_LINE_6, buffer_size=3),
    "gzip": lambda f: CsvDataset(f / "a.csv.gz", **SKIPS_LINE_6, compression_type="GZIP"),
    "all": lambda f: CsvDataset([f / "c.csv", f / "b.csv"], DEFAULTS, header=True),
    "bytes": lambda f: CsvDataset(f / "c.csv", [b""] * 3, encoding=None),
    "nothing": lambda f: CsvDataset(f / "none.csv", DEFAULTS),
    "batched": lambda f: CsvDataset(f / "a.csv", **SKIPS_LINE_6).shuffle(3, seed=1).batch(2),
}


@REPLAYED
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("case", CASES)
def test_conforms(folder, case, check):
    check(CASES[case](folder))


def test_resumes_in_a_fresh_process(folder):
    check_resume_in_fresh_process(CASES["small buffer"](folder))


def test_columns_have_the_dtypes_of_their_defaults(folder):
    ds = CsvDataset(folder / "b.csv", [[1], np.array([2.0]), tf.string], header=True)

    assert ds.element_spec == (
        TensorSpec((), np.int32),
        TensorSpec((), np.float64),
        TensorSpec((), string),
    )
    assert_same_elements(ds, [(np.int32(5), np.float64(6), "f")])
    assert ds.cardinality() == -2


def test_strings_are_bytes_without_an_encoding(folder):
    ds = CsvDataset(folder / "a.csv", [["d"]], header=True, select_cols=[2], encoding=None)

    assert list(ds.take(3)) == [(b"a, b",), (b"c",), (b'd"\ne',)]


NEEDED, S = np.array([], np.int32), tf.string


@pytest.mark.parametrize(
    ("text", "defaults", "options", "records"),
    [
        (b"1,2.5,abc\n2,3.5,d\n", [[0], [0.0], [""]], {}, [(1, 2.5, "abc"), (2, 3.5, "d")]),
        (b"1,a\n2,b", [[0], [""]], {}, [(1, "a"), (2, "b")]),
        (b"1,a\r\n2,b\r\n", [[0], [""]], {}, [(1, "a"), (2, "b")]),
        (b"1,a\r2,b\r", [[0], [""]], {}, [(1, "a"), (2, "b")]),
        (b"1\n\n2\n\n", [[9]], {}, [(1,), (9,), (2,), (9,)]),
        (b"1\n\r2\n", [[9]], {}, [(1,), (9,), (2,)]),
        (b"\n", [[5]], {}, [(5,)]),
        (b'1,"a\nb"\n2,"c""d"\n', [[0], [""]], {}, [(1, "a\nb"), (2, 'c"d')]),
        (b"a,b\n4,5", [NEEDED, [0]], {"header": True}, [(4, 5)]),
        (b'"a\nx",b\n4,5', [NEEDED, [0]], {"header": True}, [(4, 5)]),
        (b"a,b", [NEEDED, [0]], {"header": True}, []),
        (b"", [NEEDED, [0]], {}, []),
        (b"NA,1\n2,NA\n", [[5], [6]], {"na_value": "NA"}, [(5, 1), (2, 6)]),
        (b'"NA",x\n', [["d"], [""]], {"na_value": b"NA"}, [("d", "x")]),
        (b"1,2,3\n4,5,6", [[5], [6]], {"select_cols": [0, 2]}, [(1, 3), (4, 6)]),
        (b"1,2,3\n4,5,6", [[5], [6]], {"exclude_cols": [1]}, [(1, 3), (4, 6)]),
        (b"1,2,3", [[5], [5], [5]], {"exclude_cols": [9]}, [(1, 2, 3)]),
        (b"1 2 3\n", [[5], [6], [7]], {"field_delim": " "}, [(1, 2, 3)]),
        (b'1"2\n', [[5], [6]], {"field_delim": '"'}, [(1, 2)]),
        (b'"1",b"c\n', [["x"], ["y"]], {"use_quote_delim": False}, [('"1"', 'b"c')]),
        (b"1,2.5,x\n", [tf.int32, tf.float64, tf.string], {}, [(1, 2.5, "x")]),
        (b"1,2.5,x\n", [int, float, str], {}, [(1, 2.5, "x")]),
        (b"1,\n3,4\n", [[0], [7]], {}, [(1, 7), (3, 4)]),
        (b'1,"a\nb""c"\r\n2,b\r\n', [[0], [""]], {"buffer_size": 1}, [(1, 'a\nb"c'), (2, "b")]),
    ],
)
def test_records_are_those_of_tensorflow(read, text, defaults, options, records):
    assert read(text, defaults, **options) == records


@pytest.mark.parametrize("size", [None, 1, 5])
@pytest.mark.parametrize(
    ("text", "defaults", "options", "records"),
    [
        (
            b"1,a\n\n2,b\n\n",
            [[9], ["x"]],
            {},
            [
                (1, "a"),
                "line 2: the record must have 2 fields, it has 1",
                (2, "b"),
                "line 4: the record must have 2 fields, it has 1",
            ],
        ),
        (
            b"1\n\n2\n",
            [NEEDED],
            {},
            [(1,), "line 2, column 0: the field is missing, and the column has no default", (2,)],
        ),
        (
            b'1,"a"b\n2,c\n3,d\n4,"e"\n5,f',
            [[0], [""]],
            {},
            ["line 1, column 1: the field has a quote inside that is not doubled", (5, "f")],
        ),
        (
            b'1,a"b\n2,c\n',
            [[0], [""]],
            {},
            [
                "line 1, column 1: the field has a quote inside, but does not begin with one",
                (2, "c"),
            ],
        ),
        (
            b'1,a\n2,"b\n3,c\n',
            [[0], [""]],
            {},
            [(1, "a"), "line 2, column 1: the field begins with a quote that is never closed"],
        ),
        (
            b"1\n1,2\n1,2,3\n4,5",
            [[0], [0]],
            {},
            [
                "line 1: the record must have 2 fields, it has 1",
                (1, 2),
                "line 3: the record must have 2 fields, it has 3",
                (4, 5),
            ],
        ),
        (
            b"1,2\nx,y\n3,99999999999\n4,5",
            [[0], [0]],
            {},
            [
                (1, 2),
                "line 2, column 0: the field is no int32: 'x'",
                "line 3, column 1: the field is no int32: '99999999999'",
                (4, 5),
            ],
        ),
        (
            b"1,2\n4,5,6",
            [[5], [6]],
            {"select_cols": [0, 2]},
            ["line 1: the record must have at least 3 fields, it has 2", (4, 6)],
        ),
        (
            b"1,2,3",
            [[5]],
            {"exclude_cols": [1]},
            ["line 1: the record must have 2 fields, it has 3"],
        ),
        (
            b'1,x"y,3\n4,5,6',
            [[5], [6]],
            {"select_cols": [0, 2]},
            [
                "line 1, column 1: the field has a quote inside, but does not begin with one",
                (4, 6),
            ],
        ),
        (
            b'a"x,b\n4,5',
            [NEEDED, [0]],
            {"header": True},
            [
                "line 1: a field of the header has a quote inside, but does not begin with one",
                (4, 5),
            ],
        ),
        (b"", [NEEDED, [0]], {"header": True}, ["line 1: the file has no header: it is empty"]),
        (
            b"a\n\xff\n\xc3\xa4",
            [S],
            {},
            [("a",), "line 2, column 0: the field is not utf-8: invalid start byte", ("ä",)],
        ),
        (
            b'"x\r\ny",1\r\nz,q\r\n',
            [S, NEEDED],
            {},
            [("x\r\ny", 1), "line 3, column 1: the field is no int32: 'q'"],
        ),
    ],
)
def test_a_record_that_is_wrong_is_named_and_the_next_one_read(
    read, text, defaults, options, records, size
):
    """The same records fail in TensorFlow, for the same reasons."""
    assert read(text, defaults, **options, buffer_size=size) == records


def test_a_resume_goes_on_after_a_record_that_failed(tmp_path):
    (tmp_path / "file").write_bytes(b"1\nx\n3\n4\n")
    ds = CsvDataset(tmp_path / "file", [[0]])
    it = iter(ds)
    next(it)
    with pytest.raises(InvalidArgumentError) as raised:
        next(it)
    assert "CsvDataset() built at test_csv_dataset.py" in raised.value.__notes__[0]

    again = iter(ds)
    again.load_state_dict(it.state_dict())
    assert list(again) == [(3,), (4,)]


FIELD = st.text(st.sampled_from('aä1 ,"\n\r'), max_size=5)
TABLE = st.lists(st.tuples(st.integers(-(2**31), 2**31 - 1), FIELD, st.floats(width=32)))


@given(TABLE, st.integers(1, 40), st.sampled_from(["\n", "\r\n"]))
def test_what_pythons_csv_module_writes_is_read(tmp_path_factory, table, size, end):
    path = tmp_path_factory.mktemp("csv") / "file"
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator=end, quoting=csv.QUOTE_NONNUMERIC).writerows(table)
    ds = CsvDataset(path, [tf.int32, [""], tf.float32], buffer_size=size)

    expected = [(np.int32(i), text, np.float32(x)) for i, text, x in table]
    assert_same_elements(ds, expected)


def test_names_may_come_from_a_dataset(folder):
    names = Dataset.from_tensor_slices([str(folder / "b.csv")] * 2)

    assert len(list(CsvDataset(names, DEFAULTS, header=True))) == 2


def test_a_missing_file_is_named(folder):
    ds = CsvDataset([folder / "missing.csv", folder / "b.csv"], DEFAULTS, header=True)

    with pytest.raises(NotFoundError, match=r"missing\.csv: there is no such file"):
        list(ds)
    assert len(list(ds.ignore_errors())) == 1


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"record_defaults": []}, BuildError, "must have an entry for every column"),
        ({"record_defaults": 5}, BuildTypeError, "must be a list with a default"),
        ({"record_defaults": [[True]]}, BuildTypeError, "column 0 of record_defaults is bool"),
        ({"record_defaults": [np.int8]}, BuildTypeError, "column 0 of record_defaults is int8"),
        ({"record_defaults": [[0], dict]}, BuildTypeError, "column 1 of record_defaults is"),
        ({"record_defaults": [[0], [1, 2]]}, BuildError, "column 1 has 2"),
        ({"field_delim": "::"}, BuildError, "field_delim must be a single byte, got '::'"),
        ({"field_delim": ""}, BuildError, "field_delim must be a single byte"),
        ({"select_cols": [2, 0]}, BuildError, r"select_cols must rise, from 0 on, got \[2, 0\]"),
        ({"select_cols": [1, 1]}, BuildError, "select_cols must rise"),
        ({"select_cols": [0]}, BuildError, "names 1 columns, record_defaults has 2"),
        ({"select_cols": ["a", "b"]}, BuildTypeError, "select_cols must be a list of numbers"),
        ({"exclude_cols": [-1]}, BuildError, "exclude_cols must rise, from 0 on"),
        ({"exclude_cols": [1], "select_cols": [0, 2]}, BuildError, "not both"),
        ({"buffer_size": 0}, BuildError, "buffer_size must be at least 1, got 0"),
        ({"header": 1}, BuildTypeError, "header must be True or False"),
        ({"use_quote_delim": None}, BuildTypeError, "use_quote_delim must be True or False"),
        ({"na_value": 5}, BuildTypeError, "na_value must be a string, got 5"),
        ({"compression_type": "X"}, BuildError, "compression_type must be"),
        ({"encoding": "utf-16"}, BuildError, "Convert the files to UTF-8"),
    ],
)
def test_wrong_arguments_are_refused_where_they_are_written(arguments, kind, text):
    with pytest.raises(kind, match=text) as raised:
        CsvDataset(**{"filenames": "file", "record_defaults": [[0], [0]], **arguments})

    assert str(raised.value).startswith("CsvDataset(): ")


NUMBER = st.sampled_from(["", "1", "-2.5", " 3", "x", '"4"', "NA", "1e400"])
WORD = st.sampled_from(["", "ab", '"a,b"', '"a""b"', '"a\nb"', 'a"b', "ä", "NA"])
LINES = st.lists(st.tuples(NUMBER, NUMBER, WORD).map(",".join) | WORD, max_size=8)


def elements_and_failures(path, **options):
    found, it = [], iter(CsvDataset(path, [[7], [0.5], [""]], **options))
    while True:
        try:
            found.append(tuple(map(str, next(it))))
        except StopIteration:
            return found
        except InvalidArgumentError as error:
            found.append(str(error))


@given(LINES, st.booleans(), st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from([5, 1000]))
def test_text_without_a_fault_is_read_as_any_other(tmp_path_factory, lines, header, end, chunk):
    path = tmp_path_factory.mktemp("csv") / "file.csv"
    path.write_bytes(end.join(lines).encode())
    options = {"header": header, "na_value": "NA", "buffer_size": chunk}

    at_once = elements_and_failures(path, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CsvDatasetNode, "table", None)
        the_long_way = elements_and_failures(path, **options)

    assert at_once == the_long_way
