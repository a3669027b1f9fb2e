"""shuffle: hand out elements in random order through a bounded buffer, or over all at once.

The buffer is kept full; each element handed out is drawn from it, as in tf.data, and the
same seed gives tf.data's order. There is one draw per element, so the order depends on
the seed alone: not on the block size, the number of threads, or where a checkpoint fell.

Where the input has random access, or is a cache that is full, the buffer holds indices and
every element is gathered once, when it is handed out. With ``buffer_size=None`` not even
indices are held: the order is a permutation computed place by place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.engine.access import Access, CursorExec
from feedline.engine.exec import Exec, State, UnaryExec, count_in
from feedline.engine.pool import Pool
from feedline.engine.recall import Recall
from feedline.errors import BuildError, check_at_least
from feedline.ids import mix
from feedline.kernels.exchange import exchange
from feedline.kernels.permutation import permute
from feedline.kernels.philox import philox_stream
from feedline.ops.arguments import check_flag
from feedline.ops.seeded import SeededNode, StepSeed, operation_seed, stream_seeds
from feedline.plan.node import Traits, UnaryNode

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["IndexShuffleExec", "Shuffle", "shuffle"]

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def shuffle(
    self: Dataset[T],
    buffer_size: int | None,
    seed: int | None = None,
    reshuffle_each_iteration: bool = True,
    name: str | None = None,
) -> Dataset[T]:
    """Return the same elements in random order.

    A buffer as large as the dataset gives a perfect shuffle; a smaller one mixes only
    neighbours. ``buffer_size=None`` shuffles perfectly with no buffer at all, where the
    input has random access.

    Args:
        buffer_size: Elements to choose from at each draw, at least 1; None for all.
        seed: Same seed, same order, on any machine, and the same as tf.data's. Without one
            every iteration has another order; see tf.random.set_seed() and Options.seed.
        reshuffle_each_iteration: False gives the same order in every epoch.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.range(6).shuffle(3, seed=42)]
        [0, 3, 4, 2, 5, 1]
    """
    if buffer_size is not None:
        buffer_size = check_at_least(
            "shuffle()", "buffer_size", buffer_size, 1, "To keep the order, drop the call."
        )
    reshuffle = reshuffle_each_iteration is None or check_flag(
        "shuffle()", "reshuffle_each_iteration", reshuffle_each_iteration
    )
    used_seed = operation_seed("shuffle()", seed)
    return self.then(Shuffle(self.node, buffer_size, used_seed, reshuffle, name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Shuffle(UnaryNode, SeededNode):
    """Random order through a buffer of ``buffer_size`` elements; None means all."""

    buffer_size: int | None
    seed: StepSeed
    reshuffle: bool = field(default=True)

    traits: ClassVar[Traits] = Traits(rows="same", random=True, shuffles=True)

    def lower(self, run: Run) -> Exec:
        """Shuffle indices if the input can be read by index, elements otherwise."""
        if self.buffer_size is None:
            access = self.access(run)
            if access is None:
                raise BuildError(
                    f"shuffle(buffer_size=None) built at {self.site}: the input cannot be read "
                    "by index. Give a buffer_size, or cache() the input first."
                )
            return CursorExec(access)
        seeds = self._seeds(run)
        inner = self.input.access(run)
        if inner is not None and not inner.calls_user:
            return IndexShuffleExec(inner, self.buffer_size, seeds)
        return ShuffleExec(run.open(self.input), self.buffer_size, seeds)

    def access(self, run: Run) -> Access | None:
        """Any place, if all elements are shuffled; a small buffer is followed from the start."""
        inner = self.input.access(run.by_index() if self.buffer_size is None else run)
        if inner is None:
            return None
        if self.buffer_size is None:
            return PermutedAccess(inner, mix(*self._seeds(run)))
        if self.buffer_size >= len(inner):
            return DrawnAccess(inner, self._seeds(run))
        return None

    def _is_drawn_once(self, chosen: int | None) -> bool:
        """Whether one drawn seed serves every iteration; ``chosen`` is that of the Options."""
        if self.reshuffle or isinstance(self.seed, int):
            return False
        return self.seed is None or (chosen is not None and not self.seed.is_given)

    def start_round(self, passes: int, seed: int | None) -> int:
        """Return the seed of every iteration in place of a number if there is one."""
        if self._is_drawn_once(seed):
            return self.rounds.fixed_seed(seed, self.number)
        return super().start_round(passes, seed)

    def first_round(self, seed: int | None) -> int:
        """As start_round()."""
        if self._is_drawn_once(seed):
            return self.rounds.fixed_seed(seed, self.number)
        return super().first_round(seed)

    def _seeds(self, run: Run) -> tuple[int, int]:
        drawn = run.rounds.get(self.number)
        if not self.reshuffle and drawn is not None and stream_seeds(self, run) is None:
            return drawn, run.scope.parent
        return self.pass_seeds(run, self.reshuffle)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's."""
        return inputs[0]

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class Order:
    """The draws of one shuffle buffer: handles go in and come out in another order."""

    def __init__(self, capacity: int, seeds: tuple[int, int]) -> None:
        self.capacity = capacity
        self._seeds = seeds
        self._ring = np.empty(min(capacity, 1 << 12), np.int64)
        self.num_in = 0
        self.num_out = 0

    @property
    def held(self) -> int:
        """How many handles are in the buffer."""
        return self.num_in - self.num_out

    def missing(self, wanted: int) -> int:
        """Return how many handles must arrive before ``wanted`` can be drawn from a full buffer."""
        return self.capacity + wanted - 1 - self.held

    def draw(self, arriving: NDArray[np.int64], count: int) -> NDArray[np.int64]:
        """Add handles, as they fit, while drawing ``count``."""
        self._make_room(len(arriving))
        draws = philox_stream(*self._seeds, self.num_out, count)
        front = self.num_out % len(self._ring)
        # Fill up before the first draw; exchange() adds one more after each.
        fill = min(self.capacity - self.held, len(arriving))
        places = (front + self.held + np.arange(fill)) % len(self._ring)
        self._ring[places] = arriving[:fill]
        out: NDArray[np.int64] = exchange(
            self._ring, front, self.held + fill, arriving[fill:], draws
        )
        self.num_in += len(arriving)
        self.num_out += count
        return out

    def handles(self) -> NDArray[np.int64]:
        """Return the handles in the buffer."""
        places = (self.num_out + np.arange(self.held)) % len(self._ring)
        return self._ring[places]

    def rename(self, handles: NDArray[np.int64]) -> None:
        """Give the handles in the buffer, in the order of handles(), other numbers."""
        self._ring[(self.num_out + np.arange(self.held)) % len(self._ring)] = handles

    def _make_room(self, arriving: int) -> None:
        """Let the ring grow with what arrives: a buffer may be larger than the data."""
        needed = min(self.capacity, self.held + arriving)
        if needed > len(self._ring):
            held = self.handles()
            ring = np.empty(min(self.capacity, 2 * needed), np.int64)
            ring[(self.num_out + np.arange(len(held))) % len(ring)] = held
            self._ring = ring

    def replay(self, num_in: int, num_out: int) -> None:
        """Bring a fresh buffer to where ``num_in`` went in and ``num_out`` came out."""
        while self.num_out < num_out:
            count = min(num_out - self.num_out, 1 << 16)
            stop = min(num_in, self.num_in + max(self.missing(count), 0))
            self.draw(np.arange(self.num_in, stop), count)
        if self.num_in < num_in:
            self.draw(np.arange(self.num_in, num_in), 0)


