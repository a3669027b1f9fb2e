"""Functions that do what they should not: they behave as in a plain loop all the same."""

import builtins
import collections
import dataclasses
import enum
import functools
import io
import itertools
import logging
import math
import operator
import os
import random
import sys
import time
import types
import typing
import uuid
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from feedline.data import Dataset
from tests.graph.plain_loop import assert_identical, how_it_runs, outcome_of, with_block_size

pytestmark = pytest.mark.usefixtures("tried_at_once")

COUNT = 24
DRAWS = np.random.default_rng(0)
FLOATS = DRAWS.standard_normal((COUNT, 5)).astype(np.float32)
BYTES = DRAWS.integers(0, 256, (COUNT, 5)).astype(np.uint8)
GRIDS = DRAWS.standard_normal((COUNT, 4, 3)).astype(np.float32)
TEXTS = np.array([f"text {number}" for number in range(COUNT)])


# ---- a case, and what is checked of it ----------------------------------------------------


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


# ---- counting, remembering, changing things outside ------------------------------------------


@case("changes a variable outside itself")
def a_counter_in_a_closure():
    count = 0

    def fn(x):
        nonlocal count
        count += 1
        return x + count

    return Acts(fn, lambda: count)


@case("changes a variable outside itself")
def a_variable_that_was_not_set_before():
    def fn(x):
        nonlocal found
        found = 1
        return x + 1

    def state():
        try:
            return found
        except NameError:
            return None

    if not fn:
        found = 0
    return Acts(fn, state)


@case("vectorised")
def a_variable_that_is_set_and_reset():
    depth = 0

    def level():
        return depth

    def fn(x):
        nonlocal depth
        depth += 1
        result = x + level()
        depth -= 1
        return result

    return Acts(fn, lambda: depth)


@case("sets a global variable")
def a_global_counter():
    globals()["GLOBAL_COUNT"] = 0

    def fn(x):
        global GLOBAL_COUNT
        GLOBAL_COUNT += 1
        return x + 1

    return Acts(fn, lambda: globals()["GLOBAL_COUNT"])


@case("deletes a global variable")
def a_global_that_is_deleted():
    globals()["GLOBAL_ONCE"] = 0

    def fn(x):
        global GLOBAL_ONCE
        try:
            del GLOBAL_ONCE
        except NameError:
            return x - 1
        return x + 1

    return Acts(fn, lambda: "GLOBAL_ONCE" in globals())


@case("changes a list outside itself")
def a_list_that_grows():
    seen = []

    def fn(x):
        seen.append(1)
        return x + 1

    return Acts(fn, lambda: len(seen))


@case("changes a dict outside itself")
def a_dict_that_counts():
    counts = {"calls": 0}

    def fn(x):
        counts["calls"] += 1
        return x + counts["calls"]

    return Acts(fn, lambda: counts["calls"])


@case("changes a set outside itself")
def a_set_that_grows():
    seen = set()

    def fn(x):
        seen.add(len(seen))
        return x + 1

    return Acts(fn, lambda: len(seen))


@case("changes a list outside itself")
def a_list_in_a_tuple_in_a_dict():
    config = {"kept": (1, [])}

    def fn(x):
        config["kept"][1].append(1)
        return x + 1

    return Acts(fn, lambda: len(config["kept"][1]))


@case("changes a list outside itself")
def a_default_argument_that_is_kept():
    def fn(x, kept=[]):  # noqa: B006
        kept.append(1)
        return x + len(kept)

    return Acts(fn, lambda: len(fn.__defaults__[0]))


@case("changes a list outside itself")
def a_keyword_default_that_is_kept():
    def fn(x, *, kept=[]):  # noqa: B006
        kept.append(1)
        return x + len(kept)

    return Acts(fn, lambda: len(fn.__kwdefaults__["kept"]))


@case("changes a list outside itself")
def a_list_changed_on_the_way_out():
    seen = []

    def fn(x):
        try:
            return x + 1
        finally:
            seen.append(1)

    return Acts(fn, lambda: len(seen))


@case("sets an attribute")
def an_attribute_of_the_function():
    def fn(x):
        try:
            fn.calls += 1
        except AttributeError:
            fn.calls = 1
        return x + 1

    return Acts(fn, lambda: getattr(fn, "calls", None))


