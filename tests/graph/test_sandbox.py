"""What a recorded function sees of the world, and that it cannot change it."""

import enum
import math
import types

import numpy as np
import pytest

from feedline.data import Dataset
from feedline.graph.numpy_view import ScalarType
from feedline.graph.sandbox import Sandbox
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace
from feedline.graph.untraceable import Untraceable
from feedline.structure import structure_of


@pytest.fixture
def sandbox():
    return Sandbox(Trace(1, batches=True, sealed=True))


def holds(sandbox):
    return all(guard.holds() for guard in sandbox.guards)


def test_numbers_and_texts_are_themselves(sandbox):
    for value in (None, 1, 2.5, "text", np.float32(1)):
        assert sandbox.view(value) is value


def test_containers_are_copies_all_the_way_down(sandbox):
    config = {"a": [1, (2, [3])]}

    copy = sandbox.view(config)
    copy["a"][1][1].append(4)

    assert config == {"a": [1, (2, [3])]}
    with pytest.raises(Untraceable, match="changes a list outside itself"):
        sandbox.check_unchanged()


def test_one_object_has_one_view(sandbox):
    shared = [1]
    first, second = sandbox.view((shared, shared))

    assert first is second
    assert sandbox.view(np.sum) is sandbox.view(np).sum
    assert sandbox.view(np.float32) is sandbox.view(np).float32


def test_a_set_keeps_its_order_or_is_refused(sandbox):
    assert list(sandbox.view({8, 0})) == list({8, 0})

    shrunk = set(range(100))  # its table stays as large, and with it the order of what is left
    shrunk -= shrunk - {9, 16}

    with pytest.raises(Untraceable, match="whose order would be lost"):
        sandbox.view(shrunk)


def test_an_array_is_a_constant_that_cannot_be_written(sandbox):
    array = np.arange(3.0)

    symbol = sandbox.view(array)

    assert isinstance(symbol, Symbol)
    assert np.shares_memory(symbol.value, array)
    assert not symbol.value.flags.writeable
    with pytest.raises(Untraceable, match="changes an array that is not its own"):
        symbol[0] = 1


def test_an_array_whose_numbers_were_read_must_not_change(sandbox):
    array = np.arange(3.0)
    symbol = sandbox.view(array)
    assert holds(sandbox)

    array[0] = 5
    assert holds(sandbox)

    assert symbol[0].read() == 5
    array[0] = 6
    assert not holds(sandbox)


@pytest.mark.parametrize(
    "array", [np.array(["a"]), np.array([None]), np.ma.array([1.0]), np.zeros(1, "i4,i4")]
)
def test_other_kinds_of_arrays_are_refused(sandbox, array):
    with pytest.raises(Untraceable, match="uses an array of type"):
        sandbox.view(array)


def test_a_large_array_that_is_read_must_be_read_only(sandbox):
    array = np.zeros(200_000)

    with pytest.raises(Untraceable, match="make it read-only"):
        sandbox.view(array).read()

    frozen = np.zeros(200_000)
    frozen.flags.writeable = False
    assert sandbox.view(frozen).read().shape == (200_000,)


def test_a_function_sees_the_sandbox(sandbox):
    seen = []

    def fn(x):
        seen.append(x)
        return len(seen)

    assert sandbox.view(fn)(3) == 1
    assert seen == []


def test_functions_that_share_a_variable_share_it_in_the_sandbox(sandbox):
    count = 0

    def add():
        nonlocal count
        count += 1

    def fn():
        add()
        return count

    assert sandbox.view(fn)() == 1
    assert count == 0
    with pytest.raises(Untraceable, match="changes a variable outside itself"):
        sandbox.check_unchanged()


def test_a_function_may_call_itself(sandbox):
    def fn(n):
        return 1 if n == 0 else n * fn(n - 1)

    assert sandbox.view(fn)(5) == 120


@pytest.mark.parametrize(
    "name", ["print", "open", "input", "eval", "exec", "id", "vars", "setattr"]
)
def test_builtins_with_effects_are_refused(sandbox, name):
    names = {}
    exec(f"def fn(): return {name}()", names)

    with pytest.raises(Untraceable, match=f"calls {name}"):
        sandbox.view(names["fn"])()


def test_functions_of_math_are_pure(sandbox):
    assert sandbox.view(math).sqrt(4.0) == 2.0
    assert sandbox.view(math.sqrt)(4.0) == 2.0


