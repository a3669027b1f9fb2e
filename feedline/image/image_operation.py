"""image_operation: functions on images that a recorded function may call.

Images that all have one size come as arrays, and a block of them is one array with a first
axis more. Images of different sizes come as objects, and are worked on one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from feedline.graph.leaf_operation import leaf_operation
from feedline.graph.opaque import Opaque
from feedline.graph.operation import operation
from feedline.graph.rule import batched, columnar, loops
from feedline.graph.symbol import Symbol
from feedline.leaf_spec import TensorSpec
from feedline.shapes import Shape, merge_shapes

__all__ = ["image_operation", "known_spec", "like_first", "operation_of", "rank_of"]

P = ParamSpec("P")
R = TypeVar("R")


def like_first(image: Any, *_args: Any, **_kwargs: Any) -> TensorSpec:
    """Return the spec of a result that has the shape and dtype of the first argument."""
    return known_spec(image)


def image_operation(
    spec: Callable[..., Any] = like_first,
    rows: Callable[..., Any] | None = None,
    columns: Callable[..., Any] | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function on images be recorded as one operation.

    Args:
        spec: Gets the function's arguments when images have different sizes, and returns
            the spec of the result. ``known_spec()`` tells what is known of an argument.
        rows: The batching rule: gets the function's arguments with Rows in place of what
            differs between elements. None to call the function on each element.
        columns: The same for images of different sizes, with a Column in their place.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        on_arrays = operation(function)
        if rows is None:
            loops(on_arrays, fresh=True)
        else:
            batched(on_arrays, fresh=True)(rows)
        if columns is not None:
            columnar(on_arrays)(columns)
        on_objects = leaf_operation(spec)(function)

        @wraps(function)
        def recorded(*args: P.args, **kwargs: P.kwargs) -> R:
            if _has_object((args, kwargs)):
                return on_objects(*args, **kwargs)
            return on_arrays(*args, **kwargs)

        _ON_ARRAYS[recorded] = on_arrays
        return recorded

    return decorate


# The operations that are recorded, by what is called.
_ON_ARRAYS: dict[Any, Any] = {}


def operation_of(function: Any) -> Any:
    """Return the operation that is recorded when a function on images is called."""
    return _ON_ARRAYS.get(function, function)


def known_spec(value: Any) -> TensorSpec:
    """Return what is known of the shape and dtype of an argument."""
    if isinstance(value, Symbol):
        return TensorSpec(value.shape, value.dtype)
    if not isinstance(value, Opaque):
        array = np.asarray(value)
        return TensorSpec(array.shape, array.dtype)
    declared = value.trace.specs.get(value.number)
    if isinstance(declared, TensorSpec):
        return declared
    samples = [np.asarray(sample) for sample in value.samples]
    shape: Shape = samples[0].shape
    for sample in samples[1:]:
        shape = merge_shapes(shape, sample.shape)
    if shape is not None:
        # A few that have one size say nothing of the others; that they are objects does.
        shape = tuple(None for _ in shape)
    return TensorSpec(shape, samples[0].dtype)


def rank_of(image: Any) -> int:
    """Return how many axes an image, or a batch of images, has."""
    if isinstance(image, Opaque):
        shape = known_spec(image).shape
        return np.ndim(image.samples[0]) if shape is None else len(shape)
    return int(image.ndim) if isinstance(image, Symbol) else np.ndim(image)


def _has_object(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_has_object, value))
    if isinstance(value, dict):
        return any(map(_has_object, value.values()))
    return isinstance(value, Opaque)
