"""texts: the strings inside a value or a column as one flat list, and results put in their places.

Every function of this room is written for a flat list. This module finds the list in a
single string, an array of any shape, a RaggedTensor, or a column of any of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Dense, Objects, Ragged, Strings, column_of
from feedline.errors import BuildError, BuildTypeError
from feedline.graph.rows import Rows
from feedline.leaf import as_leaf, describe_leaf
from feedline.ragged import RaggedTensor

__all__ = [
    "Text",
    "array_of_texts",
    "as_bytes",
    "as_text_like",
    "column_parts",
    "is_text",
    "one_of",
    "packed",
    "parts_of",
    "same_kind",
    "strings_given",
    "text_argument",
]

Text = str | bytes
Put = Callable[[Any], Any]


def is_text(value: Any) -> bool:
    """Whether a value is a single string."""
    return isinstance(value, (str, bytes))


def strings_given(call: str, value: Any, name: str = "input") -> Any:
    """Return an argument as a string, an array of strings or a RaggedTensor of them."""
    if isinstance(value, (list, tuple)):
        value = _array_of_list(list(value))
    leaf = as_leaf(value)
    if is_text(leaf):
        return leaf
    if isinstance(leaf, np.ndarray):
        # Without items, an array may have got any dtype.
        if leaf.dtype == object or not leaf.size:
            _check_items(call, name, leaf.ravel().tolist())
            return leaf.astype(object, copy=False)
    elif isinstance(leaf, RaggedTensor) and (
        leaf.dtype.kind in "OSU" or not leaf.plain_flat_values.size
    ):
        _check_items(call, name, leaf.plain_flat_values.ravel().tolist())
        return leaf
    raise BuildTypeError(
        f"{call}: {name} must be strings, got {describe_leaf(leaf)}. "
        "Numbers become strings by strings.as_string()."
    )


def _may_be_strings(array: NDArray[Any]) -> bool:
    return array.dtype.kind in "OSU" or not array.size


def _array_of_list(value: list[Any]) -> Any:
    """Return nested lists of strings as an array, also where NumPy would mix str and bytes up."""
    try:
        array = np.array(value, object)
    except ValueError:
        return value  # rows of different lengths: as_leaf() says so
    if all(map(is_text, array.ravel().tolist())):
        return array
    return value


def _check_items(call: str, name: str, items: list[Any]) -> None:
    kinds = set(map(type, items)) - {str, bytes}
    strange = [kind for kind in kinds if not issubclass(kind, (str, bytes))]
    if strange:
        names = " and ".join(sorted(kind.__name__ for kind in strange))
        raise BuildTypeError(f"{call}: {name} must be strings, got an array with {names} in it.")


def parts_of(value: Any) -> tuple[list[Any], Put]:
    """Return the items of a value, and what puts as many results in their places."""
    if isinstance(value, np.ndarray):
        shape = value.shape
        return value.ravel().tolist(), lambda results: as_array(results).reshape(shape)
    if isinstance(value, RaggedTensor):
        flat, put_flat = parts_of(value.plain_flat_values)
        splits = value.plain_nested_splits
        return flat, lambda results: _nested(put_flat(results), splits)
    return [value], lambda results: results[0]


def _nested(values: Any, all_splits: Sequence[NDArray[Any]]) -> Any:
    for splits in reversed(all_splits):
        values = RaggedTensor(values, splits)
    return values


def as_array(results: Any) -> NDArray[Any]:
    """Return results as an array: a list of strings as objects."""
    return results if isinstance(results, np.ndarray) else array_of_texts(results)


def array_of_texts(texts: Sequence[Any]) -> NDArray[Any]:
    """Return strings as a one-dimensional array of objects."""
    array = np.empty(len(texts), object)
    array[:] = texts
    return array


def column_parts(column: Any) -> tuple[list[Any], Put]:
    """Return all strings of a column, and what makes a column of as many results."""
    if isinstance(column, Bytes):
        return column.rows(), _column_of_scalars
    if isinstance(column, (Rows, Dense)):
        array = column.array
        if array.dtype != object:
            raise NotImplementedError
        shape = array.shape
        return array.ravel().tolist(), lambda results: Dense(as_array(results).reshape(shape))
    if isinstance(column, Ragged):
        first = int(column.splits[0])
        values = column.values[first : int(column.splits[-1])]
        splits = column.splits - first
        items, put = parts_of(values)
        return items, lambda results: Ragged(put(results), splits)
    if isinstance(column, Strings):
        return column_parts(column.as_ragged())
    if not isinstance(column, Objects):
        raise NotImplementedError  # an argument that is a constant everywhere else
    kinds = set(map(type, column.items))
    if kinds <= {str, bytes}:
        return column.items, _column_of_scalars
    return _parts_of_many(column.items)


def _column_of_scalars(results: Any) -> Column:
    return Dense(results) if isinstance(results, np.ndarray) else Objects(list(results))


def _parts_of_many(values: list[Any]) -> tuple[list[Any], Put]:
    parts = [parts_of(value) for value in values]
    bounds = np.cumsum([0, *(len(items) for items, _ in parts)]).tolist()

    def put(results: Any) -> Column:
        return column_of(
            [
                put_one(results[start:stop])
                for (_, put_one), start, stop in zip(parts, bounds, bounds[1:], strict=False)
            ]
        )

    return list(chain.from_iterable(items for items, _ in parts)), put


def packed(texts: Sequence[Text]) -> Bytes:
    """Return strings in one buffer, text as UTF-8."""
    if set(map(type, texts)) == {str}:
        whole = "".join(texts)  # type: ignore[arg-type]
        if whole.isascii():  # as many bytes as characters: no need to encode one by one
            return Bytes(np.frombuffer(whole.encode(), np.uint8), _offsets(texts))
    pieces = as_bytes(texts)
    return Bytes(np.frombuffer(b"".join(pieces), np.uint8), _offsets(pieces))


def _offsets(pieces: Sequence[Text]) -> NDArray[np.int64]:
    offsets = np.zeros(len(pieces) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)), out=offsets[1:])
    return offsets


def as_bytes(texts: Sequence[Text]) -> Sequence[bytes]:
    """Return strings as bytes, text as UTF-8."""
    if set(map(type, texts)) == {bytes}:
        return texts  # type: ignore[return-value]
    return [text.encode() if isinstance(text, str) else text for text in texts]


def same_kind(texts: Sequence[Any]) -> Sequence[Any]:
    """Return strings that can be joined: all of them bytes if one is."""
    kinds = set(map(type, texts))
    if len(kinds) == 1 and kinds <= {str, bytes}:
        return texts
    return as_bytes(texts) if any(isinstance(text, bytes) for text in texts) else texts


def as_text_like(text: Text, like: Text) -> Any:
    """Return ``text`` as str beside a str, as bytes beside bytes."""
    if isinstance(like, bytes):
        return text.encode() if isinstance(text, str) else text
    return text.decode() if isinstance(text, bytes) else text


def text_argument(call: str, name: str, value: Any) -> Text:
    """Return an argument that must be a single string."""
    leaf = as_leaf(value)
    if isinstance(leaf, (str, bytes)):
        return leaf
    if isinstance(leaf, np.ndarray) and leaf.dtype == object:
        raise BuildError(f"{call}: {name} must be one string, got shape {list(leaf.shape)}.")
    raise BuildTypeError(f"{call}: {name} must be a string, got {describe_leaf(leaf)}.")


def one_of(call: str, name: str, value: Any, allowed: Sequence[str]) -> str:
    """Return an argument that must be one of a few words."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    if isinstance(text, str) and text in allowed:
        return str(text)
    known = ", ".join(map(repr, allowed))
    raise BuildError(f"{call}: {name} must be one of {known}, got {value!r}.")