def test_a_name_that_is_read_is_guarded(sandbox):
    names = {"K": 2}
    exec("def fn(): return K + len('abc')", names)
    assert sandbox.view(names["fn"])() == 5
    assert holds(sandbox)

    names["len"] = max
    assert not holds(sandbox)

    del names["len"]
    names["K"] = 3
    assert not holds(sandbox)


def test_a_name_that_is_read_often_is_guarded_once(sandbox):
    names = {"K": 2}
    exec("def fn(): return [K + abs(K) for _ in range(50)]", names)

    sandbox.view(names["fn"])()

    assert len(sandbox.guards) < 15


def test_types_are_those_of_arrays(sandbox):
    trace = sandbox.trace
    array, number = trace.constant(np.zeros(3, np.float32)), trace.constant(np.float32(1))
    names = {"np": np}
    exec(
        "def fn(x, y): return type(x), type(y) is np.float32, isinstance(y, np.floating), "
        "isinstance(x, np.ndarray), issubclass(np.float32, np.floating), callable(x)",
        names,
    )

    kind, *others = sandbox.view(names["fn"])(array, number)

    assert kind is np.ndarray
    assert others == [True, True, True, True, False]


def test_a_scalar_type_is_a_dtype_and_a_cast(sandbox):
    kind = sandbox.view(np.float32)

    assert isinstance(kind, ScalarType)
    assert np.dtype(kind) == np.float32
    assert {kind: 1}[np.float32] == 1
    assert kind(1.5) == np.float32(1.5)


def test_elements_of_classes_with_methods_are_refused(sandbox):
    class Pair(tuple):
        _fields = ("a", "b")
        __slots__ = ()

        def __new__(cls, a, b):
            return tuple.__new__(cls, (a, b))

    sandbox.check_structure(structure_of({"a": (1, {"b": 2})}))
    with pytest.raises(Untraceable, match="uses the class"):
        sandbox.check_structure(structure_of(Pair(1, 2)))


def test_modules_are_imported_only_if_they_are_pure(sandbox):
    names = {}
    exec("def fn():\n  import math\n  import json", names)

    with pytest.raises(Untraceable, match="imports json"):
        sandbox.view(names["fn"])()


def test_a_module_of_the_user_runs_in_the_sandbox(sandbox):
    module = types.ModuleType("helpers")
    exec("SEEN = []\ndef fn(x):\n  SEEN.append(x)\n  return x + 1", vars(module))

    assert sandbox.view(module).fn(1) == 2
    assert module.SEEN == []


class Speed(enum.Enum):
    FAST = "fast"


def numbers_of(dataset):
    return np.unique(np.stack(list(dataset))).tolist()


def test_an_attribute_of_an_enum_member_may_change_between_epochs():
    Speed.FAST.scale = 2.0
    ds = Dataset.from_tensor_slices(np.ones((600, 3))).map(lambda x: x * Speed.FAST.scale)
    assert numbers_of(ds) == [2.0]
    Speed.FAST.scale = 10.0
    assert numbers_of(ds) == [10.0]


def test_an_array_kept_by_an_enum_member_may_change_between_epochs():
    Speed.FAST.scale = np.full(3, 2.0)
    ds = Dataset.from_tensor_slices(np.ones((600, 3))).map(lambda x: x * Speed.FAST.scale)
    assert numbers_of(ds) == [2.0]
    Speed.FAST.scale[:] = 10.0
    assert numbers_of(ds) == [10.0]


@pytest.mark.parametrize("part", [slice(None), slice(0, 5)])
def test_a_large_array_that_was_read_only_may_change_between_epochs(part):
    weights = np.ones(200_000)
    weights.flags.writeable = False
    ds = Dataset.from_tensor_slices(np.zeros((600, 3))).map(lambda x: x + weights[part].mean())
    assert numbers_of(ds) == [1.0]
    weights.flags.writeable = True
    weights[:] = 5
    weights.flags.writeable = False
    assert numbers_of(ds) == [5.0]


def test_a_read_only_array_may_be_written_through_an_older_view():
    weights = np.ones(30_000)
    older = weights[:]
    weights.flags.writeable = False
    ds = Dataset.from_tensor_slices(np.zeros((600, 3))).map(lambda x: x + weights.mean())
    assert numbers_of(ds) == [1.0]
    older[:] = 5
    assert numbers_of(ds) == [5.0]
