"""Symbol: stands for an array while a function is recorded.

It answers NumPy's protocols: operators, ufuncs, functions, methods, indexing. Each
operation is carried out on a few sample elements, so that shapes and dtypes are exactly
NumPy's, and handed to the trace. Shape and dtype can be read; values cannot, except those
of a constant, which does not depend on the element.
"""

from __future__ import annotations

import operator
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.layout import layout_of
from feedline.graph.rule import FIXED, named
from feedline.graph.symbol_operators import SymbolOperators
from feedline.graph.untraceable import refuse
from feedline.values.dtype import DType
from feedline.values.tensor_shape import TensorShape

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedline.column import Column
    from feedline.graph.trace import Trace
    from feedline.shapes import Shape

__all__ = ["Memory", "Symbol", "astype", "get_item", "set_item"]


class Memory:
    """Which symbols may share memory: only one that is alone may be changed in place."""

    __slots__ = ("captured", "members")

    def __init__(self, captured: bool = False) -> None:
        self.captured = captured
        self.members: list[weakref.ref[Symbol]] = []

    def join(self, other: Memory) -> None:
        """Take over all symbols of another group."""
        if other is self:
            return
        self.captured |= other.captured
        for member in other.members:
            symbol = member()
            if symbol is not None:
                symbol.memory = self
                self.members.append(member)

    @property
    def is_shared(self) -> bool:
        """Whether more than one living symbol uses this memory."""
        return sum(member() is not None for member in self.members) > 1


