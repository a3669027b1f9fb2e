"""What makes input fast: subclasses of Dataset, interleaving, caching, whole vectors."""

import numpy as np

from tests.realworld.library import tf


class ArtificialDataset(tf.data.Dataset):
    """A dataset that is made by its own generator."""

    def _generator(num_samples):
        for sample_idx in range(num_samples):
            yield (sample_idx,)

    def __new__(cls, num_samples=3):
        return tf.data.Dataset.from_generator(
            cls._generator,
            output_signature=tf.TensorSpec(shape=(1,), dtype=tf.int64),
            args=(num_samples,),
        )


def benchmark(dataset, num_epochs=2):
    seen = []
    for _ in tf.range(num_epochs):
        for sample in dataset:
            seen.append(sample.numpy().tolist())
    return seen


def mapped_function(s):
    tf.py_function(lambda: None, [], ())
    return s


def pipeline_naive_and_interleaved():
    plain = benchmark(ArtificialDataset())
    woven = tf.data.Dataset.range(2).interleave(lambda _: ArtificialDataset())
    parallel = tf.data.Dataset.range(2).interleave(
        lambda _: ArtificialDataset(), cycle_length=2, num_parallel_calls=tf.data.AUTOTUNE
    )
    return {"plain": plain, "woven": benchmark(woven), "parallel": benchmark(parallel, 1)}


def pipeline_map_with_side_effect():
    ds = ArtificialDataset().map(mapped_function, num_parallel_calls=tf.data.AUTOTUNE).cache()
    return benchmark(ds.prefetch(tf.data.AUTOTUNE))


def increment(x):
    return x + 1


def pipeline_vectorized():
    fast = tf.data.Dataset.range(50)
    scalar = fast.map(increment).batch(16)
    vector = fast.batch(16).map(increment)
    last = [b.numpy()[-1] for b in scalar] + [b.numpy()[-1] for b in vector]
    return {"last": last, "vector": vector}


class TimeMeasured(tf.data.Dataset):
    """A generator of several components with shapes that are not known."""

    OUTPUT_TYPES = (tf.dtypes.float32, tf.dtypes.int32)
    OUTPUT_SHAPES = ((2, 1), (2, 3))

    def _generator(instance_idx, num_samples):
        for sample_idx in range(num_samples):
            measured = [[0.5 * sample_idx], [1.5]]
            yield measured, [[int(instance_idx), -1, -1], [int(instance_idx), 0, sample_idx]]

    def __new__(cls, instance_idx=0, num_samples=4):
        return tf.data.Dataset.from_generator(
            cls._generator,
            output_types=cls.OUTPUT_TYPES,
            output_shapes=cls.OUTPUT_SHAPES,
            args=(instance_idx, num_samples),
        )


def pipeline_measured():
    @tf.function
    def step(times, counters):
        return tf.reduce_sum(times), tf.concat([counters, counters[-1:] + 1], axis=0)

    def add(times, values):
        return tf.concat((times, [[2.0]]), axis=0), tf.concat((values, [values[-1]]), axis=0)

    ds = tf.data.Dataset.range(3).flat_map(lambda i: TimeMeasured(i, 2)).map(add)
    sums = [(float(s), c.shape.as_list()) for s, c in (step(t, v) for t, v in ds)]
    return {"ds": ds, "sums": sums}


def pipeline_memory_reduced_in_user_map():
    options = tf.data.Options()
    options.autotune.enabled = True
    options.experimental_optimization.apply_default_optimizations = True
    options.experimental_slack = False
    options.threading.private_threadpool_size = 4
    data = np.arange(24, dtype=np.float32).reshape(6, 4)
    ds = tf.data.Dataset.from_tensor_slices({"x": data, "y": data.sum(1)})
    ds = ds.map(lambda d: (d["x"] / tf.norm(d["x"]), tf.math.log1p(d["y"]))).with_options(options)
    assert ds.options().autotune.enabled
    return ds.batch(4)
