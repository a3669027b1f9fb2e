"""gfile_object: GFile, a file opened by name, here or at any URL that fsspec knows."""

from __future__ import annotations

import os
from importlib import import_module
from types import TracebackType
from typing import Any, Self

from feedline.errors import BuildError, BuildTypeError, FileError, NotFoundError
from feedline.files import is_remote
from feedline.files.paths import local_path

__all__ = ["GFile"]

_MODES = ("r", "w", "a", "r+", "w+", "a+")


class GFile:
    """A file for reading or writing, text or bytes, opened when it is first used.

    Text is UTF-8, and ends of lines are what they are. Counts and places are in bytes.

    Args:
        name: A path, or a URL that fsspec knows.
        mode: "r", "w", "a", "r+", "w+" or "a+", with a "b" for bytes instead of text.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with GFile(f"{folder}/x", "w") as file:
        ...         _ = file.write("some text")
        ...     GFile(f"{folder}/x").read()
        'some text'
    """

    def __init__(self, name: Any, mode: str = "r") -> None:
        self._name = os.fsdecode(name)
        self._mode = mode
        plain = mode.replace("b", "", 1) if isinstance(mode, str) else mode
        if plain not in _MODES:
            allowed = ", ".join(repr(known) for known in _MODES)
            raise BuildError(
                f"GFile(): mode must be one of {allowed}, or with a 'b', got {mode!r}."
            )
        self._is_text = "b" not in mode
        self._plain = plain
        self._file: Any = None

    @property
    def name(self) -> str:
        """What was opened."""
        return self._name

    @property
    def mode(self) -> str:
        """How it was opened."""
        return self._mode

    def _opened(self) -> Any:
        if self._file is None:
            mode = f"{self._plain}b"
            try:
                if is_remote(self._name):
                    self._file = import_module("feedline.files.remote_tree").opened(
                        self._name, mode
                    )
                else:
                    self._file = open(local_path(self._name), mode)  # noqa: SIM115
            except FileNotFoundError:
                raise NotFoundError(f"{self._name}: there is no such file or folder.") from None
            except (OSError, ValueError, NotImplementedError) as error:
                reason = getattr(error, "strerror", None) or error
                raise FileError(f"{self._name}: {reason}.") from error
        return self._file

    def _for_reading(self) -> Any:
        if self._plain in ("w", "a"):
            raise FileError(f"{self._name}: the file is open for writing alone, by {self._mode!r}.")
        return self._opened()

    def _as_given(self, data: bytes) -> Any:
        return data.decode() if self._is_text else data

    def read(self, n: int = -1) -> Any:
        """Return ``n`` bytes, as text or bytes; all that is left if it is negative."""
        return self._as_given(self._for_reading().read(n))

    def readline(self) -> Any:
        """Return the next line with its end; nothing at the end of the file."""
        return self._as_given(self._for_reading().readline())

    def readlines(self) -> list[Any]:
        """Return all lines that are left."""
        return list(self)

    def __iter__(self) -> GFile:
        return self

    def __next__(self) -> Any:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    next = __next__

    def write(self, file_content: Any) -> None:
        """Write text or bytes."""
        if self._plain == "r":
            raise FileError(f"{self._name}: the file is open for reading alone, by {self._mode!r}.")
        if isinstance(file_content, str):
            file_content = file_content.encode()
        if not isinstance(file_content, (bytes, bytearray, memoryview)):
            raise BuildTypeError(
                f"GFile.write(): file_content must be str or bytes, got {file_content!r} of type "
                f"{type(file_content).__name__}."
            )
        self._opened().write(file_content)

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Go to a place, counted from the start (0), from here (1) or from the end (2).

        Args:
            offset: How far.
            whence: From where.
            position: The older name of ``offset``.
        """
        if (offset is None) == (position is None):
            raise BuildTypeError("seek(): offset must be given.")
        self._opened().seek(position if offset is None else offset, whence)

    def tell(self) -> int:
        """Return the place."""
        return int(self._opened().tell())

    def seekable(self) -> bool:
        """Return True: places can be gone to."""
        return True

    def size(self) -> int:
        """Return the length of the file."""
        file = self._opened()
        here = file.tell()
        length = int(file.seek(0, 2))
        file.seek(here)
        return length

    def flush(self) -> None:
        """Have what was written reach the file."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Close the file; what was written is there now."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # tf.io.gfile.GFile(name).read() is how it is written everywhere.
        if getattr(self, "_file", None) is not None:
            self.close()