@case("sets an attribute")
def an_object_that_counts_its_calls():
    class Counter:
        calls = 0

        def __call__(self, x):
            self.calls += 1
            return x + self.calls

    counter = Counter()
    return Acts(counter, lambda: counter.calls)


@case("sets an attribute")
def a_class_that_counts():
    class Counter:
        calls = 0

        @classmethod
        def fn(cls, x):
            cls.calls += 1
            return x + cls.calls

    return Acts(Counter.fn, lambda: Counter.calls)


@case("sets an attribute")
def a_dataclass_that_counts():
    @dataclasses.dataclass
    class Stats:
        mean: float = 0.0
        calls: typing.ClassVar[int] = 0

    def fn(x):
        Stats.calls += 1
        return x + 1

    return Acts(fn, lambda: Stats.calls)


@case("sets an attribute")
def a_module_that_counts():
    math.calls = 0

    def fn(x):
        math.calls += 1
        return x + 1

    return Acts(fn, lambda: math.calls)


@case("deletes an attribute")
def an_attribute_that_is_deleted():
    thing = types.SimpleNamespace(k=1)

    def fn(x):
        try:
            del thing.k
        except AttributeError:
            return x - 1
        return x + 1

    return Acts(fn, lambda: hasattr(thing, "k"))


@case("uses a Store")
def an_object_that_takes_items():
    class Store:
        def __init__(self):
            self.kept = {}

        def __setitem__(self, key, value):
            self.kept[key] = value

    store = Store()

    def fn(x):
        try:
            store[len(store.kept)] = 1
        except TypeError:
            return x - 1
        return x + 1

    return Acts(fn, lambda: len(store.kept))


# ---- changing arrays outside -----------------------------------------------------------------


@case("changes an array that is not its own")
def an_array_that_is_added_to():
    total = np.zeros(5, np.float32)

    def fn(x):
        total[...] += x
        return total.copy()

    return Acts(fn, total.copy)


@case("changes an array that is not its own")
def an_array_changed_through_a_view():
    table = np.zeros((2, 5), np.float32)

    def fn(x):
        row = table[0]
        row += 1
        return x + table[0]

    return Acts(fn, table.copy)


@case("changes an array that is not its own")
def an_array_that_is_sorted():
    table = np.array([3.0, 1.0, 2.0, 0.0, 4.0])

    def fn(x):
        table.sort()
        return x + table

    return Acts(fn, table.copy)


@case("write into an array that is not recorded")
def an_array_given_as_out_by_position():
    table = np.linspace(-1, 2, 5)

    def fn(x):
        np.clip(table, 0, 1, table)
        return x + table

    return Acts(fn, table.copy)


@case("write into an array that is not recorded")
def an_array_without_nan_in_place():
    table = np.array([np.nan, 1, 2, 3, 4])

    def fn(x):
        np.nan_to_num(table, copy=False)
        return x + table

    return Acts(fn, table.copy)


@case("write into an array that is not recorded")
def a_median_that_overwrites_its_input():
    table = np.array([3.0, 1.0, 2.0, 0.0, 4.0])

    def fn(x):
        return x + np.median(table, overwrite_input=True)

    return Acts(fn, table.copy)


@case("uses np.add.at")
def an_array_added_to_at_places():
    table = np.zeros(5)

    def fn(x):
        np.add.at(table, [0, 0], 1.0)
        return x + table

    return Acts(fn, table.copy)


@case("sets an attribute")
def an_array_whose_shape_is_set():
    table = np.zeros((5, 1), np.float32)

    def fn(x):
        table.shape = (5,)
        return x + table

    return Acts(fn, lambda: table.shape)


# ---- asking the world ----------------------------------------------------------------------------


@case("calls print()")
def printing():
    text = io.StringIO()

    def fn(x):
        print("called", file=text)
        return x + 1

    return Acts(fn, text.getvalue)


@case("calls print()")
def printing_behind_a_bare_except():
    def fn(x):
        try:
            print(end="")  # noqa: T201
        except:  # noqa: E722
            return x - 1
        return x + 1

    return Acts(fn)


@case("plain")
def logging_to_a_handler():
    records = []

    class Handler(logging.Handler):
        def emit(self, record):
            records.append(record)

    logger = logging.Logger("adversary")
    logger.addHandler(Handler())

    def fn(x):
        logger.warning("called")
        return x + 1

    return Acts(fn, lambda: len(records))


