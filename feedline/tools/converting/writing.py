"""writing: the files of a plan written, in this process or in several.

Done         every file of the plan is there, complete.
Interrupted  files that are complete stay, those that are not are removed, and a second run
             goes on. The processes are told by a flag and clean up themselves.
Failed       the same, and the first error is raised.
"""

from __future__ import annotations

import glob
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, suppress
from typing import Any

from feedline.files import written_atomically
from feedline.tfrecord.options import TFRecordOptions
from feedline.tfrecord.writer import FrameWriter
from feedline.tools.converting.plan import Plan, Shard
from feedline.tools.converting.source import Source
from feedline.tools.example_bytes import example_bytes

__all__ = ["remove_leftovers", "worthwhile_jobs", "write_shard", "write_shards"]

# Below this, starting processes takes longer than they would save.
_WORTHWHILE = 32_000_000
_LOOK = 64


class StoppedError(Exception):
    """The conversion was interrupted elsewhere."""


def write_shard(
    source: Source, shard: Shard, compression: str, is_stopped: Callable[[], bool]
) -> str:
    """Write one file and return its name; it appears when it is complete."""
    with written_atomically(shard.path) as file:
        frames = FrameWriter(file, TFRecordOptions(compression))
        number = 0
        for piece in shard.pieces:
            for record in source.records(piece):
                frames.add(example_bytes(record))
                number += 1
                if number % _LOOK == 0 and is_stopped():
                    raise StoppedError
        frames.finish()
    return shard.path


def worthwhile_jobs(plan: Plan, asked: int | None = None) -> int:
    """Return how many processes to use: no more than there are files, or cores to run on."""
    left = plan.missing()
    if asked is not None:
        return max(1, min(asked, len(left)))
    if sum(shard.size for shard in left) < _WORTHWHILE:
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(cores or 1, len(left)))


def write_shards(plan: Plan, jobs: int, done: Callable[[Shard], None]) -> None:
    """Write the files of a plan that are not there yet."""
    left = plan.missing()
    if jobs > 1:
        _write_in_processes(plan, left, jobs, done)
        return
    for shard in left:
        write_shard(plan.source, shard, plan.compression, lambda: False)
        done(shard)


def _write_in_processes(
    plan: Plan, left: list[Shard], jobs: int, done: Callable[[Shard], None]
) -> None:
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    with ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_begin, initargs=(plan.source, stop)
    ) as pool:
        with _not_interrupted():
            tasks: dict[Future[str], Shard] = {
                pool.submit(_write, shard, plan.compression): shard for shard in left
            }
        try:
            waiting = set(tasks)
            while waiting:
                ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for task in ready:
                    task.result()
                    done(tasks[task])
        except BaseException:
            stop.set()
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
    stop: Any


def _begin(source: Source, stop: Any) -> None:
    _Worker.source, _Worker.stop = source, stop


def _write(shard: Shard, compression: str) -> str:
    return write_shard(_Worker.source, shard, compression, _Worker.stop.is_set)


def remove_leftovers(plan: Plan) -> None:
    """Remove what processes that were killed left of this plan's files."""
    for shard in plan.shards:
        folder, name = os.path.split(shard.path)
        for path in glob.glob(os.path.join(glob.escape(folder), f".{glob.escape(name)}.*.tmp")):
            with suppress(OSError):
                os.unlink(path)
