"""golden_cases: the cases written once against ``tf``, and the marks they may carry.

A case is a function ``case_x(tf)`` in ``cases/<group>.py``. It returns a dataset, or values
computed with one (numbers, arrays, lists of them). TensorFlow and Feedline run the same code.
"""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = [
    "Case",
    "all_cases",
    "each",
    "errors_are",
    "numpy_results",
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

    TensorFlow makes them int32 and float32; Feedline follows NumPy (DESIGN.md 2).
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


def errors_are(kind: type[Exception]) -> Callable[[Any], Any]:
    """Say what a user's function or generator raises: with Feedline it keeps its type.

    TensorFlow wraps such an exception in a class of its own.
    """

    def mark(fn: Any) -> Any:
        fn.golden_errors_are = kind
        return fn

    return mark


def all_cases() -> list[Case]:
    """Return every case of every group, in the order in which they are written."""
    cases = []
    for path in sorted((HERE / "cases").glob("*.py")):
        cases.extend(_cases_in(path))
    return cases


def _cases_in(path: Path) -> Iterator[Case]:
    spec = importlib.util.spec_from_file_location(f"golden_cases_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
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
