"""tensor: elements and results as users hold them: NumPy values with TensorFlow's methods.

Tensor       an array with axes: a subclass of np.ndarray
numbers      subclasses of NumPy's single numbers, hashable as they are
TensorBytes  a byte string, TensorStr a text: subclasses of bytes and str, equal to each other

All of them are instances of Tensor, as isinstance() tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.kernels.tensor_types import (
    array_base,
    as_tensor,
    number_base,
    number_rows,
    set_tensor_types,
    tensor_rows,
)
from feedline.namespace import missing
from feedline.values.dtype import DType, as_dtype
from feedline.values.operators import beside, compared, divided, joined
from feedline.values.reference import Reference
from feedline.values.tensor_shape import TensorShape

__all__ = [
    "Tensor",
    "TensorBytes",
    "TensorStr",
    "as_numpy",
    "as_plain",
    "as_tensor",
    "as_tensors",
    "numbers_of",
    "tensor_rows",
    "tensor_type",
]

_SHAPE: Any = np.ndarray.__dict__["shape"]
_DTYPE: Any = np.ndarray.__dict__["dtype"]


class _Face:
    """What TensorFlow's tensors can be asked and NumPy's values cannot."""

    __slots__ = ()

    is_tensor_type = True

    shape: Any
    device = "/job:localhost/replica:0/task:0/device:CPU:0"

    def get_shape(self) -> TensorShape:
        """Return the shape."""
        shape: TensorShape = self.shape
        return shape

    def set_shape(self, shape: Any) -> None:
        """Check the shape, which may leave lengths open; ValueError if it is another."""
        if not self.get_shape().is_compatible_with(shape):
            raise ValueError(
                f"set_shape(): the tensor has shape {self.shape}, not {TensorShape(shape)}."
            )

    def ref(self) -> Reference:
        """Return what may stand for this very tensor in a set or as a key."""
        return Reference(self)

    def experimental_ref(self) -> Reference:
        """Return the same as ref()."""
        return Reference(self)

    def cpu(self) -> Any:
        """Return the tensor, which lies in the memory of the computer."""
        return self

    if not TYPE_CHECKING:  # which finds attributes that do not exist by itself

        def __getattr__(self, name: str) -> Any:
            raise missing("'Tensor' object", "tf.Tensor", name)

    def __deepcopy__(self, _: Any) -> Any:
        return as_tensor(np.array(as_plain(self))[()] if isinstance(self, np.ndarray) else self)


def _parts(*faces: type) -> dict[str, Any]:
    """Return what classes define, for one that cannot be derived from them."""
    left_out = ("__dict__", "__weakref__", "__doc__", "__annotations__", "__slots__")
    return {
        name: value for face in faces for name, value in vars(face).items() if name not in left_out
    }


class _Kinds(type):
    """Lets isinstance() find tensors: their classes are NumPy's and Python's own, extended."""

    def __instancecheck__(cls, value: Any) -> bool:
        return bool(getattr(type(value), "is_tensor_type", False))

    def __subclasscheck__(cls, kind: type) -> bool:
        return bool(getattr(kind, "is_tensor_type", False))


class Tensor(metaclass=_Kinds):
    """A value as a pipeline hands it out: NumPy's, with TensorFlow's methods besides.

    A tensor with axes is an ``np.ndarray``, a single number one of NumPy's numbers, and a string
    ``bytes`` or ``str``. ``tf.constant()`` makes tensors.

    Example:
        >>> import feedline as tf
        >>> image = next(iter(tf.data.Dataset.from_tensors(np.zeros((2, 3), np.uint8))))
        >>> image.shape.as_list(), image.dtype, isinstance(image, np.ndarray)
        ([2, 3], tf.uint8, True)
        >>> (image / 255).dtype, type(image.numpy()) is np.ndarray
        (tf.float32, True)
    """

    def __new__(cls, *_: Any, **__: Any) -> Any:
        """Refuse to be called: tensors are made of values."""
        raise TypeError("Tensor(): tensors are made by tf.constant() or tf.convert_to_tensor().")


class _Array(_Face):
    """An array with axes."""

    __slots__ = ()

    if TYPE_CHECKING:
        view: Any

    def numpy(self) -> np.ndarray[Any, Any]:
        """Return the array as NumPy's own, in the same memory; strings as bytes."""
        plain = self.view(np.ndarray)
        return _encoded(plain) if plain.dtype == object else plain

    @property
    def shape(self) -> TensorShape:
        """The lengths of the axes."""
        return TensorShape(_SHAPE.__get__(self))

    @shape.setter
    def shape(self, shape: Any) -> None:
        _SHAPE.__set__(self, shape)

    @property
    def dtype(self) -> DType:
        """The dtype of the numbers."""
        return as_dtype(_DTYPE.__get__(self))

    @dtype.setter
    def dtype(self, dtype: Any) -> None:
        _DTYPE.__set__(self, dtype)

    def mean(self, *args: Any, **kwargs: Any) -> Any:
        """Return the mean, as of NumPy's arrays."""
        return as_tensor(self.view(np.ndarray).mean(*args, **kwargs))

    def std(self, *args: Any, **kwargs: Any) -> Any:
        """Return the standard deviation, as of NumPy's arrays."""
        return as_tensor(self.view(np.ndarray).std(*args, **kwargs))

    def var(self, *args: Any, **kwargs: Any) -> Any:
        """Return the variance, as of NumPy's arrays."""
        return as_tensor(self.view(np.ndarray).var(*args, **kwargs))

    def argmax(self, *args: Any, **kwargs: Any) -> Any:
        """Return where the largest number is, as of NumPy's arrays."""
        return as_tensor(self.view(np.ndarray).argmax(*args, **kwargs))

    def argmin(self, *args: Any, **kwargs: Any) -> Any:
        """Return where the smallest number is, as of NumPy's arrays."""
        return as_tensor(self.view(np.ndarray).argmin(*args, **kwargs))

    def __reduce__(self) -> Any:
        return _restored, (self.view(np.ndarray),)

    def __reduce_ex__(self, _: Any) -> Any:
        return self.__reduce__()

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))

    def __str__(self) -> str:
        return str(self.view(np.ndarray))

    def __format__(self, spec: str) -> str:
        return format(self.view(np.ndarray), spec)


