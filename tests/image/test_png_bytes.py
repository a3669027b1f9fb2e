import io

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps
from PIL import Image

from feedline.image.png_bytes import png_bytes

SHAPES = st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 4))


@given(image=nps.arrays(np.uint8, SHAPES), level=st.integers(-1, 9))
def test_another_reader_finds_the_same_pixels(image, level):
    found = np.asarray(Image.open(io.BytesIO(png_bytes(image, level))))

    assert np.array_equal(found.reshape(image.shape), image)


@given(image=nps.arrays(np.uint16, st.tuples(st.integers(1, 9), st.integers(1, 9), st.just(1))))
def test_another_reader_finds_the_same_sixteen_bits(image):
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(png_bytes(image)))), image[..., 0])
