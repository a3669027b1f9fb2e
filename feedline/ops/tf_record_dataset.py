"""tf_record_dataset: the records of TFRecord files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.block import Block
from feedline.buffers import Buffers
from feedline.column import Bytes
from feedline.engine.exec import Exec, State
from feedline.errors import CheckpointError
from feedline.files import compression_named
from feedline.ops.file_source import (
    FileSourceNode,
    check_buffer_size,
    check_parallel_reads,
    names_node,
)
from feedline.ops.tf_record_access import RecordsAccess, records_access
from feedline.spec import TensorSpec, string
from feedline.structure import LEAF
from feedline.tfrecord.reader import RUNS_AHEAD, WINDOW, RecordReader, reads_ahead

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["TFRecordDatasetNode", "tf_record_dataset"]

_CALL = "TFRecordDataset()"
# A call costs as much as some records.
_FEWEST = 32
# Of each open file windows that are being filled, those that are ready, and those in hand.
_MOST_WINDOWS = 64
# What is kept for the next file.
_SPARE_WINDOWS = 8


def _window_memory() -> Buffers:
    """Return memory for windows that is used again, by the next file and the next iteration."""
    return Buffers(most=_MOST_WINDOWS, spare=_SPARE_WINDOWS)


# ---- what the user calls ---------------------------------------------------


def tf_record_dataset(
    filenames: Any,
    compression_type: str | None = None,
    buffer_size: int | None = None,
    num_parallel_reads: int | None = None,
    name: str | None = None,
) -> TFRecordDatasetNode:
    """Return the plan of ``feedline.data.TFRecordDataset``, which says what the arguments are."""
    return TFRecordDatasetNode(
        names_node(_CALL, filenames),
        compression_named(compression_type, _CALL),
        check_buffer_size(_CALL, buffer_size, WINDOW),
        cycle_length=check_parallel_reads(_CALL, num_parallel_reads),
        name=name,
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class TFRecordDatasetNode(FileSourceNode):
    """The records of files."""

    compression_type: str
    buffer_size: int = field(repr=False, compare=False)

    def reader(self, path: str, run: Run) -> TFRecordExec:
        """Read one file through a window."""
        return TFRecordExec(self, path, run)

    def reads_ahead(self, path: str) -> bool:
        """Files of this machine that are not compressed."""
        return reads_ahead(path, self.compression_type)

    def access(self, run: Run) -> RecordsAccess | None:
        """Look records up in an index, which takes a pass over the files to make."""
        if self.compression_type or not run.at_any_cost:
            return None
        return records_access(self, run)

    def spec(self, inputs: Sequence[Any]) -> TensorSpec:
        """A string."""
        return TensorSpec((), string)


# ---- what runs -------------------------------------------------------------


class TFRecordExec(Exec):
    """The records of one file."""

    def __init__(self, node: TFRecordDatasetNode, path: str, run: Run) -> None:
        self._node = node
        self._run = run
        workers = run.workers
        # Where memory is rationed, what is not used is not kept.
        memory = None if workers.is_rationed else workers.kept("windows", _window_memory)
        self._reader = RecordReader(
            path, node.compression_type, node.buffer_size, self._replays, memory
        )

    def _replays(self, what: str) -> None:
        self._node.replayed.warn(f"{self._node.place}: {what}")

    @property
    def reads_ahead(self) -> bool:
        """If all of such files do."""
        return self._node.reads_ahead(self._reader.path)

    def group_by(self, size: int, turns: int = 1) -> None:
        """Have whole groups read, if they are not too long."""
        self._reader.group = size
        # Where others are read meanwhile one run each is enough.
        self._reader.runs_ahead = RUNS_AHEAD if turns == 1 else 1

    def pull(self, limit: int) -> Block | None:
        """Return the next records, all in one buffer."""
        first = self._reader.number
        try:
            found = self._reader.read(max(limit, _FEWEST))
        except Exception as error:
            error.add_note(f"in {self._node.place}")
            raise
        if found is None:
            return None
        count = self._reader.number - first
        ids = None
        if self._run.with_ids:
            ids = self._run.scope.ids(np.arange(first, first + count))
        return Block(LEAF, (Bytes(*found),), count, ids)

    def skip(self, count: int) -> int:
        """Go from length to length."""
        return self._reader.skip(count)

    def counters(self) -> State:
        """Return the place in the file."""
        return {"at": self._reader.at, "record": self._reader.number}

    def resume(self, counters: State) -> None:
        """Go there, before the next record is read."""
        at, number = counters["at"], counters["record"]
        if type(at) is not int or type(number) is not int or min(at, number) < 0:
            raise CheckpointError(f"the state is damaged: a place in a file is {at!r}.")
        self._reader.seek(at, number)

    def close(self) -> None:
        """Close the file."""
        self._reader.close()
