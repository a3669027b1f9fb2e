"""What functions of Feedline return to users are tensors."""

import types
from importlib import import_module

import pytest

import feedline as tf

NAMESPACES = [
    *("audio", "bitwise", "image", "io", "linalg", "math", "nn", "ragged", "random"),
    *("random.experimental", "signal", "sparse", "strings"),
]


@pytest.mark.parametrize("name", NAMESPACES)
def test_every_function_of_a_namespace_returns_tensors(name):
    namespace = import_module(f"feedline.{name}")
    functions = [getattr(namespace, each) for each in namespace.__all__]

    assert [
        function.__name__
        for function in functions
        if isinstance(function, types.FunctionType) and not hasattr(function, "__published__")
    ] == []


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.random.uniform([2]),
        lambda: tf.random.split([1, 2]),
        lambda: tf.random.experimental.stateless_split([1, 2]),
        lambda: tf.random.experimental.stateless_fold_in([1, 2], 3),
        lambda: tf.random.experimental.stateless_shuffle([1, 2], [1, 2]),
        lambda: tf.random.experimental.create_rng_state(1, "philox"),
    ],
)
def test_random_numbers_and_seeds_are_tensors(call):
    assert tf.is_tensor(call())
