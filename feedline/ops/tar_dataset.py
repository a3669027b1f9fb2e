"""tar_dataset: samples out of tar files: members with one key are one element."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.binding import bound
from feedline.block import Block
from feedline.engine.exec import Exec, State, count_in
from feedline.errors import (
    BuildTypeError,
    CheckpointError,
    DataLossError,
    InvalidArgumentError,
)
from feedline.files import CHUNK, compression_named, open_file, unpacked
from feedline.files.tar_members import ByteStream, tar_members
from feedline.ops.file_source import FileSourceNode, check_parallel_reads, names_node
from feedline.wide import wide_block

if TYPE_CHECKING:
    from feedline.engine.run import Run
    from feedline.files import File

__all__ = ["TarDatasetNode", "tar_dataset"]

_CALL = "TarDataset()"
KEY = "__key__"
# A key is everything up to the first dot of the last part of a name.
_NAME = re.compile(r"((?:.*/)?[^./][^./]*)\.([^/]+)", re.DOTALL)
_META = re.compile(r"__[^/]*__($|/)")


# ---- what the user calls ---------------------------------------------------


def tar_dataset(
    filenames: Any,
    extensions: Iterable[str] | None = None,
    decoders: Mapping[str, Callable[[bytes], Any]] | None = None,
    compression_type: str | None = None,
    num_parallel_reads: int | None = None,
    name: str | None = None,
) -> TarDatasetNode:
    """Return the plan of ``feedline.data.TarDataset``, which says what the arguments are."""
    if isinstance(extensions, (str, bytes)):
        raise BuildTypeError(f"{_CALL}: extensions must be a list, got {extensions!r}.")
    wanted = None if extensions is None else tuple(one.lstrip(".") for one in extensions)
    if decoders is not None and not (
        isinstance(decoders, Mapping) and all(map(callable, decoders.values()))
    ):
        raise BuildTypeError(
            f"{_CALL}: decoders must be a dict from extensions to functions, got {decoders!r}."
        )
    return TarDatasetNode(
        names_node(_CALL, filenames),
        wanted,
        {key.lstrip("."): bound(decoder) for key, decoder in (decoders or {}).items()},
        compression_named(compression_type, _CALL),
        cycle_length=check_parallel_reads(_CALL, num_parallel_reads),
        name=name,
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class TarDatasetNode(FileSourceNode):
    """The samples of tar files."""

    extensions: tuple[str, ...] | None
    decoders: dict[str, Callable[[bytes], Any]] = field(repr=False)
    compression_type: str

    def reader(self, path: str, run: Run) -> TarExec:
        """Read one file from its start or from a sample."""
        return TarExec(self, path, run)


# ---- what runs -------------------------------------------------------------


class TarExec(Exec):
    """The samples of one file. The place of a sample is that of its first header."""

    def __init__(self, node: TarDatasetNode, path: str, run: Run) -> None:
        self._node = node
        self._path = path
        self._run = run
        self._file: File | None = None
        self._chunks: Iterator[bytes] | None = None
        self._samples: Iterator[_Found] | None = None
        self._at = 0
        self._number = 0
        self._ended = False

    def pull(self, limit: int) -> Block | None:
        """Return the next sample: it may be large, and the one after it may fail."""
        if self._ended:
            return None
        try:
            found = next(self._opened(), None)
        except Exception as error:
            error.add_note(f"in {self._node.place}")
            self.close()
            raise
        if found is None:
            self.close()
            return None
        sample, problem, self._at = found
        number, self._number = self._number, self._number + 1
        block = self._block(sample, problem)
        if not self._run.with_ids:
            return block
        return replace(block, ids=self._run.scope.ids(np.array([number])))

    def _opened(self) -> Iterator[_Found]:
        """Return the samples from where the file is to be read on."""
        if self._samples is None:
            self._file = open_file(self._path)
            kind = self._node.compression_type
            if kind:
                raw = self._file.chunks(0, CHUNK)
                self._chunks = unpacked(raw, kind, self._path)
                stream = ByteStream(self._chunks)
                self._replay(stream)
            else:
                self._check_place(self._file)
                self._chunks = self._file.chunks(self._at, CHUNK)
                stream = ByteStream(self._chunks, self._at)
            self._samples = _samples(stream, self._path, self._node)
        return self._samples

    def _check_place(self, file: File) -> None:
        if self._at and self._at > file.size():
            raise CheckpointError(
                f"{self._path}: the file has {file.size()} bytes, but {self._at} were read when "
                "the state was saved. It must be the same file."
            )

    def _replay(self, stream: ByteStream) -> None:
        if not self._at:
            return
        self._node.replayed.warn(
            f"{self._node.place}: a compressed file cannot be entered in the middle, so "
            f"{self._path} is read again from its start to the place of the saved state. "
            "Decompress the files to resume at once."
        )
        if stream.skip(self._at) < self._at:
            raise CheckpointError(
                f"{self._path}: the file ends after {stream.at} bytes, but {self._at} were read "
                "when the state was saved. It must be the same file."
            )

    def _block(self, sample: dict[str, Any], problem: str) -> Block:
        """Decode a sample; what a decoder raises is let through."""
        extension = ""
        try:
            if problem:
                raise InvalidArgumentError(f"{self._path}, {problem}")
            wanted = self._node.extensions
            names = [name for name in sample if name != KEY] if wanted is None else wanted
            element = {KEY: sample[KEY]}
            for extension in names:
                if extension not in sample:
                    raise InvalidArgumentError(
                        f"{self._path}, key {sample[KEY]!r}: there is no {extension!r} among "
                        f"{sorted(set(sample) - {KEY})}. Pass over such samples with "
                        "ignore_errors()."
                    )
                decoder = self._node.decoders.get(extension)
                data = sample[extension]
                element[extension] = data if decoder is None else decoder(data)
            return wide_block([element])
        except Exception as error:
            where = f"{self._path}, key {sample[KEY]!r}, extension {extension!r}"
            error.add_note(f"in {self._node.place}: {where}")
            raise

    def counters(self) -> State:
        """Return the place of the next sample."""
        return {"at": self._at, "number": self._number}

    def resume(self, counters: State) -> None:
        """Go there, before the next sample is read."""
        self._at, self._number = count_in(counters, "at"), count_in(counters, "number")
        if min(self._at, self._number) < 0:
            raise CheckpointError(f"the state is damaged: a place in a file is {self._at}.")

    def close(self) -> None:
        """Close the file."""
        self._ended = True
        chunks, self._chunks = self._chunks, None
        file, self._file = self._file, None
        self._samples = None
        if isinstance(chunks, Generator):
            chunks.close()
        if file is not None:
            file.close()


# A sample, what is wrong with it, and the place of the one after it.
_Found = tuple[dict[str, Any], str, int]


def _samples(stream: ByteStream, path: str, node: TarDatasetNode) -> Iterator[_Found]:
    """Yield the samples. One ends at the first member with another key, or before damage."""
    members = tar_members(stream, path)
    sample: dict[str, Any] = {}
    problem = ""
    while True:
        place, failure = stream.at, None
        try:
            member = next(members, None)
        except DataLossError as error:
            member, failure = None, error
        name = None if member is None else _NAME.fullmatch(member.name)
        if member is not None and (name is None or _META.match(member.name)):
            member.pass_over()
            continue
        if sample and (name is None or name[1] != sample[KEY]):
            yield sample, problem, place if member is None else member.start
            sample, problem = {}, ""
        if failure is not None:
            raise failure
        if member is None or name is None:
            return
        sample[KEY], extension = name[1], name[2].lower()
        if extension in sample:
            problem = f"key {name[1]!r}: there is {extension!r} twice. Give members of one sample "
            problem += "different extensions, or pass over it with ignore_errors()."
        if node.extensions is None or extension in node.extensions:
            sample[extension] = member.content()
        else:
            member.pass_over()  # what nobody asked for is not kept
