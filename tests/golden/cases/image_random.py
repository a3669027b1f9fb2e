"""image_random: augmentation with a seed, exactly TensorFlow's; and what is refused."""

import numpy as np

from tests.golden.case import each
from tests.golden.cases.image_color import image_of

SEEDS = [(1, 2), (2, 3), (-5, 2147483647), (1099511627776, -3), (7, 7)]
DTYPES = ["uint8", "int16", "float32"]


@each(seed=SEEDS, dtype=DTYPES)
def case_colors(tf, seed, dtype):
    image = image_of(dtype, (3, 5, 3))
    return [
        tf.image.stateless_random_brightness(image, 0.3, seed),
        tf.image.stateless_random_contrast(image, 0.2, 1.8, seed),
        tf.image.stateless_random_hue(image, 0.4, seed),
        tf.image.stateless_random_saturation(image, 0.2, 1.8, seed),
    ]


def smooth(channels):
    y, x = np.mgrid[:8, :9]
    return np.stack([20 * y + x, 250 - 30 * y, 9 * x * x], -1)[..., :channels].astype(np.uint8)


@each(quality=[0, 1, 30, 75, 100], channels=[1, 3])
def case_jpeg_quality(tf, quality, channels):
    return tf.image.adjust_jpeg_quality(smooth(channels), quality)


@each(dtype=["int8", "int16", "uint16", "float32", "float64"])
def case_jpeg_quality_of_other_dtypes(tf, dtype):
    image = tf.image.convert_image_dtype(smooth(3), getattr(tf, dtype))
    return tf.image.adjust_jpeg_quality(image, 60)


@each(seed=SEEDS)
def case_random_jpeg_quality(tf, seed):
    return tf.image.stateless_random_jpeg_quality(smooth(3), 5, 95, seed)


@each(quality=[-1, 101])
def case_jpeg_quality_out_of_range(tf, quality):
    return tf.image.adjust_jpeg_quality(smooth(3), quality)


@each(seed=SEEDS, dtype=DTYPES)
def case_crop(tf, seed, dtype):
    return tf.image.stateless_random_crop(image_of(dtype, (7, 9, 3)), [2, 3, 3], seed)


@each(seed=SEEDS)
def case_crop_of_any_array(tf, seed):
    return tf.image.stateless_random_crop(tf.constant(np.arange(60).reshape(10, 6)), [3, 2], seed)


@each(seed=SEEDS, shape=[(2, 3, 3), (6, 2, 3, 1)])
def case_flip(tf, seed, shape):
    image = image_of("uint8", (*shape[:-2], 5, 3))
    return [
        tf.image.stateless_random_flip_left_right(image, seed),
        tf.image.stateless_random_flip_up_down(image, seed),
    ]


@each(size=[[8, 2, 3], [2, 3]])
def case_crop_that_does_not_fit(tf, size):
    return tf.image.stateless_random_crop(image_of("uint8", (7, 9, 3)), size, (1, 2))


@each(
    call=[
        ("random_brightness", -0.1),
        ("random_hue", 0.6),
        ("random_hue", -0.1),
        ("random_contrast", 0.6, 0.5),
        ("random_contrast", -0.6, 0.5),
        ("random_saturation", 0.5, 0.5),
        ("random_saturation", -0.5, 0.5),
        ("random_jpeg_quality", -1, 50),
        ("random_jpeg_quality", 50, 101),
        ("random_jpeg_quality", 50, 50),
    ]
)
def case_wrong_bounds(tf, call):
    name, *bounds = call
    return getattr(tf.image, name)(image_of("uint8"), *bounds)


@each(shape=[(5, 3), (2, 2, 4, 5, 3)])
def case_flip_of_other_axes(tf, shape):
    return tf.image.random_flip_left_right(np.zeros(shape, np.uint8))


def in_a_map(tf, function):
    images = np.stack([image_of("uint8", (4, 5, 3), seed) for seed in range(6)])
    ds = tf.data.Dataset.from_tensor_slices((images, np.arange(6)))
    return ds.map(lambda image, number: function(image, tf.stack([number, 5])))


@each(name=["brightness", "hue"])
def case_map_of_colors(tf, name):
    change = getattr(tf.image, f"stateless_random_{name}")
    return in_a_map(tf, lambda image, seed: change(image, 0.3, seed))


@each(name=["flip_left_right", "flip_up_down"])
def case_map_of_flips(tf, name):
    return in_a_map(tf, getattr(tf.image, f"stateless_random_{name}"))


def case_map_of_crops(tf):
    return in_a_map(tf, lambda image, seed: tf.image.stateless_random_crop(image, [2, 3, 3], seed))
