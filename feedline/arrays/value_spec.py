"""value_spec: the spec of a single value."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.given import given
from feedline.errors import BuildTypeError
from feedline.graph.symbol import Symbol
from feedline.leaf_spec import TensorSpec, leaf_spec, with_face
from feedline.ragged import RaggedTensor
from feedline.sparse import SparseTensor

__all__ = ["type_spec_from_value"]

_VALUES = (np.ndarray, np.generic, str, bytes, RaggedTensor, SparseTensor)


def type_spec_from_value(value: Any) -> Any:
    """Return the spec of an array, a number, a string, a ragged or sparse value, or a dataset.

    Example:
        >>> type_spec_from_value([1, 2])
        TensorSpec(shape=(2,), dtype=tf.int32, name=None)
    """
    if isinstance(value, Symbol):
        return with_face(TensorSpec(value.shape, value.dtype))
    made = given(value)
    if not isinstance(made, _VALUES) and not hasattr(made, "element_spec"):
        raise BuildTypeError(
            f"type_spec_from_value(): {value!r} is no array, number, string or dataset."
        )
    return with_face(leaf_spec(made))
