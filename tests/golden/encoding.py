"""encoding: values and specs as JSON, the same for TensorFlow's and Feedline's.

A leaf is ``{dtype: value}``; only where nested lists cannot say the shape is it written out.
Structures are tagged: ``{"tuple": [...]}``, ``{"dict": {...}}``, ``{"namedtuple": ...}``.
Nothing here imports TensorFlow or Feedline: values are known by their attributes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["MOST_ELEMENTS", "encode", "spec_text"]

# A case that gives more is wrong: goldens are to be read.
MOST_ELEMENTS = 300


def encode(value: Any) -> Any:
    """Return a value, element or dataset as JSON."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, (np.ndarray, np.generic, bytes, str)):
        return _array(value)
    if isinstance(value, float):
        return {"python float": _number(value)}
    if isinstance(value, (list, tuple, dict)):
        return _structure(value)
    if type(value).__name__.endswith("Spec"):
        return {"spec": spec_text(value)}
    if hasattr(value, "nested_row_splits"):
        return _ragged(value)
    if hasattr(value, "dense_shape"):
        return _sparse(value)
    if hasattr(value, "cardinality"):
        return {"dataset": elements(value)}
    if hasattr(value, "numpy"):
        return _array(value.numpy())
    raise TypeError(f"no encoding for {value!r} of type {type(value).__name__}")


def elements(dataset: Any) -> list[Any]:
    """Return the encoded elements of a dataset."""
    found = []
    for element in dataset:
        found.append(encode(element))
        if len(found) > MOST_ELEMENTS:
            raise AssertionError("a case must be finite and small")
    return found


def _structure(value: Any) -> Any:
    if isinstance(value, list):
        return {"list": [encode(item) for item in value]}
    if isinstance(value, dict):
        return {"dict": {str(key): encode(item) for key, item in value.items()}}
    if hasattr(value, "_fields"):
        items = {name: encode(getattr(value, name)) for name in value._fields}
        return {"namedtuple": type(value).__name__, "fields": items}
    return {"tuple": [encode(item) for item in value]}


def _ragged(value: Any) -> Any:
    splits = [np.asarray(s) for s in value.nested_row_splits]
    return {
        "ragged": [s.tolist() for s in splits],
        "splits": str(splits[0].dtype),
        "values": encode(value.flat_values),
    }


def _sparse(value: Any) -> Any:
    return {
        "sparse": np.asarray(value.indices).tolist(),
        "values": encode(value.values),
        "shape": np.asarray(value.dense_shape).tolist(),
    }


def _array(value: Any) -> Any:
    if hasattr(value, "numpy"):  # a tensor: str stays str
        value = str(value) if isinstance(value, str) else value.numpy()
    if isinstance(value, (bytes, str)):
        array = np.empty((), object)
        array[()] = value
    else:
        array = np.asarray(value)
    flat = array.reshape(-1).tolist() if array.dtype.kind != "f" else list(array.reshape(-1))
    encoded = np.empty(array.size, object)
    for place, item in enumerate(flat):
        encoded[place] = _item(item)
    leaf = {_dtype_name(array, flat): encoded.reshape(array.shape).tolist()}
    return leaf if array.size else {**leaf, "shape": list(array.shape)}


def _dtype_name(array: Any, flat: list[Any]) -> str:
    if array.dtype != object:
        return str(array.dtype)
    kinds = {type(item) for item in flat}
    if kinds <= {bytes}:
        return "string"
    return "str" if kinds == {str} else f"objects: {sorted(kind.__name__ for kind in kinds)}"


def _item(item: Any) -> Any:
    if isinstance(item, bytes):
        return item.decode("latin-1")
    if isinstance(item, complex):
        return str(item)
    if isinstance(item, (float, np.floating)):
        return _number(item)
    return item


def _number(item: Any) -> Any:
    # The shortest text that gives the number back in its own precision.
    return float(str(item)) if math.isfinite(item) else str(float(item))


def spec_text(spec: Any) -> Any:
    """Return an element_spec in a text that is the same for both libraries."""
    if isinstance(spec, dict):
        return "{" + ", ".join(f"{key}: {spec_text(spec[key])}" for key in sorted(spec)) + "}"
    if isinstance(spec, tuple) and hasattr(spec, "_fields"):
        inner = ", ".join(f"{key}={spec_text(getattr(spec, key))}" for key in spec._fields)
        return f"{type(spec).__name__}({inner})"
    if isinstance(spec, tuple):
        return "(" + ", ".join(map(spec_text, spec)) + ")"
    return _leaf_text(spec)


def _leaf_text(spec: Any) -> str:
    kind = type(spec).__name__
    if kind == "NoneTensorSpec":
        return "none"
    if kind == "DatasetSpec":
        shape = getattr(spec, "dataset_shape", None)
        if shape is None:
            shape = spec._dataset_shape
        array = _shape_text(shape) if len(tuple(shape)) else ""
        return f"dataset{array}<{spec_text(spec.element_spec)}>"
    # With ragged_rank 0 (a row of a ragged value) the values are plain tensors in both.
    if kind == "RaggedTensorSpec" and spec.ragged_rank:
        splits = _spec_dtype(spec.row_splits_dtype)
        return (
            f"ragged {_spec_dtype(spec.dtype)}{_shape_text(spec.shape)} "
            f"ragged_rank={spec.ragged_rank} splits={splits}"
        )
    assert kind in ("TensorSpec", "SparseTensorSpec", "RaggedTensorSpec"), kind
    prefix = "sparse " if kind == "SparseTensorSpec" else ""
    return f"{prefix}{_spec_dtype(spec.dtype)}{_shape_text(spec.shape)}"


def _shape_text(shape: Any) -> str:
    if shape is None or getattr(shape, "rank", 0) is None:
        return "[...]"
    return "[" + ",".join("?" if size is None else str(int(size)) for size in shape) + "]"


def _spec_dtype(dtype: Any) -> str:
    name = getattr(dtype, "name", None) or str(np.dtype(dtype))
    return "string" if name == "object" else str(name)
