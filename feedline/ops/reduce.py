"""reduce: fold a whole dataset into one value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from feedline.engine.function import Function, given_function
from feedline.ops.carried import Carried
from feedline.site import caller_site
from feedline.structure import structure_of
from feedline.tracebacks import folding
from feedline.values.tensor import as_tensor

if TYPE_CHECKING:
    from feedline.dataset import Dataset

__all__ = ["reduce"]


# ---- what the user calls ---------------------------------------------------


@folding
def reduce(
    self: Dataset[Any],
    initial_state: Any,
    reduce_func: Callable[[Any, Any], Any],
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Return the last of the states ``state = reduce_func(state, element)``.

    Runs at once, over all elements.

    Args:
        initial_state: What the first call gets. Python numbers become int32 and float32;
            the structure and dtypes stay the same in all calls.
        reduce_func: Gets the state and the element, which is one argument even if it is a
            tuple; returns the next state. It may change both in place.
        name: Accepted for tf.data's sake: nothing is built that could bear it.

    Example:
        >>> import feedline as tf
        >>> import numpy as np
        >>> tf.data.Dataset.range(5).reduce(np.int64(0), lambda state, x: state + x)
        np.int64(10)
    """
    reduce_func = given_function("reduce()", "reduce_func", reduce_func)
    carried = Carried("reduce()", initial_state)
    called = getattr(reduce_func, "__name__", type(reduce_func).__name__)
    function = Function(reduce_func, f"reduce({called}) called at {caller_site()}")
    state, done = carried.copy(carried.initial), 0
    with iter(self) as elements:
        for block in elements.blocks():
            state = _folded(state, block.private_elements(), carried, function, done)
            done += block.length
    structure = structure_of(state)
    return structure.pack([as_tensor(leaf) for leaf in structure.flatten(state)])


# ---- what runs -------------------------------------------------------------


def _folded(
    state: Any, elements: list[Any], carried: Carried, function: Function, done: int
) -> Any:
    fn, checked, number = function.fn, carried.checked, 0
    try:
        for number, element in enumerate(elements):  # noqa: B007  (read where a call failed)
            state = checked(fn(state, element), state)
    except Exception as error:
        function.note(error, done + number)
        raise
    return state
