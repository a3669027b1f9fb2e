"""limits: how much a value that comes out of a file may ask for.

A file of a few bytes can claim to be an image of billions of pixels. What may be believed is
a setting of the pipeline, and reaches the decoders through the thread that calls them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

__all__ = ["MAX_IMAGE_PIXELS", "MAX_LINE_BYTES", "image_pixels_limited", "max_image_pixels"]

MAX_IMAGE_PIXELS = 1 << 28
"""How many pixels an image may have, all its frames together, where nothing else was set."""

MAX_LINE_BYTES = 1 << 28
"""How long a line of a file may be, decompressed, where nothing else was set."""

_PIXELS: ContextVar[int] = ContextVar("feedline_max_image_pixels", default=MAX_IMAGE_PIXELS)

_NOTHING: AbstractContextManager[None] = nullcontext()


def max_image_pixels() -> int:
    """Return how many pixels an image may have that is decoded in this thread now."""
    return _PIXELS.get()


def image_pixels_limited(most: int | None) -> AbstractContextManager[None]:
    """Let images that are decoded inside have at most so many pixels; None changes nothing.

    Example:
        >>> with image_pixels_limited(100):
        ...     max_image_pixels()
        100
    """
    return _NOTHING if most is None else _limited(most)


@contextmanager
def _limited(most: int) -> Iterator[None]:
    token = _PIXELS.set(most)
    try:
        yield
    finally:
        _PIXELS.reset(token)
