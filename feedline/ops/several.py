"""several: what transformations that read several datasets have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from feedline.errors import BuildError, BuildTypeError, SpecError
from feedline.ids import mix, mix_ids
from feedline.plan.declared import declared_spec
from feedline.plan.node import Node, NumberedNode, node_of
from feedline.spec import merge_specs

if TYPE_CHECKING:
    from feedline.block import Block

__all__ = ["check_specs_agree", "nodes_of", "tell_apart"]

_SEVERAL = 0x5E7E7A1


def nodes_of(datasets: Any, call: str) -> tuple[Node, ...]:
    """Return the nodes of a list of datasets, of which there must be one at least."""
    if not isinstance(datasets, Iterable) or hasattr(datasets, "node"):
        raise BuildTypeError(
            f"{call}: datasets must be a list of datasets, got {type(datasets).__name__}."
        )
    nodes = tuple(node_of(dataset, call, "every one of datasets") for dataset in datasets)
    if not nodes:
        raise BuildError(f"{call}: datasets must not be empty.")
    return nodes


def check_specs_agree(call: str, nodes: Sequence[Node]) -> Any:
    """Return the spec that covers all nodes if it is known, None otherwise.

    Raises BuildTypeError if what is known does not go together.
    """
    specs = [declared_spec(node) for node in nodes]
    first = next((spec for spec in specs if spec is not None), None)
    merged = first
    for number, spec in enumerate(specs):
        if spec is None:
            continue
        try:
            merged = merge_specs([merged, spec])
        except SpecError as error:
            raise BuildTypeError(
                f"{call}: all datasets must have elements of one structure and dtype, got "
                f"{first} and, as dataset {number}, {spec}. Make them equal in a map() before."
            ) from error
    return None if any(spec is None for spec in specs) else merged


def tell_apart(block: Block, node: NumberedNode, number: int) -> Block:
    """Return a block of input ``number`` of a node with ids that no other input has.

    Elements at the same place of two inputs are two elements: they must not share draws.
    The node's own number tells mixtures inside mixtures apart.
    """
    if block.ids is None or number == 0:
        return block
    return replace(block, ids=mix_ids(block.ids, mix(_SEVERAL, node.number, number)))
