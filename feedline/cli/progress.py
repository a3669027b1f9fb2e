"""progress: lines on the terminal that say how far a command is. Nothing where there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["bytes_shown", "shown"]


@contextmanager
def shown(what: str, total: float | None, unit: str = "bytes") -> Iterator[Callable[[float], None]]:
    """Give a function to say how much is done. The line is on stderr, and goes away at the end."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    amount = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), amount, Remaining())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.update(task, completed=done)


@contextmanager
def bytes_shown(path: str) -> Iterator[Callable[[float], None]]:
    """Do so for the bytes of a file; how many there will be is not known if it is compressed."""
    from feedline.files import open_seekable
    from feedline.tools.record_report import compression_of

    with open_seekable(path) as file:
        total = None if compression_of(file.read(0, 12)) else file.size()
    with shown(path, total) as say:
        yield say
