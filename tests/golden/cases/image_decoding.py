"""image_decoding: the bytes of images to pixels, and back."""

from pathlib import Path

import numpy as np

from tests.golden.case import each

FILES = {
    path.name: path.read_bytes()
    for path in sorted((Path(__file__).parents[1] / "files" / "image").iterdir())
    if path.suffix != ".py" and path.is_file()
}
# TensorFlow 2.21 writes over its own memory when it decodes frames of WebP: often it dies.
del FILES["moving.webp"]


def named(*endings):
    return [name for name in FILES if name.endswith(endings)]


@each(file=list(FILES))
def case_decode_image(tf, file):
    return tf.io.decode_image(FILES[file])


@each(
    file=["s420.jpg", "gray.jpg", "rgb16.png", "ga8.png", "p4_alpha.png", "moving.gif", "rgb.bmp"],
    channels=[1, 2, 3, 4],
)
def case_decode_image_to_channels(tf, file, channels):
    return tf.image.decode_image(FILES[file], channels=channels)


@each(
    file=["s444.jpg", "rgb8.png", "g16.png", "one.gif", "gray.bmp", "lossless.webp"],
    dtype=["uint16", "float32", "float64", "int32"],
)
def case_decode_image_to_dtype(tf, file, dtype):
    return tf.io.decode_image(FILES[file], dtype=getattr(tf, dtype))


@each(file=["one.gif", "moving.gif", "lossy.webp", "s420.jpg", "rgba.bmp"])
def case_first_frame(tf, file):
    return tf.io.decode_image(FILES[file], expand_animations=False)


@each(file=named(".png"), channels=[1, 3, 4], dtype=["uint8", "uint16"])
def case_decode_png(tf, file, channels, dtype):
    return tf.io.decode_png(FILES[file], channels=channels, dtype=getattr(tf, dtype))


FUNCTIONS = ["decode_jpeg", "decode_png", "decode_gif", "decode_bmp", "decode_webp"]


@each(
    function=FUNCTIONS,
    file=["s420.jpg", "rgba8.png", "rgb8.png", "one.gif", "moving.gif", "rgb.bmp", "alpha.webp"],
)
def case_functions_for_one_format_take_others(tf, function, file):
    return getattr(tf.io, function)(FILES[file])


@each(file=["s420.jpg", "s444.jpg", "gray.jpg"], ratio=[2, 4, 8, 3])
def case_decode_jpeg_smaller(tf, file, ratio):
    return tf.io.decode_jpeg(FILES[file], ratio=ratio)


SETTINGS = {
    "gray": {"channels": 1},
    "color": {"channels": 3},
    "plain_upscaling": {"fancy_upscaling": False},
    "fast": {"dct_method": "INTEGER_FAST"},
    "accurate": {"dct_method": "INTEGER_ACCURATE"},
    "unknown_method": {"dct_method": "FLOAT"},
    "fraction": {"acceptable_fraction": 0.5},
    "four": {"channels": 4},
}


@each(file=["s420.jpg", "s422.jpg", "gray.jpg", "progressive.jpg", "cmyk.jpg"], how=list(SETTINGS))
def case_decode_jpeg(tf, file, how):
    return tf.image.decode_jpeg(FILES[file], **SETTINGS[how])


@each(file=["no_end.jpg", "early_end.jpg", "head.jpg"])
def case_recover(tf, file):
    return tf.io.decode_jpeg(FILES[file], try_recover_truncated=True)


WINDOWS = {
    "part": [3, 5, 6, 7],
    "all": [0, 0, 13, 17],
    "outside": [0, 0, 14, 17],
    "negative": [-1, 0, 5, 5],
    "empty": [0, 0, 0, 5],
    "three": [0, 0, 5],
}


@each(window=list(WINDOWS))
def case_decode_and_crop(tf, window):
    return tf.io.decode_and_crop_jpeg(FILES["s444.jpg"], WINDOWS[window], channels=3)


EDGES = [[0, 0, 8, 8], [2, 3, 5, 9], [4, 2, 3, 4], [6, 15, 4, 2], [5, 16, 7, 1], [1, 5, 3, 1]]


@each(file=["s420.jpg", "s422.jpg"], channels=[0, 1], number=list(range(len(EDGES))))
def case_colours_at_the_edges_of_a_part(tf, file, channels, number):
    return tf.io.decode_and_crop_jpeg(FILES[file], EDGES[number], channels=channels)


def case_crop_no_jpeg(tf):
    return tf.io.decode_and_crop_jpeg(FILES["rgb8.png"], [0, 0, 2, 2])


@each(file=named(".jpg", "rgb8.png", ".bin"))
def case_extract_jpeg_shape(tf, file):
    return tf.io.extract_jpeg_shape(FILES[file])


def case_extract_jpeg_shape_as_int64(tf):
    return tf.image.extract_jpeg_shape(FILES["gray.jpg"], output_type=tf.int64)


