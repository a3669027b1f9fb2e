"""Functions in other processes: the same results, errors and states as here."""

import collections
import gc
import json
import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import feedline as tf
from feedline.testing import assert_same_elements
from tests.parallel.leftovers import children, ends, script, shared_files

Dataset = tf.data.Dataset
Point = collections.namedtuple("Point", "x y")


@pytest.fixture(autouse=True, scope="module")
def nothing_left():
    before = children()
    yield
    gc.collect()
    assert children() == before
    assert shared_files() == []


def options(executor, **settings):
    made = tf.data.Options()
    made.executor = executor
    for name, value in settings.items():
        setattr(made, name, value)
    return made


def in_processes(ds, **settings):
    return ds.with_options(options("processes", **settings))


def inline(ds):
    return ds.with_options(options("inline"))


def outcomes(ds):
    """Return elements, and exceptions in the place of those that failed."""
    it, found = iter(ds), []
    while True:
        try:
            found.append(next(it))
        except StopIteration:
            return found
        except Exception as error:
            found.append(error)


# ---- results ---------------------------------------------------------------------------------


class Scaler:
    def __init__(self, factor):
        self.factor = factor

    def scaled(self, x):
        return x * self.factor

    def __call__(self, x):
        return x * self.factor


def many_kinds():
    """Return a dataset with functions, elements and draws of many kinds, all in one go."""
    table = np.arange(100_000)
    ds = Dataset.range(60).map(lambda x: (x, np.float32(x) / 3), num_parallel_calls=2)
    ds = ds.map(lambda x, y: Point(table[x], y), num_parallel_calls=2, vectorize=False)
    ds = ds.map(
        lambda p: {"x": p.x, "s": f"{p.x}ü", "b": b"\0" * int(p.x), "r": np.ones(int(p.x) % 7)},
        num_parallel_calls=2,
    )
    ds = ds.map(lambda d, rng: {**d, "rng": rng.random()}, num_parallel_calls=2)
    ds = ds.map(lambda d: {**d, "draw": tf.random.uniform([2])}, num_parallel_calls=2)
    ds = ds.map(lambda d: {**d, "n": Scaler(3).scaled(d["x"])}, num_parallel_calls=2)
    return ds.map(lambda d: {**d, "m": d["x"] * 2}, num_parallel_calls=2, vectorize=True)


def seeded(ds):
    made = tf.data.Options()
    made.seed = 5
    return ds.with_options(made)


def test_elements_structures_and_draws_are_the_same():
    assert_same_elements(
        list(in_processes(seeded(many_kinds()))), list(inline(seeded(many_kinds())))
    )


@pytest.mark.parametrize(
    "fn", [Scaler(3), Scaler(4).scaled, np.sqrt], ids=["object", "method", "ufunc"]
)
def test_anything_that_can_be_called_can_be_sent(fn):
    ds = Dataset.range(20).map(fn, num_parallel_calls=2, vectorize=False)

    assert_same_elements(list(in_processes(ds)), list(inline(ds)))


def test_out_of_order_the_elements_and_their_draws_are_the_same():
    def built():
        return seeded(
            Dataset.range(200).map(
                lambda x, rng: (x, rng.random()), num_parallel_calls=2, deterministic=False
            )
        )

    assert sorted(in_processes(built())) == sorted(inline(built()))


def test_large_results_arrive():
    ds = Dataset.range(8).map(
        lambda x: np.full((400, 500), x, np.float32), num_parallel_calls=2, vectorize=False
    )

    assert [set(image.ravel().tolist()) for image in in_processes(ds)] == [{n} for n in range(8)]


def test_states_continue_under_any_other_executor():
    def built(executor):
        ds = Dataset.range(50).map(lambda x, rng: (x, rng.random()), num_parallel_calls=2)
        return seeded(ds.shuffle(10, seed=1)).with_options(options(executor))

    every = {name: built(name) for name in ("inline", "threads", "processes", "background")}
    expected = list(built("inline"))
    states = []
    for ds in every.values():
        it = iter(ds)
        assert_same_elements([next(it) for _ in range(17)], expected[:17])
        states.append(json.loads(json.dumps(it.state_dict())))
    for state in states:
        for ds in every.values():
            it = iter(ds)
            it.load_state_dict(state)
            assert_same_elements(list(it), expected[17:])


def test_hundred_epochs_have_the_same_processes():
    ds = in_processes(
        Dataset.range(4).map(lambda x: os.getpid(), num_parallel_calls=2, vectorize=False)
    )
    pids = {int(pid) for _ in range(100) for pid in ds}

    assert len(pids) <= 2
    assert set(ds.node.kept["processes"].pids) >= pids


def test_what_a_function_refers_to_is_sent_anew_for_every_epoch():
    held = {"factor": 2}
    ds = in_processes(
        Dataset.range(3).map(lambda x: x * held["factor"], num_parallel_calls=2, vectorize=False)
    )
    first = list(ds)
    held["factor"] = 5

    assert first == [0, 2, 4]
    assert list(ds) == [0, 5, 10]


