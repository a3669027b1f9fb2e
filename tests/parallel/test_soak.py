"""Nothing is left behind and nothing grows, however long pipelines of all kinds run.

FEEDLINE_SOAK_SECONDS makes it last longer than the suite has time for.
"""

import gc
import itertools
import os
import random
import time

import numpy as np

import feedline as tf

SECONDS = float(os.environ.get("FEEDLINE_SOAK_SECONDS", "6"))
AUTOTUNE = tf.data.AUTOTUNE
Dataset = tf.data.Dataset


def images(x):
    return np.full((64, 64, 3), int(x) % 255, np.uint8)


def lengths(x):
    return np.arange(int(x) % 50)


def failing(x):
    if x % 7 == 0:
        raise ValueError(x)
    return x


def in_executor(ds, executor):
    options = tf.data.Options()
    options.executor = executor
    return ds.with_options(options)


def pipelines_in(tmp_path):
    for number in range(4):
        with tf.io.TFRecordWriter(str(tmp_path / f"{number}.tfrecord")) as writer:
            for text in range(2_000):
                writer.write(b"%d" % text * (number + 20))
    files = sorted(map(str, tmp_path.iterdir()))
    drawn = Dataset.range(300).map(lambda x, rng: x + rng.random(), num_parallel_calls=2)
    return [
        Dataset.range(2_000).map(images, AUTOTUNE).shuffle(100).batch(32).prefetch(AUTOTUNE),
        Dataset.range(2_000).map(lengths, 2, deterministic=False).padded_batch(16),
        tf.data.TFRecordDataset(files, num_parallel_reads=4).shuffle(1_000).batch(64).prefetch(2),
        Dataset.from_tensor_slices(files).interleave(
            tf.data.TFRecordDataset, cycle_length=3, num_parallel_calls=AUTOTUNE
        ),
        Dataset.range(500).map(failing, 2).ignore_errors().batch(8),
        in_executor(Dataset.range(400).map(images, 2).batch(16), "processes"),
        in_executor(drawn.repeat(3).batch(16), "processes"),
        in_executor(Dataset.range(400).map(images).batch(16), "background"),
        Dataset.range(5_000).window(20, 1, drop_remainder=True).flat_map(lambda w: w.batch(20)),
    ]


def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def handles():
    return len(os.listdir("/proc/self/fd"))


def run(ds, way, draw):
    """Run a pipeline: to the end, not to the end, or in two parts with a state between them."""
    it = iter(ds)
    if way == "whole":
        for _ in it:
            pass
        return
    for _ in itertools.islice(it, draw.randrange(1, 20)):
        pass
    if way == "resumed":
        state = it.state_dict()
        it.close()
        it = iter(ds)
        it.load_state_dict(state)
        for _ in itertools.islice(it, 20):
            pass


def test_nothing_grows_and_nothing_is_left(tmp_path):
    draw = random.Random(1)
    pipelines = pipelines_in(tmp_path)
    ways = ("whole", "early", "resumed")
    rounds = itertools.cycle(itertools.product(pipelines, ways))
    for ds, way in itertools.islice(rounds, len(pipelines) * len(ways)):
        run(ds, way, draw)

    def go_on(seconds):
        end = time.monotonic() + seconds
        count = 0
        while time.monotonic() < end:
            run(*next(rounds), draw)
            count += 1
        return count

    go_on(SECONDS / 3)
    before, open_before = resident(), handles()
    assert go_on(SECONDS * 2 / 3) > 5

    assert resident() - before < 32 << 20
    assert handles() <= open_before + 4  # those of workers, which come and go
