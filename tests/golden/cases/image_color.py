"""image_color: colours of images, exactly but for gamma, YIQ, YUV and what is added up."""

import numpy as np

from tests.golden.case import each

INTEGERS = ["uint8", "int8", "uint16", "int16", "int32"]
DTYPES = [*INTEGERS, "float32", "float64"]
DELTAS = [-1.0, -0.37, 0.0, 0.1, 0.5, 1.0]


def image_of(dtype, shape=(4, 5, 3), seed=0):
    draws = np.random.default_rng(seed)
    if "int" in dtype:
        image = draws.integers(0, np.iinfo(dtype).max, shape, dtype)
    else:
        image = draws.random(shape).astype(dtype)
    # Grey, black, one colour, two equal channels: what formulas of hue divide by.
    image[..., 0, 0, :] = image[..., 0, 0, :1]
    image[..., 0, 1, :] = 0
    image[..., 0, 2, 1:] = 0
    image[..., 0, 3, 1:] = image[..., 0, 3, 1:2]
    image[..., 0, 4, :2] = image[..., 0, 4, :1]
    return image


def rounded(value, digits=5):
    array = np.asarray(value)
    if array.dtype.kind != "f":
        return array
    return array.astype(np.float64).round(digits).astype(array.dtype)


@each(dtype=DTYPES, delta=DELTAS)
def case_hue(tf, dtype, delta):
    return tf.image.adjust_hue(image_of(dtype), delta)


@each(dtype=DTYPES, factor=[0.0, 0.4, 1.0, 1.7, 100.0])
def case_saturation(tf, dtype, factor):
    return tf.image.adjust_saturation(image_of(dtype), factor)


@each(dtype=DTYPES, factor=[-1.0, 0.0, 0.4, 1.0, 1.7])
def case_contrast(tf, dtype, factor):
    return tf.image.adjust_contrast(image_of(dtype), factor)


@each(dtype=[*DTYPES, "float16"], delta=DELTAS)
def case_brightness(tf, dtype, delta):
    return tf.image.adjust_brightness(image_of(dtype), delta)


# Powers differ in the last digits: what is exact is what has few of them.
@each(dtype=["uint8", "int8", "float32", "float64"], gamma=[0, 1, 2, 0.5, 2.2], gain=[1, 1.25])
def case_gamma(tf, dtype, gamma, gain):
    return rounded(tf.image.adjust_gamma(image_of(dtype), gamma, gain), 4)


@each(name=["adjust_hue", "adjust_saturation", "adjust_contrast", "adjust_brightness"])
def case_images_along_first_axes(tf, name):
    return getattr(tf.image, name)(image_of("uint8", (2, 3, 4, 5, 3)), 0.3)


def case_brightness_of_each_channel(tf):
    return tf.image.adjust_brightness(image_of("uint8"), [0.1, -0.2, 0.3])


@each(dtype=[*DTYPES, "float16"])
def case_gray(tf, dtype):
    gray = tf.image.rgb_to_grayscale(image_of(dtype))
    if dtype == "uint16":  # which TensorFlow does not repeat
        return gray
    return [gray, tf.image.grayscale_to_rgb(gray)]


def case_gray_of_one_axis(tf):
    return tf.image.rgb_to_grayscale(tf.constant([255, 10, 20], tf.uint8))


SPACES = ["rgb_to_hsv", "hsv_to_rgb", "rgb_to_yiq", "yiq_to_rgb", "rgb_to_yuv", "yuv_to_rgb"]


@each(name=SPACES, dtype=["float32", "float64"])
def case_space(tf, name, dtype):
    return rounded(getattr(tf.image, name)(tf.constant(image_of(dtype, (2, 4, 5, 3)))))


@each(name=SPACES)
def case_space_of_integers(tf, name):
    return getattr(tf.image, name)(tf.constant(image_of("uint8")))


@each(name=["rgb_to_hsv", "hsv_to_rgb", "rgb_to_grayscale"])
def case_other_channels(tf, name):
    return getattr(tf.image, name)(tf.constant(image_of("float32"))[..., :2])


