"""Claim: a leaf as a tensor costs less than 0.15 us, an operator on it less than 0.1 us.

Both are beside the same with plain values: the rows of the same blocks, and NumPy's arrays.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
from measure import Benchmark, say

import feedline as tf

_COUNT = 100_000
_KINDS: dict[str, Any] = {
    "numbers": np.arange(_COUNT),
    "rows of 8": np.zeros((_COUNT, 8), np.float32),
    "byte strings": np.array([b"%08d" % n for n in range(_COUNT)], object),
    "texts": np.array([f"{n:08d}" for n in range(_COUNT)], object),
}


def _count(elements: Any) -> int:
    return sum(1 for _ in elements)


def _plain_rows(ds: tf.data.Dataset[Any]) -> int:
    return sum(_count(block.rows()) for block in iter(ds).blocks())


def _repeated(operation: Callable[[], Any]) -> Callable[[], int]:
    def run() -> int:
        for _ in range(_COUNT):
            operation()
        return _COUNT

    return run


def main() -> None:
    """Run the benchmark."""
    bench = Benchmark("values", "tensors cost next to nothing beside NumPy's own values")
    pairs = []
    for kind, source in _KINDS.items():
        ds = tf.data.Dataset.from_tensor_slices(source)
        plain, tensors = f"plain, {kind}", f"Feedline, {kind}"
        bench.add(plain, lambda ds=ds: _plain_rows(ds))
        bench.add(tensors, lambda ds=ds: _count(ds), against=plain)
        pairs.append((kind, tensors, plain))
    array = np.ones((8, 8), np.float32)
    values = {"array of 64": (array, 2.0), "number": (np.float32(3), np.float32(2))}
    for kind, (first, second) in values.items():
        tensor, other = tf.constant(first), second
        plain, tensors = f"plain, {kind} * number", f"Feedline, {kind} * number"
        bench.add(plain, _repeated(lambda a=first, b=other: a * b))
        bench.add(tensors, _repeated(lambda a=tensor, b=other: a * b), against=plain)
        pairs.append((f"{kind} * number", tensors, plain))
    bench.run()
    for kind, tensors, plain in pairs:
        costs = zip(bench.us_each(tensors), bench.us_each(plain), strict=True)
        own = [one - other for one, other in costs]
        say(f"{kind}: {statistics.median(own):+.3f} us each ({min(own):+.3f}..{max(own):+.3f})")


if __name__ == "__main__":
    main()
