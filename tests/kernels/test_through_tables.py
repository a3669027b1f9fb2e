"""Bytes exchanged by tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from feedline.kernels.through_tables import through_tables, through_tables_twin

BOTH = pytest.mark.parametrize("through", [through_tables, through_tables_twin])
IMAGES = arrays.arrays(
    np.uint8, st.tuples(st.integers(0, 3), st.integers(0, 20), st.integers(1, 5))
)


@given(IMAGES, st.integers(0, 99))
def test_native_equals_twin(images, seed):
    shape = (len(images), images.shape[2], 256)
    tables = np.random.default_rng(seed).integers(0, 256, shape, np.uint8)

    made = through_tables(images, tables)

    assert made.shape == images.shape
    assert np.array_equal(made, through_tables_twin(images, tables))


@BOTH
def test_every_byte_is_looked_up(through):
    draws = np.random.default_rng(0)
    images = draws.integers(0, 256, (2, 7, 3), np.uint8)
    tables = draws.integers(0, 256, (2, 3, 256), np.uint8)

    made = through(images[:, ::-1], tables)

    for n, i, c in np.ndindex(images.shape):
        assert made[n, i, c] == tables[n, c, images[n, 6 - i, c]]


@BOTH
@pytest.mark.parametrize("shape", [(1, 3, 256), (2, 1, 256), (2, 3, 255), (2, 256)])
def test_other_tables_are_refused(through, shape):
    with pytest.raises(ValueError, match="a table for each channel"):
        through(np.zeros((2, 4, 3), np.uint8), np.zeros(shape, np.uint8))
