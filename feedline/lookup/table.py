"""table: what all tables do: values found for keys, in the shape of the keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Dense
from feedline.errors import BuildTypeError
from feedline.graph.leaf_operation import leaf_operation
from feedline.graph.rows import Rows
from feedline.leaf import as_leaf, describe_leaf
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor
from feedline.spec import SparseTensorSpec, string
from feedline.strings.lifted import form_of, spec_of_form
from feedline.strings.texts import array_of_texts, column_parts
from feedline.values.dtype import DType, as_dtype
from feedline.values.publishing import published

__all__ = ["Table", "array_of_values", "as_key", "as_value", "check_keys", "keys_of"]


def _spec(table: Any, keys: Any, *_args: Any, **_kwargs: Any) -> Any:
    samples = getattr(keys, "samples", None) or [keys]
    if isinstance(samples[0], SparseTensor):
        return SparseTensorSpec(None, table.value_dtype.dtype)
    return spec_of_form(form_of(keys), table.value_dtype.dtype)


def _columns(table: Any, keys: Any, *_args: Any, **_kwargs: Any) -> Sequence[Column]:
    if isinstance(keys, (Rows, Dense)) and keys.array.dtype != object:
        array = keys.array
        return [Dense(table.values_of(array.ravel().tolist()).reshape(array.shape))]
    items, put = column_parts(keys)
    return [put(table.values_of(items))]


class Table:
    """What StaticHashTable and its relatives have in common.

    A table has ``values_of(items)``, which gives the values of a list of keys as an array.
    """

    name: str | None
    _keys: np.dtype[Any]
    _values: np.dtype[Any]
    values_of: Callable[[Sequence[Any]], NDArray[Any]]

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""
        return as_dtype(self._keys)

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values."""
        return as_dtype(self._values)

    @published
    @leaf_operation(spec=_spec, columns=_columns)
    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Return the values of ``keys``, in their shape.

        Args:
            keys: An array, scalar, string or list, a RaggedTensor or a SparseTensor.
            name: Has no effect.
        """
        leaf = as_leaf(keys)
        if isinstance(leaf, RaggedTensor):
            return leaf.with_values(self._found(leaf.plain_values))
        if isinstance(leaf, SparseTensor):
            return leaf.with_values(self._found(leaf.plain_values))
        return self._found(leaf)

    def __getitem__(self, keys: Any) -> Any:
        """Return the values of ``keys``, in their shape."""
        return self.lookup(keys)

    def _found(self, leaf: Any) -> Any:
        if isinstance(leaf, RaggedTensor):
            return leaf.with_values(self._found(leaf.plain_values))
        if isinstance(leaf, (str, bytes)) and self._keys == string:
            return self.values_of([leaf])[0]
        check_keys(self, leaf)
        found = self.values_of(leaf.ravel().tolist())
        found = found.reshape(leaf.shape + found.shape[1:])
        return found if found.ndim else found[()]


def check_keys(table: Any, leaf: Any) -> None:
    """Refuse what cannot be keys of a table."""
    dtype = getattr(leaf, "dtype", None)
    if dtype is not None and dtype.kind in ("O" if table.key_dtype == string else "iu"):
        return
    if getattr(leaf, "size", None) == 0:
        return
    kind = "strings" if table.key_dtype == string else "integers"
    raise BuildTypeError(
        f"{table.name or 'lookup()'}: keys must be {kind}, got {describe_leaf(leaf)}."
    )


def keys_of(items: Sequence[Any]) -> Sequence[Any]:
    """Return keys as they stand in tables: strings as bytes."""
    if set(map(type, items)) <= {bytes, int}:
        return items
    return [as_key(item) for item in items]


def as_key(key: Any) -> Any:
    """Return a key as it stands in tables: a string as bytes, a number as Python's."""
    if isinstance(key, str):
        return key.encode()
    return bytes(key) if isinstance(key, bytes) else int(key)


def as_value(call: str, name: str, value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a value, such as the one for unknown keys, with the dtype of a table's values."""
    leaf = as_leaf(value)
    if isinstance(leaf, (str, bytes)) or getattr(leaf, "dtype", None) == object:
        fits = dtype == string
    else:
        found = np.asarray(leaf).dtype
        fits = dtype != string and np.can_cast(found, dtype, "same_kind")
    if not fits:
        shown = "string" if dtype == string else dtype
        raise BuildTypeError(f"{call}: {name} must be of the values' dtype {shown}, got {value!r}.")
    return leaf if dtype == string else np.asarray(leaf, dtype)[()]


def array_of_values(values: Sequence[Any], dtype: np.dtype[Any], shape: Any = ()) -> NDArray[Any]:
    """Return values side by side, each of ``shape``."""
    if shape:
        flat = list(chain.from_iterable(np.ravel(value).tolist() for value in values))
        array = array_of_texts(flat) if dtype == string else np.asarray(flat, dtype)
        return array.reshape(len(values), *shape)
    return array_of_texts(values) if dtype == string else np.asarray(values, dtype)
