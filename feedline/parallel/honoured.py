"""honoured: settings of tf.data that ask for something that is not done here.

They can be set, merged and read as in tf.data; a pipeline that has one does not run, rather
than run as if nothing had been asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.errors import BuildError
from feedline.options import AutotuneAlgorithm

if TYPE_CHECKING:
    from feedline.options import Options

__all__ = ["honoured"]

_ALGORITHMS = (None, AutotuneAlgorithm.DEFAULT, AutotuneAlgorithm.MAX_PARALLELISM)


def honoured(options: Options) -> Options:
    """Return the settings, or raise BuildError if one of them cannot be kept to."""
    algorithm = options.autotune.autotune_algorithm
    if algorithm not in _ALGORITHMS and options.autotune.enabled is not False:
        raise BuildError(
            f"Options.autotune.autotune_algorithm: {algorithm} is not there. DEFAULT measures "
            "what every change brings, MAX_PARALLELISM uses all processors from the start."
        )
    rewrites = options.experimental_optimization
    refused = {
        "experimental_optimization.filter_parallelization": (
            rewrites.filter_parallelization,
            "a filter runs in the thread that reads it. Put costly work into a map() before it.",
        ),
        "experimental_optimization.parallel_batch": (
            rewrites.parallel_batch,
            "a batch is made by one thread. batch(num_parallel_calls=) makes it ahead of time.",
        ),
        "experimental_slack": (
            options.experimental_slack,
            "what is computed ahead does not wait for the consumer. Leave it unset.",
        ),
        "experimental_warm_start": (
            options.experimental_warm_start,
            "nothing runs before the first element is asked for. Ask for it early instead.",
        ),
    }
    for name, (value, what) in refused.items():
        if value:
            raise BuildError(f"Options.{name} = True: {what}")
    return options
