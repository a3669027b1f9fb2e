"""text_column: a column of str in one buffer, decoded where somebody looks at the strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Dense, Objects, concat_columns
from feedline.kernels.text_rows import text_rows

__all__ = ["Texts"]


class Texts(Objects):
    """Text as UTF-8: steps that only pass strings on, or drop some, make no object for any.

    To everybody else it is a column of objects, which are made at the first look.

    Args:
        inner: The text, known to be UTF-8, string by string.
    """

    __slots__ = ("_decoded", "inner")

    def __init__(self, inner: Bytes) -> None:
        self.inner = inner
        self._decoded: list[Any] | None = None

    @property
    def items(self) -> list[Any]:  # type: ignore[override]
        """The strings."""
        if self._decoded is None:
            data = np.ascontiguousarray(self.inner.data)
            self._decoded = text_rows(data, self.inner.offsets)
        return self._decoded

    @property
    def is_decoded(self) -> bool:
        """Whether the strings were made."""
        return self._decoded is not None

    def __len__(self) -> int:
        return len(self.inner)

    def __reduce__(self) -> Any:
        offsets = self.inner.offsets
        used = self.inner.data[offsets[0] : offsets[-1]]
        return Texts, (Bytes(used, offsets - offsets[0]),)

    @property
    def nbytes(self) -> int:
        """The bytes in use."""
        return self.inner.nbytes

    def slice(self, start: int, stop: int) -> Texts:
        """Return a view: the buffer is shared whole, and what was decoded of it."""
        made = Texts(self.inner.slice(start, stop))
        if self._decoded is not None:
            made._decoded = self._decoded[start:stop]
        return made

    def take(self, index: NDArray[Any]) -> Objects:
        """Return a gathered copy, of the strings themselves if they were made already."""
        if self._decoded is not None:
            return Objects(self._decoded).take(index)
        return Texts(self.inner.take(index))

    def read_only(self) -> Texts:
        """Strings cannot be changed."""
        return self

    def owned(self) -> Texts:
        """Strings cannot be changed."""
        return self

    def group(self, size: int) -> Column:
        """Make the strings: arrays of them are of objects."""
        return Dense(np.fromiter(self.items, object, len(self))).group(size)

    def joined(self, columns: Sequence[Column]) -> Column | None:
        """Join the buffers; None where some of the strings were made already."""
        texts = [c for c in columns if isinstance(c, Texts) and not c.is_decoded]
        if len(texts) < len(columns):
            return None
        inner = concat_columns([column.inner for column in texts])
        return Texts(inner) if isinstance(inner, Bytes) else None
