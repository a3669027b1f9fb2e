"""Calls that are given up: by a time-out, by Ctrl-C, and by whoever closes what they read for."""

import os
import signal
import threading

import pytest

from feedline.data import Options, TextLineDataset, TFRecordDataset
from feedline.errors import BuildError, FileError
from feedline.files import open_file, retrying
from feedline.files.attended import (
    GIVE_UP,
    Attended,
    GivenUp,
    Patience,
    attended,
    patience,
    patient,
    rest,
)
from feedline.io import TFRecordWriter
from tests.files.http_server import Behaviour, serving


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(retrying, "DELAYS", (0,))


@pytest.fixture
def stalling(tmp_path):
    """A server of records that gives those at the beginning, and then no answer."""
    with TFRecordWriter(str(tmp_path / "records")) as writer:
        for number in range(6000):
            writer.write(number.to_bytes(2, "little") * 500)
    behaviour = Behaviour({"/file": (tmp_path / "records").read_bytes()})
    behaviour.stalls = lambda number: number > 2
    with serving(behaviour) as address:
        yield behaviour, f"{address}/file"
        behaviour.release.set()


def test_what_a_call_returns_or_raises_comes_out():
    assert attended(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        attended(lambda: 1 // 0)


def test_a_call_that_takes_too_long_is_a_failure():
    never = threading.Event()
    with patient(Patience(timeout_s=0.01)), pytest.raises(TimeoutError, match=r"for 0\.01 seconds"):
        attended(never.wait)
    never.set()


def test_a_call_that_brings_much_may_take_longer():
    ready = threading.Event()
    threading.Timer(0.05, ready.set).start()
    with patient(Patience(timeout_s=0.001)):
        assert attended(ready.wait, num_bytes=10_000_000)


def test_patience_holds_inside_the_block_alone():
    with patient(Patience(attempts=2)):
        assert patience().attempts == 2
    assert patience() == Patience()


def test_calls_within_a_call_that_is_given_up_are_given_up():
    never, ended = threading.Event(), threading.Event()

    def outer():
        try:
            attended(never.wait)
        except GivenUp:
            ended.set()

    call = Attended(outer)
    call.give_up()

    assert ended.wait(30)
    never.set()


def test_nobody_rests_who_is_to_give_up():
    stop = threading.Event()
    stop.set()
    token = GIVE_UP.set(stop)
    try:
        with pytest.raises(GivenUp):
            rest(1000)
    finally:
        GIVE_UP.reset(token)


@pytest.mark.parametrize("executor", ["inline", "threads", "processes", "background", None])
def test_ctrl_c_comes_while_the_server_says_nothing(stalling, executor):
    behaviour, url = stalling
    ds = TFRecordDataset(url).map(lambda x: x).prefetch(1)
    it = iter(ds.with_options(Options(executor=executor)))

    def press():
        behaviour.stalled.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        list(it)
    assert not behaviour.release.is_set()
    it.close()
    assert not behaviour.release.is_set()
    thread.join()


def test_an_iterator_over_files_far_away_goes_on_after_ctrl_c(stalling):
    behaviour, url = stalling
    ds = TFRecordDataset(url).with_options(Options(executor="inline"))
    it = iter(ds)
    got = []

    def press():
        behaviour.stalled.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        got.extend(it)
    thread.join()
    behaviour.stalls = lambda number: False
    behaviour.release.set()
    got.extend(it)

    assert [int.from_bytes(record[:2], "little") for record in got] == list(range(6000))


def test_a_server_that_never_answers_is_an_error_that_names_the_options(stalling):
    behaviour, url = stalling
    behaviour.stalls = lambda number: True
    with (
        patient(Patience(0.05, 2)),
        pytest.raises(FileError, match=rf"{url}: failed 2 times, at last with TimeoutError"),
    ):
        open_file(url).read(0, 10)


@pytest.mark.parametrize("executor", ["inline", "threads", "background"])
def test_the_options_hold_wherever_a_pipeline_runs(executor):
    behaviour = Behaviour({"/file": b"a\nb\n" * 1000})
    with serving(behaviour) as address:
        url = f"{address}/file"
        ds = TextLineDataset(url).with_options(
            Options(executor=executor, remote_timeout_s=0.05, remote_attempts=3)
        )
        behaviour.stalls = lambda number: True
        try:
            with pytest.raises(
                FileError, match=r"failed 3 times.*remote_attempts.*Options.remote_timeout_s"
            ):
                list(ds)
        finally:
            behaviour.release.set()


@pytest.mark.parametrize("seconds", [0, -1, 1e9, float("nan")])
def test_times_that_make_no_sense_are_refused(seconds):
    with pytest.raises(BuildError, match="remote_timeout_s must be more than 0"):
        Options(remote_timeout_s=seconds)


def test_an_attempt_that_was_given_up_and_ends_late_spoils_nothing():
    content = b"".join(b"%07d\n" % number for number in range(400_000))
    behaviour = Behaviour({"/file": content}, ranges=False)
    behaviour.stalls = lambda number: number == 1
    with serving(behaviour) as address, patient(Patience(timeout_s=0.2)):
        chunks = open_file(f"{address}/file").chunks(size=1000)
        found = [next(chunks)]
        behaviour.release.set()
        found.extend(chunks)

    assert b"".join(found) == content
