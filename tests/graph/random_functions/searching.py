"""searching: the random function of a seed, whether it fails, and how that is told."""

from __future__ import annotations

import random

from tests.graph.random_functions.elements import draw_elements
from tests.graph.random_functions.growing import draw_function
from tests.graph.random_functions.running import Case, difference
from tests.graph.random_functions.shrinking import shrunk

__all__ = ["case_of", "failure_of"]

# Those up to 40 are proved on tame elements alone; none: as Feedline likes.
_BLOCK_SIZES = [8, 13, 20, 20, 40, 100, None]


def case_of(seed: int) -> Case:
    """Return the random function of a seed: the same one on every machine."""
    choices = random.Random(seed)
    elements = draw_elements(choices)
    first = dict(zip(elements.columns, elements.rows()[0], strict=True))
    function = draw_function(choices, first, takes_dict=elements.as_dict)
    errstate = choices.choices(["ignore", "warn", "raise"], [7, 2, 1])[0]
    return Case(function, elements, choices.choice(_BLOCK_SIZES), errstate)


def failure_of(seed: int) -> str | None:
    """Return what is wrong with the random function of a seed, as small as it can be shown."""
    case = case_of(seed)
    found = difference(case)
    return None if found is None else _told(seed, *shrunk(case, found))


def _told(seed, case, found):
    columns = [f"{name}: {column}" for name, column in case.elements.columns.items()]
    row = case.elements.rows()[found.number] if found.number >= 0 else "after all elements"
    return "\n".join(
        [
            f"seed {seed}, block_size={case.block_size}, errstate {case.errstate}, {columns}",
            str(case.function),
            f"element {found.number}: {row}",
            f"expected: {_shown(found.expected)}",
            f"found:    {_shown(found.found)}",
            f"again: .venv/bin/python -m tests.graph.random_functions {seed}",
        ]
    )


def _shown(outcome):
    return str(outcome[1]) if isinstance(outcome, tuple) else str(outcome)
