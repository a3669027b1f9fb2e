"""Calls of array functions on one (3, 4) float array, for tests of recording."""

import numpy as np

import feedline as tf

TABLE = np.arange(40, dtype=np.float32).reshape(10, 4)


def ints(x):
    return tf.cast(x * 3, tf.int32)


# Whose results' shapes follow from shapes: they run on whole blocks.
RECORDED = {
    "cast": lambda x: tf.cast(x, tf.int32),
    "saturate_cast": lambda x: tf.saturate_cast(x * 200, tf.uint8),
    "identity": tf.identity,
    "constant": lambda x: x + tf.constant([1.0, 2.0, 3.0, 4.0]),
    "shape": lambda x: tf.cast(tf.shape(x)[0], tf.float32) * x,
    "size": lambda x: x / tf.cast(tf.size(x), tf.float32),
    "reshape": lambda x: tf.reshape(x, [2, -1]),
    "reshape_by_shape": lambda x: tf.reshape(x, [tf.shape(x)[1], tf.shape(x)[0]]),
    "expand_dims": lambda x: tf.expand_dims(x, 1),
    "squeeze": lambda x: tf.squeeze(tf.expand_dims(x, 0)),
    "transpose": tf.transpose,
    "broadcast_to": lambda x: tf.broadcast_to(x, [2, 3, 4]),
    "ensure_shape": lambda x: tf.ensure_shape(x, [None, 4]) + 1,
    "stack": lambda x: tf.stack([x, x * 2], axis=1),
    "unstack": lambda x: tf.unstack(x)[1],
    "concat": lambda x: tf.concat([x, x], -1),
    "split": lambda x: tuple(tf.split(x, [1, -1])),
    "tile": lambda x: tf.tile(x, [2, 1]),
    "repeat": lambda x: tf.repeat(x, 2, axis=0),
    "pad": lambda x: tf.pad(x, [[1, 0], [0, 2]], constant_values=-1.0),
    "pad_reflect": lambda x: tf.pad(x, [[1, 1], [1, 1]], "REFLECT"),
    "where": lambda x: tf.where(x > 0, x, -x),
    "gather_row": lambda x: tf.gather(x, [2, 0]),
    "gather_column": lambda x: tf.gather(x, [3, 1], axis=1),
    "gather_table": lambda x: tf.gather(TABLE, tf.clip_by_value(ints(x), 0, 9)),
    "gather_own": lambda x: tf.gather(x, tf.argmax(x, 0)),
    "gather_nd": lambda x: tf.gather_nd(x, [[0, 1], [2, 2]]),
    "reverse": lambda x: tf.reverse(x, [0, 1]),
    "roll": lambda x: tf.roll(x, 1, 0),
    "slice": lambda x: tf.slice(x, [1, 0], [2, -1]),
    "slice_by_value": lambda x: tf.slice(x, [tf.argmax(x[:2, 0]), 0], [2, 2]),
    "strided_slice": lambda x: tf.strided_slice(x, [0, 0], [3, 4], [2, 1]),
    "one_hot": lambda x: tf.one_hot(ints(x)[0], 5),
    "zeros_like": lambda x: tf.zeros_like(x) + x,
    "fill": lambda x: tf.fill([2], x[0, 0]),
    "meshgrid": lambda x: tuple(tf.meshgrid(x[0], x[1])),
    "sort": lambda x: tf.sort(x, direction="DESCENDING"),
    "argsort": lambda x: tf.argsort(x, axis=0),
    "top_k": lambda x: tuple(tf.math.top_k(x, 2)),
    "searchsorted": lambda x: tf.searchsorted([-1.0, 0.0, 1.0], x[0]),
    "reduce_sum": tf.reduce_sum,
    "reduce_sum_ints": lambda x: tf.reduce_sum(ints(x), 1),
    "reduce_mean": lambda x: tf.reduce_mean(x, 0),
    "reduce_mean_ints": lambda x: tf.reduce_mean(ints(x)),
    "reduce_max": lambda x: tf.reduce_max(x, [0, 1]),
    "reduce_any": lambda x: tf.reduce_any(x > 1, 1, keepdims=True),
    "reduce_std": lambda x: tf.math.reduce_std(x, 0),
    "reduce_logsumexp": lambda x: tf.reduce_logsumexp(x, 1),
    "argmax": lambda x: tf.argmax(x, 1),
    "cumsum": lambda x: tf.cumsum(x, 1, exclusive=True, reverse=True),
    "cumsum_ints": lambda x: tf.cumsum(ints(x)),
    "cumprod": lambda x: tf.math.cumprod(x, 1),
    "count_nonzero": lambda x: tf.math.count_nonzero(ints(x)),
    "arithmetic": lambda x: tf.add(tf.multiply(x, 2), tf.subtract(1.0, x)),
    "divide": lambda x: tf.divide(x, 3.0),
    "divide_ints": lambda x: tf.divide(ints(x), 3),
    "divide_no_nan": lambda x: tf.math.divide_no_nan(x, tf.round(x)),
    "floormod": lambda x: tf.math.floormod(ints(x), 4),
    "rounding": lambda x: tf.round(x) + tf.floor(x) + tf.math.ceil(x),
    "clip_by_value": lambda x: tf.clip_by_value(x, -0.5, 0.5),
    "maximum": lambda x: tf.maximum(x, 0.0),
    "compare": lambda x: tf.logical_and(tf.greater(x, 0), tf.less_equal(x, 1)),
    "equal": lambda x: tf.equal(ints(x), 1),
    "sigmoid": tf.sigmoid,
    "tanh": tf.tanh,
    "exp": lambda x: tf.exp(x) + tf.math.log1p(tf.abs(x)),
    "softmax": tf.math.softmax,
    "log_softmax": lambda x: tf.math.log_softmax(x, axis=0),
    "softplus": tf.math.softplus,
    "l2_normalize": lambda x: tf.math.l2_normalize(x, 1),
    "erf": tf.math.erf,
    "matmul": lambda x: tf.matmul(x, x, transpose_b=True),
    "matmul_table": lambda x: tf.matmul(x, TABLE, transpose_b=True),
    "tensordot": lambda x: tf.tensordot(x, TABLE, [[1], [1]]),
    "einsum": lambda x: tf.einsum("ij,kj->ik", x, x),
    "norm": lambda x: tf.norm(x, axis=1),
    "unsorted_segment_sum": lambda x: tf.math.unsorted_segment_sum(x, [1, 0, 1], 3),
    "confusion_matrix": lambda x: tf.math.confusion_matrix(
        tf.argmax(x, 1), [0, 1, 2], num_classes=4
    ),
    "check_numerics": lambda x: tf.debugging.check_numerics(x, "x") * 2,
    "assert_less": lambda x: (tf.debugging.assert_less(x, 1e9), x + 1)[1],
    "cond": lambda x: tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2, lambda: x - 1),
    "switch_case": lambda x: tf.switch_case(
        tf.cast(tf.argmax(x[0]), tf.int32), [lambda: x, lambda: -x, lambda: x * 3]
    ),
    "while_loop": lambda x: tf.while_loop(
        lambda v: tf.reduce_sum(tf.abs(v)) > 1, lambda v: [v / 2], [x]
    )[0],
    "map_fn": lambda x: tf.map_fn(lambda row: row * tf.reduce_sum(x), x),
}

