"""The page of NumPy functions says what is so."""

import numpy as np
import pytest

from feedline.graph.rule import FIXED, RULES
from tests.graph.rules.page import PATH, page
from tests.graph.rules.plain import PLAIN
from tests.graph.rules.table import TABLE

PLACES = {"np": np, "np.linalg": np.linalg, "np.fft": np.fft}
DISPATCHED = {
    f"{place}.{name}": value
    for place, module in PLACES.items()
    for name, value in vars(module).items()
    if type(value).__name__ == "_ArrayFunctionDispatcher" or isinstance(value, np.ufunc)
}
UNRECORDED = {name for names in PLAIN.values() for name in names}


def test_the_page_is_up_to_date():
    assert PATH.read_text() == page(), "python -m tests.graph.rules.page"


@pytest.mark.parametrize("name", sorted(DISPATCHED))
def test_every_function_of_numpy_is_recorded_or_said_not_to_be(name):
    function = DISPATCHED[name]

    assert (function in RULES or function in FIXED) != (name in UNRECORDED)


def test_every_function_that_is_recorded_is_in_the_table():
    tested = {entry.name.partition(",")[0] for entry in TABLE}
    names = {}
    for name, function in DISPATCHED.items():
        names.setdefault(function, set()).add(name)
    missing = [
        min(found)
        for function, found in names.items()
        if (function in RULES or function in FIXED) and not found & tested
    ]

    assert missing == []


def test_no_line_stands_twice():
    names = [entry.name for entry in TABLE]

    assert len(names) == len(set(names))