class _Number(_Face):
    """A single number of any dtype."""

    __slots__ = ()

    _plain: Any

    def numpy(self) -> Any:
        """Return the number as NumPy's own."""
        return self._plain()

    @property
    def shape(self) -> TensorShape:
        """The shape of a single number: no axes."""
        return _NO_AXES

    @property
    def dtype(self) -> DType:
        """The dtype of the number."""
        return _DTYPES[type(self)]

    def astype(self, *args: Any, **kwargs: Any) -> Any:
        """Return the number as another dtype."""
        return as_tensor(self._plain().astype(*args, **kwargs))

    def reshape(self, *args: Any, **kwargs: Any) -> Any:
        """Return an array of the number."""
        return as_tensor(self._plain().reshape(*args, **kwargs))

    def clip(self, *args: Any, **kwargs: Any) -> Any:
        """Return the number, or the limit that it is beyond."""
        return as_tensor(self._plain().clip(*args, **kwargs))

    def __reduce__(self) -> Any:
        return _restored, (self._plain(),)

    def __reduce_ex__(self, _: Any) -> Any:
        return self.__reduce__()


class _Text(_Face):
    """A string: bytes and str of the same text are equal, also one by one in lists and arrays."""

    __slots__ = ()

    ndim = 0
    size = 1

    @property
    def shape(self) -> TensorShape:
        """The shape of a single string: no axes."""
        return _NO_AXES

    @property
    def dtype(self) -> DType:
        """The dtype of strings."""
        return _STRING

    def __eq__(self, other: object) -> Any:
        if isinstance(other, (str, bytes)):
            return as_bytes(self) == as_bytes(other)
        if isinstance(other, (list, tuple, np.ndarray)):
            return as_tensor(compared(self, other, True))
        return NotImplemented

    def __ne__(self, other: object) -> Any:
        if isinstance(other, (str, bytes)):
            return as_bytes(self) != as_bytes(other)
        if isinstance(other, (list, tuple, np.ndarray)):
            return as_tensor(compared(self, other, False))
        return NotImplemented

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Answer NumPy, which compares and joins arrays of strings with this one."""
        if method == "__call__" and len(inputs) == 2 and not kwargs:
            if ufunc in (np.equal, np.not_equal):
                return as_tensor(compared(*inputs, ufunc is np.equal))
            if ufunc is np.add:
                return as_tensor(joined(*inputs))
        plain = [as_plain(one) for one in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)


# Of NumPy's kind: it takes other classes derived from bytes for small integers. And the only
# base, as NumPy looks for the dtype of a single value along first bases.
class TensorBytes(np.bytes_):  # type: ignore[misc]
    """A byte string."""

    vars().update(_parts(_Face, _Text))

    __repr__ = bytes.__repr__
    __str__ = bytes.__str__
    __iter__ = bytes.__iter__
    __lt__ = bytes.__lt__
    __le__ = bytes.__le__
    __gt__ = bytes.__gt__
    __ge__ = bytes.__ge__

    def numpy(self) -> bytes:
        """Return the bytes."""
        return bytes(memoryview(self))

    def __add__(self, other: Any) -> Any:
        return _joined_with(self, other)

    def __radd__(self, other: Any) -> Any:
        return _joined_with(other, self)

    def __getitem__(self, key: Any) -> Any:
        return _with_axes(self, key) if _makes_axes(key) else bytes.__getitem__(self, key)

    __hash__ = bytes.__hash__

    def __reduce__(self) -> Any:
        return TensorBytes, (self.numpy(),)

    def __reduce_ex__(self, _: Any) -> Any:
        return self.__reduce__()


class TensorStr(_Text, str):
    """A text."""

    __slots__ = ()

    def numpy(self) -> bytes:
        """Return the text as bytes, as TensorFlow has all strings."""
        return self.encode()

    def __add__(self, other: Any) -> Any:
        return _joined_with(self, other)

    def __radd__(self, other: Any) -> Any:
        return _joined_with(other, self)

    def __getitem__(self, key: Any) -> Any:
        return _with_axes(self, key) if _makes_axes(key) else str.__getitem__(self, key)

    __hash__ = str.__hash__

    def __reduce__(self) -> Any:
        return TensorStr, (str(self),)

    def __reduce_ex__(self, _: Any) -> Any:
        return self.__reduce__()


def _restored(value: Any) -> Any:
    """Return a tensor that was pickled as what NumPy makes of it."""
    return as_tensor(value)


def as_bytes(value: Any) -> bytes:
    """Return a string as NumPy-free bytes."""
    if isinstance(value, str):
        return value.encode()
    return bytes(memoryview(value)) if type(value) is not bytes else value


def _joined_with(first: Any, second: Any) -> Any:
    if isinstance(first, str) and isinstance(second, str):
        return TensorStr("".join((first, second)))
    if isinstance(first, (str, bytes)) and isinstance(second, (str, bytes)):
        return TensorBytes(b"".join((as_bytes(first), as_bytes(second))))
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return as_tensor(joined(first, second))
    return NotImplemented


def _makes_axes(key: Any) -> bool:
    return key is None or key is Ellipsis or isinstance(key, tuple)


def _with_axes(text: Any, key: Any) -> Any:
    single = np.empty((), object)
    single[()] = as_plain(text)
    return as_tensor(single[key])


def _encoded(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return strings as bytes: the very array if they are already."""
    if not any(isinstance(item, str) for item in array.flat):
        return array
    made = np.empty(array.shape, object)
    for place, item in np.ndenumerate(array):
        made[place] = item.encode() if isinstance(item, str) else item
    return made


