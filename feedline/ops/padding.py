"""padding: the arrays of a column filled up to one shape, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Dense, Objects, Ragged
from feedline.errors import BuildError, BuildTypeError, SpecError, TooLongError
from feedline.kernels.pad_rows import pad_rows
from feedline.leaf import MismatchError, describe_leaf, stack_leaves
from feedline.spec import Shape, TensorSpec, array_spec, as_shape
from feedline.structure import Structure, structure_of

__all__ = ["LeafPadding", "leaf_paddings", "shapes_up_to"]

_CALL = "padded_batch()"


@dataclass(frozen=True, slots=True)
class LeafPadding:
    """How the arrays of one leaf are padded.

    ``shape`` is None to pad every axis to the longest of the batch, as is a None in it
    for one axis. ``value`` is None for zero or the empty string.
    """

    path: str
    shape: Shape
    value: Any

    @property
    def where(self) -> str:
        """The leaf, as error messages name it."""
        return f" at {self.path}" if self.path else ""

    def batch_spec(self, spec: Any, size: int | None) -> TensorSpec:
        """Return the spec of batches of a leaf; raise where no leaf with ``spec`` can be padded."""
        spec = array_spec(spec)
        if not isinstance(spec, TensorSpec):
            raise BuildTypeError(
                f"{_CALL}: only arrays and strings can be padded, got {spec}{self.where}. "
                "Use batch() or ragged_batch()."
            )
        self.fill(spec.dtype)
        if self.shape is None:
            if spec.shape is None:
                raise BuildError(
                    f"{_CALL}: padded_shapes must be given, because the rank{self.where} varies."
                )
            return TensorSpec((size, *spec.shape), spec.dtype)
        if spec.shape is not None and not _can_hold(self.shape, spec.shape):
            raise BuildError(
                f"{_CALL}: padded_shapes{self.where} must have room for {spec.shape}, "
                f"got {self.shape}."
            )
        return TensorSpec((size, *self.shape), spec.dtype)

    def fill(self, dtype: np.dtype[Any]) -> Any:
        """Return what fills arrays of ``dtype``; raise if the value asked for does not fit."""
        value = self.value
        if value is None:
            return b"" if dtype == object else np.zeros((), dtype)[()]
        if np.ndim(value):
            raise BuildError(f"{_CALL}: padding_values must be scalars, got {value!r}{self.where}.")
        if isinstance(value, (str, bytes)):
            if dtype == object:
                return value
        elif isinstance(value, (np.generic, np.ndarray)):
            if value.dtype == dtype:
                return dtype.type(value)
        elif dtype != object and isinstance(value, (bool, int, float, complex)):
            # A Python number has no dtype of its own: it takes that of the leaf, if it fits.
            cast = _cast(value, dtype)
            if cast is not None:
                return cast
        raise BuildTypeError(
            f"{_CALL}: padding_values{self.where} must fit {_dtype_name(dtype)}, got {value!r}."
        )

    def pad(self, column: Column, size: int, first: int) -> Column:
        """Return the column of padded batches; ``first`` is the first element's position."""
        if isinstance(column, Dense):
            return self._pad_dense(column, size, first)
        if isinstance(column, Ragged) and column.values.dtype != object:
            return self._pad_ragged(column, size, first)
        if isinstance(column, Bytes) and self.shape in (None, ()):
            return column.group(size)
        return self._pad_rows(column.rows(), size, first)

    def _pad_dense(self, column: Dense, size: int, first: int) -> Column:
        array = column.array
        shape = array.shape[1:]
        self._check_room(shape, array[:1], first)
        target = self._target([shape])
        if target == shape:
            self.fill(array.dtype)
            return column.group(size)
        fill = _strings_like(self.fill(array.dtype), array)
        padded = np.full((len(array), *target), fill, array.dtype)
        padded[(slice(None), *map(slice, shape))] = array
        return Dense(padded).group(size)

    def _pad_ragged(self, column: Ragged, size: int, first: int) -> Column:
        values, splits, lengths = column.values, column.splits, column.lengths
        fill = self.fill(values.dtype)
        inner = values.shape[1:]
        room = next(iter(self.shape or ()), None)
        at = 0 if room is None else int(np.argmax(lengths > room))
        rows = column.slice(at, at + 1).rows()
        self._check_room(rows[0].shape, rows, first + at)
        target = self._target([(int(lengths.max()), *inner)])
        if target[1:] != inner:
            wider = np.full((len(values), *target[1:]), fill, values.dtype)
            wider[(slice(None), *map(slice, inner))] = values
            values = wider
        if room is not None:
            return Dense(pad_rows(values, splits, target[0], fill)).group(size)
        starts = np.arange(0, len(lengths), size)
        widths = np.maximum.reduceat(lengths, starts).tolist()
        batches = zip(starts.tolist(), widths, strict=True)
        return Objects([pad_rows(values, splits[a : a + size + 1], w, fill) for a, w in batches])

    def _pad_rows(self, rows: list[Any], size: int, first: int) -> Column:
        starts = range(0, len(rows), size)
        return Objects([self._pad_batch(rows[a : a + size], first + a) for a in starts])

    def _pad_batch(self, rows: list[Any], first: int) -> NDArray[Any]:
        head = np.shape(rows[0])
        for number, row in enumerate(rows):
            if not isinstance(row, (np.ndarray, np.generic, str, bytes)):
                raise SpecError(
                    f"{_CALL}: element {first + number}{self.where} is a {type(row).__name__}; "
                    "only arrays and strings can be padded. Use batch() or ragged_batch()."
                )
            self._check_room(np.shape(row), [row], first + number)
            if len(np.shape(row)) != len(head) or _dtype(row) != _dtype(rows[0]):
                raise SpecError(
                    f"{_CALL}: elements {first} and {first + number} differ{self.where} in rank "
                    f"or dtype: {describe_leaf(rows[0])} and {describe_leaf(row)}."
                )
        dtype = _dtype(rows[0])
        fill = self.fill(dtype)
        target = self._target([np.shape(row) for row in rows])
        if not target:
            try:
                stacked: NDArray[Any] = stack_leaves(rows, first)
            except MismatchError as error:
                raise SpecError(f"{_CALL}: {error}{self.where}.") from None
            return stacked
        if dtype == object:
            fill = _strings_like(fill, *rows)
        padded = np.full((len(rows), *target), fill, dtype)
        for number, row in enumerate(rows):
            padded[number][tuple(map(slice, row.shape))] = row
        return padded

    def _target(self, shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
        longest = tuple(map(max, zip(*shapes, strict=True)))
        wanted = (None,) * len(longest) if self.shape is None else self.shape
        return tuple(n if w is None else w for w, n in zip(wanted, longest, strict=True))

    def _check_room(self, shape: tuple[int, ...], rows: Any, number: int) -> None:
        wanted = self.shape
        if wanted is None or _can_hold(wanted, shape):
            return
        is_longer = len(wanted) == len(shape)
        problem = "too long" if is_longer else "of another rank"
        raise (TooLongError if is_longer else SpecError)(
            f"{_CALL}: element {number}{self.where} is {problem}: {describe_leaf(rows[0])}, "
            f"but padded_shapes is {wanted} there. Give a shape with room for it (None pads to "
            "the longest of the batch), or cut it in a map() before."
        )


def leaf_paddings(structure: Structure, shapes: Any, values: Any) -> list[LeafPadding]:
    """Return how each leaf of elements of ``structure`` is padded.

    Args:
        structure: That of the elements.
        shapes: One shape per leaf in the same structure, or None.
        values: One value for all leaves, or one per leaf, each of which may be None.
    """
    count = structure.num_leaves
    by_leaf: list[Shape] = [None] * count if shapes is None else shapes_up_to(structure, shapes)
    if structure_of(values).is_leaf:
        fills = [values] * count
    else:
        fills = list(_up_to(structure, values, "padding_values"))
    return [
        LeafPadding(path, shape, fill)
        for path, shape, fill in zip(structure.paths(), by_leaf, fills, strict=True)
    ]


def shapes_up_to(structure: Structure, shapes: Any) -> list[Shape]:
    """Return the shape given for each leaf of elements of ``structure``."""
    return [_shape(shape) for shape in _up_to(structure, shapes, "padded_shapes")]


def _up_to(structure: Structure, value: Any, what: str) -> Iterator[Any]:
    """Yield what stands in ``value`` where ``structure`` has its leaves."""
    if structure.type is None:
        yield value
        return
    parts: Any = None
    if issubclass(structure.type, dict):
        if isinstance(value, dict) and set(value) == set(structure.keys):
            parts = [value[key] for key in structure.keys]
    elif isinstance(value, (tuple, list)):
        parts = value if len(value) == len(structure.keys) else None
    elif isinstance(value, structure.type):
        parts = [getattr(value, str(key)) for key in structure.keys]
    if parts is None:
        raise BuildError(
            f"{_CALL}: {what} must have the structure of the elements, {structure}, got {value!r}."
        )
    for child, part in zip(structure.children, parts, strict=True):
        yield from _up_to(child, part, what)


def _shape(shape: Any) -> Shape:
    try:
        return as_shape(shape)
    except (TypeError, ValueError):
        raise BuildTypeError(
            f"{_CALL}: a padded shape must be a list of lengths (None or -1 for the longest of "
            f"the batch), got {shape!r}."
        ) from None


def _can_hold(wanted: tuple[int | None, ...], shape: tuple[int | None, ...]) -> bool:
    """Whether arrays of ``shape`` could be padded to ``wanted``."""
    if len(wanted) != len(shape):
        return False
    pairs = zip(wanted, shape, strict=True)
    return all(room is None or length is None or length <= room for room, length in pairs)


def _cast(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a Python number as a scalar of ``dtype``, or None if it does not fit."""
    if isinstance(value, bool) != (dtype == np.bool_):
        return None
    if isinstance(value, float) and dtype.kind not in "fc":
        return None
    try:
        cast = np.asarray(value, dtype)[()]
    except (OverflowError, TypeError, ValueError):
        return None
    return cast if dtype.kind in "fc" or cast == value else None


def _dtype(leaf: Any) -> np.dtype[Any]:
    found: np.dtype[Any] = getattr(leaf, "dtype", np.dtype(object))
    return found


def _dtype_name(dtype: np.dtype[Any]) -> str:
    return "strings" if dtype == object else str(dtype)


def _strings_like(fill: Any, *arrays: NDArray[Any]) -> Any:
    """Return ``fill`` as str or bytes, whichever the strings in ``arrays`` are."""
    if not isinstance(fill, (str, bytes)):
        return fill
    for array in arrays:
        for item in array.flat:
            if isinstance(item, str):
                return fill.decode() if isinstance(fill, bytes) else fill
            return fill.encode() if isinstance(fill, str) else fill
    return fill
