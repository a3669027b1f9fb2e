"""from_generator: a Python generator and its signature."""

import numpy as np

from tests.golden.case import each, raises


def case_scalars(tf):
    def gen():
        yield from range(3)

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((), np.int32))


@each(dtype=["int64", "float32", "float64", "uint8", "bool", "float16"])
def case_python_numbers_become_the_declared_dtype(tf, dtype):
    def gen():
        yield 0
        yield 1

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((), np.dtype(dtype)))


def case_lists_become_arrays(tf):
    def gen():
        yield [1, 2]
        yield [3, 4]

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((2,), np.int64))


def case_varying_length(tf):
    def gen():
        for n in (2, 0, 3):
            yield np.arange(n, dtype=np.int32)

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((None,), np.int32))


def case_varying_rank(tf):
    def gen():
        yield np.zeros((), np.float32)
        yield np.ones((2, 1), np.float32)

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec(None, np.float32))


def case_strings(tf):
    def gen():
        yield "a"
        yield b"\xff"
        yield "日"

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((), tf.string))


def case_tuples(tf):
    def gen():
        yield 1, [1.0, 2.0]
        yield 2, [3.0, 4.0]

    return tf.data.Dataset.from_generator(
        gen, output_signature=(tf.TensorSpec((), np.int32), tf.TensorSpec((2,), np.float32))
    )


def case_dicts(tf):
    def gen():
        yield {"a": 1, "b": "x"}
        yield {"b": "y", "a": 2}

    return tf.data.Dataset.from_generator(
        gen,
        output_signature={"a": tf.TensorSpec((), np.int64), "b": tf.TensorSpec((), tf.string)},
    )


def case_nested(tf):
    def gen():
        yield {"a": (1, 2.0)}, True

    signature = (
        {"a": (tf.TensorSpec((), np.int32), tf.TensorSpec((), np.float32))},
        tf.TensorSpec((), np.bool_),
    )
    return tf.data.Dataset.from_generator(gen, output_signature=signature)


def case_ragged(tf):
    def gen():
        yield tf.ragged.constant([[1, 2], [3]])
        yield tf.ragged.constant([[4], [], [5]])

    return tf.data.Dataset.from_generator(
        gen, output_signature=tf.RaggedTensorSpec(shape=(None, None), dtype=np.int32)
    )


def case_empty(tf):
    def gen():
        return iter(())

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((), np.int32))


def case_a_list_as_generator(tf):
    return tf.data.Dataset.from_generator(
        lambda: [10, 20], output_signature=tf.TensorSpec((), np.int32)
    )


def case_output_types(tf):
    return tf.data.Dataset.from_generator(lambda: iter([1, 2]), output_types=np.int64)


def case_output_types_and_shapes(tf):
    def gen():
        yield 1, [1, 2, 3]
        yield 2, [4]

    return tf.data.Dataset.from_generator(
        gen, output_types=(np.int64, np.float32), output_shapes=((), (None,))
    )


def case_output_types_of_a_dict(tf):
    def gen():
        yield {"a": 1, "b": [2]}

    return tf.data.Dataset.from_generator(
        gen, output_types={"a": np.int32, "b": np.int32}, output_shapes={"a": (), "b": (1,)}
    )


def case_args(tf):
    def gen(start, stop):
        yield from range(int(start), int(stop))

    return tf.data.Dataset.from_generator(
        gen, args=(2, 5), output_signature=tf.TensorSpec((), np.int64)
    )


def case_args_arrays(tf):
    def gen(rows):
        for row in rows:
            yield row * 2

    return tf.data.Dataset.from_generator(
        gen, args=(np.array([[1, 2], [3, 4]]),), output_signature=tf.TensorSpec((2,), np.int64)
    )


def case_two_iterations_start_again(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([1, 2]), output_signature=tf.TensorSpec((), np.int32)
    )
    return [list(ds), list(ds)]


def case_then_batch(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([[1, 2], [3, 4], [5, 6]]), output_signature=tf.TensorSpec((2,), np.int32)
    )
    return ds.batch(2)


def case_then_repeat(tf):
    ds = tf.data.Dataset.from_generator(
        lambda: iter([1, 2]), output_signature=tf.TensorSpec((), np.int32)
    )
    return ds.repeat(2)


def case_wrong_shape(tf):
    def gen():
        yield [1, 2]
        yield [1, 2, 3]

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((2,), np.int32))


def case_wrong_structure(tf):
    return tf.data.Dataset.from_generator(
        lambda: iter([(1, 2)]), output_signature=tf.TensorSpec((), np.int32)
    )


def case_wrong_kind(tf):
    return tf.data.Dataset.from_generator(
        lambda: iter(["text"]), output_signature=tf.TensorSpec((), np.int32)
    )


def case_floats_for_ints(tf):
    return tf.data.Dataset.from_generator(
        lambda: iter([1.5]), output_signature=tf.TensorSpec((), np.int32)
    )


@raises(RuntimeError)
def case_generator_raises(tf):
    def gen():
        yield 1
        raise RuntimeError("broken")

    return tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((), np.int32))


def case_no_signature(tf):
    return tf.data.Dataset.from_generator(lambda: iter([1]))


def case_both_signature_and_types(tf):
    return tf.data.Dataset.from_generator(
        lambda: iter([1]), output_types=np.int32, output_signature=tf.TensorSpec((), np.int32)
    )


def case_not_callable(tf):
    return tf.data.Dataset.from_generator([1, 2], output_signature=tf.TensorSpec((), np.int32))
