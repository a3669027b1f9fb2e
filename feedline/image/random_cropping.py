"""random_cropping: a part of an image, at a random place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given, static_ints
from feedline.errors import BuildError, InvalidArgumentError
from feedline.graph.opaque import Opaque
from feedline.graph.rows import length_of, stacked
from feedline.image.chain import Part, link
from feedline.image.image_draws import checked_seed
from feedline.image.image_operation import image_operation, known_spec
from feedline.leaf_spec import TensorSpec
from feedline.random.drawn import uniform
from feedline.random.stateless import stateless_uniform

__all__ = ["random_crop", "stateless_random_crop"]

_HIGHEST = np.iinfo(np.int32).max


def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Any:
    """Return a part of an array, cut out at a random place.

    Inside a transformation the place depends on the element: the same on any number of
    workers, another one in the next epoch.

    Args:
        value: An image, or any array.
        size: The shape of the part, for example [224, 224, 3]. The whole length of an axis
            leaves that axis as it is.
        seed: Makes the draws the same in every iteration.
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> random_crop(np.zeros((8, 8, 3), np.uint8), [4, 5, 3]).shape
        (4, 5, 3)
    """
    call = "random_crop()"
    wanted = _size(call, size)
    places = uniform((len(wanted),), 0, _HIGHEST, np.int32, checked_seed(call, seed))
    return _cut(_given(value), places, wanted)


def stateless_random_crop(value: Any, size: Any, seed: Any, name: str | None = None) -> Any:
    """Return a part of an array, cut out at a place that is a function of the seed.

    Args:
        value: An image, or any array.
        size: The shape of the part.
        seed: Two integers.
        name: Has no effect.

    Example:
        >>> import numpy as np
        >>> stateless_random_crop(np.arange(10), [3], seed=(1, 2))
        array([4, 5, 6])
    """
    wanted = _size("stateless_random_crop()", size)
    return _cut(
        _given(value), stateless_uniform((len(wanted),), seed, 0, _HIGHEST, np.int32), wanted
    )


def _given(value: Any) -> Any:
    return value if isinstance(value, Opaque) else given(value)


def _size(call: str, size: Any) -> tuple[int, ...]:
    wanted = static_ints(size)
    if wanted is None:
        raise BuildError(f"{call}: size must be the same for all elements, got a value of each.")
    if any(length < 0 for length in wanted):
        raise BuildError(
            f"{call}: size must have lengths of at least 0, got {list(wanted)}. "
            "Pass the whole length of an axis to leave it as it is."
        )
    return wanted


def _of_size(value: Any, _places: Any, size: tuple[int, ...]) -> TensorSpec:
    return TensorSpec(size, known_spec(value).dtype)


def _rows(value: Any, places: Any, size: tuple[int, ...]) -> NDArray[Any]:
    length = length_of((value, places))
    values, drawn = stacked(value, length), stacked(places, length)
    starts = drawn % _room(values.shape[1:], size)
    made = np.empty((length, *size), values.dtype)
    for number, start in enumerate(starts.tolist()):
        made[number] = values[number][_part(start, size)]
    return made


@image_operation(_of_size, _rows)
def _cut(value: Any, places: Any, size: tuple[int, ...]) -> Any:
    array = np.asarray(value)
    start = places % _room(array.shape, size)
    return array[_part(start.tolist(), size)].copy()


@link(_cut, "random_crop")
def _cut_link(_image: Any, places: Any, size: tuple[int, ...]) -> Part | None:
    return Part(_box, (places, size), (size[0], size[1])) if len(size) == 3 else None


def _box(height: int, width: int, places: Any, size: tuple[int, ...]) -> tuple[int, int, int, int]:
    # The whole of the channels is meant: a chain has as many before as after.
    top, left, _ = (places % _room((height, width, size[2]), size)).tolist()
    return top, left, size[0], size[1]


def _part(start: list[int], size: tuple[int, ...]) -> tuple[slice, ...]:
    return tuple(slice(at, at + length) for at, length in zip(start, size, strict=True))


def _room(shape: tuple[int, ...], size: tuple[int, ...]) -> NDArray[np.int32]:
    """Return how many places there are along each axis."""
    fits = len(shape) == len(size) and all(a >= b for a, b in zip(shape, size, strict=True))
    if not fits:
        raise InvalidArgumentError(
            f"random_crop(): the value must be at least as large as size along every axis, got "
            f"shape {list(shape)} and size {list(size)}."
        )
    return np.array(shape, np.int32) - np.array(size, np.int32) + np.int32(1)
