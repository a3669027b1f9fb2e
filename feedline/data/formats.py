"""formats: datasets that read formats which tf.data does not know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from feedline.data.files import FileDataset
from feedline.ops.json_lines_dataset import json_lines_dataset
from feedline.ops.numpy_file_dataset import numpy_file_dataset
from feedline.ops.tar_dataset import tar_dataset

__all__ = ["JsonLinesDataset", "NumpyFileDataset", "TarDataset"]


class JsonLinesDataset(FileDataset[Any]):
    r"""The values of files with a JSON value on every line; lines with nothing are passed over.

    Objects are dicts, lists are arrays, numbers are int64 and float64, as far as
    ``output_signature`` does not say otherwise.

    Args:
        filenames: A name, a list or array of names, or a dataset of names.
        output_signature: The spec of an element. Values are converted to its dtypes, and keys of
            objects that are not in it are left out. By default, the first values tell.
        compression_type: "GZIP", "ZLIB", or None for none.
        buffer_size: How many bytes are read at once; 0 or None for 256 KiB.
        num_parallel_reads: How many files are read in turn, a value of each; AUTOTUNE for 16,
            None for one file after the other.
        name: Shown in plans and errors.

    Example:
        >>> import tempfile
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     _ = file.write(b'{"x": 1, "s": "a"}\n{"x": 2, "s": "b"}\n')
        ...     file.flush()
        ...     list(tf.data.JsonLinesDataset(file.name))
        [{'x': np.int64(1), 's': 'a'}, {'x': np.int64(2), 's': 'b'}]
    """

    def __init__(
        self,
        filenames: Any,
        output_signature: Any = None,
        compression_type: str | None = None,
        buffer_size: int | None = None,
        num_parallel_reads: int | None = None,
        name: str | None = None,
    ) -> None:
        node = json_lines_dataset(
            filenames, output_signature, compression_type, buffer_size, num_parallel_reads, name
        )
        super().__init__(node)


class NumpyFileDataset(FileDataset[Any]):
    """The rows of arrays in .npy files, or dicts of the rows of the arrays in .npz files.

    A .npy file is mapped into memory, a .npz file is read into it; ``ds[i]`` reads any row.
    Arrays of Python objects are refused: loading them could run code.

    Args:
        filenames: A name, a list or array of names, or a dataset of names.
        num_parallel_reads: How many files are read in turn, a row of each; AUTOTUNE for 16,
            None for one file after the other.
        name: Shown in plans and errors.

    Example:
        >>> import tempfile
        >>> import numpy as np
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        ...     np.save(file.name, np.eye(2))
        ...     list(tf.data.NumpyFileDataset(file.name))
        [array([1., 0.]), array([0., 1.])]
    """

    def __init__(
        self, filenames: Any, num_parallel_reads: int | None = None, name: str | None = None
    ) -> None:
        super().__init__(numpy_file_dataset(filenames, num_parallel_reads, name))


class TarDataset(FileDataset[dict[str, Any]]):
    """The samples of tar files, as WebDataset has them.

    Members that follow each other and have the same name up to its first dot are one sample: a
    dict with that name as ``"__key__"`` and the bytes of every member by its extension. Names
    are only keys: nothing is written, and no path is followed.

    Args:
        filenames: A name, a list or array of names, or a dataset of names.
        extensions: Those that an element has, all of which must be there; by default, all that
            a sample has.
        decoders: By extension, what makes a value of bytes.
        compression_type: "GZIP", "ZLIB", or None for none.
        num_parallel_reads: How many files are read in turn, a sample of each; AUTOTUNE for 16,
            None for one file after the other.
        name: Shown in plans and errors.

    Example:
        >>> import io, tarfile, tempfile
        >>> import feedline as tf
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     with tarfile.open(file.name, "w") as tar:
        ...         for name, data in [("a.txt", b"text"), ("a.cls", b"7")]:
        ...             member = tarfile.TarInfo(name)
        ...             member.size = len(data)
        ...             tar.addfile(member, io.BytesIO(data))
        ...     list(tf.data.TarDataset(file.name, decoders={"cls": int}))
        [{'__key__': 'a', 'txt': b'text', 'cls': np.int64(7)}]
    """

    def __init__(
        self,
        filenames: Any,
        extensions: Iterable[str] | None = None,
        decoders: Mapping[str, Callable[[bytes], Any]] | None = None,
        compression_type: str | None = None,
        num_parallel_reads: int | None = None,
        name: str | None = None,
    ) -> None:
        node = tar_dataset(
            filenames, extensions, decoders, compression_type, num_parallel_reads, name
        )
        super().__init__(node)
