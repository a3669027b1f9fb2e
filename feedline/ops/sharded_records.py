"""sharded_records: every n-th record of TFRecord files; the others are passed over.

No user asks for this step: the rule shard_into_records puts it in the place of a shard() of a
TFRecordDataset. Which records belong to a shard is known when those before them were counted, so
files are gone through from length to length; where an index of a file is at hand and records of
the shard lie far apart, nothing else is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Bytes
from feedline.engine.exec import Exec, State
from feedline.errors import CheckpointError, FeedlineError
from feedline.files import is_remote, open_seekable
from feedline.ids import Ids
from feedline.ops.file_source import name_of
from feedline.ops.shard import ShardAccess
from feedline.ops.tf_record_access import GAP, RecordsAccess
from feedline.plan.node import Traits, UnaryNode
from feedline.structure import LEAF
from feedline.tfrecord.index import Bounds, bounds_at_hand
from feedline.tfrecord.strided import StridedReader

if TYPE_CHECKING:
    from feedline.engine.access import Access
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.ops.tf_record_dataset import TFRecordDatasetNode

__all__ = ["ShardedRecords"]

# How many records of all shards are passed at once.
_RUN = 1 << 14
# Below this, to look for an index takes as long as to read the file.
_SHORTEST = 1 << 23


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class ShardedRecords(UnaryNode):
    """Every ``num_shards``-th record of the files that are the input, from ``index`` on."""

    num_shards: int
    index: int
    files: TFRecordDatasetNode = field(repr=False)

    traits: ClassVar[Traits] = Traits(rows="any")

    def lower(self, run: Run) -> ShardedRecordsExec:
        """Open one file after the other."""
        return ShardedRecordsExec(self, run.open(self.input), run)

    def access(self, run: Run) -> Access | None:
        """Look the records of the shard up."""
        inner = self.files.with_inputs([self.input]).access(run)
        return None if inner is None else ShardAccess(inner, self.num_shards, self.index)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """What the files declare."""
        return self.files.spec(inputs)


# ---- what runs -------------------------------------------------------------


class ShardedRecordsExec(Exec):
    """The file that is read now, and how many records came before it."""

    def __init__(self, node: ShardedRecords, names: Stream, run: Run) -> None:
        self.inputs = (names,)
        self._node = node
        self._run = run
        self._file: _File | None = None
        # How many records the files before this one have; and the state before its name was read.
        self._counted = 0
        self._before: State | None = None

    def pull(self, limit: int) -> Block | None:
        """Return the next records of the shard."""
        step = self._node.num_shards
        most = max(1, min(limit, _RUN // step))
        while (file := self._opened()) is not None:
            ahead = (self._node.index - self._counted - file.number) % step
            try:
                block = file.read(step, ahead, most)
            except Exception as error:
                error.add_note(f"in {self._node.files.place}")
                raise
            if block is not None:
                return block
            self._counted += file.number
            self._close_file()
        return None

    def _opened(self) -> _File | None:
        if self._file is None:
            names = self.inputs[0]
            before = names.state()
            block = names.pull(1)
            if block is None:
                return None
            self._before = before
            path = name_of(block.rows()[0], self._node.files.operator)
            parent = 0 if block.ids is None else int(block.ids[0])
            run = self._run.scoped(self._run.scope.nested(parent))
            self._file = _File(path, self._node, run)
        return self._file

    def _close_file(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def state(self) -> State:
        """Return the place in the file, and where its name is read again."""
        state: State = {"counted": self._counted}
        if self._file is not None:
            state["at"], state["record"] = self._file.at, self._file.number
            return {**state, "in": [self._before]}
        return {**state, "in": [self.inputs[0].state()]}

    def restore(self, state: State) -> None:
        """Open the file again."""
        super().restore(state)
        at, number, counted = state.get("at", 0), state.get("record", 0), state["counted"]
        if not all(type(n) is int and n >= 0 for n in (at, number, counted)):
            raise CheckpointError(f"the state is damaged: a place in a file is {at!r}.")
        self._counted = counted
        if "at" in state:
            file = self._opened()
            if file is None:
                raise CheckpointError("the file that was read when the state was saved is gone.")
            file.seek(at, number)

    def close(self) -> None:
        """Close the file."""
        super().close()
        self._close_file()


class _File:
    """The records of one file, of which every n-th is wanted."""

    def __init__(self, path: str, node: ShardedRecords, run: Run) -> None:
        files = node.files
        self._path = path
        self._run = run
        self._step = node.num_shards

        def replays(what: str) -> None:
            files.replayed.warn(f"{files.place}: {what}")

        self._reader = StridedReader(path, files.compression_type, files.buffer_size, replays)
        self._may_have_index = not files.compression_type and not is_remote(path)
        # Set where records are looked up: where they begin, and what reads them.
        self._bounds: Bounds | None = None
        self._access: RecordsAccess | None = None

    @property
    def at(self) -> int:
        """Where the next record begins."""
        return self._reader.at

    @property
    def number(self) -> int:
        """How many records came before."""
        return self._reader.number

    def seek(self, at: int, number: int) -> None:
        """Go to a record; called before the first read."""
        self._reader.seek(at, number)

    def read(self, step: int, ahead: int, most: int) -> Block | None:
        """Return records after ``ahead`` others and after every ``step`` from there."""
        if self._may_have_index:
            self._may_have_index = False
            self._look_for_index()
        if self._bounds is not None:
            block = self._looked_up(self._bounds, step, ahead, most)
            if block is not None or self._bounds is not None:
                return block
        found = self._reader.read_every(step, ahead, most)
        if found is None:
            return None
        data, offsets, numbers = found
        return Block(LEAF, (Bytes(data, offsets),), len(numbers), self._ids(numbers))

    def _look_for_index(self) -> None:
        # What is wrong with a file is said when it is read.
        try:
            with open_seekable(self._path) as file:
                if not file.is_seekable or file.size() < _SHORTEST:
                    return
                bounds = bounds_at_hand(file)
            if bounds is None or bounds[-1] * self._step < GAP * (len(bounds) - 1):
                return
            if not self._fits(bounds):
                return
            self._access = RecordsAccess([self._path], [self._run], 1)
            self._bounds = bounds
        except FeedlineError:
            return

    def _fits(self, bounds: Bounds) -> bool:
        number = self._reader.number
        return number < len(bounds) and bounds[number] == self._reader.at

    def _looked_up(self, bounds: Bounds, step: int, ahead: int, most: int) -> Block | None:
        count = len(bounds) - 1
        first = self._reader.number + ahead
        index = np.arange(first, min(first + most * step, count), step)
        stop = min(int(index[-1]) + 1, count) if len(index) else count
        try:
            block = self._access.gather(index) if self._access and len(index) else None
        except FeedlineError:
            # Damaged, or changed since: the reader says which record it is, and goes on after it.
            self._bounds = None
            self._close_access()
            return None
        self._reader.seek(int(bounds[stop]), stop)
        return block

    def _ids(self, numbers: NDArray[np.int64]) -> Ids | None:
        return self._run.scope.ids(numbers) if self._run.with_ids else None

    def _close_access(self) -> None:
        access, self._access = self._access, None
        if access is not None:
            access.close()

    def close(self) -> None:
        """Let go of the file."""
        self._reader.close()
        self._close_access()
