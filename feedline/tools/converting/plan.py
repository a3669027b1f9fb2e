"""plan: which records go into which file, settled before anything is written.

The plan is kept beside the files it makes, so that a second run goes on where the first one
stopped: a file that is there is complete, for it got its name last.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from feedline.errors import AlreadyExistsError, FileError, InvalidArgumentError
from feedline.files import is_remote, open_file, written_atomically
from feedline.files.claim import Claim
from feedline.files.read_once import check_read_again
from feedline.tools.converting.kinds import source_of
from feedline.tools.converting.source import Piece, Source

__all__ = ["Order", "Plan", "Shard", "planned"]

_VERSION = 1


@dataclass(frozen=True)
class Shard:
    """One file to write."""

    path: str
    pieces: tuple[Piece, ...]
    size: int

    @property
    def records(self) -> int:
        """How many records it will hold."""
        return sum(piece.records for piece in self.pieces)


@dataclass
class Plan:
    """All files to write, and what they are made of."""

    source: Source
    folder: str
    name: str
    compression: str
    asked: dict[str, Any] = field(default_factory=dict)
    shards: list[Shard] = field(default_factory=list)
    is_resumed: bool = False
    # Files of another conversion, which this one replaces.
    replaced: list[str] = field(default_factory=list)
    _claim: Claim | None = field(default=None, repr=False, compare=False)

    @property
    def path(self) -> str:
        """Where the plan is kept."""
        return os.path.join(self.folder, f"{self.name}.plan.json")

    @property
    def records(self) -> int:
        """How many records there are."""
        return sum(shard.records for shard in self.shards)

    @property
    def size(self) -> int:
        """About how many bytes there will be."""
        return sum(shard.size for shard in self.shards)

    def missing(self) -> list[Shard]:
        """Return the files that are not there yet."""
        return [shard for shard in self.shards if not os.path.exists(shard.path)]

    def begin(self) -> None:
        """Make the folder, remove what is replaced, and keep the plan beside the files."""
        os.makedirs(self.folder, exist_ok=True)
        # Two that begin at the same moment: one of them comes first.
        with Claim.awaited(self.folder):
            if os.path.exists(self.path):
                self._take()
            if self.is_resumed:
                return
            for path in self.replaced:
                with suppress(FileNotFoundError):
                    os.unlink(path)
            for ending, note in self.source.notes().items():
                with written_atomically(os.path.join(self.folder, f"{self.name}.{ending}")) as file:
                    file.write(note.encode(errors="surrogateescape"))
            with written_atomically(self.path) as file:
                file.write(json.dumps(self._text(), indent=1).encode())
            self.end()  # the claim on the plan that was here before
            self._take()

    def _take(self) -> None:
        self._claim = Claim.of(self.path)
        if self._claim is None:
            raise AlreadyExistsError(
                f"{self.folder}: another process is writing the conversion named {self.name!r}. "
                "Wait for it, or use another --name."
            )

    def _text(self) -> dict[str, Any]:
        return {
            "version": _VERSION,
            "asked": self.asked,
            "kind": self.source.kind,
            "columns": self.source.columns(),
            "source": self.source.state(),
            "shards": [
                [os.path.basename(shard.path), shard.size, shard.pieces] for shard in self.shards
            ],
        }

    def check_unchanged(self) -> None:
        """Raise if a source is not what it was when the plan was made."""
        if _state_of(self.source.files()) != self.asked["state"]:
            raise FileError(
                "a source was changed while it was converted, so the files may hold some of both. "
                "Run this again with --overwrite."
            )

    def end(self) -> None:
        """Let another process write this conversion."""
        if self._claim is not None:
            self._claim.release()
            self._claim = None


@dataclass(frozen=True)
class Order:
    """What is asked for.

    Attributes:
        paths: Files of one kind, or folders of images.
        folder: Where the files will be.
        name: What their names begin with.
        shard_bytes: About how long each becomes, before compression.
        compression: "" or "GZIP".
        overwrite: Whether another conversion in the folder may be replaced.
    """

    paths: tuple[str, ...]
    folder: str
    name: str = "data"
    shard_bytes: int = 150_000_000
    compression: str = ""
    overwrite: bool = False


def planned(order: Order, progress: Callable[[int], None] | None = None) -> Plan:
    """Return the plan of a conversion: one that is there already, or a new one.

    Args:
        order: What is asked for.
        progress: Called with the number of records met so far.
    """
    for path in order.paths:
        check_read_again(path, "a conversion reads it to plan, and to write. Copy")
    source = source_of(list(order.paths))
    folder, name, overwrite = order.folder, order.name, order.overwrite
    plan = Plan(source, folder, name, order.compression)
    plan.asked = {
        "sources": [p if is_remote(p) else os.path.abspath(p) for p in order.paths],
        "state": _state_of(source.files()),
        "shard_bytes": order.shard_bytes,
        "compression": order.compression,
    }
    kept = _kept(plan.path)
    if kept is not None and kept["asked"] == plan.asked:
        source.restore(kept["source"])
        plan.shards = _shards_of(kept, folder)
        plan.is_resumed = True
        return plan
    if kept is not None:
        plan.replaced = [shard.path for shard in _shards_of(kept, folder)]
        if not overwrite:
            raise AlreadyExistsError(
                f"{folder} holds another conversion named {name!r}: "
                f"{_difference(kept['asked'], plan.asked)}. Use --overwrite, another --name or "
                "another folder."
            )
    plan.shards = _cut(plan, order.shard_bytes, progress)
    there = [shard.path for shard in plan.shards if os.path.exists(shard.path)]
    if there and not overwrite:
        raise AlreadyExistsError(
            f"{there[0]} is there already, and not from this conversion. Use --overwrite, another "
            "--name or another folder."
        )
    plan.replaced += there
    return plan


def _difference(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Say what is not as it was."""
    if before["sources"] != now["sources"]:
        names = ", ".join(before["sources"][:3]) + (", ..." if len(before["sources"]) > 3 else "")
        return f"it was made of {names}"
    if before["shard_bytes"] != now["shard_bytes"]:
        return f"its --shard-size was {before['shard_bytes']}, not {now['shard_bytes']}"
    if before["compression"] != now["compression"]:
        return "it is compressed" if before["compression"] else "it is not compressed"
    return "a source was changed since"


