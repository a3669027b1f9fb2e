"""suppression: of boxes that overlap, the ones with the highest scores."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given, varying
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError, check_at_least

__all__ = [
    "chosen_boxes",
    "non_max_suppression",
    "non_max_suppression_overlaps",
    "non_max_suppression_with_scores",
    "overlaps_of",
]

# For so few boxes all overlaps together are found sooner than those of one after the other.
_AT_ONCE = 256

Overlaps = Callable[[int], NDArray[Any]]


def non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    name: str | None = None,
) -> Any:
    """Return the numbers of the boxes with the highest scores that do not overlap much.

    Args:
        boxes: Two opposite corners of each, [count, 4]: y1, x1, y2, x2.
        scores: One for each box.
        max_output_size: How many boxes to choose at most.
        iou_threshold: How large the common part of two boxes may be, as part of what both
            cover together. From 0 to 1.
        score_threshold: Boxes with a score of this or less are left out.
        name: Has no effect.

    Returns:
        An int32 array of at most ``max_output_size`` numbers, the highest score first.

    Example:
        >>> boxes = [[0.0, 0, 1, 1], [0, 0, 1, 0.9], [0, 2, 1, 3]]
        >>> non_max_suppression(boxes, [0.9, 0.8, 0.7], 10)
        array([0, 2], dtype=int32)
    """
    call = "non_max_suppression()"
    settings = (call, max_output_size, iou_threshold, score_threshold, 0.0)
    return varying(_by_boxes, [given(boxes), given(scores), *settings], call)[0]


def non_max_suppression_with_scores(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    soft_nms_sigma: float = 0.0,
    name: str | None = None,
) -> Any:
    """Return the numbers and the scores of the boxes with the highest scores.

    Args:
        boxes: As in non_max_suppression().
        scores: As there.
        max_output_size: As there.
        iou_threshold: As there.
        score_threshold: As there.
        soft_nms_sigma: Above 0, boxes that overlap stay, with lower scores (Soft-NMS, Bodla
            et al. 2017), and ``iou_threshold`` does not count.
        name: Has no effect.

    Example:
        >>> boxes = [[0.0, 0, 1, 1], [0, 0, 1, 0.9], [0, 2, 1, 3]]
        >>> non_max_suppression_with_scores(boxes, [0.9, 0.8, 0.7], 10)
        (array([0, 2], dtype=int32), array([0.9, 0.7], dtype=float32))
    """
    call = "non_max_suppression_with_scores()"
    settings = (call, max_output_size, iou_threshold, score_threshold, soft_nms_sigma)
    return tuple(varying(_by_boxes, [given(boxes), given(scores), *settings], call))


def non_max_suppression_overlaps(
    overlaps: Any,
    scores: Any,
    max_output_size: Any,
    overlap_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    name: str | None = None,
) -> Any:
    """Return the numbers of the boxes with the highest scores, by overlaps that are given.

    Args:
        overlaps: How much each box overlaps each other, [count, count].
        scores: One for each box.
        max_output_size: How many boxes to choose at most.
        overlap_threshold: How much two chosen boxes may overlap.
        score_threshold: Boxes with a score of this or less are left out.
        name: Has no effect.

    Example:
        >>> non_max_suppression_overlaps([[1.0, 0.6], [0.6, 1.0]], [0.5, 0.9], 2)
        array([1], dtype=int32)
    """
    call = "non_max_suppression_overlaps()"
    settings = (call, max_output_size, overlap_threshold, score_threshold)
    return varying(_by_overlaps, [given(overlaps), given(scores), *settings], call)[0]


# ---- on arrays ---------------------------------------------------------------------------


def _by_boxes(
    boxes: Any,
    scores: Any,
    call: str,
    size: Any,
    threshold: Any,
    lowest: Any,
    sigma: Any,
) -> list[Any]:
    boxes, scores = _floats(call, "boxes", boxes), _floats(call, "scores", scores)
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise InvalidArgumentError(
            f"{call}: boxes must have the shape [count, 4], got {list(boxes.shape)}."
        )
    _check_scores(call, scores, len(boxes))
    if not 0 <= threshold <= 1:
        raise BuildError(f"{call}: iou_threshold must be from 0 to 1, got {threshold}.")
    if sigma < 0:
        raise BuildError(f"{call}: soft_nms_sigma must not be negative, got {sigma}.")
    overlaps = overlaps_of(boxes.astype(np.float32))
    most = check_at_least(call, "max_output_size", size, 0)
    if sigma > 0:
        return list(_softly(overlaps, scores, most, lowest, sigma))
    chosen = chosen_boxes(overlaps, scores, most, threshold, lowest)
    return [chosen, scores[chosen]]


def _by_overlaps(
    overlaps: Any, scores: Any, call: str, size: Any, threshold: Any, lowest: Any
) -> list[Any]:
    table, scores = _floats(call, "overlaps", overlaps), _floats(call, "scores", scores)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise InvalidArgumentError(
            f"{call}: overlaps must have the shape [count, count], got {list(table.shape)}."
        )
    _check_scores(call, scores, len(table))
    most = check_at_least(call, "max_output_size", size, 0)
    return [chosen_boxes(lambda box: table[:, box], scores, most, threshold, lowest)]


def _floats(call: str, name: str, value: Any) -> NDArray[Any]:
    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise BuildTypeError(f"{call}: {name} must be numbers, got {array.dtype}.")
    return array if array.dtype == np.float16 else array.astype(np.float32)


def _check_scores(call: str, scores: NDArray[Any], count: int) -> None:
    if scores.shape != (count,):
        raise InvalidArgumentError(
            f"{call}: scores must be one for each of {count} boxes, got shape {list(scores.shape)}."
        )


def overlaps_of(boxes: NDArray[Any]) -> Overlaps:
    """Return a function that tells how much all boxes overlap one of them."""
    low = np.minimum(boxes[:, :2], boxes[:, 2:])
    high = np.maximum(boxes[:, :2], boxes[:, 2:])
    sides = high - low
    areas = sides[:, 0] * sides[:, 1]

    def overlaps(some: Any) -> NDArray[Any]:
        tall = np.minimum(high[:, 0], high[some, 0]) - np.maximum(low[:, 0], low[some, 0])
        wide = np.minimum(high[:, 1], high[some, 1]) - np.maximum(low[:, 1], low[some, 1])
        both = np.maximum(tall, 0) * np.maximum(wide, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            made = both / (areas + areas[some] - both)
        return np.where((areas <= 0) | (areas[some] <= 0), np.float32(0), made)

    if len(boxes) <= _AT_ONCE:
        table = overlaps(np.arange(len(boxes))[:, None])
        return lambda box: table[box]
    return overlaps


def chosen_boxes(
    overlaps: Overlaps, scores: NDArray[Any], most: int, threshold: float, lowest: float
) -> NDArray[Any]:
    """Return boxes from the highest score down that do not overlap one before."""
    limit, floor = scores.dtype.type(threshold), scores.dtype.type(lowest)
    order = np.argsort(-scores, kind="stable")
    left = scores > floor
    chosen: list[int] = []
    for box in order.tolist():
        if len(chosen) >= most:
            break
        if left[box]:
            chosen.append(box)
            left &= ~(overlaps(box).astype(scores.dtype) > limit)
            left[box] = False
    return np.array(chosen, np.int32)


def _softly(
    overlaps: Overlaps, scores: NDArray[Any], most: int, lowest: float, sigma: float
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return boxes and scores, where every box that overlaps one before has a lower score."""
    kind = scores.dtype.type
    scale, floor = kind(-0.5) / kind(sigma), kind(lowest)
    # Highest score first, the lower number among equal ones; how many boxes it was held
    # against already.
    heap = [(-score, box, 0) for box, score in enumerate(scores) if score > floor]
    heapq.heapify(heap)
    chosen: list[int] = []
    kept: list[Any] = []
    tables: list[NDArray[Any]] = []
    while heap and len(chosen) < most:
        negative, box, begun = heapq.heappop(heap)
        score = before = -negative
        for table in reversed(tables[begun:]):
            overlap = kind(table[box])
            score = kind(score * np.exp(kind(scale * overlap * overlap)))
            if score <= floor:
                break
        if score == before:
            chosen.append(box)
            kept.append(score)
            tables.append(overlaps(box))
        elif score > floor:
            heapq.heappush(heap, (-score, box, len(chosen)))
    return np.array(chosen, np.int32), np.array(kept, scores.dtype)
