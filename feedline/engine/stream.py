"""Stream: the engine's hold on a running operator, and what its consumer reads from.

A stream hands out elements in runs of any size asked for, counts and times them, and
knows its state after any element: not only where its operator stopped, but also in the
middle of a block, as the operator's state before that block and the number of elements
of it that were used.

Position   counts the elements handed out since the iteration began, resumes included.
Failed     an exception passes through; the stream stays usable, after the element that failed.
Stuck      the work of a restore() failed, and its operator is neither here nor there: every pull
           raises, and the state is still the one to continue from, to be given to a fresh stream.
Closed     nothing is held; a pull() raises. If the code disagrees, the code is wrong.
"""

from __future__ import annotations

from time import perf_counter_ns
from typing import TYPE_CHECKING

from feedline.block import Block
from feedline.engine.block_size import BlockSize
from feedline.engine.exec import Exec, after, count_in
from feedline.errors import CheckpointError, FeedlineError

if TYPE_CHECKING:
    from feedline.engine.access import Access
    from feedline.engine.exec import State
    from feedline.engine.meter import Meter
    from feedline.places import Places

__all__ = ["Stream"]


class Stream:
    """The output of one operator."""

    __slots__ = (
        "_before",
        "_cap",
        "_ended",
        "_exec",
        "_held",
        "_late",
        "_memo",
        "_stuck",
        "_target",
        "_used",
        "meter",
        "position",
    )

    def __init__(self, operator: Exec, cap: int, meter: Meter) -> None:
        self._exec = operator
        self._cap = cap
        self.meter = meter
        self.position = 0
        # The block handed out last, how much of it is used, and the operator's state before it.
        self._held: Block | None = None
        self._used = 0
        self._before: State = {}
        # The state at the present position, if it was asked for already.
        self._memo: State | None = None
        # Where to continue from, if that is still to be done.
        self._target: State | None = None
        # What that failed with: it is not tried again, as only a fresh operator can be restored.
        self._stuck: str | None = None
        # What fill() failed with: raised when the element that failed is asked for.
        self._late: Exception | None = None
        # Whether the operator has no more: asking it again would ask all below it again, and
        # every one of them that asks twice would double that.
        self._ended = False

    @property
    def cap(self) -> int:
        """How many elements are handed out at once at most."""
        return self._cap

    @property
    def buffered(self) -> int:
        """How many elements can be handed out without running the operator."""
        return 0 if self._held is None else self._held.length - self._used

    def pull(self, limit: int, ahead: int = 0) -> Block | None:
        """Return the next 1 to ``limit`` elements, or None at the end.

        ``ahead`` lets the operator make more than that at once; the stream keeps the rest.
        """
        if self._target is not None:
            self._catch_up()
        held, used = self._held, self._used
        if held is None or used >= held.length:
            if self._late is not None:
                self._raise_late()
            held, used = self._next_block(max(limit, ahead)), 0
            if held is None:
                return None
        stop = min(used + limit, used + self._cap, held.length)
        self._held, self._used, self._memo = held, stop, None
        self.position += stop - used
        return held.slice(used, stop)

    def offer_places(self, places: Places) -> None:
        """Tell the operator where its results will lie."""
        self._exec.offer_places(places)

    @property
    def reads_ahead(self) -> bool:
        """Whether the operator has what comes next read meanwhile."""
        return self._exec.reads_ahead

    def group_by(self, size: int, turns: int = 1) -> None:
        """Tell the operator how many elements become one, and how many are read in turn."""
        self._exec.group_by(size, turns)

    def _next_block(self, limit: int) -> Block | None:
        if self._ended:
            return None
        self._before = self.state()
        self._held = self._memo = None
        meter = self.meter
        started = perf_counter_ns()
        try:
            block = self._exec.pull(min(limit, self._cap))
        finally:
            meter.busy_ns += perf_counter_ns() - started
        if block is None:
            self._ended = True
        else:
            meter.num_blocks += 1
            meter.num_elements += block.length
        return block

    def fill(self, limit: int) -> None:
        """Have elements in hand for the pulls to come.

        If that fails, the pull that needs them raises, and a state saved meanwhile points
        before the element that failed.
        """
        if self.buffered or self._late is not None:
            return
        before = self.state()
        try:
            if self._target is not None:
                self._catch_up()
            block = self._next_block(limit)
        except Exception as error:
            self._late, self._memo = error, before
            return
        if block is not None:
            self._held, self._used = block, 0

    @property
    def is_at_end(self) -> bool:
        """Whether fill() has found nothing more, not even a failure."""
        return not self.buffered and self._late is None

    def _raise_late(self) -> None:
        error, self._late, self._memo = self._late, None, None
        assert error is not None
        try:
            raise error
        finally:
            del error  # its traceback holds this frame

    def read(self, count: int) -> Block | None:
        """Return exactly ``count`` elements, fewer only at the end, None if there are none."""
        block = self.pull(count)
        if block is None or block.length == count:
            return block
        blocks, length = [block], block.length
        while length < count:
            block = self.pull(count - length)
            if block is None:
                break
            blocks.append(block)
            length += block.length
        return Block.concat(blocks)

    def give_back(self, count: int) -> None:
        """Undo the handing out of the last ``count`` elements of the last pull."""
        self._used -= count
        self.position -= count
        self._memo = None

    def discard(self, count: int) -> int:
        """Go past up to ``count`` elements as cheaply as possible; return how many there were."""
        if self._target is not None:
            self._catch_up()
        gone = 0
        if self._held is not None:
            gone = min(count, self._held.length - self._used)
            self._used += gone
        self._memo = None
        self.position += gone
        if gone < count:
            if self._late is not None:
                self._raise_late()
            self._held = None
            gone += self._skip(count - gone)
        return gone

    def _skip(self, count: int) -> int:
        """Let the operator go past elements; what it makes beyond them is held."""
        if type(self._exec).skip is not Exec.skip:
            gone = self._exec.skip(count)
            self.position += gone
            self._memo = None
            return gone
        # In blocks of bounded size: they are made only to be dropped.
        size, gone = BlockSize(), 0
        while gone < count:
            started = perf_counter_ns()
            block = self._next_block(min(count - gone, size.now))
            if block is None:
                break
            size.adapt(block, perf_counter_ns() - started)
            self._held, self._used, self._memo = block, min(block.length, count - gone), None
            self.position += self._used
            gone += self._used
        return gone

    def at_hand(self) -> Access | None:
        """Return the elements of this pass by position, if all of them are there already."""
        if self._target is not None:
            self._catch_up()
        return self._exec.at_hand()

    def state(self) -> State:
        """Return where this stream is: what restore() needs to continue from here."""
        if self._memo is None:
            if self._held is not None and self._used < self._held.length:
                self._memo = after(self._before, self._used)
            else:
                self._memo = self._exec.state()
                self._memo["n"] = self.position
        return self._memo

    def restore(self, state: State) -> None:
        """Continue from ``state``. The work this takes is done at the next pull."""
        self._held = self._late = None
        self._ended = False
        self.position = count_in(state, "n")
        self._memo = self._target = state

    def _catch_up(self) -> None:
        state = self._target
        assert state is not None
        if self._stuck is not None:
            raise CheckpointError(
                f"the iteration could not be resumed: {self._stuck}. "
                "Give the state to load_state_dict() again when that is mended."
            )
        self._target = self._memo = None
        try:
            self._restore(state)
        except Exception as error:
            # Its text alone: a traceback holds frames, and they hold this.
            self._stuck = f"{type(error).__name__}: {error}"
            self._held = None
            self._memo = self._target = state
            self.position = int(state["n"])
            raise

    def _restore(self, state: State) -> None:
        try:
            self._exec.restore(state)
        except (FeedlineError, OSError):
            raise
        except Exception as error:
            if hasattr(error, "__notes__"):
                raise  # a user's function failed while elements were read again
            raise CheckpointError(
                f"the state is damaged: {type(error).__name__}: {error}. "
                "Give load_state_dict() exactly what state_dict() returned."
            ) from error
        skip = 0 if self._exec.is_transparent else count_in(state, "skip", self.position, 0)
        if skip:
            self.position -= skip
            if (gone := self._skip(skip)) < skip:
                raise CheckpointError(
                    f"the input ends after {self.position} elements, but "
                    f"{self.position - gone + skip} were read when the state was saved."
                )

    def close(self) -> None:
        """Free what is held."""
        self._held = None
        self._exec.close()
