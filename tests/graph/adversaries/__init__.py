"""Functions that do what they should not."""

from tests.graph.adversaries import (  # noqa: F401  (they register their cases)
    arrays,
    changes,
    classes,
    effects,
    memory,
    results,
    rounding,
    world,
)
from tests.graph.adversaries.case import CASES

__all__ = ["CASES"]
