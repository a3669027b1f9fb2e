"""Nothing grows and nothing is left, however often pipelines of all kinds fail.

FEEDLINE_SOAK_SECONDS makes it last longer than the suite has time for: `make soak`.
"""

import contextlib
import gc
import itertools
import logging
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest

import feedline as tf
from feedline.errors import FeedlineError
from tests.parallel.leftovers import children, shared_files

SECONDS = float(os.environ.get("FEEDLINE_SOAK_SECONDS", "9"))
AUTOTUNE = tf.data.AUTOTUNE
Dataset, ErrorPolicy, Options = tf.data.Dataset, tf.data.ErrorPolicy, tf.data.Options
LOG = logging.getLogger(__name__)
MAIN = os.getpid()
SHARED_BEFORE = set(shared_files())  # of other processes

# What may have grown between the end of the first third and the end: memory, by what allocators
# keep for themselves, and files, by what save_tfrecord(resume=True) keeps of a stopped call.
MORE_MEMORY = 48 << 20
MORE_FILES = 12


class Injected(Exception):  # noqa: N818
    """The failure of a user's function."""


def fails(x):
    if random.random() < 0.01:
        raise Injected
    return x


def dies(x):
    """End the process that calls it now and then, unless it is this one."""
    if os.getpid() != MAIN and random.random() < 0.005:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def pixels(x):
    return np.full((64, 64, 3), int(x) % 255, np.uint8)


def sequence(x):
    return np.arange(int(fails(x)) % 50)


def decoded(data):
    return tf.image.resize(tf.io.decode_jpeg(data), [32, 32])


def generated():
    for number in range(400):
        yield fails(number)


def run_by(executor, ds):
    return ds.with_options(Options(executor=executor))


class Place:
    """The files that pipelines read, fresh copies of them, and where pipelines write."""

    def __init__(self, folder):
        self.kept, self.used, self.written = (folder / name for name in ("kept", "used", "out"))
        for each in (self.kept, self.written):
            each.mkdir()
        for number in range(3):
            with tf.io.TFRecordWriter(str(self.kept / f"{number}.tfrecord")) as writer:
                for text in range(3_000):
                    writer.write(b"%d" % text * (number + 20))
            lines = "".join(f"{line},{line / 2},name {line}\n" for line in range(6_000))
            (self.kept / f"{number}.csv").write_text(lines)
        noise = np.random.default_rng(1)
        for number in range(24):
            data = tf.io.encode_jpeg(noise.integers(0, 255, (80, 80, 3), np.uint8))
            (self.kept / f"{number}.jpg").write_bytes(data)
        self.refresh()

    def refresh(self):
        """Put files back that a fault removed or cut."""
        shutil.rmtree(self.used, ignore_errors=True)
        shutil.copytree(self.kept, self.used)

    def files(self, kind):
        """Return the files that may be damaged."""
        return sorted(str(self.used / path.name) for path in self.kept.glob(f"*.{kind}"))


def readers(place):
    records, images = place.files("tfrecord"), place.files("jpg")
    named = Dataset.from_tensor_slices(records)
    return {
        "records": tf.data.TFRecordDataset(records, num_parallel_reads=3).shuffle(500).batch(64),
        "interleave": named.interleave(tf.data.TFRecordDataset, 3, num_parallel_calls=AUTOTUNE),
        "csv": tf.data.experimental.CsvDataset(
            place.files("csv"), [np.int64, np.float32, tf.string]
        ).batch(100),
        "lines": tf.data.TextLineDataset(place.files("csv")).filter(lambda x: fails(x) != b""),
        "images": Dataset.from_tensor_slices(images)
        .repeat(8)
        .map(lambda path: decoded(tf.io.read_file(path)), AUTOTUNE)
        .batch(8)
        .prefetch(2),
        "images in processes": run_by(
            "processes",
            Dataset.from_tensor_slices(images)
            .map(lambda path: decoded(dies(tf.io.read_file(path))), 2)
            .batch(8),
        ),
    }


