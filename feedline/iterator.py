"""Iterator: a cursor over a dataset, whose state can be saved at any element and restored."""

from __future__ import annotations

from collections.abc import Iterator as AbstractIterator
from time import perf_counter_ns
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from feedline import pipeline
from feedline.errors import BuildTypeError, CheckpointError, OutOfRangeError

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.exec import State
    from feedline.plan.node import Node

__all__ = ["Iterator"]

T = TypeVar("T")

_FORMAT = 1
# A block grows while it takes less than this and is smaller than that: large enough that the
# cost per block does not count, small enough that the next element is never far away.
_BLOCK_NS = 1_000_000
_BLOCK_BYTES = 1 << 20
_MOST_ELEMENTS = 1 << 14


class Iterator(AbstractIterator[T], Generic[T]):
    """The elements of a dataset, one at a time.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(5).shuffle(5, seed=1)
        >>> it = iter(ds)
        >>> head = [int(next(it)) for _ in range(3)]
        >>> saved = it.state_dict()
        >>> again = iter(ds)
        >>> again.load_state_dict(saved)
        >>> [int(x) for x in again] == [int(x) for x in it]
        True
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._rounds = pipeline.start_rounds(node)
        self._run, self._stream = pipeline.start(node, None, self._rounds)
        self._rows: AbstractIterator[Any] = iter(())
        self._size = 1
        self._closed = False
        # State of the stream before the current block, and how many of its elements are out.
        self._before: State | None = None
        self._out = 0

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        for element in self._rows:
            self._out += 1
            return element  # type: ignore[no-any-return]
        self._next_block()
        self._out = 1
        return next(self._rows)  # type: ignore[no-any-return]

    def _next_block(self) -> None:
        if self._closed:
            raise StopIteration
        self._before, self._out = None, 0
        before = self._stream.state()
        started = perf_counter_ns()
        block = self._stream.pull(self._size)
        if block is None:
            raise StopIteration
        self._adapt(block, perf_counter_ns() - started)
        self._before = before
        self._rows = iter(block.rows())

    def _adapt(self, block: Block, elapsed_ns: int) -> None:
        """Choose the next block's size by the cost of this one: time and memory."""
        length = block.length
        if elapsed_ns * 2 < _BLOCK_NS and block.nbytes * 2 < _BLOCK_BYTES:
            self._size = min(max(self._size, 2 * length), _MOST_ELEMENTS)
        elif elapsed_ns > 2 * _BLOCK_NS or block.nbytes > 2 * _BLOCK_BYTES:
            self._size = max(1, length // 2)

    def state_dict(self) -> dict[str, Any]:
        """Return where the iteration stands: a small dict that can be written as JSON.

        It holds counters and seeds, never elements. What was handed out counts, not
        what was read ahead.
        """
        if self._before is None:
            position = self._stream.state()
        else:
            position = {**self._before}
            position["skip"] = position.get("skip", 0) + self._out
            position["n"] = position["n"] + self._out
        return {
            "feedline": _FORMAT,
            "plan": pipeline.signature(self._node),
            "seed": self._run.seed,
            "rounds": [self._rounds[number] for number in sorted(self._rounds)],
            "position": position,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue exactly where ``state`` was saved, in this process or another.

        Raises CheckpointError if the state was saved from another pipeline.
        """
        _check_state(state, pipeline.signature(self._node))
        self.close()
        self._rounds = dict(enumerate(state["rounds"]))
        self._run, self._stream = pipeline.start(self._node, state["seed"], self._rounds)
        self._stream.restore(state["position"])
        self._closed = False

    def get_next(self) -> T:
        """Return the next element; raise OutOfRangeError if there is none."""
        for element in self:
            return element
        raise OutOfRangeError("get_next(): the iterator has no more elements.")

    def close(self) -> None:
        """Free everything that is held. The iterator is over."""
        self._rows, self._before, self._closed = iter(()), None, True
        self._stream.close()

    def __enter__(self) -> Iterator[T]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _check_state(state: Any, expected: list[str]) -> None:
    if not isinstance(state, dict) or "position" not in state:
        raise BuildTypeError(
            "load_state_dict(): state must be what state_dict() returned, got "
            f"{type(state).__name__}."
        )
    if state.get("feedline") != _FORMAT:
        raise CheckpointError(
            f"load_state_dict(): the state has format {state.get('feedline')!r}, this version "
            f"of Feedline reads {_FORMAT}."
        )
    saved = state["plan"]
    for number, (mine, theirs) in enumerate(zip(expected, saved, strict=False)):
        if mine != theirs:
            raise CheckpointError(
                f"load_state_dict(): step {number} of the saved pipeline is {theirs}, here it is "
                f"{mine}. A state continues only the pipeline it was saved from."
            )
    if len(saved) != len(expected):
        raise CheckpointError(
            f"load_state_dict(): the saved pipeline has {len(saved)} steps, this one "
            f"{len(expected)}. A state continues only the pipeline it was saved from."
        )
