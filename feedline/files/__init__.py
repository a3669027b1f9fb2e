"""files: bytes on disks and in object stores, read in any order and written all or nothing."""

from __future__ import annotations

from feedline.files.atomic import written_atomically
from feedline.files.compression import compression_named, unpacked
from feedline.files.file import CHUNK, File
from feedline.files.opening import matching, open_file, open_seekable, open_to_write
from feedline.files.paths import is_remote, paths_of

__all__ = [
    "CHUNK",
    "File",
    "compression_named",
    "is_remote",
    "matching",
    "open_file",
    "open_seekable",
    "open_to_write",
    "paths_of",
    "unpacked",
    "written_atomically",
]
