"""function: calling a user's function on every element of a block.

The function sees what tf.data shows it: the parts of a plain tuple as separate
arguments, any other element as one. If it declares a keyword ``rng`` it gets a
``numpy.random.Generator`` that depends on the seed and the element alone.

Done      every element has its result.
Failed    the results before the failing element are returned together with the exception,
          which keeps its type and traceback and gets a note: operator, line, element.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, starmap
from typing import Any

from feedline.binding import bound
from feedline.block import Block
from feedline.engine.own_results import copied, is_kept
from feedline.engine.retry import Retried, Retry
from feedline.errors import BuildTypeError
from feedline.graph.composed import place_of_failure
from feedline.graph.drawing import drawing_for
from feedline.graph.vectorizer import Vectorizer
from feedline.ids import generators_for
from feedline.limits import image_pixels_limited

__all__ = ["Calls", "Function", "check_callable", "declares_rng", "given_function", "is_async"]


@dataclass(frozen=True, slots=True)
class Calls:
    """The results of some calls, and the exception that ended them early."""

    results: list[Any]
    error: Exception | None


@dataclass(frozen=True, slots=True)
class Function:
    """A user's function in its place in a plan: ``place`` is what notes on errors say.

    One that ``may_change`` its arguments gets arrays of its own, another the elements
    themselves, protected. With a ``vectorizer`` it may be run on many elements at once,
    with a ``retry`` it is called again where it fails. Images that it decodes may have
    ``max_image_pixels``, None for the default.
    """

    fn: Callable[..., Any]
    place: str
    wants_rng: bool = False
    may_change: bool = True
    vectorizer: Vectorizer | None = None
    retry: Retry | None = None
    max_image_pixels: int | None = None

    @property
    def may_run_at_once(self) -> bool:
        """Whether it is worth asking for many elements at once."""
        return (
            self.vectorizer is not None and self.vectorizer.refusal is None and not self.wants_rng
        )

    def at_once(
        self, block: Block, key: int, tensors_of: Callable[[Any], Any] | None = None
    ) -> Block | None:
        """Return the results for all elements, or None if each must be called for.

        Args:
            block: The elements.
            key: The key of what is drawn for them.
            tensors_of: For a function that makes datasets of slices: tells of which arrays.
        """
        if self.vectorizer is None or self.wants_rng:
            return None
        with image_pixels_limited(self.max_image_pixels):
            return self.vectorizer.run(
                self.fn, block, key, may_change=self.may_change, tensors_of=tensors_of
            )

    def each(self, block: Block, first: int, key: int) -> Calls:
        """Call the function on every element.

        Args:
            block: The elements.
            first: The position of the first of them, for error notes.
            key: The key of what is drawn for the elements.
        """
        elements = block.private_elements() if self.may_change else block.read_only().elements()
        results: list[Any] = []
        error: Exception | None = None
        todo = iter(elements)
        try:
            with (
                drawing_for(block.ids, key, todo, self.place),
                image_pixels_limited(self.max_image_pixels),
            ):
                calls = self._calls(todo, block, key)
                if self.retry is not None:
                    again = partial(self._again, block, key)
                    calls = Retried(calls, self.retry, again)
                # Before the call: the function may take leaves out of a dict it gets.
                leaves = list(block.structure.leaves_of(elements[0]))
                results.extend(islice(calls, 1))
                if results and is_kept(results, leaves):
                    results[0] = copied(results[0])
                    calls = map(copied, calls)
                results.extend(calls)
        except Exception as raised:
            error = raised
        if error is None and len(results) < len(elements):
            # map() took a StopIteration from the function for its own end.
            error = RuntimeError("the function raised StopIteration")
        try:
            if error is not None:
                self.note(error, first + len(results))
            return Calls(results, error)
        finally:
            del error  # its traceback holds this frame: a cycle would keep all of them alive

    def _calls(self, elements: Iterator[Any], block: Block, key: int) -> Iterator[Any]:
        """Return the results of the calls as they are made: in C where nothing is added."""
        unpack = block.structure.is_tuple
        if not self.wants_rng:
            return starmap(self.fn, elements) if unpack else map(self.fn, elements)
        assert block.ids is not None
        generators = generators_for(key, block.ids)
        if unpack:
            return map(lambda element, rng: self.fn(*element, rng=rng), elements, generators)
        return map(lambda element, rng: self.fn(element, rng=rng), elements, generators)

    def _again(self, block: Block, key: int, number: int) -> Any:
        """Call the function on one element once more, as if it were the first time."""
        one = block.slice(number, number + 1)
        todo = iter(one.private_elements() if self.may_change else one.read_only().elements())
        with drawing_for(one.ids, key, todo, self.place):
            return next(self._calls(todo, one, key))

    def note(self, error: Exception, element: int) -> None:
        """Say on ``error`` where in the pipeline it happened."""
        error.add_note(f"in {place_of_failure(error, self.place)}, element {element}")


def given_function(call: str, name: str, value: Any, *, awaits: bool = False) -> Callable[..., Any]:
    """Return a function with the variables it has now, or raise BuildTypeError.

    Args:
        call: Who was given it.
        name: As what.
        value: What was given.
        awaits: Whether it may be an async function.
    """
    checked: Callable[..., Any] = bound(check_callable(call, name, value, awaits=awaits))
    return checked


def check_callable(call: str, name: str, value: Any, *, awaits: bool = False) -> Callable[..., Any]:
    """Return ``value`` if it can be called, or raise BuildTypeError.

    Args:
        call: Who was given it.
        name: As what.
        value: What was given.
        awaits: Whether it may be an async function.
    """
    if not callable(value):
        raise BuildTypeError(
            f"{call}: {name} must be a function, got {value!r} of type {type(value).__name__}."
        )
    checked: Callable[..., Any] = value
    if _is_kind(checked, inspect.isasyncgenfunction):
        raise BuildTypeError(
            f"{call}: {name} must be a plain function, got the async generator function "
            f"{_name_of(checked)}. Write it with def: asyncio.run() awaits inside."
        )
    if not awaits and is_async(checked):
        raise BuildTypeError(
            f"{call}: {name} must be a plain function, got the async function "
            f"{_name_of(checked)}. Only map() awaits: "
            "await in a map() before, or write it with def."
        )
    return checked


def is_async(fn: Callable[..., Any]) -> bool:
    """Whether calling a function gives a coroutine.

    Example:
        >>> async def fetch(x): ...
        >>> is_async(fetch), is_async(partial(fetch, 1)), is_async(len)
        (True, True, False)
    """
    return _is_kind(fn, inspect.iscoroutinefunction)


def _is_kind(fn: Callable[..., Any], is_so: Callable[[Any], bool]) -> bool:
    while isinstance(fn, partial):
        fn = fn.func
    called = inspect.getattr_static(type(fn), "__call__", fn)  # of an object that can be called
    return is_so(fn) or is_so(called)


def _name_of(fn: Callable[..., Any]) -> str:
    while isinstance(fn, partial):
        fn = fn.func
    return getattr(fn, "__name__", type(fn).__name__)


def declares_rng(fn: Callable[..., Any]) -> bool:
    """Whether a function declares a parameter named ``rng`` and leaves it to be given."""
    try:
        found = inspect.signature(fn).parameters.get("rng")
    except (TypeError, ValueError):  # some built-in functions have no signature
        return False
    if found is None or found.default not in (found.empty, None):
        return False
    return found.kind in (found.KEYWORD_ONLY, found.POSITIONAL_OR_KEYWORD)
