"""random_flipping: images mirrored or not, at random."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given
from feedline.errors import InvalidArgumentError
from feedline.graph.drawing import draw
from feedline.graph.opaque import Opaque
from feedline.graph.operation import operation
from feedline.graph.rows import length_of, stacked
from feedline.graph.rule import batched
from feedline.image.chain import Flip, link
from feedline.image.float_images import checked_image
from feedline.image.image_draws import checked_seed
from feedline.image.image_operation import image_operation, rank_of
from feedline.kernels.take_pixels import take_pixels
from feedline.random.distributions import uniform_rows
from feedline.random.drawn import uniform
from feedline.random.seeds import seed_streams
from feedline.random.stateless import stateless_uniform

__all__ = [
    "random_flip_left_right",
    "random_flip_up_down",
    "stateless_random_flip_left_right",
    "stateless_random_flip_up_down",
]

_FLOAT = np.dtype(np.float32)


def random_flip_left_right(image: Any, seed: int | None = None) -> Any:
    """Return images mirrored from left to right, or as they are, both equally likely.

    Inside a transformation the draw depends on the element: the same on any number of
    workers, another one in the next epoch.

    Args:
        image: [height, width, channels], or a batch of these, of which each is drawn for.
        seed: Makes the draws the same in every iteration.

    Example:
        >>> import numpy as np
        >>> image = np.array([[[1], [2]]])
        >>> random_flip_left_right(image)[0, :, 0].tolist() in ([1, 2], [2, 1])
        True
    """
    return _randomly("random_flip_left_right()", image, -2, seed)


def random_flip_up_down(image: Any, seed: int | None = None) -> Any:
    """Return images turned upside down, or as they are, both equally likely.

    Args:
        image: [height, width, channels], or a batch of these, of which each is drawn for.
        seed: Makes the draws the same in every iteration; see random_flip_left_right().
    """
    return _randomly("random_flip_up_down()", image, -3, seed)


def stateless_random_flip_left_right(image: Any, seed: Any) -> Any:
    """Return images mirrored from left to right or not, as a function of the seed.

    Args:
        image: [height, width, channels], or a batch of these, of which each is drawn for.
        seed: Two integers.

    Example:
        >>> import numpy as np
        >>> stateless_random_flip_left_right(np.array([[[1], [2]]]), seed=(2, 3))[0, :, 0]
        array([2, 1])
    """
    return _by_seed("stateless_random_flip_left_right()", image, -2, seed)


def stateless_random_flip_up_down(image: Any, seed: Any) -> Any:
    """Return images turned upside down or not, as a function of the seed.

    Args:
        image: [height, width, channels], or a batch of these, of which each is drawn for.
        seed: Two integers.
    """
    return _by_seed("stateless_random_flip_up_down()", image, -3, seed)


# ---- which -------------------------------------------------------------------------------


def _randomly(call: str, image: Any, axis: int, seed: Any) -> Any:
    array = _given(call, image)
    if rank_of(array) == 3:
        drawn = uniform((), 0.0, 1.0, _FLOAT, checked_seed(call, seed))
        return _flipped(array, np.less(drawn, np.float32(0.5)), axis)
    drawn = draw(_one_for_each, (array,), checked_seed(call, seed))
    return _flipped(array, np.greater(drawn, np.float32(0.5)), axis)


def _one_for_each(keys: Any, images: Any) -> NDArray[Any]:
    return uniform_rows(keys, (images.shape[0],), 0, 1, _FLOAT)


def _by_seed(call: str, image: Any, axis: int, seed: Any) -> Any:
    array = _given(call, image)
    if rank_of(array) == 3:
        drawn = stateless_uniform((), seed, 0.0, 1.0)
        return _flipped(array, np.less(drawn, np.float32(0.5)), axis)
    # Not below, as for one image: TensorFlow rounds here.
    return _flipped(array, np.greater(_seeded_for_each(array, seed), np.float32(0.5)), axis)


@operation
def _seeded_for_each(images: Any, seed: Any) -> Any:
    return stateless_uniform((len(images),), seed)


@batched(_seeded_for_each, fresh=True)
def _seeded_rows(images: Any, seed: Any) -> NDArray[Any]:
    streams = seed_streams("stateless_random_flip()", seed, length_of((images, seed)))
    return uniform_rows(streams, (images.shape[0],), 0, 1, _FLOAT)


def _given(call: str, image: Any) -> Any:
    array = image if isinstance(image, Opaque) else given(image)
    if rank_of(array) not in (3, 4):
        raise InvalidArgumentError(
            f"{call}: the image must have 3 axes, [height, width, channels], or 4 for a batch "
            f"of images, got {rank_of(array)}."
        )
    return array


# ---- flipping ---------------------------------------------------------------------------


def _flips(images: NDArray[Any], chosen: NDArray[Any], axis: int) -> NDArray[Any]:
    """Return images [..., height, width, channels], some of them mirrored."""
    flat = images.reshape(-1, *images.shape[-3:])
    codes = np.where(chosen.reshape(-1), 1 if axis == -2 else 2, 0).astype(np.uint8)
    return take_pixels(flat, flat.shape[1:3], flips=codes).reshape(images.shape)


@image_operation(rows=lambda image, chosen, axis: _rows(image, chosen, axis))
def _flipped(image: Any, chosen: Any, axis: int) -> Any:
    array = checked_image("random_flip()", image)
    if not all(array.shape[-3:]):
        raise InvalidArgumentError(
            f"random_flip(): the image must not be empty, got shape {list(array.shape)}."
        )
    return _flips(array, np.asarray(chosen), axis)


def _rows(image: Any, chosen: Any, axis: int) -> NDArray[Any]:
    length = length_of((image, chosen))
    return _flips(stacked(image, length), stacked(chosen, length), axis)


@link(_flipped, "random_flip")
def _flip_link(_image: Any, chosen: Any, axis: int) -> Flip:
    return Flip(1 if axis == -2 else 2, chosen)
