"""tensor_array: arrays one after the other, written in a loop and stacked at its end."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from feedline.arrays.casting import convert_to_tensor
from feedline.arrays.given import dtype_of, given
from feedline.arrays.joining import concat as joined
from feedline.arrays.joining import stack as stacked
from feedline.errors import BuildError, InvalidArgumentError, OutOfRangeError
from feedline.values.publishing import as_plain_leaves
from feedline.values.tensor import as_tensors
from feedline.values.tensor_shape import TensorShape

__all__ = ["TensorArray"]


class TensorArray:
    """A list of arrays of one dtype.

    Args:
        dtype: That of every array.
        size: How many there are at first; those that are not written are zeros.
        dynamic_size: Whether writing behind the last one makes more.
        clear_after_read: Whether an array can be read once only, as by default.
        tensor_array_name: No effect, as the next two: there are no handles.
        handle: No effect.
        flow: No effect.
        infer_shape: Whether all must have the shape of the first.
        element_shape: The shape of every array, with None for sizes that may be any.
        colocate_with_first_write_call: No effect.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> squares = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        >>> for i in range(4):
        ...     squares = squares.write(i, i * i)
        >>> squares.stack().numpy()
        array([0, 1, 4, 9], dtype=int32)
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if size is None:
            raise BuildError("TensorArray(): size must be given. Write size=0, dynamic_size=True.")
        self._dtype = dtype_of(dtype)
        self._items: list[Any] = [None] * operator.index(as_plain_leaves(size))
        self._read: set[int] = set()
        self._dynamic = bool(dynamic_size)
        self._once = clear_after_read is None or bool(clear_after_read)
        self._infers = infer_shape
        self._shape = TensorShape(element_shape)

    # ---- what it is ------------------------------------------------------------------

    @property
    def dtype(self) -> Any:
        """The dtype of every array."""
        return self._dtype

    @property
    def dynamic_size(self) -> bool:
        """Whether writing behind the last array makes more."""
        return self._dynamic

    @property
    def element_shape(self) -> TensorShape:
        """The shape of every array, as far as it is known."""
        return self._shape

    def size(self, name: str | None = None) -> Any:
        """Return how many arrays there are."""
        return as_tensors(np.int32(len(self._items)))

    def identity(self) -> TensorArray:
        """Return this."""
        return self

    def mark_used(self) -> None:
        """Do nothing: it is not complained of arrays that are never read."""

    def close(self, name: str | None = None) -> None:
        """Forget the arrays."""
        self._items.clear()

    # ---- one array -------------------------------------------------------------------

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """Put an array at an index, and return this."""
        place = operator.index(as_plain_leaves(index))
        if place < 0:
            raise OutOfRangeError(f"TensorArray.write(): index must not be negative, got {place}.")
        if place >= len(self._items):
            if not self._dynamic:
                raise OutOfRangeError(
                    f"TensorArray.write(): index {place} is behind the last of {len(self._items)} "
                    "arrays. Give a larger size, or dynamic_size=True."
                )
            self._items += [None] * (place + 1 - len(self._items))
        self._items[place] = self._checked(value)
        return self

    def read(self, index: Any, name: str | None = None) -> Any:
        """Return the array at an index."""
        place = operator.index(as_plain_leaves(index))
        if not 0 <= place < len(self._items):
            raise OutOfRangeError(
                f"TensorArray.read(): index {place} is not in 0 to {len(self._items) - 1}."
            )
        if self._items[place] is None and place in self._read:
            raise InvalidArgumentError(
                f"TensorArray.read(): index {place} was read before, and forgotten then. Write "
                "clear_after_read=False."
            )
        found = self._at(place)
        if self._once:
            self._items[place] = None
            self._read.add(place)
        return as_tensors(found)

    def _checked(self, value: Any) -> Any:
        value = as_plain_leaves(value)
        try:
            array = convert_to_tensor(value, None, self._dtype)
        except (TypeError, ValueError):
            array = given(value)
        found = np.dtype(getattr(array, "dtype", object))
        if found != self._dtype:
            raise InvalidArgumentError(
                f"TensorArray.write(): an array of dtype {self._dtype} is needed, got {found}. "
                "Write tf.cast()."
            )
        shape = TensorShape(np.shape(array))
        if not self._shape.is_compatible_with(shape):
            raise BuildError(
                f"TensorArray.write(): an array of shape {self._shape} is needed, got {shape}."
            )
        if self._infers:
            self._shape = self._shape.merge_with(shape)
        return array

    def _at(self, place: int) -> Any:
        """Return an array; one that was not written is zeros."""
        item = self._items[place]
        if item is not None:
            return item
        if not self._shape.is_fully_defined():
            raise BuildError(
                f"TensorArray: nothing was written at index {place}, and with the shape "
                f"{self._shape} it is not known how many zeros that is."
            )
        filler = b"" if self._dtype == object else 0
        return np.full(tuple(self._shape), filler, self._dtype)

    # ---- all of them -----------------------------------------------------------------

    def stack(self, name: str | None = None) -> Any:
        """Return all arrays as one, with a new axis in front."""
        if not self._items:
            rest = tuple(self._shape) if self._shape.is_fully_defined() else ()
            return as_tensors(np.zeros((0, *rest), self._dtype))
        return as_tensors(stacked([self._at(place) for place in range(len(self._items))]))

    def gather(self, indices: Any, name: str | None = None) -> Any:
        """Return some of the arrays as one, with a new axis in front."""
        places = [operator.index(place) for place in as_plain_leaves(list(indices))]
        return as_tensors(stacked([self._at(place) for place in places]))

    def concat(self, name: str | None = None) -> Any:
        """Return all arrays as one, one behind the other on the first axis."""
        return as_tensors(joined([self._at(place) for place in range(len(self._items))], 0))

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """Hold what an array has along its first axis, and return this."""
        rows = list(given(as_plain_leaves(value)))
        if len(rows) > len(self._items) and not self._dynamic:
            raise OutOfRangeError(
                f"TensorArray.unstack(): {len(rows)} arrays do not fit in {len(self._items)}. Give "
                "a larger size, or dynamic_size=True."
            )
        self._items = [self._checked(row) for row in rows]
        return self

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Write what an array has along its first axis to the indices, and return this."""
        rows = list(given(as_plain_leaves(value)))
        for place, row in zip(as_plain_leaves(list(indices)), rows, strict=True):
            self.write(place, row)
        return self

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """Hold pieces of these lengths of an array, cut along its first axis, and return this."""
        array = given(as_plain_leaves(value))
        ends = np.cumsum(np.asarray(as_plain_leaves(lengths)))
        if len(ends) and ends[-1] != len(array):
            raise InvalidArgumentError(
                f"TensorArray.split(): lengths must sum up to {len(array)}, not {ends[-1]}."
            )
        if len(ends) > len(self._items) and not self._dynamic:
            raise OutOfRangeError(
                f"TensorArray.split(): {len(ends)} pieces do not fit in {len(self._items)}. Give "
                "a larger size, or dynamic_size=True."
            )
        self._infers = False
        self._items = [self._checked(piece) for piece in np.split(array, ends[:-1])]
        return self