def computing():
    numbers = Dataset.range(1_000)
    skipping = ErrorPolicy("skip", retries=1)
    return {
        "threads": numbers.map(fails, AUTOTUNE).map(pixels, AUTOTUNE).shuffle(50).batch(16),
        "unordered": numbers.map(sequence, 2, deterministic=False).padded_batch(16),
        "skipped": numbers.map(fails, 2, on_error=skipping).batch(16).prefetch(2),
        "ignored": numbers.map(fails).ignore_errors().map(pixels, 2).batch(16),
        "processes": run_by("processes", numbers.take(300).map(dies, 2).map(pixels, 2).batch(16)),
        "failing processes": run_by("processes", numbers.take(300).map(fails, 2)),
        "background": run_by("background", numbers.map(fails).map(pixels).batch(16)),
        "dying background": run_by("background", numbers.take(300).map(dies).batch(16)),
        "buckets": numbers.map(sequence).bucket_by_sequence_length(
            len, [10, 20, 40], [16, 8, 8, 4]
        ),
        "windows": numbers.map(fails)
        .window(20, 5, drop_remainder=True)
        .flat_map(lambda window: window.batch(20)),
        "groups": numbers.map(fails).group_by_window(
            lambda x: x % 3, lambda key, window: window.batch(10), window_size=10
        ),
        "generator": Dataset.from_generator(
            generated, output_signature=tf.TensorSpec((), tf.int64)
        ).batch(8),
        "in memory": numbers.map(fails, 2).cache().repeat(2).batch(16),
    }


class Round:
    """Runs pipelines with one fault each, chosen by a seed."""

    def __init__(self, place):
        self.place = place
        self.draw = random.Random(1)
        self.count = 0
        self.outcomes = Counter()

    def run(self, name, ds, fault):
        """Run a pipeline; whatever is injected may come out, and nothing else."""
        try:
            self.read(iter(ds), ds, fault)
        except (Injected, FeedlineError, OSError, KeyboardInterrupt) as error:
            self.outcomes[type(error).__name__] += 1
        else:
            self.outcomes["no exception"] += 1
        self.count += 1
        if fault in ("removed", "cut"):
            self.place.refresh()

    def read(self, it, ds, fault):
        """Take some elements, have the fault, take some more."""
        if fault == "interrupted":
            with interrupted_after(self.draw.uniform(0.0005, 0.05)):
                self.take(it, None)
            return
        self.take(it, None if fault == "none" else self.draw.randrange(1, 30))
        match fault:
            case "dropped":
                return
            case "resumed":
                state = it.state_dict()
                it.close()
                it = iter(ds)
                it.load_state_dict(state)
            case "removed":
                os.remove(self.a_file())
            case "cut":
                path = self.a_file()
                os.truncate(path, self.draw.randrange(path.stat().st_size))
        self.take(it, 60)

    def write(self, fault):
        """Write records from a pipeline that may fail, to a disk that may be full."""
        folder = self.place.written
        limit = self.draw.randrange(100_000) if fault == "full" else None
        ds = Dataset.range(2_000).map(fails if self.draw.random() < 0.5 else int, 2)
        kind = self.draw.choice([None, "GZIP", "ZLIB"])
        with (
            contextlib.suppress(Injected, OSError, KeyboardInterrupt),
            largest_file(limit),
            interrupted_after(0.05 if fault == "interrupted" else 0),
        ):
            ds.save_tfrecord(
                folder / "saved",
                lambda x: b"%d" % x * 20,
                shard_bytes=20_000,
                options=kind,
                overwrite=True,
                resume=self.draw.random() < 0.5,
            )
        with (
            contextlib.suppress(OSError),
            largest_file(limit),
            tf.io.TFRecordWriter(str(folder / "written")) as writer,
        ):
            for _ in range(100):
                writer.write(bytes(1_000))
        self.count += 1

    def take(self, it, steps):
        """Take elements; after the failure of one of them go on, but not for ever."""
        failures = 0
        for _ in itertools.count() if steps is None else range(steps):
            try:
                next(it)
            except StopIteration:
                return
            except (Injected, FeedlineError, OSError):
                failures += 1
                if failures == 20:
                    raise

    def a_file(self):
        return self.draw.choice(sorted(self.place.used.iterdir()))


