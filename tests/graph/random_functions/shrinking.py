"""shrinking: makes a failing function as small as a simple search can."""

from __future__ import annotations

from dataclasses import replace

from tests.graph.random_functions.elements import TAME
from tests.graph.random_functions.running import Case, Difference, difference

__all__ = ["shrunk"]

_MOST_RUNS = 400


def shrunk(case: Case, found: Difference) -> tuple[Case, Difference]:
    """Return a smaller case that differs in the same way, and how it does."""
    candidates = _smaller(case, found)
    for _ in range(_MOST_RUNS):
        other = next(candidates, None)
        if other is None:
            break
        now = difference(other)
        if now is not None and now.kind == found.kind:
            case, found, candidates = other, now, _smaller(other, now)
    return case, found


def _smaller(case, found):
    for function in case.function.smaller():
        if len(str(function)) < len(str(case.function)) and _is_written_right(function):
            yield replace(case, function=function)
    yield from _with_fewer_columns(case)
    length = case.elements.length
    if found.number >= TAME and length > TAME + 1:  # alone after the tame ones
        yield replace(case, elements=case.elements.but([*range(TAME), found.number]))
    if length > TAME + 1:
        yield replace(case, elements=case.elements.but([*range(TAME + (length - TAME) // 2)]))


def _is_written_right(function):
    """Whether Python can read it: what is put for a name may not be assigned to."""
    try:
        compile(str(function), "<a smaller function>", "exec")
    except SyntaxError:
        return False
    return True


def _with_fewer_columns(case):
    columns, function = case.elements.columns, case.function
    for name in columns if len(columns) > 1 else ():
        kept = {other: column for other, column in columns.items() if other != name}
        yield replace(
            case,
            elements=replace(case.elements, columns=kept),
            function=replace(function, arguments=tuple(kept)),
        )