@case("calls _warnings.warn()")
def warning():
    def fn(x):
        warnings.warn("called", stacklevel=1)
        return x + 1

    return Acts(fn)


@case("uses .write of a StringIO")
def writing_to_a_file():
    file = io.StringIO()

    def fn(x):
        file.write(".")
        return x + 1

    return Acts(fn, file.getvalue)


@case("uses .random of a Random")
def random_numbers_of_python():
    draws = random.Random(3)
    return Acts(lambda x: x + draws.random(), draws.random)


@case("plain")
def random_numbers_of_numpy():
    draws = np.random.default_rng(3)
    return Acts(lambda x: x + draws.random(), draws.random)


@case("calls time.time()")
def the_time():
    return Acts(lambda x: x + (time.time() > 0))


@case("plain")
def an_identifier():
    return Acts(lambda x: x + len(uuid.uuid4().hex))


@case("calls id()")
def where_an_array_is():
    return Acts(lambda x: x + (id(x) > 0))


@case("calls hash()")
def a_hash():
    return Acts(lambda x: x + (hash("text") == hash("text")))


@case("calls sys._getframe()")
def its_own_frame():
    return Acts(lambda x: x + (sys._getframe(0).f_code.co_argcount))


@case("calls locals()")
def its_own_variables():
    def fn(x):
        y = x + 1
        return locals()["y"]

    return Acts(fn)


@case("uses a count")
def an_iterator():
    numbers = itertools.count()
    return Acts(lambda x: x + next(numbers), lambda: next(numbers))


@case("uses a generator")
def a_generator():
    numbers = (number * 2 for number in itertools.count())
    return Acts(lambda x: x + next(numbers), lambda: next(numbers))


@case("uses a _lru_cache_wrapper")
def a_function_that_remembers():
    calls = []

    @functools.lru_cache
    def slow(k):
        calls.append(k)
        return float(k)

    return Acts(lambda x: x + slow(3), lambda: len(calls))


@case("uses .k of a Thing")
def a_property_that_is_kept():
    calls = []

    class Thing:
        @functools.cached_property
        def k(self):
            calls.append(1)
            return 2.0

    thing = Thing()
    return Acts(lambda x: x + thing.k, lambda: len(calls))


@case("changes a list outside itself")
def a_property_with_an_effect():
    calls = []

    class Thing:
        @property
        def k(self):
            calls.append(1)
            return 2.0

    thing = Thing()
    return Acts(lambda x: x + thing.k, lambda: len(calls))


@case("uses .k of a Thing")
def a_descriptor_with_an_effect():
    calls = []

    class Descriptor:
        def __get__(self, instance, owner):
            calls.append(1)
            return 2.0

    class Thing:
        k = Descriptor()

    thing = Thing()
    return Acts(lambda x: x + thing.k, lambda: len(calls))


@case("uses .k of a Thing")
def an_object_that_makes_up_attributes():
    calls = []

    class Thing:
        def __getattr__(self, name):
            calls.append(name)
            return 2.0

    thing = Thing()
    return Acts(lambda x: x + getattr(thing, "k", 1.0), lambda: len(calls))


@case("uses a Thing")
def an_object_that_watches_its_attributes():
    calls = []

    class Thing:
        k = 2.0

        def __getattribute__(self, name):
            calls.append(name)
            return object.__getattribute__(self, name)

    thing = Thing()
    return Acts(lambda x: x + thing.k, lambda: len(calls))


@case("uses a class of type Watching")
def a_class_that_watches_its_attributes():
    calls = []

    class Watching(type):
        def __getattribute__(cls, name):
            calls.append(name)
            return type.__getattribute__(cls, name)

    class Thing(metaclass=Watching):
        k = 2.0

    return Acts(lambda x: x + Thing.k, lambda: len(calls))


@case("which is made when it is asked for")
def a_module_that_makes_up_attributes():
    calls = []
    module = types.ModuleType("made_up")
    module.__getattr__ = lambda name: calls.append(name) or 2.0
    return Acts(lambda x: x + module.k, lambda: len(calls))


# ---- code of the user's in classes that hold values --------------------------------------------


