from collections import OrderedDict, namedtuple

import numpy as np
import pytest

from feedline.column import Dense, Objects, Ragged
from feedline.conform import Declared, conform, conform_leaf, leaves_under, owned
from feedline.errors import SpecError
from feedline.ragged import constant
from feedline.sparse import SparseTensor
from feedline.spec import (
    DatasetSpec,
    NoneTensorSpec,
    RaggedTensorSpec,
    SparseTensorSpec,
    TensorSpec,
    string,
)
from feedline.structure import structure_of
from feedline.testing import assert_same, assert_same_elements

Point = namedtuple("Point", ["x", "y"])

VALUES = [
    1, -1, 2.5, True, 2**24 + 1, float("inf"), 1e300,
    np.int64(2**40), np.uint8(200), np.float32(300.7), np.bool_(True),
    np.array(3), np.array([1.5, 300]), [1, 2.5], (1, 2), [True, 2], [[1], [2]],
    np.array([2**40, -1]), [np.float64(1.7)], "7", b"7",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.bool_, np.complex64])
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_converts_alike_alone_and_in_any_company(value, dtype):
    spec = TensorSpec(None, dtype)
    expected = conform_leaf(value, spec)

    assert_same_elements(conform([value], spec).rows(), [expected])
    assert_same_elements(conform([value, value], spec).rows(), [expected] * 2)
    assert_same(conform([value, "1", [1]], spec).rows()[0], expected)


@pytest.mark.parametrize(
    ("values", "spec", "expected"),
    [
        ([1, 2], TensorSpec((), np.float32), Dense),
        ([1, 2.5], TensorSpec((), np.int32), Dense),
        ([np.float64(1), np.float64(2)], TensorSpec((), np.float32), Dense),
        ([[1, 2], [3, 4]], TensorSpec((2,), np.int8), Dense),
        ([np.zeros(2), np.zeros(2)], TensorSpec((2,), np.float32), Dense),
        ([np.zeros(2), np.zeros(3)], TensorSpec((None,), np.float32), Ragged),
        (["a", "b"], TensorSpec((), string), Objects),
    ],
)
def test_runs_of_one_kind_are_converted_at_once(values, spec, expected):
    assert type(conform(values, spec)) is expected


@pytest.mark.parametrize(
    ("value", "spec", "expected"),
    [
        (1.9, TensorSpec((), np.int32), np.int32(1)),
        ("7", TensorSpec((), np.int32), np.int32(7)),
        ((1, 2), TensorSpec((2,), np.int32), np.array([1, 2], np.int32)),
        (["a", "bc"], TensorSpec((None,), string), np.array(["a", "bc"], object)),
        (("a", b"b"), TensorSpec((2,), string), np.array(["a", b"b"], object)),
        (np.array(["a", "bc"]), TensorSpec((2,), string), np.array(["a", "bc"], object)),
        (np.array("a"), TensorSpec((), string), "a"),
        (None, NoneTensorSpec(), None),
    ],
)
def test_values_are_converted_as_tf_data_does(value, spec, expected):
    assert_same(conform_leaf(value, spec), expected)


def test_ragged_and_sparse_values_pass_as_they_are():
    ragged = constant([[1], [2, 3]])
    sparse = SparseTensor([[0]], np.array([1], np.int32), [3])

    assert conform_leaf(ragged, RaggedTensorSpec((None, None), np.int32)) is ragged
    assert conform_leaf(sparse, SparseTensorSpec((3,), np.int32)) is sparse