class Symbol(SymbolOperators):
    """An array that differs from element to element, or a constant.

    ``samples`` are its values for the sample elements, ``block`` the same as a batching
    rule made them. A constant has a ``value`` instead. What stands for a tensor, and not for
    an array of NumPy's own, has the operators of tensors.
    """

    __slots__ = (
        "__weakref__",
        "block",
        "dtype",
        "is_tensor",
        "memory",
        "number",
        "on_read",
        "samples",
        "shape",
        "trace",
        "value",
    )

    def __init__(  # noqa: PLR0913
        self,
        trace: Trace,
        shape: Shape,
        dtype: np.dtype[Any],
        *,
        number: int | None = None,
        samples: list[Any] | None = None,
        block: NDArray[Any] | Column | None = None,
        value: Any = None,
        memory: Memory | None = None,
        on_read: Callable[[Any], None] | None = None,
        is_tensor: bool | None = None,
    ) -> None:
        self.trace = trace
        self.shape = None if shape is None else TensorShape(shape)
        self.dtype = dtype.dtype if isinstance(dtype, DType) else dtype
        self.number = number
        self.samples = samples
        self.block = block
        self.value = value
        self.memory = Memory() if memory is None else memory
        self.memory.members.append(weakref.ref(self))
        self.on_read = on_read
        self.is_tensor = number is not None if is_tensor is None else is_tensor
        if number is not None:
            trace.symbols[number] = self

    # ---- what is known of it -------------------------------------------------

    @property
    def is_constant(self) -> bool:
        """Whether it is the same for all elements."""
        return self.number is None

    @property
    def is_scalar(self) -> bool:
        """Whether it is a single number, which nobody can change, and not an array."""
        return isinstance(self.example, np.generic)

    @property
    def example(self) -> Any:
        """Its value for a sample element, which tells how its numbers lie in memory."""
        if self.samples is None:
            return self.value
        return next(sample for sample in self.samples if sample is not None)

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        if self.shape is None:
            refuse("asks for the rank of a value whose rank is not known")
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return int(np.prod([self._length_of(axis) for axis in range(self.ndim)], dtype=np.int64))

    @property
    def itemsize(self) -> int:
        """Bytes per number."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all numbers."""
        return self.size * self.itemsize

    def _length_of(self, axis: int) -> int:
        length: int | None = None if self.shape is None else self.shape[axis]
        if length is None:
            length = self._given_up("asks for a length that differs between elements").shape[axis]
        assert length is not None
        return length

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self._length_of(0)

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self._length_of(0)))

    def detached(self) -> Symbol:
        """Return a symbol of the same value that shares no memory with this one."""
        if self.is_constant:
            value = self.read()
            return Symbol(self.trace, self.shape, self.dtype, value=value, is_tensor=True)
        return Symbol(
            self.trace,
            self.shape,
            self.dtype,
            number=self.number,
            samples=self.samples,
            block=self.block,
        )

    def as_tensor(self, is_tensor: bool = True) -> Symbol:
        """Return a symbol of the same array as a tensor, or as an array of NumPy's own."""
        return self if self.is_tensor == is_tensor else self._like(is_tensor=is_tensor)

    def boxed(self) -> Symbol:
        """Return a symbol of a single number as an array without axes."""
        if self.samples is None:
            return self._like(value=np.asarray(self.value))
        return self._like(samples=[None if s is None else np.asarray(s) for s in self.samples])

    def _like(self, **others: Any) -> Symbol:
        same = {name: getattr(self, name) for name in _COPIED}
        return Symbol(self.trace, self.shape, self.dtype, **{**same, **others})

    def get_shape(self) -> Shape:
        """Return the shape."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Check the shape; where that needs the values, every element is looked at."""
        wanted = TensorShape(shape)
        if not wanted.is_compatible_with(self.shape):
            raise ValueError(f"set_shape(): the tensor has shape {self.shape}, not {wanted}.")
        if wanted.merge_with(self.shape) != TensorShape(self.shape):
            self.trace.assume(self, wanted)

    def numpy(self) -> Any:
        """Return the value of a constant."""
        return self.read("asks for a value with .numpy()")

    # ---- reading values: only a constant has any -------------------------------

    def read(self, what: str = "reads a value") -> Any:
        """Return the value of a constant; give up on anything else."""
        if not self.is_constant:
            return self._given_up(what)
        if self.on_read is not None:
            self.on_read(self.value)
        return self.value

    def _given_up(self, what: str) -> Any:
        """Return the value of the first sample, if the trace goes on without recording."""
        self.trace.give_up(what)
        assert self.samples is not None
        return self.samples[0]

    def __bool__(self) -> bool:
        return bool(self.read("branches on a value"))

    def __int__(self) -> int:
        return int(self.read("makes a Python int of a value"))

    def __float__(self) -> float:
        return float(self.read("makes a Python float of a value"))

    def __complex__(self) -> complex:
        return complex(self.read("makes a Python complex of a value"))

    def __index__(self) -> int:
        return operator.index(self.read("uses a value as a Python index"))

    def __contains__(self, item: Any) -> bool:
        found: Any = self == item
        return bool(found.any())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        value = self.read("hands a value to code that is not recorded")
        return np.array(value, dtype, copy=copy)

    def __hash__(self) -> int:
        if self.ndim:
            raise TypeError("unhashable type: 'numpy.ndarray'")
        return hash(self.read("looks a value up by its hash"))

    def item(self, *args: Any) -> Any:
        """Return a number of a constant."""
        return np.asarray(self.read("makes a Python number of a value")).item(*args)

    def tolist(self) -> Any:
        """Return the numbers of a constant."""
        return self.read("makes Python numbers of a value").tolist()

    def tobytes(self, order: Any = "C") -> bytes:
        """Return the bytes of a constant."""
        return bytes(self.read("makes bytes of a value").tobytes(order))

    def _as_text(self) -> str:
        if self.trace.sealed:
            return str(self.read("makes text of a value"))
        dims = (
            "?"
            if self.shape is None
            else ",".join("?" if n is None else str(n) for n in self.shape)
        )
        return f"Symbol({self.dtype}[{dims}])"

    def __repr__(self) -> str:
        return self._as_text()

    def __str__(self) -> str:
        return self._as_text()

    def __format__(self, spec: str) -> str:
        if self.trace.sealed:
            return format(self.read("makes text of a value"), spec)
        return self._as_text()

    # ---- NumPy's protocols ---------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        if method == "__call__":
            operation: Any = ufunc
        elif method in ("reduce", "accumulate", "outer"):
            operation = getattr(ufunc, method)
        else:
            refuse(f"uses np.{ufunc.__name__}.{method}, which has no rule")
        if out is None or all(one is None for one in out):
            return self._call(operation, inputs, kwargs)
        recorded = len(out) == 1 and isinstance(out[0], Symbol) and not out[0].is_scalar
        if method != "__call__" or not recorded or kwargs:
            refuse(f"lets np.{ufunc.__name__} write into an array that is not recorded")
        if out[0].dtype.kind == "c" and ufunc not in (np.add, np.subtract):
            # One number that is its own operand is rounded in another way than two.
            refuse(f"lets np.{ufunc.__name__} change complex numbers in place")
        return out[0].become(self._call(operation, inputs, {}))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func in FIXED:
            return FIXED[func](*args, **kwargs)
        if kwargs.get("out") is not None:
            refuse(f"lets {named(func)} write into an array that is not recorded")
        return self._call(func, args, kwargs)

    def _call(self, operation: Any, args: Any, kwargs: Any) -> Any:
        return self.trace.record(operation, args, kwargs)

    # ---- changes in place -------------------------------------------------------

    def become(self, new: Symbol, *, what: str = "changes an array in place") -> Symbol:
        """Take over the value of another symbol: a change in place, if nobody can see it."""
        if self.memory.captured:
            refuse("changes an array that is not its own")
        if self.memory.is_shared:
            refuse(f"{what} of which there are views")
        if new.shape != self.shape:
            raise ValueError(
                f"non-broadcastable output operand with shape {self.shape} doesn't match "
                f"the broadcast shape {new.shape}"
            )
        if new.dtype != self.dtype:
            if not np.can_cast(new.dtype, self.dtype, "same_kind"):
                raise TypeError(f"Cannot cast output from {new.dtype} to {self.dtype}")
            new = new.astype(self.dtype)
        if not isinstance(new, Symbol):  # the trace has given up
            new = self.trace.constant(new)
        if layout_of(np.asarray(self.example)) != layout_of(np.asarray(new.example)):
            refuse(f"{what} whose numbers do not lie as the new ones do")
        if new.is_scalar and not self.is_scalar:  # an array without axes stays an array
            new = new.boxed()
        self.number, self.samples, self.block = new.number, new.samples, new.block
        self.value, self.on_read = new.value, None
        if self.number is not None:
            self.trace.symbols[self.number] = self
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.ndim == 0:
            refuse("changes an array in place")
        if isinstance(value, Symbol) and value.shape == () and not value.is_scalar:
            value = value.astype(self.dtype)  # as it is an array, which need not fit
        self.become(self._call(set_item, (self, key, value), {}))

    def __getitem__(self, key: Any) -> Any:
        if type(key) is list and any(_is_of_an_axis(item) for item in key):
            key = tuple(key)  # as TensorFlow takes lists of slices
        return self._call(get_item, (self, key), {})

    def fill(self, value: Any) -> None:
        """Set all numbers."""
        self[...] = value

    def sort(self, axis: int = -1, kind: Any = None) -> None:
        """Sort in place."""
        self.become(self._call(np.sort, (self, axis), {"kind": kind}))

    # ---- operators that are not ufuncs -----------------------------------------

    def __round__(self, digits: int | None = None) -> Any:
        if self.ndim:
            raise TypeError("type numpy.ndarray doesn't define __round__ method")
        if digits is None:
            return round(self.read("makes a Python int of a value"))
        return self._call(np.round, (self, digits), {})

    # ---- methods ----------------------------------------------------------------

    @property
    def T(self) -> Any:  # noqa: N802  (NumPy's name)
        """The transpose."""
        return self._call(np.transpose, (self,), {})

    @property
    def mT(self) -> Any:  # noqa: N802  (NumPy's name)
        """The last two axes swapped."""
        return self._call(np.matrix_transpose, (self,), {})

    @property
    def real(self) -> Any:
        """The real part."""
        return self._call(np.real, (self,), {})

    @property
    def imag(self) -> Any:
        """The imaginary part."""
        return self._call(np.imag, (self,), {})

    def astype(
        self,
        dtype: Any,
        order: Any = "K",
        casting: Any = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> Any:
        """Cast."""
        wanted = np.dtype(dtype)
        if not copy and wanted == self.dtype:
            return self
        return self._call(
            astype, (self, wanted), {} if casting == "unsafe" else {"casting": casting}
        )

    def copy(self, order: Any = "C") -> Any:
        """Return a copy; of a single number, which cannot change, the number itself."""
        return self if self.is_scalar else self._call(np.copy, (self,), {"order": order})

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        """Return the numbers in another shape."""
        wanted = shape[0] if len(shape) == 1 else shape
        return self._call(np.reshape, (self, wanted), kwargs)

    def transpose(self, *axes: Any) -> Any:
        """Return the axes in another order."""
        wanted = axes[0] if len(axes) == 1 else (axes or None)
        return self._call(np.transpose, (self, wanted), {})

    def flatten(self, order: Any = "C") -> Any:
        """Return a copy with one axis."""
        return self._call(np.copy, (self._call(np.ravel, (self,), {"order": order}),), {})

    def conj(self) -> Any:
        """Return the complex conjugate: of real numbers, the array itself."""
        return self._call(np.conjugate, (self,), {}) if self.dtype.kind == "c" else self

    conjugate = conj

    def dot(self, other: Any) -> Any:
        """Return the dot product."""
        return self._call(np.dot, (self, other), {})

    def searchsorted(self, v: Any, *args: Any, **kwargs: Any) -> Any:
        """Return where values would have to be inserted."""
        return self._call(np.searchsorted, (self, v, *args), kwargs)

    def choose(self, choices: Any, **kwargs: Any) -> Any:
        """Pick from arrays."""
        return self._call(np.choose, (self, choices), kwargs)

    def __getattr__(self, name: str) -> Any:
        """Answer NumPy's other methods; refuse what is not recorded."""
        if name in _AS_FUNCTIONS:
            function = _AS_FUNCTIONS[name]
            return lambda *args, **kwargs: function(self, *args, **kwargs)
        if name in _NUMPY_NAMES and not name.startswith("__"):
            given_up = self._given_up(f"uses .{name} of an array, which is not recorded")
            return getattr(given_up, name)
        raise AttributeError(f"'numpy.ndarray' object has no attribute {name!r}")


# What a symbol of the same value has in common with it.
_COPIED = ("number", "samples", "block", "value", "memory", "on_read", "is_tensor")
_NUMPY_NAMES = frozenset(dir(np.ndarray)).union(*map(dir, set(np.sctypeDict.values())))

# Methods that do what the function of the same name does.
_AS_FUNCTIONS: dict[str, Any] = {
    name: getattr(np, name)
    for name in (
        *("all", "any", "argmax", "argmin", "argsort", "clip", "cumprod", "cumsum"),
        *("diagonal", "max", "mean", "min", "prod", "ravel", "repeat", "round"),
        *("squeeze", "std", "sum", "swapaxes", "take", "trace", "var", "argpartition"),
    )
}


# ---- operations that have no function in NumPy -----------------------------------


def _is_of_an_axis(item: Any) -> bool:
    return isinstance(item, slice) or item is None or item is Ellipsis


def get_item(array: Any, key: Any) -> Any:
    """``array[key]``."""
    return array[key]


def set_item(array: Any, key: Any, value: Any) -> Any:
    """Return a copy of ``array`` in which ``array[key] = value`` was done."""
    changed = np.array(array)
    changed[key] = value
    return changed


def astype(array: Any, dtype: Any, casting: Any = "unsafe") -> Any:
    """``array.astype(dtype)``."""
    return array.astype(dtype, casting=casting)
