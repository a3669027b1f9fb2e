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