def case_is_jpeg(tf):
    return tf.io.is_jpeg([FILES["s420.jpg"], FILES["head.jpg"], FILES["rgb8.png"], b"", b"\xff"])


def case_is_jpeg_of_one(tf):
    return tf.image.is_jpeg(FILES["s420.jpg"])


@each(function=["decode_jpeg", "decode_image", "extract_jpeg_shape"])
def case_several_at_once(tf, function):
    return getattr(tf.io, function)([FILES["s420.jpg"]] * 2)


@each(function=["decode_jpeg", "decode_image", "is_jpeg"])
def case_no_bytes(tf, function):
    return getattr(tf.io, function)(5)


IMAGE = np.random.default_rng(3).integers(0, 256, (9, 11, 4)).astype(np.uint8)
WRITING = {
    "plain": {},
    "quality": {"quality": 40},
    "worst": {"quality": 0},
    "best": {"quality": 100},
    "progressive": {"progressive": True},
    "optimized": {"optimize_size": True},
    "full_chroma": {"chroma_downsampling": False},
    "density": {"density_unit": "cm", "x_density": 72, "y_density": 10},
    "xmp": {"xmp_metadata": "<x/>"},
    "quality_too_large": {"quality": 101},
    "unknown_unit": {"density_unit": "m"},
    "rgb": {"format": "rgb"},
    "grayscale": {"format": "grayscale"},
}


@each(how=list(WRITING), channels=[1, 3])
def case_encode_jpeg(tf, how, channels):
    return tf.io.encode_jpeg(IMAGE[..., :channels], **WRITING[how])


@each(shape=[(4, 5), (4, 5, 2), (4, 5, 4), (2, 4, 5, 3), (0, 5, 3)])
def case_encode_jpeg_of_shape(tf, shape):
    return tf.io.encode_jpeg(np.zeros(shape, np.uint8))


@each(channels=[1, 2, 3, 4], dtype=["uint8", "uint16"], compression=[-1, 0, 9])
def case_encode_png(tf, channels, dtype, compression):
    image = IMAGE[..., :channels].astype(dtype) * 200
    return tf.io.decode_png(
        tf.io.encode_png(image, compression=compression), dtype=getattr(tf, dtype)
    )


def case_encode_several_png(tf):
    several = tf.io.encode_png(np.stack([IMAGE, IMAGE[::-1]])[None])
    return several.shape[0], several.shape[1], tf.io.decode_png(several[0, 1])


@each(shape=[(4, 5), (4, 5, 5)])
def case_encode_png_of_shape(tf, shape):
    return tf.io.encode_png(np.zeros(shape, np.uint8))


@each(compression=[-2, 10])
def case_encode_png_refused(tf, compression):
    return tf.io.encode_png(IMAGE, compression=compression)


@each(function=["encode_png", "encode_jpeg"])
def case_encode_floats(tf, function):
    return getattr(tf.io, function)(tf.zeros((4, 5, 3)))


JPEGS = np.array([FILES["s420.jpg"], FILES["s444.jpg"], FILES["s422.jpg"]], object)


@each(
    function=["decode_jpeg", "decode_png", "decode_image", "decode_gif"],
)
def case_map(tf, function):
    ds = tf.data.Dataset.from_tensor_slices(JPEGS)
    return ds.map(lambda data: getattr(tf.io, function)(data))


def case_map_sizes(tf):
    names = ["s420.jpg", "rgb8.png", "one.gif", "s444.jpg"]
    ds = tf.data.Dataset.from_tensor_slices(np.array([FILES[name] for name in names], object))
    return ds.map(lambda data: (tf.io.decode_jpeg(data, channels=3), tf.io.is_jpeg(data)))


def case_map_batched(tf):
    ds = tf.data.Dataset.from_tensor_slices(JPEGS)
    return ds.map(lambda data: tf.io.decode_jpeg(data, channels=1)).batch(2)


def case_map_damaged(tf):
    names = ["s420.jpg", "s444.jpg", "cut.jpg", "s422.jpg"]
    ds = tf.data.Dataset.from_tensor_slices(np.array([FILES[name] for name in names], object))
    return ds.map(lambda data: tf.io.decode_jpeg(data, channels=3))


def case_map_there_and_back(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.stack([IMAGE, IMAGE[::-1]])[..., :3])
    return ds.map(lambda image: tf.io.decode_jpeg(tf.io.encode_jpeg(image, quality=80)))


def case_map_cropped(tf):
    windows = [[1, 2, 3, 4], [0, 0, 5, 6]]
    ds = tf.data.Dataset.from_tensor_slices((JPEGS[[1, 1]], windows))
    return ds.map(lambda data, window: tf.io.decode_and_crop_jpeg(data, window, channels=3))


def case_map_shapes(tf):
    ds = tf.data.Dataset.from_tensor_slices(JPEGS)
    return ds.map(lambda data: tf.io.extract_jpeg_shape(data)[:2] * 2)
