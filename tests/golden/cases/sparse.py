"""sparse: values with places of their own."""

from tests.golden.case import each

VALUES = {
    "x": lambda tf: tf.SparseTensor([[0, 1], [2, 0], [2, 3]], [1, 2, 3], [3, 4]),
    "y": lambda tf: tf.SparseTensor([[0, 1], [1, 1]], [10, 20], [3, 4]),
    "mixed": lambda tf: tf.SparseTensor([[2, 0], [0, 1]], [5, 6], [3, 4]),
    "twice": lambda tf: tf.SparseTensor([[0, 1], [0, 1]], [1, 2], [1, 2]),
    "words": lambda tf: tf.SparseTensor([[0, 0], [2, 1]], ["a", "b"], [4, 2]),
    "ids": lambda tf: tf.SparseTensor([[0, 0], [1, 0]], tf.constant([2, 0], tf.int64), [2, 1]),
    "outside": lambda tf: tf.SparseTensor([[0, 5]], [1], [1, 2]),
    "wide": lambda tf: tf.SparseTensor([[0, 0]], [1], [1, 3]),
    "narrow": lambda tf: tf.SparseTensor([[0, 0]], [1], [1, 2]),
    "nothing": lambda tf: tf.SparseTensor(
        tf.zeros([0, 2], tf.int64), tf.zeros([0], tf.int32), [2, 2]
    ),
    "matrix": lambda tf: tf.SparseTensor([[0, 1]], [2.0], [2, 2]),
}
MADE = {
    "to_dense": lambda tf, v: tf.sparse.to_dense(v("x")),
    "to_dense_mixed": lambda tf, v: tf.sparse.to_dense(v("mixed")),
    "to_dense_twice": lambda tf, v: tf.sparse.to_dense(v("twice")),
    "to_dense_outside": lambda tf, v: tf.sparse.to_dense(v("outside")),
    "to_dense_unchecked": lambda tf, v: tf.sparse.to_dense(v("mixed"), validate_indices=False),
    "to_dense_words": lambda tf, v: tf.sparse.to_dense(v("words"), default_value=""),
    "from_dense": lambda tf, v: tf.sparse.from_dense([[0, 1], [2, 0]]),
    "from_dense_words": lambda tf, v: tf.sparse.from_dense([["", "a"]]),
    "from_dense_bools": lambda tf, v: tf.sparse.from_dense([[False, True]]),
    "from_dense_flat": lambda tf, v: tf.sparse.from_dense([1.0, 0, 2]),
    "reorder": lambda tf, v: tf.sparse.reorder(v("mixed")),
    "reshape": lambda tf, v: tf.sparse.reshape(v("x"), [2, 6]),
    "reshape_flat": lambda tf, v: tf.sparse.reshape(v("x"), [-1]),
    "reshape_wrong": lambda tf, v: tf.sparse.reshape(v("x"), [5, 5]),
    "reset_shape": lambda tf, v: tf.sparse.reset_shape(v("wide")),
    "reset_shape_larger": lambda tf, v: tf.sparse.reset_shape(v("x"), [4, 5]),
    "reset_shape_smaller": lambda tf, v: tf.sparse.reset_shape(v("x"), [2, 2]),
    "slice": lambda tf, v: tf.sparse.slice(v("x"), [1, 0], [2, 2]),
    "slice_beyond": lambda tf, v: tf.sparse.slice(v("x"), [0, 0], [9, 9]),
    "concat": lambda tf, v: tf.sparse.concat(0, [v("x"), v("y")]),
    "concat_columns": lambda tf, v: tf.sparse.concat(1, [v("x"), v("y")]),
    "concat_mixed": lambda tf, v: tf.sparse.concat(0, [v("mixed"), v("y")]),
    "concat_shapes": lambda tf, v: tf.sparse.concat(0, [v("wide"), v("narrow")]),
    "concat_expanded": lambda tf, v: tf.sparse.concat(
        0, [v("wide"), v("narrow")], expand_nonconcat_dims=True
    ),
    "concat_dtypes": lambda tf, v: tf.sparse.concat(0, [v("x"), v("words")]),
    "retain": lambda tf, v: tf.sparse.retain(v("x"), [True, False, True]),
    "fill_empty_rows": lambda tf, v: tf.sparse.fill_empty_rows(v("x"), 0),
    "fill_empty_rows_words": lambda tf, v: tf.sparse.fill_empty_rows(v("words"), ""),
    "fill_empty_rows_all": lambda tf, v: tf.sparse.fill_empty_rows(v("nothing"), -1),
    "reduce_sum": lambda tf, v: tf.sparse.reduce_sum(v("x")),
    "reduce_sum_columns": lambda tf, v: tf.sparse.reduce_sum(v("x"), axis=0),
    "reduce_sum_kept": lambda tf, v: tf.sparse.reduce_sum(v("x"), axis=1, keepdims=True),
    "reduce_sum_sparse": lambda tf, v: tf.sparse.reduce_sum(v("x"), axis=1, output_is_sparse=True),
    "reduce_sum_axes": lambda tf, v: tf.sparse.reduce_sum(v("x"), axis=[0, 1]),
    "reduce_max": lambda tf, v: tf.sparse.reduce_max(v("x"), axis=1),
    "to_indicator": lambda tf, v: tf.sparse.to_indicator(v("ids"), 4),
    "add": lambda tf, v: tf.sparse.add(v("x"), v("y")),
    "add_threshold": lambda tf, v: tf.sparse.add(v("x"), v("y"), threshold=3),
    "add_dense": lambda tf, v: tf.sparse.add(v("x"), tf.ones([3, 4], tf.int32)),
    "add_shapes": lambda tf, v: tf.sparse.add(v("wide"), v("narrow")),
    "expand_dims": lambda tf, v: tf.sparse.expand_dims(v("x"), 0),
    "expand_dims_last": lambda tf, v: tf.sparse.expand_dims(v("x"), -1),
    "transpose": lambda tf, v: tf.sparse.transpose(v("x")),
    "transpose_same": lambda tf, v: tf.sparse.transpose(v("x"), [0, 1]),
    "bincount": lambda tf, v: tf.sparse.bincount([1, 1, 2]),
    "bincount_rows": lambda tf, v: tf.sparse.bincount([[1, 1, 2], [0, 3, 3]], axis=-1),
    "bincount_all": lambda tf, v: tf.sparse.bincount([[1, 1, 2], [0, 3, 3]], axis=0),
    "bincount_sparse": lambda tf, v: tf.sparse.bincount(v("x"), axis=-1),
    "bincount_weights": lambda tf, v: tf.sparse.bincount([1, 1, 2], weights=[1.0, 2.0, 3.0]),
    "bincount_binary": lambda tf, v: tf.sparse.bincount([1, 1, 2], binary_output=True),
    "bincount_nothing": lambda tf, v: tf.sparse.bincount(tf.zeros([0], tf.int32)),
    "bincount_nothing_minlength": lambda tf, v: tf.sparse.bincount(
        tf.zeros([0], tf.int32), minlength=1
    ),
    "bincount_minlength": lambda tf, v: tf.sparse.bincount([1, 1, 5], minlength=8),
    "bincount_maxlength": lambda tf, v: tf.sparse.bincount([1, 1, 5], maxlength=3),
    "maximum": lambda tf, v: tf.sparse.maximum(v("x"), v("y")),
    "minimum": lambda tf, v: tf.sparse.minimum(v("x"), v("y")),
    "map_values": lambda tf, v: tf.sparse.map_values(lambda a: a * 2, v("x")),
    "split": lambda tf, v: list(tf.sparse.split(sp_input=v("x"), num_split=3, axis=1)),
    "split_last": lambda tf, v: list(tf.sparse.split(v("x"), 4, axis=-1)),
    "split_none": lambda tf, v: tf.sparse.split(v("x"), 0, axis=1),
    "split_too_many": lambda tf, v: tf.sparse.split(v("x"), 5, axis=1),
    "eye": lambda tf, v: tf.sparse.eye(2, 3),
    "matmul": lambda tf, v: tf.sparse.sparse_dense_matmul(v("matrix"), [[1.0, 2.0], [3.0, 4.0]]),
    "times": lambda tf, v: v("x") * 2,
    "times_column": lambda tf, v: v("x") * tf.constant([[1], [2], [3]]),
    "divided": lambda tf, v: v("x") / 2,
    "with_values": lambda tf, v: v("x").with_values([7, 8, 9]),
    "shape": lambda tf, v: v("x").shape.as_list(),
    "cast": lambda tf, v: tf.cast(v("x"), tf.float32),
    "tf_shape": lambda tf, v: tf.shape(v("x")),
    "size": lambda tf, v: tf.size(v("x")),
    "rank": lambda tf, v: tf.rank(v("x")),
}


@each(name=list(MADE))
def case_made(tf, name):
    return MADE[name](tf, lambda value: VALUES[value](tf))


def case_parsed_words(tf):
    examples = [
        tf.train.Example(
            features=tf.train.Features(
                feature={
                    "words": tf.train.Feature(bytes_list=tf.train.BytesList(value=words)),
                    "ids": tf.train.Feature(int64_list=tf.train.Int64List(value=ids)),
                }
            )
        ).SerializeToString()
        for words, ids in [([b"a", b"b"], [1]), ([], []), ([b"c"], [2, 3])]
    ]
    features = {
        "words": tf.io.VarLenFeature(tf.string),
        "ids": tf.io.VarLenFeature(tf.int64),
    }

    def parse(record):
        found = tf.io.parse_single_example(record, features)
        return found["ids"].values, tf.sparse.to_dense(found["words"], default_value="")

    return tf.data.Dataset.from_tensor_slices(examples).map(parse)
