"""spec_trace: a recording that asks only what comes out of a function, not how to run it.

It may hold what a recording that runs may not: a py_function is not called, but gives what its
``Tout`` declares, of no known shape until set_shape() or the like says more.

Samples of an unknown shape have different ranks. What an operation gives of them has a known shape
as far as the results agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from feedline.column import Objects
from feedline.graph.opaque import Opaque
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace, symbols_in
from feedline.graph.varied import made_up_shape
from feedline.leaf_spec import LeafSpec, TensorSpec
from feedline.shapes import Shape, merge_shapes
from feedline.spec import zeros_of
from feedline.values.tensor_shape import TensorShape

__all__ = ["SpecTrace"]

_OTHER_RANKS = ((2,), (2, 2, 3))


class SpecTrace(Trace):
    """The operations of one function, on samples that are made up.

    Args:
        count: How many samples there are.
        unknown: The specs of leaves of the elements whose rank is not known, by number.
        guesses: Whether a value that is asked for is that of a sample: one branch of an ``if``
            tells as much as the other.
    """

    def __init__(
        self, count: int, unknown: Mapping[int, TensorSpec], *, guesses: bool = False
    ) -> None:
        super().__init__(count, batches=True, sealed=True, made_up=True)
        self._unknown = unknown
        self._guesses = guesses

    def give_up(self, reason: str) -> None:
        """Go on with the value of a sample, if that is allowed."""
        if not self._guesses:
            super().give_up(reason)

    def arguments(self, leaves: list[Symbol | Opaque]) -> list[Symbol | Opaque]:
        """Return what the function gets, with nothing known of some leaves."""
        return [
            self.declared(self._unknown[number]) if number in self._unknown else leaf
            for number, leaf in enumerate(leaves)
        ]

    def declared(self, spec: LeafSpec) -> Symbol | Opaque:
        """Return what stands for a value of which nothing is known but a spec."""
        if not isinstance(spec, TensorSpec):
            values = [zeros_of(spec)] * self.count
            return self._unlike(spec, f"a {type(values[0]).__name__}", values)
        shape = None if spec.shape is None else TensorShape(spec.shape)
        samples = [_sample(shape, spec.dtype, number) for number in range(self.count)]
        if spec.dtype != object:
            block = Objects(samples)
            return Symbol(
                self, shape, spec.dtype, number=self._number(), samples=samples, block=block
            )
        return self._unlike(spec, "a string", samples)

    def _unlike(self, spec: LeafSpec, what: str, samples: list[Any]) -> Opaque:
        """Return what stands for a value that is no array of numbers."""
        found = self.opaque(f"{what} that a py_function returns", samples, Objects(samples))
        self.declare(found.number, spec)
        return found

    def assume(self, value: Any, shape: TensorShape) -> None:
        """Know from now on that a value has a shape."""
        if isinstance(value, Opaque):
            known = self.specs.get(value.number)
            if known is not None:
                shape = shape.merge_with(known.shape)
            self.declare(value.number, TensorSpec(shape, object))
            return
        shape = shape.merge_with(value.shape)
        value.shape = shape
        value.samples = [_sample(shape, value.dtype, number) for number in range(self.count)]
        value.block = Objects(value.samples)

    def ensured(self, symbol: Symbol, shape: Shape) -> Symbol | None:
        """Return a value as one of which a shape is known too."""
        merged = TensorShape(shape).merge_with(symbol.shape)
        found = self.declared(TensorSpec(merged, symbol.dtype))
        assert isinstance(found, Symbol)
        return found

    def part_of(self, value: Opaque, key: Any) -> Any:
        """Return a part of an array of strings."""
        spec = self.specs.get(value.number)
        if not isinstance(spec, TensorSpec) or spec.shape is None or symbols_in(key):
            return super().part_of(value, key)
        try:
            shapes = [np.empty(_lengths(spec.shape, unknown))[key].shape for unknown in (9, 10)]
        except IndexError:
            return super().part_of(value, key)
        return self.declared(TensorSpec(merge_shapes(*shapes), spec.dtype))

    def record(self, fn: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """Carry out an operation on the samples, which may have too few numbers to be reshaped."""
        is_open = bool(args) and isinstance(args[0], Symbol) and args[0].shape is None
        if fn is np.reshape and is_open and len(args) == 2 and not symbols_in(args[1]):
            lengths = [None if n < 0 else int(n) for n in np.ravel(args[1])]
            return self.declared(TensorSpec(lengths, args[0].dtype))
        return super().record(fn, args, kwargs)


def _lengths(shape: Shape, unknown: int) -> list[int]:
    return [unknown if length is None else length for length in shape or ()]


def _sample(shape: TensorShape | None, dtype: np.dtype[Any], number: int) -> Any:
    known = None if shape is None or shape.rank is None else tuple(shape)
    lengths = _OTHER_RANKS[number % 2] if known is None else made_up_shape(known, number)
    if dtype == object:
        return np.full(lengths, b"", object) if lengths else b""
    return np.zeros(lengths, dtype)[()]
