"""constants: nested lists as ragged values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.narrow import array_of_data
from feedline.ragged.rows import Rows
from feedline.ragged.tensor import RaggedTensor
from feedline.values.dtype import as_dtype
from feedline.values.tensor import as_plain

__all__ = ["constant"]


def constant(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = np.int64,
) -> Any:
    """Return nested lists as a RaggedTensor, or as an array if they are only one deep.

    Python integers become int32 and floats float32, as everywhere data enters.

    Args:
        pylist: Lists in lists; all values must be equally deep.
        dtype: The dtype of the values.
        ragged_rank: How many axes are ragged; the rest must be equally long. By default all
            but the innermost values, or as many as ``inner_shape`` leaves.
        inner_shape: The shape of each of the innermost values.
        name: Has no effect.
        row_splits_dtype: int64 or int32.

    Example:
        >>> constant([[1, 2], [3]]).row_lengths().tolist()
        [2, 1]
    """
    splits_dtype = as_dtype(row_splits_dtype).dtype
    wanted = None if dtype is None else as_dtype(dtype).dtype
    nested = _lists(pylist)
    if not isinstance(nested, list):
        return array_of_data(nested, wanted)[()]
    depth = max(1 if inner_shape is None else 0, _depth(nested))
    inner = () if inner_shape is None else tuple(int(n) for n in np.ravel(inner_shape))
    if ragged_rank is None:
        ragged_rank = max(0, depth - 1 - len(inner))
    elif inner_shape is None:
        inner = ()
    if not 0 <= ragged_rank < max(depth, 1):
        raise BuildError(f"constant(): ragged_rank must be below {depth}, got {ragged_rank}.")
    items: list[Any] = nested
    levels = []
    for _ in range(ragged_rank):
        _check_depth(items)
        levels.append(Rows.of_lengths([len(item) for item in items], splits_dtype))
        items = [leaf for item in items for leaf in item]
    return RaggedTensor.of_parts((levels, _values(items, wanted, inner)))


def _lists(value: Any) -> Any:
    """Return nested lists with everything else in them as Python's values."""
    value = as_plain(value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_lists(item) for item in value]
    return value.to_list() if isinstance(value, RaggedTensor) else value


def _depth(value: Any) -> int:
    if not isinstance(value, list):
        return 0
    return 1 + max(map(_depth, value), default=0)


def _check_depth(items: list[Any]) -> None:
    if not all(isinstance(item, list) for item in items):
        raise BuildError("constant(): all values must be in as many lists.")


def _values(items: list[Any], dtype: Any, inner: tuple[int, ...]) -> NDArray[Any]:
    if len(set(map(_depth, _leaves(items)))) > 1:
        raise BuildError("constant(): all values must be in as many lists.")
    try:
        array = array_of_data(items, dtype)
    except ValueError as error:
        raise BuildError("constant(): rows below ragged_rank must be equally long.") from error
    if array.dtype == object and len({isinstance(x, (str, bytes)) for x in array.flat}) > 1:
        raise BuildError("constant(): values must be of one kind, got strings and others.")
    return array.reshape(-1, *inner) if inner else array


def _leaves(items: list[Any]) -> Iterator[Any]:
    yield from items