SIGNAL = {
    "frame": lambda x: tf.signal.frame(x, 2, 1),
    "frame_padded": lambda x: tf.signal.frame(x, 3, 2, pad_end=True, axis=0),
    "overlap_and_add": lambda x: tf.signal.overlap_and_add(x, 2),
    "rfft": tf.signal.rfft,
    "stft": lambda x: tf.abs(tf.signal.stft(x, 4, 2, pad_end=True)),
    "inverse_stft": lambda x: tf.signal.inverse_stft(tf.signal.stft(x, 2, 1), 2, 1),
    "dct": tf.signal.dct,
    "mfccs": tf.signal.mfccs_from_log_mel_spectrograms,
}

NN = {
    "relu6": tf.nn.relu6,
    "leaky_relu": tf.nn.leaky_relu,
    "elu": tf.nn.elu,
    "gelu": tf.nn.gelu,
    "silu": tf.nn.silu,
    "crelu": tf.nn.crelu,
    "moments": lambda x: tf.nn.moments(x, [0]),
    "embedding_lookup": lambda x: tf.nn.embedding_lookup(TABLE, tf.argmax(x, 1)),
    "max_pool": lambda x: tf.nn.max_pool2d(x[None, :, :, None], 2, 1, "SAME"),
    "avg_pool": lambda x: tf.nn.avg_pool2d(x[None, :, :, None], 2, 2, "SAME"),
    "depthwise_conv2d": lambda x: tf.nn.depthwise_conv2d(
        x[None, :, :, None], TABLE[:2, :2, None, None], [1, 1, 1, 1], "SAME"
    ),
    "conv2d": lambda x: tf.nn.conv2d(x[None, :, :, None], TABLE[:2, :2, None, None], 1, "SAME"),
    "space_to_depth": lambda x: tf.nn.space_to_depth(x[None, :2, :, None], 2),
    "space_to_batch": lambda x: tf.space_to_batch(x[None, :2], [2], [[0, 0]]),
}

