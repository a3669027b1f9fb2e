"""Which variables outside itself code reads and writes."""

import gc
import json

import pytest

from feedline.binding.mentioned import _KNOWN, mentioned


def said(source):
    """Return what the function ``fn`` in a piece of code mentions."""
    names = {}
    exec(compile(source, "user.py", "exec"), names)
    return mentioned(names["fn"].__code__)


def test_attributes_are_no_global_names():
    assert said("def fn(x): return x.shape + offset.value").names == ("offset",)


def test_names_of_functions_inside_count():
    source = "def fn(x):\n def inner(y): return deep(y)\n return [outer(inner(v)) for v in x]"

    assert set(said(source).names) == {"outer", "deep"}


def test_global_names_that_are_set_are_known():
    found = said("def fn():\n def inner():\n  global count\n  count = 1\n return inner")

    assert found.stored == {"count"}
    assert not found.is_simple


def test_variables_of_functions_around_that_are_set_are_known():
    source = "def make():\n n = m = 0\n def g():\n  nonlocal n\n  n = m\n return g\nfn = make()"

    assert said(source).written == {"n"}


def test_a_variable_set_two_functions_further_in_is_known():
    source = (
        "def make():\n n = 0\n def g():\n  def h():\n   nonlocal n\n   n = 1\n  return h\n"
        " return g\n"
        "fn = make()"
    )

    assert said(source).written == {"n"}


def test_an_own_variable_that_a_function_inside_sets_is_not_outside():
    source = "def fn():\n n = 0\n def h():\n  nonlocal n\n  n += 1\n return h, n"

    assert said(source).written == set()


@pytest.mark.parametrize(
    "body", ["globals()['k']", "eval('k')", "exec('k')", "fn.__globals__", "builtins.eval('k')"]
)
def test_code_that_may_read_any_name_is_known(body):
    assert said(f"def fn(x): return {body}").looks_around


@pytest.mark.parametrize("body", ["model.eval(x)", "frame.eval('a')", "x.globals"])
def test_methods_of_the_same_names_are_not_meant(body):
    assert not said(f"def fn(x): return {body}").looks_around


@pytest.mark.parametrize("body", ["helper is x", "x == helper", "helper in x", "x[helper]"])
def test_names_that_are_compared_are_known(body):
    assert said(f"def fn(x): return {body}").as_they_are == {"helper"}


def test_what_goes_to_other_processes_by_name_is_known():
    found = said("def fn(x): return list(Pool(2).imap(work, clean(x)))")

    assert "work" in found.as_they_are
    assert "clean" not in found.as_they_are


def test_whose_code_it_is():
    assert said("def fn(): pass").origin == "user"
    assert mentioned(json.dumps.__code__).origin == "python"
    assert mentioned(pytest.approx.__code__).origin == "package"
    assert mentioned(mentioned.__code__).origin == "ours"


def test_what_is_known_of_code_goes_with_it():
    before = len(_KNOWN)
    said("def fn(x): return x + offset")
    gc.collect()

    assert len(_KNOWN) <= before
