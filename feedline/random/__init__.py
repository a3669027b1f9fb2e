"""feedline.random: random numbers, keyed by element inside a pipeline."""

from __future__ import annotations

from feedline.graph.drawing import set_seed
from feedline.namespace import open_namespace
from feedline.random import experimental
from feedline.random.drawn import categorical, normal, shuffle, truncated_normal, uniform
from feedline.random.gamma import stateless_gamma
from feedline.random.generator import Generator
from feedline.random.splitting import fold_in, split
from feedline.random.stateless import (
    stateless_categorical,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
)
from feedline.values.publishing import publish

__all__ = [
    "Generator",
    "categorical",
    "experimental",
    "fold_in",
    "normal",
    "set_seed",
    "shuffle",
    "split",
    "stateless_categorical",
    "stateless_gamma",
    "stateless_normal",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
]

publish(globals(), __all__)

open_namespace(globals())
