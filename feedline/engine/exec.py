"""Exec: one running operator. Blocks in, blocks out, state that can be saved.

The engine, not the operator, owns threads, timing, cancellation and the order of
checkpoints. An Exec is called by one thread at a time.

pull(limit)  returns 1 to ``limit`` elements (more are allowed: the stream keeps the rest),
             or None when there are no more, then and at every later call.
             It must not read more of its inputs than what it returns needs.
state()      describes the position after everything returned so far: counters and the
             states of the inputs, never elements. JSON-able, and not changed afterwards.
restore()    is called on a fresh Exec, before the first pull.
An exception out of pull() leaves the Exec after the element that failed: the next pull
goes on with the next element. If the code disagrees, the code is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from feedline.errors import CheckpointError

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.access import Access
    from feedline.engine.stream import Stream
    from feedline.places import Places

__all__ = ["Exec", "State", "UnaryExec", "after", "count_in"]

State = dict[str, Any]

# How many elements are made at once only to be dropped.
_RUN = 256
# More elements than any iteration comes to.
_MOST = 1 << 62


def after(state: State, used: int) -> State:
    """Return the state of a stream ``used`` elements further on."""
    if not used:
        return state
    return {**state, "n": state["n"] + used, "skip": state.get("skip", 0) + used}


def count_in(state: State, name: str, most: int = _MOST, missing: int | None = None) -> int:
    """Return a number that a state holds, or raise CheckpointError: states may be damaged.

    Args:
        state: Whose number it is.
        name: What it is called there.
        most: It is 0 or more, and at most this.
        missing: What stands for one that is not there.
    """
    found = state.get(name, missing) if isinstance(state, dict) else None
    if type(found) is not int or not 0 <= found <= most:
        raise CheckpointError(
            f"the state is damaged: {name!r} is {found!r:.40}, which must be a number from 0 to "
            f"{most}. Give load_state_dict() exactly what state_dict() returned."
        )
    return found


class Exec:
    """Base of all physical operators.

    The state of one that ``is_transparent`` is that of its one input, elements used of a
    block included: nothing shows that it is there.
    """

    inputs: tuple[Stream, ...] = ()
    is_transparent: ClassVar[bool] = False

    def pull(self, limit: int) -> Block | None:
        """Return the next elements, or None at the end."""
        raise NotImplementedError

    def skip(self, count: int) -> int:
        """Go past up to ``count`` elements as cheaply as possible; return how many there were.

        Overridden only where there is a cheaper way than to make them: otherwise the stream
        does this itself, and keeps what a pull returns beyond ``count``.
        """
        skipped = 0
        while skipped < count:
            block = self.pull(min(count - skipped, _RUN))
            if block is None:
                break
            skipped += len(block)
        return skipped

    def at_hand(self) -> Access | None:
        """Return the elements of this pass by position, if all of them are there already."""
        return None

    def offer_places(self, places: Places) -> None:
        """Learn where results will lie, to write them there at once; most copy them."""

    @property
    def reads_ahead(self) -> bool:
        """Whether this has what comes next read meanwhile, without being told to."""
        return False

    def group_by(self, size: int, turns: int = 1) -> None:
        """Learn that so many elements each become one: runs of whole groups need no copy.

        ``turns`` is how many operators are read in turn, this one among them.
        """

    def counters(self) -> State:
        """Return what this operator itself must remember, besides its inputs."""
        return {}

    def resume(self, counters: State) -> None:
        """Take back what :meth:`counters` returned."""

    def state(self) -> State:
        """Return everything needed to continue from here."""
        state = self.counters()
        if self.inputs:
            state["in"] = [stream.state() for stream in self.inputs]
        return state

    def restore(self, state: State) -> None:
        """Continue from a state returned by :meth:`state`."""
        for stream, saved in zip(self.inputs, state.get("in", ()), strict=True):
            stream.restore(saved)
        self.resume(state)

    def close(self) -> None:
        """Free what is held; nothing is pulled afterwards."""
        for stream in self.inputs:
            stream.close()


class UnaryExec(Exec):
    """An operator with one input."""

    def __init__(self, stream: Stream) -> None:
        self.input = stream
        self.inputs = (stream,)
