"""get_single_element: the element of a dataset that has exactly one."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from feedline.errors import InvalidArgumentError

if TYPE_CHECKING:
    from feedline.dataset import Dataset

__all__ = ["get_single_element"]

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def get_single_element(self: Dataset[T], name: str | None = None) -> T:  # noqa: ARG001
    """Return the only element; raise InvalidArgumentError if there is none, or a second one.

    Args:
        name: Accepted for tf.data's sake: nothing is built that could bear it.

    Example:
        >>> import feedline as tf
        >>> tf.data.Dataset.range(3).batch(3).get_single_element()
        array([0, 1, 2])
    """
    with iter(self) as elements:
        for element in elements:
            for _ in elements:
                raise InvalidArgumentError(
                    "get_single_element(): the dataset must have exactly one element, it has more. "
                    "Use take(1), or iterate."
                )
            return element
    raise InvalidArgumentError(
        "get_single_element(): the dataset must have exactly one element, it is empty."
    )
