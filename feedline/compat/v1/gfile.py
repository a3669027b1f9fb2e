"""gfile: files and folders, under the names that ``tf.io.gfile`` had before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from feedline.io import gfile
from feedline.io.gfile import GFile
from feedline.namespace import open_namespace

__all__ = [
    "Copy",
    "DeleteRecursively",
    "Exists",
    "FastGFile",
    "GFile",
    "Glob",
    "IsDirectory",
    "ListDirectory",
    "MakeDirs",
    "MkDir",
    "Open",
    "Remove",
    "Rename",
    "Stat",
    "Walk",
]

Open = FastGFile = GFile


def Copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:  # noqa: N802
    """Do io.gfile.copy()."""
    gfile.copy(oldpath, newpath, overwrite)


def DeleteRecursively(dirname: Any) -> None:  # noqa: N802
    """Do io.gfile.rmtree()."""
    gfile.rmtree(dirname)


def Exists(filename: Any) -> bool:  # noqa: N802
    """Do io.gfile.exists().

    Example:
        >>> import feedline as tf
        >>> tf.compat.v1.gfile.Exists("/")
        True
    """
    return gfile.exists(filename)


def Glob(filename: Any) -> list[str]:  # noqa: N802
    """Do io.gfile.glob()."""
    return gfile.glob(filename)


def IsDirectory(dirname: Any) -> bool:  # noqa: N802
    """Do io.gfile.isdir()."""
    return gfile.isdir(dirname)


def ListDirectory(dirname: Any) -> list[str]:  # noqa: N802
    """Do io.gfile.listdir()."""
    return gfile.listdir(dirname)


def MakeDirs(dirname: Any) -> None:  # noqa: N802
    """Do io.gfile.makedirs()."""
    gfile.makedirs(dirname)


def MkDir(dirname: Any) -> None:  # noqa: N802
    """Do io.gfile.mkdir()."""
    gfile.mkdir(dirname)


def Remove(filename: Any) -> None:  # noqa: N802
    """Do io.gfile.remove()."""
    gfile.remove(filename)


def Rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:  # noqa: N802
    """Do io.gfile.rename()."""
    gfile.rename(oldname, newname, overwrite)


def Stat(filename: Any) -> gfile.FileStatistics:  # noqa: N802
    """Do io.gfile.stat()."""
    return gfile.stat(filename)


def Walk(top: Any, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:  # noqa: N802
    """Do io.gfile.walk(): ``in_order`` says that a folder comes before those in it."""
    return gfile.walk(top, topdown=in_order)


open_namespace(globals())
