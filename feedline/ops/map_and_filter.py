"""map_and_filter: a function of every element, of which a predicate keeps some.

No method makes this step: the rule map_and_filter_fusion does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from feedline.block import Block
from feedline.engine.each import EachExec
from feedline.ops.calling import CallingNode
from feedline.plan.node import Traits

if TYPE_CHECKING:
    from feedline.engine.run import Run
    from feedline.options import Options

__all__ = ["MapAndFilter"]


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class MapAndFilter(CallingNode):
    """The results of a function that a predicate wants; ``fn`` is a MapThenFilter."""

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True, calls_user=True)

    def lower(self, run: Run) -> MapAndFilterExec:
        """Elements do not meet: any number of workers could share them."""
        return MapAndFilterExec(run.open(self.input), self.function_in(run), run.key(self.number))

    def how_it_runs(self, inputs: Sequence[Any] | None, options: Options) -> str:
        """At once, or why not."""
        return self.how_function_runs(inputs, options)


# ---- what runs -------------------------------------------------------------


class MapAndFilterExec(EachExec):
    """Calls both functions and selects at once."""

    def pull(self, limit: int) -> Block | None:
        """Return the next results that are wanted; read on if there are none."""
        while (called := self.call_at_once(limit)) is not None:
            block, results = called
            pairs = results if isinstance(results, Block) else Block.of(results, block.ids)
            keep = np.array(pairs.columns[-1].rows(), np.bool_)
            if keep.any():
                structure, columns = pairs.structure.children[0], pairs.columns[:-1]
                return Block(structure, columns, pairs.length, pairs.ids).select(keep)
        return None
