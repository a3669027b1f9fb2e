"""public_names: which names of TensorFlow input code uses, and how their signatures are written.

Used with TensorFlow to write tests/golden/names.json, and with Feedline to compare.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable
from types import ModuleType
from typing import Any

__all__ = ["CLASSES", "NAMESPACES", "named", "public_names", "signature"]

NAMESPACES = [
    "tf",
    "tf.data",
    "tf.data.experimental",
    "tf.data.experimental.service",
    "tf.io",
    "tf.io.gfile",
    "tf.image",
    "tf.strings",
    "tf.train",
    "tf.random",
    "tf.random.experimental",
    "tf.ragged",
    "tf.sparse",
    "tf.lookup",
    "tf.lookup.experimental",
    "tf.math",
    "tf.math.special",
    "tf.linalg",
    "tf.nn",
    "tf.nn.experimental",
    "tf.signal",
    "tf.audio",
    "tf.nest",
    "tf.dtypes",
    "tf.debugging",
    "tf.debugging.experimental",
    "tf.errors",
    "tf.sets",
    "tf.bitwise",
    "tf.autograph",
    "tf.autograph.experimental",
    "tf.config",
    "tf.config.experimental",
    "tf.config.optimizer",
    "tf.config.threading",
    "tf.distribute",
    "tf.distribute.experimental",
    "tf.keras.utils",
    "tf.keras.preprocessing",
    "tf.keras.preprocessing.image",
    "tf.keras.preprocessing.sequence",
    "tf.keras.preprocessing.text",
    "tf.feature_column",
    "tf.compat",
    "tf.compat.v1.data",
    "tf.compat.v1.data.experimental",
    "tf.experimental",
    "tf.types.experimental",
    "tf.version",
]
CLASSES = [
    "tf.data.Dataset",
    "tf.data.Iterator",
    "tf.data.NumpyIterator",
    "tf.data.Options",
    "tf.io.TFRecordWriter",
    "tf.io.gfile.GFile",
    "tf.random.Generator",
    "tf.lookup.StaticHashTable",
    "tf.Tensor",
    "tf.TensorShape",
    "tf.TensorSpec",
    "tf.DType",
    "tf.RaggedTensor",
    "tf.SparseTensor",
    "tf.TensorArray",
]


def named(library: Any, place: str) -> Any:
    """Return what has a name such as "tf.data.Dataset" in a library; AttributeError if nothing."""
    found = library
    for part in place.split(".")[1:]:
        found = getattr(found, part)
    return found


def public_names(space: Any) -> list[str]:
    """Return the public names of a module or a class."""
    return sorted(name for name in dir(space) if not name.startswith("_"))


def signature(space: Any, name: str) -> str:
    """Return what a name stands for as a line: its parameters, or what else it is."""
    if isinstance(space, type) and isinstance(inspect.getattr_static(space, name), property):
        return "property"
    value = getattr(space, name)
    if isinstance(value, ModuleType):
        return "module"
    if not callable(value) or _is_dtype(value):
        return "value"
    kind = "class " if isinstance(value, type) else ""
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return f"{kind}(?)"
    if isinstance(space, type) and parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    return f"{kind}({', '.join(_written(parameters))})"


def _is_dtype(value: Any) -> bool:
    return hasattr(value, "as_numpy_dtype")


def _written(parameters: Iterable[inspect.Parameter]) -> list[str]:
    texts, keywords_only = [], False
    for one in parameters:
        if one.kind is one.VAR_POSITIONAL:
            keywords_only = True
        elif one.kind is one.KEYWORD_ONLY and not keywords_only:
            keywords_only = True
            texts.append("*")
        stars = "*" * (one.kind is one.VAR_POSITIONAL) + "**" * (one.kind is one.VAR_KEYWORD)
        default = "" if one.default is one.empty else f"={_default(one.default)}"
        texts.append(f"{stars}{one.name}{default}")
    return texts


def _default(value: Any) -> str:
    """Return a default as both libraries would write it."""
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return repr(tuple(value))
    if _is_dtype(value):
        return str(value.name)
    return "..."
