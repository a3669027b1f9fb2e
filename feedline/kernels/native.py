"""native: the compiled kernels, or None if they were not built or are switched off."""

from __future__ import annotations

import importlib
import os
import warnings
from typing import Any

__all__ = ["native"]


def _load() -> Any:
    if os.environ.get("FEEDLINE_NATIVE", "1") == "0":
        return None
    try:
        return importlib.import_module("feedline._native")
    except ImportError as error:
        warnings.warn(
            f"Feedline's native kernels are not available ({error}): results are the same, but "
            "shuffle(), padded_batch() and variable-length data run several times slower. "
            "Reinstall where a C++20 compiler is present.",
            RuntimeWarning,
            stacklevel=2,
        )
        return None


native = _load()
