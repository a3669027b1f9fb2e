"""printing: ``print``, which writes every time a recorded function is called."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from feedline import nest
from feedline.errors import BuildError
from feedline.functions.function_trace import FunctionTrace
from feedline.graph.active import active_trace
from feedline.graph.trace import symbols_in
from feedline.graph.untraceable import refuse

__all__ = ["print_"]


def print_(*inputs: Any, **kwargs: Any) -> None:
    """Write values to stderr, as TensorFlow's ``print``.

    Inside a ``@function`` this happens at every call, where Python's own ``print`` runs only
    while the function is recorded.

    Args:
        *inputs: Arrays, text, structures of them.
        **kwargs: ``output_stream``: ``sys.stderr`` by default, ``sys.stdout``, a file object,
            or "file://" and a path, to which is appended; ``summarize``: how many numbers of
            each end of an axis are shown, 3 by default, -1 for all; ``sep``; ``end``.

    Example:
        >>> import sys
        >>> print_(np.arange(10), "of", {"a": [1, 2]}, output_stream=sys.stdout)
        [0 1 2 ... 7 8 9] of {'a': [1, 2]}
    """
    stream = kwargs.pop("output_stream", None)
    settings = {
        "stream": stream,
        "summarize": kwargs.pop("summarize", 3),
        "sep": kwargs.pop("sep", " "),
        "end": kwargs.pop("end", "\n"),
    }
    kwargs.pop("name", None)
    if kwargs:
        raise BuildError(f"print(): unknown arguments {sorted(kwargs)}.")
    leaves = [leaf for value in inputs for leaf in nest.flatten(value)]
    found = symbols_in(leaves)
    trace = found[0].trace if found else active_trace()
    writer = _Writer([_without_leaves(value) for value in inputs], settings)
    if trace is None:
        writer(*leaves)
    elif isinstance(trace, FunctionTrace):
        writer.record_again(trace, leaves)
    else:
        refuse("prints")


class _Hole:
    """The place of a leaf."""


def _without_leaves(value: Any) -> Any:
    return nest.map_structure(lambda _: _Hole(), value)


class _Writer:
    """Writes values in the structures they came in."""

    returns_nothing = True

    def __init__(self, structures: list[Any], settings: dict[str, Any]) -> None:
        self._structures = structures
        self._settings = settings

    def record_again(self, trace: FunctionTrace, args: Sequence[Any]) -> list[Any]:
        """Write inside a recording, and write that down."""
        return trace.record_call(self, args)

    def __call__(self, *leaves: Any) -> list[Any]:
        rest = iter(leaves)
        texts = []
        for structure in self._structures:
            count = len(nest.flatten(structure))
            value = nest.pack_sequence_as(structure, [next(rest) for _ in range(count)])
            texts.append(self._text(value, outermost=True))
        self._write(self._settings["sep"].join(texts) + self._settings["end"])
        return []

    def _write(self, text: str) -> None:
        stream = self._settings["stream"]
        if isinstance(stream, str) and stream.startswith("file://"):
            with Path(stream.removeprefix("file://")).open("a") as file:
                file.write(text)
            return
        # Looked up now, not when the module was loaded: it may have been replaced.
        target = sys.stderr if stream is None else stream
        target.write(text)
        target.flush()

    def _text(self, value: Any, *, outermost: bool = False) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{k!r}: {self._text(v)}" for k, v in value.items()) + "}"
        if isinstance(value, tuple):
            inner = ", ".join(self._text(item) for item in value)
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        if isinstance(value, list):
            return f"[{', '.join(self._text(item) for item in value)}]"
        if isinstance(value, (str, bytes)):
            text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
            return text if outermost else repr(text)
        if isinstance(value, (np.ndarray, np.generic)):
            return self._array(np.asarray(value), 0)
        return str(value)

    def _array(self, array: Any, depth: int) -> str:
        if not isinstance(array, np.ndarray) or not array.ndim:
            return _number(np.asarray(array)[()], inside=depth > 0)
        parts = [self._array(part, depth + 1) for part in self._ends(array)]
        if len(parts) < len(array):
            parts.insert(len(parts) // 2, "...")
        gap = " " if array.ndim == 1 else "\n" * (array.ndim - 1) + " " * (depth + 1)
        return f"[{gap.join(parts)}]"

    def _ends(self, array: Any) -> list[Any]:
        shown = self._settings["summarize"]
        if shown is None or shown < 0 or len(array) <= 2 * shown:
            return list(array)
        return [*array[:shown], *array[len(array) - shown :]]


def _number(item: Any, *, inside: bool) -> str:
    if isinstance(item, (str, bytes)):
        text = item.decode("utf-8", "replace") if isinstance(item, bytes) else item
        return f'"{text}"' if inside else text
    if isinstance(item, np.bool_):
        return str(int(item))
    if isinstance(item, np.floating):
        # The shorter text if that says it all, as TensorFlow does.
        short, long = (6, 9) if item.dtype.itemsize <= 4 else (15, 17)
        text = f"{item:.{short}g}"
        return text if type(item)(text) == item else f"{item:.{long}g}"
    return str(item)
