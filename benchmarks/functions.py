"""functions: what the benchmarks of parallel work call, the same for everybody.

Needs NumPy alone, so that every peer can import it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["FUNCTION_BATCH", "add_one", "numpy_bound", "python_bound"]

FUNCTION_BATCH = 32
_BASE = np.linspace(0, 1, 50_000, dtype=np.float32)


def python_bound(number: Any) -> int:
    """Compute in plain Python, which holds the interpreter's lock: some 200 us."""
    value = int(number)
    for _ in range(3_000):
        value = (value * 1_103_515_245 + 12_345) & 0x7FFFFFFF
    return value


def numpy_bound(number: Any) -> Any:
    """Compute in NumPy, which leaves the interpreter's lock: some 300 us.

    Depends on the values, so that it has to be called on each element.
    """
    values = _BASE + float(number % 1000)
    for _ in range(3):
        values = np.sqrt(np.exp(np.sin(values)))
    return values[:256] if values[0] > -1 else values[:256] * 2


def add_one(number: Any) -> Any:
    """Do next to nothing, but on each element: it depends on the value."""
    return number + 1 if number >= 0 else number
