"""functions: those of TensorFlow 1 that no function of today does alone."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

import numpy as np

from feedline.arrays import picking
from feedline.arrays.arithmetic import divide
from feedline.arrays.casting import cast, convert_to_tensor
from feedline.arrays.shaping import reshape
from feedline.contexts import name_scope as current_name_scope
from feedline.errors import BuildError, InvalidArgumentError
from feedline.graph.leaf_operation import leaf_operation
from feedline.math import floordiv
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor, to_dense
from feedline.spec import string
from feedline.strings import splitting
from feedline.strings.expanding import Expanded, expanded, expanding_rule, spec_of_rows
from feedline.strings.texts import array_of_texts, as_bytes

__all__ = [
    "div",
    "enable_eager_execution",
    "enable_resource_variables",
    "enable_v2_behavior",
    "enable_v2_tensorshape",
    "executing_eagerly_outside_functions",
    "name_scope",
    "sparse_to_dense",
    "split",
    "string_split",
    "to_double",
    "to_float",
    "to_int32",
    "to_int64",
    "where",
]


# ---- numbers ------------------------------------------------------------------------------


def to_float(x: Any, name: str = "ToFloat") -> Any:
    """Return numbers as float32.

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.to_float([1, 2])
        array([1., 2.], dtype=float32)
    """
    return cast(x, np.float32)


def to_double(x: Any, name: str = "ToDouble") -> Any:
    """Return numbers as float64."""
    return cast(x, np.float64)


def to_int32(x: Any, name: str = "ToInt32") -> Any:
    """Return numbers as int32."""
    return cast(x, np.int32)


def to_int64(x: Any, name: str = "ToInt64") -> Any:
    """Return numbers as int64."""
    return cast(x, np.int64)


def div(x: Any, y: Any, name: str | None = None) -> Any:
    """Return a quotient: of integers rounded down, of floats as it is.

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.div([7, -7], 2)
        array([ 3, -4], dtype=int32)
    """
    first = convert_to_tensor(x)
    return divide(first, y) if np.dtype(first.dtype).kind == "f" else floordiv(first, y)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Return ``x`` where a condition is true and ``y`` elsewhere; alone, the true places.

    A condition that is a vector chooses between the rows of ``x`` and ``y``, which must have one
    shape.

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.where([True, False], [[1, 2], [3, 4]], [[5, 6], [7, 8]])
        array([[1, 2],
               [7, 8]], dtype=int32)
    """
    if x is None or y is None:
        return picking.where(condition, x, y)
    chosen, first, second = map(convert_to_tensor, (condition, x, y))
    if len(first.shape) != len(second.shape):
        raise BuildError(
            f"where(): x and y must have one shape, got {first.shape} and {second.shape}. "
            "tf.where broadcasts."
        )
    if len(chosen.shape) == 1 and len(first.shape) > 1:
        chosen = reshape(chosen, [-1] + [1] * (len(first.shape) - 1))
    return picking.where(chosen, first, second)


class name_scope(current_name_scope):  # noqa: N801
    """``with name_scope(None, "decode", [image]):`` groups operations, for readers.

    Args:
        name: As today, or None for another one.
        default_name: The name where none is given.
        values: What the operations take; no effect, as where TensorFlow runs at once.

    Example:
        >>> with name_scope(None, "decode", [[1, 2]]) as scope:
        ...     print(scope)
        decode/
    """

    def __init__(
        self, name: str | None, default_name: str | None = None, values: Any = None
    ) -> None:
        super().__init__((default_name or "") if name is None else name)


def sparse_to_dense(
    sparse_indices: Any,
    output_shape: Any,
    sparse_values: Any,
    default_value: Any = 0,
    validate_indices: bool = True,
    name: str | None = None,
) -> Any:
    """Return an array that is one value everywhere but in some places.

    Args:
        sparse_indices: A vector of places in a vector, or a place in each row.
        output_shape: Of the result.
        sparse_values: One for every place, or one for all.
        default_value: What stands everywhere else.
        validate_indices: Places are always checked.
        name: Has no effect.

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.sparse_to_dense([1, 3], [5], 1)
        array([0, 1, 0, 1, 0], dtype=int32)
    """
    places = np.asarray(sparse_indices, np.int64)
    places = places.reshape(1, 1) if places.ndim == 0 else places
    places = places[:, None] if places.ndim == 1 else places
    values = np.asarray(convert_to_tensor(sparse_values))
    values = np.broadcast_to(values, len(places))
    return to_dense(SparseTensor(places, values, output_shape), default_value)


