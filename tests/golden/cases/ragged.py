"""ragged: rows of different lengths: made, sliced, reduced, joined and filled up."""

import numpy as np

from tests.golden.case import each, spec_of_results

VALUES = {
    "flat": lambda tf: tf.ragged.constant([[1, 2, 3], [], [4], [5, 6]]),
    "deep": lambda tf: tf.ragged.constant([[[1], [2, 3]], [], [[4, 5, 6]]]),
    "inner": lambda tf: tf.RaggedTensor.from_row_lengths(
        tf.reshape(tf.range(12), [6, 2]), [2, 0, 4]
    ),
    "uniform": lambda tf: tf.RaggedTensor.from_tensor([[1, 2], [3, 4], [5, 6]]),
    "floats": lambda tf: tf.ragged.constant([[1.5, -2.0], [], [4.25]]),
    "bools": lambda tf: tf.ragged.constant([[True, False], [], [True]]),
    "words": lambda tf: tf.ragged.constant([[b"a", b"bb"], [b"ccc"], []]),
}
KEYS = [
    *(np.s_[0], np.s_[-1], np.s_[1:3], np.s_[::2], np.s_[::-1], np.s_[5:], np.s_[...]),
    *(np.s_[:, :2], np.s_[:, :-1], np.s_[:, -1:], np.s_[:, ::-1], np.s_[:, 1::2], np.s_[0, 0]),
    *(np.s_[:, 0], np.s_[:, -1], np.s_[..., :1], np.s_[0, 1:], np.s_[1:, 1:], np.s_[None]),
    *(np.s_[:, None], np.s_[..., None], np.s_[0, None]),
]
DEEP_KEYS = [
    *(np.s_[:, :, :1], np.s_[:, 1:, :2], np.s_[..., 0], np.s_[..., 1:], np.s_[0, 1]),
    *(np.s_[:, :, ::-1], np.s_[:, None, :1], np.s_[0, :, 0]),
]


@each(value=["flat", "deep", "inner", "uniform", "words"], key=KEYS)
def case_sliced(tf, value, key):
    return VALUES[value](tf)[key]


@each(value=["deep", "inner"], key=DEEP_KEYS)
def case_sliced_deep(tf, value, key):
    return VALUES[value](tf)[key]


