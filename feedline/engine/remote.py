"""remote: a user's function applied to runs of elements in other processes.

Done        the pieces come back as if they had been made here.
Died        the process ended in the middle of a run: by a signal, or because the function
            ended it. Every element of the run fails with an error that says so; or, if
            ``restarts``, each is worked on once more, alone, in another process, and
            only those fail that end that one too.
Unsendable  the function cannot be sent: an error that says why, before anything is run.
            An element, or its result, cannot: that element fails. Where only loading a result
            shows it, the elements of the run are worked on again, one by one.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from feedline.block import Block
from feedline.engine.mapped import Mapper
from feedline.errors import NotSendableError, RemoteError, WorkerError
from feedline.parallel.channel import Packed
from feedline.parallel.failure import Failure
from feedline.parallel.worker import Died, Thing, Unloadable, Unsendable

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

    def __call__(self, block: Block, first: int, key: int, floating_errors: Any) -> _Made:
        """Return what comes of a run, and how long it took."""
        started = perf_counter_ns()
        with np.errstate(**floating_errors):
            pieces = Mapper(self._function, key)(block, first)
        made = [Failure.of(piece) if isinstance(piece, Exception) else piece for piece in pieces]
        return _Made(made, perf_counter_ns() - started, first, self._function.place)


@dataclass(frozen=True, slots=True)
class _Made:
    """What came of a run, on its way back."""

    pieces: list[Block | Failure]
    elapsed_ns: int
    first: int
    place: str

    def sendable(self) -> _Made:
        """Return the same with a failure for every element whose result cannot be pickled."""
        pieces: list[Block | Failure] = []
        for piece in self.pieces:
            for row in [piece] if isinstance(piece, Failure) else _rows(piece):
                pieces.append(self._sendable(row, self.first + len(pieces)))
        return replace(self, pieces=pieces)

    def _sendable(self, row: Block | Failure, position: int) -> Block | Failure:
        try:
            Packed.of(row)
        except Exception as error:
            return Failure.of(_unsendable(self.place, position, f"{type(error).__name__}: {error}"))
        return row


def _rows(block: Block) -> list[Block]:
    return [block.slice(number, number + 1) for number in range(block.length)]


def _unsendable(place: str, position: int, why: str) -> RemoteError:
    return RemoteError(
        f"{place}: element {position}, or its result, cannot be sent from one process to another: "
        f'{why}. Set Options.executor = "threads".'
    )


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
        except Unsendable as error:
            if block.length == 1:
                return [_unsendable(self.mapper.function.place, first, str(error))]
            return [piece for n in range(block.length) for piece in self._alone(block, first, n)]
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

    def _alone(self, block: Block, first: int, number: int) -> list[Piece]:
        return self(block.slice(number, number + 1), first + number)

    def _sent(self, thing: Thing, block: Block, first: int) -> list[Piece]:
        errors = np.geterr()
        with self.processes.lease(self.stage.width) as worker:
            try:
                made: _Made = worker.call(thing, block, first, self.mapper.key, errors)
            except Unloadable as error:
                raise NotSendableError(
                    f"{self.mapper.function.place}: the function cannot be made again in another "
                    f"process: {error}. {_REMEDY}"
                ) from error
        nbytes = sum(piece.nbytes for piece in made.pieces if isinstance(piece, Block))
        self.stage.ran_elsewhere(block.length, max(block.nbytes, nbytes), made.elapsed_ns)
        return [cast("Exception", m.error()) if isinstance(m, Failure) else m for m in made.pieces]

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
