"""Normal numbers: the twin's bit for bit, accurate, the same alone and in any block."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from feedline.kernels.box_muller import (
    box_muller_float32,
    box_muller_float32_twin,
    box_muller_float64,
    box_muller_float64_twin,
)
from feedline.kernels.philox import philox_stream

FLOAT32 = pytest.mark.parametrize("normals_of", [box_muller_float32, box_muller_float32_twin])
FLOAT64 = pytest.mark.parametrize("normals_of", [box_muller_float64, box_muller_float64_twin])
# Where the logarithm, the square root and the quarters of the circle have their corners.
CORNERS = np.array([0, 1, 2**20 - 1, 2**20, 2**21, 2**22, 2**23 - 1, 2**23, 2**32 - 1], np.uint32)
EVERY_CORNER = np.array(np.meshgrid(*[CORNERS] * 4)).reshape(4, -1).T.reshape(-1)
WORDS = hnp.arrays(np.uint32, st.integers(0, 40).map(lambda n: 4 * n))


@given(WORDS)
def test_native_equals_twin(words):
    floats, doubles = box_muller_float32(words), box_muller_float64(words)

    assert (floats.dtype, doubles.dtype) == (np.float32, np.float64)
    assert floats.tobytes() == box_muller_float32_twin(words).tobytes()
    assert doubles.tobytes() == box_muller_float64_twin(words).tobytes()


def test_native_equals_twin_at_every_corner():
    floats, doubles = box_muller_float32(EVERY_CORNER), box_muller_float64(EVERY_CORNER)

    assert floats.tobytes() == box_muller_float32_twin(EVERY_CORNER).tobytes()
    assert doubles.tobytes() == box_muller_float64_twin(EVERY_CORNER).tobytes()


@FLOAT32
def test_floats_are_as_exact_as_floats_can_be(normals_of):
    words = np.concatenate([EVERY_CORNER, philox_stream(1, 2, 0, 4000)])
    fractions = (words & 0x7FFFFF) / 2**23
    angles = (2 * math.pi * fractions[1::2]).astype(np.float32).tolist()
    radii = [math.sqrt(-2 * math.log(max(u, 1e-7))) for u in fractions[0::2]]

    expected = [
        part(v) * r for v, r in zip(angles, radii, strict=True) for part in (math.sin, math.cos)
    ]
    np.testing.assert_allclose(normals_of(words), expected, rtol=3e-7, atol=1e-12)


@FLOAT64
def test_doubles_are_as_exact_as_doubles_can_be(normals_of):
    words = np.concatenate([EVERY_CORNER, philox_stream(1, 2, 0, 4000)]).astype(np.uint64)
    fractions = ((words[0::2] & 0xFFFFF) * 2**32 + words[1::2]) / 2**52
    radii = [math.sqrt(-2 * math.log(max(u, 1e-7))) for u in fractions[0::2].tolist()]
    angles = [2 * math.pi * u for u in fractions[1::2].tolist()]

    expected = [
        part(v) * r for v, r in zip(angles, radii, strict=True) for part in (math.sin, math.cos)
    ]
    np.testing.assert_allclose(normals_of(words.astype(np.uint32)), expected, rtol=1e-15)


@FLOAT32
@given(words=WORDS)
def test_a_pair_of_floats_is_the_same_alone_and_in_any_block(normals_of, words):
    alone = [normals_of(words[i : i + 2]) for i in range(0, len(words), 2)]

    assert normals_of(words).tobytes() == b"".join(pair.tobytes() for pair in alone)


@FLOAT64
@given(words=WORDS)
def test_a_pair_of_doubles_is_the_same_alone_and_in_any_block(normals_of, words):
    alone = [normals_of(words[i : i + 4]) for i in range(0, len(words), 4)]

    assert normals_of(words).tobytes() == b"".join(pair.tobytes() for pair in alone)


@FLOAT32
def test_floats_need_an_even_number_of_words(normals_of):
    with pytest.raises(ValueError, match="must be even"):
        normals_of(np.zeros(3, np.uint32))


@FLOAT64
def test_doubles_need_words_by_the_four(normals_of):
    with pytest.raises(ValueError, match="a multiple of 4"):
        normals_of(np.zeros(6, np.uint32))
