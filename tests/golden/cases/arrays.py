"""arrays: TensorFlow's functions on arrays."""

import numpy as np

from tests.golden.case import each

INTS = np.array([[3, -1, 2], [0, 5, -7]], np.int32)
FLOATS = np.array([[0.5, -1.25, 2.0], [3.5, 0.0, -0.75]], np.float32)
BOOLS = np.array([[True, False, True], [False, False, True]])
CUBE = np.arange(24, dtype=np.int64).reshape(2, 3, 4)


def rounded(value):
    """Results of functions that are not rounded alike everywhere, to four places."""
    return np.round(np.asarray(value), 4)


MAKING = {
    "int": lambda tf: tf.constant(3),
    "float": lambda tf: tf.constant(2.5),
    "bool": lambda tf: tf.constant(True),
    "list": lambda tf: tf.constant([[1, 2], [3, 4]]),
    "mixed": lambda tf: tf.constant([1, 2.5]),
    "text": lambda tf: tf.constant("abc"),
    "texts": lambda tf: tf.constant(["a", "bc"]),
    "dtype": lambda tf: tf.constant([1, 2], tf.float64),
    "numpy": lambda tf: tf.constant(np.array([1.5, 2.5])),
    "numpy_cast": lambda tf: tf.constant(np.array([1.5, -2.5]), tf.int32),
    "filled": lambda tf: tf.constant(7, shape=[2, 2]),
    "reshaped": lambda tf: tf.constant([1, 2, 3, 4], shape=[2, 2]),
    "empty": lambda tf: tf.constant([]),
    "convert": lambda tf: tf.convert_to_tensor([1, 2], dtype=tf.int64),
    "convert_hint": lambda tf: tf.convert_to_tensor([1, 2], dtype_hint=tf.float32),
    "cast": lambda tf: tf.cast([1.9, -1.9], tf.int32),
    "cast_bool": lambda tf: tf.cast([0.0, 0.5], tf.bool),
    "cast_from_bool": lambda tf: tf.cast(BOOLS, tf.float32),
    "cast_uint8": lambda tf: tf.cast([1.0, 255.0], tf.uint8),
    "cast_complex": lambda tf: tf.cast(np.array([1 + 2j], np.complex64), tf.float32),
    "saturate": lambda tf: tf.saturate_cast([-5.0, 3.7, 300.0], tf.uint8),
    "saturate_ints": lambda tf: tf.saturate_cast([-500, 3, 500], tf.int8),
    "identity": lambda tf: tf.identity(INTS),
    "zeros": lambda tf: tf.zeros([2, 3]),
    "zeros_int": lambda tf: tf.zeros([2], tf.int64),
    "zeros_scalar": lambda tf: tf.zeros([]),
    "ones": lambda tf: tf.ones((2,), dtype=tf.int32),
    "fill": lambda tf: tf.fill([2, 2], 9),
    "zeros_like": lambda tf: tf.zeros_like(INTS),
    "zeros_like_dtype": lambda tf: tf.zeros_like(INTS, dtype=tf.float32),
    "ones_like": lambda tf: tf.ones_like([1.5, 2.5]),
    "eye": lambda tf: tf.eye(2),
    "eye_wide": lambda tf: tf.eye(2, 3, dtype=tf.int32),
    "eye_batch": lambda tf: tf.eye(2, batch_shape=[2]),
    "range": lambda tf: tf.range(4),
    "range_limits": lambda tf: tf.range(2, 10, 3),
    "range_down": lambda tf: tf.range(5, 0, -2),
    "range_float": lambda tf: tf.range(0.0, 1.0, 0.25),
    "range_tenths": lambda tf: tf.range(0.0, 1.0, 0.1),
    "range_mixed": lambda tf: tf.range(0, 2, 0.5),
    "range_int64": lambda tf: tf.range(np.int64(3)),
    "range_dtype": lambda tf: tf.range(3, dtype=tf.float64),
    "linspace": lambda tf: tf.linspace(0.0, 1.0, 5),
    "linspace_rows": lambda tf: tf.linspace([0.0, 1.0], [1.0, 3.0], 3),
    "one_hot": lambda tf: tf.one_hot([0, 2, -1, 5], 3),
    "one_hot_values": lambda tf: tf.one_hot([0, 1], 2, on_value=5, off_value=-1),
    "one_hot_axis": lambda tf: tf.one_hot([0, 2], 3, axis=0, dtype=tf.int32),
    "one_hot_bool": lambda tf: tf.one_hot(1, 3, dtype=tf.bool, on_value=True, off_value=False),
    "meshgrid": lambda tf: tf.meshgrid([1, 2], [3, 4, 5]),
    "meshgrid_ij": lambda tf: tf.meshgrid([1, 2], [3, 4, 5], indexing="ij"),
}


