"""What the table of NumPy functions is made of: entries, and how their examples are drawn."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

BOOL = [np.bool]
INTEGERS = [np.int32, np.uint8, np.int64, np.int8, np.uint16]
FLOATS = [np.float32, np.float64, np.float16]
REAL = [*FLOATS, *INTEGERS]
NUMBERS = [*REAL, *BOOL]
ALL = [*NUMBERS, np.complex64]


@dataclass(frozen=True)
class Operand:
    """Shape and dtype of an argument of one element, and what makes its values."""

    shape: tuple
    dtype: Any
    values: Callable[[np.random.Generator, tuple], Any] | None = None

    def block(self, rng, length):
        shape = (length, *self.shape)
        if self.values is not None:
            return np.asarray(self.values(rng, shape)).astype(self.dtype).reshape(shape)
        kind = np.dtype(self.dtype).kind
        if kind == "b":
            return rng.random(shape) < 0.5
        if kind in "iu":
            return rng.integers(0 if kind == "u" else -9, 9, shape).astype(self.dtype)
        numbers = rng.standard_normal(shape) * rng.choice([0.01, 1.0, 30.0], shape)
        numbers = np.where(
            rng.random(shape) < 0.2, rng.choice([0.0, -0.0, 1.0, 2.5], shape), numbers
        )
        if kind == "c":
            numbers = numbers + 1j * rng.standard_normal(shape)
        return numbers.astype(self.dtype)


@dataclass(frozen=True)
class Case:
    """A function of elements, and its arguments."""

    call: Callable[..., Any]
    operands: list[Operand]


@dataclass(frozen=True)
class Entry:
    """One line of the table.

    ``make`` makes a Case with what it is given to pick from. ``loops`` says that it runs
    element by element, and ``note`` what else is to be known.
    """

    name: str
    make: Callable[["Plain"], Case]
    loops: bool = False
    note: str = ""


class Plain:
    """Picks what is ordinary: always the first."""

    def of(self, options):
        return options[0]

    def shape(self, low=0, high=3, ordinary=(3, 4)):
        return ordinary

    def dtype(self, dtypes):
        return self.of(dtypes)

    def axis(self, shape, *, none=True, several=False, ordinary=0):
        return ordinary

    def sizes(self, count):
        return [3, 4, 2, 5][:count]

    def together(self, count, low=0):
        """Shapes that broadcast."""
        return [(3, 4), (4,), (3, 1)][:count]


class OneChange(Plain):
    """Picks what is ordinary, but for one of the choices: the n-th pick is another one."""

    def __init__(self, place: int, number: int):
        self._place, self._number = place, number
        self.counts: list[int] = []

    def of(self, options):
        self.counts.append(len(options))
        return options[self._number if len(self.counts) == self._place + 1 else 0]

    def dtype(self, dtypes):
        return dtypes[0]

    def shape(self, low=0, high=3, ordinary=(3, 4)):
        return self.of([ordinary, *[(3, 4, 2)[:rank] for rank in range(low, high + 1)]])

    def axis(self, shape, *, none=True, several=False, ordinary=0):
        rank = len(shape)
        options: list[Any] = [ordinary] if shape else []
        options += [*range(-rank, rank), *[None] * none]
        options += [(0, -1), (rank - 1, 0), (1,)] * (several and rank > 1)
        return self.of(options or [ordinary])


class Drawn(Plain):
    """Picks at random."""

    def __init__(self, random: Random):
        self._random = random

    def of(self, options):
        return options[self._random.randrange(len(options))]

    def shape(self, low=0, high=3, ordinary=None):
        return tuple(self.sizes(self._random.randint(low, high)))

    def axis(self, shape, *, none=True, several=False, ordinary=0):
        rank = len(shape)
        options: list[Any] = [*range(-rank, rank)] or [0]
        if none:
            options += [None] * 2
        if several and rank > 1:
            options += [(0, -1), (rank - 1, 0), tuple(range(rank)), (1,)]
        return self.of(options)

    def sizes(self, count):
        return [self._random.randint(0, 4) or self._random.randint(0, 3) for _ in range(count)]

    def together(self, count, low=0):
        base = self.shape(low)
        shapes = []
        for _ in range(count):
            cut = self._random.randint(0, max(len(base) - low, 0))
            shapes.append(tuple(1 if self.of([0, 0, 0, 1]) else n for n in base[cut:]))
        return shapes


# ---- kinds of entries ---------------------------------------------------------------


def each(call, dtypes=ALL, *, low=0, high=3, ordinary=(3, 4), values=None, **options):
    """A function of one array; ``options`` are keywords and their possible values."""

    def make(pick):
        shape = pick.shape(low, high, ordinary)
        kwargs = {key: pick.of(choices) for key, choices in options.items()}
        return Case(lambda x: call(x, **kwargs), [Operand(shape, pick.dtype(dtypes), values)])

    return make


def along(call, dtypes=ALL, *, low=1, none=True, several=False, ordinary=0, **options):
    """A function of one array along axes."""

    def make(pick):
        shape = pick.shape(low)
        axis = pick.axis(shape, none=none, several=several, ordinary=ordinary)
        kwargs = {key: pick.of(choices) for key, choices in options.items()}
        kwargs = {key: value for key, value in kwargs.items() if value is not Ellipsis}
        return Case(lambda x: call(x, axis=axis, **kwargs), [Operand(shape, pick.dtype(dtypes))])

    return make


def together(call, count=2, dtypes=ALL, *, low=0):
    """A function of several arrays that broadcast."""

    def make(pick):
        shapes = pick.together(count, low)
        return Case(call, [Operand(shape, pick.dtype(dtypes)) for shape in shapes])

    return make


def sized(call, *shapes, dtypes=FLOATS, values=None):
    """A function of arrays with given ranks: shapes are written in letters for lengths."""
    letters = sorted({letter for shape in shapes for letter in shape})

    def make(pick):
        length = dict(zip(letters, pick.sizes(len(letters)), strict=True))
        dtype = pick.dtype(dtypes)
        operands = [Operand(tuple(length[x] for x in shape), dtype, values) for shape in shapes]
        return Case(call, operands)

    return make


def fixed(call, *operands):
    """A function of arrays of given shapes and dtypes."""
    return lambda pick: Case(call, list(operands))


def picks(call, *operands, **options):
    """A function of arrays of given shapes, with keywords."""

    def make(pick):
        kwargs = {key: pick.of(choices) for key, choices in options.items()}
        return Case(lambda *arrays: call(*arrays, **kwargs), list(operands))

    return make


def below(limit, *, negative=True):
    """Indices into an axis."""
    return lambda rng, shape: rng.integers(-limit if negative else 0, limit, shape)
