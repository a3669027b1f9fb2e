"""arrow_columns: Arrow's arrays as columns; numbers are not copied."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Bytes, Column, Dense, Objects, Ragged
from feedline.errors import InvalidArgumentError
from feedline.ragged import RaggedTensor
from feedline.spec import RaggedTensorSpec, TensorSpec, string
from feedline.structure import Structure, structure_of

__all__ = ["block_of_batch", "spec_of_schema"]

_LISTS = (pa.types.is_list, pa.types.is_large_list)
_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
_BINARY = (
    pa.types.is_binary,
    pa.types.is_large_binary,
    pa.types.is_fixed_size_binary,
    pa.types.is_binary_view,
)


def block_of_batch(batch: pa.RecordBatch, fills: Mapping[str, Any], path: str) -> Block:
    """Return the rows of a record batch: a dict with a leaf for every column.

    Args:
        batch: The rows.
        fills: What stands for null, by the name of the column.
        path: For messages.
    """
    names = batch.schema.names
    columns: list[Column] = []
    structures = []
    for name, array in zip(names, batch.columns, strict=True):
        structure, made = _columns(array, name, fills, f"{path}, column {name!r}")
        structures.append(structure)
        columns += made
    structure = Structure(dict, tuple(names), tuple(structures))
    return Block(structure, tuple(columns), batch.num_rows)


def _columns(
    array: Any, name: str, fills: Mapping[str, Any], where: str
) -> tuple[Structure, list[Column]]:
    """Return the structure of a column, which a struct gives it, and its leaves."""
    array = _plain(array)
    array = _filled(array, name, fills, where)
    if not pa.types.is_struct(array.type):
        return structure_of(0), [_leaf(array, where)]
    parts = [
        _columns(part, f"{name}.{field.name}", fills, f"{where}, field {field.name!r}")
        for part, field in zip(array.flatten(), array.type, strict=True)
    ]
    keys = tuple(field.name for field in array.type)
    structure = Structure(dict, keys, tuple(structure for structure, _ in parts))
    return structure, [column for _, columns in parts for column in columns]


def _plain(array: Any) -> Any:
    """Return an array without what only says how it is stored or what it means."""
    if isinstance(array, pa.ExtensionArray):
        return _plain(array.storage)
    if pa.types.is_dictionary(array.type):
        return array.dictionary_decode()
    if pa.types.is_run_end_encoded(array.type):
        return pc.run_end_decode(array)
    return array


def _filled(array: Any, name: str, fills: Mapping[str, Any], where: str) -> Any:
    if not array.null_count:
        return array
    if name not in fills:
        raise InvalidArgumentError(
            f"{where} has {array.null_count} nulls among {len(array)} rows. Give what stands for "
            f"them, as fill_values={{{name!r}: ...}}, or leave the column out by columns=."
        )
    try:
        return array.fill_null(pa.scalar(fills[name], array.type))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise InvalidArgumentError(
            f"{where}: fill_values[{name!r}] must be a {array.type}, got {fills[name]!r}."
        ) from error


def _leaf(array: Any, where: str) -> Column:
    kind = array.type
    if any(is_kind(kind) for is_kind in _TEXTS):
        return Objects(array.to_pylist())
    if any(is_kind(kind) for is_kind in _BINARY):
        return _bytes(array)
    if pa.types.is_fixed_size_list(kind):
        values = _numbers(_inner(array.flatten(), where), where)
        return Dense(values.reshape(len(array), kind.list_size, *values.shape[1:]))
    if any(is_kind(kind) for is_kind in _LISTS):
        return _lists(array, where)
    return Dense(_numbers(array, where))


def _inner(values: Any, where: str) -> Any:
    values = _plain(values)
    if values.null_count:
        raise InvalidArgumentError(f"{where} has nulls inside its lists. Replace them first.")
    return values


def _lists(array: Any, where: str) -> Column:
    values = _inner(array.flatten(), where)
    splits = np.asarray(array.offsets).astype(np.int64)
    splits -= splits[0]
    if any(is_kind(values.type) for is_kind in (*_TEXTS, *_BINARY)):
        flat = np.empty(len(values), object)
        flat[:] = values.to_pylist()
        return Objects([flat[a:b] for a, b in itertools.pairwise(splits)])
    if any(is_kind(values.type) for is_kind in _LISTS):
        inner = _lists(values, where)
        if isinstance(inner, Ragged):
            return Objects(
                [
                    RaggedTensor(
                        inner.values[inner.splits[a] : inner.splits[b]],
                        inner.splits[a : b + 1] - inner.splits[a],
                    )
                    for a, b in itertools.pairwise(splits)
                ]
            )
        raise InvalidArgumentError(f"{where} has lists of more than two levels, as {array.type}.")
    if pa.types.is_fixed_size_list(values.type):
        size = values.type.list_size
        numbers = _numbers(_inner(values.flatten(), where), where)
        return Ragged(numbers.reshape(len(values), size), splits)
    return Ragged(_numbers(values, where), splits)


def _numbers(array: Any, where: str) -> NDArray[Any]:
    """Return an array of numbers, truth values or times; zero-copy where Arrow allows it."""
    kind = array.type
    allowed = (
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_temporal(kind)
    )
    if not allowed or pa.types.is_interval(kind) or pa.types.is_time(kind):
        raise InvalidArgumentError(
            f"{where} has the type {kind}, for which there is no dtype. Leave it out by columns=, "
            "or cast it when the file is written."
        )
    found: NDArray[Any] = array.to_numpy(zero_copy_only=False)
    return found


def _bytes(array: Any) -> Bytes:
    array = array.cast(pa.binary()).cast(pa.large_binary())
    _, offsets, data = array.buffers()
    places = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    if data is None or not len(places):
        return Bytes(np.empty(0, np.uint8), np.zeros(len(array) + 1, np.int64))
    return Bytes(np.frombuffer(data, np.uint8), places)


# ---- specs -----------------------------------------------------------------------


def spec_of_schema(schema: pa.Schema) -> Any:
    """Return the spec of the rows of a schema, None if it holds what is refused."""
    try:
        return {field.name: _spec(field.type) for field in schema}
    except InvalidArgumentError:
        return None


def _spec(kind: Any) -> Any:
    if isinstance(kind, pa.ExtensionType):
        return _spec(kind.storage_type)
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return _spec(kind.value_type)
    if pa.types.is_struct(kind):
        return {field.name: _spec(field.type) for field in kind}
    if any(is_kind(kind) for is_kind in (*_TEXTS, *_BINARY)):
        return TensorSpec((), string)
    if pa.types.is_fixed_size_list(kind):
        inner = _spec(kind.value_type)
        return TensorSpec((kind.list_size, *inner.shape), inner.dtype)
    if any(is_kind(kind) for is_kind in _LISTS):
        inner = _spec(kind.value_type)
        if any(is_kind(kind.value_type) for is_kind in _LISTS):
            return RaggedTensorSpec((None, None), inner.dtype, 1)
        return TensorSpec((None, *inner.shape), inner.dtype)
    return TensorSpec((), _numbers(pa.array([], kind), "").dtype)
