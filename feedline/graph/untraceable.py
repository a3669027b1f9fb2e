"""untraceable: why a function cannot be recorded, and the line that says so."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from feedline.site import Site, caller_site

__all__ = ["Untraceable", "last_refusal", "refuse", "warnings_kept"]


class Untraceable(BaseException):
    """A function does what a recording cannot hold.

    Not an Exception, so that ``except Exception`` in the function does not hide it.
    """

    def __init__(self, reason: str, site: Site | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.site = site

    def __str__(self) -> str:
        return self.reason if self.site is None else f"{self.reason} ({self.site})"


class _Last(threading.local):
    refusal: Untraceable | None = None


_LAST = _Last()


def refuse(reason: str) -> NoReturn:
    """Give up recording: the user's line that was reached goes into the message."""
    _LAST.refusal = Untraceable(reason, caller_site())
    raise Untraceable(reason, _LAST.refusal.site)


def last_refusal() -> Untraceable | None:
    """Return the last refusal in this thread and forget it.

    A bare ``except:`` in a function can hide that it was refused something.
    """
    found, _LAST.refusal = _LAST.refusal, None
    return found


_KEEPING = threading.RLock()


@contextmanager
def warnings_kept() -> Iterator[list[str]]:
    """Keep what this thread warns of from being shown, and yield the texts.

    Filters stay as they are: what is ignored is ignored, what is an error is raised. What
    other threads warn of is shown.
    """
    kept: list[str] = []
    ours = threading.get_ident()
    with _KEEPING:
        shown = warnings.showwarning

        def keep(message: Any, *rest: Any, **more: Any) -> None:
            if threading.get_ident() == ours:
                kept.append(str(message))
            else:
                shown(message, *rest, **more)

        warnings.showwarning = keep
        try:
            yield kept
        finally:
            if warnings.showwarning is keep:
                warnings.showwarning = shown
