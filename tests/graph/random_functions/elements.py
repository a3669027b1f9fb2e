"""elements: data whose first elements are tame and whose later ones are not.

A function is traced and proved on the first elements of a dataset: zeros, ones, small
whole numbers. What it does with huge, tiny or negative ones must be right all the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import feedline as tf

__all__ = ["TAME", "WILD", "Column", "Elements", "draw_elements"]

TAME = 40
WILD = 60
NUMBERS = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
FREQUENT = ["f4", "f4", "f8", "f8", "i8", "i4", "u1", "f2"]
SHAPES = [(), (), (), (1,), (3,), (4,), (9,), (17,), (2, 3), (3, 3), (4, 1), (2, 3, 3), (0,)]
TEXTS = [b"", b"7", b" -1.5 ", b"1e400", b"nan", b"a,b;c", b"\x00\x01", b"A" * 40, b"x y  z"]
# Negative zero, the least and the largest, and what takes a routine of its own.
SPECIAL = [-0.0, 0.0, 0.5, 2.0, -1.0, 1e-45, 1e-310, 6e-8, 65504.0, 3.4e38, 1.7e308, 2.0**53 + 2]
NOT_FINITE = [np.nan, np.inf, -np.inf]


@dataclass(frozen=True)
class Column:
    """One leaf of every element, as given to a source."""

    values: Any
    varied: bool = False

    def rows(self):
        """Return the leaves as a plain loop has them: each in memory of its own."""
        return [row.copy() if isinstance(row, np.ndarray) else row for row in self.values]

    def but(self, index):
        """Return the column with other elements."""
        if isinstance(self.values, np.ndarray):
            return replace(self, values=self.values[index])
        return replace(self, values=[self.values[number] for number in index])

    def __str__(self) -> str:
        shapes = sorted({np.shape(row) for row in self.values})
        layout = ""
        if isinstance(self.values, np.ndarray) and not self.values.flags.c_contiguous:
            layout = f", strides {self.values.strides}"
        kind = getattr(self.values[0], "dtype", type(self.values[0]).__name__)
        return f"{kind}{' or '.join(map(str, shapes[:4]))}{layout}"


@dataclass(frozen=True)
class Elements:
    """Named columns."""

    columns: dict[str, Column]
    as_dict: bool

    @property
    def length(self):
        return len(next(iter(self.columns.values())).values)

    def rows(self):
        """Return the arguments of every call."""
        return list(zip(*(column.rows() for column in self.columns.values()), strict=True))

    def dataset(self):
        """Return them as a dataset."""
        values = {name: column.values for name, column in self.columns.items()}
        if not any(column.varied for column in self.columns.values()):
            return tf.data.Dataset.from_tensor_slices(self._packed(values.values()))
        rows = self.rows()
        signature = self._packed([_spec_of(column) for column in self.columns.values()])
        return tf.data.Dataset.from_generator(
            lambda: (self._packed(row) for row in rows), output_signature=signature
        )

    def but(self, index):
        """Return other elements of the same columns."""
        return replace(self, columns={k: column.but(index) for k, column in self.columns.items()})

    def _packed(self, values):
        if self.as_dict:
            return dict(zip(self.columns, values, strict=True))
        return tuple(values) if len(self.columns) > 1 else next(iter(values))


def _spec_of(column):
    first = column.values[0]
    if not isinstance(first, (np.ndarray, np.generic)):
        return tf.TensorSpec([], tf.string)
    shapes = {np.shape(row) for row in column.values}
    sizes = zip(*shapes, strict=True)
    return tf.TensorSpec([n[0] if len(set(n)) == 1 else None for n in sizes], first.dtype)


def draw_elements(choices: random.Random) -> Elements:
    """Draw what a function gets."""
    draws = np.random.default_rng(choices.getrandbits(32))
    varied = choices.random() < 0.2
    columns = {}
    shape = choices.choice(SHAPES)
    for name in "xyz"[: choices.choice([1, 1, 2, 2, 3])]:
        if name != "x" and choices.random() < 0.5:
            shape = choices.choice(SHAPES)
        if choices.random() < 0.07:
            columns[name] = _texts(choices)
        elif varied and shape and choices.random() < 0.8:
            columns[name] = _varied(choices, draws, shape)
        else:
            columns[name] = _dense(choices, draws, shape)
    return Elements(columns, as_dict=choices.random() < 0.1)


def _texts(choices):
    tame = [choices.choice([b"0", b"1", b"22"]) for _ in range(TAME)]
    texts = tame + [choices.choice(TEXTS) for _ in range(WILD)]
    if choices.random() < 0.3:
        texts = [text.decode() + "é" * (number > TAME) for number, text in enumerate(texts)]
    values = np.empty(len(texts), object)
    values[:] = texts
    return Column(values)


def _dtype(choices):
    return np.dtype(choices.choice(NUMBERS if choices.random() < 0.5 else FREQUENT))


def _varied(choices, draws, shape):
    """Sizes along some axes are of every element's own."""
    dtype = _dtype(choices)
    least = 0 if choices.random() < 0.2 else 1
    axes = [axis for axis in range(len(shape)) if choices.random() < 0.7] or [0]
    rows = []
    for number in range(TAME + WILD):
        sizes = [int(draws.integers(least, 8)) if a in axes else n for a, n in enumerate(shape)]
        rows.append(_values(choices, draws, tuple(sizes), dtype, tame=number < TAME))
    return Column(rows, varied=True)


