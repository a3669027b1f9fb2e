"""shapes: the lengths of an array's axes, some of which may not be known yet.

``None`` among the lengths stands for one that varies; a shape of None for a rank that varies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.errors import BuildTypeError

__all__ = ["Shape", "as_shape", "merge_shapes", "shapes_agree"]

Shape = tuple[int | None, ...] | None


def as_shape(shape: Any) -> Shape:
    """Return a shape given as a list, tuple, array or int in its one form."""
    if shape is None or getattr(shape, "rank", 0) is None:  # a TensorShape that knows nothing
        return None
    if isinstance(shape, (int, np.integer)) or (isinstance(shape, np.ndarray) and not shape.ndim):
        return (int(shape),)
    if isinstance(shape, (str, bytes)) or not hasattr(shape, "__iter__"):
        raise BuildTypeError(f"a shape is a list of lengths, got {shape!r}.")
    sizes = tuple(None if n is None or n == -1 else int(n) for n in shape)
    if any(n is not None and n < 0 for n in sizes):
        raise BuildTypeError(f"a shape has lengths of at least 0, or None, got {shape!r}.")
    return sizes


def shapes_agree(first: Shape, second: Shape) -> bool:
    """Whether one array could have both shapes."""
    if first is None or second is None:
        return True
    if len(first) != len(second):
        return False
    return all(None in (a, b) or a == b for a, b in zip(first, second, strict=True))


def merge_shapes(first: Shape, second: Shape) -> Shape:
    """Return the narrowest shape that covers both."""
    if first is None or second is None or len(first) != len(second):
        return None
    return tuple(a if a == b else None for a, b in zip(first, second, strict=True))
