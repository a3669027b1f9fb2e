"""image_folder: a folder with a sub-folder of images for every label."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from feedline.errors import NotFoundError
from feedline.tools.converting.source import Piece, Source, Step
from feedline.tools.example_bytes import INT, TEXT, Values

__all__ = ["ImageFolder"]

_ENDINGS = (".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp")
_OVERHEAD = 120


class ImageFolder(Source):
    """Images under a folder; the name of the first sub-folder is the label.

    Every record has "image", the file as it is; "filename", its path in the folder; and, where
    there are sub-folders, "label", their number in the order of their names.
    """

    kind = "images"
    holds_gil = False

    def __init__(self, paths: list[str]) -> None:
        super().__init__(paths)
        self.labels: list[str] = []
        self._found: dict[str, list[str]] = {}

    def survey(self) -> Iterator[Step]:
        """Look into the folders."""
        names = {
            name.split("/")[0] for path in self.paths for name in self._names(path) if "/" in name
        }
        self.labels = sorted(names)
        for path in self.paths:
            for number, name in enumerate(self._names(path)):
                size = os.path.getsize(os.path.join(path, name))
                yield Step(path, number + 1, size + len(name) + _OVERHEAD)

    def records(self, piece: Piece) -> Iterator[Mapping[str, Values]]:
        """Read the images."""
        numbers = {label: number for number, label in enumerate(self.labels)}
        for name in self._names(piece.path)[piece.start : piece.stop]:
            with open(os.path.join(piece.path, name), "rb") as file:
                image = file.read()
            record: dict[str, Values] = {
                "image": (TEXT, [image]),
                "filename": (TEXT, [os.fsencode(name)]),
            }
            if "/" in name:
                record["label"] = INT, [numbers[name.split("/")[0]]]
            yield record

    def files(self) -> list[str]:
        """Return every image."""
        return [os.path.join(path, name) for path in self.paths for name in self._names(path)]

    def columns(self) -> dict[str, str]:
        """Return the names of features."""
        label = {"label": f"int64, one of {len(self.labels)} labels"} if self.labels else {}
        return {"image": "bytes", "filename": "bytes", **label}

    def notes(self) -> dict[str, str]:
        """Return the names of labels, a line for each, in the order of their numbers."""
        return {"labels.txt": "".join(f"{label}\n" for label in self.labels)} if self.labels else {}

    def state(self) -> dict[str, Any]:
        """Return the labels, and every name: a folder may get more files meanwhile."""
        return {"labels": self.labels, "names": {path: self._names(path) for path in self.paths}}

    def restore(self, state: dict[str, Any]) -> None:
        """Take over the labels and names."""
        self.labels, self._found = state["labels"], state["names"]

    def _names(self, path: str) -> list[str]:
        if path not in self._found:
            names = sorted(_images_in(path))
            if not names:
                raise NotFoundError(
                    f"{path}: there is no image in this folder. Files must end in "
                    f"{', '.join(_ENDINGS)}."
                )
            self._found[path] = names
        return self._found[path]


def _images_in(folder: str) -> Iterator[str]:
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        inner = os.path.relpath(here, folder)
        for name in names:
            if name.lower().endswith(_ENDINGS) and not name.startswith("."):
                yield name if inner == "." else os.path.join(inner, name).replace(os.sep, "/")
