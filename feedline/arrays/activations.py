"""activations: functions of single numbers that networks are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.arrays.functions import erf, log_softmax, sigmoid
from feedline.arrays.given import axes_of, given, pair, scalar

__all__ = [
    "bias_add",
    "crelu",
    "elu",
    "gelu",
    "l2_loss",
    "leaky_relu",
    "relu",
    "relu6",
    "selu",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax_cross_entropy_with_logits",
    "sparse_softmax_cross_entropy_with_logits",
]

# What keeps mean and variance of selu's results, to the digits that TensorFlow has.
_SELU_SCALE = 1.0507009873554804934193349852946
_SELU_SCALE_ALPHA = 1.7580993408473768599402175208123


def relu(features: Any, name: str | None = None) -> Any:
    """Return numbers, zero in place of those below.

    Example:
        >>> relu([-1.0, 2.0])
        array([0., 2.], dtype=float32)
    """
    array = given(features)
    return np.maximum(array, array.dtype.type(0))


def relu6(features: Any, name: str | None = None) -> Any:
    """Return numbers brought between 0 and 6."""
    array = given(features)
    return np.minimum(np.maximum(array, array.dtype.type(0)), array.dtype.type(6))


def leaky_relu(features: Any, alpha: Any = 0.2, name: str | None = None) -> Any:
    """Return numbers, ``alpha`` times those below zero; integers become float32."""
    array = given(features)
    if array.dtype.kind in "iu":
        array = array.astype(np.float32)
    return scalar(np.where(array > 0, array, array * array.dtype.type(alpha)))


def elu(features: Any, name: str | None = None) -> Any:
    """Return numbers, exp(x) - 1 in place of those below zero."""
    array = given(features)
    return scalar(np.where(array < 0, np.expm1(np.minimum(array, array.dtype.type(0))), array))


def selu(features: Any, name: str | None = None) -> Any:
    """Return ``elu`` scaled so that mean and variance stay what they are."""
    array = given(features)
    kind = array.dtype.type
    below = kind(_SELU_SCALE_ALPHA) * np.expm1(np.minimum(array, kind(0)))
    return scalar(np.where(array < 0, below, kind(_SELU_SCALE) * array))


def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Any:
    """Return numbers times the probability that a normal one is below them.

    Args:
        features: The numbers.
        approximate: Whether to compute it by tanh.
        name: No effect.
    """
    array = given(features)
    kind = array.dtype.type
    if approximate:
        inner = kind(0.7978845608028654) * (array + kind(0.044715) * (array * array * array))
        return kind(0.5) * array * (kind(1) + np.tanh(inner))
    return kind(0.5) * array * (kind(1) + erf(array / kind(1.4142135623730951)))


def silu(features: Any, beta: Any = 1.0) -> Any:
    """Return ``x * sigmoid(beta * x)``."""
    array = given(features)
    return array * sigmoid(array * array.dtype.type(beta))


def crelu(features: Any, axis: int = -1, name: str | None = None) -> Any:
    """Return ``relu`` of the numbers, and of their negatives behind them."""
    array = given(features)
    return relu(np.concatenate([array, -array], axes_of(axis)))


def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Any:
    """Return an array with a number added to each channel.

    Args:
        value: The array.
        bias: A number for each channel.
        data_format: Where the channels are: last, or first after the batch if it begins
            with NC.
        name: No effect.
    """
    array, numbers = pair(value, bias)
    if data_format is not None and data_format.startswith("NC"):
        numbers = np.reshape(numbers, (-1, *(1,) * (array.ndim - 2)))
    return array + numbers


def l2_loss(t: Any, name: str | None = None) -> Any:
    """Return half the sum of the squares."""
    array = given(t)
    return np.sum(array * array) / array.dtype.type(2)


def sigmoid_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, name: str | None = None
) -> Any:
    """Return how badly each logit says whether its label is 1."""
    x, z = pair(logits, labels)
    return np.maximum(x, x.dtype.type(0)) - x * z + np.log1p(np.exp(-np.abs(x)))


def softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, axis: int = -1, name: str | None = None
) -> Any:
    """Return how badly logits say the probabilities of classes, which lie along an axis."""
    wanted, found = pair(labels, logits)
    return -np.sum(wanted * log_softmax(found, axis), axis=axis)


def sparse_softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, name: str | None = None
) -> Any:
    """Return how badly logits, along the last axis, say the class of each row."""
    classes, found = given(labels), given(logits)
    places = np.expand_dims(classes, -1).astype(np.int64)
    return -np.squeeze(np.take_along_axis(log_softmax(found), places, -1), -1)
