"""ending: what becomes of running pipelines when the program ends.

Threads of the program that are daemons may be reading at that moment, and go on until Python
stops them. They must not see that what they read is taken apart.

Readers     are kept out of every iterator: whoever asks for more waits until the process is gone.
            One that is in the middle of a block has a second to get it.
Processes   are ended, whatever they do.
Loops       are stopped, and threads: those that have not ended after two seconds are left alone.
Iterators   are closed, unless somebody is still in the middle of one.
Garbage     that was found in the last moment is closed.
No thread is started. If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Callable
from enum import IntEnum
from time import monotonic
from typing import Any, TypeVar

__all__ = ["Rank", "at_end", "hold_if_ending", "members", "watch"]

_READERS_S = 1.0
_ENDING_S = 2.0

T = TypeVar("T")


class Rank(IntEnum):
    """In which order things end."""

    PROCESSES = 0
    LOOPS = 1
    THREADS = 2
    ITERATORS = 3
    GARBAGE = 4


KeepOut = Callable[[Any, float], bool]
"""Lets nobody read any more; returns whether nobody does within some seconds."""
End = Callable[[Any], None]
"""Closes something, without waiting."""

_ENDS: list[tuple[Rank, Callable[[float], None]]] = []
_READ: weakref.WeakKeyDictionary[Any, tuple[KeepOut, End]] = weakref.WeakKeyDictionary()
# The thread that ends the program, once it does.
_ender: int | None = None


def at_end(rank: Rank, end: Callable[[float], None]) -> None:
    """Have something ended with the program; it is told until when it may wait."""
    _ENDS.append((rank, end))


def watch(read: Any, keep_out: KeepOut, end: End) -> None:
    """Have an iterator closed with the program."""
    _READ[read] = keep_out, end


def hold_if_ending() -> None:
    """Stop the thread that calls this for good if another one is ending the program."""
    if _ender is not None and _ender != threading.get_ident():
        threading.Event().wait()


def members(found: weakref.WeakSet[T]) -> list[T]:
    """Return what is in a set that other threads may be adding to."""
    refs = tuple(found.data)  # type: ignore[attr-defined]  # in one step, unlike iterating
    return [member for ref in refs if (member := ref()) is not None]


@atexit.register
def _end() -> None:
    global _ender
    _ender = threading.get_ident()
    deadline = monotonic() + _READERS_S
    unread: list[tuple[Any, End]] = []
    for ref, (keep_out, close) in tuple(_READ.data.items()):  # type: ignore[attr-defined]
        read = ref()
        if read is not None and keep_out(read, max(0.0, deadline - monotonic())):
            unread.append((read, close))
        del read
    at_end(Rank.ITERATORS, lambda _: _close(unread))
    deadline = monotonic() + _ENDING_S
    for _, end in sorted(_ENDS, key=lambda pair: pair[0]):
        end(deadline)


def _close(unread: list[tuple[Any, End]]) -> None:
    while unread:
        read, close = unread.pop()
        close(read)


# The threads that read are those of the other process.
os.register_at_fork(after_in_child=_READ.clear)