def _dense(choices, draws, shape):
    dtype = _dtype(choices)
    values = np.concatenate(
        [
            _values(choices, draws, (TAME, *shape), dtype, tame=True),
            _values(choices, draws, (WILD, *shape), dtype, tame=False),
        ]
    )
    layout = choices.random()
    if shape and layout < 0.07:
        return Column(np.asfortranarray(values))
    if shape and layout < 0.14:
        return Column(np.repeat(values, 2, axis=-1)[..., ::2])
    if shape and layout < 0.18:
        return Column(values[..., ::-1])
    return Column(values)


def _values(choices, draws, shape, dtype, *, tame):
    if tame:
        return _tame(choices, draws, shape).astype(dtype)
    if dtype.kind == "b":
        return draws.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return _wild_integers(choices, draws, shape, dtype)
    with np.errstate(all="ignore"):
        if dtype.kind == "c":
            parts = [_wild_floats(choices, draws, shape) for _ in range(2)]
            return (parts[0] + 1j * parts[1]).astype(dtype)
        return _wild_floats(choices, draws, shape).astype(dtype)


def _tame(choices, draws, shape):
    return choices.choice([np.zeros, np.ones, lambda shape: draws.integers(0, 4, shape)])(shape)


def _wild_integers(choices, draws, shape, dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    if choices.random() < 0.3:
        return draws.integers(max(least, -9), 9, shape).astype(dtype)
    values = draws.integers(least, most, shape, dtype, endpoint=True)
    edges = [e for e in (least, most, 0, 1, 300, 2**31, 2**53 + 1, -1) if least <= e <= most]
    chosen = np.array(edges, dtype)[draws.integers(0, len(edges), shape)]
    return np.where(draws.random(shape) < 0.3, chosen, values)


def _wild_floats(choices, draws, shape):
    values = draws.standard_normal(shape) * choices.choice([1.0, 1.0, 10.0, 300.0])
    kind = choices.random()
    if kind < 0.4:  # of every size there is
        values = values * 10.0 ** draws.integers(-9, 10, shape)
    if kind < 0.7:
        values = np.where(draws.random(shape) < 0.15, draws.choice(SPECIAL, shape), values)
    if kind < 0.3:
        values = np.where(draws.random(shape) < 0.05, draws.choice(NOT_FINITE, shape), values)
    return values
