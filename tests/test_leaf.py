from enum import IntEnum

import numpy as np
import pytest

import feedline as tf
from feedline.data import Dataset
from feedline.errors import SpecError
from feedline.leaf import MismatchError, as_leaf, describe_leaf, ingest, stack_leaves
from feedline.ragged import constant
from feedline.sparse import SparseTensor


class Level(IntEnum):
    LOW = 1


class LikeAnArray:
    def __array__(self, dtype=None, copy=None):
        return np.arange(3, dtype=np.int8)


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, np.int32),
        (2**31, np.int64),
        (2**63 - 1, np.int64),
        (2**63, np.uint64),
        (-(2**63), np.int64),
        (1.5, np.float32),
        (True, np.bool_),
        (1j, np.complex128),
        (Level.LOW, np.int32),
        (np.float16(1), np.float16),
        (np.datetime64("2020-01-01"), "datetime64[D]"),
        (np.timedelta64(3, "ms"), "timedelta64[ms]"),
        (np.array(1, np.int8), np.int8),
        (np.array([1], ">i4"), ">i4"),
    ],
)
def test_what_a_function_returns_has_the_dtype_of_tensorflow(value, dtype):
    found = as_leaf(value)

    assert found.dtype == np.dtype(dtype)
    assert found == value


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([1, 2], np.int32),
        ([2**63, 1], np.uint64),
        ([1, 2.5], np.float32),
        ([True, False], np.bool_),
        ([True, 2], np.int32),
        ([], np.float32),
        ([[], []], np.float32),
        ([1 + 2j], np.complex128),
        ([np.float32(1), np.float32(2)], np.float32),
        ([np.zeros(2, np.int8)], np.int8),
        ([(1, 2), (3, 4)], np.int32),
        (["a", "bcd"], object),
        ([b"a\0", b"b"], object),
        ([["a"], ["b"]], object),
        ([None, "a"], object),
    ],
)
def test_a_list_becomes_an_array(value, dtype):
    found = as_leaf(value)

    assert isinstance(found, np.ndarray)
    assert found.dtype == dtype
    assert found.shape == np.shape(np.asarray(value, object))


@pytest.mark.parametrize("value", ["a", b"a\0", None, constant([[1]]), Dataset.range(1), {1}])
def test_other_values_are_passed_along(value):
    assert as_leaf(value) is value


def test_numpy_strings_become_python_strings():
    assert type(as_leaf(np.str_("a"))) is str
    assert type(as_leaf(np.bytes_(b"a"))) is bytes
    assert as_leaf(np.array("abc")) == "abc"
    assert as_leaf(np.array(["a", "bcd"])).tolist() == ["a", "bcd"]
    assert as_leaf(np.array(["a"])).dtype == object


def test_an_array_without_axes_is_a_scalar():
    assert isinstance(as_leaf(np.array(3)), np.int64)
    assert as_leaf(np.array("x", object)) == "x"


def test_an_integer_beyond_64_bits_stays_a_python_integer():
    assert as_leaf(2**64) == 2**64


def test_what_can_be_an_array_becomes_one():
    assert as_leaf(LikeAnArray()).dtype == np.int8
    assert as_leaf(LikeAnArray) is LikeAnArray


@pytest.mark.parametrize("value", [[[1], [2, 3]], [[1, 2], 3], [["a"], ["b", "c"]]])
def test_a_list_that_is_not_rectangular_is_an_error(value):
    with pytest.raises(SpecError, match="must be rectangular"):
        as_leaf(value)


def test_integers_that_no_dtype_holds_are_an_error():
    """NumPy would make floats of them and lose digits."""
    with pytest.raises(SpecError, match="must all fit int64 or all fit uint64"):
        as_leaf([2**63, -1])
    assert as_leaf([2.0**63, -1]).dtype == np.float32


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, np.int32),
        (2**31, np.int64),
        (2**63, np.uint64),
        (1.5, np.float32),
        (True, np.bool_),
        (1j, np.complex128),
        ([1, 2], np.int32),
        ([1, 2**31], np.int64),
        ([1.5], np.float32),
        ([], np.float32),
        ([np.int64(1)], np.int64),
        (np.int64(1), np.int64),
        (np.array([1.5]), np.float64),
        (["a"], object),
    ],
)
def test_data_gets_the_dtypes_of_tensorflow(value, dtype):
    assert ingest(value).dtype == dtype


