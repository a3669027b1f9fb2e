"""map_fn over rows that differ in length."""

import feedline as tf

ROWS = tf.ragged.constant([[1, 2, 3], [4, 5]])


def test_rows_of_ragged_values_make_ragged_values_unless_declared_otherwise():
    assert tf.map_fn(lambda row: row * 2, ROWS).to_list() == [[2, 4, 6], [8, 10]]
    assert tf.map_fn(tf.reduce_sum, ROWS, fn_output_signature=tf.int32).tolist() == [6, 9]


def test_rows_of_an_array_may_come_out_ragged():
    declared = tf.RaggedTensorSpec([None], tf.int32, ragged_rank=0)
    made = tf.map_fn(tf.range, tf.constant([2, 0, 1]), fn_output_signature=declared)

    assert made.to_list() == [[0, 1], [], [0]]


def test_strings_keep_the_zero_bytes_at_their_end():
    assert tf.map_fn(lambda text: text, tf.constant([b"a\x00"])).numpy().tolist() == [b"a\x00"]
