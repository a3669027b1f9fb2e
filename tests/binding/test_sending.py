"""Bound functions in pickles."""

import functools
import pickle

import cloudpickle
import pytest

import feedline as tf
from feedline.parallel.pickling import pickled
from feedline.plan.fingerprint import fingerprint
from tests.binding import settings

Dataset = tf.data.Dataset


@pytest.fixture(autouse=True)
def _put_back():
    yield
    settings.SCALE, settings.TABLE = 1, None


def numbers(ds):
    return [int(x) for x in ds]


def in_(executor, ds):
    options = tf.data.Options()
    options.executor = executor
    return numbers(ds.with_options(options))


WAYS = {"plain": pickle.dumps, "cloudpickle": cloudpickle.dumps, "ours": pickled}
each_way = pytest.mark.parametrize("dumps", WAYS.values(), ids=WAYS.keys())
FUNCTIONS = {
    "function": lambda: settings.guarded,
    "partial": lambda: functools.partial(settings.guarded),
    "method": lambda: settings.Parser().parse,
}


@each_way
@pytest.mark.parametrize("fn", FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_a_function_of_a_module_is_sent_by_name(dumps, fn):
    ds = Dataset.range(3).map(fn())
    data = dumps(ds)

    assert len(data) < 2_500
    assert numbers(pickle.loads(data)) == numbers(ds)


@each_way
def test_numbers_go_with_the_name(dumps):
    settings.SCALE = 5
    data = dumps(Dataset.range(3).map(settings.guarded))
    settings.SCALE = 1

    assert numbers(pickle.loads(data)) == [0, 5, 10]


@pytest.mark.parametrize("dumps", [cloudpickle.dumps, pickled])
def test_a_local_function_is_sent_with_what_it_was_bound_to(dumps):
    k = 3
    ds = Dataset.range(3).map(lambda x: settings.guarded(x) + k)
    wrapped = Dataset.range(3).map(settings.making())
    k = 100

    assert numbers(pickle.loads(dumps(ds))) == [3, 4, 5]
    assert numbers(pickle.loads(dumps(wrapped))) == [0, 1, 2]


@pytest.mark.parametrize("dumps", [cloudpickle.dumps, pickled])
def test_a_helper_with_a_lock_in_its_module_goes_by_name(dumps):
    helper, k = settings.guarded, 3
    fns = [lambda x: helper(x) + k, functools.partial(lambda f, x: f(x) + k, helper)]

    for fn in fns:
        assert numbers(pickle.loads(dumps(Dataset.range(2).map(fn)))) == [3, 4]


@pytest.mark.parametrize("dumps", [cloudpickle.dumps, pickled])
def test_a_function_whose_module_has_changed_is_sent_by_value(dumps):
    settings.SCALE = 5
    ds = Dataset.range(3).map(settings.scaled)
    settings.SCALE = 7
    data = dumps(ds)
    settings.SCALE = 1

    assert numbers(pickle.loads(data)) == [0, 5, 10]


def test_a_function_that_calls_itself_goes_by_name():
    settings.SCALE = 5
    ds = Dataset.range(3).map(settings.counts_down)

    assert numbers(pickle.loads(pickle.dumps(ds))) == [5, 5, 5]


@pytest.mark.parametrize("dumps", [cloudpickle.dumps, pickled])
def test_a_name_that_came_later_is_sent(dumps):
    names = {}
    exec("def fn(x): return later(x) + 1", names)
    ds = Dataset.range(2).map(names["fn"])
    exec("def later(x): return x * 10", names)

    assert numbers(pickle.loads(dumps(ds))) == [1, 11]


@pytest.mark.parametrize("dumps", [cloudpickle.dumps, pickled])
def test_functions_inside_other_objects_are_sent(dumps):
    steps = [
        lambda ds, f: ds.group_by_window(f, lambda _, w: w.batch(9), 9).unbatch(),
        lambda ds, f: ds.rejection_resample(f, [0.5, 0.5], seed=1).map(lambda _, x: x),
        lambda ds, f: (
            ds.map(lambda x: x[None])
            .bucket_by_sequence_length(functools.partial(lambda g, x: g(int(x[0])), f), [9], [4, 4])
            .unbatch()
            .map(lambda x: x[0])
        ),
        lambda ds, f: ds.apply(
            tf.data.experimental.group_by_reducer(
                f, tf.data.experimental.Reducer(f, lambda s, x: s + x, f)
            )
        ),
    ]
    for step in steps:
        ds = step(Dataset.range(2), settings.guarded)

        assert numbers(pickle.loads(dumps(ds))) == numbers(ds)


def test_the_fingerprint_is_that_of_the_function_itself():
    k = 3

    def fn(x):
        return settings.guarded(x) + k

    node = Dataset.range(2).map(fn).node
    object.__setattr__(node, "fn", fn)
    again = Dataset.range(2).map(fn).node

    assert fingerprint(node) == fingerprint(again)


def test_a_bound_function_that_arrived_can_be_sent_on():
    settings.SCALE = 5
    once = pickle.loads(pickle.dumps(Dataset.range(3).map(settings.guarded)))
    twice = pickle.loads(pickle.dumps(once))

    assert numbers(twice) == [0, 5, 10]


@pytest.mark.parametrize("executor", ["inline", "threads", "processes", "background"])
@pytest.mark.parametrize("vectorize", [None, False])
def test_every_executor_sees_what_was_bound(executor, vectorize):
    k = 3
    settings.SCALE = 5
    make = {"num_parallel_calls": 2, "vectorize": vectorize}
    local = Dataset.range(4).map(lambda x: settings.scaled(x) + k, **make)
    helper = settings.scaled
    by_name = Dataset.range(4).map(helper, **make)
    through = Dataset.range(4).map(lambda x: helper(x) + k, **make)
    k = 1000

    assert in_(executor, by_name) == [0, 5, 10, 15]
    assert in_(executor, through) == [3, 8, 13, 18]
    settings.SCALE = 7
    assert in_(executor, by_name) == [0, 5, 10, 15]
    assert in_(executor, through) == [3, 8, 13, 18]
    assert in_("inline", local) == [3, 10, 17, 24]  # through a module, which is an object
