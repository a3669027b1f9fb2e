"""window_to_views: windows that are only batched become views of what was read.

flat_map(lambda w: w.batch(n)) of window(size) of X   ->   window_views of X      if n >= size

The function is opaque, so it is called, with datasets that stand for the windows and tell
nothing. If what it returns is nothing but those, batched, then that is what it does with
every window: it could not see which it got. It is called twice, since a function may also
return different things by chance. A function that looks at its windows, or fails, is left
alone. Nothing of the pipeline runs.

Where only running would tell how many windows the function gets, its parameters are asked:
the step then looks at the first element, and does as the plan said if that was wrong.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from feedline.engine.function import declares_rng
from feedline.ops.batch import Batch, has_ragged_rows
from feedline.ops.flat_map import FlatMap
from feedline.ops.window import Window
from feedline.ops.window_views import Guess, Part, WindowViews
from feedline.ops.zip import Zip
from feedline.plan.declared import declared_spec
from feedline.plan.node import Node
from feedline.structure import LEAF, Structure, structure_of

__all__ = ["window_to_views"]


def window_to_views(node: Node) -> Node | None:
    """Replace a flat_map that only batches the windows below it."""
    if not isinstance(node, FlatMap) or not isinstance(node.input, Window):
        return None
    window = node.input
    if declares_rng(node.fn):
        return None
    spec = declared_spec(window.input)
    if has_ragged_rows(spec):
        return None  # batches of them are not views
    structure = _guessed_structure(node.fn) if spec is None else structure_of(spec)
    made = _made_by(node, window, structure)
    if made is None or made != _made_by(node, window, structure):
        return None
    # A batch that may not be short keeps a window only if it is full, and only if full is enough.
    drops = made.drop_remainder
    if made.batch_size < window.size or (drops and made.batch_size > window.size):
        return None
    return WindowViews(
        window.input,
        window.size,
        window.shift,
        window.stride,
        window.drop_remainder or drops,
        made.parts,
        made.structure,
        Guess(structure, node) if spec is None else None,
        name=node.name,
        site=node.site,
    )


def _guessed_structure(fn: Callable[..., Any]) -> Structure:
    """Return the structure of elements that a function seems to be written for."""
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):  # some built-in functions have no signature
        return LEAF
    needed = [
        parameter
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is parameter.empty
    ]
    return LEAF if len(needed) < 2 else structure_of((0,) * len(needed))


@dataclass(frozen=True)
class _Made:
    """What a function made of its windows: batches of some leaves, in a structure."""

    batch_size: int
    drop_remainder: bool
    parts: tuple[Part, ...]
    structure: Structure


@dataclass(frozen=True)
class _Stand(Node):
    """Stands for the window of one leaf. Whoever asks anything of it gets an exception."""

    leaf: int = field(repr=False)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """A function that wants to know cannot be understood by calling it."""
        raise _LookedAt

    def spec(self, inputs: Sequence[Any]) -> Any:
        """As above."""
        raise _LookedAt


class _LookedAt(Exception):  # noqa: N818  (never leaves this module)
    """The function asked something of a window."""


def _made_by(node: FlatMap, window: Window, structure: Structure) -> _Made | None:
    """Return what the function makes of its windows, or None if that is not only batches."""
    stands = [window.dataset.of_node(_Stand(number)) for number in range(structure.num_leaves)]
    argument = structure.pack(stands)
    try:
        result = node.fn(*argument) if structure.is_tuple else node.fn(argument)
    except Exception:  # whatever it is, it will happen again when the pipeline runs
        return None
    found = getattr(result, "node", None)
    return _batches(found) if isinstance(found, Node) else None


def _batches(node: Node) -> _Made | None:
    """Return the batches that ``node`` puts together, or None if it does anything else."""
    if isinstance(node, Batch):
        leaves = _leaves(node.input)
        if leaves is None:
            return None
        return _Made(node.batch_size, node.drop_remainder, (leaves,), leaves.structure)
    if not isinstance(node, Zip):
        return None
    made = [_batches(source) for source in node.in_place(node.sources)]
    known = [one for one in made if one is not None]
    if len(known) < len(made) or len({(o.batch_size, o.drop_remainder) for o in known}) > 1:
        return None
    parts = tuple(part for one in known for part in one.parts)
    structure = _grafted(node.structure, [one.structure for one in known])
    return _Made(known[0].batch_size, known[0].drop_remainder, parts, structure)


def _leaves(node: Node) -> Part | None:
    """Return the windows that ``node`` puts side by side, or None if it does anything else."""
    if isinstance(node, _Stand):
        return Part(LEAF, (node.leaf,))
    if not isinstance(node, Zip):
        return None
    found = [_leaves(source) for source in node.in_place(node.sources)]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    structure = _grafted(node.structure, [one.structure for one in known])
    return Part(structure, tuple(leaf for one in known for leaf in one.leaves))


def _grafted(outer: Structure, inner: list[Structure]) -> Structure:
    """Return ``outer`` with the structures of ``inner`` in the places of its leaves."""
    return structure_of(outer.pack([one.pack([0] * one.num_leaves) for one in inner]))
