"""Adversaries that count, remember and change things outside."""

import dataclasses
import math
import types
import typing

from tests.graph.adversaries.case import Acts, case


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
