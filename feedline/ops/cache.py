"""cache: remember the elements of the first full pass, and hand out those ever after.

Filling    A pass over an empty cache computes its elements and records them. If it reaches
           the end, what it recorded becomes the content, for every later pass over this
           dataset and over all datasets built on it; the first to reach the end wins. A
           pass that is given up before leaves nothing behind.
Random     Steps before the cache draw once, in the pass that fills it. What that pass drew
           with (the seed, the rounds of its random steps, the epoch or parent it ran
           under) is the *origin* of the content: with it the content can be computed
           again, draw for draw. Steps after the cache draw anew in every pass, for its
           elements get the ids of a source: their position, in the pass that reads them.
State      A position and the origin, never elements. Where the content is at hand a
           resume is a seek. In a fresh process nothing is: the rest of the pass is computed
           with the origin that was saved, going past what was out without recording. The
           next full pass computes with that origin again and fills the cache. So after a
           resume everything comes out as if the cache had been there, at the price of
           computing it once more.
Memory     Elements are shared by all passes, so arrays among them are read-only.

A dataset that is pickled leaves the content behind. If the code disagrees, the code is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.engine.access import Access
from feedline.engine.exec import Exec, State, count_in
from feedline.engine.replay import read_again
from feedline.errors import BuildError, BuildTypeError
from feedline.ops.cached import Memory, Origin, Record
from feedline.ops.in_memory import BlockAccess
from feedline.plan.node import RandomNode, Traits, UnaryNode
from feedline.plan.rewrite import walk

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["Cache", "cache"]

# Of more elements than this it is not remembered which were seen, if they come by index.
_MOST_BY_INDEX = 1 << 28

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def cache(self: Dataset[T], filename: str = "", name: str | None = None) -> Dataset[T]:
    """Return the same elements, computed once and then kept in memory.

    The first iteration that reaches the end fills the cache; one that stops before is
    thrown away. Shuffle after the cache, not before, for another order in every epoch.
    The arrays in its elements are read-only.

    Args:
        filename: Must be empty: the cache is in memory.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> calls = []
        >>> ds = tf.data.Dataset.range(3).map(lambda x: calls.append(x) or x).cache()
        >>> [int(x) for x in ds.repeat(2)], len(calls)
        ([0, 1, 2, 0, 1, 2], 3)
    """
    if not isinstance(filename, str):
        raise BuildTypeError(f"cache(): filename must be a string, got {filename!r}.")
    if filename:
        raise BuildError(
            f"cache(): filename must be empty, got {filename!r}: caches in files are not available "
            "yet. Leave it out to cache in memory."
        )
    return self.then(Cache(self.node, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Cache(UnaryNode):
    """The elements of the first full pass over the input."""

    memory: Memory = field(default_factory=Memory, kw_only=True, repr=False, compare=False)

    traits: ClassVar[Traits] = Traits(rows="same", keeps_order=True)

    def lower(self, run: Run) -> CacheExec:
        """Read what is there, or compute and record."""
        return CacheExec(self, run)

    def access(self, run: Run) -> Access | None:
        """The input's, if its elements are the same in every pass.

        Otherwise it would have to be known which pass filled the cache, and a position
        alone does not tell.
        """
        inner = None if self.draws else self.input.access(run)
        return None if inner is None else CacheAccess(inner, self, run)

    @property
    def draws(self) -> bool:
        """Whether the elements may be others in every pass over the input."""
        return any(node.traits.random or node.reads_ids for node in walk(self.input))

    @property
    def numbers(self) -> list[int]:
        """The numbers of the random steps of the input, which rise."""
        return sorted(node.number for node in walk(self.input) if isinstance(node, RandomNode))

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's."""
        return inputs[0]

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class CacheExec(Exec):
    """One pass: over the content, or over the input."""

    def __init__(self, node: Cache, run: Run) -> None:
        self._node = node
        self._run = run
        self._memory = node.memory
        self._begin(node.memory.origin or Origin.of(run, node))

    def _begin(self, origin: Origin) -> None:
        """Begin a pass over the content of ``origin``."""
        self._origin = origin
        self._at = 0
        self._failed = False
        self._stream: Stream | None = None
        # A look at a few elements is no pass.
        self._record: list[Block] | None = [] if self._run.counts else None
        self._content: list[Block] | None = None
        if self._memory.origin == origin:
            self._content = self._memory.block
        if self._content is None:
            self._stream = origin.open(self._run, self._node)

    def pull(self, limit: int) -> Block | None:
        """Return the next elements."""
        if self._stream is None:
            block = self._of_content(limit)
        else:
            block = self._of_input(self._stream, limit)
        if block is None:
            return None
        start, self._at = self._at, self._at + block.length
        return _with_ids(block, np.arange(start, self._at), self._run)

    def _of_content(self, limit: int) -> Block | None:
        content = self._content
        if not content or self._at == content[0].length:
            return None
        return content[0].slice(self._at, min(self._at + limit, content[0].length))

    def _of_input(self, stream: Stream, limit: int) -> Block | None:
        try:
            block = stream.pull(limit)
        except Exception:
            self._failed = True
            raise
        if block is None:
            self._finish()
            return None
        block = replace(block, ids=None).read_only()
        if self._record is not None:
            self._record.append(block)
        return block

    def _finish(self) -> None:
        """The pass is full: the content is known, and here if it was recorded."""
        if self._record is not None:
            self._memory.fill(self._origin, self._record, self._failed)
            self._record = None
        elif self._run.counts:
            self._memory.settle(self._origin)

    def skip(self, count: int) -> int:
        """Seek, but compute what is recorded."""
        if self._stream is not None and self._record is not None:
            return super().skip(count)
        if self._stream is not None:
            gone = self._stream.discard(count)
            if gone < count:
                self._finish()
        else:
            length = self._content[0].length if self._content else 0
            gone = min(count, length - self._at)
        self._at += gone
        return gone

    def at_hand(self) -> Access | None:
        """The content, where that is read."""
        content = self._content if self._stream is None else None
        return BlockAccess(content[0], self._run) if content else None

    def state(self) -> State:
        """Return the origin, and either a position in the content or where the input is."""
        state: State = {"of": self._origin.written()}
        if self._stream is not None:
            state["in"] = [self._stream.state()]
        else:
            state["at"] = self._at
        if self._failed or (self._stream is None and self._memory.failed):
            state["failed"] = True
        known = self._memory.origin
        if known is not None:
            # Later passes will read this, whatever the present one computes.
            state["known"] = known.written()
        return state

    def restore(self, state: State) -> None:
        """Continue a pass over the same content."""
        if "known" in state:
            self._memory.settle(Origin.read(state["known"]))
        self.close()
        self._begin(Origin.read(state["of"]))
        self._failed = bool(state.get("failed", False))
        self._at = count_in(state, "at") if "at" in state else int(state["in"][0]["n"])
        if self._stream is None or not self._at:
            return
        self._record = None
        if "in" in state:
            self._stream.restore(state["in"][0])
        elif not self._failed:
            self._stream.discard(self._at)
        else:
            for _ in read_again(self._stream, self._at):
                pass

    def close(self) -> None:
        """Close the input; what was recorded is thrown away."""
        self._record = None
        if self._stream is not None:
            self._stream.close()


