"""FunctionTrace: the recording of a ``@function`` while it does the work of a real call.

The first sample is the real argument, so that what the recording computes is the result of
the call, and nothing is done twice. The second one is made up and differs where a length is
not known: a length that the two do not have in common is unknown too.

Recording   every operation is written down.
Given up    the function looked at a value, or used what has no rule. From there on it goes
            on with the real values, as plain Python; there is no program in the end.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.graph.active import recording
from feedline.graph.nested import swapped
from feedline.graph.op import LeafForm, Op
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace, recorded, symbols_in
from feedline.graph.untraceable import Untraceable, refuse
from feedline.shapes import Shape, merge_shapes
from feedline.site import caller_site

__all__ = ["FunctionTrace", "is_one", "real_values"]


class FunctionTrace(Trace):
    """The operations of one call of a function.

    Args:
        is_real: Whether the first sample is the argument of a call, not made up itself.
    """

    def __init__(self, *, is_real: bool) -> None:
        invented = [1] if is_real else [0, 1]
        super().__init__(2, batches=False, sealed=False, invented=invented)
        self.is_real = is_real
        self.given_up: Untraceable | None = None
        # While a branch that the call does not take is recorded: nothing may show.
        self.is_dry = False
        self._baked: dict[int, tuple[NDArray[Any], NDArray[Any]]] = {}

    @property
    def runs(self) -> bool:
        """Whether what is recorded is carried out for a call."""
        return self.is_real and not self.is_dry

    def give_up(self, reason: str) -> None:
        """Go on with the values of the call, if there is one."""
        if not self.runs:
            refuse(reason)
        if self.given_up is None:
            self.given_up = Untraceable(reason, caller_site())

    # ---- values come in ----------------------------------------------------------

    def argument(self, real: Any, invented: Any) -> Symbol:
        """Return the symbol of one argument."""
        shape = merge_shapes(np.shape(real), np.shape(invented))
        return self.new_symbol(shape, np.asarray(real).dtype, [real, invented])

    def new_symbol(self, shape: Shape, dtype: np.dtype[Any], samples: list[Any]) -> Symbol:
        """Return a symbol for a value that no recorded operation made."""
        return Symbol(self, shape, dtype, number=self._number(), samples=samples)

    def baked(self, value: Any) -> Any:
        """Return an argument of an operation with copies of its arrays.

        They are constants of the recording: whoever writes into them later must not change it.
        """
        if isinstance(value, np.ndarray):
            return self._copied(value)
        kind = type(value)
        if kind is list or kind is tuple:
            return kind([self.baked(item) for item in value])
        if kind is dict:
            return {key: self.baked(item) for key, item in value.items()}
        return value

    def _copied(self, array: NDArray[Any]) -> NDArray[Any]:
        known = self._baked.get(id(array))
        if known is not None and known[1].tobytes() == array.tobytes():
            return known[1]
        copy = array.copy()
        copy.flags.writeable = False
        self._baked[id(array)] = array, copy  # holds the array, so that its id stays its own
        return copy

    @contextmanager
    def dry(self) -> Iterator[None]:
        """Record inside what the call does not do: it may fail on the values of the call."""
        before = self.is_dry, self.invented, set(self.lost), len(self.ops)
        self.is_dry, self.invented = True, {0, 1}
        try:
            with np.errstate(all="ignore"):
                yield
        finally:
            self.is_dry, self.invented, self.lost = before[:3]
            del self.ops[before[3] :]

    # ---- operations ------------------------------------------------------------------

    def record(self, fn: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
        """Carry out an operation and write it down, as long as that is possible."""
        if self.given_up is None:
            try:
                return super().record(fn, self.baked(args), self.baked(kwargs))
            except Untraceable as refusal:
                if not self.runs:
                    raise
                self.given_up = refusal
        return fn(*real_values(args), **real_values(kwargs))

    def record_call(
        self, fn: Callable[..., Any], args: Sequence[Any], varies: bool = True
    ) -> list[Any]:
        """Carry out something opaque on the real values alone, and write it down.

        Args:
            fn: Returns a list of arrays.
            args: May hold no symbol at all.
            varies: Whether the lengths of the results may differ at every call.
        """
        if self.given_up is None and not self.runs:
            if getattr(fn, "returns_nothing", False):
                self.write(fn, self.baked(tuple(args)), [])
                return []
            refuse("calls what only a call with real arguments may run")
        with recording(None):
            results = fn(*real_values(args))
        if self.given_up is not None:
            return list(results)
        symbols = []
        for result in results:
            other = _longer(result) if varies and 1 not in self.lost else result
            shape = merge_shapes(np.shape(result), np.shape(other))
            symbols.append(self.new_symbol(shape, np.asarray(result).dtype, [result, other]))
        self.write(fn, self.baked(tuple(args)), symbols)
        return symbols

    def write(self, fn: Callable[..., Any], args: tuple[Any, ...], results: list[Symbol]) -> None:
        """Write an operation down whose results are known."""
        self.ops.append(
            Op(
                fn,
                tuple(swapped(arg, recorded) for arg in args),
                {},
                tuple(symbol.number for symbol in results if symbol.number is not None),
                tuple(LeafForm(symbol.shape, symbol.dtype) for symbol in results),
                single=False,
                run=None,
                fresh=False,
                exact=True,
            )
        )

    def _on_samples(self, fn: Any, args: Any, kwargs: Any) -> list[Any]:
        """Call once where the two samples are the same."""
        operands = symbols_in((args, kwargs))
        if 1 in self.lost or any(not is_one(operand) for operand in operands):
            return super()._on_samples(fn, args, kwargs)
        result = fn(*real_values(args), **real_values(kwargs))
        return [result, result]


def real_values(value: Any) -> Any:
    """Return an argument with the values of the call in place of its symbols."""
    return swapped(value, _real)


def _real(symbol: Symbol) -> Any:
    return symbol.value if symbol.samples is None else symbol.samples[0]


def is_one(symbol: Symbol) -> bool:
    """Whether the two samples are the same, and with them all lengths known."""
    return symbol.samples is None or symbol.samples[0] is symbol.samples[1]


def _longer(result: Any) -> Any:
    """Return a value that has one more of everything along each axis."""
    array = np.asarray(result)
    if not array.ndim:
        return result
    if not array.size:
        return np.zeros([length + 1 for length in array.shape], array.dtype)
    return np.pad(array, [(0, 1)] * array.ndim, mode="edge")