# "numpy" is what torch asks for to know what it can make a tensor of.
# No dict, so that the garbage collector need not look at numbers.
_METHODS = {**_parts(_Face, _Number), "__module__": "numpy", "__slots__": ()}
_NO_AXES = TensorShape(())
_STRING = as_dtype("string")
_NUMBERS: dict[type, type] = {}
_DTYPES: dict[type, DType] = {}
for _kind in np.sctypeDict.values():
    if issubclass(_kind, (np.bool_, np.number)) and _kind not in _NUMBERS:
        if _kind in (np.longdouble, np.clongdouble, np.timedelta64):
            continue
        # The only base: NumPy looks for the dtype of a number along first bases.
        _made = type(f"Tensor[{_kind.__name__}]", (number_base(_kind),), dict(_METHODS))
        _NUMBERS[_kind] = _made
        _DTYPES[_made] = as_dtype(_kind)
# Not derived in Python, which would let the garbage collector track every array: a new array
# of NumPy's becomes a tensor by its class alone.
_ARRAY = array_base(np.ndarray)
for _name, _value in _parts(_Face, _Array).items():
    setattr(_ARRAY, _name, _value)
_ARRAY.__name__ = _ARRAY.__qualname__ = "Tensor"
_ARRAY.__module__ = "numpy"
_ARRAY.__doc__ = Tensor.__doc__

