"""drawing: which random numbers a call inside a user's function draws.

Inside a transformation they depend on the seed, the step, the element and how many draws
the function made for that element before: not on the order of calls, nor on how many
elements are handled at once. Elsewhere they come from the streams that TensorFlow draws
from with the same seeds: see feedline/seeding.py.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from operator import length_hint
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.graph.active import active_trace
from feedline.graph.rule import batched
from feedline.graph.streams import Streams
from feedline.ids import Ids, mix, mix_ids
from feedline.seeding import next_place

__all__ = ["draw", "drawing_for", "element_keys", "in_function", "number_of_operation"]

Keys = NDArray[np.uint64]


# What a draw takes off a stream that TensorFlow has none like: more than it can need.
_ANY_BLOCKS = 1 << 32


def draw(
    distribution: Callable[..., Any],
    args: tuple[Any, ...],
    seed: int | None,
    *,
    kernel: Hashable = None,
    blocks: int = _ANY_BLOCKS,
) -> Any:
    """Return what ``distribution(source, *args)`` gives for the element at hand.

    Args:
        distribution: Makes one value for each of some keys, or streams, along a first axis.
        args: What else it needs.
        seed: Draws with a seed are the same in every iteration.
        kernel: Outside of pipelines, which of TensorFlow's kernels draws.
        blocks: Outside of pipelines, how much of its stream that kernel uses up.
    """
    trace = active_trace()
    if trace is None:
        return distribution(_source(distribution, seed, kernel, blocks), *args)[0]
    if not trace.sealed:
        drawn = trace.record_call(
            lambda *values: [draw(distribution, values, seed, kernel=kernel, blocks=blocks)],
            args,
            varies=False,
        )
        return drawn[0]
    number = trace.draws
    trace.draws += 1
    source = trace.element_ids() if seed is not None else trace.element_keys()
    word = number if seed is None else mix(seed, number)
    return trace.record(_drawn, (distribution, source, word, *args), {})


def element_keys(ids: Ids, key: int) -> Keys:
    """Return what the draws of elements without a seed depend on."""
    return mix_ids(ids, key)


def _drawn(distribution: Callable[..., Any], source: Any, word: int, *args: Any) -> Any:
    return distribution(mix_ids(np.array([source], np.uint64), word), *args)[0]


@batched(_drawn, fresh=True)
def _drawn_rows(distribution: Callable[..., Any], source: Any, word: int, *args: Any) -> Any:
    return distribution(mix_ids(source.array, word), *args)


# ---- the element at hand ------------------------------------------------------------


class _Drawing:
    """The elements a function is called on one after the other."""

    __slots__ = ("_at", "_count", "_draws", "_ids", "_key", "_left", "_place", "_unseeded")

    def __init__(self, ids: Ids | None, key: int, left: Iterator[Any], place: str) -> None:
        self._ids = ids
        self._key = key
        # What is left of the elements says which one is at hand, at no cost per element.
        self._left = left
        self._count = length_hint(left)
        self._place = place
        self._at = -1
        self._draws = 0
        self._unseeded = 0

    def number_of_operation(self) -> int:
        """Return how many operations without a seed the function made for the element before."""
        self._arrive()
        self._unseeded += 1
        return self._unseeded - 1

    def _arrive(self) -> None:
        at = self._count - length_hint(self._left) - 1
        if at != self._at:
            self._at, self._draws, self._unseeded = at, 0, 0

    def next_key(self, seed: int | None) -> np.uint64:
        """Return the key of the next draw for the element at hand."""
        if self._ids is None:
            raise BuildError(
                f"{self._place}: feedline.random was called from where it cannot be seen that "
                "the function draws. Call it in a function that names feedline.random, or "
                "declare a parameter rng."
            )
        self._arrive()
        number = self._draws
        self._draws += 1
        one = self._ids[self._at : self._at + 1]
        if seed is None:
            self._unseeded += 1
            return np.uint64(mix_ids(element_keys(one, self._key), number)[0])
        return np.uint64(mix_ids(one, mix(seed, number))[0])


_DRAWING: ContextVar[_Drawing | None] = ContextVar("feedline_drawing", default=None)


@contextmanager
def drawing_for(ids: Ids | None, key: int, left: Iterator[Any], place: str) -> Iterator[None]:
    """Let draws belong to the elements that are taken from ``left`` one by one."""
    token = _DRAWING.set(_Drawing(ids, key, left, place))
    try:
        yield
    finally:
        _DRAWING.reset(token)


def in_function() -> bool:
    """Whether a function of a pipeline runs, or is recorded."""
    trace = active_trace()
    return (trace is not None and trace.sealed) or _DRAWING.get() is not None


def number_of_operation() -> int:
    """Return how many operations without a seed came before in the function that runs.

    TensorFlow numbers those of every function by themselves.
    """
    drawing = _DRAWING.get()
    return 0 if drawing is None else drawing.number_of_operation()


def _source(
    distribution: Callable[..., Any], seed: int | None, kernel: Hashable, blocks: int
) -> Keys | Streams:
    """Return what to draw from for the element at hand, or for the program."""
    drawing = _DRAWING.get()
    if drawing is not None:
        return np.array([drawing.next_key(seed)], np.uint64)
    words = next_place(distribution if kernel is None else kernel, seed, blocks)
    return Streams(*(np.array([word % (1 << 64)], np.uint64) for word in words))