class IndexShuffleExec(Exec):
    """Draws indices and gathers the elements there."""

    def __init__(self, access: Access, capacity: int, seeds: tuple[int, int]) -> None:
        self._access = access
        self._length = len(access)
        self._order = Order(min(capacity, max(self._length, 1)), seeds)
        self._step = 1
        self._first = 0

    def every(self, step: int, first: int) -> IndexShuffleExec:
        """Gather only one of ``step`` elements, beginning with ``first``."""
        self._step, self._first = step, first
        return self

    def _draw(self, count: int) -> NDArray[np.int64]:
        order = self._order
        count = min(count, self._length - order.num_out)
        stop = min(self._length, order.num_in + max(order.missing(count), 0))
        return order.draw(np.arange(order.num_in, stop), count)

    def _next(self, limit: int) -> NDArray[np.int64]:
        ahead = (self._first - self._order.num_out) % self._step
        return self._draw(ahead + 1 + (limit - 1) * self._step)[ahead :: self._step]

    def pull(self, limit: int) -> Block | None:
        """Gather the next elements."""
        index = self._next(limit)
        return self._access.gather(index) if len(index) else None

    def skip(self, count: int) -> int:
        """Draw and forget."""
        return len(self._next(count))

    def counters(self) -> State:
        """Return how many indices were drawn: the rest follows from the seeds."""
        return {"out": self._order.num_out}

    def resume(self, counters: State) -> None:
        """Make the same draws again."""
        self._draw(count_in(counters, "out"))


