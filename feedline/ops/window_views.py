"""window_views: each window stacked into one element, as a view of what was read.

No user asks for this step: the rule window_to_views puts it in the place of a window()
whose windows are only batched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Bytes, Column, Dense, Objects
from feedline.engine.access import Access
from feedline.engine.exec import Exec, State
from feedline.engine.sliding import Sliding, SlidingAccess, SlidingExec
from feedline.ids import Ids
from feedline.ops.batch import batch_ids, stack_block
from feedline.ops.window import rows_of_window, slide, window_ids
from feedline.plan.node import Node, Traits, UnaryNode
from feedline.structure import LEAF, Structure, structure_of

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["Part", "WindowViews"]


@dataclass(frozen=True, slots=True)
class Part:
    """Leaves that are batched together: their structure, and which of the input's they are."""

    structure: Structure
    leaves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """The structure elements are taken to have, and the plan to follow if they have another."""

    structure: Structure
    otherwise: Node


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class WindowViews(UnaryNode):
    """The windows, stacked. The columns of ``parts``, in order, are those of ``structure``."""

    size: int
    shift: int
    stride: int
    drop_remainder: bool
    parts: tuple[Part, ...] = field(repr=False)
    structure: Structure = field(repr=False)
    guess: Guess | None = field(default=None, repr=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True)

    @property
    def sliding(self) -> Sliding:
        """Where the windows lie."""
        return Sliding(self.size, self.shift, self.stride, self.drop_remainder)

    def lower(self, run: Run) -> Exec:
        """Cut windows out of what is read, once."""
        if self.guess is not None:
            return GuessedExec(self, self.guess, run)
        return slide(self, self.sliding, run, ViewCutter(self, run))

    def access(self, run: Run) -> Access | None:
        """Get the elements of the windows, if it is known what they are."""
        inner = None if self.guess is not None else self.input.access(run)
        return None if inner is None else SlidingAccess(inner, self.sliding, ViewCutter(self, run))

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's, counted in windows."""
        return inputs[0] if inputs[0] < 0 else self.sliding.count(inputs[0])

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The size is known only if no window can be short."""
        if self.guess is not None:
            return None
        size = self.size if self.drop_remainder else None
        leaves = structure_of(inputs[0]).flatten(inputs[0])
        chosen = [leaves[number].batch_spec(size) for part in self.parts for number in part.leaves]
        return self.structure.pack(chosen)


# ---- what runs -------------------------------------------------------------


class ViewCutter:
    """Makes the batch of each window."""

    def __init__(self, node: WindowViews, run: Run) -> None:
        self._node = node
        self._sliding = node.sliding
        self._run = run

    def __call__(self, block: Block, count: int) -> Block:
        """Return an element for each of the first ``count`` windows."""
        columns: list[Column] = []
        for part in self._node.parts:
            columns.extend(self._stacked(block, part, count))
        ids = self._ids(block, count)
        return Block(self._node.structure, tuple(columns), count, ids)

    def _stacked(self, block: Block, part: Part, count: int) -> Sequence[Column]:
        chosen = [block.columns[number] for number in part.leaves]
        arrays = [array for array in map(_as_array, chosen) if array is not None]
        if len(arrays) == len(chosen):
            return [self._views(array, count) for array in arrays]
        sliding = self._sliding
        batches = []
        for start in range(0, count * sliding.shift, sliding.shift):
            rows = tuple(rows_of_window(column, start, sliding) for column in chosen)
            window = Block(part.structure, rows, len(rows[0]))
            batches.append(stack_block(window, sliding.size, 0))
        return Block.concat(batches).columns

    def _views(self, array: NDArray[Any], count: int) -> Column:
        sliding = self._sliding
        full = min(count, sliding.full(len(array)))
        first, *rest = array.strides
        views = as_strided(
            array,
            (full, sliding.size, *array.shape[1:]),
            (first * sliding.shift, first * sliding.stride, *rest),
            writeable=False,
        )
        if full == count:
            return Dense(views)
        starts = range(full * sliding.shift, count * sliding.shift, sliding.shift)
        return Objects([*views, *(array[start :: sliding.stride] for start in starts)])

    def _ids(self, block: Block, count: int) -> Ids | None:
        """Return the ids the batches would have as elements of nested datasets."""
        ids = window_ids(block, count, self._sliding)
        if ids is None:
            return None
        firsts = self._run.scope.first_ids(ids)
        return batch_ids(Block(LEAF, (), count, firsts), 1)


class GuessedExec(Exec):
    """Looks at the first element before it decides which plan to follow."""

    def __init__(self, node: WindowViews, guess: Guess, run: Run) -> None:
        self._node = node
        self._guess = guess
        self._run = run
        self._stream = run.open(node.input)
        self._chosen: Exec | None = None
        self._is_right = False

    def _choose(self, is_right: bool) -> Exec:
        self._is_right = is_right
        if is_right:
            cut = ViewCutter(self._node, self._run)
            self._chosen = SlidingExec(self._stream, self._node.sliding, cut)
        else:
            self._stream.close()
            # What the function makes there may draw by element, which was not to be seen.
            self._chosen = self._guess.otherwise.lower(replace(self._run, with_ids=True))
        return self._chosen

    def _look(self) -> bool:
        try:
            block = self._stream.pull(1)
        except Exception:  # whatever it is, the plan as asked meets it again
            return False
        if block is not None:
            self._stream.give_back(1)
        return block is None or block.structure == self._guess.structure

    def pull(self, limit: int) -> Block | None:
        """Follow the plan that was chosen."""
        chosen = self._chosen or self._choose(self._look())
        return chosen.pull(limit)

    def state(self) -> State:
        """Return which plan is followed, and where it stands."""
        if self._chosen is None:
            return {}
        return {"right": self._is_right, "chosen": self._chosen.state()}

    def restore(self, state: State) -> None:
        """Follow the same plan."""
        if "chosen" in state:
            self._choose(bool(state["right"])).restore(state["chosen"])

    def close(self) -> None:
        """Close whatever is open."""
        self._stream.close()
        if self._chosen is not None:
            self._chosen.close()


def _as_array(column: Column) -> NDArray[Any] | None:
    """Return the values as one array, read-only, if batches of them are views of it."""
    if isinstance(column, Dense):
        return column.array
    if isinstance(column, Bytes) or (
        isinstance(column, Objects) and all(type(item) in (str, bytes) for item in column.items)
    ):
        array = np.empty(len(column), object)
        array[:] = column.rows()
        array.flags.writeable = False
        return array
    return None
