"""device: moving elements to a device, which here is always the host."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from feedline.errors import BuildError, BuildTypeError
from feedline.options import AUTOTUNE

if TYPE_CHECKING:
    from collections.abc import Callable

    from feedline.dataset import Dataset

__all__ = ["copy_to_device", "prefetch_to_device"]

_HOST = re.compile(r"(/?job:\w+/replica:\d+/task:\d+)?/?(device:)?cpu(:(\d+|\*))?", re.IGNORECASE)


def copy_to_device(
    target_device: str, source_device: str = "/cpu:0"
) -> Callable[[Dataset[Any]], Dataset[Any]]:
    """Return a transformation that changes nothing: elements are in the host's memory.

    Any device but the host is refused.

    Args:
        target_device: ``"/cpu:0"``, or another name of the host.
        source_device: The same.

    Example:
        >>> import feedline as tf
        >>> copy = tf.data.experimental.copy_to_device("/cpu:0")
        >>> len(copy(tf.data.Dataset.range(3)))
        3
    """
    _check_host("copy_to_device()", "target_device", target_device)
    _check_host("copy_to_device()", "source_device", source_device)
    return _unchanged


def prefetch_to_device(
    device: str, buffer_size: int | None = None
) -> Callable[[Dataset[Any]], Dataset[Any]]:
    """Return a transformation that does Dataset.prefetch(): elements are in the host's memory.

    Any device but the host is refused.

    Args:
        device: ``"/cpu:0"``, or another name of the host.
        buffer_size: How many elements to read ahead; AUTOTUNE by default.

    Example:
        >>> import feedline as tf
        >>> prefetch = tf.data.experimental.prefetch_to_device("/cpu:0")
        >>> len(prefetch(tf.data.Dataset.range(3)))
        3
    """
    _check_host("prefetch_to_device()", "device", device)

    def apply(dataset: Dataset[Any]) -> Dataset[Any]:
        return dataset.prefetch(AUTOTUNE if buffer_size is None else buffer_size)

    return apply


def _unchanged(dataset: Dataset[Any]) -> Dataset[Any]:
    return dataset


def _check_host(call: str, name: str, device: Any) -> None:
    if not isinstance(device, str):
        raise BuildTypeError(f"{call}: {name} must be a string, got {device!r}.")
    if not _HOST.fullmatch(device):
        raise BuildError(
            f"{call}: {name} must be the host ('/cpu:0'), got {device!r}: elements are NumPy "
            "arrays. Move each batch where it is used, with torch.from_numpy(x).to(device) or "
            "jax.device_put(x, device)."
        )
