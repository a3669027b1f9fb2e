"""What an adversary is: a function, the elements it gets, and how it must run."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from feedline.data import Dataset
from tests.graph.plain_loop import outcome_of, with_block_size

COUNT = 24
DRAWS = np.random.default_rng(0)
FLOATS = DRAWS.standard_normal((COUNT, 5)).astype(np.float32)
BYTES = DRAWS.integers(0, 256, (COUNT, 5)).astype(np.uint8)
GRIDS = DRAWS.standard_normal((COUNT, 4, 3)).astype(np.float32)
TEXTS = np.array([f"text {number}" for number in range(COUNT)])


@dataclasses.dataclass
class Acts:
    """A function, what can be seen of its effects, and what happens after each element."""

    fn: Callable[..., Any]
    state: Callable[[], Any] = lambda: None
    meanwhile: Callable[[int], None] | None = None


@dataclasses.dataclass
class Case:
    """How to make a function anew, for which elements, and how it must run."""

    make: Callable[[], Acts]
    source: Callable[[], Any]
    how: str

    def __str__(self):
        return self.make.__name__


CASES = []


def case(how, source=lambda: Dataset.from_tensor_slices(FLOATS)):
    """Register a function that makes the function under test and what it works with."""

    def register(make):
        CASES.append(Case(make, source, how))
        return make

    return register


def numbers():
    return Dataset.range(COUNT)


def small_bytes():
    return Dataset.from_tensor_slices(BYTES[:, 0])


def grids():
    return Dataset.from_tensor_slices(GRIDS)


def pairs():
    return Dataset.from_tensor_slices((FLOATS, np.arange(COUNT) % 5))


def dicts():
    return Dataset.from_tensor_slices({"a": FLOATS, "b": {"c": BYTES}})


def ragged():
    return Dataset.range(COUNT).map(lambda i: np.arange(i % 4 + 1) * 0.37, vectorize=False)


def run(case, block_size, vectorize):
    acts = case.make()
    dataset = with_block_size(case.source().map(acts.fn, vectorize=vectorize), block_size)
    epochs = []
    for _ in range(2):
        if acts.meanwhile is None:
            epochs.append(outcome_of(dataset, acts.state))
        else:
            epochs.append(outcome_of(_accompanied(dataset, acts.meanwhile), acts.state))
    return epochs, dataset


def _accompanied(dataset, meanwhile):
    for number, element in enumerate(dataset):
        yield element
        meanwhile(number)
