"""pack: put sequences of different lengths side by side in rows of one length."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.engine.collecting import CollectingExec
from feedline.engine.exec import State
from feedline.engine.recall import Recall
from feedline.errors import BuildError, check_at_least
from feedline.ops.arguments import check_flag
from feedline.ops.pack_concat import Concat
from feedline.ops.pack_first_fit import FirstFit
from feedline.ops.packing import Packer, Widths, check_leaf, packed, per_leaf
from feedline.ops.sequences import Bad, Sequences, sequences_of
from feedline.plan.declared import declared_spec
from feedline.plan.node import Traits, UnaryNode
from feedline.spec import TensorSpec, spec_of
from feedline.structure import LEAF, Structure, structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["Pack", "pack"]

_CALL = "pack()"
_STRATEGIES = ("first_fit", "concat")
_TOO_LONG = ("error", "truncate", "split")
# Before anything came out, so small a part of what was read is read at once.
_CAUTION = 16
# The most elements to read on a guess.
_MOST_READ = 1 << 10


# ---- what the user calls ---------------------------------------------------


def pack(
    self: Dataset[Any],
    length: Any,
    *,
    strategy: Literal["first_fit", "concat"] = "first_fit",
    num_bins: int = 16,
    keys: Sequence[Any] | None = None,
    padding_value: Any = 0,
    too_long: Literal["error", "truncate", "split"] = "error",
    drop_remainder: bool = False,
    name: str | None = None,
) -> Dataset[Any]:
    """Return rows of ``length`` made of several sequences each, with hardly any padding.

    Elements are arrays of one axis, or structures of them. An array becomes a dict of
    ``values``, ``segment_ids`` (from 1 on in each row, 0 for padding) and ``positions``
    (from 0 on in each segment). In a dict element the array under ``x`` becomes ``x``,
    ``x_segment_ids`` and ``x_positions``.

    Args:
        length: The length of a row, or one for each leaf.
        strategy: ``"first_fit"`` keeps sequences whole: each goes to the first of
            ``num_bins`` open rows with room, and the fullest row comes out when none has.
            ``"concat"`` joins all sequences and cuts them where a row is full, so that only
            the last row has padding. The arrays of an element must then be equally long.
        num_bins: Rows to choose from: more of them pad less and hold more in memory.
        keys: Of dict elements, what to pack; the rest is left out. All by default.
        padding_value: What fills rows up, or one value for each leaf.
        too_long: What ``"first_fit"`` does with a sequence longer than a row: raise an
            error, keep its beginning, or split it into several.
        drop_remainder: Leave out rows that are not full when the input ends.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(1, 4).map(lambda x: x.repeat(x))
        >>> row, = ds.pack(7)
        >>> row["values"].tolist(), row["segment_ids"].tolist(), row["positions"].tolist()
        ([1, 2, 2, 3, 3, 3, 0], [1, 2, 2, 3, 3, 3, 0], [0, 0, 1, 0, 1, 2, 0])
    """
    for what, value, known in (
        ("strategy", strategy, _STRATEGIES),
        ("too_long", too_long, _TOO_LONG),
    ):
        if value not in known:
            raise BuildError(f"{_CALL}: {what} must be one of {', '.join(known)}, got {value!r}.")
    node = Pack(
        self.node,
        _each(length, lambda n: check_at_least(_CALL, "length", n, 1)),
        strategy,
        check_at_least(_CALL, "num_bins", num_bins, 1),
        None if keys is None else tuple(keys),
        padding_value,
        too_long,
        check_flag("pack()", "drop_remainder", drop_remainder),
        name=name,
    )
    if (spec := declared_spec(self.node)) is not None:
        node.spec([spec])
    return self.then(node)


def _each(value: Any, change: Any) -> Any:
    structure = structure_of(value)
    return structure.pack([change(leaf) for leaf in structure.flatten(value)])


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Pack(UnaryNode):
    """Rows made of several sequences each."""

    length: Any
    strategy: str
    num_bins: int
    keys: tuple[Any, ...] | None
    padding_value: Any = field(compare=False)
    too_long: str
    drop_remainder: bool

    traits: ClassVar[Traits] = Traits()

    def lower(self, run: Run) -> PackExec:
        """One thread: which row has room depends on all sequences before."""
        return PackExec(run.open(self.input), self)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """Rows of the given length."""
        structure = structure_of(inputs[0])
        leaves = structure.flatten(inputs[0])
        chosen, numbers = self.chosen(structure)
        for number, path in zip(numbers, chosen.paths(), strict=True):
            check_leaf(leaves[number], path)
        widths = self.widths(chosen, [leaves[n].dtype for n in numbers])
        specs = []
        for number, length in zip(numbers, widths.lengths, strict=True):
            counts = TensorSpec((length,), np.int32)
            specs += [TensorSpec((length,), leaves[number].dtype), counts, counts]
        return packed(chosen).pack(specs)

    def chosen(self, structure: Structure) -> tuple[Structure, list[int]]:
        """Return the structure of what is packed, and which leaves of an element that is."""
        if self.keys is None:
            return structure, list(range(structure.num_leaves))
        if structure.type is None or not issubclass(structure.type, dict):
            raise BuildError(f"{_CALL}: keys= is for dict elements, got {structure}.")
        missing = [key for key in self.keys if key not in structure.keys]
        if missing:
            raise BuildError(
                f"{_CALL}: no {missing} in the elements. There are {list(structure.keys)}."
            )
        numbered = structure.pack(range(structure.num_leaves))
        part = {key: numbered[key] for key in self.keys}
        found = structure_of(part)
        return found, found.flatten(part)

    def widths(self, structure: Structure, dtypes: list[Any]) -> Widths:
        """Return the length and the filling of each leaf's rows."""
        lengths = per_leaf("length", self.length, structure)
        if self.strategy == "concat" and len(set(lengths)) > 1:
            raise BuildError(f"{_CALL}: with strategy 'concat' length must be one for all leaves.")
        values = per_leaf("padding_value", self.padding_value, structure)
        fills = []
        for value, dtype in zip(values, dtypes, strict=True):
            fill = np.asarray(value).astype(dtype)
            if fill.ndim or fill != value:
                raise BuildError(f"{_CALL}: padding_value must fit {dtype}, got {value!r}.")
            fills.append(fill[()])
        return Widths(tuple(lengths), tuple(fills))


