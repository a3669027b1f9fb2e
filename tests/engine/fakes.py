"""A source of numbers for tests of the engine."""

from feedline.block import Block
from feedline.engine.exec import Exec
from feedline.engine.meter import Meter
from feedline.engine.stream import Stream

__all__ = ["NumbersExec", "numbers_stream", "read_all", "stream_of"]


class NumbersExec(Exec):
    """0, 1, 2, ...: ``failing`` raise KeyError, ``most`` come at a time at most."""

    def __init__(self, count, failing=(), most=1 << 40, extra=0):
        self.count = count
        self.failing = set(failing)
        self.most = most
        self.extra = extra
        self.at = 0
        self.limits = []
        self.closed = False

    def pull(self, limit):
        self.limits.append(limit)
        if self.at in self.failing:
            self.at += 1
            raise KeyError(self.at - 1)
        stop = min(self.at + min(limit, self.most) + self.extra, self.count)
        stop = min([stop, *(n for n in self.failing if n > self.at)])
        if stop == self.at:
            return None
        numbers = list(range(self.at, stop))
        self.at = stop
        return Block.of(numbers)

    def counters(self):
        return {"at": self.at}

    def resume(self, counters):
        self.at = counters["at"]

    def close(self):
        self.closed = True
        super().close()


class Step:
    label = "numbers"


def stream_of(operator, cap=1 << 40):
    return Stream(operator, cap, Meter(Step()))


def numbers_stream(count, cap=1 << 40, **settings):
    return stream_of(NumbersExec(count, **settings), cap)


def read_all(stream, limit=3):
    """Return the numbers of a stream, and the types of the errors between them."""
    found = []
    while True:
        try:
            block = stream.pull(limit)
        except Exception as error:
            found.append(type(error))
            continue
        if block is None:
            return found
        found.extend(int(row) for row in block.rows())
