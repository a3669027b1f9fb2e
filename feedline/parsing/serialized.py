"""serialized: records as they are given, or as columns of a block, in one buffer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Dense, Objects, Ragged, Strings
from feedline.errors import BuildError, BuildTypeError
from feedline.graph.rows import Rows

__all__ = ["is_single", "packed", "records_in", "records_of"]


def packed(records: Sequence[Any], call: str) -> Bytes:
    """Return byte strings in one buffer; a str stands for its UTF-8."""
    texts = records
    try:
        data = b"".join(texts)
    except TypeError:
        texts = [r.encode() if isinstance(r, str) else r for r in records]
        for text in texts:
            if not isinstance(text, bytes):
                raise BuildTypeError(
                    f"{call}: serialized must be bytes, got {text!r} of type {type(text).__name__}."
                ) from None
        data = b"".join(texts)
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=offsets[1:])
    return Bytes(np.frombuffer(data, np.uint8), offsets)


def is_single(serialized: Any) -> bool:
    """Whether a value is one record, not an array of them."""
    return isinstance(serialized, (bytes, str)) or np.ndim(serialized) == 0


def records_in(serialized: Any, call: str) -> Bytes:
    """Return the records that a user gave: one, a list or an array."""
    if isinstance(serialized, (bytes, str)):
        return packed([serialized], call)
    array = np.asarray(serialized, object)
    if array.ndim > 1:
        raise BuildError(
            f"{call}: serialized must be one record or a vector of them, got an array of shape "
            f"{array.shape}."
        )
    return packed(array.reshape(-1).tolist(), call)


def records_of(column: Any, call: str) -> tuple[Bytes, NDArray[np.int64] | None]:
    """Return the records of a column, and where arrays of them begin and end.

    None in place of that if the column holds single records.
    """
    if isinstance(column, Rows):
        column = Dense(column.array)
    if isinstance(column, Bytes):
        return column, None
    return _batches_in(column, call) or (packed(column.rows(), call), None)


def _batches_in(column: Column, call: str) -> tuple[Bytes, NDArray[np.int64]] | None:
    if isinstance(column, Strings):
        return column.used()
    if isinstance(column, Dense) and column.array.ndim == 2:
        count, size = column.array.shape
        flat = column.array.reshape(-1).tolist()
        return packed(flat, call), np.arange(count + 1, dtype=np.int64) * size
    if isinstance(column, Ragged) and column.values.ndim == 1:
        splits = column.splits - column.splits[0]
        values = column.values[column.splits[0] : column.splits[-1]]
        return packed(values.tolist(), call), splits
    if isinstance(column, Objects) and all(isinstance(row, np.ndarray) for row in column.items):
        lengths = [len(row) for row in column.items]
        flat = [record for row in column.items for record in row.tolist()]
        return packed(flat, call), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return None
