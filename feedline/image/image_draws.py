"""image_draws: random numbers for images, keyed by element inside a pipeline.

How many numbers are drawn for an image never depends on its size: that keeps what is drawn
for an element the same whether images come alone, in blocks, or with different sizes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError
from feedline.graph.drawing import draw
from feedline.graph.streams import Keys, streams_of
from feedline.image.image_operation import rank_of
from feedline.random.distributions import uniform_rows

__all__ = ["checked_bounds", "checked_seed", "drawn_seeds", "unit_draws"]


def unit_draws(call: str, image: Any, shape: tuple[int, ...], seed: int | None) -> Any:
    """Return float64 numbers from 0 to 1: of a shape for an image, one such for each of a batch."""
    rank = rank_of(image)
    if rank not in (3, 4):
        raise BuildError(
            f"{call}: the image must have 3 axes, [height, width, channels], or 4 for a batch "
            f"of images, got {rank}."
        )
    if rank == 3:
        return draw(uniform_rows, (shape, 0, 1, np.dtype(np.float64)), checked_seed(call, seed))
    return draw(_for_each, (image, shape), checked_seed(call, seed))


def _for_each(keys: Keys, images: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    # Rows and arrays both tell the shape of one element.
    return uniform_rows(keys, (images.shape[0], *shape), 0, 1, np.dtype(np.float64))


def drawn_seeds(call: str, seed: int | None) -> Any:
    """Return a pair of int64 as stateless functions take it."""
    return draw(_seed_rows, (), checked_seed(call, seed))


def _seed_rows(keys: Keys) -> NDArray[np.int64]:
    return streams_of(keys).longs(2).view(np.int64)


def checked_seed(call: str, seed: Any) -> int | None:
    """Return the seed of a draw."""
    if seed is None or (isinstance(seed, (int, np.integer)) and not isinstance(seed, bool)):
        return None if seed is None else int(seed)
    raise BuildTypeError(f"{call}: seed must be an integer or None, got {seed!r}.")


def checked_bounds(call: str, lower: Any, upper: Any) -> None:
    """Raise if there is nothing between two bounds, or the lower one is negative."""
    if upper <= lower:
        raise BuildError(f"{call}: upper must be above lower, got {lower} and {upper}.")
    if lower < 0:
        raise BuildError(f"{call}: lower must not be negative, got {lower}.")
