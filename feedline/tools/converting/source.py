"""source: data that can be converted, gone through once to plan and piece by piece to write.

A source is small and can be pickled: every piece may be read in another process.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from feedline.tools.example_bytes import Values

__all__ = ["Piece", "Source", "Step"]


class Step(NamedTuple):
    """One record met while planning: where it ends, and about how long it will be.

    ``stop`` is a number that this source can go on from: a byte, a row, a file.
    """

    path: str
    stop: int
    size: int


class Piece(NamedTuple):
    """Neighbouring records of one file."""

    path: str
    start: int
    stop: int
    records: int


class Source(ABC):
    """One kind of data.

    Attributes:
        kind: Its name.
        holds_gil: Whether records are made by Python code, which threads cannot share.
    """

    kind: str
    holds_gil: bool = True

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths

    @abstractmethod
    def survey(self) -> Iterator[Step]:
        """Go through everything once: where records end, and what their columns are."""

    @abstractmethod
    def records(self, piece: Piece) -> Iterator[Mapping[str, Values]]:
        """Yield the records of a piece as features."""

    @abstractmethod
    def files(self) -> list[str]:
        """Return the files whose change makes a plan worthless."""

    @abstractmethod
    def columns(self) -> dict[str, str]:
        """Return the names of features and what they hold, known after the survey."""

    def notes(self) -> dict[str, str]:
        """Return small texts to put beside the files, by the ends of their names."""
        return {}

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return what the survey found, as JSON can hold it."""

    @abstractmethod
    def restore(self, state: dict[str, Any]) -> None:
        """Take over what an earlier survey found."""
