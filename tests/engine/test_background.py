"""A whole pipeline in a process of its own: the same elements, errors and states."""

import gc
import json
import os
import signal
import threading

import numpy as np
import pytest

import feedline as tf
from feedline.debug_mode import set_debug_mode
from feedline.engine import background
from feedline.testing import assert_same_elements
from tests.parallel.leftovers import children, shared_files

Dataset = tf.data.Dataset


@pytest.fixture(autouse=True, scope="module")
def nothing_left():
    before = children()
    yield
    gc.collect()
    assert children() == before
    assert shared_files() == []


def in_background(ds, **settings):
    options = tf.data.Options()
    options.executor = "background"
    for name, value in settings.items():
        setattr(options, name, value)
    return ds.with_options(options)


def process_of(ds):
    (pid,) = ds.node.kept["background"].pids
    return pid


def outcomes(it):
    found = []
    while True:
        try:
            found.append(next(it))
        except StopIteration:
            return found
        except Exception as error:
            found.append(error)


def test_elements_are_the_same_in_every_epoch_and_one_process_makes_them():
    def built():
        ds = Dataset.range(100).map(lambda x, rng: (x, rng.random()))
        return ds.shuffle(20, seed=3).batch(7).with_options(seeded)

    seeded = tf.data.Options()
    seeded.seed = 4
    here, there = built(), in_background(built())
    pids = set()
    for _ in range(3):
        assert_same_elements(list(there), list(here))
        pids.add(process_of(there))

    assert len(pids) == 1
    assert pids != {os.getpid()}


def test_datasets_that_are_elements_arrive():
    ds = in_background(Dataset.range(7).window(3))

    assert [[int(x) for x in window] for window in ds] == [[0, 1, 2], [3, 4, 5], [6]]


