"""awaiting: async functions, called on the elements of a stream side by side.

Waiting   read from the input; as many calls as may are running.
Running   on the event loop, in the context of whoever opened the pipeline.
Done      with a piece: a block of one element, or what the call failed with.
Closed    calls that were running are cancelled and have ended; others never begin.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import contextvars
from collections import deque
from collections.abc import Callable
from functools import partial
from importlib import import_module
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from feedline.engine.mapped import Mapper, lists_as_tuples
from feedline.graph.drawing import drawing_for
from feedline.ids import generators_for
from feedline.parallel.event_loop import EventLoop, begun

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.morsels import Piece
    from feedline.parallel.tasks import Task, Tasks
    from feedline.parallel.waiting_stage import WaitingStage

__all__ = ["Awaited", "AwaitingCalls"]


_Promise = Callable[[list[Any]], None]
"""Told of the pieces of an element: by the pool that somebody waits in, closed or not."""


class Awaited:
    """An async function as one that returns its result, one call at a time."""

    def __init__(self, fn: Callable[..., Any], loop: Callable[[], EventLoop] | None = None) -> None:
        self._fn = fn
        self._loop = loop
        self.__name__ = getattr(fn, "__name__", type(fn).__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the coroutine returns."""
        make = partial(self._fn, *args, **kwargs)
        if self._loop is not None:
            return self._loop().run(make)
        loop = EventLoop()  # only for a look
        try:
            return loop.run(make)
        finally:
            loop.close()


class AwaitingCalls:
    """The calls of one map.

    Args:
        mapper: The function, which is async, and the key of what it draws.
        loop: Where it runs.
        tasks: Who is told when a call is done.
        stage: How many calls may run at once.
    """

    def __init__(
        self,
        mapper: Mapper,
        loop: Callable[[], EventLoop],
        tasks: Callable[[], Tasks],
        stage: WaitingStage,
    ) -> None:
        self._mapper = mapper
        self._loop = loop
        self._tasks = tasks
        self._stage = stage
        self._context = contextvars.copy_context()
        # Handed over to the thread of the loop, which is told once for several.
        self._inbox: deque[tuple[Block, int, _Promise]] = deque()
        self._told = False
        # Touched in the thread of the loop alone.
        self._waiting: deque[tuple[Block, int, _Promise]] = deque()
        self._running: dict[Any, _Promise] = {}
        # The loop that is used now.
        self._used: EventLoop | None = None

    def begin(self, block: Block, first: int) -> Task:
        """Have an element worked on; return what its pieces can be waited for with."""
        tasks, loop = self._tasks(), self._loop()
        if loop is not self._used:
            self._used = loop
            loop.at_end(self._cancel)
        task = tasks.promise(self._stage.lane)
        promise = partial(tasks.fulfil, task)
        self._inbox.append((block, first, promise))
        if not self._told:
            self._told = True
            if not loop.call_soon(self._take_in):
                promise([])
        return task

    def _take_in(self) -> None:
        self._told = False
        while self._inbox:
            self._waiting.append(self._inbox.popleft())
        self._go_on()

    def _go_on(self) -> None:
        while self._waiting and len(self._running) < self._stage.width:
            block, first, promise = self._waiting.popleft()
            make = partial(self._call, block, first)
            running = begun(make, self._context.copy())
            self._running[running] = promise
            running.add_done_callback(partial(self._done, perf_counter_ns(), block.nbytes))

    def _done(self, started: int, nbytes: int, running: Any) -> None:
        promise = self._running.pop(running)
        if running.cancelled():
            promise([])
        else:
            promise(running.result())
            self._stage.done(1, nbytes, perf_counter_ns() - started)
        self._go_on()

    async def _call(self, block: Block, first: int) -> list[Piece]:
        pieces: list[Piece] = []
        for number in range(block.length):
            one = block.slice(number, number + 1)
            pieces += await self._piece(one, first + number)
        return pieces

    async def _piece(self, one: Block, position: int) -> list[Piece]:
        function = self._mapper.function
        try:
            result = await self._result(one)
        except Exception as error:
            function.note(error, position)
            return [error]
        return self._mapper.pieces_of(lists_as_tuples([result]), one, position)

    async def _result(self, one: Block) -> Any:
        retry = self._mapper.function.retry
        attempts = 1 if retry is None else 1 + retry.retries
        for attempt in range(attempts):
            try:
                return await self._attempt(one)
            except Exception as error:
                if retry is None or attempt + 1 == attempts:
                    if retry is not None:
                        error.add_note(f"called {attempts} times")
                    raise
            await import_module("asyncio").sleep(retry.wait * 2**attempt)
        raise AssertionError("a call returns or raises")

    async def _attempt(self, one: Block) -> Any:
        asyncio = import_module("asyncio")
        function, key = self._mapper.function, self._mapper.key
        todo = iter(one.private_elements())
        given: dict[str, Any] = {}
        if function.wants_rng:
            assert one.ids is not None
            given["rng"] = next(iter(generators_for(key, one.ids)))
        with drawing_for(one.ids, key, todo, function.place):
            element = next(todo)
            args = element if one.structure.is_tuple else (element,)
            try:
                return await function.fn(*args, **given)
            except asyncio.CancelledError as error:
                if asyncio.current_task().cancelling():
                    raise
                raise RuntimeError("the function was cancelled") from error

    def close(self) -> None:
        """Cancel what is running; what has not begun never does."""
        if self._used is not None:
            self._used.call_soon(self._cancel)

    def _cancel(self) -> None:
        self._waiting.extend(self._inbox)
        self._inbox.clear()
        while self._waiting:
            *_, promise = self._waiting.popleft()
            promise([])
        for running in self._running:
            running.cancel()