@case("uses the class")
def a_namedtuple_with_a_method():
    calls = []

    class Stats(collections.namedtuple("Stats", "mean std")):
        def norm(self, x):
            calls.append(1)
            return x - self.mean

    stats = Stats(1.0, 2.0)
    return Acts(lambda x: stats.norm(x), lambda: len(calls))


@case("uses the class")
def an_enum_with_a_method():
    calls = []

    class Mode(enum.Enum):
        ADD = 1

        def apply(self, x):
            calls.append(1)
            return x + self.value

    return Acts(lambda x: Mode.ADD.apply(x), lambda: len(calls))


@case("uses the class")
def an_enum_of_lists():
    modes = enum.Enum("modes", {"SEEN": [0]})

    def fn(x):
        modes.SEEN.value.append(1)
        return x + len(modes.SEEN.value)

    return Acts(fn, lambda: len(modes.SEEN.value))


@case("uses the class")
def a_dataclass_that_calls_a_factory():
    calls = []

    @dataclasses.dataclass
    class Pair:
        a: Any
        b: Any = dataclasses.field(default_factory=lambda: calls.append(1) or 0)

    return Acts(lambda x: Pair(x + 1).a, lambda: len(calls))


@case("uses the class")
def an_exception_with_an_effect():
    calls = []

    class Stop(Exception):  # noqa: N818
        def __init__(self):
            calls.append(1)

    def fn(x):
        try:
            raise Stop
        except Stop:
            return x + 1

    return Acts(fn, lambda: len(calls))


@case("uses a Number")
def a_number_with_an_effect():
    calls = []

    class Number(int):
        def __add__(self, other):
            calls.append(1)
            return other + int(self)

    number = Number(3)
    return Acts(lambda x: number + x, lambda: len(calls))


@case("uses the class")
def elements_with_a_method():
    calls = []

    class Pair(collections.namedtuple("Pair", "a b")):
        def total(self):
            calls.append(1)
            return self.a + self.b

    return Acts(
        lambda x: x.total() if isinstance(x, tuple) else Pair(x, x).total(), lambda: len(calls)
    )


# ---- what is behind the arrays --------------------------------------------------------------


@case("vectorised")
def asking_for_the_type_of_an_array():
    return Acts(lambda x: x + 1 if type(x) is np.ndarray and isinstance(x, np.ndarray) else x)


@case("vectorised", numbers)
def asking_for_the_type_of_a_number():
    return Acts(lambda x: x + 1 if type(x) is np.int64 and np.isscalar(x) else x - 1)


@case("vectorised", numbers)
def asking_for_the_type_of_an_array_without_axes():
    return Acts(lambda x: x + 1 if isinstance(np.asarray(x), np.ndarray) else x - 1)


@case("asks whether .type is a certain type")
def asking_for_the_type_of_a_dtype():
    return Acts(lambda x: x + 1 if x.dtype.type is np.float32 else x - 1)


@case("uses __class__")
def asking_for_the_class():
    return Acts(lambda x: x + 1 if x.__class__ is np.ndarray else x - 1)


@case("uses the class attrgetter")
def asking_for_the_class_by_an_attrgetter():
    return Acts(lambda x: x + 1 if operator.attrgetter("__class__")(x) is np.ndarray else x - 1)


@case("uses __array_interface__")
def asking_for_an_interface():
    return Acts(lambda x: x + 1 if hasattr(x, "__array_interface__") else x - 1)


@case("uses read")
def asking_whether_an_array_is_a_file():
    return Acts(lambda x: x - 1 if hasattr(x, "read") else x + 1)


@case("matches a class")
def matching_a_class():
    def fn(x):
        match x:
            case np.ndarray():
                return x + 1
            case _:
                return x - 1

    return Acts(fn)


@case("vectorised")
def comparing_functions_of_numpy():
    reduce = np.sum
    return Acts(lambda x: x.sum() if reduce is np.sum else x.max())


@case("uses .flags of an array")
def asking_whether_an_array_can_be_changed():
    return Acts(lambda x: x + 1 if x.flags.writeable else x)


@case("makes text of a value")
def formatting_an_array():
    return Acts(lambda x: f"{x}")


@case("looks a value up by its hash", numbers)
def looking_a_number_up():
    names = {3: 30}
    return Acts(lambda x: names.get(x, 0))


@case("branches on a value", numbers)
def looking_a_number_up_in_a_list():
    return Acts(lambda x: x in [1, 2, 3])