# ---- what runs -------------------------------------------------------------


class PackExec(CollectingExec):
    """Reads sequences and lets a packer put them in rows."""

    def __init__(self, stream: Stream, node: Pack) -> None:
        super().__init__(stream)
        self._recall = Recall(stream, gap=64)
        self._node = node
        self._packer: Packer | None = None
        self._dtypes: list[np.dtype[Any]] = []
        self._structure = LEAF
        # Sequences read, from number _at on not yet packed, and elements that cannot be.
        self._arrived: Sequences | None = None
        self._at = 0
        self._bad: deque[Bad] = deque()
        self._ended = False
        # Of this process alone: how many elements came in and rows went out, to guess by.
        self._num_read = 0
        self._num_out = 0

    def step(self, wanted: int) -> Block | None:
        """Pack until some rows are done."""
        while True:
            count = 0 if self._arrived is None else len(self._arrived)
            if self._bad and self._bad[0].before == self._at:
                raise self._bad.popleft().error
            if self._at < count:
                assert self._arrived is not None
                assert self._packer is not None
                stop = self._bad[0].before if self._bad else count
                self._at += self._packer.add(self._arrived, self._at, stop, wanted)
                block = self._rows()
                if block is not None:
                    return block
            elif not self._ended:
                self._read(wanted)
            else:
                return None if self._node.drop_remainder else self._rows(rest=True)

    def _rows(self, *, rest: bool = False) -> Block | None:
        found = None if self._packer is None else self._packer.rows(rest=rest)
        if found is None:
            return None
        columns, ids = found
        self._num_out += len(columns[0])
        return Block(self._structure, tuple(columns), len(columns[0]), ids)

    def _read(self, wanted: int) -> None:
        likely = wanted * self._num_read // (2 * self._num_out or _CAUTION)
        block = self._recall.pull(max(wanted, min(likely, _MOST_READ)))
        if block is None:
            self._ended = True
            return
        self._num_read += block.length
        first = self._recall.position - block.length
        self._arrived, bad = self._sequences(block, np.arange(block.length) + first)
        self._bad.extend(bad)
        self._at = 0

    def _sequences(self, block: Block, positions: NDArray[np.int64]) -> tuple[Sequences, list[Bad]]:
        node = self._node
        chosen, numbers = node.chosen(block.structure)
        block = Block(chosen, tuple(block.columns[n] for n in numbers), block.length, block.ids)
        if self._packer is None:
            self._start(block)
        assert self._packer is not None
        lengths = self._packer.widths.lengths
        concat = node.strategy == "concat"
        longest = lengths if node.too_long == "error" and not concat else None
        sequences, bad = sequences_of(block, positions, self._dtypes, longest, equal=concat)
        if node.too_long == "truncate" and not concat:
            sequences = sequences.truncated(lengths)
        return sequences, bad

    def _start(self, block: Block) -> None:
        node = self._node
        specs = [spec_of(column.slice(0, 1).rows()[0]) for column in block.columns]
        for spec, path in zip(specs, block.structure.paths(), strict=True):
            check_leaf(spec, path)
        self._dtypes = [spec.dtype for spec in specs]
        self._structure = packed(block.structure)
        widths = node.widths(block.structure, self._dtypes)
        self._packer = (
            Concat(widths) if node.strategy == "concat" else FirstFit(widths, node.num_bins)
        )

    @property
    def _position(self) -> int:
        """How many elements of the input are packed or gone."""
        if self._bad and self._bad[0].before == self._at:
            return self._bad[0].position
        if self._arrived is not None and self._at < len(self._arrived):
            return int(self._arrived.positions[self._at])
        return self._recall.position

    def state_now(self) -> State:
        """Return what is in open rows, and where to read it again."""
        position = self._position
        packer = self._packer
        oldest = None if packer is None else packer.oldest
        saved = self._recall.state(position if oldest is None else oldest)
        return {"rows": packer.held() if packer else [], "held": {**saved, "n": position}}

    def restore(self, state: State) -> None:
        """Read what was in open rows, and put it there again."""
        kind = Concat if self._node.strategy == "concat" else FirstFit
        held = np.array(kind.positions_of(state["rows"]), np.int64)
        block = self._recall.restore(state["held"], held)
        if block is not None:
            sequences, _ = self._sequences(block, held)
            assert self._packer is not None
            self._packer.restore(state["rows"], sequences)
