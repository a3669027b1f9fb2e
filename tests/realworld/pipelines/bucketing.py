"""Batches of sequences of like length: buckets, windows by key, budgets of tokens."""

import numpy as np

from tests.realworld.library import tf

LENGTHS = [3, 9, 1, 4, 12, 7, 2, 2, 10, 5, 6, 11, 3, 8, 1, 13]


def _sequences():
    for number, length in enumerate(LENGTHS):
        yield list(range(number, number + length)), number % 3


def _dataset():
    return tf.data.Dataset.from_generator(
        _sequences, (tf.int32, tf.int32), (tf.TensorShape([None]), tf.TensorShape([]))
    )


def pipeline_buckets_by_method():
    ds = _dataset()
    return ds.bucket_by_sequence_length(
        element_length_func=lambda tokens, label: tf.shape(tokens)[0],
        bucket_boundaries=[4, 8],
        bucket_batch_sizes=[4, 3, 2],
    )


def pipeline_buckets_by_apply():
    """The experimental form with padding to the boundary, and labels of their own shape."""
    ds = _dataset().map(lambda tokens, label: {"sentence": tokens[:9], "label": label})
    boundaries = [4, 7, 10]
    return ds.apply(
        tf.data.experimental.bucket_by_sequence_length(
            lambda elem: tf.size(elem["sentence"]),
            boundaries,
            [3] * (len(boundaries) + 1),
            padded_shapes={"sentence": [None], "label": []},
            padding_values={"sentence": -1, "label": 0},
            pad_to_bucket_boundary=True,
            drop_remainder=True,
        )
    )


def pipeline_group_by_window_of_widths():
    """Pairs by the longer side's width, a batch size that depends on the key."""
    width, budget = 4, 16
    source = _dataset()
    target = source.map(lambda tokens, label: tf.repeat(tokens, label)[:14])
    pairs = tf.data.Dataset.zip((source.map(lambda tokens, _: tokens), target))

    def length_of(*elements):
        lengths = tf.nest.flatten([tf.shape(e)[0] for e in elements])
        return tf.reduce_max(lengths)

    def _key_func(*args):
        length = length_of(*args)
        return tf.math.maximum(
            tf.cast(tf.math.ceil(length / width) - 1, tf.int64), tf.constant(0, dtype=tf.int64)
        )

    def _reduce_func(unused_key, dataset):
        shapes = tf.nest.map_structure(lambda spec: spec.shape, dataset.element_spec)
        return dataset.padded_batch(8, padded_shapes=shapes)

    def _window_size_func(key):
        size = budget // ((key + 1) * width)
        return tf.math.maximum(size, 1)

    return pairs.group_by_window(_key_func, _reduce_func, window_size_func=_window_size_func)


def pipeline_group_by_window_by_apply():
    """Translation buckets as of old: tf.cond-free bucket ids, padding of each component."""

    def key_func(src, tgt_len):
        bucket_width = (12 + 3 - 1) // 3
        bucket_id = tf.maximum(tf.size(src) // bucket_width, tgt_len // bucket_width)
        return tf.cast(tf.minimum(3, bucket_id), tf.int64)

    def reduce_func(unused_key, windowed_data):
        return windowed_data.padded_batch(
            4, padded_shapes=(tf.TensorShape([None]), tf.TensorShape([])), padding_values=(7, 0)
        )

    return _dataset().apply(
        tf.data.experimental.group_by_window(
            key_func=key_func, reduce_func=reduce_func, window_size=4
        )
    )


def pipeline_training_with_length_filter():
    """Filters for zero and long examples, count by reduce, shards in a random order, repeats."""
    ds = _dataset().map(
        lambda tokens, label: ({"ids": tokens, "length": tf.shape(tokens)[0]}, label)
    )

    def keep(features, label):
        cond = []
        cond.append(tf.greater(features["length"], 0))
        cond.append(tf.less_equal(features["length"], 10))
        return tf.reduce_all(cond)

    def count(total, element):
        element = tf.nest.flatten(element)[0]
        return total + tf.cast(tf.shape(element)[0], total.dtype)

    ds = ds.apply(lambda dataset: dataset.filter(keep))
    size = ds.padded_batch(5).reduce(tf.constant(0, dtype=tf.int64), count)
    offsets = np.linspace(0, int(size), num=-(-int(size) // 4), endpoint=False, dtype=np.int64)
    shards = tf.data.Dataset.from_tensor_slices(offsets).shuffle(len(offsets), seed=6)
    ds = shards.flat_map(lambda offset: ds.skip(offset).take(4))
    ds = ds.shuffle(4, seed=2).padded_batch(3)
    return [size, size.numpy(), ds.repeat(2).prefetch(None)]


def pipeline_cardinality_made_a_multiple():
    """Enumerated, continued from the start until the count divides, flags taken off again."""
    dataset = tf.data.Dataset.range(7).map(lambda x: (x, x * x))
    extra = dataset.repeat().map(lambda *x: (tf.constant(False), x))
    dataset = dataset.map(lambda *x: (tf.constant(True), x)).concatenate(extra).enumerate()

    def _continue_iter(num_consumed, element):
        return tf.math.logical_or(element[0], tf.math.not_equal(num_consumed % 4, 0))

    return dataset.take_while(_continue_iter).map(lambda number, element: element[1])


def pipeline_irregular_batches_dropped():
    """Batches of another size than a multiple filtered by the flattened first tensor."""

    def _predicate(*x):
        flat = tf.nest.flatten(x)
        return tf.equal(tf.shape(flat[0])[0] % 3, 0)

    ds = _dataset().padded_batch(3, padded_shapes=([None], [])).filter(_predicate)
    features = ds.map(lambda x, y: {"features": {"ids": x}, "labels": y})
    return [features, features.map(lambda x: tf.nest.map_structure(tf.shape, x))]


def pipeline_batches_by_number_of_tokens():
    """ragged_batch of like lengths, densified, with lengths and a mask in one map."""
    ds = _dataset().map(lambda tokens, _: tokens)
    ds = ds.ragged_batch(4)

    def densify(tokens):
        lengths = tokens.row_lengths()
        dense = tokens.to_tensor(default_value=-1)
        mask = tf.sequence_mask(lengths, tf.reduce_max(lengths), dtype=tf.float32)
        return {
            "tokens": dense,
            "lengths": lengths,
            "mask": mask,
            "total": tf.size(tokens.flat_values),
        }

    return ds.map(densify)


def pipeline_sorted_order_restored():
    """Inference by length: index injected into the features, batches of buckets, order restored."""
    ds = _dataset().map(lambda tokens, _: {"ids": tokens, "length": tf.size(tokens)}).enumerate()

    def _inject_index(index, x):
        x["index"] = index
        return x

    ds = ds.map(_inject_index)
    ds = ds.bucket_by_sequence_length(lambda x: x["length"], [4, 8, 12], [4, 4, 4, 4])
    order, totals = [], {}
    for batch in ds:
        for index, row in zip(batch["index"].numpy(), tf.reduce_sum(batch["ids"], axis=1)):
            order.append(index)
            totals[int(index)] = row.numpy()
    return [ds, np.array(order), [totals[k] for k in sorted(totals)]]
