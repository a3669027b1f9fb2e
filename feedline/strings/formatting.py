"""formatting: values of any kind put into a text."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.errors import BuildError, check_integer
from feedline.graph.leaf_operation import leaf_operation
from feedline.leaf import ingest
from feedline.leaf_spec import TensorSpec, string
from feedline.ragged import RaggedTensor
from feedline.strings.texts import text_argument

__all__ = ["format_"]

_CALL = "strings.format()"
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}


@leaf_operation(spec=lambda *_args, **_kwargs: TensorSpec((), string))
def format_(
    template: Any,
    inputs: Any,
    placeholder: Any = "{}",
    summarize: int = 3,
    name: str | None = None,
) -> Any:
    """Return a text with values in the places of its placeholders.

    Args:
        template: The text.
        inputs: One value, or a list or tuple with one for each placeholder.
        placeholder: What stands for a value.
        summarize: How many numbers of each end of an axis are shown, -1 for all.
        name: Has no effect.

    Example:
        >>> format_("{} of {}", (np.arange(10), "ten"))
        '[0 1 2 ... 7 8 9] of "ten"'
    """
    text = _decoded(text_argument(_CALL, "template", template))
    mark = _decoded(text_argument(_CALL, "placeholder", placeholder))
    shown = check_integer(_CALL, "summarize", summarize)
    values = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    parts = text.split(mark) if mark else [text]
    if len(parts) - 1 != len(values):
        raise BuildError(
            f"{_CALL}: template must have a placeholder for every input, got "
            f"{len(parts) - 1} of {mark!r} for {len(values)}."
        )
    pieces = [parts[0]]
    for value, part in zip(values, parts[1:], strict=True):
        pieces += [_written(value, shown), part]
    return "".join(pieces)


def _decoded(text: Any) -> str:
    return text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")


def _written(value: Any, shown: int) -> str:
    if isinstance(value, RaggedTensor):
        inner = (_written_row(row, shown) for row in value)
        return f"[{', '.join(inner)}]"
    leaf = ingest(value)
    if isinstance(leaf, (str, bytes)):
        return _number(leaf)
    return _array(np.asarray(leaf), shown, 0)


def _written_row(row: Any, shown: int) -> str:
    if isinstance(row, RaggedTensor):
        return _written(row, shown)
    return f"[{', '.join(_array(np.asarray(item), shown, 1) for item in row)}]"


def _array(array: Any, shown: int, depth: int) -> str:
    if not array.ndim:
        return _number(array[()])
    kept = list(array)
    if 0 <= 2 * shown < len(array):
        kept = [*array[:shown], *array[len(array) - shown :]]
    parts = [_array(np.asarray(part), shown, depth + 1) for part in kept]
    if len(parts) < len(array):
        parts.insert(len(parts) // 2, "...")
    gap = " " if array.ndim == 1 else "\n" * (array.ndim - 1) + " " * (depth + 1)
    return f"[{gap.join(parts)}]"


def _number(item: Any) -> str:
    if isinstance(item, np.ndarray):
        item = item[()]
    if isinstance(item, (str, bytes)):
        return '"' + "".join(_ESCAPES.get(char, char) for char in _decoded(item)) + '"'
    if isinstance(item, (bool, np.bool_)):
        return str(int(item))
    if isinstance(item, np.floating):
        # The shorter text if that says it all, as TensorFlow does.
        short, long = (6, 9) if item.dtype.itemsize <= 4 else (15, 17)
        text = f"{item:.{short}g}"
        return text if type(item)(text) == item or np.isnan(item) else f"{item:.{long}g}"
    return str(item)
