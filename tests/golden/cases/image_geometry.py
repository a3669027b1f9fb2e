"""image_geometry: parts of images, images mirrored and turned, numbers in another range."""

import numpy as np

from tests.golden.case import each, found_when_run, spec_of_results

DRAWS = np.random.default_rng(8)
BYTES = DRAWS.integers(0, 256, (4, 6, 3)).astype(np.uint8)
ODD = DRAWS.integers(0, 99, (5, 3, 1)).astype(np.int32)
BATCH = DRAWS.normal(size=(2, 3, 5, 2)).astype(np.float32)
IMAGES = {"bytes": BYTES, "odd": ODD, "batch": BATCH}


def rounded(value):
    """Means are summed up in another order."""
    return np.round(np.asarray(value), 4)


DONE = {
    "crop": lambda tf, x: tf.image.crop_to_bounding_box(x, 1, 0, 2, 3),
    "crop_tensors": lambda tf, x: tf.image.crop_to_bounding_box(
        x, tf.constant(1), tf.constant(1), 2, 2
    ),
    "crop_all": lambda tf, x: tf.image.crop_to_bounding_box(x, 0, 0, *x.shape[-3:-1]),
    "half": lambda tf, x: tf.image.central_crop(x, 0.5),
    "third": lambda tf, x: tf.image.central_crop(x, 1 / 3),
    "most": lambda tf, x: tf.image.central_crop(x, 0.9),
    "whole": lambda tf, x: tf.image.central_crop(x, 1),
    "pad": lambda tf, x: tf.image.pad_to_bounding_box(x, 1, 2, 8, 9),
    "pad_nothing": lambda tf, x: tf.image.pad_to_bounding_box(x, 0, 0, *x.shape[-3:-1]),
    "crop_or_pad": lambda tf, x: tf.image.resize_with_crop_or_pad(x, 4, 4),
    "crop_or_pad_small": lambda tf, x: tf.image.resize_with_crop_or_pad(x, 2, 1),
    "crop_or_pad_large": lambda tf, x: tf.image.resize_with_crop_or_pad(x, 7, 9),
    "left_right": lambda tf, x: tf.image.flip_left_right(x),
    "up_down": lambda tf, x: tf.image.flip_up_down(x),
    "rot90": lambda tf, x: tf.image.rot90(x),
    "rot180": lambda tf, x: tf.image.rot90(x, k=2),
    "rot270": lambda tf, x: tf.image.rot90(x, 3),
    "rot0": lambda tf, x: tf.image.rot90(x, 4),
    "rot_back": lambda tf, x: tf.image.rot90(x, -1),
    "transpose": lambda tf, x: tf.image.transpose(x),
    "standardize": lambda tf, x: rounded(tf.image.per_image_standardization(x)),
}


@each(what=list(DONE), image=list(IMAGES))
def case_image(tf, what, image):
    return DONE[what](tf, IMAGES[image])


def case_standardize_one_number(tf):
    return tf.image.per_image_standardization(np.full((2, 3, 3), 7, np.uint8))


DTYPES = ["uint8", "int8", "uint16", "int16", "int32", "int64", "float16", "float32", "float64"]


@each(given=[d for d in DTYPES if d != "float16"], wanted=DTYPES, saturate=[False, True])
def case_convert_image_dtype(tf, given, wanted, saturate):
    image = np.array([0, 1, 3, 50, 127, 100], given)
    if np.dtype(given).kind == "f":
        image = np.array([0, 0.25, 0.5, 0.998, 0.1], given)
    return tf.image.convert_image_dtype(image, wanted, saturate)


@each(wanted=["uint8", "int8", "int16", "float32"])
def case_convert_half_floats(tf, wanted):
    """Those that reach: of larger ones TensorFlow makes something else on every machine."""
    return tf.image.convert_image_dtype(np.array([0, 0.25, 0.5, 0.998], np.float16), wanted)


@each(wanted=["uint8", "int16"])
def case_convert_beyond_the_limits(tf, wanted):
    image = np.array([-1.5, -0.1, 1.01, 7], np.float32)
    return tf.image.convert_image_dtype(image, wanted, saturate=True)


BOXES = np.array(
    [[0, 0, 1, 1], [0.2, 0.1, 0.7, 0.9], [0.8, 0.9, 0.1, 0], [-0.3, 0.5, 1.4, 1.2]], np.float32
)


@each(size=[(3, 4), (1, 1), (1, 5), (8, 2)], method=["bilinear", "nearest"], beyond=[0.0, -3.5])
def case_crop_and_resize(tf, size, method, beyond):
    return tf.image.crop_and_resize(BATCH, BOXES, [0, 1, 0, 1], size, method, beyond)


def case_crop_and_resize_bytes(tf):
    return tf.image.crop_and_resize(BYTES[None], BOXES[:2], [0, 0], [2, 2])


