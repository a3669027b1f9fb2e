"""shard_folder: where files lie until all of them are complete.

A folder that is to be gone on with has a name of its own, and a note in it that says which files
are complete and where to go on. Any other folder is removed, by the next call if not by its own.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
from contextlib import suppress
from typing import Any

from feedline.errors import AlreadyExistsError, BuildError, FileError, NotFoundError
from feedline.files import is_remote, written_atomically
from feedline.files.cache_folder import cache_folder
from feedline.files.claim import Claim
from feedline.files.paths import local_path

__all__ = ["ShardFolder"]

_CALL = "save_tfrecord()"
_NOTE = "progress.json"
_VERSION = 1


class ShardFolder:
    """A folder that belongs to one call.

    Args:
        path: The beginning of the names that the files will have.
        settings: What must be the same for a call that goes on with the files of another.
        overwrite: Whether what an earlier call left may be dropped.
        resume: Whether files are kept if this call is stopped, and those of an earlier one used.

    Attributes:
        progress: What note() was given last, by this call or the one that was stopped.
    """

    def __init__(self, path: str, settings: dict[str, Any], overwrite: bool, resume: bool) -> None:
        self._settings = settings
        self.progress: dict[str, Any] = {}
        self._keeps = resume
        parent, name = _place(path)
        _remove_stale(parent, name)
        kept = os.path.join(parent, f".{name}.unfinished")
        if not resume:
            if os.path.isdir(kept):
                self._drop(kept, overwrite)
            self.path = _made(lambda: tempfile.mkdtemp(".tmp", f".{name}.", parent), parent)
            self._claim = Claim.of(self.path)
            return
        self.path = kept
        if os.path.islink(kept):
            raise _damaged(kept, "it is a link")
        _made(lambda: os.makedirs(kept, exist_ok=True), parent)
        self._claim = _claimed(kept)
        try:
            found = _read(kept)
        except FileError:
            self._claim.release()
            raise
        if found.get("settings", settings) == settings:
            self.progress = found.get("progress", {})
        elif not overwrite:
            self._claim.release()
            raise BuildError(
                f"{_CALL}: what an earlier call left in {kept} was written with "
                f"{_shown(found['settings'], settings)}. Give the same to go on with it, or "
                "overwrite=True to begin anew."
            )
        self._remove_all_but(self.progress.get("sizes", []))

    def _drop(self, kept: str, overwrite: bool) -> None:
        if os.path.islink(kept):
            raise _damaged(kept, "it is a link")
        with _claimed(kept):
            count = 0 if overwrite else len(_read(kept).get("progress", {}).get("sizes", []))
            if count:
                raise BuildError(
                    f"{_CALL}: an earlier call was stopped after {count} complete files, which are "
                    f"in {kept}. Give resume=True to go on, or overwrite=True to begin anew."
                )
            shutil.rmtree(kept, ignore_errors=True)

    def _remove_all_but(self, sizes: list[int]) -> None:
        """Keep the complete files of an earlier call, which must be as they were."""
        for number, size in enumerate(sizes):
            is_moved = self.progress.get("names") and not os.path.lexists(self.file(number))
            if not is_moved and _size(self.file(number)) != size:
                self._claim_released()
                raise FileError(
                    f"{self.file(number)} is not as {_CALL} left it. Give overwrite=True without "
                    "resume=True to begin anew."
                )
        known = {_NOTE if sizes else "", *map(str, range(len(sizes)))}
        for name in os.listdir(self.path):
            if name not in known:
                with suppress(OSError):
                    os.unlink(os.path.join(self.path, name))

    def file(self, number: int) -> str:
        """Return where one of the files lies."""
        return os.path.join(self.path, str(number))

    def note(self, progress: dict[str, Any]) -> None:
        """Keep how far it is: what follows is done again if it is stopped now."""
        self.progress = progress
        if self._keeps:
            note = {"version": _VERSION, "settings": self._settings, "progress": progress}
            with written_atomically(os.path.join(self.path, _NOTE)) as file:
                file.write(json.dumps(note).encode())

    def close(self, is_done: bool) -> None:
        """Remove the folder, unless there is something in it to go on with."""
        if is_done or not (self._keeps and self.progress):
            shutil.rmtree(self.path, ignore_errors=True)
        self._claim_released()

    def _claim_released(self) -> None:
        if self._claim is not None:
            self._claim.release()


def _place(path: str) -> tuple[str, str]:
    """Return the folder in which ours will be, and what its name is made of."""
    if is_remote(path):
        parent = os.path.join(cache_folder(), "save-tfrecord")
        try:
            os.makedirs(parent, exist_ok=True)
        except OSError as error:
            raise FileError(
                f"{_CALL}: {parent}, where files wait until all are complete: {error.strerror}. "
                "FEEDLINE_CACHE_DIR names another folder."
            ) from error
        return parent, hashlib.sha256(path.encode(errors="surrogateescape")).hexdigest()[:40]
    parent, name = os.path.split(os.path.abspath(local_path(path)))
    return parent, name[:200]


def _made(make: Any, parent: str) -> Any:
    if not os.path.isdir(parent):
        raise NotFoundError(f"{_CALL}: there is no folder {parent}. Make it first.")
    try:
        return make()
    except OSError as error:
        raise FileError(f"{_CALL}: {parent}: {error.strerror}.") from error


def _claimed(folder: str) -> Claim:
    claim = Claim.of(folder)
    if claim is None:
        raise AlreadyExistsError(
            f"{_CALL}: another process is writing files of this name now, in {folder}. Wait for "
            "it, or give another path."
        )
    return claim


def _remove_stale(parent: str, name: str) -> None:
    """Remove folders of calls whose process was killed."""
    ours = re.compile(rf"\.{re.escape(name)}\.[a-z0-9_]{{8}}\.tmp")
    pattern = os.path.join(glob.escape(parent), f".{glob.escape(name)}.*.tmp")
    for folder in glob.glob(pattern):
        if ours.fullmatch(os.path.basename(folder)) and os.path.isdir(folder):
            with suppress(OSError):
                claim = Claim.of(folder)
                if claim is not None and claim.is_certain:
                    with claim:
                        shutil.rmtree(folder, ignore_errors=True)


def _read(folder: str) -> dict[str, Any]:
    """Return what the note says, if there is one: others may write here, so all is checked."""
    path = os.path.join(folder, _NOTE)
    if not os.path.lexists(path):
        return {}
    if _size(path) < 0:
        raise _damaged(path, "it is no regular file")
    try:
        with open(path, "rb") as file:
            found = json.load(file)
    except OSError as error:
        raise FileError(f"{_CALL}: {path}: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise _damaged(path, str(error)) from error
    if not isinstance(found, dict) or found.get("version") != _VERSION:
        raise _damaged(path, f"it is no note of version {_VERSION}")
    if not isinstance(found.get("settings"), dict):
        raise _damaged(path, "the settings are missing")
    if not _is_progress(found.get("progress")):
        raise _damaged(path, "what it says of complete files makes no sense")
    return found


def _is_progress(found: Any) -> bool:
    if not isinstance(found, dict) or not _are_counts(found.get("sizes")) or not found["sizes"]:
        return False
    if "names" in found:
        return all(_are_names(found.get(key)) for key in ("names", "old"))
    mark = found.get("mark")
    if not isinstance(mark, dict) or not isinstance(mark.get("state"), dict):
        return False
    return _are_counts([found.get("used"), mark.get("passed"), mark.get("done")])


def _are_counts(found: Any) -> bool:
    return isinstance(found, list) and all(type(n) is int and 0 <= n < 1 << 62 for n in found)


def _are_names(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(name, str) for name in found)


def _damaged(path: str, why: str) -> FileError:
    return FileError(
        f"{_CALL}: {path} is not as an earlier call left it: {why}. Remove {path}, or give "
        "overwrite=True without resume=True, to begin anew."
    )


def _shown(before: dict[str, Any], now: dict[str, Any]) -> str:
    names = [name for name in before if before[name] != now.get(name)]
    return ", ".join(f"{name}={before[name]!r}, not {now.get(name)!r}" for name in names)


def _size(path: str) -> int:
    """Return how long a regular file is, -1 for anything else: links are not followed."""
    try:
        found = os.lstat(path)
    except OSError:
        return -1
    return found.st_size if stat.S_ISREG(found.st_mode) else -1
