"""untraceable: why a function cannot be recorded, and the line that says so."""

from __future__ import annotations

from typing import NoReturn

from feedline.site import Site, caller_site

__all__ = ["Untraceable", "refuse"]


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


def refuse(reason: str) -> NoReturn:
    """Give up recording: the user's line that was reached goes into the message."""
    raise Untraceable(reason, caller_site())
