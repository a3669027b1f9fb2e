"""replay: reading again from the start what was read before a resume.

For operators whose memory of their input cannot be saved, because it is as large as the
data or of a kind that has no exact text. They read the input a second time up to where
they were, rebuild what they knew, and go on with the input that was restored.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from feedline.errors import CheckpointError

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.stream import Stream

__all__ = ["read_again"]

# How many elements are read at once.
_RUN = 1 << 10


def read_again(stream: Stream, count: int) -> Iterator[Block]:
    """Yield the first ``count`` elements of a fresh stream.

    What fails on the way failed at the first reading too, and was raised then.
    """
    while (left := count - stream.position) > 0:
        try:
            block = stream.pull(min(left, _RUN))
        except CheckpointError:
            raise
        except Exception:
            continue
        if block is None:
            raise CheckpointError(
                f"the input ends after {stream.position} elements, but {count} were read when "
                "the state was saved."
            )
        yield block
