"""padded: padded_batch."""

import numpy as np

from tests.golden.case import each, may_accept


def _rows(tf, *lengths, dtype=np.int32):
    def gen():
        for start, length in enumerate(lengths):
            yield np.arange(1 + start * 10, 1 + start * 10 + length).astype(dtype)

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((None,), dtype))


@each(size=[1, 2, 3, 10], drop=[False, True])
def case_default(tf, size, drop):
    return _rows(tf, 2, 0, 3, 1, 4).padded_batch(size, drop_remainder=drop)


@each(shape=[[None], [-1], [4], [5], None])
def case_shapes(tf, shape):
    return _rows(tf, 2, 0, 4, 1).padded_batch(2, padded_shapes=shape)


def case_shape_as_tuple(tf):
    return _rows(tf, 2, 1).padded_batch(2, padded_shapes=(None,))


@each(value=[-1, 0, 7])
def case_value(tf, value):
    return _rows(tf, 2, 0, 3).padded_batch(2, padding_values=value)


@each(dtype=["float32", "float64", "uint8", "int64", "float16", "bool", "complex64"])
def case_value_of_the_same_dtype(tf, dtype):
    value = np.dtype(dtype).type(1)
    return _rows(tf, 2, 1, dtype=np.dtype(dtype)).padded_batch(2, padding_values=value)


# A Python number is int32 at once in TensorFlow, and then does not fit.
@may_accept
@each(dtype=["float32", "uint8", "int64"])
def case_python_int_is_int32_only(tf, dtype):
    return _rows(tf, 2, 1, dtype=np.dtype(dtype)).padded_batch(2, padding_values=9)


def case_value_numpy(tf):
    return _rows(tf, 2, 1).padded_batch(2, padding_values=np.int32(9))


def case_value_float(tf):
    return _rows(tf, 2, 1, dtype=np.float32).padded_batch(2, padding_values=-0.5)


def case_bools(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[True], [True, True]]), output_signature=tf.TensorSpec((None,), np.bool_)
    )
    return ds.padded_batch(2)


def case_strings(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[b"a"], [b"b", b"c"], []]),
        output_signature=tf.TensorSpec((None,), tf.string),
    )
    return ds.padded_batch(3)


def case_strings_with_a_value(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[b"a"], [b"b", b"c"]]), output_signature=tf.TensorSpec((None,), tf.string)
    )
    return ds.padded_batch(2, padding_values=b"<pad>")


def case_strings_with_a_text_value(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[b"a"], [b"b", b"c"]]), output_signature=tf.TensorSpec((None,), tf.string)
    )
    return ds.padded_batch(2, padding_values="ø")


def case_scalars(tf):
    return tf.data.Dataset.range(5).padded_batch(2)


def case_scalars_with_shape(tf):
    return tf.data.Dataset.range(5).padded_batch(2, padded_shapes=[])


def case_matrices(tf):
    def gen():
        yield np.ones((1, 3), np.float32)
        yield np.ones((2, 1), np.float32)
        yield np.ones((0, 2), np.float32)

    ds = tf.data.Dataset.from_generator(
        gen, output_signature=tf.TensorSpec((None, None), np.float32)
    )
    return ds.padded_batch(2)


@each(shape=[[None, 3], [2, None], [3, 4]])
def case_matrices_shapes(tf, shape):
    def gen():
        yield np.ones((1, 3), np.float32)
        yield np.ones((2, 1), np.float32)

    ds = tf.data.Dataset.from_generator(
        gen, output_signature=tf.TensorSpec((None, None), np.float32)
    )
    return ds.padded_batch(2, padded_shapes=shape, padding_values=-1.0)


def _pairs(tf):
    def gen():
        yield [1, 2], [1.0]
        yield [3], [2.0, 3.0, 4.0]
        yield [], []

    return tf.data.Dataset.from_generator(
        gen, output_signature=(tf.TensorSpec((None,), np.int32), tf.TensorSpec((None,), np.float32))
    )


def case_tuple(tf):
    return _pairs(tf).padded_batch(2)


def case_tuple_shapes(tf):
    return _pairs(tf).padded_batch(2, padded_shapes=([3], [None]))


def case_tuple_values(tf):
    return _pairs(tf).padded_batch(2, padded_shapes=([None], [None]), padding_values=(-1, 0.5))


def case_tuple_values_partly_none(tf):
    return _pairs(tf).padded_batch(2, padding_values=(None, 0.5))


def case_tuple_one_value_for_all(tf):
    ds = tf.data.Dataset.zip((_rows(tf, 2, 1), _rows(tf, 0, 3)))
    return ds.padded_batch(2, padding_values=-7)


def case_dict(tf):
    ds = tf.data.Dataset.zip({"x": _rows(tf, 2, 0, 3), "n": tf.data.Dataset.range(3)})
    return ds.padded_batch(2)


def case_dict_shapes_and_values(tf):
    ds = tf.data.Dataset.zip({"x": _rows(tf, 2, 0, 3), "n": tf.data.Dataset.range(3)})
    return ds.padded_batch(
        2, padded_shapes={"x": [4], "n": []}, padding_values={"x": -1, "n": np.int64(0)}
    )


def case_nested(tf):
    ds = tf.data.Dataset.zip((_rows(tf, 1, 2), {"a": _rows(tf, 3, 0)}))
    return ds.padded_batch(2, padded_shapes=([None], {"a": [None]}))


def case_fixed_shape_padded_longer(tf):
    return tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]).padded_batch(2, padded_shapes=[3])


def case_empty_dataset(tf):
    return _rows(tf).padded_batch(2)


def case_all_empty_rows(tf):
    return _rows(tf, 0, 0).padded_batch(2)


def case_then_unbatch(tf):
    return _rows(tf, 1, 2).padded_batch(2).unbatch()


def case_repeat_before(tf):
    return _rows(tf, 1, 3).repeat(2).padded_batch(3)


def case_too_long(tf):
    return _rows(tf, 2, 1, 5, 1).padded_batch(2, padded_shapes=[3])


def case_fixed_shape_too_long(tf):
    return tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]).padded_batch(2, padded_shapes=[1])


def case_wrong_rank(tf):
    return _rows(tf, 2, 1).padded_batch(2, padded_shapes=[None, None])


def case_wrong_structure(tf):
    return _rows(tf, 2, 1).padded_batch(2, padded_shapes=([None], [None]))


def case_value_of_wrong_kind(tf):
    return _rows(tf, 2, 1).padded_batch(2, padding_values="x")


def case_value_of_wrong_dtype(tf):
    return _rows(tf, 2, 1).padded_batch(2, padding_values=np.float32(1))


def case_value_not_scalar(tf):
    return _rows(tf, 2, 1).padded_batch(2, padding_values=[1, 2])


def case_unknown_rank_without_shapes(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[1]]), output_signature=tf.TensorSpec(None, np.int32)
    )
    return ds.padded_batch(2)


def case_unknown_rank_with_shapes(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[1], [2, 3]]), output_signature=tf.TensorSpec(None, np.int32)
    )
    return ds.padded_batch(2, padded_shapes=[None])


def case_batch_size_zero(tf):
    return _rows(tf, 1).padded_batch(0)
