"""resample_jpegs: the same as decoding each JPEG and resampling its pixels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.resample import resample
from feedline.kernels.resample_jpegs import (
    jpeg_sizes,
    jpeg_sizes_twin,
    resample_jpegs,
    resample_jpegs_twin,
)
from tests.kernels.test_jpeg import needs_it, pixels_of, reference, written


def run_of(jpegs):
    offsets = np.cumsum([2, *map(len, jpegs)])
    return np.frombuffer(b"xx" + b"".join(jpegs) + b"rest", np.uint8), offsets


def jpeg_of(seed, height, width, **settings):
    return written(pixels_of(seed, height, width, "walk"), **settings)


@needs_it
@given(
    st.lists(st.tuples(st.integers(5, 40), st.integers(5, 40)), min_size=1, max_size=5),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["bilinear", "nearest", "bicubic"]),
    st.sampled_from([1, 3]),
)
def test_results_are_those_of_decoding_and_resampling(sizes, cuts, mirrors, method, channels):
    jpegs = [jpeg_of(i, *size, subsampling=i % 3) for i, size in enumerate(sizes)]
    boxes = np.array([(1, 2, h - 2, w - 3) for h, w in sizes], np.int64) if cuts else None
    flips = np.arange(len(sizes), dtype=np.uint8) % 4 if mirrors else None
    after = [("divide", np.full(channels, 255, np.float32))]
    out = np.full((len(sizes), 9, 7, channels), np.nan, np.float32)
    data, offsets = run_of(jpegs)
    found = jpeg_sizes(data, offsets)
    done = resample_jpegs(data, offsets, found, out, method, False, boxes, flips, (), after)

    assert found.tolist() == [list(size) for size in sizes]
    assert done.dtype == bool
    assert done.all()
    for i, jpeg in enumerate(jpegs):
        one = slice(i, i + 1)
        expected = np.empty((1, 9, 7, channels), np.float32)
        resample(
            reference(jpeg, channels)[None],
            expected,
            method,
            False,
            None if boxes is None else boxes[one],
            None if flips is None else flips[one],
            (),
            after,
        )
        np.testing.assert_array_equal(out[i], expected[0])


@needs_it
def test_what_is_not_known_or_not_wanted_is_left_alone():
    jpegs = [jpeg_of(1, 20, 30), b"no JPEG", jpeg_of(2, 20, 30, progressive=True), jpeg_of(3, 9, 9)]
    jpegs.append(jpeg_of(4, 20, 30)[:-30] + b"\xff\xd9")
    data, offsets = run_of(jpegs)
    sizes = jpeg_sizes(data, offsets)
    assert sizes.tolist() == [[20, 30], [0, 0], [0, 0], [9, 9], [20, 30]]
    sizes[3] = 0
    out = np.zeros((5, 4, 4, 3), np.float32)

    assert resample_jpegs(data, offsets, sizes, out, "bilinear", False).tolist() == [1, 0, 0, 0, 0]


@needs_it
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"offsets": np.array([0, 5, 3])}, "offsets must rise"),
        ({"offsets": np.array([0, 1 << 40])}, "as many|offsets must rise"),
        ({"sizes": np.zeros(3, np.int64)}, "must be as many"),
        ({"boxes": np.zeros(3, np.int64)}, "a box for each"),
        ({"boxes": np.array([[0, 0, 21, 5]] * 2)}, "outside"),
        ({"flips": np.zeros(1, np.uint8)}, "a flip for each"),
        ({"out": np.zeros((3, 4, 4, 3), np.float32)}, "as many"),
        ({"out": np.zeros((2, 4, 4, 2), np.float32)}, "1 or 3 channels"),
        ({"out": np.zeros((2, 0, 4, 3), np.float32)}, "another size"),
    ],
    ids=str,
)
def test_arguments_that_do_not_fit_are_refused(changes, message):
    data, offsets = run_of([jpeg_of(1, 20, 30)] * 2)
    given_all = {
        "data": data,
        "offsets": offsets,
        "sizes": np.array([[20, 30]] * 2),
        "out": np.zeros((2, 4, 4, 3), np.float32),
        "method": "bilinear",
        "antialias": False,
    }
    with pytest.raises(ValueError, match=message):
        resample_jpegs(**{**given_all, **changes})


def test_the_twins_know_none():
    data, offsets = run_of([jpeg_of(1, 20, 30)] * 2)
    sizes, out = np.array([[20, 30]] * 2), np.zeros((2, 4, 4, 3), np.float32)

    assert jpeg_sizes_twin(data, offsets).tolist() == [[0, 0], [0, 0]]
    assert not resample_jpegs_twin(data, offsets, sizes, out, "bilinear", False).any()
