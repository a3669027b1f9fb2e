"""converting: arrays as sparse values, and sparse values without empty rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.narrow import array_of_data
from feedline.sparse.places import in_order
from feedline.sparse.tensor import SparseTensor
from feedline.values.dtype import as_dtype
from feedline.values.tensor import as_plain, as_tensor

__all__ = ["eye", "fill_empty_rows", "from_dense", "to_indicator"]


def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """Return the values of an array that are not zero, or no empty strings.

    Example:
        >>> from_dense([[0, 7], [8, 0]]).indices.tolist()
        [[0, 1], [1, 0]]
    """
    array = array_of_data(as_plain(tensor))
    if array.dtype == object:
        here = np.fromiter(map(bool, array.ravel().tolist()), np.bool_, array.size)
        here = here.reshape(array.shape)
    else:
        here = array != 0
    return SparseTensor(np.argwhere(here), array[here], array.shape)


def fill_empty_rows(
    sp_input: SparseTensor, default_value: Any, name: str | None = None
) -> tuple[SparseTensor, Any]:
    """Return a value with one item in each row that had none, and which rows had none.

    Example:
        >>> full, were_empty = fill_empty_rows(SparseTensor([[1, 0]], [5], [2, 2]), -1)
        >>> full.values.tolist(), were_empty.tolist()
        ([-1, 5], [True, False])
    """
    values, indices = sp_input.plain_values, sp_input.plain_indices
    if indices.shape[1] < 1:
        raise BuildError("sparse.fill_empty_rows(): sp_input must have an axis.")
    empty = np.bincount(indices[:, 0], minlength=int(sp_input.plain_shape[0])) == 0
    added = np.zeros((int(empty.sum()), indices.shape[1]), np.int64)
    added[:, 0] = np.flatnonzero(empty)
    fill = np.full(len(added), as_plain(default_value), values.dtype)
    whole = in_order(
        np.concatenate([indices, added]), np.concatenate([values, fill]), sp_input.plain_shape
    )
    return whole, as_tensor(empty)


def to_indicator(sp_input: SparseTensor, vocab_size: int, name: str | None = None) -> Any:
    """Return an array of bools, True at the places that the integers of each row name.

    Example:
        >>> to_indicator(SparseTensor([[0, 0], [0, 1]], [2, 0], [1, 2]), 4).tolist()
        [[True, False, True, False]]
    """
    call = "sparse.to_indicator()"
    values, shape = sp_input.plain_values, sp_input.plain_shape
    if values.dtype.kind not in "iu":
        raise BuildTypeError(f"{call}: values must be integers, got {values.dtype}.")
    if ((values < 0) | (values >= vocab_size)).any():
        raise InvalidArgumentError(f"{call}: values must be below {vocab_size}, got {values}.")
    made = np.zeros((*shape[:-1].tolist(), int(vocab_size)), np.bool_)
    made[(*sp_input.plain_indices.T[:-1], values)] = True
    return as_tensor(made)


def eye(
    num_rows: int, num_columns: int | None = None, dtype: Any = np.float32, name: str | None = None
) -> SparseTensor:
    """Return ones along the diagonal."""
    width = num_rows if num_columns is None else num_columns
    places = np.arange(min(num_rows, width))
    ones = np.ones(len(places), as_dtype(dtype).dtype)
    return SparseTensor(np.stack([places, places], axis=1), ones, [num_rows, width])
