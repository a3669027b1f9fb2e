"""shapes: lengths of axes, which in TensorFlow 1 were objects."""

from __future__ import annotations

__all__ = ["dimension_value"]


def dimension_value(dimension: int | None) -> int | None:
    """Return the length of an axis as it is: a number, or None if it is not known.

    Example:
        >>> import feedline as tf
        >>> tf.compat.dimension_value(tf.TensorShape([2, None])[0])
        2
    """
    return dimension
