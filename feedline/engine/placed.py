"""Placed: work on runs of elements, done where the stage says: here, or in other processes.

Where the user named an executor, that is it, and a function that cannot go there is an error.
Otherwise a function goes to other processes only if nobody would notice: it is called here
for one more run, and stays for good if that changed anything it refers to. It comes back for
good if elements, results or exceptions turn out to be such that they cannot be sent.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

from feedline.errors import NotSendableError, RemoteError

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.mapped import Mapper
    from feedline.engine.morsels import Piece, Work
    from feedline.parallel.stage import Stage
    from feedline.parallel.workers import Workers

__all__ = ["Placed"]

# What a process takes that has loaded NumPy and has a few arrays in hand.
_PROCESS_BYTES = 64 << 20


@dataclass(slots=True)
class Placed:
    """The work of one map.

    Args:
        mapper: The work.
        stage: Where it is done.
        workers: Who has the processes.
        restarts: Whether a process that died is replaced, and its elements worked on again.
    """

    mapper: Mapper
    stage: Stage
    workers: Workers
    restarts: bool
    _remote: Work | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, block: Block, first: int) -> list[Piece]:
        """Return what comes of a run of elements, the first of which is at ``first``."""
        if self.stage.executor != "processes":
            pieces = self.mapper(block, first)
            self._see_what_it_is()
            return pieces
        remote = self._remote
        if remote is None:
            with self._lock:
                remote = self._remote
                if remote is None and self._may_stay:
                    return self._last_run_here(block, first)
                if remote is None:
                    remote = self._remote = self._made()
        try:
            pieces = remote(block, first)
            # Not WorkerError: what ends a process would end this one.
            lost = next((piece for piece in pieces if type(piece) is RemoteError), None)
            if lost is None or not self._may_stay:
                return pieces
            self.stage.stay(str(lost))
        except NotSendableError as error:
            if not self._may_stay:
                raise
            self.stage.stay(str(error))
        return self.mapper(block, first)

    def _see_what_it_is(self) -> None:
        """Leave a function in threads that does not hold the lock of the interpreter."""
        vectorizer = self.mapper.function.vectorizer
        if vectorizer is None or not self._may_stay or "processes" not in self.stage.choices:
            return
        if vectorizer.is_native:
            self.stage.stay("it runs on whole blocks, without the lock of the interpreter")

    @property
    def _may_stay(self) -> bool:
        return len(self.stage.choices) > 1

    def _made(self) -> Work:
        # Imported only now: most pipelines need none of it.
        remote = import_module("feedline.engine.remote").Remote
        self.workers.memory.add(self.stage.width * _PROCESS_BYTES)
        made: Work = remote(self.mapper, self.workers.processes, self.stage, self.restarts)
        return made

    def _last_run_here(self, block: Block, first: int) -> list[Piece]:
        """Work on a run here, and see whether the function may go."""
        kind = import_module("feedline.parallel.elsewhere").Elsewhere
        function = kind(self.mapper.function.fn)
        reason: str | None = function.why_not()
        pieces = self.mapper(block, first)
        reason = reason or function.why_not()
        if reason is None:
            self._remote = self._made()
        else:
            self.stage.stay(reason)
        return pieces