@pytest.mark.parametrize(
    ("value", "spec", "message"),
    [
        ([1, 2], TensorSpec((3,), np.int32), r"must be int32\[3\], got int32\[2\]"),
        (
            np.zeros((2, 2)),
            TensorSpec((None, 3), np.float64),
            r"float64\[\?,3\], got float64\[2,2\]",
        ),
        ("text", TensorSpec((), np.int32), r"must be int32\[\], got str 'text'"),
        ("x" * 50, TensorSpec(None, np.int32), r"must be int32\[\.\.\.\], got str 'x{37}'\.\.\."),
        (2**40, TensorSpec((), np.int32), r"must be int32\[\], got int64\[\]"),
        (-1, TensorSpec((), np.uint8), r"must be uint8\[\], got int64\[\]"),
        ([[1], [2, 3]], TensorSpec(None, np.int32), r"got a list of unequal rows"),
        (None, TensorSpec((), np.int32), r"must be int32\[\], got NoneType"),
        ({"a": 1}, TensorSpec((), np.int32), r"must be int32\[\], got dict"),
        (constant([[1], [2]]), TensorSpec(None, np.int32), "got RaggedTensor"),
        (1, TensorSpec((), string), r"must be string\[\], got int64\[\]"),
        ([["a"], ["b", "c"]], TensorSpec(None, string), "got a list of unequal rows"),
        ([[1], [2]], RaggedTensorSpec((None, None), np.int32), r"ragged int32\[\?,\?\], got int64"),
        (constant([[1.5]]), RaggedTensorSpec((None, None), np.int32), "got RaggedTensor"),
        (np.zeros(3), SparseTensorSpec((3,), np.float64), r"sparse float64\[3\], got float64\[3\]"),
        (SparseTensor([[0]], [1.0], [4]), SparseTensorSpec((3,), np.float32), "got SparseTensor"),
        (3, DatasetSpec(TensorSpec((), np.int64)), r"must be DatasetSpec.*, got int64\[\]"),
        (3, NoneTensorSpec(), r"must be NoneTensorSpec\(\), got int64\[\]"),
    ],
)
def test_what_does_not_fit_is_an_error_with_both_types(value, spec, message):
    with pytest.raises(SpecError, match=message):
        conform_leaf(value, spec)
    with pytest.raises(SpecError, match=message):
        conform([value, value], spec)


def test_elements_are_split_by_the_declared_structure():
    declared = Declared({"a": TensorSpec((), np.int32), "b": TensorSpec((), string)})
    block = declared.block([{"a": 1, "b": "x"}, {"b": "y", "a": 2}])

    assert_same_elements(block.rows(), [{"a": np.int32(1), "b": "x"}, {"a": np.int32(2), "b": "y"}])


def test_a_named_tuple_may_stand_for_a_tuple():
    declared = Declared((TensorSpec((), np.int32), TensorSpec((), np.int32)))

    assert_same_elements(
        declared.block([Point(1, 2), (3, 4)]).rows(),
        [(np.int32(1), np.int32(2)), (np.int32(3), np.int32(4))],
    )


@pytest.mark.parametrize("value", [1, (1,), [1, 2], (1, 2, 3), {"a": 1}])
def test_another_structure_is_an_error(value):
    declared = Declared((TensorSpec((), np.int32), TensorSpec((), np.int32)))

    with pytest.raises(SpecError, match=r"must have the structure \(\*, \*\), got"):
        declared.block([value])


def test_the_place_of_a_value_that_does_not_fit_is_named():
    declared = Declared({"a": (TensorSpec((), np.int32), TensorSpec((2,), np.int32))})

    with pytest.raises(SpecError, match=r" at \['a'\]\[1\] must be int32\[2\], got int32\[3\]"):
        declared.block([{"a": (1, [1, 2, 3])}])


def test_leaves_are_found_no_deeper_than_the_structure_goes():
    structure = structure_of((0, {"a": 0}))

    assert leaves_under(structure, ((1, 2), {"a": [None]})) == [(1, 2), [None]]
    assert leaves_under(structure, (1, OrderedDict(a=2))) == [1, 2]
    assert leaves_under(structure, (1, {"b": 2})) is None
    assert leaves_under(structure, (1, 2)) is None


@pytest.mark.parametrize(
    "wrap",
    [
        lambda a: a,
        lambda a: (a, 1),
        lambda a: [a],
        lambda a: {"x": {"y": a}},
        lambda a: Point(a, 2),
        lambda a: a.view(np.recarray),
    ],
)
def test_what_is_owned_does_not_change_with_what_it_was_made_of(wrap):
    buffer = np.zeros((1, 3))
    mine = owned(wrap(buffer))
    buffer += 1

    assert structure_of(mine) == structure_of(wrap(buffer))
    assert not np.any(np.asarray(structure_of(mine).flatten(mine)[0]))


def test_numbers_and_strings_are_not_copied():
    word = "a long word" * 3

    assert owned(word) is word
