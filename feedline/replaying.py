"""replaying: one element of a dataset once more, alone, where a debugger can see it.

Everything runs in the calling thread, one element at a time, functions as they are written.
Nothing is counted, nor listed in a quarantine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from feedline import pipeline
from feedline.errors import BuildError, CheckpointError, check_at_least
from feedline.ids import Scope
from feedline.ops.watched import WatchedNode
from feedline.plan.rewrite import walk
from feedline.quarantine import QuarantineEntry
from feedline.seeding import Inherited

if TYPE_CHECKING:
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.plan.node import Node

__all__ = ["replayed"]


def replayed(asked: Node, element: int | QuarantineEntry) -> Any:
    """Return an element, or raise what it fails with."""
    if isinstance(element, QuarantineEntry):
        return _of_entry(asked, element)
    return _by_number(asked, check_at_least("replay()", "element", element, 0))


def _by_number(asked: Node, number: int) -> Any:
    plan, run = pipeline.look_plainly(asked, None, pipeline.first_rounds(asked))
    access = plan.access(run)
    if access is not None:
        if number >= len(access):
            raise _no_such(number, len(access))
        return access.run(number, number + 1).elements()[0]
    with _open(plan, run) as stream:
        try:
            gone: int | None = stream.discard(number)
        except Exception:
            gone = None  # what fails before it counts too
        if gone == number:
            return _next(stream, number)
    if gone is not None:
        raise _no_such(number, gone)
    with _open(plan, run) as stream:
        _pass_one_by_one(stream, number)
        return _next(stream, number)


def _pass_one_by_one(stream: Stream, number: int) -> None:
    """Go past elements, and past exceptions as if they were elements."""
    for passed in range(number):
        gone = 1
        with suppress(Exception):
            gone = stream.discard(1)
        if not gone:
            raise _no_such(number, passed)


def _of_entry(asked: Node, entry: QuarantineEntry) -> Any:
    state = entry.state
    try:
        number, before, scope = state["step"], state["input"], Scope(*state["scope"])
        seed, rounds, rules = state["seed"], dict(enumerate(state["rounds"])), state["rules"]
        inherited = Inherited.read(state["inherited"])
    except (LookupError, TypeError) as error:
        raise CheckpointError(f"replay(): the entry is damaged: {error!r} is missing.") from error
    if number is None:
        raise BuildError(
            f"replay(): {entry.step} is a step of a dataset that a function made of an element. "
            "Call replay() with the number of the element of the whole dataset."
        )
    plan, run = pipeline.look_plainly(asked, seed, rounds)
    steps = list(walk(plan))
    node = steps[number] if number < len(steps) else None
    if not isinstance(node, WatchedNode) or list(run.rules) != rules:
        raise CheckpointError(
            f"replay(): the entry is of another pipeline: it has {entry.step} as step {number}."
        )
    stream = node.open_before(before, replace(run, scope=scope, inherited=inherited))
    with _closing(stream, run):
        return _next(stream, entry.position)


def _next(stream: Stream, number: int) -> Any:
    block = stream.pull(1)
    if block is None:
        raise _no_such(number, number)
    return block.elements()[0]


def _open(plan: Node, run: Run) -> Any:
    return _closing(run.open(plan), run)


@contextmanager
def _closing(stream: Stream, run: Run) -> Iterator[Stream]:
    try:
        yield stream
    finally:
        stream.close()
        run.workers.rest()


def _no_such(number: int, length: int) -> IndexError:
    return IndexError(f"replay(): there is no element {number} among {length}.")
