"""Colours of images: the same alone, in blocks, in a @function, and with different sizes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feedline as tf
from feedline import nest
from feedline.graph.same import same_values

I = tf.image  # noqa: E741

BYTES = {
    "brightness": lambda x: I.adjust_brightness(x, 0.2),
    "brightness by value": lambda x: I.adjust_brightness(x, x[0, 0, 0] / np.float32(512)),
    "contrast": lambda x: I.adjust_contrast(x, 1.4),
    "contrast by value": lambda x: I.adjust_contrast(x, contrast_factor=x[0, 0, 0] / 128),
    "gamma": lambda x: I.adjust_gamma(x, gamma=1.7, gain=1.1),
    "hue": lambda x: I.adjust_hue(x, 0.2),
    "hue by value": lambda x: I.adjust_hue(x, x[0, 0, 0] / np.float32(512)),
    "saturation": lambda x: I.adjust_saturation(x, 1.3, name="x"),
    "jpeg quality": lambda x: I.adjust_jpeg_quality(x, 50),
    "grey": lambda x: I.rgb_to_grayscale(x),
    "grey and back": lambda x: I.grayscale_to_rgb(I.rgb_to_grayscale(x)),
    "chain": lambda x: I.adjust_hue(I.adjust_brightness(I.adjust_saturation(x, 0.5), 0.1), 0.3),
    "seeded crop": lambda x: I.stateless_random_crop(x, [3, 2, 3], (1, 2)),
    "seed by value": lambda x: I.stateless_random_flip_up_down(x, x[0, 0, :2].astype(np.int32)),
    "seeded hue": lambda x: I.stateless_random_hue(x, 0.2, (5, x[0, 0, 0].astype(np.int32))),
    "gradients": lambda x: I.image_gradients(x[None]),
    "psnr": lambda x: I.psnr(x, x[::-1], 255),
}
FLOATS = {
    "hsv": lambda x: I.rgb_to_hsv(x),
    "rgb": lambda x: I.hsv_to_rgb(x),
    "yiq": lambda x: I.rgb_to_yiq(x),
    "from yiq": lambda x: I.yiq_to_rgb(x),
    "yuv": lambda x: I.rgb_to_yuv(x),
    "from yuv": lambda x: I.yuv_to_rgb(x),
    "sobel": lambda x: I.sobel_edges(x[None]),
    "variation": lambda x: I.total_variation(x),
    "ssim": lambda x: I.ssim(x, x * 0.5, 1.0, filter_size=3),
    "scales": lambda x: I.ssim_multiscale(x, x * 0.5, 1.0, (0.5, 0.5), filter_size=2),
}
ALL = {**BYTES, **FLOATS}
EVERY = pytest.mark.parametrize("name", ALL)


def image_of(name, draws, shape):
    image = draws.integers(0, 256, shape, np.uint8)
    return image if name in BYTES else (image / np.float32(255)).astype(np.float32)


def assert_same(found, wanted):
    pairs = list(zip(nest.flatten(found), nest.flatten(wanted), strict=True))
    assert [same_values(*pair) for pair in pairs] == [True] * len(pairs)


@EVERY
@settings(max_examples=3)
@given(seed=st.integers(0, 999))
def test_a_dataset_gives_what_eager_calls_give(name, seed):
    images = image_of(name, np.random.default_rng(seed), (70, 6, 5, 3))
    ds = tf.data.Dataset.from_tensor_slices(images).map(ALL[name])

    for found, image in zip(ds, images, strict=True):
        assert_same(found, ALL[name](image))


@EVERY
def test_a_dataset_runs_it_on_whole_blocks(name):
    images = image_of(name, np.random.default_rng(0), (70, 6, 5, 3))
    ds = tf.data.Dataset.from_tensor_slices(images).map(lambda x: (ALL[name](x), x + x))
    spec = ds.element_spec
    first = next(iter(ds))

    list(ds)

    assert "vectorised" in str(ds.explain())
    leaves = zip(nest.flatten(spec), nest.flatten(first), strict=True)
    assert all(leaf == tf.TensorSpec(np.shape(value), value.dtype) for leaf, value in leaves)


@EVERY
def test_a_dataset_of_large_images_gives_what_eager_calls_give(name):
    images = image_of(name, np.random.default_rng(0), (40, 70, 80, 3))
    ds = tf.data.Dataset.from_tensor_slices(images).map(ALL[name])

    for found, image in zip(ds, images, strict=True):
        assert_same(found, ALL[name](image))


@EVERY
def test_a_function_repeats_what_eager_calls_give(name):
    fn = tf.function(ALL[name])
    draws = np.random.default_rng(0)

    for _ in range(3):
        image = image_of(name, draws, (6, 5, 3))
        assert_same(fn(image), ALL[name](image))
    assert fn.experimental_get_tracing_count() == 1


@EVERY
def test_one_recording_of_a_function_serves_all_sizes(name):
    dtype = tf.uint8 if name in BYTES else tf.float32
    fn = tf.function(ALL[name], input_signature=[tf.TensorSpec([None, None, 3], dtype)])
    draws = np.random.default_rng(0)

    for shape in ((6, 5, 3), (9, 4, 3), (5, 12, 3)):
        image = image_of(name, draws, shape)
        assert_same(fn(image), ALL[name](image))
    assert fn.experimental_get_tracing_count() == 1


@EVERY
def test_images_of_different_sizes_are_worked_on_one_by_one(name):
    draws = np.random.default_rng(0)
    images = [image_of(name, draws, (4 + n % 5, 4 + n % 3, 3)) for n in range(45)]
    spec = tf.TensorSpec((None, None, 3), images[0].dtype)
    ds = tf.data.Dataset.from_generator(lambda: iter(images), output_signature=spec)

    for found, image in zip(ds.map(ALL[name]), images, strict=True):
        assert_same(found, ALL[name](image))


def test_an_error_of_one_image_names_the_element_and_spares_the_others():
    images = [np.zeros((4, 4, 3 if n != 2 else 1), np.uint8) for n in range(5)]
    spec = tf.TensorSpec((None, None, None), tf.uint8)
    ds = tf.data.Dataset.from_generator(lambda: iter(images), output_signature=spec)
    iterator = iter(ds.map(lambda image: I.adjust_hue(image, 0.1)))

    next(iterator), next(iterator)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must have 3 channels") as caught:
        next(iterator)

    assert any("element 2" in note for note in caught.value.__notes__)
    assert len(list(iterator)) == 2
