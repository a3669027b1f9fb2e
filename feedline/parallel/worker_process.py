"""worker_process: what a process does that was started to work on elements.

It is sent things that can be called, keeps them, and calls them when asked to. It ends when
the process that started it hangs up or ends, also in the middle of a call.

KEEP      a thing, under a name; there is no answer. One that cannot be loaded is an answer
          to every call of it.
FORGET    a thing that is not called any more.
CALL      a thing with arguments; the answer is DONE, FAILED, UNREADABLE (the arguments
          cannot be loaded) or UNLOADABLE. A result that cannot be pickled, and can say what
          of it can, is asked for that.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from typing import Any

from feedline.kernel_threads import allow_kernel_threads
from feedline.parallel.channel import Channel, Gone, Packed
from feedline.parallel.failure import Failure
from feedline.parallel.heap import keep_freed

__all__ = ["CALL", "DONE", "FAILED", "FORGET", "KEEP", "UNLOADABLE", "UNREADABLE", "main"]

KEEP, FORGET, CALL = "keep", "forget", "call"
DONE, FAILED, UNREADABLE, UNLOADABLE = "done", "failed", "unreadable", "unloadable"

# How long a call may go on after the other process has hung up.
_GRACE_S = 1.0
_LOOK_EVERY_MS = 5_000
_SWITCH_S = 0.001


def main(fd: int) -> None:
    """Serve whoever holds the other end of a socket, until they hang up."""
    # The process that iterates decides what Ctrl-C means. A handler, unlike SIG_IGN, is not
    # handed on to programs that a function starts.
    signal.signal(signal.SIGINT, lambda *_: None)
    # A thread that answers must not wait for one that computes.
    sys.setswitchinterval(_SWITCH_S)
    allow_kernel_threads(1)
    keep_freed()
    channel = Channel(socket.socket(fileno=fd))
    threading.Thread(target=_watch, args=(fd, os.getppid()), daemon=True).start()
    with suppress(Gone):
        _serve(channel)
    atexit._run_exitfuncs()  # noqa: SLF001
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(0)  # taking an interpreter apart takes longer than all of the above


def _watch(fd: int, parent: int) -> None:
    """End this process if the other has gone, whatever it is doing."""
    poll = select.poll()
    poll.register(fd, 0)  # hanging up is always told
    while not poll.poll(_LOOK_EVERY_MS) and os.getppid() == parent:
        pass
    time.sleep(_GRACE_S)
    os._exit(1)


def _serve(channel: Channel) -> None:
    things: dict[bytes, Any] = {}
    while True:
        kind, name = channel.receive().load()
        if kind == FORGET:
            things.pop(name, None)
        elif kind == KEEP:
            things[name] = _loaded(channel.receive())
        else:
            channel.send(_answer(things[name], channel.receive()))


def _loaded(packed: Packed) -> Any:
    try:
        return packed.load()
    except BaseException as error:
        return Failure.of(error)


def _answer(thing: Any, packed: Packed) -> Packed:
    if isinstance(thing, Failure):
        return Packed.of((UNLOADABLE, thing))
    try:
        args = packed.load()
    except Exception as error:
        return Packed.of((UNREADABLE, Failure.of(error)))
    try:
        value = thing(*args)
        try:
            return Packed.of((DONE, value))
        except Exception:
            if not hasattr(value, "sendable"):
                raise
            return Packed.of((DONE, value.sendable()))
    except BaseException as error:
        return Packed.of((FAILED, Failure.of(error)))