MADE = {
    "rowids": lambda tf, kind: kind.from_value_rowids([1, 2, 3], [0, 0, 2]),
    "rowids_nrows": lambda tf, kind: kind.from_value_rowids([1, 2, 3], [0, 0, 2], nrows=5),
    "rowids_below": lambda tf, kind: kind.from_value_rowids([1, 2], [-1, 0]),
    "rowids_few": lambda tf, kind: kind.from_value_rowids([1, 2], [0, 2], nrows=2),
    "rowids_enough": lambda tf, kind: kind.from_value_rowids([1, 2], [0, 2], nrows=3),
    "rowids_back": lambda tf, kind: kind.from_value_rowids([1, 2, 3], [0, 2, 1]),
    "starts": lambda tf, kind: kind.from_row_starts([1, 2, 3], [0, 2, 2]),
    "limits": lambda tf, kind: kind.from_row_limits([1, 2, 3], [1, 1, 3]),
    "limits_short": lambda tf, kind: kind.from_row_limits([1, 2, 3], [1, 1, 2]),
    "lengths_short": lambda tf, kind: kind.from_row_lengths([1, 2, 3], [1, 1]),
    "splits_fall": lambda tf, kind: kind.from_row_splits([1, 2, 3], [0, 2, 1, 3]),
    "splits_int32": lambda tf, kind: kind.from_row_splits([1, 2], tf.constant([0, 2, 2])),
    "uniform": lambda tf, kind: kind.from_uniform_row_length(tf.range(6), 2),
    "uniform_wrong": lambda tf, kind: kind.from_uniform_row_length([1, 2, 3, 4], 3),
    "uniform_zero": lambda tf, kind: kind.from_uniform_row_length(tf.zeros([0]), 0, nrows=3),
    "uniform_ragged": lambda tf, kind: kind.from_uniform_row_length(VALUES["flat"](tf), 2),
    "nested_splits": lambda tf, kind: kind.from_nested_row_splits(
        [1, 2, 3], [[0, 1, 2], [0, 1, 3]]
    ),
    "nested_lengths": lambda tf, kind: kind.from_nested_row_lengths([1, 2, 3], [[1, 1], [1, 2]]),
    "nested_rowids": lambda tf, kind: kind.from_nested_value_rowids([1, 2, 3], [[0, 1], [0, 1, 1]]),
    "tensor": lambda tf, kind: kind.from_tensor([[[1, 2], [3, 4]]]),
    "tensor_rank": lambda tf, kind: kind.from_tensor([[[1, 2], [3, 4]]], ragged_rank=2),
    "tensor_padding": lambda tf, kind: kind.from_tensor(
        [[1, 2, 0], [0, 3, 0], [0, 0, 0]], padding=0
    ),
    "tensor_padding_inner": lambda tf, kind: kind.from_tensor(
        [[[1, 2], [3, 4]], [[5, 6], [0, 0]]], padding=[0, 0]
    ),
    "tensor_padding_deep": lambda tf, kind: kind.from_tensor(
        [[[1, 0], [3, 4]], [[5, 6], [0, 0]]], padding=0, ragged_rank=2
    ),
    "tensor_words": lambda tf, kind: kind.from_tensor([[b"a", b""], [b"", b""]], padding=""),
    "tensor_lengths": lambda tf, kind: kind.from_tensor([[1, 2], [3, 4]], lengths=[1, 5]),
    "tensor_empty": lambda tf, kind: kind.from_tensor(tf.zeros([2, 0])),
    "tensor_flat": lambda tf, kind: kind.from_tensor([1, 2]),
    "tensor_both": lambda tf, kind: kind.from_tensor([[1, 2]], padding=0, lengths=[1]),
    "sparse": lambda tf, kind: kind.from_sparse(
        tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 2, 3], [3, 3])
    ),
    "sparse_gap": lambda tf, kind: kind.from_sparse(tf.SparseTensor([[0, 1]], [1], [1, 2])),
    "constant_empty": lambda tf, kind: tf.ragged.constant([]),
    "constant_rank": lambda tf, kind: tf.ragged.constant([[[1, 2]], [[3, 4]]], ragged_rank=1),
    "constant_inner": lambda tf, kind: tf.ragged.constant([[[1, 2]], [[3, 4]]], inner_shape=(2,)),
    "constant_depths": lambda tf, kind: tf.ragged.constant([[1, [2]]]),
    "constant_kinds": lambda tf, kind: tf.ragged.constant([[1], ["a"]]),
    "constant_arrays": lambda tf, kind: tf.ragged.constant([np.array([1, 2]), np.array([3])]),
    "constant_int32": lambda tf, kind: tf.ragged.constant([[1], []], row_splits_dtype=tf.int32),
    "range": lambda tf, kind: tf.ragged.range([3, 0, 2]),
    "range_steps": lambda tf, kind: tf.ragged.range([0, 9, 1], [5, 0, 1], [2, -3, 1]),
    "range_floats": lambda tf, kind: tf.ragged.range([0.0, 1.0], [1.0, 3.0], 0.5),
    "stack": lambda tf, kind: tf.ragged.stack([[1, 2], [3]]),
    "stack_ragged": lambda tf, kind: tf.ragged.stack(
        [VALUES["flat"](tf), tf.ragged.constant([[7]])]
    ),
    "stack_axis": lambda tf, kind: tf.ragged.stack(
        [VALUES["flat"](tf), VALUES["flat"](tf)], axis=1
    ),
    "mask": lambda tf, kind: tf.ragged.boolean_mask(
        [[1, 2, 3], [4, 5, 6]], [[True, False, True], [False, False, True]]
    ),
    "mask_rows": lambda tf, kind: tf.ragged.boolean_mask(VALUES["deep"](tf), [True, False, True]),
    "mask_ragged": lambda tf, kind: tf.ragged.boolean_mask(
        VALUES["floats"](tf), VALUES["bools"](tf)
    ),
    "mask_inner": lambda tf, kind: tf.ragged.boolean_mask(
        VALUES["deep"](tf), tf.ragged.constant([[True, False], [], [True]])
    ),
    "mask_words": lambda tf, kind: tf.ragged.boolean_mask(
        VALUES["words"](tf), tf.not_equal(VALUES["words"](tf), "bb")
    ),
    "map_flat_values": lambda tf, kind: tf.ragged.map_flat_values(
        lambda x, y: x * y, VALUES["flat"](tf), VALUES["flat"](tf)
    ),
    "segment_ids": lambda tf, kind: tf.ragged.row_splits_to_segment_ids([0, 3, 3, 5]),
    "row_splits": lambda tf, kind: tf.ragged.segment_ids_to_row_splits([0, 0, 0, 2, 2]),
}


