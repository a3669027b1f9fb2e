import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.data import JsonLinesDataset
from feedline.errors import BuildTypeError, DecodeError, NotFoundError
from feedline.spec import TensorSpec, string
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

REPLAYED = pytest.mark.filterwarnings("ignore:.*compressed file cannot be entered")
ROWS = [{"n": n, "s": f"ä{n}", "v": [n, n + 0.5], "in": {"b": n % 2 == 0}} for n in range(9)]
TEXT = "\n\n".join(json.dumps(row) for row in ROWS).encode()
SIGNATURE = {"v": TensorSpec((2,), np.float32), "n": TensorSpec((), np.int32)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("json")
    (folder / "a.jsonl").write_bytes(TEXT)
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(TEXT))
    (folder / "none.jsonl").write_bytes(b"\n \n")
    return folder


CASES = {
    "plain": lambda f: JsonLinesDataset(f / "a.jsonl"),
    "small buffer": lambda f: JsonLinesDataset(f / "a.jsonl", buffer_size=5),
    "signature": lambda f: JsonLinesDataset(f / "a.jsonl", SIGNATURE, buffer_size=90),
    "in turn": lambda f: JsonLinesDataset([f / "a.jsonl"] * 3, num_parallel_reads=2),
    "gzip": lambda f: JsonLinesDataset(f / "a.jsonl.gz", compression_type="GZIP", buffer_size=50),
    "nothing": lambda f: JsonLinesDataset(f / "none.jsonl", SIGNATURE),
}


@REPLAYED
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("case", CASES)
def test_conforms(folder, case, check):
    check(CASES[case](folder))


def test_resumes_in_a_fresh_process(folder):
    check_resume_in_fresh_process(CASES["small buffer"](folder))


def test_objects_are_dicts_and_lists_are_arrays(folder):
    ds = JsonLinesDataset(folder / "a.jsonl")

    assert_same_elements(
        ds.take(1),
        [{"n": np.int64(0), "s": "ä0", "v": np.array([0, 0.5]), "in": {"b": np.True_}}],
    )
    assert ds.element_spec["s"] == TensorSpec((), string)


def test_a_signature_says_dtypes_and_which_keys_are_kept(folder):
    ds = JsonLinesDataset(folder / "a.jsonl", SIGNATURE)

    assert ds.element_spec == SIGNATURE
    assert_same_elements(ds.take(1), [{"v": np.array([0, 0.5], np.float32), "n": np.int32(0)}])
    assert [batch["v"].shape for batch in ds.batch(5)] == [(5, 2), (4, 2)]


VALUES = st.lists(
    st.fixed_dictionaries({"a": st.integers(-(2**60), 2**60), "t": st.text(max_size=5)}),
    max_size=8,
)


@given(VALUES, st.integers(1, 60), st.sampled_from(["\n", "\r\n", "\n\n"]), st.booleans())
def test_what_python_writes_is_read(tmp_path_factory, values, size, end, as_ascii):
    path = tmp_path_factory.mktemp("json") / "file"
    path.write_text(
        end.join(json.dumps(value, ensure_ascii=as_ascii) for value in values), newline=""
    )

    assert list(JsonLinesDataset(path, buffer_size=size)) == values


def test_values_need_not_be_objects(tmp_path):
    (tmp_path / "file").write_text("1\n2\n")

    assert_same_elements(JsonLinesDataset(tmp_path / "file"), [np.int64(1), np.int64(2)])


@pytest.mark.parametrize("size", [None, 1, 7])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            b'{"a": 1}\n{"a": }\n\n{"a": 3}',
            [{"a": 1}, "line 2, column 7: this is no JSON", {"a": 3}],
        ),
        (b"1\n\n1 2\n3\n", [1, "line 3, column 3: this is no JSON", 3]),
        (b'"a"\n"\xff"\n"b"\n', ["a", "line 2, byte 1: this is not UTF-8", "b"]),
        (b"1\n[1, [2]]\n2", [1, "line 2, the value is wrong: a list becomes an array", 2]),
        (b"[" * 100_000 + b"\n1", ["line 1, this cannot be read: maximum recursion", 1]),
    ],
)
def test_a_line_that_is_wrong_is_named_and_the_next_one_read(tmp_path, text, found, size):
    path = tmp_path / "file"
    path.write_bytes(text)
    it = iter(JsonLinesDataset(path, buffer_size=size))
    for expected in found:
        if isinstance(expected, str) and expected.startswith("line"):
            with pytest.raises(DecodeError) as raised:
                next(it)
            assert str(raised.value).startswith(f"{path}, {expected}")
        else:
            assert next(it) == expected
    assert next(it, None) is None


def test_a_value_that_does_not_fit_the_signature_is_named(tmp_path):
    (tmp_path / "file").write_text('{"n": 1, "v": [1, 2]}\n{"n": 1, "v": [1]}\n{"n": 2}\n')
    ds = JsonLinesDataset(tmp_path / "file", SIGNATURE)

    assert len(list(ds.ignore_errors())) == 1
    with pytest.raises(DecodeError, match=r"file, line 2, the value at \['v'\]"):
        list(ds)
    it = iter(ds)
    next(it)
    with pytest.raises(DecodeError):
        next(it)
    with pytest.raises(DecodeError, match="line 3, the value must have the structure"):
        next(it)


def test_values_of_different_structures_come_one_after_the_other(tmp_path):
    (tmp_path / "file").write_text('{"a": 1}\n{"b": 2}\n')
    ds = JsonLinesDataset(tmp_path / "file").with_options(tf.data.Options(block_size=1))

    assert next(iter(ds)) == {"a": 1}
    with pytest.raises(ValueError, match="structure"):
        list(ds.batch(2))


def test_wrong_arguments_are_refused():
    with pytest.raises(BuildTypeError, match=r"output_signature must hold specs.*got 'int32'"):
        JsonLinesDataset("file", {"n": "int32"})
    with pytest.raises(BuildTypeError, match="names of files must be str"):
        JsonLinesDataset(5)
    with pytest.raises(NotFoundError):
        list(JsonLinesDataset("no such file"))