def test_a_dataset_that_is_forgotten_ends_its_processes():
    ds = in_processes(Dataset.range(4).map(lambda x: x, num_parallel_calls=2, vectorize=False))
    list(ds)
    pids = ds.node.kept["processes"].pids
    del ds
    gc.collect()

    assert ends(pids)


def test_settings_of_this_thread_hold_there():
    ds = in_processes(
        Dataset.range(2).map(lambda x: np.float64(1) / x, num_parallel_calls=1, vectorize=False)
    )
    with np.errstate(divide="raise"):
        raised = outcomes(ds)[0]
    with np.errstate(divide="ignore"):
        ignored = outcomes(ds)[0]

    assert isinstance(raised, FloatingPointError)
    assert np.isinf(ignored)


def test_warnings_that_are_errors_here_are_errors_there():
    def warn(x):
        warnings.warn("watch out", UserWarning, stacklevel=1)
        return x

    ds = in_processes(Dataset.range(1).map(warn, num_parallel_calls=1, vectorize=False))

    assert isinstance(outcomes(ds)[0], UserWarning)


# ---- errors ----------------------------------------------------------------------------------


class OwnError(Exception):
    pass


def fails_at_7(x):
    if x == 7:
        raise OwnError("seven", int(x))
    return x


def test_an_error_comes_in_its_place_with_type_arguments_note_and_traceback():
    ds = Dataset.range(20).map(fails_at_7, num_parallel_calls=2, vectorize=False)
    here, there = outcomes(inline(ds)), outcomes(in_processes(ds))
    error = there.pop(7)

    assert type(error) is OwnError
    assert error.args == ("seven", 7)
    assert error.__notes__ == here.pop(7).__notes__
    assert "in fails_at_7" in str(error.__cause__)
    assert_same_elements(there, here)


def test_a_function_that_cannot_be_sent_is_refused_with_what_to_do():
    lock = threading.Lock()
    ds = in_processes(Dataset.range(3).map(lambda x: lock and x, num_parallel_calls=2))

    with pytest.raises(tf.errors.NotSendableError, match=r"lock.*Options.executor"):
        list(ds)


def ends_itself_at_3(x):
    if x == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def test_a_killed_process_is_an_error_that_names_its_elements():
    ds = in_processes(
        Dataset.range(40).map(ends_itself_at_3, num_parallel_calls=2, vectorize=False)
    )
    found = outcomes(ds)
    failed = [n for n, one in enumerate(found) if isinstance(one, tf.errors.WorkerError)]
    error = found[3]

    assert 3 in failed
    assert failed == list(range(failed[0], failed[-1] + 1))
    assert "was ended by SIGKILL" in str(error)
    assert f"{failed[0]}" in str(error)
    assert "restart_workers" in str(error)
    assert "map(ends_itself_at_3)" in error.__notes__[0]
    assert error.__notes__[0].endswith("element 3")
    assert [int(x) for n, x in enumerate(found) if n not in failed] == [
        n for n in range(40) if n not in failed
    ]


def test_with_restarts_only_the_element_that_kills_fails():
    ds = in_processes(
        Dataset.range(40).map(ends_itself_at_3, num_parallel_calls=2, vectorize=False),
        restart_workers=True,
    )
    found = outcomes(ds)
    error = found.pop(3)

    assert "element 3 was ended by SIGKILL, twice" in str(error)
    assert [int(x) for x in found] == [n for n in range(40) if n != 3]


def test_with_restarts_a_process_that_somebody_kills_is_not_noticed(tmp_path):
    flag = tmp_path / "killed"

    def dies_once(x):
        if x == 5 and not flag.exists():
            flag.touch()
            os._exit(1)
        return x

    ds = in_processes(
        Dataset.range(20).map(dies_once, num_parallel_calls=2, vectorize=False),
        restart_workers=True,
    )

    assert [int(x) for x in ds] == list(range(20))


# ---- the end ---------------------------------------------------------------------------------


def test_closing_early_ends_a_function_that_hangs():
    def hangs(x):
        if x == 1:
            time.sleep(1000)
        return x

    ds = in_processes(Dataset.range(9).map(hangs, num_parallel_calls=2, vectorize=False))
    it = iter(ds)
    assert next(it) == 0
    it.close()  # which returns

    it = iter(ds)
    assert next(it) == 0
    it.close()


