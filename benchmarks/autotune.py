"""Claim: AUTOTUNE reaches 95 % of the best setting by hand, within five seconds.

Seven pipelines; each runs for a few seconds with every setting by hand. The best of them is a
little lucky, so that it runs again, in turn with AUTOTUNE, which is started anew each time. Then
tf.data's AUTOTUNE, if an interpreter that has it is given.
"""

from __future__ import annotations

import io
import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import parse_example
import workloads as w
from measure import Benchmark, Peer, say

import feedline as tf
from feedline.machine import available_cpus

_SECONDS = 6.0
_BY_HAND_SECONDS = 2.0
_ROUNDS = 3
_BATCH = 32
_WORD = re.compile(rb"[a-z]+")


@cache
def _jpegs() -> list[bytes]:
    from PIL import Image  # noqa: PLC0415 (only one of the pipelines needs it)

    draws = np.random.default_rng(1)
    found = []
    for _ in range(64):
        small = Image.fromarray(draws.integers(0, 255, (25, 19, 3), dtype=np.uint8))
        data = io.BytesIO()
        small.resize((500, 375)).save(data, "JPEG", quality=90)
        found.append(data.getvalue())
    return found


def _images(calls: int) -> Any:
    ds = tf.data.Dataset.from_tensor_slices(_jpegs()).repeat()
    return ds.map(_resized, num_parallel_calls=calls).batch(_BATCH)


def _resized(jpeg: Any) -> Any:
    return tf.image.resize(tf.io.decode_jpeg(jpeg, channels=3), (224, 224)) / 255


def _decode(number: Any) -> Any:
    import simplejpeg  # noqa: PLC0415
    from PIL import Image  # noqa: PLC0415

    image = simplejpeg.decode_jpeg(_jpegs()[int(number) % 64])
    return np.asarray(Image.fromarray(image).resize((224, 224)), np.float32) / 255


def _python_bound(number: Any) -> Any:
    total = 0
    for step in range(2_000):
        total += step * int(number) % 7
    return total


_ARRAY = np.random.default_rng(1).random(1 << 17)


def _numpy_bound(number: Any) -> Any:
    return np.sqrt(np.sin(_ARRAY) + int(number)).sum()


def _waiting(number: Any) -> Any:
    time.sleep(0.005)
    return number


@cache
def _sentences() -> list[bytes]:
    return w.sentences(1_000)


def _words(number: Any) -> Any:
    text = _sentences()[int(number) % 1_000]
    return len(_WORD.findall(text * 50))


def _numbers() -> Any:
    return tf.data.Dataset.range(1 << 40)


def _mapped(fn: Callable[..., Any]) -> Callable[[int], Any]:
    return lambda calls: _numbers().map(fn, num_parallel_calls=calls).batch(_BATCH)


def _parse(calls: int) -> Any:
    features = w.example_features(tf)
    ds = tf.data.TFRecordDataset(w.example_files()).repeat().batch(w.EXAMPLES_BATCH)
    return ds.map(lambda texts: tf.io.parse_example(texts, features), num_parallel_calls=calls)


PIPELINES: dict[str, Callable[[int], Any]] = {
    "jpeg": _images,
    "pillow": _mapped(_decode),
    "python": _mapped(_python_bound),
    "numpy": _mapped(_numpy_bound),
    "tfrecord": _parse,
    "text": _mapped(_words),
    "waiting": _mapped(_waiting),
}


# What tf.data has no pipeline of its own for.
_SAME_IN_TF = {"pillow": "jpeg"}


def _served(ds: Any, seconds: float) -> list[float]:
    """Return the seconds at which batches came."""
    started, at = time.perf_counter(), []
    with iter(ds.prefetch(tf.data.AUTOTUNE)) as it:
        for _ in it:
            at.append(time.perf_counter() - started)
            if at[-1] > seconds:
                break
    return at


def _rate(at: list[float], since: float) -> float:
    later = [t for t in at if t >= since]
    return (len(later) - 1) / max(later[-1] - later[0], 1e-9) if len(later) > 1 else 0.0


def _settings() -> Iterator[tuple[str, int]]:
    cpus = available_cpus()
    widths = {"inline": {1}, "threads": {1, cpus, 2 * cpus, 16, 64}, "processes": {1, cpus}}
    for executor in widths:
        for width in sorted(widths[executor]):
            yield executor, width


def _by_hand(make: Callable[[int], Any], executor: str, width: int) -> float:
    options = tf.data.Options()
    options.executor = executor
    ds = make(width).with_options(options)
    return _rate(_served(ds, _BY_HAND_SECONDS), _BY_HAND_SECONDS / 2)


def _reached(at: list[float], rate: float) -> float:
    """Return after how many seconds a quarter of one came at 95 % of a rate."""
    edges = np.arange(0, at[-1], 0.25)
    for start, stop in pairwise(edges):
        if sum(start <= t < stop for t in at) >= 0.95 * rate * (stop - start):
            return float(stop)
    return float("inf")


def _round(make: Callable[[int], Any], best: tuple[str, int]) -> tuple[float, ...]:
    """Return both rates, AUTOTUNE's share of the other, and after how long it was there."""
    hand = max(_by_hand(make, *best), 1e-9)
    at = _served(make(tf.data.AUTOTUNE), _SECONDS)
    tuned = _rate(at, _SECONDS - 2)
    return hand, tuned, tuned / hand, _reached(at, hand)


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as folder:
        parse_example.write(Path(folder))
        os.environ[w.EXAMPLES_FOLDER] = folder
        os.environ[w.JPEG_FILE] = str(Path(folder) / "images.npy")
        np.save(os.environ[w.JPEG_FILE], np.array(_jpegs(), object), allow_pickle=True)
        _run()


def _run() -> None:
    bench = Benchmark(
        "autotune", "AUTOTUNE: 95 % of the best setting by hand, within 5 s of the start", "batches"
    )
    bench.begin()
    rows = []
    for name, make in PIPELINES.items():
        found = {setting: _by_hand(make, *setting) for setting in _settings()}
        best = max(found, key=lambda setting: found[setting])
        rounds = [_round(make, best) for _ in range(_ROUNDS)]
        hand, tuned, shares, reached = (sorted(column) for column in zip(*rounds, strict=True))
        row = {
            "pipeline": name,
            "best_by_hand": "{} x {}".format(*best),
            "by_hand_per_s": round(hand[_ROUNDS // 2], 2),
            "autotune_per_s": round(tuned[_ROUNDS // 2], 2),
            "share": round(shares[_ROUNDS // 2], 3),
            "shares": [round(share, 3) for share in shares],
            "reached_after_s": reached,
            "tf_data_per_s": _tf_data(bench, name),
        }
        rows.append(row)
        say(json.dumps(row))
    say(json.dumps({"benchmark": "autotune", "rows": rows}))


def _tf_data(bench: Benchmark, name: str) -> float | None:
    python = bench.arguments.tf_python
    if not python:
        return None
    peer = Peer("tf_data.py", f"autotune_{_SAME_IN_TF.get(name, name)}", python)
    peer.start()
    answer = {} if "error" in peer.about else peer.ask()
    peer.stop()
    return round(answer["count"] / answer["seconds"], 2) if answer else None


if __name__ == "__main__":
    main()
