"""pipeline: finds the pipelines, and the marks that they and their results may carry."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Drawn", "Pipeline", "all_pipelines", "drawn", "missing"]

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Pipeline:
    """One function ``pipeline_x`` of a module in ``pipelines/``."""

    module: str
    name: str
    run: Callable[[], Any] = field(repr=False)

    @property
    def missing(self) -> str | None:
        """What Feedline lacks for it, None where it runs."""
        return getattr(self.run, "missing_in_feedline", None)

    def __str__(self) -> str:
        return f"{self.module}/{self.name}"


@dataclass(frozen=True)
class Drawn:
    """What was drawn without a seed: only its form and its range are the same everywhere."""

    value: Any
    low: float
    high: float


def drawn(value: Any, low: float = 0.0, high: float = 1.0) -> Drawn:
    """Compare structure, dtypes and shapes of a value, and that its numbers are in a range."""
    return Drawn(value, low, high)


def missing(what: str) -> Callable[[Any], Any]:
    """Say what Feedline lacks to run a pipeline."""

    def mark(fn: Any) -> Any:
        fn.missing_in_feedline = what
        return fn

    return mark


def all_pipelines() -> list[Pipeline]:
    """Return every pipeline of every module: only after ``library.choose``."""
    found = []
    for path in sorted((HERE / "pipelines").glob("[!_]*.py")):
        module = importlib.import_module(f"tests.realworld.pipelines.{path.stem}")
        found += [
            Pipeline(path.stem, name.removeprefix("pipeline_"), fn)
            for name, fn in vars(module).items()
            if name.startswith("pipeline_")
        ]
    return found