_FLOATS = frozenset(
    [np.dtype(kind) for kind in _NUMBERS if issubclass(kind, np.inexact)]
    + [kind for kind in _NUMBERS if issubclass(kind, np.inexact)]
)
set_tensor_types(
    _NUMBERS,
    {kind: np.dtype(kind) for kind in _NUMBERS},
    {
        "generic": np.generic,
        "dtype_of": _DTYPE,
        "view": np.ndarray.view,
        "strings": np.dtype(object),
        "floats": _FLOATS,
        "beside": beside,
        "divided": divided,
        "compared": compared,
        "joined": joined,
        "bytes": TensorBytes,
        "text": TensorStr,
        "tensor": _ARRAY,
    },
)


def as_plain(value: Any) -> Any:
    """Return a tensor as the NumPy value or string that it is; anything else as it is."""
    if not getattr(type(value), "is_tensor_type", False):
        return value
    if isinstance(value, np.ndarray):
        return value.view(np.ndarray)
    if isinstance(value, TensorBytes):
        return value.numpy()
    if isinstance(value, np.generic):
        return value._plain()  # type: ignore[attr-defined]
    return str(value)


def as_numpy(value: Any) -> Any:
    """Return a value as NumPy's own, strings as bytes; anything else as it is."""
    if isinstance(value, str):
        return value.encode()
    value = as_plain(value)
    if isinstance(value, np.ndarray) and value.dtype == object:
        return _encoded(value)
    return value


def as_tensors(value: Any) -> Any:
    """Return what a function of ours made as tensors, which may be several in a structure."""
    kind = type(value)
    if kind is tuple or kind is list:
        return kind([as_tensors(item) for item in value])
    if kind is dict:
        return {key: as_tensors(item) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*map(as_tensors, value))
    if hasattr(kind, "as_tensor"):  # what stands for an array while a function is recorded
        value = value.as_tensor()
        is_boxed = value.shape == () and not value.is_scalar
        return value[()] if is_boxed else value
    if kind is np.memmap:
        value = value.view(np.ndarray)
    if kind is np.ndarray and not value.ndim:
        value = value[()]  # a single number is one of NumPy's numbers, which nobody can change
    return as_tensor(value)


def tensor_type(kind: type) -> type:
    """Return the class of the tensors that are made of values of one of NumPy's classes."""
    return _ARRAY if kind is np.ndarray else _NUMBERS.get(kind, kind)


def numbers_of(array: np.ndarray[Any, Any]) -> list[Any]:
    """Return the numbers along the only axis of an array as tensors."""
    kind = _NUMBERS.get(array.dtype.type)
    if kind is None:  # dates, and numbers with units
        return list(array)
    return number_rows(array, kind)