@each(name=list(MAKING))
def case_making(tf, name):
    return MAKING[name](tf)


SHAPING = {
    "shape": lambda tf: tf.shape(CUBE),
    "shape_int64": lambda tf: tf.shape(CUBE, out_type=tf.int64),
    "shape_scalar": lambda tf: tf.shape(3),
    "size": lambda tf: tf.size(CUBE),
    "rank": lambda tf: tf.rank(CUBE),
    "reshape": lambda tf: tf.reshape(CUBE, [4, -1]),
    "reshape_scalar": lambda tf: tf.reshape([5], []),
    "reshape_by_shape": lambda tf: tf.reshape(CUBE, [tf.shape(CUBE)[0], -1]),
    "expand_dims": lambda tf: tf.expand_dims(INTS, 1),
    "expand_dims_last": lambda tf: tf.expand_dims(3.0, -1),
    "squeeze": lambda tf: tf.squeeze(INTS.reshape(1, 2, 1, 3)),
    "squeeze_axis": lambda tf: tf.squeeze(INTS.reshape(1, 2, 1, 3), axis=[2]),
    "transpose": lambda tf: tf.transpose(INTS),
    "transpose_perm": lambda tf: tf.transpose(CUBE, [1, 0, 2]),
    "broadcast_to": lambda tf: tf.broadcast_to([1, 2], [2, 2]),
    "ensure_shape": lambda tf: tf.ensure_shape(INTS, [None, 3]),
    "stack": lambda tf: tf.stack([[1, 2], [3, 4]]),
    "stack_axis": lambda tf: tf.stack([INTS, INTS], axis=-1),
    "stack_numbers": lambda tf: tf.stack([1, 2, 3]),
    "stack_with_array": lambda tf: tf.stack([np.float32(1), 2.5]),
    "unstack": lambda tf: tf.unstack(INTS),
    "unstack_axis": lambda tf: tf.unstack(INTS, axis=1),
    "concat": lambda tf: tf.concat([INTS, INTS], 0),
    "concat_axis": lambda tf: tf.concat([INTS, [[9], [9]]], axis=-1),
    "split": lambda tf: tf.split(INTS, 3, axis=1),
    "split_sizes": lambda tf: tf.split([1, 2, 3, 4, 5], [1, -1, 2]),
    "tile": lambda tf: tf.tile([[1, 2]], [2, 2]),
    "repeat": lambda tf: tf.repeat([1, 2], 2),
    "repeat_each": lambda tf: tf.repeat(INTS, [1, 2], axis=0),
    "pad": lambda tf: tf.pad(INTS, [[1, 0], [0, 2]]),
    "pad_value": lambda tf: tf.pad([1.5], [[1, 1]], constant_values=-1.0),
    "pad_reflect": lambda tf: tf.pad(INTS, [[0, 0], [2, 1]], "REFLECT"),
    "pad_symmetric": lambda tf: tf.pad(INTS, [[1, 1], [2, 1]], mode="SYMMETRIC"),
    "reverse": lambda tf: tf.reverse(INTS, [1]),
    "roll": lambda tf: tf.roll([1, 2, 3], 1, 0),
    "roll_both": lambda tf: tf.roll(INTS, [1, -1], [0, 1]),
}


@each(name=list(SHAPING))
def case_shaping(tf, name):
    return SHAPING[name](tf)


