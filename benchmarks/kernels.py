"""kernels: every native kernel beside its Python twin. No number, no C++."""

from __future__ import annotations

import json
import platform
import timeit
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from feedline.kernels.exchange import exchange, exchange_twin
from feedline.kernels.mix_ids import mix_ids, mix_ids_twin
from feedline.kernels.native import native
from feedline.kernels.pad_rows import pad_rows, pad_rows_twin
from feedline.kernels.permutation import permute, permute_twin
from feedline.kernels.philox import philox_stream, philox_stream_twin
from feedline.kernels.ragged_take import ragged_take, ragged_take_twin
from feedline.kernels.resample import resample, resample_twin
from feedline.kernels.stack_rows import stack_rows, stack_rows_twin
from feedline.kernels.take_pixels import take_pixels, take_pixels_twin

Case = tuple[str, Callable[..., Any], Callable[..., Any], tuple[Any, ...]]


def cases() -> Iterator[Case]:
    random = np.random.default_rng(0)
    for count in (2, 256, 65536):
        yield f"philox_stream {count}", philox_stream, philox_stream_twin, (1, 2, 0, count)
    for capacity, count in ((1000, 256), (10_000, 4096), (1_000_000, 65536)):
        handles = np.arange(capacity), 0, capacity - 1, np.arange(count)
        arguments = (*handles, philox_stream_twin(1, 2, 0, count))
        yield f"exchange {count}, buffer {capacity}", exchange, exchange_twin, arguments
    for count in (256, 65536):
        index = np.arange(count)
        yield f"permute {count} of 1000000", permute, permute_twin, (index, 1_000_000, 7)
    for count in (1, 256, 65536):
        yield f"mix_ids {count}", mix_ids, mix_ids_twin, (np.arange(count, dtype=np.uint64), 7)
    for count, length in ((256, 100), (4096, 100), (4096, 3000)):
        splits = np.append(0, np.cumsum(random.integers(5, 2 * length - 4, 4 * count)))
        values = np.zeros(splits[-1], np.uint8)
        index = random.permutation(4 * count)[:count]
        name = f"ragged_take {count} of about {length} bytes"
        yield name, ragged_take, ragged_take_twin, (values, splits, index)
    for count in (32, 1024):
        splits = np.append(0, np.cumsum(random.integers(5, 200, count)))
        for fill in (0, 1):
            arguments = np.zeros(splits[-1], np.int32), splits, 200, fill
            yield f"pad_rows {count} to 200 int32, fill {fill}", pad_rows, pad_rows_twin, arguments
    for count, shape in ((32, (64,)), (256, (64,)), (256, (32, 32, 3))):
        arrays = [np.ones(shape, np.float32) for _ in range(count)]
        yield f"stack_rows {count} of {shape} float32", stack_rows, stack_rows_twin, (arrays,)
    images = random.integers(0, 256, (1, 375, 500, 3), np.uint8)
    out = np.empty((1, 224, 224, 3), np.float32)
    for method in ("bilinear", "triangle", "bicubic", "area"):
        name = f"resample 375 x 500 to 224 x 224, {method}"
        yield name, resample, resample_twin, (images, out, method, True)
    flips = np.ones(1, np.uint8)
    arguments = images, (375, 500), None, flips
    yield "take_pixels 375 x 500, mirrored", take_pixels, take_pixels_twin, arguments


def microseconds(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """The best of five runs of about 50 ms: other people share the machine."""
    timer = timeit.Timer(lambda: function(*arguments))
    once = timer.timeit(1)
    number = max(1, min(10_000, int(0.05 / max(once, 1e-7))))
    return min(timer.repeat(5, number)) / number * 1e6


def main() -> None:
    if native is None:
        raise SystemExit("the native module is not built: nothing to compare")
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}")
    print(f"{'kernel':42}{'native us':>12}{'twin us':>12}{'ratio':>8}")
    for name, kernel, twin, arguments in cases():
        fast, slow = microseconds(kernel, arguments), microseconds(twin, arguments)
        print(f"{name:42}{fast:12.1f}{slow:12.1f}{slow / fast:8.1f}")
        print(
            json.dumps({"benchmark": "kernels", "case": name, "native_us": fast, "twin_us": slow})
        )


if __name__ == "__main__":
    main()
