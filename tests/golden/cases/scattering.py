"""scattering: numbers put at places, sequences, bits, and functions over slices."""

import numpy as np

from tests.golden.case import each

ROWS = np.arange(6, dtype=np.float32).reshape(2, 3)

NUMBERS = np.array([1, 2, 3], np.int32)

VALUES = {
    "scatter_nd": lambda tf: tf.scatter_nd([[1], [1], [0]], [3, 4, 5], [3]),
    "scatter_nd_rows": lambda tf: tf.scatter_nd([[2], [0]], ROWS, [4, 3]),
    "scatter_nd_places": lambda tf: tf.scatter_nd([[0, 1], [1, 2]], [7.0, 8.0], [2, 3]),
    "scatter_nd_grid": lambda tf: tf.scatter_nd([[[0], [1]], [[1], [1]]], [[1, 2], [3, 4]], [2]),
    "scatter_nd_strings": lambda tf: tf.scatter_nd([[1]], ["a"], [3]),
    "scatter_nd_outside": lambda tf: tf.scatter_nd([[5]], [3], [3]),
    "scatter_nd_misfit": lambda tf: tf.scatter_nd([[1]], [3, 4], [3]),
    "update": lambda tf: tf.tensor_scatter_nd_update([1, 2, 3], [[0], [0]], [5, 6]),
    "update_rows": lambda tf: tf.tensor_scatter_nd_update(ROWS, [[0]], [[9, 9, 9]]),
    "update_strings": lambda tf: tf.tensor_scatter_nd_update(["a", "b"], [[0]], ["z"]),
    "update_outside": lambda tf: tf.tensor_scatter_nd_update([1, 2, 3], [[3]], [5]),
    "update_negative": lambda tf: tf.tensor_scatter_nd_update([1, 2, 3], [[-1]], [5]),
    "add": lambda tf: tf.tensor_scatter_nd_add(ROWS, [[0, 1], [0, 1]], [1.0, 2.0]),
    "sub": lambda tf: tf.tensor_scatter_nd_sub([1, 2, 3], [[2]], [5]),
    "max": lambda tf: tf.tensor_scatter_nd_max([1, 2, 3], [[0], [1]], [5, 0]),
    "min": lambda tf: tf.tensor_scatter_nd_min([1, 2, 3], [[0], [1]], [5, 0]),
    "dynamic_partition": lambda tf: tf.dynamic_partition([1, 2, 3], [0, 1, 0], 3),
    "dynamic_partition_rows": lambda tf: tf.dynamic_partition(ROWS, [1, 0], 2),
    "dynamic_partition_outside": lambda tf: tf.dynamic_partition([1, 2], [0, 4], 3),
    "dynamic_stitch": lambda tf: tf.dynamic_stitch([[0, 3], [1]], [[10, 20], [30]]),
    "dynamic_stitch_rows": lambda tf: tf.dynamic_stitch([[1, 0], 2], [ROWS, [9.0, 9.0, 9.0]]),
    "sequence_mask": lambda tf: tf.sequence_mask([1, 3]),
    "sequence_mask_dtype": lambda tf: tf.sequence_mask(2, 4, dtype=tf.int32),
    "sequence_mask_grid": lambda tf: tf.sequence_mask([[1], [2]], 3),
    "sequence_mask_empty": lambda tf: tf.sequence_mask(np.zeros(0, np.int32)),
    "reverse_sequence": lambda tf: tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1),
    "reverse_sequence_batch": lambda tf: tf.reverse_sequence(
        ROWS, [2, 1, 0], seq_axis=0, batch_axis=1
    ),
    "reverse_sequence_outside": lambda tf: tf.reverse_sequence([[1, 2]], [3], seq_axis=1),
    "unravel_index": lambda tf: tf.unravel_index([3, 5], [2, 3]),
    "unravel_index_one": lambda tf: tf.unravel_index(5, [2, 3]),
    "unravel_index_outside": lambda tf: tf.unravel_index(6, [2, 3]),
    "invert_permutation": lambda tf: tf.math.invert_permutation([2, 0, 1]),
    "invert_permutation_twice": lambda tf: tf.math.invert_permutation([1, 1]),
    "histogram": lambda tf: tf.histogram_fixed_width([-1.0, 0, 1.5, 2, 5, 15], [0.0, 5.0], nbins=5),
    "histogram_bins": lambda tf: tf.histogram_fixed_width_bins(
        [-1.0, 0, 1.5, 2, 5, 15], [0.0, 5.0], nbins=5
    ),
    "histogram_ints": lambda tf: tf.histogram_fixed_width([1, 2, 3], [0, 5], nbins=5),
    "bitcast_same": lambda tf: tf.bitcast(np.float32([1, 2]), tf.int32),
    "bitcast_smaller": lambda tf: tf.bitcast(np.float32([1, 2]), tf.uint8),
    "bitcast_larger": lambda tf: tf.bitcast(np.uint8([1, 2, 3, 4]), tf.int32),
    "bitcast_misfit": lambda tf: tf.bitcast(np.uint8([1, 2, 3]), tf.int32),
    "bitcast_number": lambda tf: tf.bitcast(np.float32(1), tf.uint8),
    "bitwise_and": lambda tf: tf.bitwise.bitwise_and([5, 3], 6),
    "bitwise_or": lambda tf: tf.bitwise.bitwise_or([5, 3], [6, 8]),
    "bitwise_xor": lambda tf: tf.bitwise.bitwise_xor(np.uint8([5, 3]), 6),
    "invert": lambda tf: tf.bitwise.invert(np.uint8([5, 255])),
    "left_shift": lambda tf: tf.bitwise.left_shift([1, 3], [2, 4]),
    "right_shift": lambda tf: tf.bitwise.right_shift([-16, 16], 2),
    "identity_n": lambda tf: tf.identity_n([1, 2.0]),
    "shape_n": lambda tf: tf.shape_n([ROWS, ROWS[0]]),
    "complex": lambda tf: tf.complex([1.0, 2.0], [3.0, float("inf")]),
    "complex_double": lambda tf: tf.complex(np.float64(1), np.float64(2)),
    "truncatediv": lambda tf: tf.truncatediv([-7, 7, -7], [2, -2, -2]),
    "truncatemod": lambda tf: tf.truncatemod([-7, 7, -7], [2, -2, -2]),
    "polyval": lambda tf: tf.math.polyval([1.0, 2.0, 3.0], [0.5, 2.0]),
    "is_non_decreasing": lambda tf: tf.math.is_non_decreasing([1, 1, 2]),
    "is_strictly_increasing": lambda tf: tf.math.is_strictly_increasing([1, 1, 2]),
    "foldl": lambda tf: tf.foldl(lambda a, x: a * 2 + x, NUMBERS),
    "foldl_start": lambda tf: tf.foldl(lambda a, x: a - x, NUMBERS, initializer=10),
    "foldr": lambda tf: tf.foldr(lambda a, x: a * 2 + x, NUMBERS),
    "scan": lambda tf: tf.scan(lambda a, x: a + x, NUMBERS),
    "scan_start": lambda tf: tf.scan(lambda a, x: a + x, ROWS, initializer=np.float32([1, 1, 1])),
    "scan_reverse": lambda tf: tf.scan(lambda a, x: a + x, NUMBERS, reverse=True),
    "scan_pairs": lambda tf: tf.scan(
        lambda a, x: (a[0] + x[0], a[1] * x[1]), (NUMBERS, np.float32([4.0, 5.0, 6.0]))
    ),
    "fibonacci": lambda tf: tf.scan(
        lambda a, _: (a[1], a[0] + a[1]), tf.range(6), initializer=(0, 1)
    ),
    "assert_false": lambda tf: tf.Assert(tf.constant(False), ["x", tf.constant(3)]),
    "assert_some": lambda tf: tf.Assert(tf.constant([True, False]), ["x"]),
    "tile_float": lambda tf: tf.tile([[1, 2]], np.array([2.0, 1.0])),
    "tile_mixed": lambda tf: tf.tile([[1, 2]], [2, tf.constant(1.0)]),
    "tile_quotient": lambda tf: tf.tile([[1, 2]], [tf.constant(4) / 2, 1]),
    "tile_python_float": lambda tf: tf.tile([[1, 2]], [2.0, 1.0]),
    "reshape_float": lambda tf: tf.reshape([1, 2, 3, 4], [tf.constant(2.0), 2]),
    "reshape_numpy": lambda tf: tf.reshape([1, 2, 3, 4], np.array([2.0, 2.0])),
    "reshape_python_float": lambda tf: tf.reshape([1, 2, 3, 4], [2.0, 2.0]),
    "resize_float": lambda tf: tf.image.resize(np.ones((2, 2, 1)), [tf.constant(3.0), 2]),
    "pad_numpy": lambda tf: tf.pad([1, 2], np.array([[1.0, 0.0]])),
    "case_one": lambda tf: tf.case([(tf.constant([True]), lambda: 1)], default=lambda: 2),
    "case_none": lambda tf: tf.case([(tf.constant(False), lambda: 1)]),
    "cond_one": lambda tf: tf.cond(tf.constant([True]), lambda: 1, lambda: 2),
}


