"""with_options: settings of a pipeline."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from feedline.errors import BuildTypeError
from feedline.ops.transparent import TransparentNode
from feedline.options import Options
from feedline.plan.node import Node
from feedline.plan.rewrite import walk

if TYPE_CHECKING:
    from feedline.dataset import Dataset

__all__ = ["WithOptions", "options_of", "with_options"]

T = TypeVar("T")


# ---- what the user calls ---------------------------------------------------


def with_options(self: Dataset[T], options: Options, name: str | None = None) -> Dataset[T]:
    """Return the same dataset with some settings changed.

    The settings hold for the whole pipeline, wherever in the chain they are given. Where
    one was set before to another value, the later one counts and a warning says so.

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
    for field_name, was, becomes in options_of(self.node).conflicts(options):
        warnings.warn(
            f"with_options(): {field_name} was set to {was!r} before and is now {becomes!r}.",
            stacklevel=2,
        )
    # A copy: what the user does to the object afterwards does not reach the dataset.
    return self.then(WithOptions(self.node, Options().merge(options), name=name))


def options_of(root: Node) -> Options:
    """Return the settings of a whole plan, merged: a later one counts more."""
    merged = Options()
    for node in walk(root):
        if isinstance(node, WithOptions):
            merged = merged.merge(node.options)
    return merged


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class WithOptions(TransparentNode):
    """The input, with settings."""

    options: Options = field(repr=False)


# ---- what runs: the input itself, with the settings read before --------------
