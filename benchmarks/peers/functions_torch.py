"""functions_torch: Python functions in torch's DataLoader, with two workers.

They are kept between epochs; with ``fresh`` as mode every epoch starts its own, which is
what DataLoader does unless it is told otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from time import perf_counter
from typing import Any

import functions as f
import torch
from serving import Pass, serve
from torch.utils.data import DataLoader

_WORKERS = 2


class _Called:
    """A function of every number below ``count``."""

    def __init__(self, function: Callable[[int], Any], count: int) -> None:
        self._function = function
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> Any:
        return self._function(number)


def _pass_of(function: Callable[[int], Any], mode: str) -> Pass:
    data = _Called(function, int(os.environ["FEEDLINE_FUNCTION_CALLS"]))
    loader: Any = DataLoader(
        data,  # type: ignore[arg-type]
        batch_size=f.FUNCTION_BATCH,
        num_workers=_WORKERS,
        persistent_workers=mode != "fresh",
    )

    def run() -> tuple[int, float]:
        started = perf_counter()
        count = sum(len(batch) for batch in loader)
        return count, perf_counter() - started

    run()  # starts the workers that are kept
    return run


if __name__ == "__main__":
    torch.set_num_threads(1)
    serve(
        {
            "python_bound": lambda mode: _pass_of(f.python_bound, mode),
            "numpy_bound": lambda mode: _pass_of(f.numpy_bound, mode),
        },
        "torch",
    )
