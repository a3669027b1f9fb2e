"""Room: how many elements and bytes may be ready before they are asked for.

Memory is one account for the whole pipeline. When it is full nothing is computed ahead any
more; what is asked for is still computed, so the pipeline slows down and goes on.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from feedline.parallel.heap import give_back_freed, keep_freed, return_large_at_once

if TYPE_CHECKING:
    from feedline.block import Block

__all__ = ["Memory", "Room"]

_NO_LIMIT = 1 << 62
# Which part of what may be held may have been freed, before that goes back to the system.
_FREED_SHARE = 8
# What making a block takes, in blocks: what it is made of, what a function returns, and itself.
_MAKING = 3


@dataclass(slots=True, weakref_slot=True, eq=False)
class Memory:
    """Bytes held ready by all steps of a pipeline together.

    ``is_rationed``: somebody set the limit, so that what was freed must not be kept either.
    """

    limit: int = _NO_LIMIT
    is_rationed: bool = False
    held: int = 0
    most_held: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    _freed: int = 0

    def __post_init__(self) -> None:
        # That is for the whole program: who must not keep it comes first.
        if self.is_rationed:
            _RATIONED.add(self)
            return_large_at_once()
        elif not _RATIONED:
            keep_freed()

    def add(self, nbytes: int) -> None:
        """Count bytes that are held from now on, or no longer if negative."""
        with self.lock:
            self.held += nbytes
            self.most_held = max(self.most_held, self.held)
            self._freed -= min(nbytes, 0)
            if not self.is_rationed or self._freed < self.limit // _FREED_SHARE:
                return
            self._freed = 0
        give_back_freed()

    @property
    def is_full(self) -> bool:
        """Whether nothing more may be made ready."""
        return self.held >= self.limit

    def fits(self, nbytes: int) -> bool:
        """Whether so many bytes more may be held: while they are made they take memory too."""
        return self.held + nbytes < self.limit


_RATIONED: weakref.WeakSet[Memory] = weakref.WeakSet()


class Room:
    """What one step may have ready.

    Args:
        memory: The account of the pipeline.
        elements: How many, if the user said so; otherwise ``depth`` says how many blocks.
    """

    def __init__(self, memory: Memory, elements: int | None = None) -> None:
        self._memory = memory
        self._elements = elements
        self._held_elements = 0
        self._held_blocks = 0
        # Blocks; turned by the tuner. None at all: every block is computed when it is asked for.
        self.depth = 0
        # How long, and how often, the reader waited because nothing was ready.
        self.waited_ns = 0
        self.waits = 0
        self.takes = 0
        # What the largest block took.
        self._largest = 0
        # The fewest and the most blocks that were ready, since look() was called.
        self._least: int | None = None
        self._most = 0

    @property
    def is_fixed(self) -> bool:
        """Whether the user said how much may be ready."""
        return self._elements is not None

    @property
    def is_open(self) -> bool:
        """Whether one more block may be made ready."""
        if self.is_starved:
            return False
        if self._elements is not None:
            return self._held_elements < self._elements
        return self._held_blocks < self.depth

    @property
    def most_elements(self) -> int:
        """How many elements the next block may have."""
        return _NO_LIMIT if self._elements is None else self._elements - self._held_elements

    @contextmanager
    def making(self) -> Iterator[None]:
        """Count a block that is being made, and what it is made of, by what was largest so far."""
        expected = _MAKING * self._largest
        self._memory.add(expected)
        try:
            yield
        finally:
            self._memory.add(-expected)

    def enter(self, block: Block) -> None:
        """Count a block that became ready."""
        nbytes = block.nbytes
        with self._memory.lock:
            self._largest = max(self._largest, nbytes)
            self._held_elements += block.length
            self._held_blocks += 1
        self._memory.add(nbytes)

    def leave(self, block: Block) -> None:
        """Count a block that was taken."""
        with self._memory.lock:
            self._most = max(self._most, self._held_blocks)
            self._held_elements -= block.length
            self._held_blocks -= 1
            self._least = (
                self._held_blocks if self._least is None else min(self._least, self._held_blocks)
            )
            self.takes += 1
        self._memory.add(-block.nbytes)

    def look(self) -> tuple[int, int]:
        """Return the fewest and the most blocks that were ready since the last look."""
        with self._memory.lock:
            least = self._held_blocks if self._least is None else self._least
            most = max(self._most, self._held_blocks)
            self._least, self._most = None, 0
        return least, most

    @property
    def is_starved(self) -> bool:
        """Whether it is memory that keeps more from being ready."""
        return not self._memory.fits((_MAKING + 1) * self._largest)  # the reader has one in hand

    @property
    def held_blocks(self) -> int:
        """How many blocks are ready."""
        return self._held_blocks

    def waited(self, elapsed_ns: int) -> None:
        """Note that nothing was ready when it was asked for."""
        self.waited_ns += elapsed_ns
        self.waits += 1
