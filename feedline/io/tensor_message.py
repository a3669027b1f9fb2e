"""tensor_message: arrays as messages of TensorFlow's type TensorProto, without protobuf."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.casting import constant
from feedline.errors import BuildError, BuildTypeError
from feedline.io.tensor_proto import array_from, as_tensor_proto, number_of
from feedline.shapes import as_shape
from feedline.values.tensor import as_numpy
from feedline.values.tensor_shape import TensorShape

__all__ = ["TensorProto", "make_ndarray", "make_tensor_proto"]


class TensorProto:
    """An array in a message: what make_tensor_proto() returns.

    Example:
        >>> TensorProto(np.float32([1, 2])).SerializeToString().hex()
        '08011204120208022208...'
    """

    def __init__(self, array: NDArray[Any]) -> None:
        self._array = array

    @property
    def dtype(self) -> int:
        """TensorFlow's number for the dtype."""
        return number_of(self._array.dtype)

    @property
    def tensor_shape(self) -> TensorShape:
        """The shape, whose ``dims`` are the lengths of the axes."""
        return TensorShape(self._array.shape)

    def SerializeToString(self) -> bytes:  # noqa: N802  (protobuf's name)
        """Return the message in wire format."""
        return as_tensor_proto(self._array)

    @classmethod
    def FromString(cls, serialized: bytes) -> TensorProto:  # noqa: N802  (protobuf's name)
        """Return the message that bytes in wire format stand for."""
        return cls(array_from(serialized, None))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorProto):
            return NotImplemented
        return self.SerializeToString() == other.SerializeToString()

    __hash__: Any = None  # as of protobuf's messages

    def __repr__(self) -> str:
        return f"TensorProto({self._array!r})"


def make_tensor_proto(
    values: Any,
    dtype: Any = None,
    shape: Any = None,
    verify_shape: bool = False,
    allow_broadcast: bool = False,
) -> TensorProto:
    """Return values as a message, to write or to send.

    Args:
        values: An array, or numbers and strings in lists.
        dtype: What they become; their own by default.
        shape: What shape they have; of too few values the last is repeated.
        verify_shape: Whether they must have that shape already.
        allow_broadcast: Whether one value may stand for all, and no other number of them.

    Example:
        >>> make_tensor_proto([1, 2], shape=[3])
        TensorProto(array([1, 2, 2], dtype=int32))
    """
    call = "make_tensor_proto()"
    array = np.asarray(as_numpy(constant(values, dtype)))
    if shape is None:
        return TensorProto(array)
    wanted = as_shape(shape)
    if wanted is None or None in wanted:
        raise BuildError(f"{call}: shape must be known, got {shape!r}.")
    count = math.prod(length or 0 for length in wanted)
    if verify_shape and array.shape != wanted:
        raise BuildTypeError(f"{call}: shape must be that of the values, {array.shape}.")
    if array.size > count or (allow_broadcast and array.size not in (1, count)):
        raise BuildError(f"{call}: {array.size} values do not make an array of shape {wanted}.")
    if not array.size and count:
        raise BuildError(f"{call}: no values do not make an array of shape {wanted}.")
    places = np.minimum(np.arange(count), array.size - 1)
    return TensorProto(array.ravel()[places].reshape(wanted))  # type: ignore[arg-type]


def make_ndarray(tensor: Any) -> NDArray[Any]:
    """Return the array in a message, of ours or of protobuf's.

    Args:
        tensor: A TensorProto.

    Example:
        >>> make_ndarray(make_tensor_proto([1.0, 2.0]))
        array([1., 2.], dtype=float32)
    """
    if not hasattr(tensor, "SerializeToString"):
        raise BuildTypeError(f"make_ndarray(): tensor must be a TensorProto, got {tensor!r}.")
    return array_from(tensor.SerializeToString(), None)
