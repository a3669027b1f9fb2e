"""tensors: arrays as byte strings, in the format of TensorFlow's TensorProto."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from feedline.column import Bytes, Column
from feedline.errors import BuildError
from feedline.graph.leaf_operation import leaf_operation
from feedline.graph.numpy_view import ScalarType
from feedline.graph.opaque import Opaque
from feedline.graph.rows import Rows
from feedline.graph.symbol import Symbol
from feedline.io.tensor_proto import array_from, as_tensor_proto, header_of
from feedline.kernels.wire import DELIMITED, varint
from feedline.leaf import ingest
from feedline.leaf_spec import TensorSpec, string
from feedline.strings.lifted import rowwise
from feedline.strings.texts import as_bytes, is_text, strings_given

__all__ = ["parse_tensor", "serialize_tensor"]


def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Any:
    """Return the array that serialize_tensor() made a byte string of.

    Args:
        serialized: One byte string.
        out_type: The dtype of the array, which must be the one it has.
        name: Has no effect.

    Example:
        >>> parse_tensor(serialize_tensor(np.float32([1, 2])), np.float32)
        array([1., 2.], dtype=float32)
    """
    scalar = isinstance(out_type, ScalarType)
    dtype = out_type.dtype if scalar else TensorSpec((), out_type).dtype
    return _parsed(serialized, dtype)


def _parsed_one(text: Any, dtype: np.dtype[Any]) -> Any:
    found = array_from(as_bytes([text])[0], dtype)
    return found if found.ndim else found.item() if dtype == object else found[()]


def _spec_of_parsed(text: Any, dtype: np.dtype[Any]) -> TensorSpec:
    return TensorSpec(None, dtype)


@leaf_operation(spec=_spec_of_parsed, columns=rowwise(_parsed_one))
def _parsed(text: Any, dtype: np.dtype[Any]) -> Any:
    given = strings_given("parse_tensor()", text, "serialized")
    if not is_text(given):
        raise BuildError(
            f"parse_tensor(): serialized must be one byte string, got an array of shape "
            f"{np.shape(given)}."
        )
    return _parsed_one(given, dtype)


_parsed.__name__ = "parse_tensor"


def _columns(tensor: Any) -> Sequence[Column]:
    if not isinstance(tensor, Rows):
        raise NotImplementedError  # strings, and arrays of different shapes
    array = np.ascontiguousarray(tensor.array)
    length, shape = len(array), array.shape[1:]
    raw = array.astype(array.dtype.newbyteorder("<"), copy=False).view(np.uint8)
    content = raw.reshape(length, -1) if array.size else np.empty((length, 0), np.uint8)
    head = header_of(array.dtype, shape)
    if content.shape[1]:
        head += varint(4 << 3 | DELIMITED) + varint(content.shape[1])
    heads = np.broadcast_to(np.frombuffer(head, np.uint8), (length, len(head)))
    whole = np.concatenate([heads, content], axis=1)
    return [Bytes(whole.reshape(-1), np.arange(length + 1, dtype=np.int64) * whole.shape[1])]


def _spec_of_serialized(tensor: Any) -> TensorSpec:
    return TensorSpec((), string)


@leaf_operation(spec=_spec_of_serialized, columns=_columns)
def _serialized(tensor: Any) -> bytes:
    return as_tensor_proto(np.asarray(tensor, object if is_text(tensor) else None))


_serialized.__name__ = "serialize_tensor"


def serialize_tensor(tensor: Any, name: str | None = None) -> Any:
    """Return an array, number or string as a byte string that parse_tensor() reads.

    Args:
        tensor: What to serialize; Python numbers are int32 and float32.
        name: Has no effect.

    Example:
        >>> len(serialize_tensor(np.zeros(3)))
        34
    """
    if isinstance(tensor, (Opaque, Symbol)):
        return _serialized(tensor)
    return _serialized(ingest(tensor))
