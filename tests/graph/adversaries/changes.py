"""Adversaries around which things change meanwhile."""

import builtins
import functools
import os
import types

import numpy as np

from tests.graph.adversaries.case import Acts, case


# The function keeps the variable that it had when it was given to map().
@case("vectorised")
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
