"""AheadExec: pulls its input ahead of whoever reads it, in other threads.

The elements, and the states between them, are those of the input: nothing shows that this
operator is there. A task pulls until there is no room; taking a block makes room again.
Where there is to be no room at all, the input is pulled when it is asked for, in the same thread.

Idle      no task; the next pull, or room, starts one.
Pulling   one task, in one thread, pulls the input: never two at once.
Failed    the exception waits its turn among the blocks. Nothing is pulled until it is raised.
Over      the input has ended. Nothing is pulled any more.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TYPE_CHECKING, ClassVar

from feedline.block import Block
from feedline.engine.block_size import BlockSize
from feedline.engine.exec import UnaryExec, after

if TYPE_CHECKING:
    from feedline.engine.access import Access
    from feedline.engine.exec import State
    from feedline.engine.stream import Stream
    from feedline.parallel.room import Room
    from feedline.parallel.tasks import Lane, Task
    from feedline.parallel.workers import Workers

__all__ = ["AheadExec"]


@dataclass(frozen=True, slots=True)
class _Item:
    """What one pull gave, and the state after it."""

    outcome: Block | BaseException | None
    after: State


class AheadExec(UnaryExec):
    """The elements of the input, some of them ready."""

    is_transparent: ClassVar[bool] = True

    def __init__(
        self, stream: Stream, workers: Workers, room: Room, lane: Lane | None = None
    ) -> None:
        super().__init__(stream)
        self._workers = workers
        self._room = room
        self._lane = lane
        self._size = BlockSize()
        # Appended to by whoever pulls, taken from by whoever reads.
        self._items: deque[_Item] = deque()
        self._task: Task | None = None
        # Whether that task pulls, or will: it decides to stop, and others to start one, under a
        # lock, or both could leave it to the other.
        self._pulling = False
        self._deciding = threading.Lock()
        # The state after what was taken last, once anything was pulled ahead.
        self._after: State | None = None
        self._over = self._closed = False

    def pull(self, limit: int) -> Block | None:
        """Return what is ready, or make it."""
        if self._is_idle and not self._room.is_open:
            self._after = None
            return self.input.pull(limit)
        if not self._items:
            self._make_ready(limit)
        item = self._items.popleft()
        self._after = item.after
        if isinstance(item.outcome, BaseException):
            try:
                raise item.outcome
            finally:
                del item  # the traceback holds this frame
        if item.outcome is None:
            self._items.append(item)
        else:
            self._room.leave(item.outcome)
            self._go_on()
        return item.outcome

    def start(self) -> None:
        """Begin to pull, though nobody has asked yet."""
        self._after = self.input.state()
        self._go_on()

    @property
    def is_started(self) -> bool:
        """Whether anything was pulled ahead."""
        return self._after is not None

    @property
    def is_ready(self) -> bool:
        """Whether a pull would return at once."""
        return bool(self._items)

    @property
    def _is_idle(self) -> bool:
        return not self._items and not self._pulling

    def _make_ready(self, limit: int) -> None:
        """Wait for the task that pulls; if there is none, or it has not begun, pull here."""
        started = perf_counter_ns()
        self._stop_unless_begun()
        if self._pulling:
            self._workers.tasks.wait_until(lambda: bool(self._items) or not self._pulling)
        if not self._items:
            self._pull_one(limit)
        self._room.waited(perf_counter_ns() - started)

    def _go_on(self) -> None:
        """Have a task pull, if there is room and none does."""
        with self._deciding:
            if self._pulling or not self._has_room():
                return
            self._pulling = True
        self._task = self._workers.tasks.submit(self._pull_while_room, self._lane)

    def _stop_unless_begun(self) -> None:
        """Forget the task that pulls, if nobody has begun to do it."""
        if self._task is not None and self._workers.tasks.drop(self._task):
            self._task, self._pulling = None, False

    def _goes_on(self) -> bool:
        with self._deciding:
            self._pulling = self._has_room()
            return self._pulling

    def _has_room(self) -> bool:
        if self._over or self._closed or self._workers.is_closing:
            return False
        items = self._items
        if items and isinstance(items[-1].outcome, BaseException):
            return False
        return self._room.is_open

    def _pull_while_room(self) -> None:
        try:
            while self._goes_on():
                self._pull_one(self._room.most_elements)
                self._workers.tasks.announce()
        finally:
            self._pulling = False
            self._workers.tasks.announce()

    def _pull_one(self, limit: int) -> None:
        started = perf_counter_ns()
        outcome: Block | BaseException | None
        try:
            with self._room.making():
                outcome = self.input.pull(max(1, min(limit, self._size.now)))
        except BaseException as error:
            outcome = error
        if isinstance(outcome, Block):
            self._size.adapt(outcome, perf_counter_ns() - started)
            self._room.enter(outcome)
        self._over = outcome is None
        self._items.append(_Item(outcome, self.input.state()))
        del outcome  # the traceback of a failure holds this frame

    def skip(self, count: int) -> int:
        """Let the input skip, unless some of it is ready."""
        if self._is_idle:
            self._after = None
            return self.input.discard(count)
        skipped = 0
        while skipped < count:
            before = self.state()
            block = self.pull(count - skipped)
            if block is None:
                break
            if block.length > count - skipped:
                self._put_back(block, before, count - skipped)
                return count
            skipped += block.length
        return skipped

    def _put_back(self, block: Block, before: State, used: int) -> None:
        """Make ready again what comes after the first ``used`` elements of a block."""
        rest = block.slice(used, block.length)
        self._items.appendleft(_Item(rest, self.state()))
        self._room.enter(rest)
        self._after = after(before, used)

    def at_hand(self) -> Access | None:
        """What the input has, as long as nothing was read."""
        return self.input.at_hand() if self._is_idle and self._after is None else None

    def state(self) -> State:
        """Return the state of the input after what was read of it."""
        return self.input.state() if self._after is None else self._after

    def restore(self, state: State) -> None:
        """Let the input continue."""
        self.input.restore(state)

    def close(self) -> None:
        """Stop pulling and drop what is ready."""
        self._closed = True
        self._stop_unless_begun()
        task = self._task
        if task is not None:
            self._workers.tasks.wait_until(lambda: task.is_done)
        for item in self._items:
            if isinstance(item.outcome, Block):
                self._room.leave(item.outcome)
        self._items.clear()
        super().close()