@pytest.mark.parametrize(
    ("leaves", "dtype", "shape"),
    [
        ([np.float16(1), np.float16(2)], np.float16, (2,)),
        ([np.zeros((2, 3), np.uint8)] * 4, np.uint8, (4, 2, 3)),
        ([np.zeros((0, 3))] * 2, np.float64, (2, 0, 3)),
        ([np.datetime64("2020-01-01")] * 2, "datetime64[D]", (2,)),
        ([1j * np.ones(2)] * 2, np.complex128, (2, 2)),
        (["a", b"b"], object, (2,)),
        ([np.array(["a", "b"], object)] * 3, object, (3, 2)),
        ([{1}, {2}], object, (2,)),
    ],
)
def test_stacked_leaves_have_a_new_first_axis(leaves, dtype, shape):
    stacked = stack_leaves(leaves)

    assert stacked.dtype == np.dtype(dtype)
    assert stacked.shape == shape
    assert all(np.array_equal(row, leaf) for row, leaf in zip(stacked, leaves, strict=True))


def test_ragged_and_sparse_leaves_are_stacked_as_such():
    ragged, sparse = constant([[1], [2, 3]]), SparseTensor([[1]], [5], [2])

    assert stack_leaves([ragged, ragged]).to_list() == [[[1], [2, 3]]] * 2
    assert stack_leaves([sparse, sparse]).shape == (2, 2)


def test_a_stack_of_nones_is_none():
    assert stack_leaves([None, None]) is None


@pytest.mark.parametrize(
    ("one", "other", "texts"),
    [
        (np.int64(1), np.float64(1), ("int64[]", "float64[]")),
        (np.int64(1), np.uint64(1), ("int64[]", "uint64[]")),
        (np.zeros(2), np.zeros(3), ("float64[2]", "float64[3]")),
        (np.zeros(2), "a", ("float64[2]", "str")),
        ("a", np.zeros(2), ("str", "float64[2]")),
        (None, "a", ("NoneType", "str")),
        (
            np.datetime64("2020-01-01"),
            np.datetime64(1, "s"),
            ("datetime64[D][]", "datetime64[s][]"),
        ),
        (
            constant([[1]]),
            constant([[1.5]]),
            ("RaggedTensor int32[1,None]", "RaggedTensor float32[1,None]"),
        ),
    ],
)
def test_leaves_that_differ_cannot_be_stacked(one, other, texts):
    with pytest.raises(MismatchError) as caught:
        stack_leaves([one, one, other], first=10)

    assert (caught.value.first, caught.value.second) == (10, 12)
    assert caught.value.texts == texts


def test_a_leaf_is_described_in_a_few_characters():
    assert describe_leaf(np.zeros((2, 3), np.uint8)) == "uint8[2,3]"
    assert describe_leaf(np.array(["a"], object)) == "string[1]"
    assert describe_leaf("a") == "str"


@pytest.mark.parametrize("dtype", [">f4", ">i8", ">M8[s]"])
def test_numbers_have_the_byte_order_of_the_machine_in_every_batch(dtype):
    native = np.dtype(dtype).newbyteorder("=")
    given = np.arange(120).astype(dtype)
    ds = Dataset.from_tensor_slices(given).map(lambda x: x).batch(7)
    batches = list(ds)
    assert {batch.dtype for batch in batches} == {native}
    np.testing.assert_array_equal(np.concatenate(batches), given)
    assert ds.element_spec.dtype == native


def test_a_function_may_return_arrays_in_another_byte_order():
    ds = Dataset.from_tensor_slices(np.ones((120, 2))).map(lambda x: x.astype(">f4"))
    assert {batch.dtype.str for batch in ds.batch(7)} == {">f4"}
    alone = ds.unbatch().map(lambda x: x).batch(7)
    assert {batch.dtype.str for batch in alone} == {np.dtype(np.float32).str}


def test_a_matrix_is_an_array():
    matrix = np.arange(240).reshape(120, 2).view(np.matrix)
    ds = Dataset.from_tensor_slices(matrix).batch(7)
    assert next(iter(ds)).shape == (7, 2)
    assert next(iter(ds.unbatch())).tolist() == [0, 1]


def test_a_masked_array_must_be_filled():
    masked = np.ma.array(np.arange(6.0), mask=np.arange(6) % 3 == 0)
    with pytest.raises(SpecError, match=r"from_tensor_slices\(\): .* 2 of them .*filled"):
        Dataset.from_tensor_slices(masked)
    with pytest.raises(SpecError, match=r"from_tensors\(\): "):
        Dataset.from_tensors(masked)


def test_a_shape_that_a_function_returns_is_an_array_of_int32():
    shapes = Dataset.range(2).map(lambda x: (x, tf.zeros([2, 3]).shape))

    assert shapes.element_spec[1] == tf.TensorSpec([2], tf.int32)
    assert [shape.tolist() for _, shape in shapes] == [[2, 3], [2, 3]]
