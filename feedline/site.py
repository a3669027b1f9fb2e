"""site: the line of the user's program that built a node or could not be traced."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

import numpy as np

__all__ = ["Site", "caller_site", "is_inside", "raised_by_us"]

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_NUMPY = os.path.dirname(os.path.abspath(np.__file__)) + os.sep


@dataclass(frozen=True, slots=True)
class Site:
    """A file and a line."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{os.path.basename(self.file)}:{self.line}"


def caller_site() -> Site:
    """Return the innermost line on the stack that is neither Feedline's own nor NumPy's."""
    frame = sys._getframe(1)  # noqa: SLF001  (inspect.stack() takes a thousand times as long)
    while frame.f_back is not None and _is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return Site(frame.f_code.co_filename, frame.f_lineno)


def raised_by_us(error: BaseException) -> bool:
    """Whether an exception was raised by a line of Feedline, not of the user or another library."""
    step = error.__traceback__
    if step is None:
        return False
    while step.tb_next is not None:
        step = step.tb_next
    return is_inside(step.tb_frame.f_code.co_filename)


def is_inside(file: str) -> bool:
    """Whether a file is one of Feedline's own."""
    return file.startswith(_PACKAGE)


def _is_ours(file: str) -> bool:
    # "<string>" is where dataclasses make the __init__ of a node.
    return file == "<string>" or file.startswith((_PACKAGE, _NUMPY))