def test_large_blocks_arrive():
    ds = in_background(Dataset.range(6).map(lambda x: np.full(300_000, x)))

    assert [int(array.sum()) // 300_000 for array in ds] == list(range(6))


def test_an_infinite_pipeline_computes_only_so_much_ahead():
    it = iter(in_background(Dataset.range(3).repeat().map(lambda x: np.full(100_000, x))))

    assert [int(next(it)[0]) for _ in range(20)] == [n % 3 for n in range(20)]
    it.close()


def test_two_iterations_at_once_do_not_disturb_each_other():
    ds = in_background(Dataset.range(50))

    assert [(int(a), int(b)) for a, b in zip(ds, ds, strict=True)] == [(n, n) for n in range(50)]


def test_a_cache_is_filled_once():
    calls = []
    ds = in_background(
        Dataset.range(5).map(lambda x: calls.append(0) or len(calls), vectorize=False).cache()
    )

    assert list(ds) == list(ds) == [1, 2, 3, 4, 5]
    assert calls == []


@pytest.mark.parametrize(
    "built",
    [
        lambda ds: ds.shuffle(12, seed=1).cache(),
        lambda ds: ds.shuffle(12).cache().map(lambda x: x + 1),
        lambda ds: ds.map(lambda x, rng: rng.random()).cache(),
        lambda ds: ds.shuffle(12).cache().repeat(2).batch(12),
    ],
)
def test_what_lies_before_a_cache_draws_once(built):
    ds = in_background(built(Dataset.range(12)))
    first = list(ds)

    assert_same_elements(list(ds), first)
    assert_same_elements(list(ds), first)


def test_what_lies_after_a_cache_draws_in_every_epoch():
    ds = in_background(Dataset.range(100).cache().shuffle(100, seed=1))

    assert [int(x) for x in ds] != [int(x) for x in ds]


def test_errors_come_in_their_place():
    def fails_at_5(x):
        if x == 5:
            raise KeyError("five")
        return x

    found = outcomes(iter(in_background(Dataset.range(9).map(fails_at_5))))
    error = found.pop(5)

    assert type(error) is KeyError
    assert error.__notes__[0].endswith("element 5")
    assert [int(x) for x in found] == [0, 1, 2, 3, 4, 6, 7, 8]


def test_a_state_out_of_order_continues_with_what_is_left():
    def built():
        return Dataset.range(60).map(
            lambda x: x, num_parallel_calls=2, deterministic=False, vectorize=False
        )

    it = iter(in_background(built()))
    for cut in range(0, 60, 13):
        state = json.loads(json.dumps(it.state_dict()))
        rest = iter(built() if cut % 2 else in_background(built()))
        rest.load_state_dict(state)
        head = [int(next(it)) for _ in range(min(13, 60 - cut))]
        again = [int(x) for x in rest]

        assert len(again) == 60 - cut
        assert set(head) <= set(again)


def test_a_state_from_amid_a_block_out_of_order_continues_in_the_same_order():
    ds = Dataset.range(40).map(
        lambda x: x, num_parallel_calls=2, deterministic=False, vectorize=False
    )
    it = iter(in_background(ds))
    head = [int(next(it)) for _ in range(11)]
    state = json.loads(json.dumps(it.state_dict()))
    rest = iter(ds)
    rest.load_state_dict(state)

    assert sorted([*head, *map(int, rest)]) == list(range(40))


def test_a_pipeline_that_cannot_be_sent_is_refused_with_what_to_do():
    lock = threading.Lock()

    with pytest.raises(tf.errors.NotSendableError, match=r"lock.*Options.executor"):
        list(in_background(Dataset.range(3).map(lambda x: lock and x)))


def test_a_killed_process_is_an_error_and_going_on_loses_nothing():
    ds = in_background(Dataset.range(5000).batch(2))
    it = iter(ds)
    head = [next(it) for _ in range(3)]
    os.kill(process_of(ds), signal.SIGKILL)
    found = head + outcomes(it)
    errors = [one for one in found if isinstance(one, Exception)]

    assert [type(error) for error in errors] == [tf.errors.WorkerError]
    assert "was ended by SIGKILL, after" in str(errors[0])
    batches = [one for one in found if not isinstance(one, Exception)]
    assert np.concatenate(batches).tolist() == list(range(5000))


def test_with_restarts_a_killed_process_is_not_noticed():
    ds = in_background(Dataset.range(5000).batch(2), restart_workers=True)
    it = iter(ds)
    head = [next(it) for _ in range(3)]
    os.kill(process_of(ds), signal.SIGKILL)

    assert np.concatenate([*head, *it]).tolist() == list(range(5000))


def test_a_process_that_always_dies_is_an_error_even_with_restarts():
    ds = in_background(Dataset.range(5).map(lambda x: os._exit(4)), restart_workers=True)

    with pytest.raises(tf.errors.WorkerError, match="ended with exit code 4, after 0 elements"):
        list(ds)


def test_ctrl_c_here_loses_nothing():
    ds = in_background(Dataset.range(30))
    it = iter(ds)
    head = [next(it) for _ in range(4)]
    operator = it._driver._stream._exec.input._exec
    operator._worker.is_usable = False  # as an interrupt amid an exchange leaves it
    operator._leave()

    assert [int(x) for x in [*head, *it]] == list(range(30))


def test_ctrl_c_as_a_process_begins_loses_nothing(monkeypatch):
    unmarked = background._unmarked

    def once(*args):
        monkeypatch.setattr(background, "_unmarked", unmarked)
        raise KeyboardInterrupt

    monkeypatch.setattr(background, "_unmarked", once)
    it = iter(in_background(Dataset.range(30)))
    with pytest.raises(KeyboardInterrupt):
        next(it)

    assert [int(x) for x in it] == list(range(30))


def test_debug_mode_stays_in_this_process():
    set_debug_mode(True)
    try:
        pids = set(map(int, in_background(Dataset.range(3).map(lambda x: os.getpid()))))
    finally:
        set_debug_mode(False)

    assert pids == {os.getpid()}


class Unloadable:
    """Is pickled, but cannot be loaded."""

    def __reduce__(self):
        return int, ("no number",)


@pytest.mark.parametrize("bad", [threading.Lock, Unloadable])
@pytest.mark.parametrize("deterministic", [True, False])
def test_an_element_that_cannot_be_sent_is_an_error_once_and_the_others_come(bad, deterministic):
    def sometimes_bad(x):
        return (int(x), bad() if x in (3, 7) else 0)

    ds = Dataset.range(10).map(
        sometimes_bad, num_parallel_calls=2, deterministic=deterministic, vectorize=False
    )
    found = outcomes(iter(in_background(ds)))
    errors = [error for error in found if isinstance(error, Exception)]
    numbers = sorted(int(one[0]) for one in found if not isinstance(one, Exception))

    assert numbers == [0, 1, 2, 4, 5, 6, 8, 9]
    assert [type(error) for error in errors] == [tf.errors.RemoteError] * 2
    assert all("cannot be sent from the background process" in str(error) for error in errors)


def test_the_error_names_the_element_that_cannot_be_sent():
    ds = Dataset.range(10).map(lambda x: threading.Lock() if x in (3, 7) else int(x))
    found = outcomes(iter(in_background(ds)))

    assert "element 3 cannot be sent" in str(found[3])
    assert "element 7 cannot be sent" in str(found[7])


def test_ignore_errors_leaves_out_what_cannot_be_sent():
    ds = Dataset.range(10).map(lambda x: (int(x), threading.Lock() if x == 3 else 0))
    ds = in_background(ds.ignore_errors().prefetch(2))

    assert [int(one[0]) for one in ds] == [0, 1, 2, 4, 5, 6, 7, 8, 9]


def test_a_state_after_what_could_not_be_sent_continues_with_the_next():
    def built():
        return Dataset.range(10).map(lambda x: (int(x), threading.Lock() if x == 3 else 0))

    it = iter(in_background(built()))
    head = [int(next(it)[0]) for _ in range(3)]
    with pytest.raises(tf.errors.RemoteError):
        next(it)
    head.append(int(next(it)[0]))
    here = iter(built())
    here.load_state_dict(it.state_dict())

    assert head == [0, 1, 2, 4]
    assert [int(one[0]) for one in here] == [int(one[0]) for one in it] == [5, 6, 7, 8, 9]
