import threading

import pytest

import feedline as tf
from feedline.data import Dataset
from feedline.data.experimental import enable_debug_mode
from feedline.debug_mode import set_debug_mode


@pytest.fixture
def debugging():
    enable_debug_mode()
    yield
    set_debug_mode(False)


def test_every_step_handles_one_element_before_the_next_is_read(debugging):
    log = []
    ds = Dataset.range(3).map(lambda x: log.append(("first", int(x))) or x)
    ds = ds.map(lambda x: log.append(("second", int(x))) or x).prefetch(2)

    assert list(ds) == [0, 1, 2]
    assert log == [(step, x) for x in range(3) for step in ("first", "second")]


def test_functions_are_called_with_values_in_the_thread_that_iterates(debugging):
    kinds = set()

    def look(x):
        kinds.add((x.dtype, threading.current_thread()))
        return x + 1

    assert list(Dataset.range(100).map(look)) == list(range(1, 101))
    assert kinds == {(tf.int64, threading.current_thread())}


def test_explain_says_that_nothing_is_vectorised(debugging):
    assert "switched off" in Dataset.range(100).map(lambda x: x + 1).explain()


def shuffled():
    ds = Dataset.range(200).shuffle(20, seed=1).map(lambda x: x * 2)
    return list(ds.filter(lambda x: x % 3 == 0))


EXPECTED = shuffled()


def test_results_are_the_same(debugging):
    assert shuffled() == EXPECTED
