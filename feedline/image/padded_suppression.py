"""padded_suppression: boxes with the highest scores, as many for every image."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given, varying
from feedline.errors import BuildError, InvalidArgumentError, check_at_least
from feedline.graph.operation import operation
from feedline.graph.rule import loops
from feedline.image.suppression import chosen_boxes, overlaps_of

__all__ = [
    "CombinedNonMaxSuppression",
    "combined_non_max_suppression",
    "non_max_suppression_padded",
]


# ---- one list of scores ------------------------------------------------------------------


def non_max_suppression_padded(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    pad_to_max_output_size: bool = False,
    name: str | None = None,
    sorted_input: bool = False,
    canonicalized_coordinates: bool = False,
    tile_size: int = 512,
) -> Any:
    """Return the numbers of the boxes with the highest scores, and how many there are.

    Args:
        boxes: Two opposite corners of each, [..., count, 4]: y1, x1, y2, x2. Which of two
            numbers is the smaller one is read off the first box.
        scores: One for each box, [..., count].
        max_output_size: How many boxes to choose at most.
        iou_threshold: Boxes that overlap as much as this or more are not both chosen.
        score_threshold: Boxes with a score of this or less are left out.
        pad_to_max_output_size: Whether the result always has ``max_output_size`` numbers,
            with zeros at the end. Needed for more than one list of boxes.
        name: Has no effect.
        sorted_input: Whether boxes come in the order of their scores, the highest first.
        canonicalized_coordinates: Whether y1 <= y2 and x1 <= x2 in all boxes.
        tile_size: Has no effect: boxes are not worked on in tiles.

    Example:
        >>> boxes = [[0.0, 0, 1, 1], [0, 0, 1, 0.9], [0, 2, 1, 3]]
        >>> non_max_suppression_padded(boxes, [0.9, 0.8, 0.7], 3, pad_to_max_output_size=True)
        (array([0, 2, 0], dtype=int32), np.int32(2))
    """
    call = "non_max_suppression_padded()"
    most = check_at_least(call, "max_output_size", max_output_size, 0)
    settings = (most, iou_threshold, score_threshold, sorted_input, canonicalized_coordinates)
    if pad_to_max_output_size:
        return _padded(given(boxes), given(scores), *settings)
    return tuple(varying(_without_padding, [given(boxes), given(scores), *settings], call))


def _without_padding(boxes: Any, scores: Any, *settings: Any) -> list[Any]:
    if np.ndim(boxes) > 2:
        raise BuildError(
            "non_max_suppression_padded(): pad_to_max_output_size must be True for more than "
            f"one list of boxes, got boxes of shape {list(np.shape(boxes))}."
        )
    chosen, count = _padded(boxes, scores, *settings)
    return [chosen[:count], count]


@operation
def _padded(
    boxes: Any,
    scores: Any,
    most: int,
    threshold: float,
    lowest: float,
    in_order: bool,
    canonical: bool,
) -> Any:
    boxes, scores = np.asarray(boxes, np.float32), np.asarray(scores, np.float32)
    if boxes.ndim < 2 or boxes.shape[-1] != 4 or scores.shape != boxes.shape[:-1]:
        raise InvalidArgumentError(
            "non_max_suppression_padded(): boxes must have the shape [..., count, 4] and scores "
            f"[..., count], got {list(boxes.shape)} and {list(scores.shape)}."
        )
    before = boxes.shape[:-2]
    lists, points = boxes.reshape(-1, *boxes.shape[-2:]), scores.reshape(-1, scores.shape[-1])
    if lowest != float("-inf"):
        wanted = points > np.float32(lowest)
        lists, points = lists * wanted[..., None], points * wanted
    if not canonical and lists.size:
        # As TensorFlow does it: by the first box of the first list.
        first = lists[0, 0]
        order = [0 if first[0] <= first[2] else 2, 1 if first[1] <= first[3] else 3]
        lists = lists[..., [*order, 2 - order[0], 4 - order[1]]]
    chosen = np.zeros((len(lists), most), np.int32)
    counts = np.zeros(len(lists), np.int32)
    for number, (some, their) in enumerate(zip(lists, points, strict=True)):
        places = np.arange(len(some)) if in_order else np.argsort(-their, kind="stable")
        kept = places[_kept(some[places], most, np.float32(threshold))]
        chosen[number, : len(kept)] = kept
        counts[number] = len(kept)
    return chosen.reshape(*before, most), counts.reshape(before)[()]


loops(_padded, fresh=True)


def _kept(boxes: NDArray[Any], most: int, threshold: Any) -> list[int]:
    """Return places, from the first on, of boxes that do not overlap one before."""
    low, high = boxes[:, :2], boxes[:, 2:]
    sides = high - low
    areas = sides[:, 0] * sides[:, 1]
    # A box that lies at no positive place counts as none.
    left = np.asarray((boxes > 0).any(axis=1))
    kept: list[int] = []
    for place in range(len(boxes)):
        if len(kept) >= most:
            break
        if not left[place]:
            continue
        kept.append(place)
        common = np.minimum(high, high[place]) - np.maximum(low, low[place])
        np.maximum(common, 0, out=common)
        both = common[:, 0] * common[:, 1]
        left &= both / (areas[place] + areas - both + np.float32(1e-8)) < threshold
    return kept


# ---- scores for every class -------------------------------------------------------------------


class CombinedNonMaxSuppression(NamedTuple):
    """The boxes, scores and classes that were chosen, and how many of them for each image."""

    nmsed_boxes: Any
    nmsed_scores: Any
    nmsed_classes: Any
    valid_detections: Any


def combined_non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: str | None = None,
) -> Any:
    """Return for each image the boxes with the highest scores, chosen in every class by itself.

    Args:
        boxes: [batch, count, classes, 4], or 1 in place of classes for boxes of all classes.
        scores: [batch, count, classes].
        max_output_size_per_class: How many boxes to choose of a class at most.
        max_total_size: How many boxes to return for an image.
        iou_threshold: How much two boxes of a class may overlap.
        score_threshold: Boxes with a score of this or less are left out.
        pad_per_class: Whether to return no more than ``max_output_size_per_class`` times
            the number of classes.
        clip_boxes: Whether boxes are cut to what is from 0 to 1.
        name: Has no effect.

    Returns:
        A named tuple of nmsed_boxes [batch, size, 4], nmsed_scores [batch, size],
        nmsed_classes [batch, size] and valid_detections [batch]; zeros at the end.

    Example:
        >>> import numpy as np
        >>> boxes = np.array([[0, 0, 1, 1], [0, 0, 1, 0.9], [0, 2, 1, 3]], np.float32)
        >>> scores = np.array([0.9, 0.8, 0.7], np.float32)
        >>> found = combined_non_max_suppression(boxes[None, :, None], scores[None, :, None], 2, 2)
        >>> found.nmsed_scores, found.valid_detections
        (array([[0.9, 0.7]], dtype=float32), array([2], dtype=int32))
    """
    call = "combined_non_max_suppression()"
    each = check_at_least(call, "max_output_size_per_class", max_output_size_per_class, 1)
    total = check_at_least(call, "max_total_size", max_total_size, 1)
    if not 0 <= iou_threshold <= 1:
        raise BuildError(f"{call}: iou_threshold must be from 0 to 1, got {iou_threshold}.")
    settings = (each, total, iou_threshold, score_threshold, pad_per_class, clip_boxes)
    return CombinedNonMaxSuppression(*_combined(given(boxes), given(scores), *settings))


@operation
def _combined(
    boxes: Any,
    scores: Any,
    each: int,
    total: int,
    threshold: float,
    lowest: float,
    pad_per_class: bool,
    clip: bool,
) -> Any:
    boxes, scores = np.asarray(boxes, np.float32), np.asarray(scores, np.float32)
    if (
        boxes.ndim != 4
        or scores.ndim != 3
        or boxes.shape[3] != 4
        or boxes.shape[:2] != scores.shape[:2]
        or boxes.shape[2] not in (1, scores.shape[2])
    ):
        raise InvalidArgumentError(
            "combined_non_max_suppression(): boxes must have the shape [batch, count, 1 or "
            "classes, 4] and scores [batch, count, classes], got "
            f"{list(boxes.shape)} and {list(scores.shape)}."
        )
    batch, _, classes = scores.shape
    size = min(total, each * classes) if pad_per_class else total
    made = [np.zeros((batch, size, *tail), np.float32) for tail in ((4,), (), ())]
    counts = np.zeros(batch, np.int32)
    for image in range(batch):
        found: list[tuple[Any, int, int]] = []
        for kind in range(classes):
            some = boxes[image, :, kind if boxes.shape[2] > 1 else 0]
            their = scores[image, :, kind]
            chosen = chosen_boxes(overlaps_of(some), their, each, threshold, lowest)
            found.extend((their[box], kind, box) for box in chosen.tolist())
        found.sort(key=lambda one: -one[0])
        counts[image] = min(len(found), size)
        for place, (score, kind, box) in enumerate(found[:size]):
            made[0][image, place] = boxes[image, box, kind if boxes.shape[2] > 1 else 0]
            made[1][image, place] = score
            made[2][image, place] = kind
    if clip:
        np.clip(made[0], 0, 1, out=made[0])
    return (*made, counts)


loops(_combined, fresh=True)
