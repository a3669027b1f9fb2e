"""Mapper: a user's function applied to runs of elements, in whatever thread or process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from feedline.block import Block
from feedline.errors import SpecError

if TYPE_CHECKING:
    from feedline.engine.function import Function
    from feedline.engine.morsels import Piece
    from feedline.structure import Structure

__all__ = ["Mapper", "lists_as_tuples"]


@dataclass(frozen=True, slots=True)
class Mapper:
    """Makes blocks and failures of elements. Can be sent to another process."""

    function: Function
    key: int

    def __call__(self, block: Block, first: int) -> list[Piece]:
        """Return what comes of a run of elements, the first of which is at ``first``."""
        made = self.function.at_once(block, self.key)
        if made is not None:
            return [made]
        pieces: list[Piece] = []
        calls, done = None, 0
        try:
            while done < block.length:
                rest = block.slice(done, block.length)
                calls = self.function.each(rest, first + done, self.key)
                if calls.results:
                    length = len(calls.results)
                    results = lists_as_tuples(calls.results)
                    pieces += self.pieces_of(results, rest.slice(0, length), first + done)
                    done += length
                if calls.error is not None:
                    pieces.append(calls.error)
                    done += 1
            return pieces
        finally:
            # Tracebacks of what failed hold this frame: with these it would be a cycle.
            del pieces, calls

    def pieces_of(self, results: list[Any], block: Block, first: int) -> list[Piece]:
        """Return results as one piece, or one by one if they are not alike."""
        try:
            return [Block.of(results, block.ids)]
        except SpecError:
            return self.one_by_one(results, block, None, first)

    def one_by_one(
        self, results: list[Any], block: Block, structure: Structure | None, first: int
    ) -> list[Piece]:
        """Return a piece for each result, or a failure if it is not like those before it."""
        pieces: list[Piece] = []
        for number, result in enumerate(results):
            try:
                ids = block.slice(number, number + 1).ids
                piece = Block.of([result], ids, structure)
                structure = piece.structure
            except SpecError as error:
                self.function.note(error, first + number)
                pieces.append(error)
            else:
                pieces.append(piece)
        return pieces


def lists_as_tuples(results: list[Any]) -> list[Any]:
    """Return results with a list for a whole element as the tuple tf.data makes of it.

    A list inside a structure is an array.
    """
    if list in set(map(type, results)):
        return [tuple(result) if isinstance(result, list) else result for result in results]
    return results
