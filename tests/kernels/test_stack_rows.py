"""Many small arrays as the rows of one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.stack_rows import stack_rows, stack_rows_twin

BOTH = pytest.mark.parametrize("stack", [stack_rows, stack_rows_twin])
DTYPES = ["u1", "?", "f2", "i4", ">i4", "f8", "c16", "M8[s]", "S3", "U2", "i4,f8", "O"]
ARRAYS = st.builds(
    lambda dtype, shape, first: (
        (np.arange(np.prod(shape, dtype=int)) + first).reshape(shape).astype(dtype)
    ),
    st.sampled_from(DTYPES),
    st.sampled_from([(), (0,), (1,), (3,), (2, 2)]),
    st.integers(0, 20),
)


@given(ARRAYS, st.integers(1, 10))
def test_native_equals_twin(array, count):
    arrays = [array.copy() for _ in range(count)]

    stacked, expected = stack_rows(arrays), stack_rows_twin(arrays)

    assert (stacked.dtype, stacked.shape) == (expected.dtype, expected.shape)
    assert np.array_equal(stacked, expected)


@given(ARRAYS, ARRAYS)
def test_native_refuses_what_the_twin_refuses(first, second):
    stacked, expected = stack_rows([first, second]), stack_rows_twin([first, second])

    assert (stacked is None) == (expected is None)
    assert expected is None or np.array_equal(stacked, expected)


@BOTH
def test_rows_keep_their_order(stack):
    assert stack([np.array([i, -i]) for i in range(3)]).tolist() == [[0, 0], [1, -1], [2, -2]]


@BOTH
def test_arrays_that_lie_apart_are_stacked(stack):
    table = np.arange(6).reshape(2, 3)

    assert stack([table[:, 0], table[:, 2]]).tolist() == [[0, 3], [2, 5]]


@BOTH
def test_the_copy_may_be_changed(stack):
    row = np.arange(2)
    row.flags.writeable = False

    stacked = stack([row, row])
    stacked += 1

    assert stacked.tolist() == [[1, 2], [1, 2]]
    assert row.tolist() == [0, 1]


@BOTH
@pytest.mark.parametrize("other", [np.zeros(3), np.zeros((1, 2)), np.zeros(2, np.float32)])
def test_arrays_that_differ_are_not_stacked(stack, other):
    assert stack([np.zeros(2), np.zeros(2), other]) is None
