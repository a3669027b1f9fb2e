"""running: a random function in a plain loop and in a pipeline, and where the two differ."""

from __future__ import annotations

import warnings
from copy import copy
from dataclasses import dataclass

import numpy as np

import feedline as tf
from feedline.leaf import as_leaf
from feedline.structure import structure_of
from feedline.values.tensor import as_plain, as_tensor
from tests.graph.random_functions.elements import Elements
from tests.graph.random_functions.grammar import CONSTANTS
from tests.graph.random_functions.source import Function

__all__ = ["Case", "Difference", "difference"]


@dataclass(frozen=True)
class Case:
    """A function, its elements, and how it runs."""

    function: Function
    elements: Elements
    block_size: int | None
    errstate: str


@dataclass(frozen=True)
class Difference:
    """The first element that is another one in a pipeline than in a plain loop."""

    number: int
    expected: object
    found: object

    @property
    def kind(self):
        """What differs: a failure that is made smaller must stay the same failure."""
        if isinstance(self.expected, Raised) or isinstance(self.found, Raised):
            return f"{self.expected} {self.found}" if self.number >= 0 else "warnings"
        return "elements"


@dataclass(frozen=True)
class Raised:
    """Stands for an element whose function raised."""

    kind: str

    def __str__(self):
        return f"raises {self.kind}"


def difference(case: Case) -> Difference | None:
    """Run a function both ways; None if they are the same to the last bit."""
    expected, should_warn, left = _observed(case, _plain_loop)
    found, warned, changed = _observed(case, _pipeline)
    for number, (one, other) in enumerate(zip(found, expected, strict=True)):
        if not _same(one, other):
            return Difference(number, other, one)
    if warned != should_warn:
        return Difference(-1, should_warn, warned)
    if not _same(changed, left):
        return Difference(-1, left, changed)
    return None


def _observed(case, run):
    """Return what a run gives, what it warns of, and what it leaves of the constants."""
    names = {name: value.copy() for name, value in CONSTANTS.items()}
    function = _compiled(case.function, names)
    with warnings.catch_warnings(record=True) as caught, np.errstate(all=case.errstate):
        warnings.simplefilter("always")
        results = run(case, function)
    texts = {(warning.category.__name__, str(warning.message)) for warning in caught}
    return results, texts, _leaves(tuple(names[name] for name in CONSTANTS))


def _compiled(function, names):
    names.update(np=np, tf=tf)
    exec(compile(str(function), "<a random function>", "exec"), names)
    return names["f"]


def _plain_loop(case, function):
    takes_dict, names = case.function.takes_dict, case.function.arguments
    found = []
    for row in case.elements.rows():
        try:
            row = [as_tensor(leaf) for leaf in row]
            given = (dict(zip(names, row, strict=True)),) if takes_dict else row
            found.append(_leaves(function(*given)))
        except Exception as error:
            found.append(Raised(type(error).__name__))
    return found


def _pipeline(case, function):
    options = tf.data.Options(block_size=case.block_size)
    iterator = iter(case.elements.dataset().map(function).with_options(options))
    found = []
    while True:
        try:
            found.append(_leaves(next(iterator)))
        except StopIteration:
            return found
        except Exception as error:
            found.append(Raised(type(error).__name__))


def _leaves(element):
    """Return the structure of an element and copies of its leaves as a pipeline has them."""
    structure = structure_of(element)
    return structure, [copy(as_plain(as_leaf(leaf))) for leaf in structure.flatten(element)]


def _same(found, expected):
    if isinstance(found, Raised) or isinstance(expected, Raised):
        return found == expected
    (one, leaves), (other, others) = found, expected
    return one == other and all(map(_same_leaf, leaves, others))


def _same_leaf(one, other):
    """Whether two leaves are the same to the last bit; any NaN is like any other."""
    if type(one) is not type(other):
        return False
    if not isinstance(one, (np.ndarray, np.generic)):
        return bool(one == other)
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype == object:
        return one.tolist() == other.tolist()
    return one.tobytes() == other.tobytes() or _same_but_nan(one, other)


def _same_but_nan(one, other):
    if one.dtype.kind == "c":
        return _same_but_nan(one.real, other.real) and _same_but_nan(one.imag, other.imag)
    if one.dtype.kind != "f":
        return False
    same = (one == other) & (np.signbit(one) == np.signbit(other))
    return bool(np.all(same | (np.isnan(one) & np.isnan(other))))
