"""recorder: recording functions, loaded when the first one is to be recorded.

The sandbox and the batching rules are a third of what Feedline would load at its import.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.graph.record import Recording

__all__ = ["record"]


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
