"""interleave: every cycle_length x block_length over unequal inner datasets."""

import numpy as np

from tests.golden.case import each, found_when_run, may_accept

LENGTHS = {
    "equal": [3, 3, 3, 3],
    "unequal": [5, 1, 4, 2, 3],
    "empties": [0, 3, 0, 0, 2, 0, 4],
    "first_empty": [0, 0, 2, 1],
    "last_empty": [2, 3, 0],
    "one": [4],
    "all_empty": [0, 0, 0],
    "none": [],
}


def _inner(tf, number, length):
    return tf.data.Dataset.range(length).map(lambda i: number * 100 + i)


def _outer(tf, lengths):
    return tf.data.Dataset.from_tensor_slices(np.array(LENGTHS[lengths], np.int64)).enumerate()


@each(
    lengths=["equal", "unequal", "empties", "first_empty"],
    cycle=[1, 2, 3, 5, 10],
    block=[1, 2, 3],
)
def case_interleave(tf, lengths, cycle, block):
    return _outer(tf, lengths).interleave(
        lambda i, n: _inner(tf, i, n), cycle_length=cycle, block_length=block
    )


@each(lengths=["last_empty", "one", "all_empty", "none"], cycle=[1, 2, 4], block=[1, 7])
def case_edges(tf, lengths, cycle, block):
    return _outer(tf, lengths).interleave(
        lambda i, n: _inner(tf, i, n), cycle_length=cycle, block_length=block
    )


@each(lengths=["unequal", "empties", "last_empty", "all_empty"], cycle=[2, 4], block=[1, 3])
def case_parallel(tf, lengths, cycle, block):
    return _outer(tf, lengths).interleave(
        lambda i, n: _inner(tf, i, n),
        cycle_length=cycle,
        block_length=block,
        num_parallel_calls=2,
        deterministic=True,
    )


def case_default_block_length(tf):
    return _outer(tf, "unequal").interleave(lambda i, n: _inner(tf, i, n), cycle_length=3)


# tf.data starts one thread per open inner dataset; Feedline's threads are not tied to them.
@may_accept
def case_more_parallel_calls_than_cycle_length(tf):
    return tf.data.Dataset.range(3).interleave(
        lambda n: tf.data.Dataset.range(n), cycle_length=1, num_parallel_calls=2
    )


def case_autotune(tf):
    return _outer(tf, "unequal").interleave(
        lambda i, n: _inner(tf, i, n), cycle_length=3, num_parallel_calls=tf.data.AUTOTUNE
    )


def case_structures(tf):
    return tf.data.Dataset.range(3).interleave(
        lambda n: tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": ["x", "y"]}).map(
            lambda d: (n, d)
        ),
        cycle_length=2,
    )


def case_repeated(tf):
    ds = tf.data.Dataset.range(3).interleave(
        lambda n: tf.data.Dataset.range(n), cycle_length=2, block_length=1
    )
    return ds.repeat(2)


def case_infinite_inner(tf):
    return (
        tf.data.Dataset.range(4)
        .interleave(lambda n: tf.data.Dataset.from_tensors(n).repeat(), cycle_length=3)
        .take(10)
    )


def case_infinite_outer(tf):
    return (
        tf.data.Dataset.range(2)
        .repeat()
        .interleave(lambda n: tf.data.Dataset.range(n * 10, n * 10 + 3), cycle_length=3)
        .take(14)
    )


def case_infinite_outer_of_empties_is_not_asked_for(tf):
    return (
        tf.data.Dataset.range(3)
        .repeat(2)
        .interleave(lambda n: tf.data.Dataset.range(n), cycle_length=4, block_length=2)
    )


def case_nested(tf):
    return tf.data.Dataset.range(2).interleave(
        lambda n: tf.data.Dataset.range(3).interleave(
            lambda m: tf.data.Dataset.range(2).map(lambda k: n * 100 + m * 10 + k),
            cycle_length=2,
        ),
        cycle_length=2,
        block_length=2,
    )


def case_batches_inside(tf):
    return tf.data.Dataset.range(3).interleave(
        lambda n: tf.data.Dataset.range(n * 10, n * 10 + 3).batch(2), cycle_length=2
    )


def case_slices_of_rows(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(12).reshape(3, 4))
    return ds.interleave(
        lambda row: tf.data.Dataset.from_tensor_slices(row), cycle_length=3, block_length=2
    )


@each(cycle=[0, -2])
def case_bad_cycle_length(tf, cycle):
    return tf.data.Dataset.range(3).interleave(
        lambda n: tf.data.Dataset.range(n), cycle_length=cycle
    )


@each(block=[0, -1])
def case_bad_block_length(tf, block):
    return tf.data.Dataset.range(3).interleave(
        lambda n: tf.data.Dataset.range(n), cycle_length=2, block_length=block
    )


@found_when_run
def case_not_a_dataset(tf):
    return tf.data.Dataset.range(3).interleave(lambda n: n + 1, cycle_length=2)
