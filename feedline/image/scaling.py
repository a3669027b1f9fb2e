"""scaling: the numbers of images in another range."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.casting import cast, identity, saturate_cast
from feedline.arrays.given import dtype_of, given
from feedline.errors import BuildError, BuildTypeError
from feedline.graph.opaque import Opaque
from feedline.graph.symbol import Symbol
from feedline.image.image_operation import image_operation, known_spec
from feedline.image.leading import on_images, on_rows_of_images, on_varied_images

__all__ = ["convert_image_dtype", "normalize", "per_image_standardization"]


def convert_image_dtype(
    image: Any, dtype: Any, saturate: bool = False, name: str | None = None
) -> Any:
    """Return images of another dtype, with their numbers in its range.

    Floats are meant to be from 0 to 1, integers from 0 to the largest of their dtype.

    Args:
        image: Images, or any array.
        dtype: That of the result.
        saturate: Whether numbers out of range become the limits.
        name: No effect.

    Example:
        >>> convert_image_dtype(np.array([0, 255], np.uint8), "float32").tolist()
        [0.0, 1.0]
    """
    wanted = dtype_of(dtype)
    if _kind(wanted) not in "iuf":
        raise BuildTypeError(f"convert_image_dtype(): dtype must hold numbers, got {wanted}.")
    if isinstance(image, Opaque):
        return _convert_one(image, wanted, saturate)
    array = given(image)
    found = getattr(array, "dtype", None)
    if found is None or _kind(found) not in "iuf":
        raise BuildTypeError(f"convert_image_dtype(): the image must hold numbers, got {image!r}.")
    if found == wanted:
        return identity(array)
    return _converted(array, found, wanted, saturate)


def _kind(dtype: np.dtype[Any]) -> str:
    # NumPy knows nothing about the dtype of another library.
    return "f" if dtype.name == "bfloat16" else dtype.kind


def _converted(array: Any, found: np.dtype[Any], wanted: np.dtype[Any], saturate: bool) -> Any:
    into = saturate_cast if saturate else cast
    if _kind(found) == "f":
        if _kind(wanted) == "f":
            return cast(array, wanted)
        # Half a unit more, so that no number is rounded down to the one before.
        return into(array * found.type(np.iinfo(wanted).max + 0.5), wanted)
    largest = int(np.iinfo(found).max)
    if _kind(wanted) == "f":
        return cast(array, wanted) * wanted.type(1.0 / largest)
    new_largest = int(np.iinfo(wanted).max)
    if largest > new_largest:
        return into(array // found.type((largest + 1) // (new_largest + 1)), wanted)
    return into(array, wanted) * wanted.type((new_largest + 1) // (largest + 1))


def _as_dtype(image: Any, dtype: Any, _saturate: bool) -> Any:
    spec = known_spec(image)
    return type(spec)(spec.shape, dtype)


@image_operation(spec=_as_dtype)
def _convert_one(image: Any, dtype: Any, saturate: bool) -> Any:
    return convert_image_dtype(image, dtype, saturate)


def per_image_standardization(image: Any) -> Any:
    """Return images as float32 with mean 0 and variance 1 each.

    The divisor is never less than that of an image in which one number differs.

    Args:
        image: Images ``[..., height, width, channels]``.

    Example:
        >>> per_image_standardization(np.array([[[1], [3]]])).tolist()
        [[[-1.0], [1.0]]]
    """
    array = image if isinstance(image, Opaque) else given(image)
    if not isinstance(array, Opaque):
        if not isinstance(array, (np.ndarray, Symbol)) or array.ndim < 3:
            raise BuildError(
                "per_image_standardization(): an image has 3 axes, [height, width, channels], "
                f"got {image!r}."
            )
        if array.dtype.kind not in "iufb":
            raise BuildTypeError(
                f"per_image_standardization(): images must hold numbers, got {array.dtype}."
            )
    return _standardize(array)


def _standardized(images: NDArray[Any]) -> NDArray[Any]:
    made = images.astype(np.float32)
    least = np.float32(1) / np.sqrt(np.float32(max(made[0].size if len(made) else 1, 1)))
    for one in made:  # each by itself, so that sums do not depend on how many there are
        one -= np.float32(one.mean(dtype=np.float64))
        spread = np.float32(np.sqrt(np.square(one, dtype=np.float64).mean())) if one.size else least
        one /= max(spread, least)
    return made


def _standardized_any(images: NDArray[Any]) -> NDArray[Any]:
    return on_images(_standardized, images)


def _as_float32(image: Any) -> Any:
    spec = known_spec(image)
    return type(spec)(spec.shape, np.float32)


@image_operation(
    spec=_as_float32,
    rows=on_rows_of_images(_standardized),
    columns=on_varied_images(_standardized_any),
)
def _standardize(image: Any) -> Any:
    return _standardized_any(image)


def normalize(image: Any, mean: Any, std: Any) -> Any:
    """Return ``(image - mean) / std`` with a mean and a standard deviation for each channel.

    Integers become float32, their numbers staying what they are: mean and std are in the
    same units as the image.

    Args:
        image: Images ``[..., channels]``.
        mean: A number, or one for each channel.
        std: A number, or one for each channel, none of them 0.

    Example:
        >>> normalize(np.array([[[0, 100]]], np.uint8), [0, 50], [1, 25]).tolist()
        [[[0.0, 2.0]]]
    """
    if isinstance(image, Opaque):
        return _normalize_one(image, mean, std)
    array = given(image)
    if array.dtype.kind not in "iuf":
        raise BuildTypeError(f"normalize(): images must hold numbers, got {array.dtype}.")
    array = array if array.dtype.kind == "f" else cast(array, np.float32)
    centre, spread = (np.asarray(value, array.dtype) for value in (mean, std))
    for what, constants in (("mean", centre), ("std", spread)):
        channels = array.shape[-1] if array.shape else None
        if constants.ndim > 1 or (constants.ndim and constants.shape[0] not in (1, channels)):
            raise BuildError(
                f"normalize(): {what} must be a number, or one for each of {channels} channels, "
                f"got shape {list(constants.shape)}."
            )
    if not spread.all():
        raise BuildError(f"normalize(): std must not be 0, got {std!r}.")
    return (array - centre) / spread


def _normalized_spec(image: Any, *_constants: Any) -> Any:
    spec = known_spec(image)
    return type(spec)(spec.shape, spec.dtype if spec.dtype.kind == "f" else np.float32)


@image_operation(spec=_normalized_spec)
def _normalize_one(image: Any, mean: Any, std: Any) -> Any:
    return normalize(image, mean, std)