SCRIPT = """
    import os, sys, time
    import feedline as tf

    offset = 100  # of __main__, like the function: and no guard around what the script does

    def work(x):
        time.sleep({sleep})
        return x + offset

    options = tf.data.Options()
    options.executor = "{executor}"
    ds = tf.data.Dataset.range(50).map(work, num_parallel_calls=2, vectorize=False)
    ds = ds.with_options(options)
    it = iter(ds)
    print(int(next(it)), flush=True)
    kept = ds.node.kept["{pool}"]
    print(*kept.pids, flush=True)
    {then}
"""
POOLS = [("processes", "processes"), ("background", "background")]
each_pool = pytest.mark.parametrize(("executor", "pool"), POOLS, ids=["processes", "background"])


@each_pool
def test_a_script_without_a_guard_runs_and_leaves_nothing(tmp_path, executor, pool):
    code = SCRIPT.format(executor=executor, pool=pool, sleep=0, then="print(len(list(it)))")
    process = script(tmp_path, code)
    out, err = process.communicate(timeout=60)

    assert err == ""
    first, pids, count = out.splitlines()
    assert (first, count) == ("100", "49")
    assert ends(map(int, pids.split()))
    assert shared_files() == []


@each_pool
def test_killing_the_parent_ends_its_processes_in_the_middle_of_a_call(tmp_path, executor, pool):
    code = SCRIPT.format(executor=executor, pool=pool, sleep=0, then="time.sleep(1000)")
    code = code.replace("time.sleep(0)", "time.sleep(1000 if x else 0)")
    process = script(tmp_path, code)
    process.stdout.readline()
    pids = [int(pid) for pid in process.stdout.readline().split()]
    process.kill()
    process.communicate(timeout=60)

    assert pids
    assert ends(pids)
    assert shared_files() == []


@each_pool
def test_ctrl_c_ends_everything(tmp_path, executor, pool):
    code = SCRIPT.format(executor=executor, pool=pool, sleep=0.01, then="list(ds.repeat(1000))")
    process = script(tmp_path, code)
    process.stdout.readline()
    pids = [int(pid) for pid in process.stdout.readline().split()]
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, err = process.communicate(timeout=60)

    assert err.rstrip().endswith("KeyboardInterrupt")
    assert err.count("Traceback") == 1
    assert ends(pids)
    assert shared_files() == []


# ---- what cannot be sent --------------------------------------------------------------------


class Unreadable:
    """Pickled well, but not to be made again from its pickle."""

    def __init__(self, x):
        self.x = x

    def __reduce__(self):
        return int, ("no number",)


def kept_here(x):
    return threading.Lock() if x == 5 else x


def unreadable(x):
    return Unreadable(x) if x == 5 else x


ALL_BUT_5 = [0, 1, 2, 3, 4, 6, 7, 8, 9]


@pytest.mark.parametrize("fn", [kept_here, unreadable])
def test_a_result_that_cannot_be_sent_is_a_failure_of_its_element(fn):
    it, got = iter(in_processes(Dataset.range(10).map(fn, num_parallel_calls=2))), []
    with pytest.raises(tf.errors.RemoteError, match=r'map\(.*element 5.*executor = "threads"'):
        got.extend(it)
    got.extend(it)

    assert got == ALL_BUT_5


@pytest.mark.parametrize("fn", [kept_here, unreadable])
def test_a_result_that_cannot_be_sent_is_skipped_where_failures_are(fn):
    ds = Dataset.range(10)
    skipping = ds.map(fn, num_parallel_calls=2, on_error="skip")
    ignoring = ds.map(fn, num_parallel_calls=2).ignore_errors()

    assert list(in_processes(skipping)) == list(in_processes(ignoring)) == ALL_BUT_5


def test_an_element_that_cannot_be_sent_is_a_failure_of_its_own():
    held = Dataset.range(10).map(kept_here, vectorize=False, synchronous=True)
    ds = held.map(lambda x: x, num_parallel_calls=2)

    assert list(in_processes(ds.ignore_errors())) == ALL_BUT_5


def test_ignoring_errors_does_not_hide_a_function_that_cannot_be_sent():
    lock = threading.Lock()
    ds = Dataset.range(10).map(lambda x: (x, lock)[0], num_parallel_calls=2).ignore_errors()

    with pytest.raises(tf.errors.NotSendableError):
        list(in_processes(ds))


class Leaves(SystemExit):
    """No Exception, and not to be pickled."""

    def __reduce__(self):
        raise TypeError("stays here")


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, GeneratorExit, Leaves])
@pytest.mark.parametrize("executor", ["inline", "threads", "processes", "background"])
@pytest.mark.parametrize("ignores", [False, True])
def test_what_is_no_exception_comes_out_as_what_it_is(kind, executor, ignores):
    def leaves(x):
        if x == 5:
            raise kind(3)
        return x

    ds = Dataset.range(10).map(leaves, num_parallel_calls=2, on_error="skip")
    ds = ds.ignore_errors() if ignores else ds
    got = []
    base = SystemExit if kind is Leaves else kind
    with iter(ds.with_options(options(executor))) as it, pytest.raises(base):
        got.extend(it)

    assert got == [*range(len(got))]
    assert len(got) <= 5
