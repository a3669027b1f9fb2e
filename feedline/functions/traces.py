"""Traces: what is recorded of one function, by signature."""

from __future__ import annotations

import threading
import warnings
from collections import deque
from collections.abc import Sequence
from typing import Any

from feedline.functions.arguments import Arguments
from feedline.functions.call import ArrayForm, Call
from feedline.functions.concrete import ConcreteFunction
from feedline.graph.untraceable import Untraceable
from feedline.shapes import merge_shapes
from feedline.site import caller_site

__all__ = ["FunctionWarning", "Traces"]

# As TensorFlow has it: so many recordings among the last calls are too many.
_CALLS_LOOKED_AT = 10
_MOST_TRACES = 5
_MOST_WARNINGS = 2


class FunctionWarning(UserWarning):
    """A ``@function`` does not run as a recording, or is recorded too often."""


class Traces:
    """The recordings of one function; the methods of an object have their own."""

    def __init__(self, owner: Any = None) -> None:
        self.owner = owner
        self.bound: Any = None  # the function bound to the object
        self.lock = threading.RLock()
        self.known: dict[Any, tuple[ConcreteFunction, list[int]]] = {}
        self.count = 0
        self.history: deque[bool] = deque(maxlen=_CALLS_LOOKED_AT)
        self._by_frame: dict[Any, list[ConcreteFunction]] = {}
        self._has_noted = False
        self._warnings = 0

    def __reduce__(self) -> Any:
        return Traces, ()  # recordings are not carried to another process

    def __deepcopy__(self, memo: Any) -> Traces:
        return Traces()

    @property
    def all(self) -> list[ConcreteFunction]:
        """Every recording, in the order in which they were made."""
        return [concrete for found in self._by_frame.values() for concrete in found]

    def find(self, frame: Any, forms: Sequence[ArrayForm]) -> ConcreteFunction | None:
        """Return the recording for arrays of these forms: an exact one if there is one."""
        fitting = None
        for concrete in self._by_frame.get(frame, ()):
            if concrete.forms == tuple(forms):
                return concrete
            if fitting is None and all(map(ArrayForm.takes, concrete.forms, forms)):
                fitting = concrete
        return fitting

    def relaxed(self, frame: Any, forms: Sequence[ArrayForm]) -> list[ArrayForm]:
        """Return forms that fit these and those of an earlier recording, if one is like them."""
        for concrete in self._by_frame.get(frame, ()):
            shapes = [
                merge_shapes(a.shape, b.shape) for a, b in zip(concrete.forms, forms, strict=True)
            ]
            if None not in shapes:
                return [ArrayForm(f.dtype, s) for f, s in zip(forms, shapes, strict=True)]
        return list(forms)

    def keep(self, frame: Any, concrete: ConcreteFunction) -> None:
        """Add a recording."""
        self.count += 1
        self._by_frame.setdefault(frame, []).append(concrete)

    def remember(self, call: Call, concrete: ConcreteFunction, arguments: Arguments) -> None:
        """Find the recording at once when arguments are written like this again."""
        self.known[call.key] = concrete, arguments.order

    # ---- what to tell the user ------------------------------------------------------

    def note(self, name: str, refusal: Untraceable) -> None:
        """Say once that a function runs as plain Python."""
        if self._has_noted:
            return
        self._has_noted = True
        self._warn(
            f"@function {name} runs as plain Python from now on, for it {refusal}. To have it "
            "recorded, use feedline.cond(), feedline.where() or feedline.while_loop(), or give "
            "what it decides by as a Python value."
        )

    def called_with_tracing(self, name: str) -> None:
        """Warn if most of the last calls were recorded anew."""
        self.history.append(True)
        found = sum(self.history)
        if found >= _MOST_TRACES and self._warnings < _MOST_WARNINGS:
            self._warnings += 1
            self._warn(
                f"{found} of the last {len(self.history)} calls to @function {name} were "
                "recorded anew, which is slow. Give arrays instead of Python numbers that "
                "change, declare shapes that vary as None in input_signature=, set "
                "reduce_retracing=True, and define the function outside of loops."
            )

    def _warn(self, text: str) -> None:
        site = caller_site()
        warnings.warn_explicit(text, FunctionWarning, site.file, site.line)
