"""A plan that a process runs for the one that started it."""

from contextlib import contextmanager
from types import SimpleNamespace

from feedline.engine.served import Served


def test_closing_ends_the_stream_in_a_hurry_and_then_the_workers():
    done = []

    @contextmanager
    def hurried():
        done.append("hurried")
        yield

    workers = SimpleNamespace(hurried=hurried, close=lambda: done.append("workers"))
    stream = SimpleNamespace(close=lambda: done.append("stream"))
    served = Served(None, None, _run=SimpleNamespace(workers=workers), _stream=stream)
    served("close")
    served("close")

    assert done == ["hurried", "stream", "workers"]
