"""growing: draws a function line by line, keeping what runs on the first element.

Every line is tried while the function grows, so that most functions get somewhere: it is
known what is an array, of which shape, and what raises.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

import feedline as tf
from tests.graph.random_functions.grammar import (
    CHANGES,
    CONSTANTS,
    EXPRESSIONS,
    RESULTS,
    WRITTEN,
    is_of_kind,
)
from tests.graph.random_functions.source import Expression, Function, Line

__all__ = ["draw_function"]

_MOST_NUMBERS = 300
_TRIES = 12
_GROUPS = [templates for templates, _ in EXPRESSIONS]
_WEIGHTS = [weight for _, weight in EXPRESSIONS]
# Of the lines that fail on the first element: errors must come out the same, too.
_FAILING = 0.01
# Functions that return everything hide nothing.
_ALL = 0.5
_MOST_KEPT = 6


def draw_function(choices: random.Random, first: Mapping[str, Any], *, takes_dict: bool):
    """Draw a function that runs on one element, given by the names of its leaves."""
    growth = _Growth(choices, first)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for number in range(choices.randint(1, 6)):
            growth.add(f"v{number}")
        result = growth.result()
    return Function(tuple(first), takes_dict, tuple(growth.lines), result)


class _Growth:
    """The lines so far, and what every name is on the first element."""

    def __init__(self, choices, first):
        self._choices = choices
        constants = {name: value.copy() for name, value in CONSTANTS.items()}
        self._values = {"np": np, "tf": tf, **constants, **first}
        self._names = list(first)
        self.lines = []

    def add(self, name):
        """Add a line that gives a name to something, or changes something."""
        changes = self._choices.random() < 0.2
        for _ in range(_TRIES):
            drawn = self._change() if changes else self._expression(2)
            if drawn is None:
                continue
            line = Line("" if changes else name, drawn)
            if self._runs(line) or self._choices.random() < _FAILING:
                self.lines.append(line)
                self._names += [name] * (name in self._values)
                return

    def result(self):
        """Return what the function gives back: all it has, or the latest and something else."""
        if self._choices.random() < _ALL:
            kept = list(dict.fromkeys(self._names))[-_MOST_KEPT:]
            places = ", ".join(f"{{{number}}}" for number in range(len(kept)))
            return Expression(places, tuple(map(Expression, kept)))
        template = self._choices.choice(RESULTS)
        latest = [Expression(name) for name in reversed(self._names)]
        parts = [
            latest[0] if not number else self._written(kind) or self._choices.choice(latest)
            for number, kind in enumerate(template.kinds)
        ]
        return Expression(template.text, tuple(parts), template.loose)

    def _change(self):
        template = self._choices.choice(CHANGES)
        parts = [self._written(kind) or self._name(kind) for kind in template.kinds]
        return None if None in parts else Expression(template.text, tuple(parts))

    def _expression(self, depth):
        (group,) = self._choices.choices(_GROUPS, _WEIGHTS)
        template = self._choices.choice(group)
        parts = [self._operand(kind, depth) for kind in template.kinds]
        return None if None in parts else Expression(template.text, tuple(parts), template.loose)

    def _operand(self, kind, depth):
        if kind in WRITTEN:
            return self._written(kind)
        drawn = self._choices.random()
        if drawn < 0.04:
            return self._name(kind, list(CONSTANTS))
        if depth and drawn < 0.35:
            made = self._expression(depth - 1)
            if made is not None and self._fits(kind, made):
                return made
        return self._name(kind)

    def _written(self, kind):
        if kind not in WRITTEN:
            return None
        text = self._choices.choice(WRITTEN[kind].split())
        return Expression(text, loose=text.startswith("-") or "**" in text)

    def _name(self, kind, names=None):
        fitting = [n for n in names or self._names if is_of_kind(kind, self._values[n])]
        # Late ones more often, so that lines follow from each other.
        weights = range(1, len(fitting) + 1)
        return Expression(*self._choices.choices(fitting, weights)) if fitting else None

    def _fits(self, kind, expression):
        try:
            value = eval(str(expression), dict(self._values))
        except Exception:
            return False
        return _is_value(value) and is_of_kind(kind, value)

    def _runs(self, line):
        values = dict(self._values)
        try:
            exec(str(line), values)
        except Exception:
            return False
        values.pop("__builtins__")
        values.pop("step", None)
        changed = [v for k, v in values.items() if k not in ("np", "tf")]
        if not all(map(_is_value, changed)):
            return False
        self._values = values
        return True


def _is_value(value):
    """Whether something can be a leaf that is worth going on with."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biufc" and value.size <= _MOST_NUMBERS
    if isinstance(value, (str, bytes)):
        return len(value) <= _MOST_NUMBERS
    return isinstance(value, (bool, int, float, complex, np.number, np.bool_))
