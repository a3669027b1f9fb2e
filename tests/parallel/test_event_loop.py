"""One thread in which the coroutines of a pipeline run."""

from __future__ import annotations

import asyncio
import contextvars
import threading

import pytest

from feedline.parallel.event_loop import EventLoop, _Call


async def thread():
    await asyncio.sleep(0)
    return threading.current_thread()


async def fails():
    raise KeyError("lost")


@pytest.fixture
def loop():
    made = EventLoop("feedline-test")
    yield made
    made.close()


def test_coroutines_run_in_one_thread_that_is_not_the_callers(loop):
    assert loop.run(thread) is loop.run(thread) is not threading.current_thread()


def test_exceptions_come_through(loop):
    with pytest.raises(KeyError, match="lost"):
        loop.run(fails)


def test_nothing_is_started_before_it_is_needed(loop):
    before = threading.active_count()
    EventLoop().close()

    assert threading.active_count() == before


def test_closing_ends_the_thread_and_what_runs_in_it(loop):
    ended = threading.Event()

    async def waits():
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    def call():
        with pytest.raises(RuntimeError, match="cancelled"):
            loop.run(waits)

    waiting = threading.Thread(target=call)
    running = loop.run(thread)
    waiting.start()
    loop.run(lambda: asyncio.sleep(0.01))
    loop.close()
    waiting.join()

    assert ended.is_set()
    assert not running.is_alive()


def test_a_call_that_is_interrupted_is_cancelled(loop):
    begun, cancelled = threading.Event(), threading.Event()

    async def waits():
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def interrupted():
        raise KeyboardInterrupt

    call = _Call(loop, waits, contextvars.copy_context())
    loop.call_soon(call.begin)
    begun.wait()
    call._done.wait = interrupted
    with pytest.raises(KeyboardInterrupt):
        call.result()
    loop.run(thread)  # comes after it

    assert cancelled.is_set()


def test_closing_ends_generators_that_were_left_in_the_middle(loop):
    ended, kept = threading.Event(), []

    async def numbers():
        try:
            yield 1
        finally:
            await asyncio.sleep(0)
            ended.set()

    async def first():
        kept.append(numbers())
        return await anext(kept[0])

    assert loop.run(first) == 1
    loop.close()

    assert ended.is_set()


def test_closing_waits_for_what_other_threads_were_given(loop):
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def work():
        begun.set()
        may_end.wait()
        ended.set()

    async def starts():
        asyncio.get_running_loop().run_in_executor(None, work)

    loop.run(starts)
    begun.wait()
    closing = threading.Thread(target=loop.close)
    closing.start()
    closing.join(0.05)
    waits = closing.is_alive()
    may_end.set()
    closing.join()

    assert waits
    assert ended.is_set()


def test_a_closed_loop_takes_no_more(loop):
    loop.close()
    loop.close()

    with pytest.raises(RuntimeError, match="closed"):
        loop.run(thread)
    assert not loop.call_soon(print)


def test_methods_are_called_at_the_end(loop):
    class User:
        told = None

        def end(self):
            self.told = threading.current_thread()

    user = User()
    loop.at_end(user.end)
    running = loop.run(thread)
    loop.close()

    assert user.told is running


def test_a_loop_that_is_dropped_is_closed():
    running = EventLoop().run(thread)
    running.join(10)

    assert not running.is_alive()
