"""interleave: make a dataset of every element and take from several of them in turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from feedline.block import Block
from feedline.buffers import Buffers
from feedline.engine.deliveries import Delivery, order_in
from feedline.engine.each import EachExec
from feedline.engine.exec import State, count_in
from feedline.engine.function import Function, given_function
from feedline.engine.recall import Recall
from feedline.engine.turns import in_turns
from feedline.errors import CheckpointError, InvalidArgumentError, SpecError, check_at_least
from feedline.files.versions import check_versions, versions
from feedline.ops.arguments import check_parallel
from feedline.ops.calling import DatasetMakingNode
from feedline.options import AUTOTUNE, INFINITE_CARDINALITY, UNKNOWN_CARDINALITY
from feedline.parallel.tasks import Lane
from feedline.plan.node import Traits, node_of
from feedline.plan.rewrite import files_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.ahead import AheadExec
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.structure import Structure

__all__ = ["Interleave", "InterleaveExec", "interleave"]

# A number of its own, not the number of cores: the order must not depend on the machine.
_DEFAULT_CYCLE_LENGTH = 16
# What is read ahead below Python is had in runs for so many blocks: short ones cost too much.
_RUNS = 4
# Reading waits more than it computes; threads that wait cost little.
_MOST_READS = 16

S = TypeVar("S")


# ---- what the user calls ---------------------------------------------------


def interleave(
    self: Dataset[Any],
    map_func: Callable[..., Dataset[S]],
    cycle_length: int | None = None,
    block_length: int | None = None,
    num_parallel_calls: int | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
) -> Dataset[S]:
    """Return the elements of the datasets ``map_func`` makes, several at a time in turn.

    ``cycle_length`` datasets are open at once. ``block_length`` elements are taken from
    one, then from the next; when one ends, the next input element takes its place.

    Args:
        map_func: Makes a dataset of an element.
        cycle_length: How many datasets are open at once; 16 by default.
        block_length: How many elements are taken in a row; 1 by default.
        num_parallel_calls: How many may be read at once, or AUTOTUNE.
        deterministic: False allows elements to come out of order.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(2)
        >>> ds = ds.interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(3), 2, 2)
        >>> [int(x) for x in ds]
        [0, 0, 1, 1, 0, 1]
    """
    map_func = given_function("interleave()", "map_func", map_func)
    check_parallel("interleave()", num_parallel_calls, deterministic)
    if cycle_length is None or cycle_length == AUTOTUNE:
        cycle_length = _DEFAULT_CYCLE_LENGTH
    elif num_parallel_calls is not None and num_parallel_calls > cycle_length:
        raise InvalidArgumentError(
            "interleave(): num_parallel_calls must be AUTOTUNE or at most cycle_length, which is "
            f"{cycle_length}, got {num_parallel_calls}. Leave cycle_length out, or raise it."
        )
    cycle = check_at_least("interleave()", "cycle_length", cycle_length, 1)
    length = 1 if block_length is None else block_length
    return self.then(
        Interleave(
            self.node,
            map_func,
            cycle,
            check_at_least("interleave()", "block_length", length, 1),
            num_parallel_calls=num_parallel_calls,
            deterministic=deterministic,
            name=name,
        )
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Interleave(DatasetMakingNode):
    """The elements of datasets made by ``fn``, ``cycle_length`` of them in turn."""

    cycle_length: int
    block_length: int
    num_parallel_calls: int | None = field(default=None, kw_only=True, repr=False)
    deterministic: bool | None = field(default=None, kw_only=True, repr=False)

    traits: ClassVar[Traits] = Traits(rows="any", calls_user=True, makes_datasets=True)

    def lower(self, run: Run) -> InterleaveExec:
        """One thread decides whose turn it is; several may read what will be taken."""
        return InterleaveExec(
            run.open(self.input),
            self.plain_function_in(run),
            run,
            self.number,
            self.cycle_length,
            self.block_length,
            reads_at_once(self.num_parallel_calls, self.cycle_length, run),
            self.num_parallel_calls is None or run.is_ordered(self.deterministic),
        )

    def cardinality(self, inputs: Sequence[int]) -> int:
        """Unknown; but tf.data takes it for endless if the input is and calls run in parallel."""
        parallel = self.num_parallel_calls is not None
        endless = parallel and inputs[0] == INFINITE_CARDINALITY
        return INFINITE_CARDINALITY if endless else UNKNOWN_CARDINALITY


# ---- what runs -------------------------------------------------------------


def reads_at_once(asked: int | None, cycle_length: int, run: Run) -> int:
    """Return how many of the open datasets are read ahead at once; 0 for none."""
    if asked is None or not run.is_parallel:
        return 0
    return min(_MOST_READS if asked == AUTOTUNE else asked, cycle_length)


@dataclass(slots=True)
class _Slot:
    """An open dataset, and the position of the element it was made of.

    ``fits`` says that its elements were seen to have the structure of all others;
    ``failed`` is what making the dataset failed with, before its turn came, and without
    ``has_parent`` what the input failed with, in place of an element;
    ``files`` are the versions of those it reads, as they were when it was opened.
    """

    parent: int
    stream: Stream
    fits: bool = False
    ahead: AheadExec | None = None
    failed: Exception | None = None
    has_parent: bool = True
    files: dict[str, Any] | None = None

    def state(self) -> list[Any]:
        """Return what opens it again where it stands."""
        state = [self.parent, None if self.failed else self.stream.state()]
        return state if self.files is None else [*state, self.files]

    @property
    def is_ready(self) -> bool:
        """Whether its next element, or its end, is known."""
        ahead = self.ahead
        if self.failed is not None:
            return True
        return ahead is None or ahead.is_ready or not ahead.is_started or self.stream.buffered > 0


class InterleaveExec(EachExec):
    """The open datasets and whose turn it is.

    With ``reads`` that many are read at once, ahead of their turns, and all that may be open
    are opened at once. If it is not ``ordered``, the turn goes to one that is ready, and whose
    turns there were is written down, though all of them be read here: a state may go on elsewhere.
    ``reads_ahead`` says that every dataset has what comes next read meanwhile by itself.
    """

    def __init__(
        self,
        stream: Stream,
        function: Function,
        run: Run,
        number: int,
        cycle_length: int,
        block_length: int,
        reads: int = 0,
        ordered: bool = True,
        reads_ahead: bool = False,
    ) -> None:
        super().__init__(stream, function, run.key(number))
        self._run = run
        self.source = self._recall = Recall(stream)
        self._slots: list[_Slot | None] = [None] * cycle_length
        self._block_length = block_length
        self._turn = 0
        self._taken = 0
        self._ended = False
        self._structure: Structure | None = None
        self._lane = Lane(reads) if reads else None
        self._reads_ahead = reads_ahead
        # Out of order: whose turns there were, and whose there must be next.
        self._ordered = ordered
        self._log = Delivery()
        self._forced: deque[list[int]] = deque()
        self._group, self._read_in_turn = 1, cycle_length
        # For what is taken of several at once. Where memory is rationed none is kept.
        self._memory = Buffers(0) if run.workers.is_rationed else Buffers()

    @property
    def reads_ahead(self) -> bool:
        """Whether all that will be open do."""
        return self._reads_ahead

    def group_by(self, size: int, turns: int = 1) -> None:
        """Hand it on to what is read alone."""
        if len(self._slots) == 1:
            self._group, self._read_in_turn = size, turns

    @property
    def is_between(self) -> bool:
        """Whether no dataset is open, and the next element would be called for."""
        return not self._ended and not any(self._slots) and not self.has_called_ahead

    def pull(self, limit: int) -> Block | None:
        """Take from the open datasets in turn."""
        if self._lane is not None or not self._ordered:
            self._open_all()
        if not self._ordered or self._forced:
            return self._pull_ready(limit)
        if rounds := self._whole_rounds(limit):
            return self._take_rounds(rounds)
        first = self._next(limit)
        if first is None:
            return None
        blocks, wanted = [first], limit - first.length
        # What follows cannot fail: nothing in hand may be lost to an exception.
        while wanted and (slot := self._slots[self._turn]) and slot.fits and slot.stream.buffered:
            block = self._take_from(slot, wanted)
            assert block is not None
            blocks.append(block)
            wanted -= block.length
        return Block.concat(blocks)

    # ---- out of order ----------------------------------------------------------------

    def _pull_ready(self, limit: int) -> Block | None:
        """Take from a dataset that is ready, or whose turn it was when a state was saved."""
        while not self._ended or any(self._slots):
            if not any(self._slots):
                self._slots[0] = self._open_next()
                continue
            forced = self._forced[0] if self._forced else None
            number, count = forced or [self._ready_slot(), min(limit, self._block_length)]
            slot = self._slots[number]
            if slot is None:
                self._slots[number] = self._open_next()
                continue
            block = self._take_all(slot, max(count, 1))
            taken = 0 if block is None else block.length
            self._log = self._log.add(number, taken)
            if forced is not None:
                forced[1] -= taken
                if forced[1] <= 0 or block is None:
                    self._forced.popleft()
            if block is not None:
                self._check(slot, block)
                self._turn = (number + 1) % len(self._slots)
                return block
            slot.stream.close()
            self._slots[number] = None
            if not self._ended:
                self._slots[number] = self._open_next()
        return None

    def _take_all(self, slot: _Slot, count: int) -> Block | None:
        if slot.failed is not None:
            self._raise_failed(slot)
        return slot.stream.pull(count)

    def _ready_slot(self) -> int:
        """Return the next dataset that is ready, in the order of turns; wait if none is."""
        order = [*range(self._turn, len(self._slots)), *range(self._turn)]

        def ready() -> list[int]:
            slots = [(number, self._slots[number]) for number in order]
            return [number for number, slot in slots if slot is not None and slot.is_ready]

        if not ready():
            self._run.workers.tasks.wait_until(lambda: bool(ready()))
        return ready()[0]

    # ---- opening ahead of turns ---------------------------------------------------------

    def _open_all(self) -> None:
        """Open the datasets of all empty places, in the order in which their turns come."""
        empty = [number for number, slot in enumerate(self._slots) if slot is None]
        if not empty or self._ended or any(slot and slot.failed for slot in self._slots):
            return  # what fails is raised before anything after it is opened
        for number in sorted(empty, key=lambda number: (number < self._turn, number)):
            slot = self._slots[number] = self._open_or_fail()
            if slot is None or slot.failed:
                return

    def _open_or_fail(self) -> _Slot | None:
        position = self.input.position
        try:
            return self._open_next()
        except Exception as error:
            # For its turn; nothing is read from this stream.
            parent = self.input.position - 1
            return _Slot(parent, self.input, failed=error, has_parent=parent >= position)

    def _raise_failed(self, slot: _Slot) -> None:
        self._slots[self._slots.index(slot)] = None
        assert slot.failed is not None
        raise slot.failed

    # ---- in order ----------------------------------------------------------------------

    def close_ended(self) -> None:
        """Close the dataset whose turn it is if it has no more elements."""
        slot = self._slots[self._turn]
        if slot is not None and slot.failed is None and not slot.stream.buffered:
            slot.stream.fill(1)
            if slot.stream.is_at_end:
                slot.stream.close()
                self._slots[self._turn] = None
                self._advance()

    def _whole_rounds(self, limit: int) -> int:
        """Return how many times every dataset can have its turn without any of them ending."""
        turns = self._turns()
        if self._taken or not turns or (len(turns) < len(self._slots) and not self._ended):
            return 0
        most = limit // (len(turns) * self._block_length)
        for slot in turns:
            if not most or not slot.fits:
                return 0
            runs = _RUNS if slot.stream.reads_ahead else 1
            slot.stream.fill(most * self._block_length * runs)
            most = min(most, slot.stream.buffered // self._block_length)
        return most

    def _turns(self) -> list[_Slot]:
        """Return the open datasets in the order of their turns."""
        turns = self._slots[self._turn :] + self._slots[: self._turn]
        return [slot for slot in turns if slot is not None]

    def _take_rounds(self, rounds: int) -> Block:
        """Take from every dataset at once and put the elements in the order of the turns."""
        turns = self._turns()
        parts = [slot.stream.read(rounds * self._block_length) for slot in turns]
        blocks = [part for part in parts if part is not None]
        return in_turns(blocks, self._block_length, self._memory)

    def _next(self, wanted: int) -> Block | None:
        """Return elements of the dataset whose turn it is, opening and closing as needed."""
        while not self._ended or any(self._slots):
            slot = self._slots[self._turn]
            if slot is not None:
                if slot.failed is not None:
                    self._raise_failed(slot)
                block = self._take_from(slot, wanted)
                if block is not None:
                    self._check(slot, block)
                    return block
                slot.stream.close()
                self._slots[self._turn] = None
                self._advance()
            elif self._ended:
                self._advance()
            else:
                self._slots[self._turn] = self._open_next()
        return None

    def _check(self, slot: _Slot, block: Block) -> None:
        if self._structure is None:
            self._structure = block.structure
        if not slot.fits and block.structure.aligned(self._structure) is None:
            error = SpecError(
                f"the datasets of {self._function.place} must have elements of one structure: "
                f"{self._structure} was seen first, then {block.structure}."
            )
            self._function.note(error, slot.parent)
            raise error
        slot.fits = True

    def _take_from(self, slot: _Slot, wanted: int) -> Block | None:
        left = self._block_length - self._taken
        ahead = -(-wanted // len(self._slots))
        block = slot.stream.pull(min(wanted, left), ahead=ahead)
        if block is not None:
            self._taken += block.length
            if self._taken == self._block_length:
                self._advance()
        return block

    def _advance(self) -> None:
        self._turn = (self._turn + 1) % len(self._slots)
        self._taken = 0

    def _open_next(self) -> _Slot | None:
        called = self.call(1)
        if called is None:
            self._ended = True
            return None
        block, results = called
        try:
            slot = self._open(block, results[0], self.input.position - 1)
        except Exception as error:
            self._function.note(error, self.input.position - 1)
            raise
        if slot.ahead is not None:
            slot.ahead.start()
        return slot

    def _open(self, block: Block, dataset: Any, parent: int, saved_files: Any = None) -> _Slot:
        node = node_of(dataset, self._function.place, "what map_func returns")
        paths = files_of(node)
        if saved_files is not None and self._run.checks_files:
            check_versions(saved_files, paths)
        files = versions(paths) if paths else None
        parent_id = 0 if block.ids is None else int(block.ids[0])
        stream = self._run.open_nested(node, parent_id)
        stream.group_by(self._group, self._read_in_turn)
        if self._lane is None or stream.reads_ahead:
            return _Slot(parent, stream, files=files)
        stream, ahead = self._run.ahead_in(stream, self._lane)
        return _Slot(parent, stream, ahead=ahead, files=files)

    def state(self) -> State:
        """Return whose turn it is, and for each open dataset its parent and its state."""
        made = [slot if slot and slot.has_parent else None for slot in self._slots]
        oldest = min((slot.parent for slot in made if slot), default=self._recall.position)
        fails_again = any(slot and not slot.has_parent for slot in self._slots)
        state = {
            "turn": self._turn,
            "taken": self._taken,
            "open": [slot and slot.state() for slot in made],
            "held": self._recall.state(oldest, fails_again),
        }
        if not self._ordered or self._forced:
            state["then"] = self._log
        return state

    def restore(self, state: State) -> None:
        """Read the parents of the open datasets again and make the datasets anew."""
        self._turn = count_in(state, "turn", len(self._slots) - 1)
        self._taken = count_in(state, "taken", self._block_length)
        self._forced = deque(order_in(state.get("then", ())))
        parents = sorted({entry[0] for entry in state["open"] if entry is not None})
        block = self._recall.restore(state["held"], np.array(parents, np.int64))
        if len(state["open"]) != len(self._slots) or len(parents) != (block.length if block else 0):
            raise CheckpointError("the state is damaged: datasets that were open are not there.")
        for number, entry in enumerate(state["open"]):
            if entry is None or block is None:
                continue
            at = parents.index(entry[0])
            row = block.slice(at, at + 1)
            calls = self._function.each(row, entry[0], self._key)
            if calls.error is not None and entry[1] is not None:
                raise calls.error
            if calls.error is not None:
                self._slots[number] = _Slot(entry[0], self.input, failed=calls.error)
                continue
            slot = self._open(row, calls.results[0], *entry[:1], *entry[2:3])
            if entry[1] is not None:
                slot.stream.restore(entry[1])
            self._slots[number] = slot

    def close(self) -> None:
        """Close the open datasets and the input."""
        for slot in self._slots:
            if slot is not None and slot.failed is None:
                slot.stream.close()
        super().close()
