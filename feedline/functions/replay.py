"""replay: a recorded function on the arrays of one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from feedline.graph.op import LeafForm, Ref, resolved
from feedline.graph.program import Departed, Program
from feedline.shapes import shapes_agree

__all__ = ["private", "replay", "run_checked", "without_sharing"]


def replay(program: Program, arrays: Sequence[Any]) -> list[Any]:
    """Return the leaves of the result, in memory of their own."""
    return without_sharing(run_checked(program, arrays), arrays)


def run_checked(program: Program, arrays: Sequence[Any]) -> list[Any]:
    """Return the leaves of the result.

    Raises Departed if an operation gives another shape or dtype than it was recorded with:
    the function may have read them.
    """
    values = dict(zip(program.inputs, arrays, strict=True))
    get = values.__getitem__
    for op in program.ops:
        args = [resolved(arg, get) for arg in op.args]
        if op.kwargs:
            result = op.fn(*args, **{key: resolved(arg, get) for key, arg in op.kwargs.items()})
        else:
            result = op.fn(*args)
        if op.single:
            _check(result, op.forms[0])
            values[op.outs[0]] = result
            continue
        for number, part, form in zip(op.outs, result, op.forms, strict=True):
            _check(part, form)
            values[number] = part
    return [get(o.number) if isinstance(o, Ref) else o for o in program.outputs]


def _check(result: Any, form: LeafForm) -> None:
    if result.shape != form.shape and not shapes_agree(form.shape, result.shape):
        raise Departed
    if result.dtype != form.dtype:
        raise Departed


def without_sharing(leaves: Sequence[Any], arrays: Sequence[Any]) -> list[Any]:
    """Return leaves that share memory neither with the arguments nor with each other."""
    taken = {id(_root(array)) for array in arrays if isinstance(array, np.ndarray)}
    own = []
    for leaf in leaves:
        if isinstance(leaf, np.ndarray) and leaf.ndim == 0:
            leaf = leaf[()]
        if isinstance(leaf, np.ndarray):
            root = id(_root(leaf))
            if root in taken or not leaf.flags.writeable:
                own.append(leaf.copy())
                continue
            taken.add(root)
        own.append(leaf)
    return own


def private(array: Any) -> Any:
    """Return an array that a function may change."""
    return array.copy() if isinstance(array, np.ndarray) else array


def _root(array: Any) -> Any:
    while isinstance(array, np.ndarray) and array.base is not None:
        array = array.base
    return array
