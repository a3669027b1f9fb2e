"""progress: a line on the terminal that says how far something is. Loaded when one is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

__all__ = ["shown"]


@contextmanager
def shown(what: str, total: int | None) -> Iterator[Callable[[int, str], None]]:
    """Give a function to say how many were done, and a word on them; the line is on stderr."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total, note="")

        def say(done: int, note: str) -> None:
            progress.update(task, completed=done, note=note)

        yield say
