"""Arrays that differ in more than their first axis, inside recorded functions."""

import numpy as np
import pytest

import feedline as tf
from feedline.column import Dense, Objects
from feedline.graph.op import LeafForm
from feedline.graph.varied import (
    fits,
    is_varied,
    made_up_shape,
    stretched,
    stretched_last,
    varied_shape,
)
from tests.graph.plain_loop import assert_identical

pytestmark = pytest.mark.usefixtures("tried_at_once")

SIZES = [(3, 4), (5, 2), (3, 3), (6, 6), (2, 7), (4, 4), (3, 5), (5, 5)]
IMAGES = [np.full((h, w, 2), h * 10 + w, np.uint8) for h, w in SIZES]


def _mapped(function, **kwargs):
    spec = tf.TensorSpec((None, None, 2), tf.uint8)
    images = tf.data.Dataset.from_generator(lambda: iter(IMAGES), output_signature=spec)
    return images.map(function, **kwargs)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.cast(x, tf.float32) / 255.0,
        lambda x: x[1:, :-1],
        lambda x: (x, tf.reduce_mean(tf.cast(x, tf.float32))),
        lambda x: (x, x),
        lambda x: {"image": x, "shape": tf.shape(x)},
        lambda x: tf.reverse(x, [1]) + np.uint8(1),
        lambda x: tf.reduce_max(x, axis=[0, 1]),
    ],
    ids=["cast", "slice", "mean", "twice", "shape", "reverse", "max"],
)
def test_results_are_those_of_the_elements_one_by_one(function):
    at_once = [tf.nest.flatten(element) for element in _mapped(function)]
    one_by_one = [tf.nest.flatten(element) for element in _mapped(function, vectorize=False)]

    assert len(at_once) == len(IMAGES)
    for ours, theirs in zip(at_once, one_by_one, strict=True):
        assert [leaf.dtype for leaf in ours] == [leaf.dtype for leaf in theirs]
        assert all(map(np.array_equal, ours, theirs))


def test_sizes_stay_unknown_in_the_spec():
    assert _mapped(lambda x: tf.cast(x, tf.float32)).element_spec.shape == (None, None, 2)


def test_a_result_can_be_changed_without_changing_another():
    first, second = next(iter(_mapped(lambda x: (x, x))))
    first += 1

    assert not np.array_equal(first, second)


def test_shapes_with_more_than_one_unknown_length_are_varied():
    assert is_varied((None, None, 3))
    assert is_varied((3, None))
    assert not is_varied((None, 3))
    assert not is_varied(None)


def test_all_lengths_but_the_last_are_taken_to_vary():
    assert varied_shape(Objects(IMAGES[:1])) == (None, None, 2)
    assert varied_shape(Objects([IMAGES[0], IMAGES[1][..., :1]])) == (None, None, None)


@pytest.mark.parametrize(
    "column",
    [
        Objects([]),
        Objects([b"text"]),
        Objects([np.zeros(3)]),
        Objects([np.zeros((2, 2)), np.zeros((2, 2), np.int32)]),
        Objects([np.zeros((2, 2)), np.zeros((2, 2, 2))]),
        Dense(np.zeros((2, 2, 2))),
    ],
)
def test_other_columns_hold_no_such_arrays(column):
    assert varied_shape(column) is None


def test_arrays_must_have_the_dtype_and_the_shape_of_a_form():
    form = LeafForm((None, None, 2), np.dtype(np.uint8))

    assert fits(IMAGES, form)
    assert not fits([IMAGES[0].astype(np.int32)], form)
    assert not fits([IMAGES[0][..., :1]], form)
    assert not fits([b""], form)


def test_samples_of_one_size_get_another_one():
    same = [np.zeros((2, 3, 1))] * 3

    assert stretched_last(same, (None, None, 1))[-1].shape == (3, 4, 1)
    assert stretched(same[0], [0]).shape == (3, 3, 1)


def test_made_up_arrays_have_different_sizes():
    assert made_up_shape((None, None, 3), 0) != made_up_shape((None, None, 3), 1)
    assert made_up_shape((None, None, None), 0)[2] == 1
    assert made_up_shape((None, 3), 0) == (1, 3)
    assert made_up_shape((None, None, None, 3), 1) == (2, 640, 640, 3)
    assert made_up_shape((None, None), 0) != made_up_shape((None, None), 1)


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: x[:, 0] @ x,
        lambda x: np.dot(x[:, 0], x),
        lambda x: (x * 2)[:, 0] @ x,
        lambda x: x[:, 0].dot(x[:, 1]),
        lambda x: x[0, ::2] @ x[1, ::2],
        lambda x: x[0, ::-1] @ x[1],
        lambda x: x.T.sum(0),
        lambda x: np.log(x[:, 0][::-1]),
        lambda x: np.tan(x[::-1]),
        lambda x: x[:, 0] ** x[0, 0],
    ],
)
def test_a_view_of_an_image_lies_as_it_does_in_the_plain_function(fn):
    draws = np.random.default_rng(0)
    images = [
        (draws.random((*draws.integers(2, 9, 2),)) + 0.1).astype(np.float32) for _ in range(600)
    ]
    spec = tf.TensorSpec([None, None], np.float32)
    made = tf.data.Dataset.from_generator(lambda: iter(images), output_signature=spec)

    # The second leaf is done for many at once, so that the first is recorded too.
    found = made.map(lambda x: (fn(x), x.mean() * 2))

    for image, (ours, _) in zip(images, found, strict=True):
        assert_identical(np.asarray(ours), np.asarray(fn(image)))
