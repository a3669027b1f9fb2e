"""repeat: go over the input several times, or for ever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from feedline.engine.exec import Exec, State, count_in
from feedline.ops.arguments import check_count
from feedline.ops.below import Below
from feedline.options import INFINITE_CARDINALITY
from feedline.plan.node import NumberedNode, Traits, UnaryNode

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.options import Options

__all__ = ["Repeat", "repeat"]

# More passes than any iteration makes.
_FOR_EVER = 1 << 30

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def repeat(self: Dataset[T], count: int | None = None, name: str | None = None) -> Dataset[T]:
    """Return the elements ``count`` times over, for ever if it is None or negative.

    Every pass is a new epoch: a shuffle before it gives another order, and random
    functions make other draws.

    Args:
        count: How many passes.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(2).repeat(2)]
        [0, 1, 0, 1]
    """
    number = check_count("repeat()", "count", count)
    return self.then(Repeat(self.node, number, Below.of(self.node), name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Repeat(UnaryNode, NumberedNode):
    """The input ``count`` times, or for ever if it is -1.

    ``below``: the input when the step was asked for. Rules that change the input must not
    change which order a shuffle is in.
    """

    count: int
    below: Below = field(repr=False)

    traits: ClassVar[Traits] = Traits(rows="more", keeps_order=True)

    def lower(self, run: Run) -> RepeatExec:
        """Open the input anew for every epoch."""
        return RepeatExec(self, run)

    def passes(self, options: Options) -> int:
        """Return how often tf.data opens the input, which counts for shuffles in it.

        After the last epoch it does so once more, unless it makes one step of a shuffle and
        this one, or leaves this one out.
        """
        settings = options.experimental_optimization
        if self.count < 0:
            return _FOR_EVER
        if self.is_noop and settings.is_on("noop_elimination"):
            return self.count
        of_shuffle = self.below.traits.shuffles and self.below.is_seen(settings)
        if of_shuffle and settings.is_on("shuffle_and_repeat_fusion"):
            return self.count
        return self.count + 1

    @property
    def is_noop(self) -> bool:
        """Whether there is one pass."""
        return self.count == 1

    def passes_below(self, passes: int, options: Options) -> int:
        """All of every epoch, and one where the input is opened once more."""
        if self.count < 0:
            return _FOR_EVER
        return self.count * passes + (self.passes(options) - self.count)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's, multiplied."""
        if self.count == 0 or inputs[0] == 0:
            return 0
        if self.count < 0:
            return INFINITE_CARDINALITY
        return inputs[0] * self.count if inputs[0] >= 0 else inputs[0]

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class RepeatExec(Exec):
    """The input of the current epoch, and which epoch that is."""

    def __init__(self, node: Repeat, run: Run) -> None:
        self._node = node
        self._run = run
        self._passes = node.passes(run.options)
        self._epoch = 0
        self._stream: Stream | None = None

    def pull(self, limit: int) -> Block | None:
        """Read the current epoch; at its end begin the next."""
        while True:
            stream = self._open()
            if stream is None:
                return None
            block = stream.pull(limit)
            if block is not None:
                return block
            if not self._next_epoch(stream):
                return None

    def skip(self, count: int) -> int:
        """Skip in the input, epoch by epoch."""
        gone = 0
        while gone < count:
            stream = self._open()
            if stream is None:
                break
            done = stream.discard(count - gone)
            gone += done
            if not done and not self._next_epoch(stream):
                break
        return gone

    def _open(self) -> Stream | None:
        if self._stream is None and self._epoch != self._node.count:
            scope = self._run.scope.repeated(self._epoch, self._passes, self._node.number)
            self._stream = self._run.scoped(scope).open(self._node.input)
        return self._stream

    def _next_epoch(self, stream: Stream) -> bool:
        """Begin the next epoch; return False if there is no use: the input is empty."""
        count, empty = self._node.count, stream.position == 0
        stream.close()
        self._stream = None
        self._epoch = count if empty and count >= 0 else self._epoch + 1
        return not empty

    def state(self) -> State:
        """Return the epoch and where it stands."""
        state: State = {"epoch": self._epoch}
        if self._stream is not None:
            state["in"] = [self._stream.state()]
        return state

    def restore(self, state: State) -> None:
        """Open the saved epoch and continue in it."""
        self._epoch = count_in(state, "epoch")
        if "in" in state:
            stream = self._open()
            assert stream is not None
            stream.restore(state["in"][0])

    def close(self) -> None:
        """Close the current epoch."""
        if self._stream is not None:
            self._stream.close()
