"""Claim: decode_jpeg() takes at most 0.8 of the CPU time of libjpeg-turbo.

CPU time of the thread, in shuffled order, with libjpeg-turbo measured twice: how far the
second is from the first says how much of a difference is noise. Wall times of calls this short
say nothing on a machine that others use.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import simplejpeg

import feedline as tf
from feedline.image.decoded import Decoding, _columns
from feedline.strings.texts import packed

_ROUNDS, _BLOCK = 100, 8


def photo() -> bytes:
    """Return a JPEG of 500 x 375 pixels with noise in it."""
    y, x = np.mgrid[:375, :500]
    waves = [127 + 100 * np.sin(x / 7 + k) + 60 * np.cos(y / 5 - k) for k in range(3)]
    noise = np.random.default_rng(0).normal(0, 12, (375, 500, 3))
    return tf.io.encode_jpeg(
        np.clip(np.stack(waves, -1) + noise, 0, 255).astype(np.uint8), quality=90
    )


def cpu_ms(calls: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Return the median CPU time of each call."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    order = list(calls)
    for _ in range(_ROUNDS):
        random.shuffle(order)
        for name in order:
            started = time.thread_time()
            calls[name]()
            taken[name].append(1e3 * (time.thread_time() - started))
    return {name: statistics.median(times) for name, times in taken.items()}


def main() -> None:
    """Run the benchmark."""
    data = photo()
    column, how = packed([data] * _BLOCK), Decoding("decode_jpeg()", 3)

    def bare() -> Any:
        return simplejpeg.decode_jpeg(data, "RGB", fastdct=True)

    def bare_block() -> Any:
        made = np.empty((_BLOCK, 375, 500, 3), np.uint8)
        for place in made:
            simplejpeg.decode_jpeg(data, "RGB", fastdct=True, buffer=place)
        return made

    tables: list[dict[str, Callable[[], Any]]] = [
        {
            "libjpeg-turbo": bare,
            "libjpeg-turbo again (control)": bare,
            "decode_jpeg()": lambda: tf.io.decode_jpeg(data, channels=3),
            "at a half": lambda: tf.io.decode_jpeg(data, channels=3, ratio=2),
            "at an eighth": lambda: tf.io.decode_jpeg(data, channels=3, ratio=8),
        },
        {
            f"libjpeg-turbo, {_BLOCK} into one array": bare_block,
            "the same again (control)": bare_block,
            f"a block of {_BLOCK}": lambda: _columns(column, how),
        },
    ]
    print(f"a JPEG of 500 x 375 pixels and {len(data)} bytes; {_ROUNDS} rounds")
    for calls in tables:
        found = cpu_ms(calls)
        first = next(iter(found.values()))
        for name, taken in found.items():
            print(f"  {name:32} {taken:7.3f} ms CPU   {taken / first:.3f}")


if __name__ == "__main__":
    main()
