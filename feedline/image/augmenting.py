"""augmenting: RandAugment and TrivialAugment, random changes with nothing to search for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError, check_at_least
from feedline.graph.opaque import Opaque
from feedline.image.float_images import checked_image
from feedline.image.image_draws import unit_draws
from feedline.image.image_operation import image_operation
from feedline.image.pillow_changes import CHANGES, changed

__all__ = ["rand_augment", "trivial_augment"]

_NAMES = tuple(CHANGES)
_LEVELS = 31


def rand_augment(
    image: Any,
    num_layers: int = 2,
    magnitude: float = 9,
    fill: Any = 0,
    seed: int | None = None,
) -> Any:
    """Return an image after some random changes, all of one magnitude.

    "RandAugment: Practical automated data augmentation with a reduced search space" (Cubuk et
    al. 2019). Each of ``num_layers`` changes is one of fourteen, all equally likely: identity,
    autocontrast, equalize, rotate, solarize, color, posterize, contrast, brightness,
    sharpness, shear_x, shear_y, translate_x, translate_y. With ``m = magnitude / 10``, where
    10 is the highest of the paper's scale and gives the strongest change of AutoAugment's
    search space:

    ================== =====================================================
    rotate             30 m degrees, either way
    shear              0.3 m, either way
    translate          0.45 m of the image's width or height, either way
    color, contrast,   a factor 1 + 0.9 m or 1 - 0.9 m
    brightness,
    sharpness
    posterize          8 - 4 m bits stay
    solarize           pixels from 256 (1 - m) on are inverted
    ================== =====================================================

    Inside a transformation the draws depend on the element: the same on any number of
    workers, others in the next epoch.

    Args:
        image: uint8, [height, width, 1 or 3], or a batch of these, of which each is drawn for.
        num_layers: How many changes, one after the other: N of the paper.
        magnitude: How strong they are, from 0 to 10: M of the paper.
        fill: What comes in from outside of the image: a number, or one for each channel.
        seed: Makes the draws the same in every iteration.

    Example:
        >>> import numpy as np
        >>> rand_augment(np.zeros((8, 8, 3), np.uint8), num_layers=2, magnitude=9).shape
        (8, 8, 3)
    """
    call = "rand_augment()"
    layers = check_at_least(call, "num_layers", num_layers, 0)
    if not 0 <= magnitude <= 10:
        raise BuildError(
            f"{call}: magnitude must be from 0 to 10, the highest, got {magnitude}. "
            "What is counted up to 30 elsewhere must be divided by 3."
        )
    array = _given(call, image)
    draws = unit_draws(call, array, (layers, 2), seed)
    return _augmented(array, draws, "rand", float(magnitude) / 10, _fill(fill))


def trivial_augment(image: Any, fill: Any = 0, seed: int | None = None) -> Any:
    """Return an image after one random change of a random strength.

    "TrivialAugment: Tuning-free Yet State-of-the-Art Data Augmentation" (Müller and Hutter
    2021), with its wide search space: one of RandAugment's fourteen changes, and one of 31
    strengths ``m`` from 0 to 1, all equally likely:

    ================== =====================================================
    rotate             135 m degrees, either way
    shear              0.99 m, either way
    translate          32 m pixels, either way
    color, contrast,   a factor 1 + 0.99 m or 1 - 0.99 m
    brightness,
    sharpness
    posterize          8 - 6 m bits stay
    solarize           pixels from 256 (1 - m) on are inverted
    ================== =====================================================

    Args:
        image: uint8, [height, width, 1 or 3], or a batch of these, of which each is drawn for.
        fill: What comes in from outside of the image: a number, or one for each channel.
        seed: Makes the draws the same in every iteration; see rand_augment().

    Example:
        >>> import numpy as np
        >>> trivial_augment(np.zeros((8, 8, 3), np.uint8)).shape
        (8, 8, 3)
    """
    call = "trivial_augment()"
    array = _given(call, image)
    return _augmented(array, unit_draws(call, array, (1, 3), seed), "trivial", None, _fill(fill))


def _given(call: str, image: Any) -> Any:
    array = image if isinstance(image, Opaque) else given(image)
    if not isinstance(array, Opaque) and array.dtype != np.uint8:
        raise BuildTypeError(
            f"{call}: the image must be uint8, got {array.dtype}. "
            "Call it before convert_image_dtype()."
        )
    return array


def _fill(fill: Any) -> tuple[int, ...]:
    return tuple(int(value) for value in np.asarray(fill).reshape(-1))


# ---- changing ------------------------------------------------------------------------------


@image_operation()
def _augmented(
    image: Any, draws: Any, space: str, strength: float | None, fill: tuple[int, ...]
) -> Any:
    call = f"{space}_augment()"
    array = checked_image(call, image)
    if array.dtype != np.uint8 or array.shape[-1] not in (1, 3) or not array.size:
        raise InvalidArgumentError(
            f"{call}: the image must be uint8 with 1 or 3 channels and pixels, got "
            f"{array.dtype} of shape {list(array.shape)}."
        )
    if array.ndim == 4:
        one_by_one = [
            _augmented(one, its, space, strength, fill)
            for one, its in zip(array, draws, strict=True)
        ]
        return np.stack(one_by_one)
    made: NDArray[Any] = np.ascontiguousarray(array)
    for choice, direction, *level in draws.tolist():
        name = _NAMES[int(choice * len(_NAMES))]
        amount = int(level[0] * _LEVELS) / (_LEVELS - 1) if strength is None else strength
        sign = -1.0 if direction < 0.5 else 1.0
        made = changed(made, name, _strength(space, name, amount, sign, made.shape), fill)
    return made.copy()


def _strength(space: str, name: str, amount: float, sign: float, shape: tuple[int, ...]) -> float:
    """Return what a change of a name needs to be as strong as ``amount``, from 0 to 1."""
    wide = space == "trivial"
    kind = name.split("_")[0]
    if kind == "translate":
        side = shape[1] if name.endswith("x") else shape[0]
        return sign * amount * (32 if wide else 0.45 * side)
    return _FORMULAS[kind](amount, sign, wide)


_FORMULAS: dict[str, Callable[[float, float, bool], float]] = {
    "rotate": lambda amount, sign, wide: sign * amount * (135 if wide else 30),
    "shear": lambda amount, sign, wide: sign * amount * (0.99 if wide else 0.3),
    "posterize": lambda amount, _sign, wide: 8 - round(amount * (6 if wide else 4)),
    "solarize": lambda amount, _sign, _wide: 256 * (1 - amount),
    **dict.fromkeys(
        ("color", "contrast", "brightness", "sharpness"),
        lambda amount, sign, wide: 1 + sign * amount * (0.99 if wide else 0.9),
    ),
    **dict.fromkeys(("identity", "autocontrast", "equalize"), lambda _amount, _sign, _wide: 0.0),
}
