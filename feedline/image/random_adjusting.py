"""random_adjusting: colours of images changed at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.errors import BuildError
from feedline.image.adjusting import adjust_brightness, adjust_contrast
from feedline.image.hue_saturation import adjust_hue, adjust_saturation
from feedline.image.image_draws import checked_bounds, checked_seed
from feedline.random.drawn import uniform
from feedline.random.stateless import stateless_uniform

__all__ = [
    "random_brightness",
    "random_contrast",
    "random_hue",
    "random_saturation",
    "stateless_random_brightness",
    "stateless_random_contrast",
    "stateless_random_hue",
    "stateless_random_saturation",
]


# ---- brightness --------------------------------------------------------------------


def random_brightness(image: Any, max_delta: float, seed: int | None = None) -> Any:
    """Return images made brighter or darker by a random number; see adjust_brightness().

    Inside a transformation the draw depends on the element: the same on any number of
    workers, another one in the next epoch.

    Args:
        image: An image, or images along first axes, which all get the same number.
        max_delta: The number is from -max_delta up to max_delta. Not negative.
        seed: Makes the draws the same in every iteration.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.from_tensors(tf.zeros((2, 2, 3))).repeat(3)
        >>> ds = ds.map(lambda image: tf.image.random_brightness(image, 0.2))
        >>> len({float(image[0, 0, 0]) for image in ds})
        3
    """
    call = "random_brightness()"
    _check_delta(call, max_delta, None)
    return adjust_brightness(image, _drawn(call, -max_delta, max_delta, seed))


def stateless_random_brightness(image: Any, max_delta: float, seed: Any) -> Any:
    """Return images made brighter or darker by a number that is a function of the seed.

    Args:
        image: An image, or images along first axes.
        max_delta: The number is from -max_delta up to max_delta.
        seed: Two integers.

    Example:
        >>> import numpy as np
        >>> stateless_random_brightness(np.zeros((1, 1, 1), np.float32), 0.2, (1, 2))
        array([[[0.13762416]]], dtype=float32)
    """
    _check_delta("stateless_random_brightness()", max_delta, None)
    return adjust_brightness(image, stateless_uniform((), seed, -max_delta, max_delta))


# ---- contrast -----------------------------------------------------------------------


def random_contrast(image: Any, lower: float, upper: float, seed: int | None = None) -> Any:
    """Return images with their contrast changed by a random factor; see adjust_contrast().

    Args:
        image: An image, or images along first axes, which all get the same factor.
        lower: The lowest factor, not negative.
        upper: What the factor is below.
        seed: Makes the draws the same in every iteration; see random_brightness().
    """
    checked_bounds("random_contrast()", lower, upper)
    return adjust_contrast(image, _drawn("random_contrast()", lower, upper, seed))


def stateless_random_contrast(image: Any, lower: float, upper: float, seed: Any) -> Any:
    """Return images with their contrast changed by a factor that is a function of the seed.

    Args:
        image: An image, or images along first axes.
        lower: The lowest factor, not negative.
        upper: What the factor is below.
        seed: Two integers.
    """
    checked_bounds("stateless_random_contrast()", lower, upper)
    return adjust_contrast(image, stateless_uniform((), seed, lower, upper))


# ---- hue and saturation ----------------------------------------------------------------


def random_hue(image: Any, max_delta: float, seed: int | None = None) -> Any:
    """Return RGB images with their hue turned by a random part of a turn; see adjust_hue().

    Args:
        image: An image, or images along first axes, which all get the same turn.
        max_delta: From 0 to 0.5; the part is from -max_delta up to max_delta.
        seed: Makes the draws the same in every iteration; see random_brightness().
    """
    _check_delta("random_hue()", max_delta, 0.5)
    return adjust_hue(image, _drawn("random_hue()", -max_delta, max_delta, seed))


def stateless_random_hue(image: Any, max_delta: float, seed: Any) -> Any:
    """Return RGB images with their hue turned by what is a function of the seed.

    Args:
        image: An image, or images along first axes.
        max_delta: From 0 to 0.5; the part is from -max_delta up to max_delta.
        seed: Two integers.
    """
    _check_delta("stateless_random_hue()", max_delta, 0.5)
    return adjust_hue(image, stateless_uniform((), seed, -max_delta, max_delta))


def random_saturation(image: Any, lower: float, upper: float, seed: int | None = None) -> Any:
    """Return RGB images with their saturation changed by a random factor.

    Args:
        image: An image, or images along first axes, which all get the same factor.
        lower: The lowest factor, not negative.
        upper: What the factor is below.
        seed: Makes the draws the same in every iteration; see random_brightness().
    """
    checked_bounds("random_saturation()", lower, upper)
    return adjust_saturation(image, _drawn("random_saturation()", lower, upper, seed))


def stateless_random_saturation(image: Any, lower: float, upper: float, seed: Any = None) -> Any:
    """Return RGB images with their saturation changed by a factor that is a function of the seed.

    Args:
        image: An image, or images along first axes.
        lower: The lowest factor, not negative.
        upper: What the factor is below.
        seed: Two integers.
    """
    call = "stateless_random_saturation()"
    checked_bounds(call, lower, upper)
    if seed is None:
        raise BuildError(f"{call}: seed must be two integers, got None. For example (1, 2).")
    return adjust_saturation(image, stateless_uniform((), seed, lower, upper))


# ---- checks ----------------------------------------------------------------------------------


def _drawn(call: str, lower: float, upper: float, seed: Any) -> Any:
    return uniform((), lower, upper, np.float32, checked_seed(call, seed))


def _check_delta(call: str, delta: float, most: float | None) -> None:
    if most is not None and delta > most:
        raise BuildError(f"{call}: max_delta must be at most {most}, got {delta}.")
    if delta < 0:
        raise BuildError(f"{call}: max_delta must not be negative, got {delta}.")
