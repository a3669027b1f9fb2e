"""same: whether two values are the same, bit for bit but for what a NaN is made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor

__all__ = ["same_leaves", "same_values"]


def same_values(first: Any, second: Any) -> bool:
    """Whether two arrays or scalars have the same shape, dtype and numbers.

    Zeros of different sign differ, NaNs do not.
    """
    first, second = np.asarray(first), np.asarray(second)
    if first.dtype != second.dtype or first.shape != second.shape:
        return False
    kind = first.dtype.kind
    if kind == "O":
        return bool(np.array_equal(first, second))
    if first.tobytes() == second.tobytes():
        return True
    if kind not in "fc":
        return False
    if kind == "c":
        return same_values(first.real, second.real) and same_values(first.imag, second.imag)
    nan = np.isnan(first)
    agree = (first == second) & (np.signbit(first) == np.signbit(second))
    return bool(np.array_equal(nan, np.isnan(second)) and (agree | nan).all())


def same_leaves(first: Any, second: Any) -> bool:
    """Whether two leaves of any kind are the same."""
    numbers = (np.ndarray, np.generic)
    if isinstance(first, numbers) and isinstance(second, numbers):
        return same_values(first, second)
    if type(first) is not type(second):
        return False
    parts: tuple[str, ...]
    if isinstance(first, SparseTensor):
        parts = ("plain_indices", "plain_values", "plain_shape")
    elif isinstance(first, RaggedTensor):
        parts = ("plain_values", "plain_splits")
    else:
        return bool(first is second or first == second)
    return all(same_leaves(getattr(first, part), getattr(second, part)) for part in parts)
