"""gfile: files and folders by name, here or at any URL that fsspec knows.

TensorFlow's ``tf.io.gfile``. What goes wrong raises FileError, or one of those below it, with
the name of the file.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from feedline.errors import AlreadyExistsError, FeedlineError, FileError, NotFoundError
from feedline.files import is_remote, matching, paths_of
from feedline.files.paths import local_path
from feedline.io.gfile_object import GFile
from feedline.namespace import open_namespace

__all__ = [
    "FileStatistics",
    "GFile",
    "copy",
    "exists",
    "get_registered_schemes",
    "glob",
    "isdir",
    "join",
    "listdir",
    "makedirs",
    "mkdir",
    "remove",
    "rename",
    "rmtree",
    "stat",
    "walk",
]


@dataclass(frozen=True, slots=True)
class FileStatistics:
    """What stat() tells of a file or folder."""

    length: int
    mtime_nsec: int
    is_directory: bool


def _path(path: Any) -> str:
    return os.fsdecode(path)


def _tree() -> Any:
    # fsspec takes longer to load than Feedline itself.
    return import_module("feedline.files.remote_tree")


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Turn what an operating system or fsspec raises into our errors, with the name."""
    try:
        yield
    except FeedlineError:
        raise
    except FileNotFoundError:
        raise NotFoundError(f"{path}: there is no such file or folder.") from None
    except FileExistsError:
        raise AlreadyExistsError(f"{path} is there already.") from None
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}.") from error


def exists(path: Any) -> bool:
    """Return whether there is a file or folder.

    Example:
        >>> exists("/no/such/file")
        False
    """
    name = _path(path)
    with _named(name):
        return bool(_tree().exists(name)) if is_remote(name) else os.path.exists(local_path(name))


def isdir(path: Any) -> bool:
    """Return whether there is a folder."""
    name = _path(path)
    with _named(name):
        return bool(_tree().isdir(name)) if is_remote(name) else os.path.isdir(local_path(name))


def listdir(path: Any) -> list[str]:
    """Return the names in a folder, in no particular order."""
    name = _path(path)
    with _named(name):
        if is_remote(name):
            return list(_tree().listdir(name))
        if not os.path.isdir(local_path(name)):
            raise NotFoundError(f"{name}: there is no such folder.")
        return os.listdir(local_path(name))


def glob(pattern: Any) -> list[str]:
    """Return the files that match a pattern, or any of several: those of each one sorted."""
    return [path for each in paths_of(pattern, "glob()") for path in matching(each)]


def join(path: Any, *paths: Any) -> str:
    """Return parts of a path as one; a part that begins with ``/`` begins anew.

    Example:
        >>> join("gs://bucket", "folder", "file")
        'gs://bucket/folder/file'
    """
    return os.path.join(_path(path), *map(_path, paths))


def mkdir(path: Any) -> None:
    """Make a folder, if it is not there; the one above it must be."""
    name = _path(path)
    if not isdir(name):
        with _named(name):
            _tree().mkdir(name) if is_remote(name) else os.mkdir(local_path(name))


def makedirs(path: Any) -> None:
    """Make a folder and those above it, if they are not there."""
    name = _path(path)
    with _named(name):
        if is_remote(name):
            _tree().makedirs(name)
        else:
            os.makedirs(local_path(name), exist_ok=True)


def remove(path: Any) -> None:
    """Remove a file."""
    name = _path(path)
    if isdir(name):
        raise FileError(f"{name} is a folder, not a file. Use rmtree().")
    with _named(name):
        _tree().remove(name) if is_remote(name) else os.remove(local_path(name))


def rmtree(path: Any) -> None:
    """Remove a folder and everything in it, or a file."""
    name = _path(path)
    if not isdir(name):
        remove(name)
        return
    with _named(name):
        _tree().rmtree(name) if is_remote(name) else shutil.rmtree(local_path(name))


def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file, from and to anywhere.

    Args:
        src: The file.
        dst: Its copy.
        overwrite: Whether a file that is there may be replaced.
    """
    source, target = _path(src), _path(dst)
    _check_free(target, overwrite)
    with _named(source):
        if is_remote(source) or is_remote(target):
            _tree().copy(source, target)
        else:
            shutil.copyfile(local_path(source), local_path(target))


def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Give a file or folder another name.

    Args:
        src: The name it has.
        dst: The name it gets.
        overwrite: Whether a file that is there may be replaced.
    """
    source, target = _path(src), _path(dst)
    _check_free(target, overwrite)
    with _named(source):
        if is_remote(source) or is_remote(target):
            _tree().rename(source, target)
        else:
            os.replace(local_path(source), local_path(target))


def _check_free(path: str, overwrite: bool) -> None:
    if not overwrite and exists(path):
        raise AlreadyExistsError(f"{path} is there already. Say overwrite=True to replace it.")


def stat(path: Any) -> FileStatistics:
    """Return the length of a file, when it was changed, and whether it is a folder."""
    name = _path(path)
    with _named(name):
        if not is_remote(name):
            found = os.stat(local_path(name))
            return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(local_path(name)))
        about = _tree().info(name)
    changed = about.get("mtime") or about.get("LastModified") or about.get("created") or 0
    seconds = changed.timestamp() if hasattr(changed, "timestamp") else float(changed)
    is_folder = about.get("type") == "directory"
    return FileStatistics(int(about.get("size") or 0), int(seconds * 1e9), is_folder)


def walk(
    top: Any, topdown: bool = True, onerror: Callable[[Exception], Any] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield every folder from ``top`` on, as (its path, folders in it, files in it).

    Args:
        top: Where to begin.
        topdown: Whether a folder comes before those in it.
        onerror: Called with what a folder that cannot be read raises; it is passed over.
    """
    name = _path(top)
    try:
        names = sorted(listdir(name))
    except FileError as error:
        if onerror is not None:
            onerror(error)
        return
    inside = {entry: isdir(join(name, entry)) for entry in names}
    here = (
        name,
        [entry for entry in names if inside[entry]],
        [entry for entry in names if not inside[entry]],
    )
    if topdown:
        yield here
    for folder in here[1]:
        yield from walk(join(name, folder), topdown, onerror)
    if not topdown:
        yield here


def get_registered_schemes() -> list[str]:
    """Return the beginnings of URLs that can be opened, "" for paths without one."""
    registry = import_module("fsspec.registry")
    return ["", *sorted(registry.known_implementations)]


open_namespace(globals())
