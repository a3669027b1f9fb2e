"""conform: making values that a user's code gave have the dtype and shape that was declared.

Numbers are converted as NumPy does it, which is what tf.data does: a float becomes an
integer by cutting off, a list becomes an array. What cannot be converted, or has another
shape, raises SpecError with what was declared and what was found.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any

import numpy as np

from feedline.block import Block
from feedline.column import Column, Dense, Objects, Ragged, column_of
from feedline.errors import SpecError
from feedline.leaf import as_leaf, describe_leaf, is_array_like
from feedline.spec import (
    DatasetSpec,
    LeafSpec,
    NoneTensorSpec,
    RaggedTensorSpec,
    SparseTensorSpec,
    TensorSpec,
    array_spec,
    shapes_agree,
)
from feedline.structure import Structure, split_values, structure_of

__all__ = ["Declared", "conform", "conform_leaf", "leaves_under", "owned"]

_NUMBERS = frozenset({bool, int, float})
_IMMUTABLE = frozenset({int, float, bool, complex, str, bytes, type(None)}) | frozenset(
    kind for kind in np.sctypeDict.values() if issubclass(kind, np.generic)
)
_REFUSED = (TypeError, ValueError, OverflowError)


class Declared:
    """The spec of an element, ready to turn values into blocks."""

    def __init__(self, spec: Any) -> None:
        self._structure = structure_of(spec)
        self._specs: list[LeafSpec] = [array_spec(s) for s in self._structure.flatten(spec)]
        self._paths = [f" at {path}" if path else "" for path in self._structure.paths()]

    def block(self, values: list[Any]) -> Block:
        """Return the block of elements that a user's code gave.

        Raises SpecError if one does not fit; its text follows after the name of an element.
        """
        columns = []
        for part, spec, path in zip(self._split(values), self._specs, self._paths, strict=True):
            try:
                columns.append(conform(part, spec))
            except SpecError as error:
                raise SpecError(f"{path} {error}") from error
        return Block(self._structure, tuple(columns), len(values))

    def _split(self, values: list[Any]) -> list[list[Any]]:
        try:
            return split_values(values, self._structure)
        except SpecError:
            rows = []
            for value in values:
                leaves = leaves_under(self._structure, value)
                if leaves is None:
                    raise SpecError(
                        f" must have the structure {self._structure}, got {structure_of(value)}"
                    ) from None
                rows.append(leaves)
            return [list(part) for part in zip(*rows, strict=True)]


def conform(values: list[Any], spec: LeafSpec) -> Column:
    """Return the column of ``values`` as ``spec`` declares them.

    Runs of values of one type are converted at once. The column may share memory with
    arrays among the values.

    Example:
        >>> conform([1, 2], TensorSpec((), np.float32)).rows()
        [np.float32(1.0), np.float32(2.0)]
    """
    column = _at_once(values, spec) if isinstance(spec, TensorSpec) else None
    return column_of([conform_leaf(v, spec) for v in values]) if column is None else column


def _at_once(values: list[Any], spec: TensorSpec) -> Column | None:
    """Return the column if the values are of one kind that converts at once, else None."""
    kinds = set(map(type, values))
    if len(kinds) > 1 and not kinds <= _NUMBERS:
        return None
    kind = kinds.pop()
    if spec.dtype == object:
        fits = kind in (str, bytes) and shapes_agree(spec.shape, ())
        return Objects(values) if fits else None
    if kind is np.ndarray:
        return _of_arrays(values, spec)
    scalars = issubclass(kind, (np.number, np.bool_))
    if not scalars and kind not in _NUMBERS and kind not in (list, tuple):
        return None
    try:
        array = (
            np.array(values, kind).astype(spec.dtype) if scalars else np.array(values, spec.dtype)
        )
    except _REFUSED:
        return None
    return Dense(array) if shapes_agree(spec.shape, array.shape[1:]) else None


def _of_arrays(arrays: list[Any], spec: TensorSpec) -> Column | None:
    dtypes = {array.dtype for array in arrays}
    if len(dtypes) > 1 or dtypes.pop().kind not in "biuf":
        return None
    shapes = {array.shape for array in arrays}
    if not all(shapes_agree(spec.shape, shape) for shape in shapes):
        return None
    shape = arrays[0].shape
    if len(shapes) == 1 and shape:
        joined = arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
        return Dense(joined.reshape(len(arrays), *shape).astype(spec.dtype, copy=False))
    column = column_of(arrays)
    if isinstance(column, Dense):
        return Dense(column.array.astype(spec.dtype, copy=False))
    if isinstance(column, Ragged):
        return Ragged(column.values.astype(spec.dtype, copy=False), column.splits)
    return Objects([row.astype(spec.dtype, copy=False) for row in column.rows()])


def conform_leaf(value: Any, spec: LeafSpec) -> Any:
    """Return one value as ``spec`` declares it, or raise SpecError.

    Example:
        >>> conform_leaf([1, 2], TensorSpec((3,), np.int32))
        Traceback (most recent call last):
        feedline.errors.SpecError: must be int32[3], got int32[2]
    """
    if isinstance(spec, TensorSpec):
        leaf = _string(value, spec) if spec.dtype == object else _number(value, spec)
        if not shapes_agree(spec.shape, np.shape(leaf)):
            raise _misfit(spec, leaf)
        return leaf
    if isinstance(spec, DatasetSpec):
        # Not compared: that might have to run the dataset.
        fits = hasattr(value, "element_spec")
    elif isinstance(spec, NoneTensorSpec):
        fits = value is None
    else:
        fits = hasattr(value, "__feedline_leaf__") and spec.is_compatible_with(value)
    if not fits:
        raise _misfit(spec, value)
    return value


def _number(value: Any, spec: TensorSpec) -> Any:
    if hasattr(value, "__feedline_leaf__"):  # ragged values and datasets look like sequences
        raise _misfit(spec, value)
    try:
        return np.asarray(value, spec.dtype)[()]
    except _REFUSED as error:
        raise _misfit(spec, value) from error


def _string(value: Any, spec: TensorSpec) -> Any:
    try:
        leaf = as_leaf(list(value) if isinstance(value, tuple) else value)
    except SpecError as error:
        raise _misfit(spec, value) from error
    items = leaf.ravel().tolist() if isinstance(leaf, np.ndarray) else [leaf]
    if not all(isinstance(item, (str, bytes)) for item in items):
        raise _misfit(spec, value)
    return leaf.astype(object) if isinstance(leaf, np.ndarray) else leaf


def _misfit(spec: LeafSpec, value: Any) -> SpecError:
    return SpecError(f"must be {_declared(spec)}, got {_found(value)}")


def _declared(spec: LeafSpec) -> str:
    if not isinstance(spec, (TensorSpec, RaggedTensorSpec, SparseTensorSpec)):
        return str(spec)
    kind = "string" if spec.dtype == object else str(spec.dtype)
    shape = (
        "..." if spec.shape is None else ",".join("?" if n is None else str(n) for n in spec.shape)
    )
    form = {RaggedTensorSpec: "ragged ", SparseTensorSpec: "sparse "}.get(type(spec), "")
    return f"{form}{kind}[{shape}]"


def _found(value: Any) -> str:
    if isinstance(value, (list, tuple, int, float)):
        try:
            return describe_leaf(np.asarray(value))
        except ValueError:
            return f"a {type(value).__name__} of unequal rows"
    if isinstance(value, (str, bytes)):
        shown = repr(value) if len(value) <= 40 else repr(value[:37]) + "..."
        return f"{type(value).__name__} {shown}"
    return describe_leaf(value)


def leaves_under(structure: Structure, value: Any) -> list[Any] | None:
    """Return what stands in ``value`` where ``structure`` has leaves, None if that cannot be.

    A subclass may stand for a tuple or dict, as in tf.data.
    """
    if structure.is_leaf:
        return [value]
    parts = _parts_under(structure, value)
    if parts is None:
        return None
    leaves: list[Any] = []
    for child, part in zip(structure.children, parts, strict=True):
        below = leaves_under(child, part)
        if below is None:
            return None
        leaves += below
    return leaves


def _parts_under(structure: Structure, value: Any) -> list[Any] | None:
    kind: Any = structure.type
    keys = structure.keys
    if issubclass(kind, dict):
        same = isinstance(value, dict) and set(value) == set(keys)
        return [value[key] for key in keys] if same else None
    if not isinstance(value, kind):
        return None
    if issubclass(kind, tuple):
        return list(value) if len(value) == len(keys) else None
    return [getattr(value, str(key)) for key in keys]


def owned(value: Any) -> Any:
    """Return the value in memory of its own: generators yield one buffer again and again."""
    kind = type(value)
    if kind in _IMMUTABLE:
        return value
    if kind is np.ndarray:
        return value.copy()
    # Written out for leaves inside: a call for each would take longer than the rest.
    if kind is tuple:
        return tuple([leaf if type(leaf) in _IMMUTABLE else owned(leaf) for leaf in value])
    if kind is list:
        return [leaf if type(leaf) in _IMMUTABLE else owned(leaf) for leaf in value]
    if kind is dict:
        return {k: leaf if type(leaf) in _IMMUTABLE else owned(leaf) for k, leaf in value.items()}
    if isinstance(value, (tuple, dict)) or is_dataclass(value):
        structure = structure_of(value)
        if not structure.is_leaf:
            return structure.pack([owned(leaf) for leaf in structure.flatten(value)])
    return np.array(value) if is_array_like(value) else value
