"""text_file: the lines of a text file as the pairs of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError, check_at_least
from feedline.io.whole_files import read_file
from feedline.lookup.initializers import Initializer
from feedline.spec import TensorSpec, string
from feedline.values.tensor import as_plain

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["TextFileIndex", "TextFileInitializer"]

_CALL = "TextFileInitializer()"


class TextFileIndex:
    """What a key or value is made of, besides the number of a column."""

    LINE_NUMBER = -1
    WHOLE_LINE = -2


class TextFileInitializer(Initializer):
    r"""The lines of a file, to fill a table with: columns, whole lines, or their numbers.

    The file is read when the table is made.

    Args:
        filename: A path, or a URL that fsspec knows.
        key_dtype: An integer dtype, or string.
        key_index: A column from 0 on, TextFileIndex.WHOLE_LINE, or TextFileIndex.LINE_NUMBER,
            for which the dtype must be int64.
        value_dtype: A dtype.
        value_index: As for keys.
        vocab_size: How many lines to read; the file must have as many. All of them by default.
        delimiter: What stands between columns.
        name: Has no effect.
        value_index_offset: The number of the first line, where values are numbers of lines.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile("w") as file:
        ...     print("emerson\nlake\npalmer", file=file, flush=True)
        ...     lines = tf.lookup.TextFileInitializer(
        ...         file.name, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
        ...         tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
        ...     table = tf.lookup.StaticHashTable(lines, default_value=-1)
        >>> table.lookup(["lake", "and"]).tolist()
        [1, -1]
    """

    def __init__(  # noqa: PLR0913  (TensorFlow's signature)
        self,
        filename: Any,
        key_dtype: Any,
        key_index: int,
        value_dtype: Any,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
        value_index_offset: int = 0,
    ) -> None:
        self._keys = _checked("key", key_dtype, key_index)
        self._values = _checked("value", value_dtype, value_index)
        if self._keys.kind not in "iuO":
            raise BuildTypeError(f"{_CALL}: key_dtype must be integer or string, got {self._keys}.")
        if vocab_size is not None:
            vocab_size = check_at_least(_CALL, "vocab_size", vocab_size, 1)
        self._path = as_plain(filename)
        self._indices = key_index, value_index
        self._size = vocab_size
        self._delimiter = delimiter.encode() if isinstance(delimiter, str) else delimiter
        self._offset = value_index_offset

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Yield the keys and values."""
        key, value = self._indices
        number = -1
        for number, line in enumerate(self._lines()):
            if number == self._size:
                return
            if not line:
                raise InvalidArgumentError(
                    f"{_CALL}: line {number + 1} of {self._path} must not be empty."
                )
            columns = line.split(self._delimiter) if max(key, value) >= 0 else []
            of_key = self._item(key, self._keys, number, line, columns)
            if value == TextFileIndex.LINE_NUMBER:
                yield of_key, number + self._offset
            else:
                yield of_key, self._item(value, self._values, number, line, columns)
        if self._size is not None and number + 1 != self._size:
            raise InvalidArgumentError(
                f"{_CALL}: vocab_size is {self._size}, but {self._path} has {number + 1} lines."
            )

    def _lines(self) -> Iterator[bytes]:
        lines = read_file(self._path).replace(b"\r", b"").split(b"\n")
        yield from lines[:-1] if not lines[-1] else lines

    def _item(
        self, index: int, dtype: np.dtype[Any], number: int, line: bytes, columns: list[bytes]
    ) -> Any:
        if index == TextFileIndex.LINE_NUMBER:
            return number
        if index != TextFileIndex.WHOLE_LINE and index >= len(columns):
            raise InvalidArgumentError(
                f"{_CALL}: line {number + 1} of {self._path} must have more than {index} columns "
                f"between {self._delimiter!r}, got {len(columns)}."
            )
        text = line if index == TextFileIndex.WHOLE_LINE else columns[index]
        if dtype == string:
            return text
        try:
            return int(text) if dtype.kind in "iu" else dtype.type(text)
        except ValueError:
            raise InvalidArgumentError(
                f"{_CALL}: line {number + 1} of {self._path} must have a {dtype}, got {text!r}."
            ) from None


def _checked(what: str, dtype: Any, index: int) -> np.dtype[Any]:
    found = TensorSpec((), dtype).dtype
    if index < TextFileIndex.WHOLE_LINE:
        raise BuildError(f"{_CALL}: {what}_index must be at least -2, got {index}.")
    if index == TextFileIndex.LINE_NUMBER and found != np.int64:
        raise BuildError(f"{_CALL}: {what}_dtype of line numbers must be int64, got {found}.")
    if index == TextFileIndex.WHOLE_LINE and found.kind not in "iuO":
        raise BuildError(
            f"{_CALL}: {what}_dtype of whole lines must be integer or string, got {found}."
        )
    return found
