"""kinds: which kind of source paths are."""

from __future__ import annotations

import os
from importlib import import_module

from feedline.errors import FileError, InvalidArgumentError, NotFoundError
from feedline.files import is_remote
from feedline.tools.converting.csv_rows import CsvRows
from feedline.tools.converting.image_folder import ImageFolder
from feedline.tools.converting.json_lines import JsonLines
from feedline.tools.converting.source import Source
from feedline.tools.converting.tar_files import TarFiles

__all__ = ["source_of"]

_ENDINGS = {
    ".csv": "CSV",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".jsonl": "JSON lines",
    ".ndjson": "JSON lines",
    ".tar": "tar",
    ".tar.gz": "tar",
    ".tgz": "tar",
}


def source_of(paths: list[str]) -> Source:
    """Return the source for files of one kind, or for folders of images."""
    kinds = {path: _kind_of(path) for path in paths}
    if len(set(kinds.values())) > 1:
        names = ", ".join(f"{path} ({kind})" for path, kind in kinds.items())
        raise InvalidArgumentError(
            f"all sources must be of one kind, got {names}. Convert them one by one, with "
            "different names."
        )
    kind = next(iter(kinds.values()))
    if kind == "Parquet":
        return _parquet(paths)
    classes = (ImageFolder, CsvRows, JsonLines, TarFiles)
    return {one.kind: one for one in classes}[kind](paths)


def _parquet(paths: list[str]) -> Source:
    # pyarrow is loaded when the first Parquet file is read.
    try:
        made: Source = import_module("feedline.tools.converting.parquet_rows").ParquetRows(paths)
    except ImportError as error:
        raise FileError(
            f"{paths[0]}: Parquet files are read with pyarrow, which is not installed. Install "
            "feedline[arrow]."
        ) from error
    return made


def _kind_of(path: str) -> str:
    if not is_remote(path):
        if os.path.isdir(path):
            return ImageFolder.kind
        if not os.path.exists(path):
            raise NotFoundError(f"{path}: there is no such file or folder.")
    name = os.path.basename(path).lower()
    for ending, kind in _ENDINGS.items():
        if name.endswith(ending):
            if is_remote(path) and kind == "Parquet":
                raise InvalidArgumentError(f"{path}: {kind} files must be local. Copy it first.")
            return kind
    known = ", ".join(_ENDINGS)
    raise InvalidArgumentError(
        f"{path}: what it holds is told by its ending, which must be one of {known}; or it must "
        "be a folder of images."
    )
