"""feedline.random: random numbers, keyed by element inside a pipeline."""

from __future__ import annotations

from feedline.namespace import open_namespace
from feedline.random import experimental
from feedline.random.counts import stateless_binomial, stateless_poisson
from feedline.random.drawn import (
    categorical,
    gamma,
    normal,
    poisson,
    shuffle,
    truncated_normal,
    uniform,
)
from feedline.random.gammas import stateless_gamma
from feedline.random.generator import Algorithm, Generator, create_rng_state
from feedline.random.program_generator import get_global_generator, set_global_generator
from feedline.random.splitting import fold_in, split
from feedline.random.stateless import (
    stateless_categorical,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
)
from feedline.seeding import set_seed
from feedline.values.publishing import publish

__all__ = [
    "Algorithm",
    "Generator",
    "categorical",
    "create_rng_state",
    "experimental",
    "fold_in",
    "gamma",
    "get_global_generator",
    "normal",
    "poisson",
    "set_global_generator",
    "set_seed",
    "shuffle",
    "split",
    "stateless_binomial",
    "stateless_categorical",
    "stateless_gamma",
    "stateless_normal",
    "stateless_poisson",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
]

publish(globals(), __all__)

open_namespace(globals())