PICKING = {
    "where": lambda tf: tf.where(BOOLS, INTS, -INTS),
    "where_scalar": lambda tf: tf.where(INTS > 0, INTS, 0),
    "where_places": lambda tf: tf.where(BOOLS),
    "gather": lambda tf: tf.gather([10, 20, 30], [2, 0, 0]),
    "gather_axis": lambda tf: tf.gather(INTS, [2, 0], axis=1),
    "gather_scalar": lambda tf: tf.gather(INTS, 1),
    "gather_grid": lambda tf: tf.gather(CUBE, [[0, 1], [1, 0]], axis=1),
    "gather_batch": lambda tf: tf.gather(INTS, [[0, 2], [1, 1]], batch_dims=1),
    "gather_batch_axis": lambda tf: tf.gather(CUBE, [[0, 3], [1, 1]], axis=2, batch_dims=1),
    "gather_batch_last": lambda tf: tf.gather(CUBE, [[2, 1], [0, 0]], batch_dims=-1),
    "gather_batch_none": lambda tf: tf.gather(CUBE, [[2, 1], [0, 0]], batch_dims=-2),
    "gather_batch_last_axis": lambda tf: tf.gather(CUBE, [[2, 1], [0, 0]], axis=1, batch_dims=-1),
    "gather_batch_below": lambda tf: tf.gather(CUBE, [[0, 1], [1, 0]], batch_dims=-3),
    "gather_batch_above": lambda tf: tf.gather(CUBE, [[0, 1], [1, 0]], batch_dims=3),
    "gather_batch_after": lambda tf: tf.gather(CUBE, [[0, 1], [1, 0]], axis=1, batch_dims=2),
    "gather_batch_first": lambda tf: tf.gather(INTS, [[0, 1], [1, 0]], axis=0, batch_dims=1),
    "gather_batch_first_by_last": lambda tf: tf.gather(INTS, [[0], [1]], axis=-2, batch_dims=1),
    "gather_batch_differs": lambda tf: tf.gather(INTS, [[0]], batch_dims=1),
    "gather_outside": lambda tf: tf.gather([1, 2], [2]),
    "gather_negative": lambda tf: tf.gather([1, 2], [-1]),
    "gather_nd": lambda tf: tf.gather_nd(INTS, [[0, 1], [1, 2]]),
    "gather_nd_rows": lambda tf: tf.gather_nd(CUBE, [[1], [0]]),
    "gather_nd_batch": lambda tf: tf.gather_nd(CUBE, [[[1]], [[0]]], batch_dims=1),
    "boolean_mask": lambda tf: tf.boolean_mask(INTS, BOOLS),
    "boolean_mask_rows": lambda tf: tf.boolean_mask(INTS, [False, True]),
    "boolean_mask_axis": lambda tf: tf.boolean_mask(INTS, [True, False, True], axis=1),
    "slice": lambda tf: tf.slice(INTS, [0, 1], [2, -1]),
    "strided_slice": lambda tf: tf.strided_slice(INTS, [0, 0], [2, 3], [1, 2]),
    "strided_slice_masks": lambda tf: tf.strided_slice(
        INTS, [1, 0], [2, 2], begin_mask=1, end_mask=2, shrink_axis_mask=0
    ),
    "strided_slice_shrink": lambda tf: tf.strided_slice(INTS, [1, 0], [2, 2], shrink_axis_mask=1),
    "sort": lambda tf: tf.sort(INTS),
    "sort_down": lambda tf: tf.sort(INTS, axis=0, direction="DESCENDING"),
    "argsort": lambda tf: tf.argsort([3, 1, 3, 2]),
    "argsort_down": lambda tf: tf.argsort([3, 1, 3, 2], direction="DESCENDING"),
    "searchsorted": lambda tf: tf.searchsorted([1, 3, 5], [0, 3, 9]),
    "searchsorted_right": lambda tf: tf.searchsorted([1, 3, 5], [0, 3, 9], side="right"),
    "searchsorted_rows": lambda tf: tf.searchsorted([[1, 3], [2, 4]], [[2, 9], [2, 3]]),
    "unique": lambda tf: list(tf.unique([5, 1, 5, 2])),
    "unique_with_counts": lambda tf: list(tf.unique_with_counts([5, 1, 5, 2])),
    "top_k": lambda tf: list(tf.math.top_k(FLOATS, 2)),
    "top_k_ties": lambda tf: list(tf.math.top_k([1, 3, 3, 2], k=3)),
    "in_top_k": lambda tf: tf.math.in_top_k([0, 1], FLOATS, 1),
}


