"""What tests and the examples in docstrings share."""

from importlib.util import find_spec

import pytest

from feedline.seeding import global_seed, set_seed

collect_ignore = [] if find_spec("ml_dtypes") else ["feedline/values/bfloat16.py"]


@pytest.fixture(autouse=True)
def no_program_seed():
    """Take back what a test or an example set for the whole program."""
    yield
    if global_seed() is not None:
        set_seed(None)
