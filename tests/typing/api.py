"""What type checkers know of a pipeline. Read by mypy in ``make check``, never run.

An ignored line is one that must not type-check: mypy reports an ignore it does not need.
"""

from __future__ import annotations

from typing import assert_type

import numpy as np

from feedline import function
from feedline.data import Dataset, Iterator


def half(x: int) -> float:
    return x / 2


def steps_that_keep_elements(ds: Dataset[int]) -> None:
    assert_type(ds.take(3).skip(1).shard(2, 0), Dataset[int])
    assert_type(ds.shuffle(3, seed=1).repeat().prefetch(2), Dataset[int])
    assert_type(ds.filter(bool).take_while(bool).unique(), Dataset[int])
    assert_type(ds.cache().ignore_errors().concatenate(ds), Dataset[int])
    assert_type(iter(ds), Iterator[int])
    assert_type(ds[0], int)
    assert_type(ds.get_single_element(), int)


def steps_that_make_others(ds: Dataset[int]) -> None:
    assert_type(ds.map(half), Dataset[float])
    assert_type(ds.enumerate(), Dataset[tuple[np.int64, int]])


@function
def scaled(x: int, by: float = 2.0) -> float:
    return x * by


@function(reduce_retracing=True)
def doubled(x: int) -> int:
    return x * 2


def recorded_functions(ds: Dataset[int]) -> None:
    assert_type(scaled(3), float)
    assert_type(scaled(3, by=1.5), float)
    assert_type(doubled(3), int)
    assert_type(function(half)(3), float)
    assert_type(ds.map(doubled), Dataset[int])
    scaled("x")  # type: ignore[arg-type]


def mistakes(ds: Dataset[int]) -> None:
    ds.shuffle("x")  # type: ignore[arg-type]
    ds.map(3)  # type: ignore[arg-type]
    ds.batch(2, wrong=True)  # type: ignore[call-arg]
