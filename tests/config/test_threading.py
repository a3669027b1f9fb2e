import pytest

import feedline as tf
from feedline.defaults import with_defaults

threading = tf.config.threading


@pytest.fixture(autouse=True)
def restored():
    yield
    threading.set_inter_op_parallelism_threads(0)
    threading.set_intra_op_parallelism_threads(0)


def options(**settings):
    made = tf.data.Options()
    for name, value in settings.items():
        setattr(made.threading, name, value)
    return made


def test_pipelines_that_say_nothing_get_what_was_set():
    threading.set_inter_op_parallelism_threads(3)
    threading.set_intra_op_parallelism_threads(1)
    found = with_defaults(options()).threading

    assert (found.private_threadpool_size, found.max_intra_op_parallelism) == (3, 1)
    assert threading.get_inter_op_parallelism_threads() == 3
    assert threading.get_intra_op_parallelism_threads() == 1


def test_what_a_pipeline_says_counts():
    threading.set_inter_op_parallelism_threads(3)
    found = with_defaults(options(private_threadpool_size=5)).threading

    assert found.private_threadpool_size == 5


def test_0_is_as_if_nothing_had_been_set():
    threading.set_inter_op_parallelism_threads(3)
    threading.set_inter_op_parallelism_threads(0)
    given = options()

    assert with_defaults(given) is given
    assert threading.get_inter_op_parallelism_threads() == 0


def test_a_pipeline_runs_with_it():
    threading.set_inter_op_parallelism_threads(1)
    ds = tf.data.Dataset.range(10).map(lambda x: int(x) + 1, num_parallel_calls=4)

    assert [int(x) for x in ds] == list(range(1, 11))


def test_fewer_than_none_are_refused():
    with pytest.raises(ValueError, match=r"num_threads must be at least 0, got -1"):
        threading.set_inter_op_parallelism_threads(-1)
