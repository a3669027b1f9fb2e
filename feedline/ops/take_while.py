"""take_while: stop at the first element for which a function says False."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from feedline.engine.each import EachExec
from feedline.engine.function import Function, given_function
from feedline.ops.calling import CallingNode
from feedline.ops.condition import as_condition, reads_only
from feedline.plan.node import Traits

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.dataset import Dataset
    from feedline.engine.exec import State
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["TakeWhile", "take_while"]

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def take_while(
    self: Dataset[T], predicate: Callable[..., Any], name: str | None = None
) -> Dataset[T]:
    """Return the elements before the first for which ``predicate(element)`` is False.

    The predicate is not called on any element after that one.

    Args:
        predicate: Returns a single bool. It must not change its arguments in place.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(10).take_while(lambda x: x < 3)]
        [0, 1, 2]
    """
    predicate = given_function("take_while()", "predicate", predicate)
    return self.then(TakeWhile(self.node, predicate, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class TakeWhile(CallingNode):
    """The elements before the first for which ``fn`` is False."""

    traits: ClassVar[Traits] = Traits(
        rows="fewer", keeps_order=True, keeps_values=True, calls_user=True
    )

    def lower(self, run: Run) -> TakeWhileExec:
        """One after the other: every call depends on the one before."""
        return TakeWhileExec(
            run.open(self.input), self.plain_function_in(run), run.key(self.number)
        )

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class _End(Exception):  # noqa: N818  (it is no error: it ends a run of calls)
    """The predicate said False."""


class TakeWhileExec(EachExec):
    """Ends where a call says False, by the same way in which a failing call ends a run."""

    def __init__(self, stream: Stream, function: Function, key: int) -> None:
        super().__init__(stream, reads_only(replace(function, fn=_ending(function.fn))), key)
        self._ended = False

    def pull(self, limit: int) -> Block | None:
        """Return the next elements up to the end."""
        if self._ended:
            return None
        try:
            called = self.call(limit)
        except _End:
            called = None
        self._ended = called is None
        return None if called is None else called[0]

    def counters(self) -> State:
        """Return whether the end was met: the input may go on after it."""
        return {"ended": True} if self._ended else {}

    def resume(self, counters: State) -> None:
        """Stay at the end."""
        self._ended = bool(counters.get("ended", False))


def _ending(predicate: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **draws: Any) -> None:
        if not as_condition("take_while()", predicate(*args, **draws)):
            raise _End

    return call
