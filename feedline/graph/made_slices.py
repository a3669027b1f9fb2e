"""MadeSlices: stands for the dataset that a recorded function makes of an element's arrays."""

from __future__ import annotations

from typing import Any

from feedline.graph.active import active_trace
from feedline.graph.opaque import Opaque
from feedline.graph.symbol import Symbol
from feedline.graph.untraceable import refuse
from feedline.structure import structure_of

__all__ = ["MadeSlices", "recorded_slices"]


class MadeSlices:
    """The slices of some arrays: a function may return it, and nothing else."""

    __slots__ = ("tensors",)

    def __init__(self, tensors: Any) -> None:
        self.tensors = tensors

    def __getattr__(self, name: str) -> Any:
        refuse("does more with a dataset than to return it")


def recorded_slices(tensors: Any, *, whole: bool = False) -> MadeSlices | None:
    """Return what stands for a dataset of slices while a function is recorded, None otherwise.

    Args:
        tensors: A structure of arrays.
        whole: Whether the arrays themselves are the one element of the dataset.
    """
    trace = active_trace()
    if trace is None or not trace.sealed:
        return None
    structure = structure_of(tensors)
    leaves = list(structure.leaves_of(tensors))
    if any(isinstance(leaf, Opaque) for leaf in leaves):
        refuse("makes a dataset of what is no array")
    if not any(isinstance(leaf, (Symbol, list)) for leaf in leaves):
        return None
    if whole:
        if not all(isinstance(leaf, Symbol) for leaf in leaves):
            refuse("makes a dataset of more than arrays")
        tensors = structure.pack([leaf[None] for leaf in leaves])
    return MadeSlices(tensors)
