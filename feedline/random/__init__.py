"""feedline.random: random numbers, keyed by element inside a pipeline."""

from __future__ import annotations

from feedline.graph.drawing import set_seed
from feedline.random.drawn import categorical, normal, shuffle, truncated_normal, uniform

__all__ = ["categorical", "normal", "set_seed", "shuffle", "truncated_normal", "uniform"]
