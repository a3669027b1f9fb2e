"""dtype: NumPy's dtypes under TensorFlow's names, with TensorFlow's questions.

A DType is equal to the ``np.dtype`` it stands for, hashes like it, answers to all of its
attributes, and NumPy takes it wherever it takes a dtype.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from feedline.errors import BuildTypeError

__all__ = ["DType", "as_dtype"]

# The numbers of TensorFlow's DataType message.
_ENUM = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "string": 7,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "bfloat16": 14,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
}
_OTHER_NAMES = {
    "string": "object",
    "str": "object",
    "bytes": "object",
    "half": "float16",
    "float": "float32",
    "double": "float64",
}


class DType:
    """The dtype of an array.

    Example:
        >>> import feedline as tf
        >>> tf.float32.is_floating, tf.uint8.max, tf.as_dtype("int64")
        (True, 255, tf.int64)
        >>> tf.float32 == np.float32, np.zeros(2, tf.int8).dtype
        (True, dtype('int8'))
    """

    __slots__ = ("dtype", "kind", "name", "type")

    _is_numeric = False  # NumPy asks the class of a dtype

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.kind = dtype.kind
        self.type = dtype.type
        self.name = "string" if dtype == object else dtype.name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.dtype, name)

    # ---- TensorFlow's questions ------------------------------------------------

    @property
    def as_numpy_dtype(self) -> Any:
        """NumPy's type of a single number; ``object`` for strings."""
        return object if self.kind == "O" else self.type

    @property
    def as_datatype_enum(self) -> int:
        """The number of the dtype in TensorFlow's messages."""
        return _ENUM[self.name]

    @property
    def base_dtype(self) -> DType:
        """The dtype itself: there are no references here."""
        return self

    @property
    def real_dtype(self) -> DType:
        """The dtype of the real part."""
        return as_dtype(self.type(0).real.dtype) if self.kind == "c" else self

    @property
    def is_bool(self) -> bool:
        """Whether it holds truth values."""
        return self.kind == "b"

    @property
    def is_integer(self) -> bool:
        """Whether it holds integers."""
        return self.kind in "iu"

    @property
    def is_unsigned(self) -> bool:
        """Whether it holds integers without a sign."""
        return self.kind == "u"

    @property
    def is_floating(self) -> bool:
        """Whether it holds floating-point numbers."""
        return self.kind == "f" or self.name == "bfloat16"

    @property
    def is_complex(self) -> bool:
        """Whether it holds complex numbers."""
        return self.kind == "c"

    @property
    def is_numeric(self) -> bool:
        """Whether it holds numbers."""
        return self.kind in "iufc" or self.name == "bfloat16"

    @property
    def is_quantized(self) -> bool:
        """False: there are no quantised dtypes here."""
        return False

    @property
    def is_numpy_compatible(self) -> bool:
        """Whether NumPy has it."""
        return True

    @property
    def size(self) -> int:
        """Bytes per number."""
        return self.dtype.itemsize

    @property
    def min(self) -> Any:
        """The smallest number."""
        return self._limits("min")

    @property
    def max(self) -> Any:
        """The largest number."""
        return self._limits("max")

    @property
    def limits(self) -> tuple[Any, Any]:
        """The range of intensities of an image: 0 to 1 for floats, all of it for integers."""
        if self.kind in "iu":
            return self.min, self.max
        return (0, True) if self.kind == "b" else (0, 1)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether ``other`` is the same dtype, under whatever name."""
        return self == as_dtype(other)

    def _limits(self, which: str) -> Any:
        if self.kind in "iu":
            return getattr(np.iinfo(self.dtype), which)
        if self.kind == "f":
            return getattr(np.finfo(self.dtype), which)
        if self.name == "bfloat16":
            return getattr(import_module("ml_dtypes").finfo(self.dtype), which)
        raise TypeError(f"{self!r} has no {which}imum value.")

    # ---- as NumPy's dtype ----------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self.dtype == other.dtype
        if other is None:
            return False
        try:
            return self.dtype == _numpy_dtype(other)
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.dtype)

    def __reduce__(self) -> Any:
        return as_dtype, (self.dtype,)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"


class _Numeric(DType):
    """The dtype of numbers and truth values."""

    __slots__ = ()

    _is_numeric = True


_KNOWN: dict[np.dtype[Any], DType] = {}


def as_dtype(type_value: Any) -> DType:
    """Return a dtype given under any of its names.

    Args:
        type_value: A DType, a NumPy dtype or type, Python's own, or a name.

    Example:
        >>> as_dtype("string"), as_dtype(np.float16), as_dtype(bool)
        (tf.string, tf.float16, tf.bool)
    """
    if isinstance(type_value, DType):
        return type_value
    try:
        dtype = _numpy_dtype(type_value)
    except (TypeError, KeyError) as error:
        raise BuildTypeError(
            f"as_dtype(): there is no dtype {type_value!r} ({error}). Give a name such as "
            "'float32', or a dtype of NumPy's."
        ) from error
    known = _KNOWN.get(dtype)
    if known is None:
        known = _KNOWN[dtype] = (_Numeric if dtype.kind in "biufc" else DType)(dtype)
    return known


def _bfloat16() -> np.dtype[Any]:
    try:
        found: np.dtype[Any] = np.dtype(import_module("ml_dtypes").bfloat16)
    except ModuleNotFoundError:
        raise TypeError("NumPy has no bfloat16 without ml_dtypes: pip install ml_dtypes") from None
    return found


def _numpy_dtype(value: Any) -> np.dtype[Any]:
    if value is None:
        raise TypeError("None is no dtype")
    if isinstance(value, str):
        if value == "bfloat16":
            return _bfloat16()
        value = _OTHER_NAMES.get(value, value)
    elif isinstance(value, int) and not isinstance(value, bool):
        value = {number: name for name, number in _ENUM.items()}[value]
        return _numpy_dtype(value)
    elif value is float:  # TensorFlow's answer for Python's own types
        value = np.float32
    elif value is int:
        value = np.int32
    elif value is str or value is bytes:
        value = object
    dtype: np.dtype[Any] = np.dtype(value)
    return dtype
