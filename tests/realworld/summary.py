"""summary: what a pipeline gave as JSON, the same for TensorFlow's values and Feedline's.

Small leaves are written out. Large ones are a hash where every bit must agree (whole numbers,
strings), and a few numbers where rounding may differ (floats): values at places over the whole
array, and its mean. Nothing here imports TensorFlow or Feedline.
"""

from __future__ import annotations

import hashlib
import math
import re
from typing import Any

import numpy as np

from tests.golden.encoding import spec_text
from tests.realworld.pipeline import Drawn

__all__ = ["close", "summary"]

WHOLE = 8  # leaves of at most so many numbers or strings are written out
PLACES = 6  # that are looked at in a larger array of floats
MOST_ELEMENTS = 64
RELATIVE, ABSOLUTE = 2e-5, 2e-6


def summary(value: Any) -> Any:
    """Return a result as JSON."""
    if isinstance(value, Drawn):
        return {"drawn": _form(value.value, value.low, value.high)}
    if hasattr(value, "element_spec") and hasattr(value, "cardinality"):
        return {
            "spec": spec_text(value.element_spec),
            "cardinality": int(value.cardinality()),
            "elements": _elements(value),
        }
    return _walk(value, _leaf)


def _elements(dataset: Any) -> list[Any]:
    found = []
    for element in dataset:
        found.append(summary(element))
        assert len(found) <= MOST_ELEMENTS, "a pipeline must be finite and small"
    return found


def _walk(value: Any, leaf: Any) -> Any:
    """Return the structure of a value with ``leaf`` of each of its leaves."""
    if type(value).__name__.endswith("Spec"):
        return {"spec": spec_text(value)}
    if type(value).__name__ == "TensorShape":
        value = None if value.rank is None else tuple(value)
    if isinstance(value, dict):
        return {"dict": {str(key): _inner(value[key], leaf) for key in sorted(value)}}
    if isinstance(value, list):
        return [_inner(item, leaf) for item in value]
    if isinstance(value, tuple):
        kind = type(value).__name__ if hasattr(value, "_fields") else "tuple"
        return {kind: [_inner(item, leaf) for item in value]}
    if hasattr(value, "nested_row_splits"):
        splits = [np.asarray(s).tolist() for s in value.nested_row_splits]
        return {"ragged": splits, "values": leaf(value.flat_values)}
    if hasattr(value, "dense_shape"):
        parts = (value.indices, value.values, value.dense_shape)
        return {"sparse": [leaf(part) for part in parts]}
    return leaf(value)


def _inner(value: Any, leaf: Any) -> Any:
    return summary(value) if leaf is _leaf else _walk(value, leaf)


def _plain(value: Any) -> Any:
    return value.numpy() if hasattr(value, "numpy") else value


def _leaf(value: Any) -> Any:
    value = _plain(value)
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return {"float": _number(value)}
    array, dtype = _array(value)
    if array.size <= WHOLE:
        return {f"{dtype}{list(array.shape)}": [_item(item) for item in array.reshape(-1)]}
    name = f"{dtype}{list(array.shape)}"
    if array.dtype.kind in "fcV" or dtype == "bfloat16":
        return {name: {"mean": _mean(array), "at": [_item(item) for item in _picked(array)]}}
    return {name: _hash(array), "first": _item(array.reshape(-1)[0])}


def _array(value: Any) -> tuple[np.ndarray, str]:
    if isinstance(value, (bytes, str)):
        array = np.empty((), object)
        array[()] = value
        return array, "string"
    array = np.asarray(value)
    return array, "string" if array.dtype.kind in "OSU" else str(array.dtype)


def _picked(array: np.ndarray) -> np.ndarray:
    flat = array.reshape(-1)
    return flat[np.linspace(0, flat.size - 1, PLACES).astype(int)]


def _mean(array: np.ndarray) -> Any:
    if array.dtype.kind == "c":
        return _number(float(np.abs(array).mean(dtype=np.float64)))
    return _number(float(array.astype(np.float64).mean()))


def _hash(array: np.ndarray) -> str:
    flat = array.reshape(-1)
    if array.dtype == object:
        data = b"".join(b"%d:%s" % (len(item), item) for item in map(_bytes, flat))
    else:
        data = np.ascontiguousarray(flat).tobytes()
    return hashlib.sha256(data).hexdigest()[:16]


def _bytes(item: Any) -> bytes:
    return item.encode() if isinstance(item, str) else bytes(item)


def _item(item: Any) -> Any:
    if isinstance(item, (bytes, str)):
        return _bytes(item).decode("latin-1")
    if isinstance(item, (bool, np.bool_)):
        return bool(item)
    if isinstance(item, (int, np.integer)):
        return int(item)
    if isinstance(item, (complex, np.complexfloating)):
        return [_number(item.real), _number(item.imag)]
    return _number(float(item))


def _number(item: Any) -> Any:
    return float(f"{item:.7g}") if math.isfinite(item) else str(float(item))


def _form(value: Any, low: float, high: float) -> Any:
    """Return dtypes and shapes; every number must be in the range."""

    def form(leaf: Any) -> Any:
        array, dtype = _array(_plain(leaf))
        if array.size and dtype != "string":
            assert low <= array.min() <= array.max() <= high, (array.min(), array.max())
        return f"{dtype}{list(array.shape)}"

    if hasattr(value, "element_spec") and hasattr(value, "cardinality"):
        return {
            "spec": spec_text(value.element_spec),
            "elements": [_walk(element, form) for element in value],
        }
    return _walk(value, form)


def close(found: Any, wanted: Any) -> bool:
    """Tell whether two summaries say the same, apart from the rounding of floats."""
    if isinstance(wanted, float) and isinstance(found, (int, float)):
        return math.isclose(found, wanted, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    if type(found) is not type(wanted):
        return False
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(_alike(k, found[k], wanted[k]) for k in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(close, found, wanted))
    return bool(found == wanted)


def _alike(key: str, found: Any, wanted: Any) -> bool:
    if key != "spec" or not isinstance(wanted, str):
        return close(found, wanted)
    # Read off results, a shape may be narrower: a number where tf.data has "?", any shape
    # where it has "...".
    pattern = re.escape(wanted).replace(r"\?", r"(\?|\d+)").replace(r"\.\.\.", r"[^\]]*")
    return re.fullmatch(pattern, found) is not None
