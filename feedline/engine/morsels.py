"""Morsels: runs of elements that several threads or processes work on at once.

Elements come out in the order of the input, or run by run as they are ready. At most
``width`` runs are worked on at a time, and a few more wait on either side: one that takes
long holds up the others only when those are full.

Waiting   read from the input; fewer than ``width`` are worked on before it.
Working   a task of its own.
Ready     its pieces, blocks and failures, are handed on one by one.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from feedline.block import Block
from feedline.engine.deliveries import Delivery, order_in
from feedline.engine.exec import after, count_in
from feedline.engine.failures import Failed
from feedline.errors import CheckpointError

if TYPE_CHECKING:
    from feedline.engine.exec import State
    from feedline.engine.failures import Answers
    from feedline.engine.stream import Stream
    from feedline.parallel.stage import Stage
    from feedline.parallel.tasks import Task
    from feedline.parallel.workers import Workers
    from feedline.places import Places

__all__ = ["Morsels", "Piece", "Work"]

_ALL = 1 << 62
# What comes later than this is left to the next run.
_READ_NS = 1_000_000
_NOTHING: AbstractContextManager[None] = nullcontext()

Piece = Block | Exception
"""Results for some elements, or what one element failed with."""

Work = Callable[[Block, int], list[Piece]]
"""Makes pieces of a run of elements and the position of the first of them."""


class _Morsel:
    """A run of elements of the input, on its way."""

    __slots__ = ("before", "block", "block_at", "first", "nbytes", "pieces", "task", "used")

    task: Task

    def __init__(self, before: State, first: int, block: Block) -> None:
        self.before = before
        self.first = first
        # What is worked on, and the position of the first element of it.
        self.block: Block = block
        self.block_at = first
        self.nbytes = block.nbytes
        self.pieces: deque[Piece] | None = None
        # Elements of the input whose pieces were handed on.
        self.used = 0

    @property
    def at(self) -> int:
        """The position of the first element that was not handed on."""
        return self.first + self.used

    def last(self) -> Block:
        """Return the element whose piece was handed on last."""
        number = self.at - 1 - self.block_at
        return self.block.slice(number, number + 1)

    @property
    def is_ready(self) -> bool:
        return self.pieces is not None or self.task.is_done


class Morsels:
    """Pieces of the elements of a stream.

    Args:
        source: Where the elements come from.
        work: What is done with them, by any thread.
        workers: Who does it.
        stage: How many at once, and what it costs.
        ordered: Whether pieces come out in the order of the elements.
        fit: Makes of a block one that is like those before it, or failures.
    """

    answers: Answers | None = None
    """What comes in the place of elements that fail; without it, exceptions do."""
    places: Places | None = None
    """Where results will lie, if somebody knows."""
    begin: Callable[[Block, int], Task] | None = None
    """Has the work begun in its own way; returns the task that stands for it."""

    def __init__(
        self,
        source: Stream,
        work: Work,
        workers: Workers,
        stage: Stage,
        ordered: bool,
        fit: Work,
    ) -> None:
        self._source = source
        self._work = work
        self._workers = workers
        self._stage = stage
        self._ordered = ordered
        self._fit = fit
        # In the order of the input. The first was not handed on in whole.
        self._pending: deque[_Morsel] = deque()
        # What reading the input failed with, after everything that is pending.
        self._failed: tuple[State, BaseException] | None = None
        self._over = False
        # Out of order: what was handed on beyond the first that is pending; what must come next.
        self._gone: list[list[int]] = []
        self._log = Delivery()
        # How many elements were made, and what their results took: one more than none.
        self._made, self._made_bytes = 1, 0
        self._next: deque[list[int]] = deque()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is on its way."""
        return not (self._pending or self._failed or self._gone or self._next)

    # ---- handing on -----------------------------------------------------------------------

    def pull(self, limit: int) -> Block | None:
        """Return the next results, or None at the end."""
        while self._read_ahead():
            morsel = self._choose()
            piece = self._take(morsel, _ALL)
            if isinstance(piece, Block):
                return piece
            if piece is not None:
                try:
                    if (replaced := self._answer(morsel, piece)) is not None:
                        return replaced
                finally:
                    del piece  # its traceback holds this frame
        return None

    def _answer(self, morsel: _Morsel, error: Exception) -> Block | None:
        """Return what comes in the place of the element that was handed on last."""
        if self.answers is None:
            try:
                raise error
            finally:
                del error  # its traceback holds this frame
        before = partial(after, morsel.before, morsel.used - 1)
        failed = Failed(error, morsel.at - 1, self.handed_on, before)
        try:
            return self.answers.to(failed, morsel.last())
        finally:
            del error, failed  # tracebacks hold this frame

    @property
    def handed_on(self) -> int:
        """How many elements of the input were handed on since the iteration began."""
        first, *more = self._pending or (None,)
        start = self._source.position if first is None else first.at
        beyond = sum(stop - max(begin, start) for begin, stop in self._gone if stop > start)
        return start + beyond + sum(morsel.used for morsel in more if morsel is not None)

    def _read_ahead(self) -> bool:
        """Read runs until enough are on their way; return whether there are any.

        Raises what reading failed with once everything before it was handed on.
        """
        while self._failed is None and not self._over and self._wants_more():
            self._read(self._run_length())
        if not self._pending and self._failed is not None:
            (_, error), self._failed = self._failed, None
            try:
                raise error
            finally:
                del error
        return bool(self._pending)

    def _choose(self) -> _Morsel:
        """Return the run to hand on from: the first, or one that is ready."""
        while self._next:
            first, stop = self._next[0]
            for morsel in self._pending:
                if first <= morsel.at < stop:
                    return morsel
            self._next.popleft()
        if self._ordered:
            return self._pending[0]
        return self._ready() or self._wait_for_any()

    def _ready(self) -> _Morsel | None:
        return next((morsel for morsel in self._pending if morsel.is_ready), None)

    def _wait_for_any(self) -> _Morsel:
        tasks, pending = self._workers.tasks, self._pending
        started = perf_counter_ns()
        while (ready := self._ready()) is None:
            # Work that is begun here may be slow, and others ready meanwhile: only where nobody
            # else would do it.
            helps = not tasks.has_thread_for_each
            todo = (morsel for morsel in pending if helps and tasks.can_begin(morsel.task))
            waiting = next(todo, None)
            if waiting is not None:
                self._hold(waiting, tasks.finish(waiting.task))
            else:
                tasks.wait_until(lambda: self._ready() is not None)
        self._stage.waited(perf_counter_ns() - started)
        return ready

    def _take(self, morsel: _Morsel, most: int) -> Piece | None:
        """Return the next piece of a run, of up to ``most`` elements."""
        if morsel.pieces is None:
            started = perf_counter_ns()
            made = self._workers.tasks.finish(morsel.task)
            self._stage.waited(perf_counter_ns() - started)
            self._hold(morsel, made)
            del made  # failures in this thread hold this frame
        pieces = morsel.pieces
        assert pieces is not None
        piece = pieces.popleft() if pieces else None
        if isinstance(piece, Block):
            piece, *more = self._fit(piece, morsel.at)
            pieces.extendleft(reversed(more))
        if isinstance(piece, Block) and piece.length > most:
            pieces.appendleft(piece.slice(most, piece.length))
            piece = piece.slice(0, most)
        self._pass(morsel, 0 if piece is None else piece.length if isinstance(piece, Block) else 1)
        if not pieces:
            self._remove(morsel)
        try:
            return piece
        finally:
            del piece, pieces

    def _hold(self, morsel: _Morsel, pieces: Sequence[Piece]) -> None:
        """Hold pieces in the place of the elements they were made of."""
        nbytes = sum(piece.nbytes for piece in pieces if isinstance(piece, Block))
        self._workers.memory.add(nbytes - morsel.nbytes)
        self._made += morsel.block.length
        self._made_bytes += nbytes
        morsel.nbytes, morsel.pieces = nbytes, deque(pieces)

    def _pass(self, morsel: _Morsel, count: int) -> None:
        if count and (not self._ordered or self._gone or self._next):
            self._log = self._log.add(morsel.at, morsel.at + count)
        morsel.used += count

    def _remove(self, morsel: _Morsel) -> None:
        self._workers.memory.add(-morsel.nbytes)
        if morsel is self._pending[0]:
            self._pending.popleft()
            self._forget_gone()
        else:
            self._pending.remove(morsel)
            self._gone.append([morsel.first, morsel.at])

    # ---- reading ----------------------------------------------------------------------------

    def _wants_more(self) -> bool:
        if not self._pending or self._source.position < max((e for _, e in self._next), default=0):
            return True
        length = self._stage.run_length()
        fits = self._workers.memory.fits(self._made_bytes * length // self._made)
        return fits and len(self._pending) < self._stage.window

    def _run_length(self) -> int:
        length = self._stage.run_length()
        if self.places is None:
            return length
        return self.places.run_length(self._source.position, length)

    def _read(self, length: int) -> None:
        """Read a run and have it worked on."""
        source = self._source
        before = source.state()
        try:
            if self._goes_past_gone():
                return
        except BaseException as error:
            self._failed = before, error
            return
        block = self._next_run(before, min(length, self._next_edge() - source.position))
        if block is None:
            return
        morsel = _Morsel(before, source.position - block.length, block)
        # What will come of it counts from now on, as far as it is known.
        made = self._made_bytes * block.length // self._made
        morsel.nbytes = max(morsel.nbytes, made)
        self._workers.memory.add(morsel.nbytes)
        self._submit(morsel, block)
        self._pending.append(morsel)

    def _next_run(self, before: State, length: int) -> Block | None:
        """Return up to ``length`` elements: fewer where it takes long to have more."""
        source, blocks, left = self._source, list[Block](), min(length, self._source.cap)
        until = perf_counter_ns() + _READ_NS
        try:
            while left and (not blocks or perf_counter_ns() < until):
                if blocks:
                    before = source.state()
                block = source.pull(left)
                if block is None:
                    self._over = True
                    break
                blocks.append(block)
                left -= block.length
        except BaseException as error:
            self._failed = before, error
        return Block.concat(blocks) if blocks else None

    def _submit(self, morsel: _Morsel, block: Block) -> None:
        work, stage, first = self._work, self._stage, morsel.at
        if self.begin is not None:
            morsel.task = self.begin(block, first)
            return

        offered = _NOTHING if self.places is None else self.places.offered(first, block.length)

        def do() -> Sequence[Piece]:
            with stage.timed(block.length, block.nbytes), offered:
                return work(block, first)

        morsel.task = self._workers.tasks.submit(do, stage.lane)

    def _goes_past_gone(self) -> bool:
        """Whether the next elements were handed on before the state was saved: not again."""
        at = self._source.position
        for first, stop in self._gone:
            if first <= at < stop:
                self._source.discard(stop - at)
                self._forget_gone()
                return True
        return False

    def _next_edge(self) -> int:
        """Return the next position at which a run must end."""
        at = self._source.position
        edges = (edge for run in (*self._gone, *self._next) for edge in run if edge > at)
        return min(edges, default=_ALL)

    def _forget_gone(self) -> None:
        """Forget what lies before everything that is still to come."""
        start = self._pending[0].at if self._pending else self._source.position
        self._gone = [run for run in self._gone if run[1] > start]

    # ---- places and states -----------------------------------------------------------------

    def skip(self, count: int) -> int:
        """Go past elements; those that nobody has begun to work on are not worked on."""
        skipped = 0
        while skipped < count:
            if self.is_empty:
                first = self._source.position
                gone = self._source.discard(count - skipped)
                if gone and not self._ordered:
                    self._log = self._log.add(first, first + gone)
                return skipped + gone
            if not self._read_ahead():
                break
            morsel = self._choose()
            skipped += self._drop(morsel, count - skipped)
        return skipped

    def _drop(self, morsel: _Morsel, most: int) -> int:
        """Go past up to ``most`` elements of a run; return how many there were."""
        before = morsel.used
        task, block = morsel.task, morsel.block
        if morsel.pieces is None and self._workers.tasks.drop(task):
            gone = min(most, block.length)
            self._pass(morsel, gone)
            if gone < block.length:
                morsel.block = rest = block.slice(gone, block.length)
                morsel.block_at = morsel.at
                self._submit(morsel, rest)
            else:
                self._remove(morsel)
            return gone
        self._take(morsel, most)
        return morsel.used - before

    def state(self) -> dict[str, Any]:
        """Return the state of the input and, out of order, what is gone beyond it."""
        if self._pending:
            head = self._pending[0]
            source = after(head.before, head.used)
        else:
            source = self._source.state() if self._failed is None else self._failed[0]
        state: dict[str, Any] = {"in": [source]}
        if not self._ordered or self._gone or self._next:
            partly = [[m.first, m.at] for m in self._pending if m.used and m is not head]
            state["gone"] = [*self._gone, *partly]
            state["then"] = self._log
        return state

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state that :meth:`state` returned, in order or not."""
        (source,) = state["in"]
        self._source.restore(source)
        self._gone = order_in(state.get("gone", ()))
        self._next = deque(order_in(state.get("then", ())))
        # What is gone lies beyond the source's place, or reading up to it would never end.
        at = count_in(source, "n")
        if any(not at <= first <= stop for first, stop in (*self._gone, *self._next)):
            raise CheckpointError("the state is damaged: elements that are gone lie before it.")

    def close(self) -> None:
        """Drop what is on its way; wait for what is being worked on."""
        tasks = self._workers.tasks
        for morsel in self._pending:
            tasks.drop(morsel.task)
        tasks.wait_until(lambda: all(morsel.task.is_done for morsel in self._pending))
        for morsel in self._pending:
            self._workers.memory.add(-morsel.nbytes)
        self._pending.clear()