@each(name=list(MADE))
def case_made(tf, name):
    return MADE[name](tf, tf.RaggedTensor)


PARTS = {
    "bounding_shape": lambda r: r.bounding_shape(),
    "bounding_axis": lambda r: r.bounding_shape(axis=1),
    "row_lengths": lambda r: r.row_lengths(),
    "row_starts": lambda r: r.row_starts(),
    "row_limits": lambda r: r.row_limits(),
    "value_rowids": lambda r: r.value_rowids(),
    "nested_row_lengths": lambda r: r.nested_row_lengths(),
    "nested_value_rowids": lambda r: r.nested_value_rowids(),
    "nrows": lambda r: r.nrows(),
    "values": lambda r: r.values,
    "flat_values": lambda r: r.flat_values,
    "ragged_rank": lambda r: r.ragged_rank,
    "uniform_row_length": lambda r: r.uniform_row_length,
    "shape": lambda r: r.shape.as_list(),
    "merge_first": lambda r: r.merge_dims(0, 1),
    "merge_last": lambda r: r.merge_dims(-2, -1),
    "to_sparse": lambda r: r.to_sparse(),
    "to_tensor": lambda r: r.to_tensor(),
    "splits_int32": lambda r: r.with_row_splits_dtype(np.int32),
    "with_values": lambda r: r.with_values(r.values[::-1]),
    "rows": lambda r: list(r),
}


@each(value=["flat", "deep", "inner", "uniform", "words"], part=list(PARTS))
def case_part(tf, value, part):
    return PARTS[part](VALUES[value](tf))


@each(shape=[[None, 2], [6, 4], [2, 2], [None, None], [4], [None, 3]])
def case_filled_up(tf, shape):
    return VALUES["flat"](tf).to_tensor(-1, shape=shape)


@each(shape=[[None, None, 2], [2, 1, 1], [None, 3, None]])
def case_filled_up_deep(tf, shape):
    return VALUES["deep"](tf).to_tensor(9, shape=shape)


OPERATORS = {
    "add": lambda tf, r: r + 1,
    "radd": lambda tf, r: 1 + r,
    "multiply": lambda tf, r: r * r,
    "divide": lambda tf, r: r / 2,
    "floor": lambda tf, r: r // 2,
    "power": lambda tf, r: r**2,
    "negative": lambda tf, r: -r,
    "column": lambda tf, r: r + tf.cast([[10], [20], [30], [40]], r.dtype)[: len(r.to_list())],
    "less": lambda tf, r: r < 3,
    "equal": lambda tf, r: tf.equal(r, 2),
    "other_rows": lambda tf, r: r + r[::-1],
    "math_add": lambda tf, r: tf.add(r, r),
    "square": lambda tf, r: tf.square(r),
    "maximum": lambda tf, r: tf.maximum(r, 2),
    "cast": lambda tf, r: tf.cast(r, tf.float64),
    "abs": lambda tf, r: abs(r),
    "where": lambda tf, r: tf.where(r > 2, r, -r),
    "ones": lambda tf, r: tf.ones_like(r),
    "size": lambda tf, r: tf.size(r),
    "rank": lambda tf, r: tf.rank(r),
}


@each(value=["flat", "floats", "deep"], operator=list(OPERATORS))
def case_each_number(tf, value, operator):
    return OPERATORS[operator](tf, VALUES[value](tf))


