"""deterministic=False: the same elements in another order, none twice or lost, resumes included."""

import itertools
import json
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import feedline as tf

Dataset = tf.data.Dataset


def wait(x):
    """Take so long that a later element is often ready first."""
    time.sleep(0.0005 * (int(x) * 7 % 4))
    return x


def parts(x):
    return Dataset.range(int(x) % 4).map(lambda y: wait(y) + 10 * x)


def by_map(ds, width):
    return ds.map(wait, num_parallel_calls=width, deterministic=False)


def by_interleave(ds, width):
    return ds.interleave(parts, 5, 2, num_parallel_calls=width, deterministic=False)


def by_options(ds, width):
    options = tf.data.Options(deterministic=False)
    return ds.map(wait, num_parallel_calls=width).prefetch(3).with_options(options)


WAYS = [by_map, by_interleave, by_options]


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=25)
@given(st.data())
def test_every_element_comes_once_wherever_a_run_is_cut(way, data):
    length, width = data.draw(st.integers(0, 40)), data.draw(st.sampled_from([1, 2, 5]))
    then = data.draw(st.sampled_from([1, 2, 5]))
    plain = way(Dataset.range(length), width).with_options(tf.data.Options(executor="inline"))
    expected = sorted(int(x) for x in plain)
    cut = data.draw(st.integers(0, len(expected)))

    it = iter(way(Dataset.range(length), width))
    head = [int(x) for x in itertools.islice(it, cut)]
    saved = json.loads(json.dumps(it.state_dict()))
    tail = [int(x) for x in it]
    resumed = iter(way(Dataset.range(length), then))
    resumed.load_state_dict(saved)

    assert sorted(head + tail) == expected
    assert sorted(head + [int(x) for x in resumed]) == expected


@pytest.mark.parametrize("way", WAYS)
def test_a_state_between_batches_loses_nothing(way):
    ds = way(Dataset.range(40), 3).batch(4).prefetch(2)
    expected = sorted(x for batch in ds for x in batch.tolist())
    for cut in range(0, 9, 2):
        it = iter(ds)
        head = [x for batch in itertools.islice(it, cut) for x in batch.tolist()]
        saved = json.loads(json.dumps(it.state_dict()))
        resumed = iter(ds)
        resumed.load_state_dict(saved)

        assert sorted(head + [x for batch in resumed for x in batch.tolist()]) == expected


def test_a_state_saved_out_of_order_continues_in_order():
    ds = by_map(Dataset.range(40), 4)
    it = iter(ds)
    head = [int(x) for x in itertools.islice(it, 17)]
    resumed = iter(ds.with_options(tf.data.Options(executor="inline")))
    resumed.load_state_dict(json.loads(json.dumps(it.state_dict())))

    assert sorted(head + [int(x) for x in resumed]) == list(range(40))


def test_draws_belong_to_elements_and_not_to_the_order():
    def draw(x, rng):
        wait(x)
        return x, rng.integers(1 << 30)

    options = tf.data.Options(seed=3)
    ordered = Dataset.range(30).map(draw).with_options(options)
    unordered = Dataset.range(30).map(draw, 4, deterministic=False).with_options(options)

    assert sorted(unordered) == sorted(ordered)


def test_a_slow_element_holds_up_no_other_until_the_window_is_full():
    others = threading.Event()

    def slow_first(x):
        if x == 0:
            others.wait()
        return int(x)

    ds = Dataset.range(20).map(slow_first, 3, deterministic=False, vectorize=False)
    it = iter(ds.with_options(tf.data.Options(executor="threads")))
    head = [int(next(it)) for _ in range(5)]
    others.set()

    assert 0 not in head
    assert sorted([*head, *it]) == list(range(20))
