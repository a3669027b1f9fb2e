"""numpy_file_dataset: the rows of arrays in .npy and .npz files."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from io import BytesIO, RawIOBase
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import column_of_slices
from feedline.errors import DataLossError, DecodeError, InvalidArgumentError
from feedline.files import File, open_seekable
from feedline.files.seekable import SeekableFile
from feedline.ops.file_access import FileAccess, FileCursorExec, FilesAccess, files_access
from feedline.ops.file_source import FileSourceNode, check_parallel_reads, names_node
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.engine.run import Run

__all__ = ["NumpyFileDatasetNode", "numpy_file_dataset"]

_CALL = "NumpyFileDataset()"
# What a header may take: those that NumPy writes have 128 bytes, with many fields some more.
_HEADER_BYTES = 1 << 16


# ---- what the user calls ---------------------------------------------------


def numpy_file_dataset(
    filenames: Any, num_parallel_reads: int | None = None, name: str | None = None
) -> NumpyFileDatasetNode:
    """Return the plan of ``feedline.data.NumpyFileDataset``, which says what the arguments are."""
    return NumpyFileDatasetNode(
        names_node(_CALL, filenames),
        cycle_length=check_parallel_reads(_CALL, num_parallel_reads),
        name=name,
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class NumpyFileDatasetNode(FileSourceNode):
    """The rows of the arrays in files."""

    def reader(self, path: str, run: Run) -> FileCursorExec:
        """Compute where rows are."""
        return FileCursorExec(rows_of, self, path, run)

    def access(self, run: Run) -> FilesAccess | None:
        """Compute where rows are, if one file comes after the other."""
        return files_access(self, run, rows_of)


# ---- what runs -------------------------------------------------------------


def rows_of(path: str, run: Run) -> FileAccess:
    """Open a file; which kind it is, its first bytes say."""
    file = open_seekable(path)
    try:
        head = file.read(0, 6)
        if head[:4] == b"PK\x03\x04" or head[:4] == b"PK\x05\x06":
            return NpzRows(file, run)
        return NpyRows(file, run)
    except BaseException:
        file.close()
        raise


class NpyRows(FileAccess):
    """The rows of one array."""

    def __init__(self, file: File, run: Run) -> None:
        super().__init__(run)
        self._file = file
        shape, is_fortran, self._dtype, self._first = _header(file)
        self._length, self._shape = shape[0], shape[1:]
        self._row_bytes = self._dtype.itemsize * int(np.prod(self._shape, dtype=np.int64))
        if file.size() - self._first < self._length * self._row_bytes:
            raise DataLossError(
                f"{file.path}: an array of shape {shape} and dtype {self._dtype} needs "
                f"{self._length * self._row_bytes} bytes, the file has {file.size() - self._first} "
                "after its header. It is truncated: write or copy it again."
            )
        self._is_fortran = is_fortran

    def __len__(self) -> int:
        return self._length

    def elements(self, start: int, stop: int) -> Block:
        """Read the rows."""
        if not self._is_fortran:
            return self.elements_at(np.arange(start, stop))
        # The numbers of many rows that have one place in them lie one after the other.
        count, width = stop - start, self._dtype.itemsize
        places = np.arange(self._row_bytes // width if width else 0)
        starts = self._first + (places * self._length + start) * width
        data = self._file.read_rows(starts, count * width).view(self._dtype)
        return _block(np.ascontiguousarray(data.reshape(*self._shape[::-1], count).T))

    def elements_at(self, index: NDArray[np.int64]) -> Block:
        """Read rows that lie anywhere."""
        if self._is_fortran:
            return super().elements_at(index)
        if not self._row_bytes:
            return _block(np.empty((len(index), *self._shape), self._dtype))
        data = self._file.read_rows(self._first + index * self._row_bytes, self._row_bytes)
        return _block(data.view(self._dtype).reshape(len(index), *self._shape))

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


class NpzRows(FileAccess):
    """The rows of several arrays of one length, which are read into memory."""

    def __init__(self, file: File, run: Run) -> None:
        super().__init__(run)
        arrays = _arrays_of(file)
        file.close()
        lengths = {name: len(array) for name, array in arrays.items()}
        if len(set(lengths.values())) > 1:
            raise InvalidArgumentError(
                f"{file.path}: all arrays must be equally long, they have {lengths} rows."
            )
        structure = structure_of(arrays)
        self._length = next(iter(lengths.values()), 0)
        columns = tuple(column_of_slices(array) for array in arrays.values())
        self._block = Block(structure, columns, self._length).read_only()

    def __len__(self) -> int:
        return self._length

    def elements(self, start: int, stop: int) -> Block:
        """Return a view."""
        return self._block.slice(start, stop)

    def elements_at(self, index: NDArray[np.int64]) -> Block:
        """Gather rows."""
        return self._block.take(index)


def _block(rows: NDArray[Any]) -> Block:
    return Block(structure_of(0), (column_of_slices(rows),), len(rows))


def _arrays_of(file: File) -> dict[str, NDArray[Any]]:
    arrays = {}
    source: RawIOBase = SeekableFile(file)
    try:
        with zipfile.ZipFile(source) as packed:
            for name in packed.namelist():
                if name.endswith(".npy"):
                    with packed.open(name) as entry:
                        array = npy.read_array(entry, allow_pickle=False)
                    key = name.removesuffix(".npy")
                    arrays[key] = _checked(array, f"{file.path}, array {key!r}")
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise DataLossError(
            f"{file.path}: the .npz file is damaged: {error}. Write or copy it again."
        ) from error
    except ValueError as error:
        raise DecodeError(f"{file.path}: {error}. {_SAFE}") from error
    if not arrays:
        raise InvalidArgumentError(f"{file.path}: the file holds no arrays.")
    return arrays


_SAFE = "Arrays of Python objects are not read: loading them could run code."


def _header(file: File) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """Return shape, order and dtype of the array in a .npy file, and where its numbers begin."""
    start = BytesIO(file.read(0, _HEADER_BYTES))
    try:
        version = npy.read_magic(start)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, is_fortran, dtype = read(start)
    except Exception as error:  # NumPy reads a header as Python code: anything may be wrong
        raise DecodeError(
            f"{file.path}: this is no .npy or .npz file: {error}. Write it with np.save()."
        ) from error
    where = f"{file.path}, the array"
    if dtype.hasobject:
        raise DecodeError(f"{file.path}: the array has dtype {dtype}. {_SAFE}")
    if not shape:
        raise InvalidArgumentError(f"{where} has no axis whose rows could be elements.")
    if any(length < 0 for length in shape):
        raise DataLossError(f"{where} has the shape {shape}. The file is damaged.")
    return shape, is_fortran, dtype, start.tell()


def _checked(array: NDArray[Any], where: str) -> NDArray[Any]:
    if not array.shape:
        raise InvalidArgumentError(f"{where} has no axis whose rows could be elements.")
    return array
