"""layout: how the numbers of an element lie in memory, as far as rounding can depend on it.

Sums and products of matrices are rounded as NumPy goes through memory: which axis it takes
first, which axes it takes as one, whether neighbours lie side by side. A layout says that
and no more: strides as they would be if gaps were as small as possible.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Layout", "as_it_lies", "elements_lie", "laid_out", "layout_of"]

Layout = tuple[int, ...]


def layout_of(array: NDArray[Any]) -> Layout:
    """Return the layout of an array.

    Example:
        >>> layout_of(np.zeros((2, 3))), layout_of(np.zeros((2, 3)).T)
        ((24, 8), (8, 24))
        >>> layout_of(np.zeros((2, 3, 4))[:, :, 0])
        (48, 16)
        >>> layout_of(np.zeros((2, 9))[:, :3])
        (32, 8)
    """
    return _layout(array.shape, array.strides, array.itemsize)


def _layout(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> Layout:
    made = [0] * len(shape)
    reached = 0  # where the next axis would begin, were there no gap: in truth and here
    small = 0
    # The last of axes with equal strides comes first, as NumPy takes them.
    for axis in sorted(range(len(shape)), key=lambda axis: (abs(strides[axis]), -axis)):
        stride = abs(strides[axis])
        if shape[axis] == 1 or not stride:
            continue
        if not small:
            step = itemsize if stride == itemsize else 2 * itemsize
        else:
            step = small if stride == reached else small + itemsize
        made[axis] = step if strides[axis] > 0 else -step
        reached, small = stride * shape[axis], step * shape[axis]
    return tuple(made)


def elements_lie(block: NDArray[Any]) -> Layout | None:
    """Return the layout of the elements of a block; None if they are not apart."""
    shape, strides = block.shape[1:], block.strides[1:]
    if not block.size:
        return None
    span = max((abs(s) * n for s, n in zip(strides, shape, strict=True) if n > 1), default=0)
    if block.strides[0] < max(span, 1) and len(block) > 1:
        return None
    return _layout(shape, strides, block.itemsize)


def laid_out(block: NDArray[Any], layout: Layout) -> NDArray[Any]:
    """Return a block whose elements have a layout."""
    if not block.size or elements_lie(block) == layout:
        return block
    ends = [step * (n - 1) for step, n in zip(layout, block.shape[1:], strict=True)]
    low = sum(min(end, 0) for end in ends)
    size = sum(max(end, 0) for end in ends) - low + block.itemsize
    size = max(size, *(abs(step) * n for step, n in zip(layout, block.shape[1:], strict=True)))
    memory = np.empty(len(block) * size, np.uint8)
    made: NDArray[Any] = np.ndarray(block.shape, block.dtype, memory, -low, (size, *layout))
    made[...] = block
    return made


def as_it_lies(array: Any, layout: Layout) -> Any:  # noqa: ARG001
    """Return an array: recorded where a block must get the layout that its elements have."""
    return array
