"""Rules that make a plan cheaper without changing what it yields: one file each."""

from __future__ import annotations

from collections.abc import Callable

from feedline.optimize.window_to_views import window_to_views
from feedline.plan.node import Node

__all__ = ["RULES"]

# In order. Each line says why it stands where it stands.
RULES: list[Callable[[Node], Node | None]] = [
    window_to_views,  # early: the step it makes can be read by index, which later rules use
]