class ShuffleExec(UnaryExec):
    """Holds elements in a pool; the order is drawn on their places there.

    Where the input turns out to have all its elements at hand, the order is drawn on their
    positions and nothing is held. A state does not tell one from the other.
    """

    def __init__(self, stream: Stream, capacity: int, seeds: tuple[int, int]) -> None:
        super().__init__(stream)
        self._recall = Recall(stream, gap=max(1, capacity // 16))
        self._order = Order(capacity, seeds)
        self._pool = Pool()
        # For each place of the pool, the position of the element in the input; free places.
        self._positions = np.empty(0, np.int64)
        self._free = np.empty(0, np.int64)
        self._oldest = 0
        self._look_again_at = 1
        self._looked = False
        self._access: Access | None = None

    def _look(self) -> None:
        """See whether the elements are at hand: known only when the input is where it should be."""
        if not self._looked:
            self._looked, self._access = True, self.input.at_hand()

    def pull(self, limit: int) -> Block | None:
        """Fill the buffer, then exchange arriving elements for drawn ones."""
        self._look()
        order = self._order
        while len(arrived := self._arriving(order.missing(limit))):
            ready = max(limit - order.missing(limit) + len(arrived), 0)
            out = order.draw(arrived, ready)
            if ready:
                return self._take(out)
        left = min(limit, order.held)
        return self._take(order.draw(self._free[:0], left)) if left else None

    def _arriving(self, limit: int) -> NDArray[np.int64]:
        """Return the handles of the next elements: positions, or places in the pool."""
        if self._access is not None:
            first = self._recall.position
            return np.arange(first, first + self._recall.discard(limit))
        block = self._recall.pull(limit)
        return self._free[:0] if block is None else self._put(block)

    def _put(self, block: Block) -> NDArray[np.int64]:
        """Put arriving elements in free places of the pool; return the places."""
        count, capacity = block.length, len(self._positions)
        if count > len(self._free):
            added = np.arange(capacity, capacity + count - len(self._free))
            self._positions = np.concatenate([self._positions, added])
            self._free = np.concatenate([self._free, added])
        places, self._free = self._free[:count], self._free[count:]
        self._pool.put(places, block)
        last = self._recall.position
        self._positions[places] = np.arange(last - count, last)
        return places

    def _take(self, handles: NDArray[np.int64]) -> Block:
        if self._access is not None:
            return self._access.gather(handles)
        self._free = np.concatenate([self._free, handles])
        return self._pool.take(handles)

    def state(self) -> State:
        """Return counts, and where to read again what is held."""
        return {"out": self._order.num_out, "held": self._recall.state(self._oldest_held())}

    def _oldest_held(self) -> int:
        """Return a position not after that of any element held.

        Looking through the buffer takes time and the answer only grows, so it is renewed
        once in a while: to start a resume somewhat earlier costs less.
        """
        order = self._order
        if order.held == 0:
            return self._recall.position
        if order.num_out >= self._look_again_at:
            handles = order.handles()
            held = handles if self._access is not None else self._positions[handles]
            self._oldest = int(held.min())
            self._look_again_at = order.num_out + max(1, order.held // 8)
        return self._oldest

    def restore(self, state: State) -> None:
        """Make the same draws again on positions, then read the elements still held."""
        order, num_out = self._order, count_in(state, "out")
        num_in = count_in(state["held"], "n", most=num_out + order.capacity)
        order.replay(num_in, num_out)
        positions = order.handles()
        self._recall.begin(state["held"])
        self._look()
        rising = np.sort(positions if self._access is None else positions[:0])
        block = self._recall.read_again(state["held"], rising)
        if block is not None:
            self._positions = rising
            self._pool.put(np.arange(len(rising)), block)
            order.rename(np.searchsorted(rising, positions))


class PermutedAccess(Access):
    """Another Access in an order computed place by place."""

    def __init__(self, inner: Access, key: int) -> None:
        self._inner = inner
        self._key = key
        self.calls_user = inner.calls_user

    def __len__(self) -> int:
        return len(self._inner)

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return what stands at ``index`` in the shuffled order."""
        return self._inner.gather(permute(index, len(self), self._key))


class DrawnAccess(Access):
    """Another Access in the order that a buffer of its size gives, drawn at the first use."""

    def __init__(self, inner: Access, seeds: tuple[int, int]) -> None:
        self._inner = inner
        self._seeds = seeds
        self._order: NDArray[np.int64] | None = None
        self.calls_user = inner.calls_user

    def __len__(self) -> int:
        return len(self._inner)

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return what stands at ``index`` in the shuffled order."""
        if self._order is None:
            length = len(self)
            self._order = Order(length, self._seeds).draw(np.arange(length), length)
        return self._inner.gather(self._order[index])