@contextlib.contextmanager
def interrupted_after(seconds):
    """Press Ctrl-C after some time, wherever the program is then; 0 never does."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def largest_file(limit):
    """Let no file become larger, as on a disk that is full; Python ignores SIGXFSZ."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@dataclass(frozen=True)
class Held:
    """What a process can leave behind or use ever more of."""

    memory: int
    threads: int
    handles: int
    processes: int
    segments: int
    files: int

    @classmethod
    def now(cls, folder):
        gc.collect()
        with open("/proc/self/statm") as file:
            memory = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return cls(
            memory,
            threading.active_count(),
            len(os.listdir("/proc/self/fd")),
            len(children()),
            len([name for name in shared_files() if name not in SHARED_BEFORE]),
            sum(len(files) for _, _, files in os.walk(folder)),
        )

    def has_grown_since(self, before):
        return (
            self.memory > before.memory + MORE_MEMORY
            or self.threads > before.threads
            or self.handles > before.handles
            or self.processes > before.processes
            or self.segments > before.segments
            or self.files > before.files + MORE_FILES
        )


def at_rest(folder, level=None):
    """Return what is held once all that ends by itself has ended: soon, or not at all."""
    held = Held.now(folder)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        time.sleep(0.5)
        last, held = held, Held.now(folder)
        still = replace(last, memory=0) == replace(held, memory=0)
        if still and not (level and held.has_grown_since(level)):
            break
    return held


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder that holds the temporary files of this process and its workers as well."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


@pytest.fixture(autouse=True)
def ctrl_c_in_a_destructor(monkeypatch):
    """Let Ctrl-C come where Python can only print it: in a destructor."""
    hook = sys.unraisablehook

    def hooked(found):
        if found.exc_type is not KeyboardInterrupt:
            hook(found)

    monkeypatch.setattr(sys, "unraisablehook", hooked)


def faulty(running):
    """Return calls that run every pipeline with every fault, in an order of their own."""
    whole = ("none", "dropped", "resumed", "interrupted")
    rounds = [
        *(partial(running.run, *each, fault) for each in computing().items() for fault in whole),
        *(
            partial(running.run, *each, fault)
            for each in readers(running.place).items()
            for fault in (*whole, "removed", "cut")
        ),
        *(partial(running.write, fault) for fault in ("none", "full", "interrupted")),
    ]
    running.draw.shuffle(rounds)
    return rounds


@pytest.mark.filterwarnings("ignore:.*a generator cannot be entered")
def test_nothing_grows_and_nothing_is_left_where_pipelines_fail(folder):
    running = Round(Place(folder))

    def go_on(seconds):
        """Run all that may fail, once at least; then there is no dataset any more."""
        rounds = faulty(running)
        end, said = time.monotonic() + seconds, time.monotonic()
        for count, turn in enumerate(itertools.cycle(rounds)):
            if count >= len(rounds) and time.monotonic() >= end:
                return
            turn()
            if time.monotonic() > said + 60:
                said = time.monotonic()
                LOG.info("%d rounds: %s, %s", running.count, Held.now(folder), running.outcomes)

    go_on(SECONDS / 3)
    before = at_rest(folder)
    go_on(SECONDS * 2 / 3)
    after = at_rest(folder, before)

    LOG.info("%d rounds: %s, then %s, %s", running.count, before, after, running.outcomes)
    assert not after.has_grown_since(before), (before, after)
