"""Values of different lengths side by side."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.pad_rows import pad_rows, pad_rows_twin

BOTH = pytest.mark.parametrize("pad", [pad_rows, pad_rows_twin])
DTYPES = ["u1", "?", "i2", "f2", "i4", "f4", "i8", "u8", "f8", "c8", "c16", "M8[s]", "S3", "O"]


@given(
    st.sampled_from(DTYPES),
    st.sampled_from([(), (1,), (3,), (2, 2), (0,)]),
    st.lists(st.integers(0, 9), max_size=20),
    st.integers(0, 3),
    st.integers(0, 100),
)
def test_native_equals_twin(dtype, inner, lengths, more, fill):
    splits = np.cumsum([2, *lengths])
    out_len = max(lengths, default=0) + more
    values = np.zeros((splits[-1] + 2, *inner), dtype)
    values.reshape(-1)[:] = np.arange(values.size).astype(dtype)

    padded = pad_rows(values, splits, out_len, fill)
    expected = pad_rows_twin(values, splits, out_len, fill)

    assert padded.dtype == values.dtype
    assert padded.shape == (len(lengths), out_len, *inner)
    assert np.array_equal(padded, expected)


@BOTH
def test_a_fill_of_several_bytes_is_whole_in_every_place(pad):
    padded = pad(np.array([1.5]), np.array([0, 1, 1]), 3, -0.1)

    assert padded.tolist() == [[1.5, -0.1, -0.1], [-0.1, -0.1, -0.1]]


@BOTH
def test_a_fill_that_does_not_fit_the_dtype_is_refused(pad):
    with pytest.raises(OverflowError):
        pad(np.zeros(1, np.uint8), np.array([0, 1]), 3, 300)


@BOTH
@pytest.mark.parametrize("splits", [[0, 9], [-1, 2], [3, 1], [0, 3, 1], [2**63 - 1, 0], []])
def test_splits_outside_the_values_are_refused(pad, splits):
    with pytest.raises(ValueError, match="splits"):
        pad(np.arange(4), np.array(splits, np.int64), 4, 0)


@BOTH
@pytest.mark.parametrize("out_len", [2, 0, -1])
def test_a_value_that_is_too_long_is_refused(pad, out_len):
    with pytest.raises(ValueError, match="out_len"):
        pad(np.arange(4), np.array([0, 1, 4]), out_len, 0)
