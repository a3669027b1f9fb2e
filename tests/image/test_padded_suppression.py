"""Boxes that do not overlap, as many for every image."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, InvalidArgumentError


def boxes_of(seed, *shape):
    draws = np.random.default_rng(seed)
    boxes = draws.random((*shape, 4)).astype(np.float32)
    boxes[..., 2:] = boxes[..., :2] + 0.6 * boxes[..., 2:]
    return boxes, draws.random(shape).astype(np.float32)


@given(st.integers(0, 99), st.integers(1, 30), st.sampled_from([0.1, 0.3, 0.5]))
def test_padded_boxes_are_those_chosen_without_padding(seed, count, threshold):
    boxes, scores = boxes_of(seed, count)
    wanted = tf.image.non_max_suppression(boxes, scores, 8, threshold).tolist()

    padded, number = tf.image.non_max_suppression_padded(
        boxes, scores, 8, threshold, pad_to_max_output_size=True
    )
    cut, same = tf.image.non_max_suppression_padded(boxes, scores, 8, threshold)

    assert padded.tolist() == wanted + [0] * (8 - len(wanted))
    assert cut.tolist() == wanted
    assert int(number) == int(same) == len(wanted)


@given(st.integers(0, 99))
def test_boxes_in_the_order_of_their_scores_need_not_be_sorted(seed):
    boxes, scores = boxes_of(seed, 12)
    order = np.argsort(-scores)

    made, _ = tf.image.non_max_suppression_padded(
        boxes[order], scores[order], 8, sorted_input=True, canonicalized_coordinates=True
    )

    expected, _ = tf.image.non_max_suppression_padded(boxes, scores, 8)
    assert order[made].tolist() == expected.tolist()


def test_a_batch_is_many_lists():
    boxes, scores = boxes_of(0, 2, 3, 10)

    made, counts = tf.image.non_max_suppression_padded(
        boxes, scores, 6, pad_to_max_output_size=True
    )

    assert made.shape == (2, 3, 6)
    for place in np.ndindex(2, 3):
        one, count = tf.image.non_max_suppression_padded(
            boxes[place], scores[place], 6, pad_to_max_output_size=True
        )
        assert made[place].tolist() == one.tolist()
        assert counts[place] == count


def test_a_map_pads_without_plain_python():
    boxes, scores = boxes_of(0, 60, 10)
    ds = tf.data.Dataset.from_tensor_slices((boxes, scores)).map(
        lambda b, s: tf.image.non_max_suppression_padded(b * 1.0, s, 6, pad_to_max_output_size=True)
    )

    made = [chosen.tolist() for chosen, _ in ds]

    whole, _ = tf.image.non_max_suppression_padded(boxes, scores, 6, pad_to_max_output_size=True)
    assert made == whole.tolist()
    assert ds.element_spec == (tf.TensorSpec((6,), tf.int32), tf.TensorSpec((), tf.int32))


@given(st.integers(0, 99), st.booleans())
def test_classes_are_chosen_each_by_itself(seed, shared):
    boxes, _ = boxes_of(seed, 1, 10, 1 if shared else 3)
    scores = np.random.default_rng(seed).random((1, 10, 3)).astype(np.float32)

    found = tf.image.combined_non_max_suppression(boxes, scores, 4, 20, 0.4, clip_boxes=False)

    expected = []
    for kind in range(3):
        its = boxes[0, :, 0 if shared else kind]
        chosen = tf.image.non_max_suppression(its, scores[0, :, kind], 4, 0.4)
        expected += [(float(scores[0, n, kind]), kind, its[n].tolist()) for n in chosen]
    expected.sort(key=lambda one: -one[0])
    count = int(found.valid_detections[0])
    made = zip(found.nmsed_scores[0], found.nmsed_classes[0], found.nmsed_boxes[0], strict=True)
    assert [(float(s), int(k), b.tolist()) for s, k, b in made][:count] == expected
    assert not found.nmsed_scores[0, count:].any()


def test_boxes_are_cut_to_the_image():
    found = tf.image.combined_non_max_suppression(
        np.float32([[[[-1, 0.5, 2, 0.75]]]]), np.float32([[[1]]]), 1, 1
    )

    assert found.nmsed_boxes.tolist() == [[[0, 0.5, 1, 0.75]]]


def test_padding_by_class_limits_the_length():
    boxes, _ = boxes_of(0, 1, 10, 1)
    scores = np.ones((1, 10, 2), np.float32)

    assert tf.image.combined_non_max_suppression(
        boxes, scores, 3, 50, pad_per_class=True
    ).nmsed_scores.shape == (1, 6)
    assert tf.image.combined_non_max_suppression(boxes, scores, 3, 50).nmsed_scores.shape == (1, 50)


def test_what_cannot_be_is_refused():
    boxes, scores = boxes_of(0, 2, 3)
    with pytest.raises(BuildError, match="pad_to_max_output_size must be True"):
        tf.image.non_max_suppression_padded(boxes, scores, 3)
    with pytest.raises(InvalidArgumentError, match=r"got \[2, 3, 4\] and \[3\]"):
        tf.image.non_max_suppression_padded(boxes, scores[0], 3, pad_to_max_output_size=True)
    with pytest.raises(InvalidArgumentError, match=r"combined_non_max_suppression.*got"):
        tf.image.combined_non_max_suppression(boxes, scores, 3, 3)
    with pytest.raises(BuildError, match="max_total_size must be at least 1"):
        tf.image.combined_non_max_suppression(boxes, scores, 3, 0)
    with pytest.raises(BuildError, match="iou_threshold must be from 0 to 1"):
        tf.image.combined_non_max_suppression(boxes, scores, 3, 3, 2.0)
