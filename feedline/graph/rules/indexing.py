"""``array[key]`` and ``array[key] = value``."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rows import Rows
from feedline.graph.rule import batched
from feedline.graph.symbol import get_item, set_item

__all__: list[str] = []


@batched(get_item)
def _get_item(array: Any, key: Any) -> Any:
    keys = key if isinstance(key, tuple) else (key,)
    if not isinstance(array, Rows):
        # A table, looked up by values of the elements.
        if len(keys) == 1 and isinstance(keys[0], Rows) and keys[0].array.dtype.kind in "iu":
            return array[keys[0].array]
        raise NotImplementedError
    if all(_is_basic(one) for one in keys):
        return array.array[(slice(None), *keys)]
    raise NotImplementedError


def _is_basic(key: Any) -> bool:
    return key is None or key is Ellipsis or isinstance(key, (int, np.integer, slice))


@batched(set_item, fresh=True)
def _set_item(array: Any, key: Any, value: Any) -> Any:
    raise NotImplementedError