@each(name=list(PICKING))
def case_picking(tf, name):
    return PICKING[name](tf)


REDUCING = {
    "sum": lambda tf: tf.reduce_sum(INTS),
    "sum_axis": lambda tf: tf.reduce_sum(INTS, 1),
    "sum_axes": lambda tf: tf.reduce_sum(CUBE, [0, 2]),
    "sum_keepdims": lambda tf: tf.reduce_sum(INTS, axis=0, keepdims=True),
    "sum_uint8": lambda tf: tf.reduce_sum(np.full(3, 100, np.uint8)),
    "sum_bytes_of_float": lambda tf: tf.reduce_sum(FLOATS),
    "mean": lambda tf: tf.reduce_mean(FLOATS, 0),
    "mean_ints": lambda tf: tf.reduce_mean([1, 2, 4, 4]),
    "mean_negative_ints": lambda tf: tf.reduce_mean([-1, -2, -4]),
    "max": lambda tf: tf.reduce_max(INTS, 1),
    "min": lambda tf: tf.reduce_min(FLOATS),
    "prod": lambda tf: tf.reduce_prod([[1, 2], [3, 4]], 0),
    "any": lambda tf: tf.reduce_any(BOOLS, 1),
    "all": lambda tf: tf.reduce_all(BOOLS),
    "std": lambda tf: rounded(tf.math.reduce_std(FLOATS)),
    "variance": lambda tf: rounded(tf.math.reduce_variance(FLOATS, 1)),
    "logsumexp": lambda tf: rounded(tf.reduce_logsumexp(FLOATS, 0)),
    "logsumexp_large": lambda tf: rounded(tf.reduce_logsumexp([1000.0, 1000.0])),
    "euclidean_norm": lambda tf: rounded(tf.math.reduce_euclidean_norm(FLOATS)),
    "count_nonzero": lambda tf: tf.math.count_nonzero(INTS, 0),
    "argmax": lambda tf: tf.argmax(INTS),
    "argmax_axis": lambda tf: tf.argmax(INTS, 1, output_type=tf.int32),
    "argmin": lambda tf: tf.argmin(FLOATS, axis=-1),
    "cumsum": lambda tf: tf.cumsum(INTS, 1),
    "cumsum_exclusive": lambda tf: tf.cumsum([1, 2, 3], exclusive=True),
    "cumsum_reverse": lambda tf: tf.cumsum([1, 2, 3], reverse=True),
    "cumsum_both": lambda tf: tf.cumsum([1, 2, 3], exclusive=True, reverse=True),
    "cumprod": lambda tf: tf.math.cumprod([2, 3, 4], exclusive=True),
    "any_of_ints": lambda tf: tf.reduce_any([1, 0]),
}


@each(name=list(REDUCING))
def case_reducing(tf, name):
    return REDUCING[name](tf)


