"""torch_dataloader: the workloads with torch's DataLoader, in this process and with no workers.

Says hello with one JSON line, then makes one pass for every line it reads.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
import torch
import workloads as w
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, TensorDataset

Pass = Callable[[], int]


def arrays_shuffle_batch() -> Pass:
    """Shuffle rows, batch. The shuffle is of all rows: DataLoader has no buffer."""
    return _rows_of(DataLoader(TensorDataset(_rows()), batch_size=w.BATCH, shuffle=True))


def arrays_batch_views() -> Pass:
    """Batch rows."""
    return _rows_of(DataLoader(TensorDataset(_rows()), batch_size=w.BATCH))


def windows() -> Pass:
    """Sliding windows of a series, batched."""
    unfolded = torch.from_numpy(w.series(20_000)).unfold(0, w.WINDOW, 1)
    return _rows_of(DataLoader(TensorDataset(unfolded), batch_size=w.WINDOW_BATCH))


def padded_batch() -> Pass:
    """Pad sequences to the longest of their batch in collate_fn."""
    values, splits = w.tokens()
    sequences = list(torch.from_numpy(values).split(np.diff(splits).tolist()))

    def pad(batch: list[Any]) -> list[Any]:
        return [pad_sequence(batch, batch_first=True)]

    return _rows_of(DataLoader(sequences, batch_size=w.PADDED_BATCH, collate_fn=pad))


class _Added:
    def __len__(self) -> int:
        return 20_000

    def __getitem__(self, index: int) -> int:
        return index + 1


def python_function() -> Pass:
    """Call a Python function on every element."""
    return _rows_of(
        DataLoader(_Added(), batch_size=w.BATCH, collate_fn=lambda x: [torch.tensor(x)])
    )


def _rows() -> torch.Tensor:
    return torch.from_numpy(w.rows())


def _rows_of(loader: Any) -> Pass:
    def run() -> int:
        return sum(len(batch[0].numpy()) for batch in loader)

    return run


def main() -> None:
    """Serve one workload."""
    try:
        run = globals()[sys.argv[1]]()
    except Exception as error:  # the benchmark goes on without this peer, and says why
        _say({"error": f"{type(error).__name__}: {error}"})
        return
    _say({"torch": torch.__version__, "numpy": np.__version__})
    for _ in sys.stdin:
        started = perf_counter()
        count = run()
        _say({"count": count, "seconds": perf_counter() - started})


def _say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
