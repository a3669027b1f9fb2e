"""Adversaries that ask the world."""

import functools
import io
import itertools
import logging
import random
import sys
import time
import types
import uuid
import warnings

import numpy as np

from tests.graph.adversaries.case import Acts, case


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
