"""portions: kernels on blocks of images, a few images at a time.

A kernel takes images along a first axis, and parameters with one value for each. It gives
the same whether it gets one image or many; with few at a time what it makes in between
stays in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.rows import Rows, aligned, length_of, stacked

__all__ = ["alone", "beside", "on_rows"]

_BYTES = 1 << 18


def alone(kernel: Callable[..., Any], image: NDArray[Any], *parameters: Any) -> Any:
    """Return what a kernel gives for a single image."""
    return kernel(image[None], *(np.asarray(parameter)[None] for parameter in parameters))[0]


def on_rows(
    kernel: Callable[..., Any],
    image: Any,
    *parameters: Any,
    whole: Sequence[np.dtype[Any]] = (),
) -> NDArray[Any]:
    """Return what a kernel gives for every image of a block.

    Args:
        kernel: The kernel.
        image: Of each element, or the same for all.
        *parameters: The same.
        whole: Dtypes of images of which the kernel makes nothing in between: it gets all.
    """
    length = length_of((image, *parameters))
    values = [stacked(value, length) for value in (image, *parameters)]
    size = max(values[0].nbytes // max(length, 1), 1)
    step = max(_BYTES // size, 1)
    if step >= length or values[0].dtype in whole:
        at_once: NDArray[Any] = kernel(*values)
        return at_once
    made: NDArray[Any] | None = None
    for start in range(0, length, step):
        part = kernel(*(value[start : start + step] for value in values))
        if made is None:
            made = np.empty((length, *part.shape[1:]), part.dtype)
        made[start : start + step] = part
    assert made is not None
    return made


def beside(images: NDArray[Any], parameters: NDArray[Any], dtype: Any) -> tuple[Any, Any]:
    """Return images and a parameter of each so that the parameter broadcasts over its image."""
    first, second = aligned(Rows(images), Rows(parameters.astype(dtype, copy=False)))
    return first, second