COMPUTING = {
    "abs": lambda tf: tf.abs(INTS),
    "add": lambda tf: tf.add(INTS, 1),
    "add_list": lambda tf: tf.add(FLOATS, [1, 2, 3]),
    "add_numbers": lambda tf: tf.add(1, 2),
    "add_n": lambda tf: tf.add_n([INTS, INTS]),
    "subtract": lambda tf: tf.subtract(1.0, FLOATS),
    "multiply": lambda tf: tf.multiply([1, 2], [3, 4]),
    "divide_ints": lambda tf: tf.divide([1, 2], [2, 4]),
    "divide_small_ints": lambda tf: tf.math.truediv(np.array([1, 2], np.int8), np.int8(2)),
    "divide_floats": lambda tf: tf.divide(FLOATS, 2.0),
    "divide_no_nan": lambda tf: tf.math.divide_no_nan([1.0, 2.0], [0.0, 4.0]),
    "multiply_no_nan": lambda tf: tf.math.multiply_no_nan([np.nan, 2.0], [0.0, 4.0]),
    "floordiv": lambda tf: tf.math.floordiv([-7, 7], 2),
    "mod": lambda tf: tf.math.mod([-7, 7], 3),
    "floormod": lambda tf: tf.math.floormod([-7.5, 7.5], 2.0),
    "pow": lambda tf: tf.pow([2, 3], [3, 2]),
    "square": lambda tf: tf.square(INTS),
    "squared_difference": lambda tf: tf.math.squared_difference([1.0, 4.0], [3.0, 4.0]),
    "sqrt": lambda tf: tf.sqrt([4.0, 2.25]),
    "rsqrt": lambda tf: rounded(tf.math.rsqrt([4.0, 2.0])),
    "reciprocal": lambda tf: tf.math.reciprocal([4.0, 2.0]),
    "sign": lambda tf: tf.sign(FLOATS),
    "round": lambda tf: tf.round([0.5, 1.5, -2.5, 2.4]),
    "round_ints": lambda tf: tf.round([1, 2]),
    "floor": lambda tf: tf.floor([1.5, -1.5]),
    "ceil": lambda tf: tf.math.ceil([1.5, -1.5]),
    "maximum": lambda tf: tf.maximum(INTS, 1),
    "minimum": lambda tf: tf.minimum(FLOATS, [0.0, 0.0, 1.0]),
    "clip": lambda tf: tf.clip_by_value(FLOATS, -1.0, 1.0),
    "clip_ints": lambda tf: tf.clip_by_value(INTS, -1, 3),
    "equal": lambda tf: tf.equal([1, 2], [1, 3]),
    "equal_text": lambda tf: tf.equal(["a", "b"], ["a", "c"]),
    "not_equal": lambda tf: tf.not_equal(INTS, 0),
    "less": lambda tf: tf.less(INTS, 2),
    "less_equal": lambda tf: tf.less_equal(FLOATS, 0.5),
    "greater": lambda tf: tf.greater([1, 5], [2, 2]),
    "greater_equal": lambda tf: tf.greater_equal([1, 2], 2),
    "logical_and": lambda tf: tf.logical_and(BOOLS, True),
    "logical_or": lambda tf: tf.logical_or(BOOLS, [False, True, False]),
    "logical_xor": lambda tf: tf.math.logical_xor(BOOLS, True),
    "logical_not": lambda tf: tf.logical_not(BOOLS),
    "is_nan": lambda tf: tf.math.is_nan([1.0, np.nan]),
    "is_inf": lambda tf: tf.math.is_inf([1.0, -np.inf]),
    "is_finite": lambda tf: tf.math.is_finite([1.0, np.inf]),
    "exp": lambda tf: rounded(tf.exp(FLOATS)),
    "log": lambda tf: rounded(tf.math.log([1.0, 2.0])),
    "log1p": lambda tf: rounded(tf.math.log1p([1.0, 1e-6])),
    "expm1": lambda tf: rounded(tf.math.expm1(FLOATS)),
    "sigmoid": lambda tf: rounded(tf.sigmoid([-100.0, -1.0, 0.0, 2.0])),
    "tanh": lambda tf: rounded(tf.tanh(FLOATS)),
    "sin": lambda tf: rounded(tf.sin(FLOATS)),
    "atan2": lambda tf: rounded(tf.atan2([1.0, -1.0], [0.5, 2.0])),
    "erf": lambda tf: rounded(tf.math.erf(FLOATS)),
    "lgamma": lambda tf: rounded(tf.math.lgamma([1.5, 4.0])),
    "softmax": lambda tf: rounded(tf.math.softmax(FLOATS)),
    "softmax_axis": lambda tf: rounded(tf.math.softmax(FLOATS, axis=0)),
    "log_softmax": lambda tf: rounded(tf.math.log_softmax(FLOATS)),
    "softplus": lambda tf: rounded(tf.math.softplus([-100.0, 0.0, 100.0])),
    "softsign": lambda tf: rounded(tf.math.softsign(FLOATS)),
    "l2_normalize": lambda tf: rounded(tf.math.l2_normalize(FLOATS, axis=1)),
    "xlogy": lambda tf: rounded(tf.math.xlogy([0.0, 2.0], [0.0, 3.0])),
    "xdivy": lambda tf: rounded(tf.math.xdivy([0.0, 2.0], [0.0, 4.0])),
    "zero_fraction": lambda tf: tf.math.zero_fraction([0.0, 1.0, 0.0, 2.0]),
    "matmul": lambda tf: tf.matmul(INTS, INTS, transpose_b=True),
    "matmul_batch": lambda tf: tf.matmul(CUBE, CUBE, transpose_a=True),
    "tensordot": lambda tf: tf.tensordot(INTS, INTS, axes=[[1], [1]]),
    "tensordot_count": lambda tf: tf.tensordot([1.0, 2.0], [3.0, 4.0], 1),
    "einsum": lambda tf: tf.einsum("ij,kj->ik", INTS, INTS),
    "norm": lambda tf: rounded(tf.norm(FLOATS)),
    "norm_axis": lambda tf: rounded(tf.norm(FLOATS, ord=1, axis=1, keepdims=True)),
    "norm_inf": lambda tf: rounded(tf.norm(FLOATS, ord=np.inf, axis=0)),
}


