"""index: where the records of a file begin, found once and kept.

An index is kept in the user's cache folder, under the name of the file, and belongs to one size,
time of change and sample of the content. Where nothing can be written it lives in memory alone.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from feedline.errors import FeedlineError
from feedline.files import File, is_remote, written_atomically
from feedline.files.cache_folder import cache_folder
from feedline.kernels.crc32c import crc32c
from feedline.kernels.tfrecord_scan import HEADER, tfrecord_scan
from feedline.tfrecord.damage import Place

__all__ = ["find_bounds", "index_path", "kept_bounds"]

Bounds = NDArray[np.int64]

_MAGIC = b"feedline tfrecord index 1\n"
_WHOLE = 1 << 20
_HEADERS = 1 << 12
_ALL = 1 << 62
_SAMPLE = 4096


def kept_bounds(file: File) -> Bounds:
    """Return where each frame of a file begins and the last one ends; kept for the next time."""
    path = index_path(file.path)
    key = _key(file)
    bounds = _loaded(path, key)
    if bounds is None:
        bounds = find_bounds(file)
        _store(path, key, bounds)
    return bounds


def find_bounds(file: File) -> Bounds:
    """Return the same, by going through the file from length to length."""
    size, at, number, step = file.size(), 0, 0, _WHOLE
    parts: list[Bounds] = []
    while at < size:
        data = np.frombuffer(file.read(at, step), np.uint8)
        bounds, damage, needed = tfrecord_scan(data, 0, _ALL, False)
        parts.append(bounds[:-1] + at)
        at += int(bounds[-1])
        number += len(bounds) - 1
        place = Place(file.path, number, at)
        if damage:
            raise place.bad_length(file.read(at, HEADER))
        if at == size:
            break
        if at + needed > size:
            raise place.truncated(size - at, needed)
        if needed > HEADER:
            # A record that begins in these bytes and ends behind them.
            parts.append(np.array([at], np.int64))
            at += needed
            number += 1
        # Long records are passed over without reading them.
        step = _HEADERS if needed > _WHOLE // 8 else _WHOLE
    return np.concatenate([*parts, np.array([at], np.int64)])


def index_path(path: str) -> str:
    """Return where the index of a file is kept."""
    name = path if is_remote(path) else os.path.realpath(path)
    digest = hashlib.sha256(os.fsencode(name)).hexdigest()[:40]
    return os.path.join(cache_folder(), "tfrecord-index", digest)


def _key(file: File) -> bytes:
    """Return what tells this content of the file from another."""
    size = file.size()
    changed = 0
    if not is_remote(file.path):
        with suppress(OSError):
            changed = os.stat(file.path.removeprefix("file://")).st_mtime_ns
    digest = hashlib.sha256(f"{size} {changed}".encode())
    for place in range(0, max(size - _SAMPLE, 1), max(size // 5, 1)):
        digest.update(file.read(place, _SAMPLE))
    digest.update(file.read(max(0, size - _SAMPLE), _SAMPLE))
    return digest.digest()


def _loaded(path: str, key: bytes) -> Bounds | None:
    try:
        with open(path, "rb") as stored:
            head = stored.read(len(_MAGIC) + len(key) + 4)
            data = np.fromfile(stored, np.uint8)
    except OSError:
        return None
    checksum = crc32c(data).to_bytes(4, "little")
    if head != _MAGIC + key + checksum or not len(data) or len(data) % 8:
        return None
    return data.view("<i8").astype(np.int64, copy=False)


def _store(path: str, key: bytes, bounds: Bounds) -> None:
    data = bounds.astype("<i8").view(np.uint8)
    checksum = crc32c(data).to_bytes(4, "little")
    with suppress(OSError, FeedlineError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with written_atomically(path) as file:
            file.write(_MAGIC + key + checksum)
            file.write(data.data)
