"""A pytest plugin: that a mutant fails is enough, the smallest example is not looked for."""

import pytest
from hypothesis import Phase, settings

__all__ = ["pytest_configure"]


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Go on from the profile that tests/conftest.py has loaded."""
    phases = [Phase.explicit, Phase.generate]
    settings.register_profile("mutants", settings(), phases=phases, database=None)
    settings.load_profile("mutants")
