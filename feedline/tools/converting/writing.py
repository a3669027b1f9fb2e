"""writing: the files of a plan written by several workers at once, each a file of its own.

Workers are threads where most of the work is done without Python, and processes where it is not.
Done         every file of the plan is there, complete.
Interrupted  files that are complete stay, those that are not are removed, and a second run
             goes on. The workers are told by a flag and clean up themselves.
Failed       the same, and the first error is raised.
Killed       files that are complete stay; processes that were started notice it and end.
"""

from __future__ import annotations

import glob
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from multiprocessing import connection
from typing import Any

from feedline.files import written_atomically
from feedline.machine import available_cpus
from feedline.tfrecord.options import TFRecordOptions
from feedline.tfrecord.writer import FrameWriter
from feedline.tools.converting.plan import Plan, Shard
from feedline.tools.converting.source import Source
from feedline.tools.example_bytes import example_bytes

__all__ = ["Signals", "remove_leftovers", "usable_workers", "write_shard", "write_shards"]

# Below this, starting processes takes longer than they would save.
_WORTHWHILE = 32_000_000
# Records between two looks at the signals, and seconds between two looks at how far it is.
_LOOK = 64
_SAY = 0.2


class StoppedError(Exception):
    """The conversion was interrupted elsewhere."""


class Signals:
    """What workers are told, and tell: that they are to stop, and how far they are."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopped = False
        self._done = 0.0

    def stop(self) -> None:
        """Have all workers stop soon."""
        self._stopped = True

    def is_stopped(self) -> bool:
        """Tell whether they are to."""
        return self._stopped

    def add(self, amount: float) -> None:
        """Say that some bytes were dealt with."""
        with self._lock:
            self._done += amount

    def done(self) -> float:
        """Return how many were."""
        return self._done


class _SharedSignals(Signals):
    """The same between processes."""

    def __init__(self, context: Any) -> None:
        self._event = context.Event()
        self._amount = context.Value("d", 0.0)

    def stop(self) -> None:
        self._event.set()

    def is_stopped(self) -> bool:
        return _Worker.is_orphan or bool(self._event.is_set())

    def add(self, amount: float) -> None:
        with self._amount.get_lock():
            self._amount.value += amount

    def done(self) -> float:
        return float(self._amount.value)


def write_shard(source: Source, shard: Shard, compression: str, signals: Signals) -> str:
    """Write one file and return its name; it appears when it is complete."""
    share = shard.size / max(shard.records, 1)
    with written_atomically(shard.path) as file:
        frames = FrameWriter(file, TFRecordOptions(compression))
        number = 0
        for piece in shard.pieces:
            for record in source.records(piece):
                frames.add(example_bytes(record))
                number += 1
                if number % _LOOK == 0:
                    signals.add(share * _LOOK)
                    if signals.is_stopped():
                        raise StoppedError
        frames.finish()
    signals.add(share * (number % _LOOK))
    return shard.path


def usable_workers(plan: Plan, asked: int | None = None) -> int:
    """Return how many workers to use: no more than there are files, or cores to run on."""
    left = plan.missing()
    if asked is not None:
        return max(1, min(asked, len(left)))
    if plan.source.holds_gil and sum(shard.size for shard in left) < _WORTHWHILE:
        return 1
    return max(1, min(available_cpus(), len(left)))


def write_shards(plan: Plan, workers: int, say: Callable[[float], None]) -> list[Shard]:
    """Write the files of a plan that are not there yet, and return them.

    Args:
        plan: What to write; what is written does not depend on anything else.
        workers: How many files are written at once.
        say: Called now and then with how many bytes were dealt with.
    """
    left = plan.missing()
    if workers == 1:
        signals = _Saying(say)
        for shard in left:
            write_shard(plan.source, shard, plan.compression, signals)
    elif plan.source.holds_gil:
        _write_in_processes(plan, left, workers, say)
    else:
        told = Signals()

        def write(shard: Shard) -> str:
            return write_shard(plan.source, shard, plan.compression, told)

        with ThreadPoolExecutor(workers, thread_name_prefix="feedline-convert") as pool:
            _all_done(pool, [pool.submit(write, shard) for shard in left], told, say)
    return left


class _Saying(Signals):
    """Says at once how far it is: there is one worker, and it is this thread."""

    def __init__(self, say: Callable[[float], None]) -> None:
        super().__init__()
        self._say = say

    def add(self, amount: float) -> None:
        super().add(amount)
        self._say(self.done())


def _write_in_processes(
    plan: Plan, left: list[Shard], workers: int, say: Callable[[float], None]
) -> None:
    context = multiprocessing.get_context("spawn")
    signals = _SharedSignals(context)
    with ProcessPoolExecutor(
        workers, mp_context=context, initializer=_begin, initargs=(plan.source, signals)
    ) as pool:
        with _not_interrupted():
            tasks = [pool.submit(_write, shard, plan.compression) for shard in left]
        _all_done(pool, tasks, signals, say)


def _all_done(
    pool: Executor, tasks: list[Future[str]], signals: Signals, say: Callable[[float], None]
) -> None:
    """Wait for all; whatever happens, no worker is left when this is over."""
    try:
        waiting = set(tasks)
        while waiting:
            ready, waiting = wait(waiting, timeout=_SAY, return_when=FIRST_COMPLETED)
            for task in ready:
                task.result()
            say(signals.done())
    except BaseException:
        signals.stop()
        pool.shutdown(wait=True, cancel_futures=True)
        raise


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """Start processes that never notice Ctrl-C: the one that started them does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Worker:
    """What a process keeps between files."""

    source: Source
    signals: Signals
    is_orphan = False
    is_writing = threading.Lock()


def _begin(source: Source, signals: Signals) -> None:
    _Worker.source, _Worker.signals = source, signals
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the one that started it was killed: nobody else would."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        _Worker.is_orphan = True
        with _Worker.is_writing:  # what is not complete is removed first
            os._exit(1)


def _write(shard: Shard, compression: str) -> str:
    with _Worker.is_writing:
        return write_shard(_Worker.source, shard, compression, _Worker.signals)


def remove_leftovers(plan: Plan) -> None:
    """Remove what processes that were killed left of this conversion, or of one before it."""
    folder, name = glob.escape(plan.folder), glob.escape(plan.name)
    notes = [f".{name}.{ending}.*.tmp" for ending in ("plan.json", *plan.source.notes())]
    for pattern in (f".{name}-[0-9]*-of-[0-9]*.tfrecord*.tmp", *notes):
        for path in glob.glob(os.path.join(folder, pattern)):
            with suppress(OSError):
                os.unlink(path)
