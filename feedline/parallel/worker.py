"""WorkerProcess: a process that calls things for this one."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections import OrderedDict
from contextlib import suppress
from time import monotonic
from typing import Any

from feedline.errors import RemoteError
from feedline.parallel.channel import Channel, Gone, Packed
from feedline.parallel.failure import Failure
from feedline.parallel.worker_process import CALL, DONE, FORGET, KEEP, UNLOADABLE, UNREADABLE

__all__ = [
    "Died",
    "Thing",
    "Unloadable",
    "Unsendable",
    "WorkerProcess",
    "current_folder",
    "end_all",
]

# No import of the user's script: it needs no guard around what it does.
_BEGIN = (
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); fd = int(sys.argv[1]); "
    "del sys.argv[1:]; from feedline.parallel.worker_process import main; main(fd)"
)
_THREADS_OF_LIBRARIES = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"),
    *("VECLIB_MAXIMUM_THREADS", "BLIS_NUM_THREADS"),
)
_MOST_THINGS = 16
_GRACE_S = 1.0


class Died(Exception):  # noqa: N818  (never reaches a user)
    """The process has ended in the middle of a call. The text says how."""


class Unloadable(RemoteError):  # noqa: N818  (never reaches a user)
    """What was sent cannot be made again in another process."""


class Unsendable(RemoteError):  # noqa: N818  (never reaches a user)
    """Arguments, or what came of them, cannot go from one process to the other."""


class Thing:
    """Something to call in other processes, pickled once."""

    def __init__(self, value: Any) -> None:
        self.packed = Packed.of(value)
        self.name = self.packed.digest


class WorkerProcess:
    """One process. Used by one thread at a time."""

    def __init__(self, threads: int) -> None:
        ours, theirs = socket.socketpair()
        path = [os.path.abspath(entry) if entry == "" else entry for entry in sys.path]
        flags: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]  # noqa: SLF001
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, *flags, "-c", _BEGIN, str(theirs.fileno()), json.dumps(path)],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                process_group=0,  # a terminal's Ctrl-C is for the process that iterates
                env={
                    **os.environ,
                    **dict.fromkeys(_THREADS_OF_LIBRARIES, str(threads)),
                },
            )
        self._channel = Channel(ours)
        self._things: OrderedDict[bytes, None] = OrderedDict()
        # In a fork of this process it is somebody else's.
        self._owner = os.getpid()
        self.folder = current_folder()
        self.idle_since = 0.0
        self.is_usable = True
        _ALIVE.add(self)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def call(self, thing: Thing, *args: Any) -> Any:
        """Return what the thing returns in the process; raises what it raises there.

        Raises Died if the process has ended, Unsendable if the arguments or the result cannot
        be pickled here and loaded there. After any other BaseException than those that
        come out of the thing, the process cannot be used any more: see :attr:`is_usable`.
        """
        if not self.is_ours:
            raise Died("belongs to the process that this one was forked from")
        try:
            packed = Packed.of(args)
        except Exception as error:
            raise Unsendable(f"{type(error).__name__}: {error}") from error
        self.is_usable = False
        try:
            self._keep(thing)
            self._channel.send(Packed.of((CALL, thing.name)))
            self._channel.send(packed)
            answer = self._channel.receive()
        except Gone:
            raise Died(self._how_it_ended()) from None
        self.is_usable = True
        try:
            kind, value = answer.load()
        except Exception as error:
            raise Unsendable(f"{type(error).__name__}: {error}") from error
        if kind == DONE:
            return value
        assert isinstance(value, Failure)
        if kind == UNLOADABLE:
            raise Unloadable(f"{value.kind}: {value.message}") from value.error()
        if kind == UNREADABLE:
            raise Unsendable(f"{value.kind}: {value.message}") from value.error()
        raise value.error()

    def _keep(self, thing: Thing) -> None:
        """Send a thing, unless the process has it."""
        if thing.name in self._things:
            self._things.move_to_end(thing.name)
            return
        if len(self._things) >= _MOST_THINGS:
            oldest, _ = self._things.popitem(last=False)
            self._channel.send(Packed.of((FORGET, oldest)))
        self._channel.send(Packed.of((KEEP, thing.name)))
        self._channel.send(thing.packed)
        self._things[thing.name] = None

    # ---- ending -------------------------------------------------------------------------

    @property
    def is_ours(self) -> bool:
        """Whether this process started it."""
        return self._owner == os.getpid()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def _how_it_ended(self) -> str:
        """Wait for the end and say what it was."""
        try:
            code = self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            return "hung up"
        if code >= 0:
            return f"ended with exit code {code}"
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
        return f"was ended by signal {-code}"

    def hang_up(self) -> None:
        """Let it end by itself."""
        self._channel.hang_up()

    def kill(self) -> None:
        """End it now. Whoever waits for it finds that it died."""
        self._process.kill()

    def wait(self, seconds: float) -> None:
        """Wait for its end; if that takes longer, kill it."""
        try:
            self._process.wait(max(seconds, 0))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._channel.close()
        _ALIVE.discard(self)

    def forsake(self) -> None:
        """Close this end of what is not ours."""
        self._process.returncode = 0  # nothing to wait for
        self._channel.close()
        _ALIVE.discard(self)


# Not garbage before they were ended: otherwise sockets and processes would go in any order.
_ALIVE: set[WorkerProcess] = set()


def end_all(workers: list[WorkerProcess]) -> None:
    """End processes: politely, and after a second otherwise. None of them is being used."""
    for worker in workers:
        worker.hang_up()
    deadline = monotonic() + _GRACE_S
    for worker in workers:
        worker.wait(deadline - monotonic())


def current_folder() -> str | None:
    """Return the folder that relative paths are looked up in, if there is one."""
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return None
