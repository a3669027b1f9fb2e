"""image_boxes: boxes in images: suppressed, drawn, sampled."""

import numpy as np

from tests.golden.case import each

THRESHOLDS = [0.3, 0.5, 1.0]


def boxes_of(count, seed=0):
    """Return boxes and scores, some boxes empty, some with their corners exchanged."""
    draws = np.random.default_rng(seed)
    boxes = draws.random((count, 4)).astype(np.float32)
    boxes[:, 2:] = boxes[:, :2] + 0.5 * boxes[:, 2:]
    boxes[::7, 2:] = boxes[::7, :2]
    return boxes, draws.integers(0, 15, count).astype(np.float32) / 15


@each(count=[0, 1, 12, 40], threshold=[0.0, *THRESHOLDS], lowest=[float("-inf"), 0.4])
def case_non_max_suppression(tf, count, threshold, lowest):
    boxes, scores = boxes_of(count)
    boxes[1::5] = boxes[1::5][:, [2, 1, 0, 3]]
    return [
        tf.image.non_max_suppression(boxes, scores, 6, threshold, lowest),
        *tf.image.non_max_suppression_with_scores(boxes, scores, 6, threshold, lowest),
    ]


@each(sigma=[0.1, 0.5, 2.0], lowest=[float("-inf"), 0.3])
def case_soft(tf, sigma, lowest):
    boxes, scores = boxes_of(30, seed=3)
    chosen, kept = tf.image.non_max_suppression_with_scores(boxes, scores, 9, 0.5, lowest, sigma)
    return [chosen, np.asarray(kept).astype(np.float64).round(5)]


@each(threshold=[0.0, *THRESHOLDS])
def case_overlaps(tf, threshold):
    _, scores = boxes_of(12)
    table = np.random.default_rng(1).random((12, 12)).astype(np.float32)
    return tf.image.non_max_suppression_overlaps(table, scores, 5, threshold, 0.1)


@each(threshold=THRESHOLDS, lowest=[float("-inf"), 0.4], pads=[True, False])
def case_padded(tf, threshold, lowest, pads):
    boxes, scores = map(tf.constant, boxes_of(20))
    chosen, count = tf.image.non_max_suppression_padded(
        boxes, scores, 12, threshold, lowest, pads, tile_size=8
    )
    return [chosen, count]


@each(threshold=THRESHOLDS)
def case_padded_batch(tf, threshold):
    boxes, scores = boxes_of(20)
    lists = tf.constant(np.stack([boxes, boxes * 0.5])), tf.constant(np.stack([scores, 1 - scores]))
    return list(tf.image.non_max_suppression_padded(*lists, 12, threshold, 0.1, True))


def case_padded_batch_without_padding(tf):
    boxes, scores = boxes_of(3)
    return tf.image.non_max_suppression_padded(tf.constant(boxes[None]), tf.constant(scores), 3)


@each(total=[3, 20], pads=[True, False], clips=[True, False])
def case_combined(tf, total, pads, clips):
    boxes, _ = boxes_of(10)
    scores = np.random.default_rng(5).random((1, 10, 2)).astype(np.float32)
    found = tf.image.combined_non_max_suppression(
        boxes[None, :, None], scores, 4, total, 0.3, 0.2, pads, clips
    )
    return list(found)


@each(wrong=["shape", "scores", "threshold", "size"])
def case_wrong_arguments(tf, wrong):
    boxes, scores = boxes_of(3)
    return tf.image.non_max_suppression(
        boxes[:, :3] if wrong == "shape" else boxes,
        scores[:2] if wrong == "scores" else scores,
        -1 if wrong == "size" else 3,
        1.5 if wrong == "threshold" else 0.5,
    )


@each(channels=[1, 3, 4], colors=[None, [[0.25, 0.5, 0.75, 1.0], [0.0, 0.125, 1.0, 0.5]]])
def case_drawn(tf, channels, colors):
    images = np.zeros((2, 7, 9, channels), np.float32)
    boxes = np.array(
        [
            [[0.1, 0.2, 0.7, 0.8], [-0.3, 0.5, 0.4, 1.4], [0.9, 0.9, 0.1, 0.1]],
            [[0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5], [1.2, 0, 1.3, 1]],
        ],
        np.float32,
    )
    return tf.image.draw_bounding_boxes(images, boxes, colors)


@each(wrong=["channels", "boxes", "colors"])
def case_drawn_wrongly(tf, wrong):
    images = np.zeros((1, 4, 4, 2 if wrong == "channels" else 3), np.float32)
    boxes = np.zeros((2 if wrong == "boxes" else 1, 1, 4), np.float32)
    return tf.image.draw_bounding_boxes(images, boxes, [[1.0]] if wrong == "colors" else None)


SEEDS = [(1, 2), (-5, 2147483647), (1099511627776, -3), (7, 7)]
SIZES = [[375, 500, 3], [17, 23, 3], [1, 1, 3], [3, 400, 1]]


@each(seed=SEEDS, size=SIZES)
def case_sampled(tf, seed, size):
    sample = tf.image.stateless_sample_distorted_bounding_box
    box, two = [[[0.1, 0.2, 0.9, 0.8]]], [[[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.9]]]
    none = np.zeros((1, 0, 4), np.float32)
    return [
        *sample(size, box, seed),
        *sample(size, two, seed, 0.7),
        *sample(size, box, seed, aspect_ratio_range=(0.5, 2.0), area_range=(0.3, 0.6)),
        *sample(size, none, seed, use_image_if_no_bounding_boxes=True, area_range=(0.08, 1.0)),
        *sample(size, [[[0.1, 0.1, 0.2, 0.2]]], seed, 1.0, max_attempts=10),
    ]


@each(wrong=["box", "none", "size", "covered", "area", "ratio", "attempts"])
def case_sampled_wrongly(tf, wrong):
    return tf.image.stateless_sample_distorted_bounding_box(
        [3, 3] if wrong == "size" else [3, 3, 3],
        [[[0.0, 0, 1, 2]]]
        if wrong == "box"
        else np.zeros((1, int(wrong != "none"), 4), np.float32),
        (1, 2),
        -1.0 if wrong == "covered" else 0.1,
        (0.0, 1.0) if wrong == "ratio" else None,
        (0.5, 1.5) if wrong == "area" else None,
        0 if wrong == "attempts" else 3,
    )
