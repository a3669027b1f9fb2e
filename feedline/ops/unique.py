"""unique: leave out elements that came before.

What was seen is never saved: it may be as large as the data. A resume reads the input
from the start again to know it, as far as it was read, and then continues where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from feedline.column import Column, Dense
from feedline.engine.exec import State, UnaryExec
from feedline.engine.replay import read_again
from feedline.errors import BuildError, BuildTypeError
from feedline.leaf import describe_leaf
from feedline.plan.declared import declared_spec
from feedline.plan.node import Traits, UnaryNode
from feedline.spec import TensorSpec, array_spec, spec_of, string
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["Unique", "unique"]

_DTYPES = (np.dtype(np.int32), np.dtype(np.int64), string)

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def unique(self: Dataset[T], name: str | None = None) -> Dataset[T]:
    """Return every element once, at the place where it first comes.

    Elements are single leaves of int32, int64 or strings. All different ones are held
    in memory.

    Args:
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> [int(x) for x in tf.data.Dataset.from_tensor_slices([1, 37, 2, 37, 2, 1]).unique()]
        [1, 37, 2]
    """
    spec = declared_spec(self.node)
    if spec is not None:
        _check_spec(spec)
    return self.then(Unique(self.node, name=name))


def _check_spec(spec: Any) -> None:
    leaves = structure_of(spec).flatten(spec)
    if len(leaves) != 1:
        raise BuildError(f"unique(): elements must have exactly one leaf, got {spec}.")
    leaf = array_spec(leaves[0])
    if not isinstance(leaf, TensorSpec) or leaf.dtype not in _DTYPES:
        raise BuildTypeError(
            f"unique(): elements must be int32, int64 or strings, got {leaf}. "
            "Convert them in a map() before."
        )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Unique(UnaryNode):
    """Every element once."""

    traits: ClassVar[Traits] = Traits(rows="fewer", keeps_order=True, keeps_values=True)

    def lower(self, run: Run) -> UniqueExec:
        """One set of all that was seen."""
        return UniqueExec(self, run)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class UniqueExec(UnaryExec):
    """The input, and what was seen of it."""

    def __init__(self, node: Unique, run: Run) -> None:
        super().__init__(run.open(node.input))
        self._node = node
        self._run = run
        self._seen: set[Any] = set()

    def pull(self, limit: int) -> Block | None:
        """Return those of the next elements that are new; read on if there are none."""
        while (block := self.input.pull(limit)) is not None:
            try:
                keys = _keys(block)
            except BuildError:
                # As if the elements had been read one by one.
                self.input.give_back(block.length - 1)
                raise
            keep = np.array([self._is_new(key) for key in keys], np.bool_)
            if keep.any():
                return block.select(keep)
        return None

    def _is_new(self, key: Any) -> bool:
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def resume(self, counters: State) -> None:
        """Look again at everything that was read, in a second reading of the input."""
        stream = self._run.open(self._node.input)
        for block in read_again(stream, self.input.position):
            self._seen.update(_keys(block))
        stream.close()


def _keys(block: Block) -> list[Any]:
    """Return what tells the elements apart, as values that can be hashed."""
    if len(block.columns) != 1:
        raise BuildError(f"unique(): elements must have exactly one leaf, got {block.structure}.")
    column = block.columns[0]
    if isinstance(column, Dense) and column.array.ndim == 1 and column.array.dtype in _DTYPES[:2]:
        keys: list[Any] = column.array.tolist()
        return keys
    return [_key(leaf) for leaf in _checked(column)]


def _checked(column: Column) -> list[Any]:
    rows = column.rows()
    for leaf in rows:
        spec = spec_of(leaf)
        known = isinstance(leaf, (str, bytes, np.ndarray, np.generic))
        if not known or spec.dtype not in _DTYPES:
            raise BuildTypeError(
                f"unique(): elements must be int32, int64 or strings, got {describe_leaf(leaf)}. "
                "Convert them in a map() before."
            )
    return rows


def _key(leaf: Any) -> Any:
    if isinstance(leaf, np.ndarray):
        return leaf.shape, tuple(leaf.ravel().tolist())
    return leaf.item() if isinstance(leaf, np.generic) else leaf
