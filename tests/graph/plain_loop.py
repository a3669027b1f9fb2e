"""What tests of vectorised functions share: running one both ways, and comparing bit for bit."""

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from feedline.data import Options
from feedline.structure import structure_of

__all__ = ["Outcome", "assert_identical", "how_it_runs", "outcome_of", "with_block_size"]


@dataclass
class Outcome:
    """What can be seen of a run: elements or errors in order, warnings, and any state."""

    elements: tuple[Any, ...]
    warned: list[tuple[str, str]] = field(default_factory=list)
    state: Any = None


def with_block_size(dataset, size):
    options = Options()
    options.block_size = size
    return dataset.with_options(options)


def outcome_of(dataset, state=lambda: None):
    """Iterate to the end, going on after every error."""
    found = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        iterator = iter(dataset)
        while True:
            try:
                found.append(next(iterator))
            except StopIteration:
                break
            except Exception as error:
                places = [note.rpartition(", ")[2] for note in getattr(error, "__notes__", [])]
                found.append(("raised", type(error).__name__, str(error), str(places)))
    warned = sorted((w.category.__name__, str(w.message)) for w in caught)
    return Outcome(tuple(found), warned, state())


def how_it_runs(dataset):
    """The words of explain() about the last function."""
    plan = dataset.explain().partition("as it runs")[2]
    first = next(line for line in plan.splitlines() if "map(" in line)
    return first.partition("plain Python: ")[2].strip() or first.split()[-1]


def assert_identical(found, expected):
    """Raise AssertionError unless two values are the same to the last bit."""
    assert type(found) is type(expected), f"{type(found)} is not {type(expected)}"
    if isinstance(found, (np.ndarray, np.generic)):
        _assert_same_numbers(found, expected)
        return
    structure = structure_of(expected)
    assert structure_of(found) == structure
    if structure.is_leaf:
        assert found == expected
        return
    for one, other in zip(structure.leaves_of(found), structure.leaves_of(expected), strict=True):
        assert_identical(one, other)


def _assert_same_numbers(found, expected):
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    assert found.flags.writeable == expected.flags.writeable
    np.testing.assert_array_equal(found, expected)
    if found.dtype.kind in "fc":
        numbers = ~np.isnan(found)
        for part in ("real", "imag"):
            signs = np.signbit(getattr(found, part)) == np.signbit(getattr(expected, part))
            assert np.all(signs | ~numbers), "zeros of different signs"
