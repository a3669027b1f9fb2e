"""Block: a run of consecutive elements stored column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, column_of, concat_columns
from feedline.errors import SpecError
from feedline.ids import Ids
from feedline.kernels.byte_rows import Empty
from feedline.structure import Structure, split_values, structure_of

__all__ = ["Block"]


@dataclass(frozen=True, slots=True)
class Block:
    """Columns of equal length; row ``i`` of every column belongs to element ``i``.

    ``ids`` is None where no operator of the plan draws random numbers by element.
    """

    structure: Structure
    columns: tuple[Column, ...]
    length: int
    ids: Ids | None = None
    _nbytes: int | None = field(default=None, init=False, repr=False, compare=False)

    def __len__(self) -> int:
        return self.length

    @property
    def nbytes(self) -> int:
        """About how much memory the elements take, as found when this is asked for first."""
        nbytes = self._nbytes
        if nbytes is None:
            nbytes = sum([column.nbytes for column in self.columns])
            object.__setattr__(self, "_nbytes", nbytes)
        return nbytes

    @staticmethod
    def of(values: list[Any], ids: Ids | None = None, like: Structure | None = None) -> Block:
        """Return the block of some elements, which must have one structure. Arrays are copied.

        Example:
            >>> Block.of([(1, b"x"), (2, b"y")]).rows()
            [(np.int32(1), b'x'), (np.int32(2), b'y')]
        """
        structure = structure_of(values[0]) if like is None else like
        columns = tuple(column_of(leaf).owned() for leaf in split_values(values, structure))
        return Block(structure, columns, len(values), ids)

    def rows(self) -> list[Any]:
        """Return the elements."""
        return self.structure.pack_rows([column.rows() for column in self.columns], self.length)

    def elements(self) -> list[Any]:
        """Return the elements as users see them: their leaves are tensors."""
        return self.structure.pack_rows([c.elements() for c in self.columns], self.length)

    def private_elements(self) -> list[Any]:
        """Return the same in memory that a user's function may change."""
        leaves = [column.private_elements() for column in self.columns]
        return self.structure.pack_rows(leaves, self.length)

    def slice(self, start: int, stop: int) -> Block:
        """Return a view of the elements from ``start`` to ``stop``."""
        if start == 0 and stop >= self.length:
            return self
        stop = min(stop, self.length)
        columns = tuple(column.slice(start, stop) for column in self.columns)
        ids = None if self.ids is None else self.ids[start:stop]
        return Block(self.structure, columns, stop - start, ids)

    def take(self, index: NDArray[Any]) -> Block:
        """Return the elements at ``index``, in that order."""
        columns = tuple(column.take(index) for column in self.columns)
        ids = None if self.ids is None else self.ids[index]
        return Block(self.structure, columns, len(index), ids)

    def select(self, keep: NDArray[np.bool_]) -> Block:
        """Return the elements where ``keep`` is true."""
        return self if keep.all() else self.take(np.flatnonzero(keep))

    def read_only(self) -> Block:
        """Return the same elements, protected from changes in place."""
        return replace(self, columns=tuple(column.read_only() for column in self.columns))

    @staticmethod
    def concat(blocks: Sequence[Block], empty: Empty = np.empty) -> Block:
        """Return one block with the elements of all ``blocks``, of which there is at least one.

        ``empty`` returns memory for byte strings, as np.empty() does.
        """
        if len(blocks) == 1:
            return blocks[0]
        first = blocks[0]
        aligned = [first, *(block.aligned(first.structure) for block in blocks[1:])]
        by_leaf = zip(*(block.columns for block in aligned), strict=True)
        ids = None
        if first.ids is not None:
            ids = np.concatenate([block.ids for block in blocks if block.ids is not None])
        columns = tuple(concat_columns(columns, empty) for columns in by_leaf)
        return Block(first.structure, columns, sum(map(len, blocks)), ids)

    def aligned(self, structure: Structure) -> Block:
        """Return the block with its dict keys in the order of ``structure``."""
        if self.structure == structure:
            return self
        if self.structure.aligned(structure) is None:
            raise SpecError(
                f"elements must all have one structure: {structure} was seen first, "
                f"then {self.structure}."
            )
        numbered = self.structure.pack(range(self.structure.num_leaves))
        order = structure.flatten(numbered)
        return Block(structure, tuple(self.columns[i] for i in order), self.length, self.ids)
