"""labelled_folder: the files of a folder and their labels as a dataset, in the order of Keras."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from feedline.arrays.casting import cast
from feedline.arrays.creating import one_hot
from feedline.arrays.shaping import expand_dims
from feedline.data.labelled_files import FileKind, LabelledFiles, found_in, part_of
from feedline.dataset import Dataset
from feedline.errors import BuildError, check_at_least
from feedline.ops.from_tensor_slices import naming_files
from feedline.options import AUTOTUNE
from feedline.plan.node import Node

__all__ = ["FolderDataset", "FolderPart", "FolderSettings", "batches", "drawn_seed"]


class FolderDataset(Dataset[Any]):
    """The files of a folder, with what is known of them."""

    class_names: list[str] | None = None
    """The names of the classes, by label; None without labels."""
    file_paths: list[str]
    """The files, in the order in which they were before the elements are shuffled."""

    @classmethod
    def of_node(cls, node: Node) -> Dataset[Any]:
        """Return a dataset that ends with ``node``: of it, no more is known than of others."""
        return Dataset(node)

    def __reduce__(self) -> tuple[Any, ...]:
        known = {"class_names": self.class_names, "file_paths": self.file_paths}
        return type(self), (self.node,), known


@dataclass(frozen=True)
class FolderPart:
    """Some of the files of a folder; ``elements`` are their paths, or pairs of path and label."""

    files: LabelledFiles
    elements: Dataset[Any]

    def loaded(self, load: Callable[[Any], Any]) -> Dataset[Any]:
        """Return a dataset with what ``load`` makes of a path in its place."""
        fn = load if self.files.labels is None else partial(_with_label, load)
        return self.elements.map(fn, num_parallel_calls=AUTOTUNE)

    def known(self, dataset: Dataset[Any]) -> FolderDataset:
        """Return a dataset that knows its files and classes."""
        made = FolderDataset(dataset.node)
        made.class_names, made.file_paths = self.files.class_names, self.files.paths
        return made


@dataclass(frozen=True)
class FolderSettings:
    """What the functions of Keras that read folders have in common."""

    directory: Any
    labels: Any
    label_mode: str | None
    class_names: Any
    batch_size: int | None
    shuffle: bool
    seed: int | None
    validation_split: float | None
    subset: str | None
    follow_links: bool
    verbose: bool

    def parts(self, call: str, kind: FileKind) -> list[FolderPart]:
        """Return the part of a folder that is wanted; training and validation for "both"."""
        _check_mode(call, self.label_mode)
        _check_split(call, self.validation_split, self.subset, self.shuffle, self.seed)
        if self.batch_size is not None:
            check_at_least(call, "batch_size", self.batch_size, 1)
        seed = drawn_seed() if self.seed is None else self.seed
        files = self._files(call, kind)
        if self.shuffle:
            files = files.shuffled(seed)
        wanted = ["training", "validation"] if self.subset == "both" else [self.subset]
        return [self._part(call, kind, files, which, seed) for which in wanted]

    def _files(self, call: str, kind: FileKind) -> LabelledFiles:
        labels = None if self.label_mode is None else self.labels
        files = found_in(call, kind, self.directory, labels, self.class_names, self.follow_links)
        if self.verbose:
            sys.stdout.write(files.summary + "\n")
        if self.label_mode == "binary" and files.class_names and len(files.class_names) != 2:
            raise BuildError(
                f"{call}: label_mode='binary' needs 2 classes, found {files.class_names}. "
                "Use 'int' or 'categorical', or give two class_names."
            )
        return files

    def _part(
        self, call: str, kind: FileKind, files: LabelledFiles, which: str | None, seed: int
    ) -> FolderPart:
        chosen = part_of(call, kind, files, self.validation_split, which)
        if self.verbose and which is not None:
            sys.stdout.write(f"Using {len(chosen.paths)} files for {which}.\n")
        elements = _elements(chosen, self.label_mode)
        if self.shuffle and not (self.subset == "both" and which == "validation"):
            buffer = 1024 if self.batch_size is None else 8 * self.batch_size
            elements = elements.shuffle(buffer, seed=seed)
        return FolderPart(chosen, elements)


def _check_mode(call: str, label_mode: Any) -> None:
    if label_mode not in ("int", "categorical", "binary", None):
        raise BuildError(
            f"{call}: label_mode must be 'int', 'categorical', 'binary' or None, "
            f"got {label_mode!r}."
        )


def drawn_seed() -> int:
    """Return a seed where none was given, drawn as Keras does: np.random.seed() decides."""
    return int(np.random.randint(1_000_000))


def batches(dataset: Dataset[Any], batch_size: int | None) -> Dataset[Any]:
    """Return batches, or the dataset itself if there is no size."""
    return dataset if batch_size is None else dataset.batch(batch_size)


def _check_split(call: str, split: Any, subset: Any, shuffle: bool, seed: Any) -> None:
    if split and not 0 < split < 1:
        raise BuildError(f"{call}: validation_split must lie between 0 and 1, got {split}.")
    if subset not in ("training", "validation", "both", None):
        raise BuildError(
            f"{call}: subset must be 'training', 'validation' or 'both', got {subset!r}."
        )
    if bool(split) != bool(subset):
        raise BuildError(
            f"{call}: validation_split and subset must be given together, got {split!r} and "
            f"{subset!r}."
        )
    if split and shuffle and seed is None:
        raise BuildError(
            f"{call}: validation_split with shuffle needs a seed: without one, the two parts "
            "would overlap."
        )


def _elements(files: LabelledFiles, label_mode: str | None) -> Dataset[Any]:
    paths: Dataset[Any] = Dataset(naming_files(Dataset.from_tensor_slices(files.paths).node))
    if files.labels is None:
        return paths
    labels = Dataset.from_tensor_slices(files.labels)
    if label_mode == "binary":
        labels = labels.map(_as_binary)
    elif label_mode == "categorical":
        labels = labels.map(partial(one_hot, depth=len(files.class_names or ())))
    return Dataset.zip((paths, labels))


def _as_binary(label: Any) -> Any:
    return expand_dims(cast(label, np.float32), axis=-1)


def _with_label(load: Callable[[Any], Any], path: Any, label: Any) -> Any:
    return load(path), label