@case("branches on a value", numbers)
def a_structure_that_depends_on_a_value():
    def fn(x):
        if x > 12:
            raise ValueError(f"{x} is too much")
        return (x, x) if x < 100 else x

    return Acts(fn)


@case("uses a Sure")
def an_object_that_compares_in_its_own_way():
    class Sure:
        def __lt__(self, other):
            return True

    sure = Sure()

    def fn(x):
        try:
            return x + 1 if sure < 3 else x - 1
        except TypeError:
            return x * 100

    return Acts(fn)


@case("vectorised")
def an_object_that_is_false():
    class Empty:
        def __bool__(self):
            return False

        def __len__(self):
            return 3

    empty = Empty()
    return Acts(lambda x: x + 1 if empty else x - 1)


# ---- things that change meanwhile ------------------------------------------------------------


@case("reads something that keeps changing")
def a_variable_that_is_set_meanwhile():
    k = 0.0

    def fn(x):
        return x + k

    def meanwhile(number):
        nonlocal k
        k = float(number // 5)

    return Acts(fn, meanwhile=meanwhile)


@case("reads something that keeps changing")
def a_zero_that_changes_its_sign():
    thing = types.SimpleNamespace(zero=0.0)

    def meanwhile(number):
        thing.zero = -0.0 if number % 6 > 2 else 0.0

    return Acts(lambda x: np.copysign(x, thing.zero), meanwhile=meanwhile)


@case("vectorised")
def an_array_that_is_changed_meanwhile():
    table = np.ones(5, np.float32)

    def meanwhile(number):
        table[0] = number

    return Acts(lambda x: x + table, meanwhile=meanwhile)


@case("reads something that keeps changing")
def a_sum_of_an_array_that_is_changed_meanwhile():
    table = np.ones(5, np.float32)

    def meanwhile(number):
        table[0] = number

    return Acts(lambda x: x + table.sum(), meanwhile=meanwhile)


@case("reads something that keeps changing")
def a_read_only_array_changed_through_a_view():
    table = np.ones(5, np.float32)
    view = table[:]
    table.flags.writeable = False

    def meanwhile(number):
        view[0] = number

    return Acts(lambda x: x + table.sum(), meanwhile=meanwhile)


@case("reads something that keeps changing")
def an_array_that_is_returned_and_changed():
    table = np.ones(5, np.float32)

    def meanwhile(number):
        table[0] = number

    return Acts(lambda x: (x, table), meanwhile=meanwhile)


@case("vectorised")
def an_array_whose_shape_is_set_meanwhile():
    table = np.ones((5, 1), np.float32)

    def meanwhile(number):
        table.shape = (5,) if 8 < number < 16 else (5, 1)

    return Acts(lambda x: x + table, meanwhile=meanwhile)


@case("reads something that keeps changing")
def an_attribute_deep_inside():
    config = {"a": types.SimpleNamespace(b=[1.0, (2.0, [3.0])])}

    def meanwhile(number):
        config["a"].b[1][1][0] = float(number)

    return Acts(lambda x: x + config["a"].b[1][1][0], meanwhile=meanwhile)


@case("vectorised")
def an_attribute_that_appears():
    thing = types.SimpleNamespace()

    def meanwhile(number):
        thing.on = True

    return Acts(lambda x: x * 2 if hasattr(thing, "on") else x + 1, meanwhile=meanwhile)


@case("reads something that keeps changing")
def attributes_that_are_replaced():
    class Thing:
        k = 0.0

    thing = Thing()

    def meanwhile(number):
        thing.__dict__ = {"k": float(number)}

    return Acts(lambda x: x + thing.k, meanwhile=meanwhile)


@case("vectorised")
def a_method_that_is_replaced():
    class Thing:
        @staticmethod
        def fn(x):
            return x + 1

        def __call__(self, x):
            return self.fn(x)

    def meanwhile(number):
        if number == 12:
            Thing.fn = staticmethod(lambda x: x * 3)

    return Acts(Thing(), meanwhile=meanwhile)


@case("vectorised")
def an_object_that_changes_its_class():
    class Adds:
        def fn(self, x):
            return x + 1

    class Doubles:
        def fn(self, x):
            return x * 2

    thing = Adds()

    def meanwhile(number):
        thing.__class__ = Adds if number < 12 else Doubles

    return Acts(lambda x: thing.fn(x), meanwhile=meanwhile)


@case("vectorised")
def code_that_is_replaced():
    def helper(x):
        return x + 1

    def other(x):
        return x * 2

    def meanwhile(number):
        if number == 12:
            helper.__code__ = other.__code__

    return Acts(lambda x: helper(x), meanwhile=meanwhile)


@case("vectorised")
def a_default_that_is_replaced():
    def fn(x, k=1.0):
        return x + k

    def meanwhile(number):
        fn.__defaults__ = (1.0,) if number < 12 else (2.0,)

    return Acts(fn, meanwhile=meanwhile)


@case("reads something that keeps changing")
def a_partial_that_is_changed():
    fn = functools.partial(lambda x, k: x * k, k=1.0)

    def meanwhile(number):
        fn.keywords["k"] = float(number)

    return Acts(fn, meanwhile=meanwhile)


@case("reads something that keeps changing")
def a_constant_of_a_class_that_is_set():
    class Config:
        k = 1.0

    def meanwhile(number):
        Config.k = float(number)

    return Acts(lambda x: x + Config.k, meanwhile=meanwhile)


@case("reads something that keeps changing")
def the_environment():
    os.environ["FEEDLINE_TEST_K"] = "1"

    def meanwhile(number):
        os.environ["FEEDLINE_TEST_K"] = str(number)

    return Acts(lambda x: x + float(os.environ["FEEDLINE_TEST_K"]), meanwhile=meanwhile)


@case("uses abs, which was replaced")
def a_builtin_that_is_replaced():
    original = builtins.abs

    def meanwhile(number):
        builtins.abs = (lambda x: x * 1000) if 5 < number < 15 else original

    return Acts(lambda x: abs(x), meanwhile=meanwhile)


@case("vectorised")
def a_builtin_that_is_shadowed():
    names = {}
    exec("def fn(x): return x + max(1, 2)", names)

    def meanwhile(number):
        if number == 12:
            names["max"] = lambda *args: 99

    return Acts(names["fn"], meanwhile=meanwhile)


@case("reads something that keeps changing")
def a_function_of_numpy_that_is_replaced():
    original = np.clip

    def meanwhile(number):
        np.clip = (lambda x, *bounds: x * 100) if 5 < number < 15 else original

    return Acts(lambda x: np.clip(x, 0, 1), meanwhile=meanwhile)


# ---- numbers -----------------------------------------------------------------------------------


@case("vectorised", numbers)
def a_number_that_has_two_names():
    def fn(x):
        y = x
        y += 1
        return x, y

    return Acts(fn)


@case("vectorised", numbers)
def an_array_without_axes_that_has_two_names():
    def fn(x):
        a = np.asarray(x)
        b = a
        b += 1
        return x, a, b

    return Acts(fn)


@case("raises or warns too often", small_bytes)
def bytes_that_wrap_around():
    return Acts(lambda x: x + np.uint8(200))


@case("raises or warns too often", small_bytes)
def bytes_below_zero():
    return Acts(lambda x: -x)


@case("raises or warns too often", numbers)
def numbers_that_wrap_around():
    return Acts(lambda x: (x + 2) * 6364136223846793005)


@case("vectorised", lambda: Dataset.from_tensor_slices(BYTES))
def arrays_of_bytes_that_wrap_around():
    return Acts(lambda x: x + np.uint8(200))


@case("vectorised", numbers)
def division_by_zero_of_one_number():
    return Acts(lambda x: 100 // (x - 5))


@case("raises or warns too often")
def logarithms_of_negative_numbers():
    return Acts(lambda x: np.log(x))


@case("makes NumPy warn")
def a_constant_divided_by_zero():
    return Acts(lambda x: x + np.float32(1) / np.float32(0))


@case("makes NumPy warn")
def a_mean_of_nothing():
    return Acts(lambda x: x + x[:0].mean())


@case("raises or warns too often")
def casts_of_what_does_not_fit():
    return Acts(lambda x: (x * 1e20).astype(np.uint32))


@case("vectorised", numbers)
def an_index_that_is_out_of_range():
    table = np.arange(20)
    return Acts(lambda x: table[x])


@case("vectorised", numbers)
def an_index_error_that_is_caught():
    table = np.arange(20)

    def fn(x):
        try:
            return table[x]
        except IndexError:
            return np.int64(-1)

    return Acts(fn)


@case("vectorised", lambda: Dataset.from_tensor_slices(GRIDS[:, :3] @ GRIDS[:, :3].mT + np.eye(3)))
def a_made_up_element_that_fails_behind_a_bare_except():
    def fn(x):
        try:
            return np.linalg.cholesky(x)
        except:  # noqa: E722
            return x * 0

    return Acts(fn)


@case("vectorised", grids)
def sums_in_every_order():
    return Acts(lambda x: (x.sum(), x.T.sum(axis=0), (x.T * 2).mean(), x[::-1, ::2].sum(axis=-1)))


@case("vectorised", lambda: Dataset.from_tensor_slices(np.asfortranarray(GRIDS)))
def sums_of_elements_in_another_order():
    return Acts(lambda x: (x.sum(), x.mean(axis=0), np.ascontiguousarray(x.T).sum(axis=0)))


@case("vectorised")
def powers_of_zero_and_nan():
    return Acts(lambda x: (np.maximum(x, 0) ** 2, np.where(x > 0, np.nan, -0.0), x * -0.0))


@case("vectorised", lambda: Dataset.from_tensor_slices(np.zeros((COUNT, 0), np.float32)))
def elements_of_nothing():
    return Acts(lambda x: (x * 2, x.sum(), x[None]))


@case("vectorised", lambda: Dataset.from_tensor_slices(np.arange(COUNT).astype("M8[D]")))
def dates():
    return Acts(lambda x: (x + np.timedelta64(1, "D"), x - np.datetime64("1970-01-01")))


@case("vectorised", ragged)
def arrays_of_different_lengths():
    return Acts(lambda x: (x * 2 + 1, x))


# ---- what is returned --------------------------------------------------------------------------


@case("vectorised")
def an_array_and_views_of_it():
    return Acts(lambda x: (x, x[1:], x[::-1], x))


@case("changes an array in place of which there are views")
def writing_into_a_view():
    def fn(x):
        view = x[:2]
        view += 1
        return x

    return Acts(fn)


@case("vectorised")
def constants():
    table = np.arange(3)
    return Acts(lambda x: (x, table, 1, 2.5, True, "text", b"bytes", None, 2**63, 1j, -0.0))


@case("vectorised")
def lists_of_lists():
    return Acts(lambda x: {"a": [[x[0], 1], [2, x[1]]]})


@case("plain")
def lists_that_are_not_rectangular():
    return Acts(lambda x: {"a": [[1, 2], [3]]})


@case("selects by a mask", numbers)
def a_shape_that_depends_on_a_value():
    return Acts(lambda x: np.arange(24)[np.arange(24) > x])


@case("vectorised", dicts)
def a_dict_that_is_changed():
    def fn(e):
        e["d"] = e["a"] * 2
        e.pop("b")
        return e

    return Acts(fn)


@case("vectorised", lambda: Dataset.from_tensor_slices((FLOATS, TEXTS)))
def a_text_that_is_handed_on():
    return Acts(lambda x, text: (x * 2, text, text))


@case("gets a leaf that is None", lambda: numbers().map(lambda x: (x, None if x % 3 else b"x")))
def a_leaf_that_is_sometimes_none():
    return Acts(lambda x, y: x + 1 if y is None else x - 1)


# ---- the two promises ----------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _put_back():
    kept = builtins.abs, np.clip
    yield
    builtins.abs, np.clip = kept
    vars(math).pop("calls", None)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_function_does_what_it_does_in_a_plain_loop(case):
    has_company = case.make().meanwhile is not None
    for block_size in [1] if has_company else [5, COUNT]:
        expected, _ = run(case, block_size, vectorize=False)
        found, _ = run(case, block_size, vectorize=None)

        for ours, theirs in zip(found, expected, strict=True):
            assert_identical(ours.elements, theirs.elements)
            assert_identical(ours.state, theirs.state)
            assert ours.warned == theirs.warned


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_is_said_how_a_function_runs(case):
    has_company = case.make().meanwhile is not None
    _, dataset = run(case, 1 if has_company else 5, vectorize=None)

    assert (how_it_runs(dataset) == "vectorised") == (case.how == "vectorised")
    assert case.how == "plain" or case.how in how_it_runs(dataset)


def test_there_are_many_adversaries():
    assert len(CASES) >= 60
