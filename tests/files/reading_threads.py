"""The threads that wait for answers of others."""

import threading
import time


def all_end(seconds=20):
    """Wait until no thread reads any more: those that nobody waits for end by themselves, soon."""
    deadline = time.monotonic() + seconds
    while any(thread.name.startswith("feedline-files") for thread in threading.enumerate()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