def case_gray_to_rgb_of_three_channels(tf):
    return tf.image.grayscale_to_rgb(tf.constant(image_of("float32")))


@each(name=["adjust_hue", "adjust_saturation", "adjust_contrast"])
def case_too_few_axes(tf, name):
    return getattr(tf.image, name)(image_of("float32")[0], 0.5)


@each(name=["adjust_hue", "adjust_saturation"])
def case_two_channels(tf, name):
    return getattr(tf.image, name)(image_of("float32")[..., :2], 0.5)


@each(delta=[1.1, -1.1])
def case_hue_by_more_than_a_turn(tf, delta):
    return tf.image.adjust_hue(image_of("float32"), delta)


def case_negative_gamma(tf):
    return tf.image.adjust_gamma(image_of("float32"), -1.0)


# ---- edges and similarity ----------------------------------------------------------------


@each(dtype=["uint8", "int16", "int32", "float32", "float64"])
def case_gradients(tf, dtype):
    return [rounded(part) for part in tf.image.image_gradients(tf.constant(image_of(dtype)[None]))]


@each(dtype=["float32", "float64"])
def case_sobel(tf, dtype):
    return rounded(tf.image.sobel_edges(tf.constant(image_of(dtype, (2, 4, 5, 2)))), 4)


@each(dtype=["int8", "int16", "int32", "float32"], shape=[(4, 5, 3), (2, 4, 5, 3)])
def case_total_variation(tf, dtype, shape):
    return rounded(tf.image.total_variation(tf.constant(image_of(dtype, shape))), 4)


@each(name=["sobel_edges", "total_variation"])
def case_unsigned(tf, name):
    return getattr(tf.image, name)(tf.constant(image_of("uint8")[None]))


@each(name=["sobel_edges", "image_gradients"])
def case_one_image_where_a_batch_is_needed(tf, name):
    return getattr(tf.image, name)(tf.constant(image_of("float32")))


def two_images(dtype, shape):
    one, noise = image_of(dtype, shape), image_of(dtype, shape, 1)
    return one, (one // 2 + noise // 2 if "int" in dtype else (one * 0.7 + noise * 0.3))


@each(dtype=["uint8", "uint16", "float32", "float64"], shape=[(5, 6, 3), (2, 5, 6, 3)])
def case_psnr(tf, dtype, shape):
    top = np.iinfo(dtype).max if "int" in dtype else 1.0
    one, two = two_images(dtype, shape)
    return rounded(tf.image.psnr(tf.constant(one), tf.constant(two), top), 4)


def case_psnr_of_equal_images(tf):
    image = tf.constant(image_of("uint8"))
    return tf.image.psnr(image, image, 255)


@each(dtype=["uint8", "float32"], shape=[(13, 14, 3), (2, 13, 14, 3)], size=[3, 4, 11])
def case_ssim(tf, dtype, shape, size):
    top = 255 if dtype == "uint8" else 1.0
    one, two = map(tf.constant, two_images(dtype, shape))
    return rounded(tf.image.ssim(one, two, top, size, 1.2, 0.02, 0.04), 4)


def case_ssim_at_every_place(tf):
    one, two = map(tf.constant, two_images("float32", (13, 14, 3)))
    return rounded(tf.image.ssim(one, two, 1.0, return_index_map=True), 4)


@each(shape=[(32, 35, 3), (2, 37, 33, 1)])
def case_ssim_multiscale(tf, shape):
    one, two = map(tf.constant, two_images("float32", shape))
    return rounded(tf.image.ssim_multiscale(one, two, 1.0, (0.3, 0.4, 0.3), 5), 4)


@each(name=["psnr", "ssim", "ssim_multiscale"])
def case_different_sizes(tf, name):
    one = tf.constant(image_of("float32", (13, 14, 3)))
    return getattr(tf.image, name)(one, one[:12], 1.0)


def case_ssim_of_small_images(tf):
    image = tf.constant(image_of("float32"))
    return tf.image.ssim(image, image, 1.0)
