"""lines: the lines of a file from any of them on, with their ends."""

from __future__ import annotations

from collections.abc import Iterator

from feedline.files import File

__all__ = ["lines_from"]


def lines_from(file: File, start: int) -> Iterator[bytes]:
    r"""Yield the lines that begin at a byte and after it; the last may have no end.

    Example:
        >>> import tempfile
        >>> from feedline.files import open_file
        >>> with tempfile.NamedTemporaryFile() as made:
        ...     _ = made.write(b"one\ntwo\nthree")
        ...     made.flush()
        ...     with open_file(made.name) as file:
        ...         list(lines_from(file, 4))
        [b'two\n', b'three']
    """
    parts: list[bytes] = []
    for chunk in file.chunks(start):
        lines = chunk.split(b"\n")
        if len(lines) == 1:
            parts.append(chunk)
            continue
        yield b"".join([*parts, lines[0], b"\n"])
        for line in lines[1:-1]:
            yield line + b"\n"
        parts = [lines[-1]]
    if last := b"".join(parts):
        yield last
