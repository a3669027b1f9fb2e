"""finalising: what nobody closed is closed by a thread that may wait.

Closing waits for threads and processes. Python may find out in any thread, between any two
lines, that something is garbage: that thread may hold a lock which those it would wait for need.

Dropped   with the last reference: closed at once, by whoever had it.
Garbage   found by a collection: closed as soon as that is over, when everything else that is
          garbage too was told, by a thread that holds nothing and then ends.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import _thread
import gc
import os
import sys
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from feedline.parallel.ending import Rank, at_end

__all__ = ["close_elsewhere", "finalise"]

Close = Callable[[], None]

# Its put() is one of the few things that may be called between any two lines.
_GARBAGE: SimpleQueue[Close] = SimpleQueue()
# What the present collection found. There is never more than one.
_found: list[Close] = []
_COLLECTING = threading.local()
_has_thread = False


def finalise(close: Close) -> None:
    """Close something that nobody refers to any more; called by ``__del__``."""
    if getattr(_COLLECTING, "here", False) and not sys.is_finalizing():
        _found.append(close)
    else:
        close()


def close_elsewhere(close: Close) -> None:
    """Have something closed by another thread, and do not wait for it."""
    global _has_thread
    _GARBAGE.put(close)
    if not _has_thread:
        _has_thread = True
        # Not threading's own start(): it takes a lock, which this very thread may hold.
        _thread.start_new_thread(_start, ())


def _start() -> None:
    threading.Thread(target=_close_garbage, name="feedline-closing", daemon=True).start()


def _close_garbage() -> None:
    """Close everything there is."""
    global _has_thread
    while True:
        try:
            close = _GARBAGE.get_nowait()
        except Empty:
            _has_thread = False
            if _GARBAGE.empty():  # looked at after that: nothing is left to nobody
                return
            _has_thread = True
            continue
        try:
            close()
        except Exception:
            thread = threading.current_thread()
            threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), thread)))
        finally:
            del close


def _note(phase: str, _: dict[str, int]) -> None:
    _COLLECTING.here = phase == "start"
    if phase == "stop":
        while _found:
            close_elsewhere(_found.pop(0))


def _forget_thread() -> None:
    global _has_thread
    _has_thread = False


gc.callbacks.append(_note)
at_end(Rank.GARBAGE, lambda _: _close_garbage())
os.register_at_fork(after_in_child=_forget_thread)
