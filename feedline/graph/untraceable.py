"""untraceable: why a function cannot be recorded, and the line that says so."""

from __future__ import annotations

import threading
from typing import NoReturn

from feedline.site import Site, caller_site

__all__ = ["Untraceable", "last_refusal", "refuse"]


class Untraceable(BaseException):  # noqa: N818
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
