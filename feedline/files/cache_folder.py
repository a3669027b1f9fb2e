"""cache_folder: where things are kept that can be made again."""

from __future__ import annotations

import os

__all__ = ["cache_folder"]


def cache_folder() -> str:
    """Return the folder: FEEDLINE_CACHE_DIR, or ``feedline`` in the user's cache folder."""
    chosen = os.environ.get("FEEDLINE_CACHE_DIR")
    if chosen:
        return chosen
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "feedline")
