"""What other processes get."""

import functools
import io
import pickle

import numpy as np
import pytest

import feedline as tf
from feedline.parallel.pickling import pickled
from tests.parallel.leftovers import script


@functools.cache
def named(x):
    return x * 2


def test_a_function_that_caches_goes_with_what_it_wraps_and_how():
    calls = []

    @functools.lru_cache(maxsize=3, typed=True)
    def doubled(x):
        calls.append(x)
        return 2 * x

    again = pickle.loads(pickled(doubled))

    assert again(4) == again(4) == 8
    assert again.cache_parameters() == {"maxsize": 3, "typed": True}
    assert again.cache_info().hits == 1


def test_one_that_others_find_by_its_name_stays_itself():
    assert pickle.loads(pickled(named)) is named


def test_arrays_lie_beside_the_pickle():
    buffers, array = [], np.arange(100_000)
    data = pickled(array, buffers.append)

    assert len(data) < 1000
    np.testing.assert_array_equal(pickle.loads(data, buffers=buffers), array)


@pytest.mark.parametrize("value", [1, "a", {"a": (1, [2])}, None, io.BytesIO])
def test_other_values_are_as_they_were(value):
    assert pickle.loads(pickled(value)) == value


def test_a_script_may_have_functions_that_cache(tmp_path):
    program = script(
        tmp_path,
        """
        import functools
        import feedline as tf

        @functools.cache
        def table():
            return [10, 20, 30]

        def looked_up(x):
            return table()[int(x)]

        options = tf.data.Options()
        options.executor = "processes"
        ds = tf.data.Dataset.range(3).map(looked_up, num_parallel_calls=1)
        print([int(x) for x in ds.with_options(options)])
        """,
    )
    out, errors = program.communicate()

    assert (out, errors) == ("[10, 20, 30]\n", "")


def test_a_failure_that_comes_again_has_no_longer_traceback():
    def lengths(ds):
        it = iter(ds)
        for _ in range(4):
            try:
                next(it)
            except tf.errors.NotSendableError as error:
                found, at = 0, error.__traceback__
                while at is not None:
                    found, at = found + 1, at.tb_next
                yield found

    rows = (x for x in range(9))
    options = tf.data.Options()
    options.executor = "processes"
    ds = tf.data.Dataset.range(64).map(lambda x: next(rows), num_parallel_calls=2).batch(32)
    found = list(lengths(ds.with_options(options)))

    assert len(found) == 4
    assert max(found) < 60
