"""feedline.autograph.experimental: what TensorFlow keeps there and input code uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from feedline.errors import BuildError
from feedline.namespace import open_namespace

__all__ = ["do_not_convert", "set_loop_options"]

F = TypeVar("F", bound=Callable[..., Any])


@overload
def do_not_convert(func: F) -> F: ...


@overload
def do_not_convert(func: None = None) -> Callable[[F], F]: ...


def do_not_convert(func: Any = None) -> Any:
    """Return the function as it is: none is ever rewritten here.

    Args:
        func: The function; left out where this is used as ``@do_not_convert()``.

    Example:
        >>> do_not_convert(abs) is abs
        True
    """
    return _same if func is None else func


def set_loop_options(
    parallel_iterations: int | None = None,  # noqa: ARG001
    swap_memory: bool | None = None,  # noqa: ARG001
    maximum_iterations: Any = None,
    shape_invariants: Any = None,  # noqa: ARG001
) -> None:
    """Say how a loop that was rewritten would run. Python's loops run as they are written.

    Args:
        parallel_iterations: No effect: Python runs one iteration after the other.
        swap_memory: No effect.
        maximum_iterations: Refused: end the loop by ``break``.
        shape_invariants: No effect: values of Python's loops may have any shape.

    Example:
        >>> for _ in range(2):
        ...     set_loop_options(parallel_iterations=1)
    """
    if maximum_iterations is not None:
        raise BuildError(
            f"set_loop_options(): maximum_iterations must be None, got {maximum_iterations!r}: "
            "Python's loops are not rewritten. End the loop by break."
        )


def _same(func: F) -> F:
    return func


open_namespace(globals())