def _shards_of(kept: dict[str, Any], folder: str) -> list[Shard]:
    return [
        Shard(os.path.join(folder, file), tuple(Piece(*piece) for piece in pieces), size)
        for file, size, pieces in kept["shards"]
    ]


def _cut(plan: Plan, most: int, progress: Callable[[int], None] | None) -> list[Shard]:
    groups: list[tuple[list[Piece], int]] = []
    pieces: list[Piece] = []
    size = 0
    # Where the piece that grows now began, and how many records it has.
    at: dict[str, int] = {}
    for number, step in enumerate(plan.source.survey()):
        if pieces and size + step.size > most:
            groups.append((pieces, size))
            pieces, size = [], 0
        if pieces and pieces[-1].path == step.path:
            last = pieces[-1]
            pieces[-1] = Piece(step.path, last.start, step.stop, last.records + 1)
        else:
            pieces.append(Piece(step.path, at.get(step.path, 0), step.stop, 1))
        at[step.path] = step.stop
        size += step.size
        if progress is not None and number % 1000 == 0:
            progress(number)
    if pieces:
        groups.append((pieces, size))
    if not groups:
        raise InvalidArgumentError("there is not a single record in what was given.")
    ending = ".tfrecord.gz" if plan.compression else ".tfrecord"
    return [
        Shard(
            os.path.join(plan.folder, f"{plan.name}-{number:05}-of-{len(groups):05}{ending}"),
            tuple(group),
            total,
        )
        for number, (group, total) in enumerate(groups)
    ]


def _state_of(files: list[str]) -> str:
    """Return a text that changes when a file does."""
    digest = hashlib.sha256()
    for path in files:
        try:
            found = os.stat(path)
            state = f"{found.st_size} {found.st_mtime_ns}"
        except OSError:
            with open_file(path) as file:  # far away, or not there, which is said
                state = str(file.size())
        digest.update(f"{path}\0{state}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()


def _kept(path: str) -> dict[str, Any] | None:
    try:
        with open(path, "rb") as file:
            found = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    known = isinstance(found, dict) and found.get("version") == _VERSION
    return found if known else None
