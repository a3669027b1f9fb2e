"""BlockSize: how many elements are asked for at once.

Starts at one element and grows while a block is cheap in time and small in memory: the
first element comes at once, and the cost per block soon does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feedline.block import Block

__all__ = ["BlockSize"]

# What a block should take at most.
_BLOCK_NS = 2_000_000
_MOST_ELEMENTS = 1 << 12
# What fits into a core's own cache, beside what it is made of. More than that only pays where
# less would be made in no time: going through the steps of a plan costs some ten microseconds.
_BLOCK_BYTES, _MOST_BYTES = 1 << 20, 1 << 22
_NO_TIME_NS = 400_000
# What took so many times as long as a block should tells what elements cost.
_LONG = 8


class BlockSize:
    """A number of elements that follows what they cost."""

    __slots__ = ("now", "target_ns")

    def __init__(self, target_ns: int = _BLOCK_NS) -> None:
        self.now = 1
        self.target_ns = target_ns

    def adapt(self, block: Block, elapsed_ns: int) -> None:
        """Aim at blocks of the time and memory above, by what an element of this one took."""
        self.adapt_to(block.length, block.nbytes, elapsed_ns)

    def adapt_to(self, length: int, nbytes: int, elapsed_ns: int) -> None:
        """The same, by numbers."""
        elapsed_ns, nbytes = max(elapsed_ns, 1), max(nbytes, 1)
        in_time = self.target_ns * length // elapsed_ns
        if elapsed_ns < _LONG * self.target_ns:
            in_time = max(in_time, self.now // 2)  # it may have been a file that was opened
        worth = min(_MOST_BYTES * length // nbytes, _NO_TIME_NS * length // elapsed_ns)
        in_memory = max(_BLOCK_BYTES * length // nbytes, worth)
        self.now = _even(max(1, min(2 * self.now, in_time, in_memory, _MOST_ELEMENTS)))


def _even(number: int) -> int:
    """Return the next lower of 1, 2, 3, 4, 6, 8, 12, 16, 24 and so on.

    So blocks of nearly the same cost have the same size, their memory can be used again, and
    what comes in halves or thirds of them comes in whole elements.
    """
    power: int = 1 << (number.bit_length() - 1)
    return power + power // 2 if 2 * number >= 3 * power else power
