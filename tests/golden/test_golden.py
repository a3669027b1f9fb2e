"""Every case gives with Feedline what tf.data gave: see README.md beside this file.

The expected results were recorded by record.py; nothing here needs TensorFlow.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import feedline
from feedline.errors import FeedlineError
from tests.golden.case import Case, all_cases
from tests.golden.encoding import encode, spec_text

pytestmark = pytest.mark.usefixtures("vectorising")

EXPECTED = {
    path.stem: json.loads(path.read_text())["cases"]
    for path in sorted((Path(__file__).parent / "expected").glob("*.json"))
}
CASES = [case for case in all_cases() if case.name in EXPECTED.get(case.group, {})]


def expected(case: Case) -> dict[str, Any]:
    return EXPECTED[case.group][case.name]


def having(*keys: str, error: bool = False) -> Any:
    """Parametrize over the cases whose recording has these keys."""
    chosen = [
        case
        for case in CASES
        if all(key in expected(case) for key in keys) and ("error" in expected(case)) is error
    ]
    return pytest.mark.parametrize("case", chosen, ids=str)


# ---- the deliberate differences, and no others -----------------------------


def same_text(value: Any) -> Any:
    """str stays str in Feedline where TensorFlow has its UTF-8 bytes."""
    if isinstance(value, list):
        return [same_text(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "str" in value:
        return {"string": _as_bytes(value["str"])}
    return {key: same_text(item) for key, item in value.items()}


def _as_bytes(text: Any) -> Any:
    if isinstance(text, list):
        return [_as_bytes(item) for item in text]
    return text.encode().decode("latin-1")


def same_numbers(case: Case, encoded: Any) -> Any:
    """Python numbers that a function returns are int64 and float64, not int32 and float32.

    Only in cases marked ``numpy_results``; everywhere else dtypes must agree.
    """
    if not case.mark("numpy_results"):
        return encoded
    return json.loads(re.sub(r"\b(int|float)(32|64)\b", r"\1", json.dumps(encoded)))


def assert_equal(case: Case, found: Any, wanted: Any) -> None:
    assert same_numbers(case, same_text(found)) == same_numbers(case, same_text(wanted))


def assert_spec(case: Case, found: str, wanted: str) -> None:
    found, wanted = same_numbers(case, found), same_numbers(case, wanted)
    if not case.mark("spec_of_results"):
        assert found == wanted
        return
    # Shapes read off results may be narrower: a number where tf.data has "?", any shape
    # where it has "...".
    pattern = re.escape(wanted).replace(r"\?", r"(\?|\d+)").replace(r"\.\.\.", r"[^\]]*")
    assert re.fullmatch(pattern, found), f"{found} is not {wanted}, or narrower"


# The builtin that a user would catch, for each class that TensorFlow raised.
CAUGHT_AS: dict[str, tuple[type[Exception], ...]] = {
    "AttributeError": (TypeError,),  # by accident, from deep inside TensorFlow
    "DataLossError": (ValueError,),
    "FailedPreconditionError": (ValueError,),
    "InternalError": (ValueError,),
    "InvalidArgumentError": (ValueError,),
    "NotFoundError": (FileNotFoundError,),
    "OutOfRangeError": (EOFError,),
    "TypeError": (TypeError,),
    "ValueError": (ValueError,),
}


# Those that are not TensorFlow's own accidents, such as InternalError.
SAME_KIND = {"DataLossError", "InvalidArgumentError", "NotFoundError", "OutOfRangeError"}


def assert_error(case: Case, error: Exception) -> None:
    own = case.mark("raises")
    if own is not None:
        assert isinstance(error, own)
        return
    assert isinstance(error, FeedlineError), f"{type(error).__name__}: {error}"
    kind = expected(case)["error"]["type"]
    assert isinstance(error, CAUGHT_AS[kind])
    if kind in SAME_KIND:
        assert isinstance(error, getattr(feedline.errors, kind))


def _raises(case: Case) -> bool:
    try:
        list(case.run(feedline))
    except FeedlineError:
        return True
    return False


# ---- the tests -------------------------------------------------------------


@having("elements")
def test_elements_are_those_of_tf_data(case: Case) -> None:
    found = [encode(element) for element in case.run(feedline)]

    assert_equal(case, found, expected(case)["elements"])


@having("elements")
def test_cardinality_is_that_of_tf_data(case: Case) -> None:
    assert int(case.run(feedline).cardinality()) == expected(case)["cardinality"]


@having("elements")
def test_element_spec_is_that_of_tf_data(case: Case) -> None:
    assert_spec(case, spec_text(case.run(feedline).element_spec), expected(case)["spec"])


@having("value")
def test_value_is_that_of_tf_data(case: Case) -> None:
    assert_equal(case, encode(case.run(feedline)), expected(case)["value"])


@having(error=True)
def test_error_is_raised_where_tf_data_raises_one(case: Case) -> None:
    """At the same element or earlier, and as a builtin that the user would catch."""
    if case.mark("may_accept") and not _raises(case):
        return
    found: list[Any] = []
    dataset = None
    with pytest.raises(Exception) as caught:  # noqa: PT011, PT012 - what matters is checked below
        dataset = case.run(feedline)
        found.extend(encode(element) for element in dataset)

    assert_error(case, caught.value)
    late = dataset is not None and expected(case)["error"]["when"] == "build"
    assert not late or case.mark("found_when_run"), "raised at iteration, not when it was built"
    if dataset is not None:
        assert_equal(case, found, expected(case).get("elements", []))


def test_every_case_is_recorded_and_nothing_else() -> None:
    recorded = {f"{group}/{name}" for group, entries in EXPECTED.items() for name in entries}

    assert recorded == set(map(str, all_cases()))
