"""pillow_changes: the changes of AutoAugment and its followers, done by Pillow.

Each takes an image and a strength. Strengths are what the operation's own formula needs:
degrees, pixels, bits, factors. Pixels that come from outside of the image get ``fill``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageEnhance, ImageOps

from feedline.errors import BuildError

__all__ = ["CHANGES", "changed"]

Change = Callable[[Image.Image, float, Any], Image.Image]


def changed(image: NDArray[np.uint8], name: str, strength: float, fill: Any) -> NDArray[np.uint8]:
    """Return an image [height, width, 1 or 3] after one change."""
    gray = image.shape[2] == 1
    picture = Image.fromarray(image[..., 0] if gray else image)
    paint = _paint(fill, image.shape[2])
    made = np.asarray(CHANGES[name](picture, strength, paint))
    return made[..., None] if gray else made


def _paint(fill: Any, channels: int) -> Any:
    values = [int(value) for value in np.asarray(fill).reshape(-1)]
    if len(values) not in (1, channels) or not all(0 <= value <= 255 for value in values):
        raise BuildError(
            f"fill must be a number from 0 to 255, or one for each of {channels} channels, got "
            f"{fill!r}."
        )
    values = values * channels if len(values) == 1 else values
    return values[0] if channels == 1 else tuple(values)


def _moved(picture: Image.Image, matrix: tuple[float, ...], fill: Any) -> Image.Image:
    return picture.transform(
        picture.size,
        Image.Transform.AFFINE,
        matrix,
        resample=Image.Resampling.NEAREST,
        fillcolor=fill,
    )


def _rotated(picture: Image.Image, degrees: float, fill: Any) -> Image.Image:
    return picture.rotate(degrees, resample=Image.Resampling.NEAREST, fillcolor=fill)


def _sheared_x(picture: Image.Image, strength: float, fill: Any) -> Image.Image:
    return _moved(picture, (1, strength, 0, 0, 1, 0), fill)


def _sheared_y(picture: Image.Image, strength: float, fill: Any) -> Image.Image:
    return _moved(picture, (1, 0, 0, strength, 1, 0), fill)


def _translated_x(picture: Image.Image, pixels: float, fill: Any) -> Image.Image:
    return _moved(picture, (1, 0, math.trunc(pixels), 0, 1, 0), fill)


def _translated_y(picture: Image.Image, pixels: float, fill: Any) -> Image.Image:
    return _moved(picture, (1, 0, 0, 0, 1, math.trunc(pixels)), fill)


def _posterized(picture: Image.Image, bits: float, _fill: Any) -> Image.Image:
    return ImageOps.posterize(picture, max(min(int(bits), 8), 1))


def _solarized(picture: Image.Image, threshold: float, _fill: Any) -> Image.Image:
    return ImageOps.solarize(picture, int(threshold))


def _enhanced(kind: Any) -> Change:
    def change(picture: Image.Image, factor: float, _fill: Any) -> Image.Image:
        made: Image.Image = kind(picture).enhance(factor)
        return made

    return change


CHANGES: dict[str, Change] = {
    "identity": lambda picture, _strength, _fill: picture,
    "autocontrast": lambda picture, _strength, _fill: ImageOps.autocontrast(picture),
    "equalize": lambda picture, _strength, _fill: ImageOps.equalize(picture),
    "rotate": _rotated,
    "solarize": _solarized,
    "color": _enhanced(ImageEnhance.Color),
    "posterize": _posterized,
    "contrast": _enhanced(ImageEnhance.Contrast),
    "brightness": _enhanced(ImageEnhance.Brightness),
    "sharpness": _enhanced(ImageEnhance.Sharpness),
    "shear_x": _sheared_x,
    "shear_y": _sheared_y,
    "translate_x": _translated_x,
    "translate_y": _translated_y,
}
"""The fourteen of RandAugment's paper, in its order."""
