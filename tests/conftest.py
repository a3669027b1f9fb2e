"""What every test shares."""

import pytest
from hypothesis import HealthCheck, settings

from feedline.graph import accumulator, vectorizer

# Time is no reason to fail: other people share the machine.
settings.register_profile(
    "house",
    deadline=None,
    max_examples=60,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory):
    """Keep what tests leave in a cache out of the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEEDLINE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module", params=["late", "early"])
def vectorising(request):
    """Functions run on whole blocks after some elements, as they do, or from the first one."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "early":
            for module in (vectorizer, accumulator):
                patch.setattr(module, "_BEFORE_TRYING", 0)
                patch.setattr(module, "_SMALLEST_BLOCK", 1)
        yield
