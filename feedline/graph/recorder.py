"""recorder: recording functions, loaded when the first one is to be recorded.

The sandbox and the batching rules are a third of what Feedline would load at its import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.graph.program import Program
    from feedline.graph.record import Recording
    from feedline.leaf_spec import TensorSpec

__all__ = ["declared_results", "record"]


def record(
    fn: Callable[..., Any],
    block: Block,
    *,
    may_change: bool = True,
    slices: bool = False,
    made_up: bool = False,
) -> Recording:
    """Record a function, or raise Untraceable: see feedline.graph.record."""
    module = import_module("feedline.graph.record")
    made: Recording = module.record(
        fn, block, may_change=may_change, slices=slices, made_up=made_up
    )
    return made


def declared_results(
    fn: Callable[..., Any], block: Block, unknown: Mapping[int, TensorSpec]
) -> Program:
    """Record only what comes out of a function: see feedline.graph.record."""
    module = import_module("feedline.graph.record")
    made: Program = module.declared_results(fn, block, unknown)
    return made
