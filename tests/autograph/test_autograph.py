import pytest

import feedline as tf


def test_functions_stay_as_they_are():
    @tf.autograph.experimental.do_not_convert
    def one(x):
        return x + 1

    @tf.autograph.experimental.do_not_convert()
    def other(x):
        return one(x) * 2

    assert list(tf.data.Dataset.range(3).map(other).as_numpy_iterator()) == [2, 4, 6]


def test_a_level_is_0_or_more():
    tf.autograph.set_verbosity(0, alsologtostdout=True)
    with pytest.raises(ValueError, match="level must be at least 0"):
        tf.autograph.set_verbosity(-1)


def test_hints_for_rewritten_loops_have_no_effect_but_a_limit_is_refused():
    tf.autograph.experimental.set_loop_options(shape_invariants=[(1, tf.TensorShape([None]))])
    with pytest.raises(ValueError, match="maximum_iterations must be None, got 3"):
        tf.autograph.experimental.set_loop_options(maximum_iterations=3)
