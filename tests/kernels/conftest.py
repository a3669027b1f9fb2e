"""The kernels are tested against their twins, so the native module must be there."""

import os

import pytest

from feedline.kernels.native import native


@pytest.fixture(autouse=True, scope="session")
def native_is_built() -> None:
    if native is None and os.environ.get("FEEDLINE_NATIVE") != "0":
        pytest.fail(
            "feedline._native is not built: run `make build`. "
            "Set FEEDLINE_NATIVE=0 to test the Python twins alone."
        )
