"""save_tfrecord: write all elements to TFRecord files of a convenient size."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.block import Block
from feedline.column import Bytes
from feedline.engine.function import Function, given_function
from feedline.errors import BuildTypeError, CheckpointError, check_at_least
from feedline.ops.arguments import check_flag
from feedline.site import caller_site
from feedline.tfrecord.options import TFRecordOptions
from feedline.tfrecord.writer import as_record

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.iterator import Iterator as Elements
    from feedline.tfrecord.shards import ShardWriter

__all__ = ["save_tfrecord"]

_CALL = "save_tfrecord()"
# How many bytes may wait to be compressed and written.
_WAITING = 1 << 24

Mark = dict[str, Any]
"""Where a run comes from: a state, how many elements after it, and how many came before."""


# ---- what the user calls ---------------------------------------------------


def save_tfrecord(
    self: Dataset[Any],
    path: str | os.PathLike[str],
    serialize: Callable[..., Any] | None = None,
    *,
    shard_bytes: int = 150_000_000,
    options: TFRecordOptions | str | None = None,
    overwrite: bool = False,
    resume: bool = False,
    progress: bool | None = None,
) -> list[str]:
    """Write all elements to files ``path-00000-of-00008.tfrecord`` and so on; return their names.

    The files appear when all are complete: until then, and if anything fails, nothing changes.
    They are compressed and written by a thread of their own while the next elements are made.

    Args:
        path: The beginning of the names; the folder must be there.
        serialize: Makes bytes of an element, or a message with SerializeToString(). Elements
            that are bytes need none.
        shard_bytes: How long a file becomes, about.
        options: TFRecordOptions, or only the compression: "GZIP", "ZLIB", or None for none.
        overwrite: Replace the files of an earlier call with the same path.
        resume: If this call is stopped by a failure, by Ctrl-C or with its process, keep the
            files that are complete in a hidden folder beside ``path``; and begin where such a
            call with the same path was stopped. The dataset, ``serialize`` and the settings must
            be the same: all but ``serialize`` is checked.
        progress: Show how far it is; by default if stderr is a terminal.

    Example:
        >>> import os, tempfile
        >>> import feedline as tf
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ds = tf.data.Dataset.range(3)
        ...     files = ds.save_tfrecord(f"{folder}/numbers", lambda x: b"%d" % x)
        ...     print(*map(os.path.basename, files))
        ...     list(tf.data.TFRecordDataset(files))
        numbers-00000-of-00001.tfrecord
        [b'0', b'1', b'2']
    """
    if not isinstance(path, str | os.PathLike):
        raise BuildTypeError(f"{_CALL}: path must be str or os.PathLike, got {path!r}.")
    if serialize is not None:
        serialize = given_function(_CALL, "serialize", serialize)
    size = check_at_least(_CALL, "shard_bytes", shard_bytes, 1)
    if not isinstance(options, TFRecordOptions):
        options = TFRecordOptions(options)
    shows = sys.stderr.isatty() if progress is None else check_flag(_CALL, "progress", progress)
    keeps = check_flag(_CALL, "resume", resume)
    records = _Records(serialize)
    count = self.cardinality()
    with (
        _shards(os.fspath(path), size, options, overwrite, keeps) as out,
        iter(self) as elements,
        _progress(shows, count if count >= 0 else None) as say,
    ):
        if not out.is_complete:
            _write_all(_runs(elements, out.last_mark, keeps), records, out, say)
        return out.publish()


# ---- what runs -------------------------------------------------------------


def _write_all(
    runs: Iterator[tuple[Block, Mark]],
    records: _Records,
    out: ShardWriter,
    say: Callable[[int, str], None],
) -> None:
    """Make records in this thread, and have them written by another."""
    with import_module("feedline.files.behind").Behind(_WAITING, "feedline-save") as behind:
        try:
            for block, mark in runs:
                column = records.of(block, mark["done"])
                size = int(column.offsets[-1] - column.offsets[0])
                behind.put(partial(out.add_run, column.data, column.offsets, mark), size)
                say(mark["done"] + block.length, f"{out.num_shards} files")
        except BaseException:
            if out.keeps:  # what was made up to here need not be made again
                with suppress(Exception):
                    behind.finish()
            raise
        behind.finish()


def _runs(
    elements: Elements[Any], last: tuple[Mark, int] | None, keeps: bool
) -> Iterator[tuple[Block, Mark]]:
    """Yield the elements that are not in complete files yet, and where each run comes from."""
    done = passed = 0
    if last is not None:
        mark, used = last
        try:
            elements.load_state_dict(mark["state"])
        except CheckpointError as error:
            error.add_note(
                f"{_CALL} cannot go on where an earlier call was stopped. Give overwrite=True "
                "without resume=True to begin anew."
            )
            raise
        passed, done = mark["passed"] + used, mark["done"] + used
    for block in elements.blocks():
        # A state points before the run that came last.
        state = elements.state_dict() if keeps else None
        if passed < block.length:
            mark = {"state": state, "passed": passed, "done": done}
            yield block.slice(passed, block.length), mark
            done += block.length - passed
        passed = max(0, passed - block.length)


class _Records:
    """Makes records of elements."""

    def __init__(self, serialize: Callable[..., Any] | None) -> None:
        called = getattr(serialize, "__name__", type(serialize).__name__)
        place = f"save_tfrecord({called}) called at {caller_site()}"
        self._function = None if serialize is None else Function(serialize, place)

    def of(self, block: Block, first: int) -> Bytes:
        if self._function is None:
            if len(block.columns) == 1 and block.structure.is_leaf:
                column = block.columns[0]
                if isinstance(column, Bytes):
                    return column
            return _joined(block.rows(), first)
        calls = self._function.each(block, first, 0)
        if calls.error is not None:
            raise calls.error
        return _joined([_serialized(result) for result in calls.results], first)


def _serialized(result: Any) -> Any:
    serialize = getattr(result, "SerializeToString", None)
    return result if serialize is None else serialize()


def _joined(rows: list[Any], first: int) -> Bytes:
    records = []
    for number, row in enumerate(rows):
        try:
            records.append(as_record(row, _CALL))
        except BuildTypeError as error:
            error.add_note(f"element {first + number}; serialize= makes bytes of elements")
            raise
    offsets = np.zeros(len(records) + 1, np.int64)
    np.cumsum([len(record) for record in records], out=offsets[1:])
    return Bytes(np.frombuffer(b"".join(records), np.uint8), offsets)


def _shards(
    path: str, size: int, options: TFRecordOptions, overwrite: bool, resume: bool
) -> ShardWriter:
    may = check_flag(_CALL, "overwrite", overwrite)
    # What makes temporary folders takes long to load, and most pipelines write nothing.
    writer: ShardWriter = import_module("feedline.tfrecord.shards").ShardWriter(
        path, size, options, may, resume
    )
    return writer


def _say_nothing(done: int, note: str) -> None:
    """Stand in for the line on the terminal."""


@contextmanager
def _progress(shows: bool, total: int | None) -> Iterator[Callable[[int, str], None]]:
    if not shows:
        yield _say_nothing
        return
    # rich is loaded when there is something to show.
    with import_module("feedline.files.progress").shown("save_tfrecord", total) as say:
        yield say
