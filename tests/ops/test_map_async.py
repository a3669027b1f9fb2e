"""map() of async functions: calls run side by side on an event loop."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import gc
import itertools
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.testing import CHECKS

AUTOTUNE, Dataset, ErrorPolicy = tf.data.AUTOTUNE, tf.data.Dataset, tf.data.ErrorPolicy

pytestmark = pytest.mark.filterwarnings("error")


async def doubled(x):
    await asyncio.sleep(0.001 * (int(x) % 3))
    return x * 2


async def failing(x):
    await asyncio.sleep(0.001 * (int(x) % 3))
    if int(x) % 5 == 3:
        raise KeyError(f"no {x}")
    return x


async def drawing(x, rng):
    await asyncio.sleep(0)
    return rng.random() + tf.random.uniform(())


class Client:
    """An object that can be called."""

    async def __call__(self, x):
        await asyncio.sleep(0)
        return x + 1


CASES = {
    "one at a time": Dataset.range(11).map(doubled),
    "several": Dataset.range(23).map(doubled, num_parallel_calls=4),
    "as many as help": Dataset.range(23).map(doubled, num_parallel_calls=AUTOTUNE),
    "synchronous": Dataset.range(7).map(doubled, num_parallel_calls=2, synchronous=True),
    "failures left out": Dataset.range(23).map(failing, num_parallel_calls=4, on_error="skip"),
    "failures replaced": Dataset.range(23).map(
        failing, num_parallel_calls=4, on_error=ErrorPolicy("replace", replacement=np.int64(-1))
    ),
    "one at a time, failures left out": Dataset.range(11).map(failing, on_error="skip"),
    "draws": Dataset.range(11).map(drawing, num_parallel_calls=4),
    "in the middle": Dataset.range(23).map(doubled, num_parallel_calls=3).batch(4).repeat(2),
    "an object": Dataset.range(5).map(Client(), num_parallel_calls=2),
}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", CASES)
def test_an_async_map_keeps_every_promise(name, check):
    check(CASES[name])


@given(
    length=st.integers(0, 30),
    bad=st.sets(st.integers(0, 29)),
    calls=st.sampled_from([None, 1, 3, 40, AUTOTUNE]),
    ordered=st.booleans(),
)
def test_what_comes_out_is_what_a_loop_gives(length, bad, calls, ordered):
    async def fn(x):
        await asyncio.sleep(0)
        if int(x) in bad:
            raise ValueError(int(x))
        return x

    ds = Dataset.range(length).map(
        fn, num_parallel_calls=calls, deterministic=ordered, on_error="skip"
    )
    found = [int(x) for x in ds]
    expected = [x for x in range(length) if x not in bad]

    assert sorted(found) == expected
    assert found == expected or not ordered


def test_no_more_calls_run_at_once_than_asked_for():
    running, most = 0, 0

    async def counts(x):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.002)
        running -= 1
        return x

    list(Dataset.range(40).map(counts, num_parallel_calls=7))

    assert most == 7


def test_without_a_number_one_call_runs_at_a_time():
    running = []

    async def counts(x):
        running.append(1)
        await asyncio.sleep(0)
        together = len(running)
        running.pop()
        return together

    assert {int(x) for x in Dataset.range(9).map(counts)} == {1}


def test_a_slow_call_does_not_hold_up_others_out_of_order():
    released = threading.Event()

    async def slow_first(x):
        if int(x) == 0:
            await asyncio.to_thread(released.wait)
        return x

    it = iter(Dataset.range(6).map(slow_first, num_parallel_calls=2, deterministic=False))
    head = [int(next(it)) for _ in range(3)]
    released.set()

    assert head == [1, 2, 3]
    assert sorted(int(x) for x in it) == [0, 4, 5]


def test_all_calls_run_on_one_loop_in_a_thread_of_its_own():
    loops, threads = set(), set()

    async def notes(x):
        loops.add(asyncio.get_running_loop())
        threads.add(threading.current_thread())
        return x

    list(Dataset.range(9).map(notes, num_parallel_calls=3).map(notes))

    assert len(loops) == len(threads) == 1
    assert threading.current_thread() not in threads


def test_it_works_inside_a_running_loop():
    async def main():
        return [int(x) for x in Dataset.range(3).map(doubled)]

    assert asyncio.run(main()) == [0, 2, 4]


def test_context_variables_are_those_of_whoever_iterates():
    variable = contextvars.ContextVar("variable", default=0)

    async def reads(x):
        variable.set(variable.get() + 1)
        await asyncio.sleep(0)
        return variable.get()

    variable.set(7)
    assert {int(x) for x in Dataset.range(9).map(reads, num_parallel_calls=3)} == {8}
    assert {int(x) for x in Dataset.range(9).map(reads)} == {8}


class OtherClient(Client):
    """The same by inheritance."""


def test_partial_functions_methods_and_objects_are_recognised():
    for fn in (functools.partial(doubled), Client().__call__, OtherClient()):
        assert len(list(Dataset.range(3).map(fn, num_parallel_calls=2))) == 3


def test_the_spec_is_known_by_running_one_element():
    assert Dataset.range(5).map(doubled).element_spec == tf.TensorSpec((), tf.int64)
    assert Dataset.range(0).map(doubled).element_spec == tf.TensorSpec((), tf.int64)


@pytest.mark.parametrize("calls", [None, 3])
def test_an_exception_keeps_type_and_traceback_and_names_the_element(calls):
    with pytest.raises(KeyError, match="no 3") as caught:
        list(Dataset.range(9).map(failing, num_parallel_calls=calls))

    assert "map(failing) built at test_map_async.py" in caught.value.__notes__[0]
    assert "element 3" in caught.value.__notes__[0]
    assert "failing" in [entry.name for entry in caught.traceback]


@pytest.mark.parametrize("calls", [None, 3])
def test_calls_are_made_again_where_they_fail(calls):
    tries = {}

    async def flaky(x):
        tries[int(x)] = tries.get(int(x), 0) + 1
        await asyncio.sleep(0)
        if tries[int(x)] < 3:
            raise OSError("busy")
        return x

    policy = ErrorPolicy(retries=2, wait=0.0001)
    assert len(list(Dataset.range(5).map(flaky, num_parallel_calls=calls, on_error=policy))) == 5
    assert set(tries.values()) == {3}


@pytest.mark.parametrize("calls", [None, 3])
def test_a_call_that_cancels_itself_has_failed(calls):
    async def cancels(x):
        raise asyncio.CancelledError

    with pytest.raises(RuntimeError, match="cancelled"):
        list(Dataset.range(3).map(cancels, num_parallel_calls=calls))


@pytest.mark.parametrize("calls", [None, 3, AUTOTUNE])
def test_a_timeout_is_an_error_like_others(calls):
    async def hangs(x):
        async with asyncio.timeout(0.001):
            await asyncio.sleep(3600)

    ds = Dataset.range(3).map(hangs, num_parallel_calls=calls, on_error="skip")
    assert list(ds) == []


def test_closing_cancels_what_runs_and_lets_it_clean_up():
    cleaned = []

    async def waits(x):
        if int(x) == 0:
            return x
        try:
            await asyncio.sleep(3600)
        finally:
            cleaned.append(int(x))

    it = iter(Dataset.range(100).map(waits, num_parallel_calls=5))
    next(it)
    it.close()

    assert sorted(cleaned) == cleaned == list(range(1, 1 + len(cleaned)))


def test_nothing_is_left_unawaited():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        it = iter(Dataset.range(1000).map(doubled, num_parallel_calls=9))
        list(itertools.islice(it, 3))
        del it
        gc.collect()

    assert [str(warning.message) for warning in caught] == []


def test_a_program_that_ends_amid_an_iteration_ends_quietly():
    code = (
        "import asyncio, feedline as tf\n"
        "async def f(x):\n"
        "    await asyncio.sleep(0.001)\n"
        "    return x\n"
        "it = iter(tf.data.Dataset.range(10**6).map(f, num_parallel_calls=20))\n"
        "print(int(next(it)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", code], capture_output=True, check=False, timeout=60
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"0\n", b"")


def test_importing_feedline_does_not_import_asyncio():
    code = "import feedline, sys; print('asyncio' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert done.stdout == b"False\n"


@pytest.mark.parametrize("executor", ["inline", "threads", "processes", "background"])
def test_every_executor_gives_the_same(executor):
    ds = Dataset.range(20).map(doubled, num_parallel_calls=3)
    options = tf.data.Options(executor=executor)

    assert [int(x) for x in ds.with_options(options)] == list(range(0, 40, 2))


def test_explain_says_that_it_runs_on_a_loop():
    assert "on an event loop" in str(Dataset.range(3).map(doubled).explain())
