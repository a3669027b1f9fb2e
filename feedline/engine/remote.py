"""remote: a user's function applied to runs of elements in other processes.

Done        the pieces come back as if they had been made here.
Died        the process ended in the middle of a run: by a signal, or because the function
            ended it. Every element of the run fails with an error that says so; or, if
            ``restarts``, each is worked on once more, alone, in another process, and
            only those fail that end that one too.
Unsendable  the function cannot be sent: an error that says why, before anything is run.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from feedline.block import Block
from feedline.engine.mapped import Mapper
from feedline.errors import NotSendableError, WorkerError
from feedline.parallel.failure import Failure
from feedline.parallel.worker import Died, Thing, Unloadable

if TYPE_CHECKING:
    from feedline.engine.function import Function
    from feedline.engine.morsels import Piece
    from feedline.parallel.processes import Processes
    from feedline.parallel.stage import Stage

__all__ = ["Remote"]


class _Calls:
    """What runs in the other process: the function, and which warnings are shown."""

    def __init__(self, function: Function, filters: list[Any]) -> None:
        self._function = function
        self._filters = filters

    def __reduce__(self) -> Any:
        return _calls_there, (self._function, self._filters)

    def __call__(
        self, block: Block, first: int, key: int, floating_errors: Any
    ) -> tuple[list[Block | Failure], int]:
        """Return what comes of a run, and how long it took."""
        started = perf_counter_ns()
        with np.errstate(**floating_errors):
            pieces = Mapper(self._function, key)(block, first)
        made = [Failure.of(piece) if isinstance(piece, Exception) else piece for piece in pieces]
        return made, perf_counter_ns() - started


def _calls_there(function: Function, filters: list[Any]) -> _Calls:
    warnings.resetwarnings()
    cast("list[Any]", warnings.filters).extend(filters)
    return _Calls(function, filters)


@dataclass(slots=True)
class Remote:
    """Work that is done by processes.

    Args:
        mapper: The work.
        processes: Who does it.
        stage: How many of them.
        restarts: Whether a process that died is replaced, and its elements worked on again.
    """

    mapper: Mapper
    processes: Processes
    stage: Stage
    restarts: bool
    _thing: Thing | None = None

    def __call__(self, block: Block, first: int) -> list[Piece]:
        """Return what comes of a run of elements, the first of which is at ``first``."""
        thing = self._thing
        if thing is None:  # threads may do this at the same moment, to the same end
            thing = self._thing = self._sendable()
        try:
            return self._sent(thing, block, first)
        except Died as died:
            how = str(died)
        if not self.restarts:
            return self._failed(block, first, how)
        pieces: list[Piece] = []
        for number in range(block.length):
            one = block.slice(number, number + 1)
            try:
                pieces += self._sent(thing, one, first + number)
            except Died as died:
                pieces += self._failed(one, first + number, f"{died}, twice")
        return pieces

    def _sent(self, thing: Thing, block: Block, first: int) -> list[Piece]:
        errors = np.geterr()
        with self.processes.lease(self.stage.width) as worker:
            try:
                made, elapsed = worker.call(thing, block, first, self.mapper.key, errors)
            except Unloadable as error:
                raise NotSendableError(
                    f"{self.mapper.function.place}: the function cannot be made again in another "
                    f"process: {error}. {_REMEDY}"
                ) from error
        nbytes = sum(piece.nbytes for piece in made if isinstance(piece, Block))
        self.stage.ran_elsewhere(block.length, max(block.nbytes, nbytes), elapsed)
        return [cast("Exception", m.error()) if isinstance(m, Failure) else m for m in made]

    def _sendable(self) -> Thing:
        function = self.mapper.function
        try:
            return Thing(_Calls(function, _plain_filters()))
        except Exception as error:
            raise NotSendableError(
                f"{function.place}: the function, or something it refers to, cannot be sent to "
                f"another process: {type(error).__name__}: {error}. {_REMEDY}"
            ) from error

    def _failed(self, block: Block, first: int, how: str) -> list[Piece]:
        last = first + block.length - 1
        which = f"element {first}" if last == first else f"elements {first} to {last}"
        pieces: list[Piece] = []
        for element in range(first, last + 1):
            error = WorkerError(
                f"the process that worked on {which} {how}. "
                "Options.restart_workers = True has elements worked on again, one by one."
                if not self.restarts
                else f"the process that worked on {which} {how}."
            )
            self.mapper.function.note(error, element)
            pieces.append(error)
        return pieces


_REMEDY = (
    "Make what cannot be sent (open files, locks, connections) inside the function, or set "
    'Options.executor = "threads".'
)


def _plain_filters() -> list[Any]:
    """Return which warnings are shown: of Python's own kinds, which are the same anywhere."""
    return [item for item in warnings.filters if item[2].__module__ == "builtins"]
