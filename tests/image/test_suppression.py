"""Boxes that do not overlap, against a loop over pairs of boxes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, InvalidArgumentError

SOME = st.integers(0, 400), st.integers(0, 40)


def boxes_of(seed, count):
    draws = np.random.default_rng(seed)
    # Few different numbers: equal boxes, equal scores, empty boxes, exchanged corners.
    boxes = draws.integers(0, 6, (count, 4)).astype(np.float32) / 5
    return boxes, draws.integers(0, 8, count).astype(np.float32) / 8


def overlap(one, two):
    ys, xs = sorted([one[0], one[2]]), sorted([one[1], one[3]])
    vs, us = sorted([two[0], two[2]]), sorted([two[1], two[3]])
    first, second = (ys[1] - ys[0]) * (xs[1] - xs[0]), (vs[1] - vs[0]) * (us[1] - us[0])
    if first <= 0 or second <= 0:
        return np.float32(0)
    high = max(min(ys[1], vs[1]) - max(ys[0], vs[0]), np.float32(0))
    wide = max(min(xs[1], us[1]) - max(xs[0], us[0]), np.float32(0))
    return high * wide / (first + second - high * wide)


def chosen_by_loops(boxes, scores, most, threshold, lowest):
    chosen = []
    for box in sorted(range(len(boxes)), key=lambda n: (-scores[n], n)):
        free = all(overlap(boxes[box], boxes[other]) <= threshold for other in chosen)
        if len(chosen) < most and scores[box] > lowest and free:
            chosen.append(box)
    return chosen


@given(
    *SOME, st.integers(0, 12), st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.sampled_from([-1, 0.4])
)
def test_the_best_boxes_that_do_not_overlap_are_chosen(seed, count, most, threshold, lowest):
    boxes, scores = boxes_of(seed, count)
    limit = np.float32(threshold)

    made = tf.image.non_max_suppression(boxes, scores, most, threshold, lowest)

    assert made.dtype == np.int32
    assert made.tolist() == chosen_by_loops(boxes, scores, most, limit, np.float32(lowest))


@given(st.integers(0, 99))
def test_many_boxes_are_chosen_like_few(seed):
    boxes, scores = boxes_of(seed, 40)
    far = np.tile(np.float32([[5, 5, 5, 5]]), (300, 1))

    made = tf.image.non_max_suppression(
        np.concatenate([boxes, far]), np.concatenate([scores, np.zeros(300, np.float32)]), 10, 0.3
    )

    expected = tf.image.non_max_suppression(boxes, scores, 10, 0.3)
    assert made[: len(expected)].tolist() == expected.tolist()


@given(*SOME)
def test_scores_are_those_of_the_boxes(seed, count):
    boxes, scores = boxes_of(seed, count)

    chosen, kept = tf.image.non_max_suppression_with_scores(boxes, scores, 9)

    assert chosen.tolist() == tf.image.non_max_suppression(boxes, scores, 9).tolist()
    assert kept.tolist() == scores[chosen].tolist()


@given(*SOME)
def test_soft_scores_never_grow_and_come_in_order(seed, count):
    boxes, scores = boxes_of(seed, count)

    chosen, kept = tf.image.non_max_suppression_with_scores(boxes, scores, 9, soft_nms_sigma=0.5)

    assert (kept <= scores[chosen]).all()
    assert (np.diff(kept) <= 0).all()
    assert len(set(chosen.tolist())) == min(count, 9)


@given(*SOME)
def test_overlaps_may_be_given(seed, count):
    boxes, scores = boxes_of(seed, count)
    table = np.array([[overlap(a, b) for b in boxes] for a in boxes], np.float32)

    made = tf.image.non_max_suppression_overlaps(table.reshape(count, count), scores, 9, 0.25)

    assert made.tolist() == tf.image.non_max_suppression(boxes, scores, 9, 0.25).tolist()


def test_lengths_that_depend_on_values_are_left_to_plain_python_in_a_map():
    lists = np.stack([boxes_of(seed, 10)[0] for seed in range(50)])
    scores = np.stack([boxes_of(seed, 10)[1] for seed in range(50)])
    ds = tf.data.Dataset.from_tensor_slices((lists, scores))

    made = list(ds.map(lambda b, s: tf.image.non_max_suppression(b, s, 5, 0.2)))

    for found, one, points in zip(made, lists, scores, strict=True):
        assert found.tolist() == tf.image.non_max_suppression(one, points, 5, 0.2).tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.0, 0, 1]], [1.0], 3), r"boxes must have the shape \[count, 4\], got \[1, 3\]"),
        (([[0.0, 0, 1, 1]], [1.0, 2.0], 3), "one for each of 1 boxes, got shape"),
        (([[0.0, 0, 1, 1]], [1.0], 3, 1.5), "iou_threshold must be from 0 to 1, got 1.5"),
        (([[0.0, 0, 1, 1]], [1.0], -3), "max_output_size must be at least 0, got -3"),
        ((["x"], [1.0], 3), "boxes must be numbers"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises((BuildError, InvalidArgumentError), match=message):
        tf.image.non_max_suppression(*arguments)


def test_a_negative_sigma_is_refused():
    with pytest.raises(BuildError, match="soft_nms_sigma must not be negative"):
        tf.image.non_max_suppression_with_scores([[0.0, 0, 1, 1]], [1.0], 3, soft_nms_sigma=-1.0)


def test_a_table_that_is_not_square_is_refused():
    with pytest.raises(InvalidArgumentError, match=r"\[count, count\], got \[1, 2\]"):
        tf.image.non_max_suppression_overlaps([[0.0, 1.0]], [1.0], 3)
