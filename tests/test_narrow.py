import numpy as np
import pytest

from feedline.narrow import array_of_data, dtypes_in


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1, 2], np.int32),
        ([-(2**31), 2**31 - 1], np.int32),
        ([1, 2**31], np.int64),
        ([2**63], np.uint64),
        ([1.5], np.float32),
        ([1, 2.5], np.float32),
        ([True], np.bool_),
        ([1j], np.complex128),
        ([], np.float32),
        (["a", "bc"], object),
        ([b"a\0"], object),
        ([np.float64(1)], np.float64),
        ([[np.int64(1)]], np.int64),
        (np.array([1]), np.int64),
        (np.array(["a"]), object),
    ],
)
def test_data_gets_the_dtype_it_would_have_in_tensorflow(values, dtype):
    assert array_of_data(values).dtype == dtype


def test_a_dtype_that_is_given_counts():
    assert array_of_data([1, 2], np.float16).dtype == np.float16
    assert array_of_data(["a"], np.dtype(object)).tolist() == ["a"]
    assert array_of_data([], np.dtype(np.int8)).dtype == np.int8


def test_trailing_zero_bytes_are_kept():
    assert array_of_data([b"a\0", b"bcd"]).tolist() == [b"a\0", b"bcd"]


def test_values_in_lists_tell_their_dtypes():
    assert list(dtypes_in(np.zeros(2))) == [np.float64]
    assert list(dtypes_in([1, [np.float32(1)], [2, 3]])) == [np.float32]
    assert list(dtypes_in([])) == []


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([np.float32(1), 2], np.float32),
        ([0.1, np.float32(1)], np.float32),
        ([np.uint8(1), 2], np.uint8),
        ([np.uint8(1), 300], np.int64),
        ([np.int64(1), 2.5], np.float64),
        ([np.int8(1), np.int16(2)], np.int16),
        ([[np.int64(1)], [2]], np.int64),
        ([True, np.int8(1)], np.int8),
    ],
)
def test_python_numbers_beside_others_take_their_dtype_if_they_fit(values, dtype):
    assert array_of_data(values).dtype == dtype