@each(
    sizes=[(1, 2, 2, 1), (1, 3, 1, 1)],
    strides=[(1, 1, 1, 1), (1, 2, 3, 1)],
    rates=[(1, 1, 1, 1), (1, 2, 2, 1)],
    padding=["VALID", "SAME"],
)
def case_extract_patches(tf, sizes, strides, rates, padding):
    images = np.arange(2 * 5 * 6 * 2).reshape(2, 5, 6, 2).astype(np.int32)
    return tf.image.extract_patches(images, sizes, strides, rates, padding)


WRONG = {
    "crop_outside": lambda tf: tf.image.crop_to_bounding_box(BYTES, 3, 0, 2, 3),
    "crop_wide": lambda tf: tf.image.crop_to_bounding_box(BYTES, 0, 4, 2, 3),
    "crop_negative": lambda tf: tf.image.crop_to_bounding_box(BYTES, -1, 0, 2, 3),
    "crop_nothing": lambda tf: tf.image.crop_to_bounding_box(BYTES, 0, 0, 0, 3),
    "crop_rank": lambda tf: tf.image.crop_to_bounding_box(BYTES[0], 0, 0, 1, 1),
    "central_zero": lambda tf: tf.image.central_crop(BYTES, 0.0),
    "central_large": lambda tf: tf.image.central_crop(BYTES, 1.1),
    "central_rank": lambda tf: tf.image.central_crop(BYTES[0], 0.5),
    "pad_small": lambda tf: tf.image.pad_to_bounding_box(BYTES, 0, 0, 3, 6),
    "pad_negative": lambda tf: tf.image.pad_to_bounding_box(BYTES, -1, 0, 9, 9),
    "crop_or_pad_zero": lambda tf: tf.image.resize_with_crop_or_pad(BYTES, 0, 6),
    "flip_rank": lambda tf: tf.image.flip_left_right(BYTES[0]),
    "rot_rank": lambda tf: tf.image.rot90(BYTES[0]),
    "transpose_rank": lambda tf: tf.image.transpose(BATCH[None]),
    "standardize_rank": lambda tf: tf.image.per_image_standardization(BYTES[0]),
    "convert_bool": lambda tf: tf.image.convert_image_dtype(BYTES, tf.bool),
    "convert_bools": lambda tf: tf.image.convert_image_dtype(BYTES > 7, tf.float32),
    "boxes_shape": lambda tf: tf.image.crop_and_resize(BATCH, BOXES[:, :3], [0] * 4, [2, 2]),
    "boxes_number": lambda tf: tf.image.crop_and_resize(BATCH, BOXES, [0] * 3, [2, 2]),
    "boxes_nan": lambda tf: tf.image.crop_and_resize(BATCH, BOXES * np.nan, [0] * 4, [2, 2]),
    "crop_size": lambda tf: tf.image.crop_and_resize(BATCH, BOXES, [0] * 4, [0, 2]),
    "crop_method": lambda tf: tf.image.crop_and_resize(BATCH, BOXES, [0] * 4, [2, 2], "area"),
    "crops_rank": lambda tf: tf.image.crop_and_resize(BYTES, BOXES, [0] * 4, [2, 2]),
    "patches_rank": lambda tf: tf.image.extract_patches(
        BYTES, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "SAME"
    ),
    "patches_padding": lambda tf: tf.image.extract_patches(
        BATCH, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "FULL"
    ),
}


@each(what=list(WRONG))
def case_wrong(tf, what):
    return WRONG[what](tf)


SIZES = [(3, 4), (4, 5), (4, 6), (2, 3), (4, 3)] * 3


def _varied(tf):
    def images():
        for height, width in SIZES:
            yield BYTES[:height, :width]

    spec = tf.TensorSpec((None, None, 3), tf.uint8)
    return tf.data.Dataset.from_generator(images, output_signature=spec)


@spec_of_results
@each(what=[name for name in DONE if name not in ("crop_all", "pad_nothing")])
def case_map_of_one_size(tf, what):
    images = np.stack([BYTES, BYTES[::-1]] * 8)
    if what == "standardize":
        return tf.data.Dataset.from_tensor_slices(images).map(
            lambda x: tf.round(tf.image.per_image_standardization(x) * 1000)
        )
    return tf.data.Dataset.from_tensor_slices(images).map(lambda x: DONE[what](tf, x))


@each(what=["half", "left_right", "up_down", "rot90", "rot180", "transpose", "pad", "crop_or_pad"])
def case_map_of_different_sizes(tf, what):
    return _varied(tf).map(lambda x: DONE[what](tf, x))


def case_map_that_crops_different_sizes(tf):
    return _varied(tf).map(lambda x: tf.image.crop_to_bounding_box(x, 1, 1, 1, 2))


def case_map_that_converts_different_sizes(tf):
    return _varied(tf).map(lambda x: tf.image.convert_image_dtype(x, tf.float32))


@found_when_run
def case_map_that_crops_too_much(tf):
    return _varied(tf).map(lambda x: tf.image.crop_to_bounding_box(x, 1, 1, 2, 2))