@each(
    value=["flat", "floats", "deep", "inner"],
    function=["reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "reduce_mean"],
    axis=[None, 0, 1, -1],
)
def case_reduced(tf, value, function, axis):
    return getattr(tf, function)(VALUES[value](tf), axis=axis)


@each(function=["reduce_any", "reduce_all"], axis=[None, 0, 1])
def case_any_and_all(tf, function, axis):
    return getattr(tf, function)(VALUES["bools"](tf), axis=axis)


@each(axis=[0, 1, (0, 1)])
def case_reduced_with_axes_kept(tf, axis):
    return tf.reduce_sum(VALUES["flat"](tf), axis=axis, keepdims=True)


JOINED = {
    "concat": lambda tf, r: tf.concat([r, r], axis=0),
    "concat_rows": lambda tf, r: tf.concat([r, r[:, :1]], axis=1),
    "concat_last": lambda tf, r: tf.concat([r, r], axis=-1),
    "stack": lambda tf, r: tf.stack([r, r]),
    "stack_inner": lambda tf, r: tf.stack([r, r], axis=1),
    "expand_first": lambda tf, r: tf.expand_dims(r, 0),
    "expand_second": lambda tf, r: tf.expand_dims(r, 1),
    "expand_last": lambda tf, r: tf.expand_dims(r, -1),
    "gather": lambda tf, r: tf.gather(r, [2, 0, 0]),
    "gather_scalar": lambda tf, r: tf.gather(r, 2),
    "gather_matrix": lambda tf, r: tf.gather(r, [[2, 0], [1, 1]]),
    "gather_ragged": lambda tf, r: tf.gather(r, tf.ragged.constant([[2], [], [0, 1]])),
    "gather_outside": lambda tf, r: tf.gather(r, [9]),
    "reverse": lambda tf, r: tf.reverse(r, [0]),
    "reverse_rows": lambda tf, r: tf.reverse(r, [1]),
    "identity": lambda tf, r: tf.identity(r),
}


@each(value=["flat", "deep", "words"], function=list(JOINED))
def case_joined(tf, value, function):
    return JOINED[function](tf, VALUES[value](tf))


def case_tiled(tf):
    return tf.tile(VALUES["flat"](tf), [2, 3])


def case_joined_with_an_array(tf):
    ends = tf.fill([4, 1], 0)
    return tf.concat([ends, VALUES["flat"](tf), ends], axis=1)


def case_rows_of_an_array(tf):
    return tf.gather(tf.constant([10, 20, 30]), tf.ragged.constant([[2], [], [0, 1]]))


@each(batch_dims=[-3, -2, -1, 1], indices=[[[0], [0]], [0, 1]])
def case_rows_in_batches(tf, batch_dims, indices):
    return tf.gather(tf.ragged.constant([[1, 2], [3]]), indices, batch_dims=batch_dims)


def case_ragged_rows_in_batches(tf):
    indices = tf.ragged.constant([[1, 0, 0], [0]])
    deep = tf.ragged.constant([[[1], [2, 3]], [[4]]])
    values = tf.ragged.constant([[1, 2], [3]])
    return [tf.gather(one, indices, batch_dims=1) for one in (values, deep)]


def case_rows_in_batches_along_the_first_axis(tf):
    return tf.gather(tf.ragged.constant([[1, 2], [3]]), [[0], [0]], axis=0, batch_dims=1)


LINES = ["the cat sat", "", "a mat"]


@spec_of_results
def case_tokens_filled_up(tf):
    lines = tf.data.Dataset.from_tensor_slices(LINES).batch(2)
    return lines.map(lambda batch: tf.strings.split(batch).to_tensor(shape=[None, 2]))


@spec_of_results
def case_tokens_cut_short(tf):
    lines = tf.data.Dataset.from_tensor_slices(LINES).batch(3)
    return lines.map(lambda batch: tf.strings.split(batch)[:, :2])


@spec_of_results
def case_shifted_tokens(tf):
    batches = tf.data.Dataset.from_tensors(VALUES["flat"](tf))
    return batches.map(lambda ids: (ids[:, :-1].to_tensor(), ids[:, 1:].to_tensor()))


def case_batches_of_ragged_elements(tf):
    rows = tf.data.Dataset.from_tensor_slices(VALUES["deep"](tf))
    return rows.batch(2)


def case_padded_batches_of_ragged_elements(tf):
    rows = tf.data.Dataset.from_tensor_slices(VALUES["deep"](tf))
    return rows.padded_batch(2)


def case_ragged_batches_of_arrays(tf):
    rows = tf.data.Dataset.range(4).map(lambda n: tf.fill([n], n))
    return rows.apply(tf.data.experimental.dense_to_ragged_batch(3))


@spec_of_results
def case_means_of_rows(tf):
    batches = tf.data.Dataset.from_tensors(VALUES["floats"](tf))
    return batches.map(lambda rows: tf.reduce_sum(rows, axis=1))
