"""with_options: settings of a pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from feedline.engine.access import Access
from feedline.engine.exec import UnaryExec
from feedline.errors import BuildTypeError
from feedline.options import Options
from feedline.plan.node import Node, Traits, UnaryNode
from feedline.plan.rewrite import walk

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["PassExec", "WithOptions", "options_of", "with_options"]


# ---- what the user calls ---------------------------------------------------


def with_options(self: Dataset[Any], options: Options, name: str | None = None) -> Dataset[Any]:
    """Return the same dataset with some settings changed.

    The settings hold for the whole pipeline, wherever in the chain they are given.

    Args:
        options: Only the fields that are set count.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> options = tf.data.Options()
        >>> options.deterministic = False
        >>> tf.data.Dataset.range(3).with_options(options).options().deterministic
        False
    """
    if not isinstance(options, Options):
        raise BuildTypeError(f"with_options(): options must be Options, got {options!r}.")
    changed = self.then(WithOptions(self.node, Options().merge(options), name=name))
    options_of(changed.node)
    return changed


def options_of(root: Node) -> Options:
    """Return the settings of a whole plan, merged."""
    merged = Options()
    for node in walk(root):
        if isinstance(node, WithOptions):
            merged = merged.merge(node.options)
    return merged


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class WithOptions(UnaryNode):
    """The input, with settings."""

    options: Options = field(repr=False)

    traits: ClassVar[Traits] = Traits(rows="same", keeps_order=True, keeps_values=True)

    def lower(self, run: Run) -> PassExec:
        """Nothing runs: the settings were read before."""
        return PassExec(run.open(self.input))

    def access(self, run: Run) -> Access | None:
        """The input's."""
        return self.input.access(run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's."""
        return inputs[0]

    def spec(self, inputs: Sequence[Any]) -> Any:
        """The input's."""
        return inputs[0]


# ---- what runs -------------------------------------------------------------


class PassExec(UnaryExec):
    """Hands on what it gets."""

    def pull(self, limit: int) -> Block | None:
        """Hand on the next elements."""
        return self.input.pull(limit)

    def skip(self, count: int) -> int:
        """Skip in the input."""
        return self.input.discard(count)
