"""index: where the records of a file begin, found once and kept.

An index belongs to one size, time of change and sample of the content of a file. It is kept in the
user's cache folder, under the name of the file; or, where FEEDLINE_INDEX is "beside", in a hidden
file beside it. One that lies beside a file of this machine is used in any case. Where nothing can
be written it lives in memory alone.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, FeedlineError
from feedline.files import File, is_remote, open_file, written_atomically
from feedline.files.cache_folder import cache_folder
from feedline.files.paths import local_path
from feedline.kernels.crc32c import crc32c
from feedline.kernels.tfrecord_scan import FRAME, HEADER, tfrecord_scan
from feedline.tfrecord.damage import Place

__all__ = ["Bounds", "bounds_at_hand", "find_bounds", "index_path", "kept_bounds", "store_bounds"]

Bounds = NDArray[np.int64]

_MAGIC = b"feedline tfrecord index 1\n"
_HEAD = len(_MAGIC) + 32 + 4
_WHOLE = 1 << 20
_HEADERS = 1 << 12
_ALL = 1 << 62
_SAMPLE = 4096


def kept_bounds(file: File) -> Bounds:
    """Return where each frame of a file begins and the last one ends; kept for the next time."""
    key = _key(file)
    bounds = _found(file.path, key)
    if bounds is None:
        bounds = find_bounds(file)
        _store(file.path, key, bounds)
    return bounds


def bounds_at_hand(file: File) -> Bounds | None:
    """Return the same if they are kept already."""
    if not any(map(_is_there, _places(file.path))):
        return None
    return _found(file.path, _key(file))


def store_bounds(file: File, bounds: Bounds) -> None:
    """Keep what was found while the file was read."""
    _store(file.path, _key(file), bounds)


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


def index_path(path: str, beside: bool | None = None) -> str:
    """Return where the index of a file is kept; by default as FEEDLINE_INDEX says.

    Example:
        >>> index_path("/data/train.tfrecord", beside=True)
        '/data/.train.tfrecord.index'
    """
    if _is_beside() if beside is None else beside:
        folder, name = os.path.split(path)
        return os.path.join(folder, f".{name}.index")
    name = path if is_remote(path) else os.path.realpath(local_path(path))
    digest = hashlib.sha256(os.fsencode(name)).hexdigest()[:40]
    return os.path.join(cache_folder(), "tfrecord-index", digest)


def _is_beside() -> bool:
    chosen = os.environ.get("FEEDLINE_INDEX") or "cache"
    if chosen not in ("cache", "beside"):
        raise BuildError(f"FEEDLINE_INDEX must be 'cache' or 'beside', got {chosen!r}.")
    return chosen == "beside"


def _places(path: str) -> list[str]:
    """Return where an index may be."""
    places = [index_path(path)]
    if not _is_beside() and not is_remote(path):  # far away, asking would take a while
        places.append(index_path(path, beside=True))
    return places


def _is_there(place: str) -> bool:
    return is_remote(place) or os.path.exists(local_path(place))


def _key(file: File) -> bytes:
    """Return what tells this content of the file from another."""
    size = file.size()
    changed = 0
    if not is_remote(file.path):
        with suppress(OSError):
            changed = os.stat(local_path(file.path)).st_mtime_ns
    digest = hashlib.sha256(f"{size} {changed}".encode())
    for place in range(0, max(size - _SAMPLE, 1), max(size // 5, 1)):
        digest.update(file.read(place, _SAMPLE))
    digest.update(file.read(max(0, size - _SAMPLE), _SAMPLE))
    return digest.digest()


def _found(path: str, key: bytes) -> Bounds | None:
    for place in _places(path):
        bounds = _loaded(place, key)
        if bounds is not None:
            return bounds
    return None


def _loaded(place: str, key: bytes) -> Bounds | None:
    try:
        with open_file(place) as stored:
            found = np.frombuffer(stored.read(0, stored.size()), np.uint8)
    except (OSError, FeedlineError):
        return None
    head, data = found[:_HEAD], found[_HEAD:]
    checksum = crc32c(data).to_bytes(4, "little")
    if head.tobytes() != _MAGIC + key + checksum or not len(data) or len(data) % 8:
        return None
    bounds: Bounds = data.view("<i8").astype(np.int64, copy=False)
    # A checksum tells damage, not what somebody else wrote there.
    return bounds if bounds[0] == 0 and bool(np.all(np.diff(bounds) >= FRAME)) else None


def _store(path: str, key: bytes, bounds: Bounds) -> None:
    place = index_path(path)
    data = bounds.astype("<i8").view(np.uint8)
    checksum = crc32c(data).to_bytes(4, "little")
    with suppress(OSError, FeedlineError):
        if not is_remote(place):
            os.makedirs(os.path.dirname(local_path(place)) or ".", exist_ok=True)
        # What is damaged by a loss of power is noticed and made again.
        with written_atomically(place, lasting=False) as file:
            file.write(_MAGIC + key + checksum)
            file.write(data.data)
