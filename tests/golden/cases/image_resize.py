"""image_resize: images of another size."""

import numpy as np

from tests.golden.case import each, spec_of_results

DRAWS = np.random.default_rng(7)
BYTES = DRAWS.integers(0, 256, (7, 9, 3)).astype(np.uint8)
FLOATS = DRAWS.normal(size=(7, 9, 2)).astype(np.float32)
BATCH = DRAWS.integers(0, 256, (2, 5, 6, 1)).astype(np.uint8)
FOUR = DRAWS.integers(0, 256, (5, 6, 4)).astype(np.uint8)
IMAGES = {"bytes": BYTES, "floats": FLOATS, "batch": BATCH, "four": FOUR}
EXACT = ["bilinear", "nearest", "bicubic", "area", "gaussian", "mitchellcubic"]
SIZES = [(3, 4), (10, 13), (3, 13), (1, 1), (7, 9)]
DTYPES = ["int8", "int16", "uint16", "int32", "int64", "float16", "float64", "uint8", "float32"]


@each(method=EXACT, antialias=[False, True], size=SIZES, image=list(IMAGES))
def case_resize(tf, method, antialias, size, image):
    return tf.image.resize(IMAGES[image], size, method=method, antialias=antialias)


@each(method=["lanczos3", "lanczos5"], antialias=[False, True], size=SIZES, image=list(IMAGES))
def case_resize_by_sines(tf, method, antialias, size, image):
    """To one part in 10,000: the sines of libraries differ in their last bit."""
    made = tf.image.resize(IMAGES[image], size, method=method, antialias=antialias)
    return np.round(np.asarray(made) / 2) * 2


@each(dtype=DTYPES, method=["bilinear", "nearest", "area"])
def case_dtype(tf, dtype, method):
    return tf.image.resize(BYTES[:3, :3].astype(dtype), [4, 2], method)


@each(size=[(4, 4), (20, 5), (14, 18), (1, 100), (3, 3)])
def case_preserve_aspect_ratio(tf, size):
    return tf.image.resize(BYTES, size, preserve_aspect_ratio=True)


@each(size=["tuple", "array", "int64"])
def case_size(tf, size):
    sizes = {"tuple": (2, 3), "array": np.array([2, 3], np.int32), "int64": np.int64([2, 3])}
    return tf.image.resize(BYTES, sizes[size])


@each(size=[(8, 8), (4, 12), (12, 4), (7, 9), (20, 21), (2, 2)], image=list(IMAGES))
def case_resize_with_pad(tf, size, image):
    return tf.image.resize_with_pad(IMAGES[image], *size)


@each(method=["nearest", "area"], antialias=[False, True])
def case_resize_with_pad_by(tf, method, antialias):
    return tf.image.resize_with_pad(BYTES, 5, 9, method=method, antialias=antialias)


WRONG = {
    "rank": lambda tf: tf.image.resize(BYTES[0], [2, 2]),
    "rank5": lambda tf: tf.image.resize(BATCH[None], [2, 2]),
    "size": lambda tf: tf.image.resize(BYTES, [2, 2, 2]),
    "size_number": lambda tf: tf.image.resize(BYTES, 2),
    "size_text": lambda tf: tf.image.resize(BYTES, "ab"),
    "size_floats": lambda tf: tf.image.resize(BYTES, [2.5, 3.0]),
    "size_zero": lambda tf: tf.image.resize(BYTES, [0, 2]),
    "size_negative": lambda tf: tf.image.resize(BYTES, [2, -1]),
    "method": lambda tf: tf.image.resize(BYTES, [2, 2], method="cubic"),
    "empty": lambda tf: tf.image.resize(BYTES[:0], [2, 2]),
    "bools": lambda tf: tf.image.resize(BYTES > 7, [2, 2]),
    "pad_zero": lambda tf: tf.image.resize_with_pad(BYTES, 0, 2),
    "pad_rank": lambda tf: tf.image.resize_with_pad(BYTES[0], 2, 2),
    "pad_flat": lambda tf: tf.image.resize_with_pad(np.zeros((1, 90, 1)), 5, 5),
}


@each(what=list(WRONG))
def case_wrong(tf, what):
    return WRONG[what](tf)


def _varied(tf):
    sizes = [(3, 4), (6, 5), (7, 9), (4, 4), (5, 7)] * 3

    def images():
        for height, width in sizes:
            yield BYTES[:height, :width]

    spec = tf.TensorSpec((None, None, 3), tf.uint8)
    return tf.data.Dataset.from_generator(images, output_signature=spec)


@each(method=["bilinear", "nearest", "area"])
def case_map_of_images_of_different_sizes(tf, method):
    return _varied(tf).map(lambda image: tf.image.resize(image, [3, 2], method))


def case_map_of_floats_of_different_sizes(tf):
    return _varied(tf).map(
        lambda image: tf.image.resize(tf.cast(image, tf.float32) / 255.0, [3, 2]) * 2.0 - 1.0
    )


@spec_of_results
def case_map_that_keeps_the_ratio(tf):
    return _varied(tf).map(lambda image: tf.image.resize(image, [4, 4], preserve_aspect_ratio=True))


def case_map_with_pad(tf):
    return _varied(tf).map(lambda image: tf.image.resize_with_pad(image, 4, 5))


def case_map_of_images_of_one_size(tf):
    images = tf.data.Dataset.from_tensor_slices(np.stack([BYTES[:4], BYTES[3:]] * 8))
    return images.map(lambda image: tf.image.resize(image, [2, 3]))


def case_map_of_batches(tf):
    images = tf.data.Dataset.from_tensor_slices(np.stack([BYTES[:4], BYTES[3:]] * 16)).batch(4)
    return images.map(lambda image: tf.image.resize(image, [2, 3], antialias=True))
