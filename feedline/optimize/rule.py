"""rule: a way to make plans cheaper, and when it is switched on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from feedline.plan.node import Node

if TYPE_CHECKING:
    from feedline.options import Options

__all__ = ["Rule"]


@dataclass(frozen=True, eq=False)
class Rule:
    """A function that replaces nodes by cheaper ones that yield the same.

    Args:
        apply: Returns the replacement of a node, or None to leave it.
        about: The kinds of nodes it may replace: plans without them are not shown to it.
        reason: Why it stands where it stands among the rules.
        option: The setting in ``Options.experimental_optimization`` that switches it.
        asks: It calls users' functions, which may answer otherwise the next time: what it
            made of a plan holds for one iteration.
        nested: It pays for the plans that functions make by the thousand, too.
        default: It is on unless it is switched off.
        shapes_states: A state saved with it cannot be loaded without it.
    """

    apply: Callable[[Node], Node | None]
    about: tuple[type[Node], ...]
    reason: str
    option: str | None = None
    asks: bool = False
    nested: bool = True
    shapes_states: bool = True
    default: bool = True

    @property
    def name(self) -> str:
        """What skip_rules calls it."""
        return self.apply.__name__

    def is_on(self, options: Options) -> bool:
        """Whether the settings allow it."""
        if self.name in (options.skip_rules or ()):
            return False
        settings = options.experimental_optimization
        if self.option is None:
            return settings.apply_default_optimizations is not False
        return (
            settings.is_on(self.option) if self.default else getattr(settings, self.option) is True
        )