@each(name=list(COMPUTING))
def case_computing(tf, name):
    return COMPUTING[name](tf)


COUNTING = {
    "segment_sum": lambda tf: tf.math.segment_sum([1, 2, 3, 4], [0, 0, 1, 3]),
    "segment_mean": lambda tf: tf.math.segment_mean([1.0, 2.0, 3.0], [0, 0, 1]),
    "segment_max": lambda tf: tf.math.segment_max([1, 2, 3], [0, 0, 2]),
    "segment_min": lambda tf: tf.math.segment_min(INTS, [0, 0]),
    "segment_prod": lambda tf: tf.math.segment_prod([1, 2, 3], [0, 0, 2]),
    "unsorted_sum": lambda tf: tf.math.unsorted_segment_sum([1, 2, 3, 4], [2, 0, -1, 2], 4),
    "unsorted_mean": lambda tf: tf.math.unsorted_segment_mean([1.0, 2.0, 3.0], [1, 1, 0], 3),
    "unsorted_max": lambda tf: tf.math.unsorted_segment_max([1, 2, 3], [1, 1, 0], 3),
    "unsorted_min": lambda tf: tf.math.unsorted_segment_min([1.5, 2.5], [1, 1], 2),
    "unsorted_prod": lambda tf: tf.math.unsorted_segment_prod([2, 3], [1, 1], 3),
    "unsorted_sqrt_n": lambda tf: rounded(
        tf.math.unsorted_segment_sqrt_n([1.0, 2.0, 3.0], [1, 1, 0], 3)
    ),
    "unsorted_grid": lambda tf: tf.math.unsorted_segment_sum(INTS, [[0, 1, 0], [1, 1, 0]], 2),
    "bincount": lambda tf: tf.math.bincount([1, 1, 3]),
    "bincount_lengths": lambda tf: tf.math.bincount([1, 1, 3], minlength=6, maxlength=7),
    "bincount_short": lambda tf: tf.math.bincount([1, 1, 3], maxlength=2),
    "bincount_weights": lambda tf: tf.math.bincount([1, 1, 3], weights=[0.5, 1.0, 2.0]),
    "confusion": lambda tf: tf.math.confusion_matrix([0, 1, 2, 1], [0, 2, 2, 1]),
    "confusion_classes": lambda tf: tf.math.confusion_matrix([0, 1], [1, 1], num_classes=3),
}


@each(name=list(COUNTING))
def case_counting(tf, name):
    return COUNTING[name](tf)
