"""case: the cases written once against ``tf``, and the marks they may carry.

A case is a function ``case_x(tf)`` in ``cases/<group>.py``. It returns a dataset, or values
computed with one (numbers, arrays, lists of them). TensorFlow and Feedline run the same code.
"""

from __future__ import annotations

import importlib.util
import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = [
    "Case",
    "all_cases",
    "each",
    "found_when_run",
    "may_accept",
    "numpy_results",
    "raises",
    "spec_of_results",
]

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One call of a case function."""

    group: str
    name: str
    fn: Callable[..., Any] = field(repr=False)
    arguments: dict[str, Any] = field(default_factory=dict, repr=False)

    def run(self, tf: Any) -> Any:
        """Return what the case gives with ``tf``: TensorFlow, or Feedline."""
        return self.fn(tf, **self.arguments)

    def mark(self, name: str) -> Any:
        """Return the value of a mark, None if the case does not carry it."""
        return getattr(self.fn, f"golden_{name}", None)

    def __str__(self) -> str:
        return f"{self.group}/{self.name}"


def each(**choices: Any) -> Callable[[Any], Any]:
    """Make one case of every combination of the arguments given as lists."""

    def mark(fn: Any) -> Any:
        fn.golden_each = choices
        return fn

    return mark


def numpy_results(fn: Any) -> Any:
    """Do not compare dtypes: a function in the case returns Python numbers.

    TensorFlow makes them int32 and float32; Feedline follows NumPy.
    """
    fn.golden_numpy_results = True
    return fn


def spec_of_results(fn: Any) -> Any:
    """Let Feedline's element_spec be narrower where tf.data's has a None.

    For cases where the shape comes out of a user's function: tf.data knows what it can
    infer from the graph, Feedline reads it off results.
    """
    fn.golden_spec_of_results = True
    return fn


def raises(kind: type[Exception]) -> Callable[[Any], Any]:
    """Say what Feedline lets through where TensorFlow raises something of its own.

    It is what the user's function, NumPy or Python itself raised: Feedline does not wrap it.
    """

    def mark(fn: Any) -> Any:
        fn.golden_raises = kind
        return fn

    return mark


def may_accept(fn: Any) -> Any:
    """Let Feedline run what tf.data refuses for a reason that only tf.data has."""
    fn.golden_may_accept = True
    return fn


def found_when_run(fn: Any) -> Any:
    """Let Feedline raise at iteration where tf.data does when the dataset is built.

    For mistakes inside a user's function, or in what it returns: tf.data traces the
    function at once, Feedline calls it when elements are asked for.
    """
    fn.golden_found_when_run = True
    return fn


def all_cases() -> list[Case]:
    """Return every case of every group, in the order in which they are written."""
    cases = []
    for path in sorted((HERE / "cases").glob("*.py")):
        cases.extend(_cases_in(path))
    return cases


def _cases_in(path: Path) -> Iterator[Case]:
    spec = importlib.util.spec_from_file_location(f"tests.golden.cases.{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # autograph looks the source up there
    spec.loader.exec_module(module)
    for name, fn in vars(module).items():
        if name.startswith("case_"):
            yield from _calls_of(path.stem, name.removeprefix("case_"), fn)


def _calls_of(group: str, name: str, fn: Any) -> Iterator[Case]:
    choices = getattr(fn, "golden_each", {})
    for values in itertools.product(*choices.values()):
        arguments = dict(zip(choices, values, strict=True))
        shown = ",".join(f"{key}={value}".replace(" ", "") for key, value in arguments.items())
        yield Case(group, f"{name}[{shown}]" if shown else name, fn, arguments)
