"""A module with names that tests change, as a script does with those of its own modules."""

import threading

SCALE = 1
TABLE = None
LOCK = threading.Lock()


def scaled(x):
    return x * SCALE


def guarded(x):
    with LOCK:
        return scaled(x)


def looked_up(x):
    return x + TABLE[0]


def counts_down(n):
    return SCALE if n <= 0 else counts_down(n - 1)


def making():
    def wrapper(x):
        return guarded(x)

    return wrapper


class Parser:
    factor = 2

    def parse(self, x):
        return guarded(x) * self.factor
