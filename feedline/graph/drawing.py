"""drawing: which random numbers a call inside a user's function draws.

Inside a transformation they depend on the seed, the step, the element and how many draws
the function made for that element before: not on the order of calls, nor on how many
elements are handled at once. Elsewhere they come from one stream per process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from operator import length_hint
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError
from feedline.graph.active import active_trace
from feedline.graph.rule import batched
from feedline.ids import Ids, draw_seed, mix, mix_ids

__all__ = ["draw", "drawing_for", "element_keys", "set_seed"]

Keys = NDArray[np.uint64]


def draw(distribution: Callable[..., Any], args: tuple[Any, ...], seed: int | None) -> Any:
    """Return what ``distribution(keys, *args)`` gives for the element at hand.

    Args:
        distribution: Makes one value for each of some keys, along a first axis.
        args: What else it needs.
        seed: Draws with a seed are the same in every iteration.
    """
    trace = active_trace()
    if trace is None:
        return _for_key(distribution, _current_key(seed), args)
    if not trace.sealed:
        drawn = trace.record_call(
            lambda *values: [draw(distribution, values, seed)], args, varies=False
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
    return _for_key(distribution, mix_ids(np.array([source], np.uint64), word)[0], args)


@batched(_drawn, fresh=True)
def _drawn_rows(distribution: Callable[..., Any], source: Any, word: int, *args: Any) -> Any:
    return distribution(mix_ids(source.array, word), *args)


def _for_key(distribution: Callable[..., Any], key: np.uint64, args: tuple[Any, ...]) -> Any:
    return distribution(np.array([key], np.uint64), *args)[0]


# ---- the element at hand ------------------------------------------------------------


class _Drawing:
    """The elements a function is called on one after the other."""

    __slots__ = ("_at", "_draws", "_ids", "_key", "_left", "_place")

    def __init__(self, ids: Ids | None, key: int, left: Iterator[Any], place: str) -> None:
        self._ids = ids
        self._key = key
        # What is left of the elements says which one is at hand, at no cost per element.
        self._left = left
        self._place = place
        self._at = -1
        self._draws = 0

    def next_key(self, seed: int | None) -> np.uint64:
        """Return the key of the next draw for the element at hand."""
        if self._ids is None:
            raise BuildError(
                f"{self._place}: feedline.random was called from where it cannot be seen that "
                "the function draws. Call it in a function that names feedline.random, or "
                "declare a parameter rng."
            )
        at = len(self._ids) - length_hint(self._left) - 1
        if at != self._at:
            self._at, self._draws = at, 0
        number = self._draws
        self._draws += 1
        one = self._ids[at : at + 1]
        if seed is None:
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


# ---- outside of any pipeline --------------------------------------------------------


class _Process:
    """The draws of this process outside of pipelines."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.restart(None)

    def restart(self, seed: int | None) -> None:
        """Begin again."""
        with self._lock:
            self._seed = draw_seed() if seed is None else seed
            self._counts: dict[int | None, int] = {}

    def next_key(self, seed: int | None) -> np.uint64:
        """Return the key of the next draw; those of every seed are counted apart."""
        with self._lock:
            number = self._counts.get(seed, 0)
            self._counts[seed] = number + 1
            words = (self._seed,) if seed is None else (self._seed, seed)
            return np.uint64(mix(*words, number))


_PROCESS = _Process()


def _current_key(seed: int | None) -> np.uint64:
    drawing = _DRAWING.get()
    return _PROCESS.next_key(seed) if drawing is None else drawing.next_key(seed)


def set_seed(seed: int | None) -> None:
    """Begin the draws outside of pipelines anew; None takes a seed from the operating system.

    Draws inside a transformation have nothing to do with this: Options.seed is for them.
    """
    _PROCESS.restart(seed)
