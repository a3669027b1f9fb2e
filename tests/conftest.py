"""What every test shares."""

import gc
import multiprocessing.resource_tracker
import os
import signal
import sys
import threading
import time

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


# A shell ignores Ctrl-C in what it runs in the background, and so would all we start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory):
    """Keep what tests leave in a cache out of the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEEDLINE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def resource_tracker():
    """Start the process that Python itself keeps, once it is needed, for as long as it runs."""
    multiprocessing.resource_tracker.ensure_running()


@pytest.fixture
def hasty_threads():
    """Return what runs something in six threads that interrupt each other all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def run(work):
        results, errors = [], []

        def one():
            try:
                results.append(work())
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=one) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        return results

    yield run
    sys.setswitchinterval(before)


def pytest_collection_finish():
    """Keep what was collected out of every search for garbage: it is much, and stays."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def leftovers():
    """Nothing of a pipeline is left when a test is over: threads, processes, files, memory."""
    before = _held()
    yield
    left = _held() - before
    end = time.monotonic() + 20  # others may have the processor: what is left stays for ever
    pause = 0.0005
    while left and time.monotonic() < end:
        if pause < 0.001 or pause > 0.1:  # at once, and when waiting did not help
            gc.collect()
        time.sleep(pause)
        pause = min(2 * pause, 0.2)
        left = _held() - before
    if left:
        pytest.fail(f"left behind: {sorted(left)}")


def _held():
    """Return the names of what a process can leave behind."""
    threads = {t.name + str(t.ident) for t in threading.enumerate() if "feedline" in t.name}
    shared = {name for name in os.listdir("/dev/shm") if name.startswith("feedline-")}
    return threads | shared | _children() | _files()


def _children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return {f"process {number}" for number in file.read().split()}


def _files():
    """Return the open files, by what they are: numbers are used again."""
    found = set()
    for number in os.listdir("/proc/self/fd"):
        try:
            name = os.readlink(f"/proc/self/fd/{number}")
        except OSError:  # the one that listed them
            continue
        if name.startswith("/") and "/dev/" not in name:
            found.add(name)
    return found


@pytest.fixture(scope="module", params=["late", "early"])
def vectorising(request):
    """Functions run on whole blocks after some elements, as they do, or from the first one."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "early":
            for module in (vectorizer, accumulator):
                patch.setattr(module, "_BEFORE_TRYING", 0)
                patch.setattr(module, "_SMALLEST_BLOCK", 1)
        yield
