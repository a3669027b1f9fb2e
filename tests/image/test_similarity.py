"""How alike two images are, against formulas written out."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import InvalidArgumentError


def pair(seed, shape, noise=0.3):
    draws = np.random.default_rng(seed)
    one = draws.random(shape).astype(np.float32)
    return one, (one * (1 - noise) + draws.random(shape) * noise).astype(np.float32)


@given(st.integers(0, 99))
def test_psnr_is_ten_logarithms_of_the_error(seed):
    one, two = pair(seed, (4, 5, 3))

    error = np.mean((one.astype(np.float64) - two) ** 2)
    assert tf.image.psnr(one, two, 1.0) == pytest.approx(-10 * math.log10(error), abs=1e-4)


def ssim_by_loops(one, two, size, sigma, k1, k2):
    places = np.arange(size) - (size - 1) / 2
    bell = np.exp(-(places[:, None] ** 2 + places**2) / (2 * sigma**2))
    bell /= bell.sum()
    found = []
    for y in range(one.shape[0] - size + 1):
        for x in range(one.shape[1] - size + 1):
            a, b = (i[y : y + size, x : x + size].astype(np.float64) for i in (one, two))
            mean_a, mean_b = (bell * a).sum(), (bell * b).sum()
            spread = (bell * (a * a + b * b)).sum() - mean_a**2 - mean_b**2
            together = (bell * a * b).sum() - mean_a * mean_b
            light = (2 * mean_a * mean_b + k1**2) / (mean_a**2 + mean_b**2 + k1**2)
            found.append(light * (2 * together + k2**2) / (spread + k2**2))
    return np.mean(found)


@settings(max_examples=15)
@given(st.integers(0, 99), st.integers(2, 5), st.floats(0.5, 2))
def test_ssim_is_that_of_windows_one_by_one(seed, size, sigma):
    one, two = pair(seed, (7, 6, 1))

    made = tf.image.ssim(one, two, 1.0, size, sigma)

    expected = ssim_by_loops(one[..., 0], two[..., 0], size, sigma, 0.01, 0.03)
    assert made == pytest.approx(expected, abs=1e-4)


def test_the_similarity_at_every_place_has_the_mean_of_the_whole():
    one, two = pair(0, (2, 15, 14, 3))

    places = tf.image.ssim(one, two, 1.0, return_index_map=True)

    assert places.shape == (2, 5, 4)
    assert np.allclose(places.mean((1, 2)), tf.image.ssim(one, two, 1.0), atol=1e-6)


def test_one_scale_is_ssim():
    one, two = pair(0, (2, 15, 14, 3), noise=0.1)

    made = tf.image.ssim_multiscale(one, two, 1.0, power_factors=[1.0])

    assert np.allclose(made, tf.image.ssim(one, two, 1.0), atol=1e-6)


@pytest.mark.parametrize("function", [tf.image.psnr, tf.image.ssim, tf.image.ssim_multiscale])
def test_more_noise_is_less_alike(function):
    rest = {} if function is tf.image.psnr else {"filter_size": 3}
    alike = [
        float(function(*pair(0, (64, 64, 3), noise), 1.0, **rest)) for noise in (0.1, 0.3, 0.6)
    ]

    assert alike == sorted(alike, reverse=True)


def test_the_ratio_of_bytes_and_floats_is_that_of_floats():
    image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    other = image[::-1] / np.float32(255)

    made = tf.image.psnr(image, other, 255)

    assert np.isclose(made, tf.image.psnr(image / np.float32(255), other, 1.0))
    assert np.isclose(made, tf.image.psnr(other, image, 1.0))


def test_images_that_cannot_be_compared_are_refused():
    image = np.zeros((12, 12, 3), np.float32)
    with pytest.raises(InvalidArgumentError, match=r"psnr\(\): images must have one size"):
        tf.image.psnr(image, image[:5], 1.0)
    with pytest.raises(InvalidArgumentError, match="must have one dtype"):
        tf.image.ssim(image, image.astype(np.float64), 1.0)
    with pytest.raises(InvalidArgumentError, match="at least filter_size=11"):
        tf.image.ssim(image[:9], image[:9], 1.0)
    with pytest.raises(InvalidArgumentError, match="max_val must be a single number"):
        tf.image.psnr(image, image, [1.0, 2.0])
