"""tf_record_access: records of TFRecord files by index.

Where records begin is known for all files at once, which takes 8 bytes for each of them. Records
that lie close together are read together, and every record that is handed out was checked.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Bytes
from feedline.engine.access import Access
from feedline.files import File, open_seekable
from feedline.ids import Ids
from feedline.kernels.tfrecord_records import tfrecord_check, tfrecord_records
from feedline.ops.file_source import name_of
from feedline.ops.turns import Turns
from feedline.structure import LEAF
from feedline.tfrecord.damage import Place
from feedline.tfrecord.index import kept_bounds

if TYPE_CHECKING:
    from feedline.engine.run import Run
    from feedline.ops.tf_record_dataset import TFRecordDatasetNode

__all__ = ["GAP", "RecordsAccess", "records_access"]

# Files open at once; bytes that are read although nobody wants them, if they lie in between;
# and the most that is read in one go.
_MOST_OPEN = 64
GAP = 1 << 14
_TOGETHER = 1 << 22

Numbers = NDArray[np.int64]


def records_access(node: TFRecordDatasetNode, run: Run) -> RecordsAccess | None:
    """Return the records of all files by index, or None if the names are not known by index."""
    names = node.input.access(run)
    if names is None:
        return None
    block = names.run(0, len(names))
    parents = [0] * len(names) if block.ids is None else block.ids.tolist()
    paths = [name_of(name, node.operator) for name in block.rows()]
    scopes = [run.scoped(run.scope.nested(parent)) for parent in parents]
    return RecordsAccess(paths, scopes, node.cycle_length)


class RecordsAccess(Access):
    """The records of several files, in the order in which they are read."""

    def __init__(self, paths: list[str], runs: list[Run], cycle_length: int) -> None:
        self._paths = paths
        self._runs = runs
        self._opened: OrderedDict[int, File] = OrderedDict()
        found = [kept_bounds(self._file(number)) for number in range(len(paths))]
        counts = [len(bounds) for bounds in found]
        # The bounds of all files one after the other, and where those of each begin.
        self._bounds = np.concatenate([np.empty(0, np.int64), *found])
        self._bases = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)
        self._turns = Turns([count - 1 for count in counts], cycle_length)

    def __len__(self) -> int:
        return len(self._turns)

    def _file(self, number: int) -> File:
        file = self._opened.get(number)
        if file is None:
            file = self._opened[number] = open_seekable(self._paths[number])
            if len(self._opened) > _MOST_OPEN:
                self._opened.popitem(last=False)[1].close()
        self._opened.move_to_end(number)
        return file

    def gather(self, index: Numbers) -> Block:
        """Return the records at ``index``: read file by file, each file from its front."""
        owners, records = self._turns.places(index)
        places = self._bases[owners] + records
        starts, stops = self._bounds[places], self._bounds[places + 1]
        data, moved = self._read(owners, starts, stops)
        starts, stops = starts + moved, stops + moved
        damaged = tfrecord_check(data, starts, stops)
        if damaged >= 0:
            path, at = self._paths[owners[damaged]], starts[damaged] - moved[damaged]
            raise Place(path, int(records[damaged]), int(at)).changed()
        column = Bytes(*tfrecord_records(data, starts, stops))
        return Block(LEAF, (column,), len(index), self._ids(owners, records))

    def _ids(self, owners: Numbers, records: Numbers) -> Ids | None:
        if not self._runs or not self._runs[0].with_ids:
            return None
        ids = np.empty(len(owners), np.uint64)
        for number in np.unique(owners).tolist():
            mine = owners == number
            ids[mine] = self._runs[number].scope.ids(records[mine])
        return ids

    def _read(
        self, owners: Numbers, starts: Numbers, stops: Numbers
    ) -> tuple[NDArray[np.uint8], Numbers]:
        """Return bytes that hold all frames, and by how much each lies elsewhere in them."""
        order = np.lexsort((starts, owners))
        firsts = _firsts(owners[order], starts[order], stops[order])
        begins = starts[order][firsts]
        lengths = _ends(stops[order], firsts) - begins
        places = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        data = np.empty(places[-1], np.uint8)
        memory = data.data
        files, bounds = owners[order][firsts].tolist(), places.tolist()
        for number, begin, (place, end) in zip(
            files, begins.tolist(), pairwise(bounds), strict=True
        ):
            if self._file(number).read_into(begin, memory[place:end]) < end - place:
                record = int(np.searchsorted(self._bounds_of(number), begin))
                raise Place(self._paths[number], record, begin).changed()
        moved = np.empty(len(order), np.int64)
        counts = np.diff(np.append(firsts, len(order)))
        moved[order] = np.repeat(places[:-1] - begins, counts)
        return data, moved

    def close(self) -> None:
        """Let go of the files."""
        while self._opened:
            self._opened.popitem()[1].close()

    def _bounds_of(self, number: int) -> Numbers:
        return self._bounds[self._bases[number] : self._bases[number + 1]]


def _firsts(owners: Numbers, starts: Numbers, stops: Numbers) -> Numbers:
    """Return which records begin what is read in one go; they are in the order of the files."""
    if not len(starts):
        return np.empty(0, np.int64)
    begins = np.ones(len(starts), np.bool_)
    begins[1:] = owners[1:] != owners[:-1]
    begins[1:] |= starts[1:] - stops[:-1] > GAP
    begins[1:] |= starts[1:] // _TOGETHER != starts[:-1] // _TOGETHER
    return np.flatnonzero(begins)


def _ends(stops: Numbers, firsts: Numbers) -> Numbers:
    return np.maximum.reduceat(stops, firsts) if len(firsts) else stops[:0]
