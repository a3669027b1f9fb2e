import numpy as np

from feedline.data import Dataset
from feedline.plan.declared import declared_spec
from feedline.spec import TensorSpec


def test_what_sources_and_steps_declare_is_known():
    ds = Dataset.range(5).shuffle(3).batch(2)

    assert declared_spec(ds.node) == TensorSpec((None,), np.int64)


def test_what_a_function_makes_is_not_known_and_nothing_runs():
    calls = []
    ds = Dataset.range(5).map(calls.append).batch(2)

    assert declared_spec(ds.node) is None
    assert calls == []
