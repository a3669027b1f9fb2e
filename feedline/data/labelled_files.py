"""labelled_files: the files of a folder, their labels, and parts of them, as Keras has them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.errors import BuildError, BuildTypeError, NotFoundError

__all__ = ["FileKind", "LabelledFiles", "found_in", "part_of"]


@dataclass(frozen=True)
class FileKind:
    """Which files of a folder are looked for: what they are called and how their names end."""

    plural: str
    endings: tuple[str, ...]


@dataclass(frozen=True)
class LabelledFiles:
    """Files in an order, with a label for each, or none."""

    directory: str
    paths: list[str]
    labels: NDArray[np.int32] | None
    class_names: list[str] | None

    @property
    def summary(self) -> str:
        """How many there are."""
        if self.class_names is None:
            return f"Found {len(self.paths)} files."
        return f"Found {len(self.paths)} files belonging to {len(self.class_names)} classes."

    def shuffled(self, seed: int) -> LabelledFiles:
        """Return the same files in another order, which is that of Keras."""
        # The generator of that order is NumPy's old one; it is made here and is nobody else's.
        order = np.arange(len(self.paths))
        np.random.RandomState(seed).shuffle(order)
        return self.taken(order)

    def taken(self, order: NDArray[Any]) -> LabelledFiles:
        """Return some of the files."""
        labels = None if self.labels is None else self.labels[order]
        paths = [self.paths[place] for place in order.tolist()]
        return LabelledFiles(self.directory, paths, labels, self.class_names)


def found_in(
    call: str, kind: FileKind, directory: Any, labels: Any, class_names: Any, follow_links: bool
) -> LabelledFiles:
    """Return the files of a folder in sorted order, or raise BuildError."""
    folder = os.fspath(directory)
    if not os.path.isdir(folder):
        raise NotFoundError(f"{call}: there is no folder {folder!r}.")
    if isinstance(labels, str) and labels == "inferred":
        return _by_class(call, kind, folder, class_names, follow_links)
    if class_names is not None:
        raise BuildError(f"{call}: class_names need labels='inferred', got labels={labels!r}.")
    paths = list(_files(kind, folder, follow_links))
    if labels is None:
        return LabelledFiles(folder, paths, None, None)
    if not isinstance(labels, (list, tuple)):
        raise BuildTypeError(
            f"{call}: labels must be 'inferred', None, or a list with a label for every file, "
            f"got {labels!r}."
        )
    if len(labels) != len(paths):
        raise BuildError(
            f"{call}: labels must have one for every file: {len(labels)} were given, and "
            f"{folder!r} has {len(paths)} files."
        )
    names = [str(label) for label in sorted(set(labels))]
    return LabelledFiles(folder, paths, np.asarray(labels, np.int32), names)


def _by_class(
    call: str, kind: FileKind, folder: str, class_names: Sequence[str] | None, links: bool
) -> LabelledFiles:
    folders = sorted(
        name
        for name in os.listdir(folder)
        if not name.startswith(".") and os.path.isdir(os.path.join(folder, name))
    )
    names = folders if class_names is None else list(class_names)
    strange = sorted(set(names) - set(folders))
    if strange:
        raise BuildError(
            f"{call}: class_names must be sub-folders of {folder!r}, which are {folders}; "
            f"got {strange}."
        )
    paths: list[str] = []
    labels: list[int] = []
    for number, name in enumerate(names):
        own = list(_files(kind, os.path.join(folder, name), links))
        paths += own
        labels += [number] * len(own)
    return LabelledFiles(folder, paths, np.array(labels, np.int32), names)


def _files(kind: FileKind, folder: str, follow_links: bool) -> Iterator[str]:
    found = sorted(os.walk(folder, followlinks=follow_links), key=lambda one: one[0])
    for root, _, names in found:
        wanted = (name for name in sorted(names) if name.lower().endswith(kind.endings))
        yield from (os.path.join(root, name) for name in wanted)


def part_of(
    call: str, kind: FileKind, files: LabelledFiles, split: float | None, part: str | None
) -> LabelledFiles:
    """Return the files of one part, or raise BuildError if there are none."""
    count = len(files.paths)
    for_training = count - int((split or 0) * count)
    every = np.arange(count)
    chosen = {"training": every[:for_training], "validation": every[for_training:]}
    order = every if part is None else chosen[part]
    if not len(order):
        which = "" if part is None else f" for {part} (validation_split={split} of {count})"
        raise BuildError(
            f"{call}: there are no {kind.plural}{which} in {files.directory!r}. Files that end in "
            f"{', '.join(kind.endings)} are read."
        )
    return files.taken(order)
