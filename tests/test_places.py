"""Results that are written where they will lie."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline import places as module
from feedline.buffers import Buffers
from feedline.engine import parts
from feedline.places import Places, is_at, is_placed, place_for

FLOAT = np.dtype(np.float32)
ROW = (300, 300)  # a batch of four is large enough to be placed


def made():
    return Places(4, Buffers())


def test_runs_do_not_cross_from_batch_to_batch_unless_they_are_longer():
    places = made()

    assert [places.run_length(first, 3) for first in (0, 1, 2, 3, 4)] == [3, 3, 2, 1, 3]
    assert places.run_length(3, 9) == 9


def test_nobody_has_a_place_where_none_is_offered():
    assert place_for((2, *ROW), FLOAT) is None
    assert not is_placed(np.zeros((2, *ROW), FLOAT))


def test_runs_of_a_batch_lie_one_after_the_other():
    places = made()
    with places.offered(4, 3):
        first = place_for((3, *ROW), FLOAT)
    with places.offered(7, 1):
        second = place_for((1, *ROW), FLOAT)
        assert is_placed(second)
        assert not is_placed(first)
    whole = places.whole_of(1, first)

    assert is_at(first, whole)
    assert is_at(second, whole[3:])
    assert places.whole_of(1, second) is None
    assert places.whole_of(0, first) is None


def test_a_second_array_of_a_run_gets_a_place_of_its_own():
    places = made()
    with places.offered(0, 2):
        arrays = [place_for((2, *ROW), FLOAT) for _ in range(3)]

    assert not any(np.may_share_memory(a, b) for a in arrays for b in arrays if a is not b)


@pytest.mark.parametrize(
    ("first", "length", "shape"),
    [(0, 2, (3, *ROW)), (3, 2, (2, *ROW)), (0, 2, (2, 8))],
    ids=["of another length", "across batches", "small"],
)
def test_there_is_no_place_for_an_array(first, length, shape):
    with made().offered(first, length):
        assert place_for(shape, FLOAT) is None


def test_places_are_offered_to_one_thread():
    found = []
    with made().offered(0, 2):
        thread = threading.Thread(target=lambda: found.append(place_for((2, *ROW), FLOAT)))
        thread.start()
        thread.join()

    assert found == [None]


def test_memory_is_not_used_again_while_somebody_has_it():
    places = made()
    with places.offered(0, 4):
        kept = place_for((4, *ROW), FLOAT)
    kept[:] = 7
    places.let_go(0)
    with places.offered(4, 4):
        place_for((4, *ROW), FLOAT)[:] = 0

    assert (kept == 7).all()


# ---- in a pipeline ---------------------------------------------------------------------------

IMAGES = np.random.default_rng(1).integers(0, 256, (61, 9, 7, 3), np.uint8)


@pytest.fixture
def small_places(monkeypatch):
    monkeypatch.setattr(module, "_SMALLEST", 1)
    monkeypatch.setattr(parts, "_SMALLEST", 1)


def batches(function, size, **settings):
    ds = tf.data.Dataset.from_tensor_slices(IMAGES).map(function, **settings)
    return list(ds.batch(size))


def mirrored(x):
    return tf.image.flip_left_right(tf.image.resize(x, (20, 20)))


def upside_down(x):
    return tf.image.flip_up_down(tf.image.resize(x, (20, 20)))


FUNCTIONS = {
    "one image": mirrored,
    "the same twice": lambda x: (mirrored(x),) * 2,
    "two alike": lambda x: (mirrored(x), upside_down(x)),
    "one that goes on": lambda x: (mirrored(x) + 1, upside_down(x)),
    "one that is only used": lambda x: mirrored(x).sum(),
    "a part of one": lambda x: mirrored(x)[5:],
    "kinds that differ": lambda x: (mirrored(x), tf.image.resize(x, (5, 20))),
}


@pytest.mark.usefixtures("small_places", "vectorising")
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("size", [1, 4, 16, 64])
def test_batches_are_the_same(name, size):
    function = FUNCTIONS[name]
    expected = batches(function, size, vectorize=False)
    for width in (1, 3):
        found = batches(function, size, num_parallel_calls=width)  # all are held at once
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            for a, b in zip(tf.nest.flatten(one), tf.nest.flatten(other), strict=True):
                np.testing.assert_array_equal(a, b)


@pytest.mark.usefixtures("small_places", "vectorising")
@given(size=st.integers(2, 9), skipped=st.integers(0, 20), taken=st.integers(0, 12))
def test_a_state_goes_on_in_the_middle(size, skipped, taken):
    ds = tf.data.Dataset.from_tensor_slices(IMAGES).skip(skipped)
    ds = ds.map(FUNCTIONS["one image"], num_parallel_calls=2).batch(size)
    it = iter(ds)
    for _ in range(min(taken, -(-(61 - skipped) // size))):
        next(it)
    again = iter(ds)
    again.load_state_dict(it.state_dict())

    found, expected = list(again), list(it)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.usefixtures("small_places", "vectorising")
def test_elements_that_fail_move_those_after_them():
    def fails(x):
        if int(x[0, 0, 0]) % 3 == 0:
            raise ValueError("a third of them")
        return mirrored(x)

    policy = tf.data.ErrorPolicy("skip", max_share=0.9)
    expected = [mirrored(x) for x in IMAGES if x[0, 0, 0] % 3]
    found = batches(fails, 4, num_parallel_calls=2, on_error=policy)

    np.testing.assert_array_equal(np.concatenate(found), expected)