LINALG = {
    "diag": tf.linalg.diag,
    "diag_part": tf.linalg.diag_part,
    "set_diag": lambda x: tf.linalg.set_diag(x, x[:, 0]),
    "band_part": lambda x: tf.linalg.band_part(x, 0, 1),
    "normalize": lambda x: tf.linalg.normalize(x, axis=1)[0],
    "clip_by_norm": lambda x: tf.clip_by_norm(x, 1.0),
    "clip_by_global_norm": lambda x: tf.clip_by_global_norm([x, x[0]], 1.0)[0],
    "inv": lambda x: tf.linalg.inv(x[:, :3] + 4 * tf.eye(3)),
    "det": lambda x: tf.linalg.det(x[:, :3]),
    "solve": lambda x: tf.linalg.solve(x[:, :3] + 4 * tf.eye(3), x),
    "svd_values": lambda x: tf.linalg.svd(x, compute_uv=False),
}

PLACES = {
    "scatter_nd": lambda x: tf.scatter_nd([[1], [1], [0]], x, [3, 4]),
    "update": lambda x: tf.tensor_scatter_nd_update(x, [[0, 1]], [7.0]),
    "update_at": lambda x: tf.tensor_scatter_nd_add(
        x, tf.argmax(x, 0)[:, None] % 3, x[0][:, None] * x[:1]
    ),
    "sequence_mask": lambda x: tf.sequence_mask(ints(x)[0], 4),
    "reverse_sequence": lambda x: tf.reverse_sequence(x, tf.clip_by_value(ints(x)[:, 0], 0, 4), 1),
    "unravel_index": lambda x: tf.unravel_index(tf.argmax(x, 1), [2, 2]),
    "histogram": lambda x: tf.histogram_fixed_width(x, [-1.0, 1.0], nbins=5),
    "bitcast": lambda x: tf.bitcast(x, tf.uint8),
    "bitcast_larger": lambda x: tf.bitcast(tf.bitcast(x, tf.uint8), tf.int32),
    "bitwise": lambda x: tf.bitwise.bitwise_and(ints(x), 3),
    "complex": lambda x: tf.complex(x, x[0]),
    "truncatediv": lambda x: tf.truncatediv(ints(x), 2),
    "is_non_decreasing": lambda x: tf.math.is_non_decreasing(x[0]),
    "scan": lambda x: tf.scan(lambda a, y: a + y, x),
    "foldr": lambda x: tf.foldr(lambda a, y: a * 0.5 + y, x),
    "cond_of_one": lambda x: tf.cond(x[0, :1] > 0, lambda: x, lambda: -x),
    "case_exclusive": lambda x: tf.case(
        [(x[0, 0] > 0, lambda: x), (x[0, 0] <= 0, lambda: -x)], exclusive=True
    ),
    "assert": lambda x: (tf.debugging.Assert(x[0, 0] < 1e9, [x]), x + 1)[1],
}
RECORDED |= SIGNAL | NN | LINALG | PLACES

# Whose results' lengths depend on values: recorded in a function, plain Python in a dataset.
VARYING = {
    "boolean_mask": lambda x: tf.reduce_sum(tf.boolean_mask(x, x > 0)),
    "where": lambda x: tf.shape(tf.where(x > 0)),
    "unique": lambda x: tf.size(tf.unique(ints(x)[0]).y),
    "range": lambda x: tf.reduce_sum(tf.range(tf.argmax(x[0]) + 1)),
    "bincount": lambda x: tf.math.bincount(tf.abs(ints(x))[0], minlength=3),
    "segment_sum": lambda x: tf.math.segment_sum(x, tf.cast(tf.sort(tf.abs(x[:, 0])), tf.int32)),
    "repeat": lambda x: tf.repeat(x, tf.argmax(x, 1), axis=0),
    "zeros": lambda x: tf.zeros([tf.argmax(x[0]), 2]),
    "sequence_mask": lambda x: tf.sequence_mask(tf.argmax(x, 1)),
    "dynamic_partition": lambda x: tf.size(tf.dynamic_partition(x, tf.argmax(x, 1) % 2, 2)[1]),
    "scatter_nd": lambda x: tf.scatter_nd([[0]], x[:1, 0], [tf.argmax(x[0]) + 1]),
}
