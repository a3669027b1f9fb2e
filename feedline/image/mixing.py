"""mixing: batches whose images, and labels, are mixed with others of the batch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.arrays.given import given
from feedline.errors import BuildError, BuildTypeError, InvalidArgumentError
from feedline.graph.drawing import draw
from feedline.graph.opaque import Opaque
from feedline.graph.rows import length_of, stacked
from feedline.graph.streams import Keys, streams_of
from feedline.image.float_images import checked_image
from feedline.image.image_draws import checked_seed
from feedline.image.image_operation import image_operation, known_spec, rank_of
from feedline.leaf_spec import TensorSpec
from feedline.random.distributions import permutation_rows
from feedline.random.gammas import gamma_rows

__all__ = ["cutmix", "mixup"]


def mixup(images: Any, labels: Any, alpha: float = 0.2, seed: int | None = None) -> Any:
    """Return a batch in which every image is mixed with another one, and its label as well.

    "mixup: Beyond Empirical Risk Minimization" (Zhang et al. 2017): with ``share`` of a beta
    distribution, one for the batch, and the batch in another order as the other images,
    ``share * images + (1 - share) * others``, and the same of the labels. Inside a
    transformation the draws depend on the element, which is the batch.

    Args:
        images: [batch, height, width, channels]. Integers become float32.
        labels: Floats, [batch, ...]: integers cannot be mixed, see one_hot().
        alpha: Above 0. The larger, the more equal the shares.
        seed: Makes the draws the same in every iteration.

    Returns:
        A tuple of images and labels.

    Example:
        >>> import feedline as tf
        >>> images, labels = tf.ones((4, 2, 2, 3)), tf.one_hot([0, 1, 1, 0], 2)
        >>> mixed, shares = tf.image.mixup(images, labels)
        >>> mixed.shape, shares.sum(axis=1).round(3).tolist()
        (TensorShape([4, 2, 2, 3]), [1.0, 1.0, 1.0, 1.0])
    """
    return _mixed("mixup()", images, labels, alpha, seed, _blended)


def cutmix(images: Any, labels: Any, alpha: float = 1.0, seed: int | None = None) -> Any:
    """Return a batch in which a rectangle of every image is from another one.

    "CutMix: Regularization Strategy to Train Strong Classifiers with Localizable Features"
    (Yun et al. 2019): one rectangle for the batch, whose area is ``1 - share`` of the image
    with ``share`` of a beta distribution; what lies outside of the image is cut off. Labels
    are mixed by the area that was taken in fact.

    Args:
        images: [batch, height, width, channels]; they keep their dtype.
        labels: Floats, [batch, ...]: integers cannot be mixed, see one_hot().
        alpha: Above 0. 1, as in the paper, makes all areas equally likely.
        seed: Makes the draws the same in every iteration.

    Returns:
        A tuple of images and labels.

    Example:
        >>> import feedline as tf
        >>> images, labels = tf.ones((4, 8, 8, 3), tf.uint8), tf.one_hot([0, 1, 1, 0], 2)
        >>> mixed, shares = tf.image.cutmix(images, labels)
        >>> mixed.dtype, shares.sum(axis=1).round(3).tolist()
        (tf.uint8, [1.0, 1.0, 1.0, 1.0])
    """
    return _mixed("cutmix()", images, labels, alpha, seed, _pasted)


# ---- what is drawn --------------------------------------------------------------------------


def _mixed(call: str, images: Any, labels: Any, alpha: float, seed: Any, how: Any) -> Any:
    if not alpha > 0:
        raise BuildError(f"{call}: alpha must be above 0, got {alpha}.")
    batch = images if isinstance(images, Opaque) else given(images)
    if rank_of(batch) != 4:
        raise BuildError(
            f"{call}: images must be a batch, [batch, height, width, channels], got "
            f"{rank_of(batch)} axes. Call it in a map() after batch()."
        )
    targets = given(labels)
    if targets.dtype.kind != "f":
        raise BuildTypeError(
            f"{call}: labels must be floats, got {targets.dtype}. Use one_hot() before."
        )
    number = checked_seed(call, seed)
    draws = draw(_draw_rows, (float(alpha),), number)
    order = draw(_order_rows, (batch,), number)
    return how(batch, targets, draws, order)


def _draw_rows(keys: Keys, alpha: float) -> NDArray[Any]:
    """Return a share of a beta distribution, and two numbers from 0 to 1."""
    streams = streams_of(keys)
    made = streams.doubles(3)
    parts = gamma_rows(streams.after(2), (2,), alpha, None, np.float64)
    # Of a tiny alpha both may be too small for a float: then all belongs to one of them.
    either = (made[:, 0] < 0.5).astype(np.float64)
    lost = parts.max(axis=1) <= np.finfo(np.float64).tiny
    made[:, 0] = np.where(lost, either, parts[:, 0] / parts.sum(axis=1))
    return made


def _order_rows(keys: Keys, images: Any) -> NDArray[Any]:
    return permutation_rows(keys, images.shape[0])


# ---- mixing -----------------------------------------------------------------------------------


def _floats_and_labels(images: Any, labels: Any, *_draws: Any) -> tuple[TensorSpec, TensorSpec]:
    known = known_spec(images)
    return TensorSpec(known.shape, _float_of(known.dtype)), known_spec(labels)


def _same_and_labels(images: Any, labels: Any, *_draws: Any) -> tuple[TensorSpec, TensorSpec]:
    return known_spec(images), known_spec(labels)


def _float_of(dtype: Any) -> Any:
    return dtype if dtype.kind == "f" else np.dtype(np.float32)


def _each(function: Any) -> Any:
    def rows(*values: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        length = length_of(values)
        made = [function(*one) for one in zip(*(stacked(v, length) for v in values), strict=True)]
        return np.stack([one[0] for one in made]), np.stack([one[1] for one in made])

    return rows


def _blend(images: Any, labels: Any, draws: Any, order: Any) -> tuple[Any, Any]:
    call = "mixup()"
    array, targets = _checked(call, images, labels)
    share = draws[0]
    floats = array.astype(_float_of(array.dtype), copy=False)
    made = floats * floats.dtype.type(share)
    made += floats[order] * floats.dtype.type(1 - share)
    return made, _blended_labels(targets, share, order)


def _blended_labels(labels: Any, share: float, order: Any) -> Any:
    kind = labels.dtype.type
    return labels * kind(share) + labels[order] * kind(1 - share)


def _paste(images: Any, labels: Any, draws: Any, order: Any) -> tuple[Any, Any]:
    array, targets = _checked("cutmix()", images, labels)
    share, down, across = draws.tolist()
    height, width = array.shape[1:3]
    side = math.sqrt(1 - share)
    rows, columns = int(height * side), int(width * side)
    middle, center = int(down * height), int(across * width)
    top, bottom = max(middle - rows // 2, 0), min(middle + rows - rows // 2, height)
    left, right = max(center - columns // 2, 0), min(center + columns - columns // 2, width)
    made = array.copy()
    made[:, top:bottom, left:right] = array[order, top:bottom, left:right]
    kept = 1 - (bottom - top) * (right - left) / max(height * width, 1)
    return made, _blended_labels(targets, kept, order)


def _checked(call: str, images: Any, labels: Any) -> tuple[Any, Any]:
    array, targets = checked_image(call, images), np.asarray(labels)
    if not targets.ndim or len(targets) != len(array):
        raise InvalidArgumentError(
            f"{call}: there must be a label for each of {len(array)} images, got shape "
            f"{list(targets.shape)}."
        )
    return array, targets


_blended = image_operation(_floats_and_labels, _each(_blend))(_blend)
_pasted = image_operation(_same_and_labels, _each(_paste))(_paste)
