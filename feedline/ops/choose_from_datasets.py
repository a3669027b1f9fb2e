"""choose_from_datasets: take elements of several datasets as a dataset of numbers says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Dense, Objects
from feedline.engine.exec import Exec, State
from feedline.errors import BuildTypeError, SpecError
from feedline.ops.arguments import check_flag
from feedline.ops.several import check_specs_agree, nodes_of, tell_apart
from feedline.options import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY
from feedline.plan.declared import declared_spec
from feedline.plan.node import NaryNode, NumberedNode, Traits, node_of
from feedline.spec import TensorSpec, merge_specs
from feedline.structure import Structure, structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["ChooseFromDatasets", "choose_from_datasets"]


# ---- what the user calls ---------------------------------------------------


def choose_from_datasets(
    cls: type[Dataset[Any]],
    datasets: Sequence[Dataset[Any]],
    choice_dataset: Dataset[Any],
    stop_on_empty_dataset: bool = True,
) -> Dataset[Any]:
    """Return the next element of ``datasets[i]`` for every ``i`` in ``choice_dataset``.

    Args:
        datasets: Their elements must have the same structure and dtypes; shapes may differ.
        choice_dataset: Scalars of int64, from 0 to ``len(datasets) - 1``.
        stop_on_empty_dataset: Whether to end at the first choice of a dataset that has
            ended. False leaves such choices out, and ends when all datasets have.

    Example:
        >>> import feedline as tf
        >>> a, b = tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)
        >>> choice = tf.data.Dataset.range(2).repeat()
        >>> [int(x) for x in tf.data.Dataset.choose_from_datasets([a, b], choice)]
        [0, 10, 1, 11, 2, 12]
    """
    call = "choose_from_datasets()"
    nodes = nodes_of(datasets, call)
    choices = node_of(choice_dataset, call, "choice_dataset")
    found = declared_spec(choices)
    scalar = TensorSpec((), np.int64)
    if found is not None and not (
        isinstance(found, TensorSpec) and scalar.is_compatible_with(found)
    ):
        raise BuildTypeError(
            f"{call}: choice_dataset must yield scalars of int64, got {found}. "
            "Convert them in a map() before."
        )
    structure = common_structure(call, nodes)
    stops = check_flag(call, "stop_on_empty_dataset", stop_on_empty_dataset)
    return cls.of_node(ChooseFromDatasets((choices, *nodes), stops, structure))


def common_structure(call: str, nodes: Sequence[Any]) -> Structure | None:
    """Return the structure of the elements of all nodes if it is known; raise if they differ."""
    spec = check_specs_agree(call, nodes)
    return None if spec is None else structure_of(spec)


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class ChooseFromDatasets(NaryNode, NumberedNode):
    """Elements of all inputs but the first, chosen by the numbers in the first."""

    stop_on_empty: bool
    structure: Structure | None = field(repr=False)

    traits: ClassVar[Traits] = Traits()

    def lower(self, run: Run) -> ChooseExec:
        """Read runs of every input and interleave them by index."""
        return ChooseExec(self, run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """As tf.data has it: infinite if one dataset is, whatever the choices."""
        infinite = INFINITE_CARDINALITY in inputs[1:]
        return INFINITE_CARDINALITY if infinite else UNKNOWN_CARDINALITY

    def inputs_of_spec(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """Those of the datasets, whatever the choices."""
        return inputs[1:]

    def spec(self, inputs: Sequence[Any]) -> Any:
        """What covers all datasets."""
        return merge_specs(self.inputs_of_spec(inputs))


# ---- what runs -------------------------------------------------------------


@dataclass(slots=True)
class _Failure:
    """An exception whose turn has not come: whose it is, and the state before it."""

    error: Exception
    number: int
    before: State


class ChooseExec(Exec):
    """Reads runs of choices, then a run of every dataset among them.

    A run ends before the first choice that cannot be met from what one pull of each
    dataset gave; what was read of the others beyond it goes back.
    """

    def __init__(self, node: ChooseFromDatasets, run: Run) -> None:
        self._node = node
        self._place = node.place
        self._choices, *self._streams = (run.open(source) for source in node.sources)
        self.inputs = (self._choices, *self._streams)
        self._stop_on_empty = node.stop_on_empty
        self._structure = node.structure
        self._open = np.ones(len(self._streams), np.bool_)
        self._failure: _Failure | None = None

    @property
    def _ended(self) -> bool:
        return not (self._open.all() if self._stop_on_empty else self._open.any())

    def pull(self, limit: int) -> Block | None:
        """Choose the next elements."""
        if self._failure is not None:
            error, self._failure = self._failure.error, None
            self._choices.discard(1)
            raise error
        while not self._ended:
            chosen = self._choices.pull(limit)
            if chosen is None:
                return None
            numbers = self._checked(chosen)
            # Choices of datasets that have ended are passed over.
            kept = np.flatnonzero(self._open[numbers])
            parts, met = self._read(numbers[kept])
            used = len(numbers) if met == len(kept) else int(kept[met])
            if parts:
                self._choices.give_back(chosen.length - used)
                return self._interleaved(parts, numbers[kept[:met]])
            # The first choice kept cannot be met, and is used up: its dataset failed, or ended.
            self._choices.give_back(chosen.length - min(used + 1, len(numbers)))
            if self._failure is not None:
                error, self._failure = self._failure.error, None
                raise error
        return None

    def _checked(self, chosen: Block) -> NDArray[np.int64]:
        """Return the choices up to the first that is none, which is an error in its turn."""
        column = chosen.columns[0] if len(chosen.columns) == 1 else Objects(chosen.rows())
        if isinstance(column, Dense) and column.array.ndim == 1 and column.array.dtype.kind in "iu":
            numbers = column.array
            valid = (numbers >= 0) & (numbers < len(self._streams))
            good = len(numbers) if valid.all() else int(np.argmin(valid))
            if good:
                return numbers[:good].astype(np.int64, copy=False)
        self._choices.give_back(chosen.length - 1)
        first = column.slice(0, 1).rows()[0]
        raise SpecError(
            f"{self._place}: choice {self._choices.position - 1} must be an integer from 0 to "
            f"{len(self._streams) - 1}, got {first!r}."
        )

    def _read(self, numbers: NDArray[np.int64]) -> tuple[list[tuple[int, Block]], int]:
        """Read what the choices ask for; return the blocks, and how many choices they meet."""
        met = len(numbers)
        parts: list[tuple[int, Block]] = []
        present, firsts = np.unique(numbers, return_index=True)
        for number in present[np.argsort(firsts)].tolist():
            places = np.flatnonzero(numbers[:met] == number)
            if not len(places):
                continue
            stream, first = self._streams[number], int(places[0])
            before = stream.state()
            try:
                block = stream.pull(len(places))
            except Exception as error:
                self._failure = _Failure(error, number, before)
                met = first
                continue
            if block is None:
                self._open[number] = first > 0
                met = first
                continue
            if block.length < len(places):
                met = int(places[block.length])
            parts.append((number, block))
        return self._cut(parts, numbers[:met]), met

    def _cut(
        self, parts: list[tuple[int, Block]], numbers: NDArray[np.int64]
    ) -> list[tuple[int, Block]]:
        """Return the blocks without what the choices do not need; that goes back."""
        counts = np.bincount(numbers, minlength=len(self._streams))
        cut = []
        for number, block in parts:
            wanted = int(counts[number])
            self._streams[number].give_back(block.length - wanted)
            if wanted:
                cut.append((number, block.slice(0, wanted)))
        return cut

    def _interleaved(self, parts: list[tuple[int, Block]], numbers: NDArray[np.int64]) -> Block:
        if self._structure is None:
            self._structure = parts[0][1].structure
        blocks = [tell_apart(block, self._node, n).aligned(self._structure) for n, block in parts]
        if len(blocks) == 1:
            return blocks[0]
        place = np.empty(len(numbers), np.int64)
        start = 0
        for number, block in parts:
            place[numbers == number] = np.arange(start, start + block.length)
            start += block.length
        return Block.concat(blocks).take(place)

    def state(self) -> State:
        """Return the states of all inputs, and which datasets have ended."""
        state = super().state()
        if self._failure is not None:
            # The input is past its failing element already; a resume must fail there again.
            state["in"][1 + self._failure.number] = self._failure.before
        return state

    def counters(self) -> State:
        """Return which datasets have ended."""
        return {"ended": np.flatnonzero(~self._open).tolist()}

    def resume(self, counters: State) -> None:
        """Take back which datasets have ended."""
        self._open[counters["ended"]] = False
