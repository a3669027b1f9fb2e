"""feedline.autograph: there is none. Python's ``if`` and ``for`` are never rewritten."""

from __future__ import annotations

from feedline.autograph import experimental
from feedline.errors import check_at_least
from feedline.namespace import open_namespace

__all__ = ["experimental", "set_verbosity"]


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:  # noqa: ARG001
    """Say how much is told about functions that are rewritten: nothing, as none is.

    Args:
        level: 0 or more.
        alsologtostdout: Where it would be told.
    """
    check_at_least("set_verbosity()", "level", level, 0)


open_namespace(globals())
