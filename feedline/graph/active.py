"""active: which recording the code that runs now belongs to.

Operations that get no symbol, such as printing a text, find the recording here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feedline.graph.trace import Trace

__all__ = ["active_trace", "recording"]

_ACTIVE: ContextVar[Trace | None] = ContextVar("feedline_active_trace", default=None)


def active_trace() -> Trace | None:
    """Return the recording that is being made in this thread, None outside of any."""
    return _ACTIVE.get()


@contextmanager
def recording(trace: Trace | None) -> Iterator[None]:
    """Let what runs inside belong to ``trace``; to none if that is None."""
    token = _ACTIVE.set(trace)
    try:
        yield
    finally:
        _ACTIVE.reset(token)
