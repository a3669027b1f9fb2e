"""Every operator in other processes: the first of its cases, and a resume across executors.

Threads are part of the checks that every case passes; processes take too long for that.
"""

import importlib
from pathlib import Path

import pytest

from feedline.dataset import Dataset
from feedline.testing import check_processes

FOLDER = Path(__file__).parent / "ops"


def first_cases():
    """Yield the first dataset among the cases of each module that has some."""
    for path in sorted(FOLDER.glob("test_*.py")):
        module = importlib.import_module(f"tests.ops.{path.stem}")
        cases = getattr(module, "CASES", ())
        values = list(cases.values()) if isinstance(cases, dict) else list(cases)
        datasets = [value for value in values if isinstance(value, Dataset)]
        if datasets:
            yield pytest.param(datasets[0], id=path.stem)


@pytest.mark.filterwarnings("ignore:.*cannot be entered in the middle:RuntimeWarning")
@pytest.mark.parametrize("executor", ["processes", "background"])
@pytest.mark.parametrize("ds", list(first_cases()))
def test_every_operator_gives_the_same_in_other_processes(ds, executor):
    check_processes(ds, executor)
