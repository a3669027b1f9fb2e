"""Rows of one length that lie anywhere in a file."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.read_rows import read_rows, read_rows_twin

BOTH = pytest.mark.parametrize("read", [read_rows, read_rows_twin])
CONTENT = bytes(range(100))


@pytest.fixture(scope="module")
def number(tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "file"
    path.write_bytes(CONTENT)
    number = os.open(path, os.O_RDONLY)
    yield number
    os.close(number)


@given(data=st.data())
def test_native_and_twin_read_what_lies_there(number, data):
    row_bytes = data.draw(st.integers(1, 9))
    starts = data.draw(st.lists(st.integers(-2, 110), max_size=12))
    rows = [CONTENT[start : start + row_bytes] if start >= 0 else b"" for start in starts]
    whole = next((i for i, row in enumerate(rows) if len(row) < row_bytes), len(rows))

    for read in (read_rows, read_rows_twin):
        out = np.zeros(len(starts) * row_bytes, np.uint8)
        assert read(number, np.array(starts, np.int64), row_bytes, out) == whole
        assert bytes(out[: whole * row_bytes]) == b"".join(rows[:whole])


@BOTH
def test_what_does_not_fit_is_refused(number, read):
    for size in (0, 5, 7):
        with pytest.raises(ValueError, match="out must have room"):
            read(number, np.array([0, 6]), 3, np.zeros(size, np.uint8))


@BOTH
def test_a_file_that_cannot_be_read_has_no_rows(read):
    assert read(1 << 20, np.array([0]), 3, np.zeros(3, np.uint8)) == 0
