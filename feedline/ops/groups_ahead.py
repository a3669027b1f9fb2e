"""groups_ahead: groups of rows read by threads while those before them are used.

Order    is the caller's: a group is what reading it gives, whoever reads it, and when.
Bounded  by bytes, as a file tells them, and by the number of threads.
Closed   no thread is left, and nothing that was read.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from feedline.machine import available_cpus
from feedline.parallel.finalising import finalise

if TYPE_CHECKING:
    from feedline.block import Block

__all__ = ["GroupsAhead"]

# What may be in memory that nobody has asked for yet.
_MOST_BYTES = 1 << 26
_MOST_THREADS = 4


class GroupsAhead:
    """The groups of one file that come next.

    Args:
        sizes: About how many bytes each group takes.
        read: Reads one group; called by several threads at once. It must not know this object,
            or a thread would keep alive what ends it.
    """

    def __init__(self, sizes: Sequence[int], read: Callable[[int], Block]) -> None:
        self._sizes = sizes
        self._read = read
        self._pool: ThreadPoolExecutor | None = None
        self._coming: OrderedDict[int, Future[Block]] = OrderedDict()

    def follow(self, number: int) -> None:
        """Have the groups after this one read."""
        for passed in [n for n in self._coming if not number <= n <= number + _threads()]:
            self._coming.pop(passed).cancel()  # others are wanted now
        waiting = sum(self._sizes[n] for n in self._coming)
        for coming in range(number + 1, min(number + 1 + _threads(), len(self._sizes))):
            if coming not in self._coming:
                waiting += self._sizes[coming]
                if waiting > _MOST_BYTES:
                    return
                self._coming[coming] = self._started().submit(self._read, coming)

    def _started(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(_threads(), thread_name_prefix="feedline-groups")
        return self._pool

    def take(self, number: int) -> Block | None:
        """Return a group when it is there; None if it was not asked for."""
        future = self._coming.pop(number, None)
        return None if future is None else future.result()

    def close(self) -> None:
        """Wait for what is being read, and drop it."""
        pool, self._pool = self._pool, None
        self._coming.clear()
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def __del__(self) -> None:
        finalise(self.close)


def _threads() -> int:
    return min(available_cpus(), _MOST_THREADS)