@each(name=list(VALUES))
def case_value(tf, name):
    return VALUES[name](tf)


MAPPED = {
    "scatter_nd": lambda tf, x: tf.scatter_nd([[1], [3]], x[:2], [4]),
    "update": lambda tf, x: tf.tensor_scatter_nd_update(x, [[0]], [9]),
    "update_at": lambda tf, x: tf.tensor_scatter_nd_update(x, [[x[0] % 3]], [9]),
    "sequence_mask": lambda tf, x: tf.sequence_mask(x[0], 5),
    "scan": lambda tf, x: tf.scan(lambda a, y: a + y, x),
    "foldl": lambda tf, x: tf.foldl(lambda a, y: a + y, x, initializer=0),
    "bitcast": lambda tf, x: tf.bitcast(x, tf.uint8),
    "case_one": lambda tf, x: tf.case([(x[:1] > 2, lambda: 1)], default=lambda: 2),
    "case_exclusive": lambda tf, x: tf.case(
        [(x[0] > 2, lambda: 1), (x[0] <= 2, lambda: 2)], exclusive=True
    ),
    "cond_one": lambda tf, x: tf.cond(tf.reshape(x[0] > 2, [1]), lambda: x, lambda: -x),
    "histogram": lambda tf, x: tf.histogram_fixed_width(x, [0, 12], nbins=3),
    "unravel_index": lambda tf, x: tf.unravel_index(x, [3, 4]),
}


@each(name=list(MAPPED))
def case_mapped(tf, name):
    rows = np.arange(12, dtype=np.int32).reshape(4, 3)
    return tf.data.Dataset.from_tensor_slices(rows).map(lambda x: MAPPED[name](tf, x))
