"""rule: which function is run how over a whole block.

A rule is a function with the signature of the one it stands for. It gets Rows in place of
the values that differ between elements, and returns the results of all elements along a
first axis (or a tuple of such, where the function returns several). What it cannot do it
need not check: whatever it raises, or returns with another shape, dtype or value than the
elements one by one, makes the function run element by element instead. What depends on how
the numbers of a block lie in memory, or on their values, it must check: the samples with
which it is compared prove nothing about those of later blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

__all__ = [
    "FIXED",
    "RULES",
    "Rule",
    "batched",
    "columnar",
    "fixed",
    "loops",
    "named",
]

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Rule:
    """How a function runs over a block.

    ``run`` is None where only a loop over the elements is right. ``fresh`` says that the
    result never shares memory with an operand. ``exact`` says that no rounding depends on
    how the values lie in memory. ``columns`` is called in place of ``run`` where an operand
    has elements of different sizes.
    """

    run: Callable[..., Any] | None
    fresh: bool = False
    exact: bool = True
    columns: Callable[..., Any] | None = None


RULES: dict[Any, Rule] = {}
"""Rules by function. Only functions whose result's shape follows from shapes have one."""

FIXED: dict[Any, Callable[..., Any]] = {}
"""What functions of shapes and dtypes return, which are the same for all elements."""


def batched(*functions: Any, fresh: bool = False, exact: bool = True) -> Callable[[F], F]:
    """Make the decorated function the rule of ``functions``."""

    def register(rule: F) -> F:
        for function in functions:
            assert function not in RULES, f"{function} has two rules"
            RULES[function] = Rule(rule, fresh, exact)
        return rule

    return register


def loops(*functions: Any, fresh: bool = False, exact: bool = True) -> None:
    """Let functions run element by element inside an otherwise vectorised function."""
    for function in functions:
        assert function not in RULES, f"{function} has two rules"
        RULES[function] = Rule(None, fresh, exact)


def columnar(function: Any) -> Callable[[F], F]:
    """Make the decorated function the rule of one that has another, for different sizes.

    It gets Columns in place of operands whose elements differ in size, Rows in place of
    others, and returns an array, or a Column where the results differ in size too.
    """

    def register(rule: F) -> F:
        RULES[function] = replace(RULES[function], columns=rule)
        return rule

    return register


def fixed(*functions: Any) -> Callable[[F], F]:
    """Make the decorated function answer for ``functions`` while a function is recorded."""

    def register(answer: F) -> F:
        for function in functions:
            FIXED[function] = answer
        return answer

    return register


def named(function: Any) -> str:
    """Return a function's name as a user would write it."""
    name = getattr(function, "__name__", None) or type(function).__name__
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return f"{named(owner)}.{name}"
    module = str(getattr(function, "__module__", "") or "")
    if module.startswith("numpy") or type(function).__name__ == "ufunc":
        return f"np.linalg.{name}" if "linalg" in module else f"np.{name}"
    return str(name)
