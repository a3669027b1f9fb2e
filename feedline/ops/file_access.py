"""file_access: elements of files by index, where it is known how many every file has.

A file opened for its elements is closed when others are read, so that thousands of files need
no more than a few of them open at once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.engine.access import Access
from feedline.engine.exec import Exec, State
from feedline.errors import CheckpointError
from feedline.files.read_once import is_stream
from feedline.ops.file_source import name_of

if TYPE_CHECKING:
    from feedline.engine.run import Run
    from feedline.ops.file_source import FileSourceNode

__all__ = ["FileAccess", "FileCursorExec", "FilesAccess", "files_access", "runs_of"]

_MOST_OPEN = 16

Opener = Callable[[str, "Run"], "FileAccess"]


class FileAccess(Access):
    """The elements of one file."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @abstractmethod
    def elements(self, start: int, stop: int) -> Block:
        """Return some consecutive elements, without ids."""

    def run_end(self, start: int, stop: int) -> int:
        """Return where a run from ``start`` to ``stop`` at most should end to be read cheaply."""
        return stop

    def read_ahead(self, at: int) -> None:
        """Begin to read what follows upon an element, where that takes long."""

    def elements_at(self, index: NDArray[np.int64]) -> Block:
        """Return elements anywhere, without ids."""
        if not len(index):
            return self.elements(0, 0)
        sought, places = np.unique(index, return_inverse=True)
        parts = [self.elements(start, stop) for start, stop in runs_of(sought)]
        return Block.concat(parts).take(places)

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return the elements at ``index``."""
        return self._with_ids(self.elements_at(index), index)

    def run(self, start: int, stop: int) -> Block:
        """Return some consecutive elements."""
        return self._with_ids(self.elements(start, stop), np.arange(start, stop))

    def _with_ids(self, block: Block, index: NDArray[np.int64]) -> Block:
        return replace(block, ids=self._run.scope.ids(index)) if self._run.with_ids else block

    def close(self) -> None:
        """Let go of the file."""


def runs_of(index: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return the runs of consecutive numbers in a rising array, as (first, last + 1).

    Example:
        >>> runs_of(np.array([1, 2, 3, 7]))
        [(1, 4), (7, 8)]
    """
    parts = np.split(index, np.flatnonzero(np.diff(index) != 1) + 1)
    return [(int(part[0]), int(part[-1]) + 1) for part in parts if len(part)]


class FileCursorExec(Exec):
    """Reads one file from the front to the end. Seeks for free."""

    def __init__(self, opener: Opener, node: FileSourceNode, path: str, run: Run) -> None:
        self._open = opener
        self._node = node
        self._path = path
        self._run = run
        self._access: FileAccess | None = None
        self._at = 0
        self._ended = False
        self._was_pulled = False

    def _opened(self) -> FileAccess | None:
        if self._access is None and not self._ended:
            # Set first: if this fails, it is the end, and not to be tried for ever.
            self._ended = True
            try:
                self._access = self._open(self._path, self._run)
                if self._at > len(self._access):
                    raise CheckpointError(
                        f"{self._path}: the file has {len(self._access)} elements, but {self._at} "
                        "were read when the state was saved. It must be the same file."
                    )
            except Exception as error:
                error.add_note(f"in {self._node.place}")
                self._close_file()
                raise
            self._ended = False
        return self._access

    def pull(self, limit: int) -> Block | None:
        """Return the next run."""
        access = self._opened()
        if access is None:
            return None
        start, stop = self._at, min(self._at + limit, len(access))
        if start == stop:
            self.close()
            return None
        stop = self._at = access.run_end(start, stop)
        # Whoever wants one element only, to look at it, wants nothing of what follows.
        if self._was_pulled or limit > 1:
            access.read_ahead(start)
        self._was_pulled = True
        return access.run(start, stop)

    def skip(self, count: int) -> int:
        """Move the cursor."""
        access = self._opened()
        length = self._at if access is None else len(access)
        start, self._at = self._at, min(self._at + count, length)
        return self._at - start

    def counters(self) -> State:
        """Return the cursor."""
        return {"at": self._at}

    def resume(self, counters: State) -> None:
        """Set the cursor."""
        at = counters["at"]
        if type(at) is not int or at < 0:
            raise CheckpointError(f"the state is damaged: a place in a file is {at!r}.")
        self._at = at

    def _close_file(self) -> None:
        access, self._access = self._access, None
        if access is not None:
            access.close()

    def close(self) -> None:
        """Close the file."""
        self._ended = True
        self._close_file()


def files_access(node: FileSourceNode, run: Run, opener: Opener) -> FilesAccess | None:
    """Return the elements of all files by index, or None if they are taken in turn, or piped."""
    names = node.input.access(run)
    if names is None or (node.cycle_length > 1 and len(names) > 1):
        return None
    block = names.run(0, len(names))
    ids = [0] * len(names) if block.ids is None else block.ids.tolist()
    paths = [name_of(name, node.operator) for name in block.rows()]
    if any(map(is_stream, paths)):
        return None
    runs = [run.scoped(run.scope.nested(parent)) for parent in ids]
    return FilesAccess(list(zip(paths, runs, strict=True)), opener)


class FilesAccess(Access):
    """The elements of several files, one file after the other."""

    def __init__(self, files: list[tuple[str, Run]], opener: Opener) -> None:
        self._files = files
        self._open = opener
        self._opened: OrderedDict[int, FileAccess] = OrderedDict()
        lengths = [len(self._file(number)) for number in range(len(files))]
        self._starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])

    def __len__(self) -> int:
        return int(self._starts[-1])

    def _file(self, number: int) -> FileAccess:
        access = self._opened.get(number)
        if access is None:
            access = self._opened[number] = self._open(*self._files[number])
            if len(self._opened) > _MOST_OPEN:
                self._opened.popitem(last=False)[1].close()
        self._opened.move_to_end(number)
        return access

    def gather(self, index: NDArray[np.int64]) -> Block:
        """Return the elements at ``index``, file by file."""
        if not len(index):
            return self._file(0).gather(index)
        owners = np.searchsorted(self._starts, index, side="right") - 1
        parts: list[Any] = []
        order: list[NDArray[np.int64]] = []
        for number in np.unique(owners).tolist():
            places = np.flatnonzero(owners == number)
            parts.append(self._file(number).gather(index[places] - self._starts[number]))
            order.append(places)
        block = Block.concat(parts)
        if len(parts) == 1:
            return block
        return block.take(np.argsort(np.concatenate(order), kind="stable"))

    def run(self, start: int, stop: int) -> Block:
        """Return consecutive elements, of one file where they are all in it."""
        if start < stop:
            number = int(np.searchsorted(self._starts, start, side="right")) - 1
            first = int(self._starts[number])
            if stop <= self._starts[number + 1]:
                return self._file(number).run(start - first, stop - first)
        return super().run(start, stop)
