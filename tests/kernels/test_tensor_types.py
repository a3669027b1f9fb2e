"""Tensors answer the same whether the native module or its twin makes them."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import feedline as tf
from feedline.kernels.tensor_types import tensor_rows

QUESTIONS = """
import itertools, json, operator, pickle, copy
import numpy as np
from feedline.values.tensor import Tensor, as_tensor, as_tensors

DTYPES = ["bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64"]
VALUES = [0, 1, 3]
tensors = [as_tensor(np.dtype(name).type(value)) for name in DTYPES for value in VALUES]
tensors += [as_tensor(np.array([[1, 2, 3]], name)) for name in DTYPES]
others = [2, 0.5, True, -1, np.float64(2), np.int64(3), np.float32(1.5), np.array([1, 2, 3]),
          np.array([1.5, 2, 3]), [1, 2, 3], [0.5, 1, 2], "a", b"a", None]
texts = [as_tensor("a"), as_tensor(b"a"), as_tensor(np.array(["a", b"b", "c"], object))]
BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "ne", "lt", "ge",
          "and_", "xor", "lshift", "matmul"]
IN_PLACE = ["iadd", "imul", "itruediv"]
UNARY = ["neg", "pos", "abs", "invert", "index", "not_"]
CALLS = [np.sin, np.sum, np.sqrt, np.isnan, np.shape, np.asarray, np.concatenate, np.copy,
         np.full_like, list, len, int, float, bool, repr, str, copy.copy,
         lambda x: hash(x) is None,
         copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)), lambda x: x[0],
         lambda x: x[..., None], lambda x: x[None], lambda x: x[[slice(None), None]],
         lambda x: x[[0, 0]], lambda x: x.T, lambda x: x.astype("f4"),
         lambda x: x.reshape(-1), lambda x: x.sum(), lambda x: np.full(2, x),
         lambda x: np.array([x, x]), lambda x: {x: 1}[x], lambda x: x == x.numpy(),
         lambda x: x.shape.as_list(), lambda x: x.dtype.name, lambda x: f"{x}",
         lambda x: divmod(x, 2), lambda x: divmod(2, x), lambda x: x.max(), lambda x: -x[:1],
         lambda x: np.stack([x, x]), lambda x: np.where(x, x, x), lambda x: np.add.reduce(x),
         lambda x: np.add.reduce(x, axis=None), lambda x: np.multiply.outer(x, x),
         lambda x: np.add(x, 1, out=np.zeros(np.shape(x))), lambda x: np.nextafter(x, 1.0),
         lambda x: np.modf(x), lambda x: np.add.accumulate(x), lambda x: x.cumsum(),
         lambda x: np.max(x), lambda x: np.mean(x), lambda x: np.vdot(x, x),
         lambda x: np.dot(x, x.T),
         lambda x: list(x)[0], lambda x: [list(row) for row in x], lambda x: x.item(),
         lambda x: x.__array_wrap__(np.array(2.0)), lambda x: x.__array_wrap__(np.array([2.0]))]

def told(call, *args):
    try:
        with np.errstate(all="ignore"):
            made = call(*args)
    except (TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError, OverflowError):
        return "refused"
    return shown(made)

def shown(made):
    if isinstance(made, (list, tuple)):
        return [type(made).__name__, *map(shown, made)]
    numbers = np.asarray(made)
    if numbers.dtype.kind == "O":
        numbers = numbers.tolist() if isinstance(made, np.ndarray) else type(made).__name__
        return [isinstance(made, Tensor), repr(numbers)]
    # Truth values without the native module are arrays without axes.
    is_array = isinstance(made, np.ndarray) and (made.ndim > 0 or numbers.dtype.kind != "b")
    return [isinstance(made, Tensor), is_array, str(numbers.dtype), repr(numbers.tolist())]

def tell(*question):
    print(json.dumps(question))

labelled = list(enumerate(tensors + others + texts))
ours = labelled[:len(tensors)]
for name in BINARY + IN_PLACE:
    call = getattr(operator, name)
    for (i, a), (j, b) in itertools.product(ours, labelled):
        if a.dtype == np.bool_ and j >= len(tensors):
            continue  # TensorFlow has none of these
        tell(name, i, j, told(call, copy.copy(a), b))
        if name in BINARY:
            tell(name, j, i, told(call, b, a))
    for (i, a), (j, b) in itertools.product(labelled[-3:], labelled[len(tensors):]):
        tell(name, i, j, told(call, copy.copy(a), b))
for i, a in ours + labelled[-3:]:
    for name in UNARY:
        tell(name, i, told(getattr(operator, name), a))
    # They look another way there too.
    for number, call in enumerate(CALLS if np.ndim(a) or a.dtype != np.bool_ else ()):
        tell(number, i, told(call, a))
"""


def answers(native):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", QUESTIONS],
        env={**os.environ, "FEEDLINE_NATIVE": native},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_native_tensors_answer_as_those_of_the_twin():
    native, twin = answers("1"), answers("0")

    assert len(native) > 10_000
    assert [pair for pair in zip(native, twin, strict=True) if pair[0] != pair[1]] == []


@pytest.mark.parametrize("length", [0, 1, 15, 16, 600, 4_063, 200_000])
def test_a_byte_string_of_any_length_is_copied_whole_and_not_beyond(length):
    # Beyond its end the sanitizers look: strings of over 512 bytes are not of Python's own pools.
    text = bytes(range(256)) * (length // 256 + 1)

    tensors = tensor_rows([text[:length], text[1 : length + 1]])

    assert tensors == [text[:length], text[1 : length + 1]]
    assert [hash(tensor) for tensor in tensors] == [hash(text[:length]), hash(text[1 : length + 1])]
    assert all(isinstance(tensor, tf.Tensor) for tensor in tensors)


def test_numbers_have_no_room_for_attributes():
    assert sys.getsizeof(tf.constant(np.float64(2))) <= sys.getsizeof(np.float64(2)) + 16
    with pytest.raises(AttributeError):
        tf.constant(2.0).anything = 1