class CacheAccess(Access):
    """Any element: of the content, or of the input while there is none.

    A pass that gets to see every element fills the cache too, in whatever order.
    """

    def __init__(self, inner: Access, node: Cache, run: Run) -> None:
        self._inner = inner
        self._memory = node.memory
        self._run = run
        fits = run.counts and len(inner) <= _MOST_BY_INDEX
        self._record = Record(len(inner)) if fits else None
        self.calls_user = inner.calls_user

    def __len__(self) -> int:
        return len(self._inner)

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return the elements at ``index``."""
        if content := self._memory.block:
            block = content[0].take(index)
        else:
            block = self._recorded(self._inner.gather(index), index)
        return _with_ids(block, index, self._run)

    def run(self, start: int, stop: int) -> Block:
        """Return consecutive elements."""
        index = np.arange(start, stop)
        if content := self._memory.block:
            block = content[0].slice(start, stop)
        else:
            block = self._recorded(self._inner.run(start, stop), index)
        return _with_ids(block, index, self._run)

    def _recorded(self, block: Block, index: NDArray[np.int64]) -> Block:
        if self._record is None:
            return block
        block = replace(block, ids=None).read_only()
        self._record.add(index, block)
        if not self._record.num_missing:
            self._memory.fill(Origin(), [self._record.content()], failed=False)
            self._record = None
        return block


def _with_ids(block: Block, positions: NDArray[np.int64], run: Run) -> Block:
    return replace(block, ids=run.scope.ids(positions) if run.with_ids else None)
