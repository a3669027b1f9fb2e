"""feedline.random.experimental: the names that TensorFlow keeps there."""

from __future__ import annotations

from feedline.namespace import open_namespace
from feedline.random.generator import Algorithm, Generator, create_rng_state
from feedline.random.program_generator import get_global_generator, set_global_generator
from feedline.random.splitting import fold_in as stateless_fold_in
from feedline.random.splitting import split as stateless_split
from feedline.random.stateless import stateless_shuffle
from feedline.values.publishing import publish

__all__ = [
    "Algorithm",
    "Generator",
    "create_rng_state",
    "get_global_generator",
    "set_global_generator",
    "stateless_fold_in",
    "stateless_shuffle",
    "stateless_split",
]

publish(globals(), __all__)

open_namespace(globals())