# ---- strings ------------------------------------------------------------------------------


def string_split(
    source: Any,
    sep: Any = None,
    skip_empty: bool = True,
    delimiter: Any = None,
    result_type: str = "SparseTensor",
    name: str | None = None,
) -> Any:
    """Return the parts of strings between single characters, as a SparseTensor.

    Args:
        source: A vector of strings.
        sep: The characters, each of which separates; a space by default, "" for every byte.
        skip_empty: Whether empty parts are left out.
        delimiter: Another name of ``sep``.
        result_type: "SparseTensor" or "RaggedTensor".
        name: Has no effect.

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.string_split(["a b", "c"]).values.tolist()
        ['a', 'b', 'c']
    """
    if sep is not None and delimiter is not None:
        raise BuildError("string_split(): delimiter is another name of sep: give only one of them.")
    by = " " if sep is None and delimiter is None else delimiter if sep is None else sep
    return _as(result_type, "string_split()", _parted(source, by, skip_empty))


def split(
    input: Any = None,
    sep: Any = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: Any = None,
    name: str | None = None,
) -> Any:
    """Return what tf.strings.split() returns of a vector of strings, as a SparseTensor.

    Args:
        input: A vector of strings, or one.
        sep: What stands between parts; None or "" is any run of white space.
        maxsplit: How often to cut at most; a negative number is no limit.
        result_type: "SparseTensor" or "RaggedTensor".
        source: Another name of ``input``.
        name: Has no effect.

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.strings.split(["a b", "c"]).dense_shape.tolist()
        [2, 2]
    """
    given = source if input is None else input
    strings = reshape(given, [1]) if np.ndim(given) == 0 else given
    return _as(result_type, "split()", splitting.split(strings, sep, maxsplit))


def _cut(items: list[Any], by: Any, skip_empty: bool) -> Expanded:
    separators = as_bytes([by])[0]
    pieces: list[list[Any]] = []
    for item in items:
        text = as_bytes([item])[0]
        if not text:
            parts = []
        elif separators:
            parts = re.split(b"[" + re.escape(separators) + b"]", text)
        else:
            parts = [text[place : place + 1] for place in range(len(text))]
        if isinstance(item, str) and all(byte < 128 for byte in separators) and separators:
            parts = [part.decode() for part in parts]
        pieces.append([part for part in parts if part or not skip_empty])
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    return [array_of_texts(list(chain.from_iterable(pieces)))], lengths


@leaf_operation(spec=spec_of_rows(string), columns=expanding_rule(_cut))
def _parted(source: Any, by: Any, skip_empty: bool) -> Any:
    if np.ndim(source) != 1:
        raise InvalidArgumentError(
            f"string_split(): source must be a vector of strings, got {source!r}. For one string "
            "write [string], or use tf.strings.split."
        )
    return expanded("string_split()", _cut, source, by, skip_empty)[0]


def _as(result_type: str, call: str, rows: RaggedTensor) -> Any:
    if result_type == "RaggedTensor":
        return rows
    if result_type != "SparseTensor":
        raise BuildError(
            f"{call}: result_type must be 'SparseTensor' or 'RaggedTensor', got {result_type!r}."
        )
    return rows.to_sparse()


# ---- what is so anyway --------------------------------------------------------------------


def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """Do nothing: values are there at once."""
    if config is not None or device_policy is not None or execution_mode is not None:
        raise BuildError(
            "enable_eager_execution(): there are no sessions and devices to configure. Leave the "
            "arguments out."
        )


def enable_v2_behavior() -> None:
    """Do nothing: everything is as in TensorFlow 2."""


def enable_resource_variables() -> None:
    """Do nothing: there are no variables of another kind."""


def enable_v2_tensorshape() -> None:
    """Do nothing: shapes are those of TensorFlow 2."""


def executing_eagerly_outside_functions() -> bool:
    """Return True.

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.executing_eagerly_outside_functions()
        True
    """
    return True
