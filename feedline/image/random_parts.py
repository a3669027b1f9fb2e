"""random_parts: places of random rectangles in images of any size.

The numbers are drawn before the size of an image is known: a row of four for each attempt,
of which the first that fits the image counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from feedline.errors import BuildError

__all__ = ["ATTEMPTS", "Range", "checked_ranges", "part_of"]

ATTEMPTS = 10

Range = tuple[float, float]


def checked_ranges(
    call: str, scale: Sequence[float], ratio: Sequence[float]
) -> tuple[Range, Range]:
    """Return which part of an image a rectangle is, and its width by its height."""
    for name, pair in (("scale", scale), ("ratio", ratio)):
        if len(pair) != 2 or not 0 < pair[0] <= pair[1]:
            raise BuildError(
                f"{call}: {name} must be two numbers above 0, the lower one first, got {pair!r}."
            )
    if scale[1] > 1:
        raise BuildError(f"{call}: scale must be at most 1, the whole image, got {scale!r}.")
    return (float(scale[0]), float(scale[1])), (float(ratio[0]), float(ratio[1]))


def part_of(
    draws: NDArray[Any], height: int, width: int, scale: Range, ratio: Range
) -> tuple[int, int, int, int] | None:
    """Return top, left, height and width of the first rectangle that fits, or None.

    Args:
        draws: Numbers from 0 to 1, [attempts, 4].
        height: Of the image.
        width: Of the image.
        scale: The area is equally likely to be any part between these.
        ratio: The logarithm of width by height is equally likely to be any between theirs.
    """
    low, high = math.log(ratio[0]), math.log(ratio[1])
    for area, shape, down, across in draws.tolist():
        wanted = height * width * (scale[0] + (scale[1] - scale[0]) * area)
        proportion = math.exp(low + (high - low) * shape)
        columns = round(math.sqrt(wanted * proportion))
        rows = round(math.sqrt(wanted / proportion))
        if 0 < columns <= width and 0 < rows <= height:
            top = int(down * (height - rows + 1))
            return top, int(across * (width - columns + 1)), rows, columns
    return None
