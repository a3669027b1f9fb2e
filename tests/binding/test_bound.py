"""A function keeps the variables that it had when it was given."""

import asyncio
import contextlib
import functools
import gc
import importlib
import inspect
import warnings
import weakref

import numpy as np
import pytest

import feedline as tf
from feedline.binding import bound, bound_together

Dataset = tf.data.Dataset


def numbers(ds):
    return [int(x) for x in ds]


def module(source, **names):
    """Return the global names of a module with some code in it."""
    names = {"tf": tf, "np": np, "functools": functools, "Dataset": Dataset, **names}
    exec(compile(source, "user_module.py", "exec"), names)
    return names


# ---- variables ------------------------------------------------------------------------


def test_a_closed_over_variable_is_that_of_the_moment():
    k = 1
    fn = bound(lambda: k)
    k = 2

    assert fn() == 1


def test_a_global_name_is_that_of_the_moment():
    names = module("k = 1\ndef fn(): return k")
    fn = bound(names["fn"])
    names["k"] = 2

    assert fn() == 1
    assert names["fn"]() == 2


def test_a_global_name_in_a_function_inside_is_that_of_the_moment():
    names = module("k = 1\ndef fn(): return (lambda: [k for _ in 'ab'])()")
    fn = bound(names["fn"])
    names["k"] = 2

    assert fn() == [1, 1]


def test_what_is_inside_a_value_is_shared():
    items, table = [1], np.zeros(2)
    fn = bound(lambda: (sum(items), table.sum()))
    items.append(2)
    table[0] = 5

    assert fn() == (3, 5)


def test_a_name_that_does_not_exist_yet_is_looked_up_later():
    names = module("def fn(): return later(2)")
    fn = bound(names["fn"])
    with pytest.raises(NameError, match="later"):
        fn()
    names["later"] = lambda x: x * 10

    assert fn() == 20
    names["later"] = lambda x: x * 100
    assert fn() == 200


def test_a_variable_that_is_not_assigned_yet_is_looked_up_later():
    def make():
        fn = bound(lambda: later)
        later = 3
        return fn

    assert make()() == 3


def test_a_built_in_name_stays_what_it_is():
    names = module("def fn(): return max(1, 2), missing")
    fn = bound(names["fn"])
    names["max"], names["missing"] = (lambda *_: 99), 7

    assert fn() == (2, 7)


def test_a_function_without_variables_is_not_copied():
    def fn(x, k=2):
        return x + k

    assert bound(fn) is fn
    assert bound(len) is len
    assert bound(tf.reduce_sum) is tf.reduce_sum
    assert bound(np.linspace) is np.linspace


# ---- what is set ----------------------------------------------------------------------


def test_a_function_that_sets_a_global_name_keeps_its_module():
    names = module("count = 0\ndef fn():\n global count\n count += 1\n return count")
    fn = bound(names["fn"])

    assert [fn(), fn(), names["count"]] == [1, 2, 2]


def test_a_name_that_a_helper_sets_is_live_for_all():
    names = module(
        "count = 0\ndef step():\n global count\n count += 1\ndef fn():\n step()\n return count"
    )

    assert bound(names["fn"])() == 1
    assert names["count"] == 1


def test_a_variable_that_the_function_sets_stays_shared():
    calls = 0

    def fn():
        nonlocal calls
        calls += 1

    bound(fn)()

    assert calls == 1


def test_a_variable_that_a_helper_sets_is_shared_by_all():
    count = 0

    def step():
        nonlocal count
        count += 1

    def fn():
        step()
        return count

    assert bound(fn)() == 1


def test_functions_bound_together_share_what_one_sets():
    seen = 0

    def key(x):
        nonlocal seen
        seen += 1
        return x

    first, second = bound_together(key, lambda: seen)
    first(1)

    assert second() == 1


# ---- helpers --------------------------------------------------------------------------


def test_helpers_are_bound_too():
    names = module(
        "k = 1\ndef deep(): return k\ndef helper(): return deep()\nfn = lambda: helper()"
    )
    fn = bound(names["fn"])
    names["k"] = 2
    names["deep"] = lambda: 3

    assert fn() == 1


def test_functions_that_call_themselves_and_each_other_are_bound():
    names = module(
        "k = 1\ndef even(n): return k if n == 0 else odd(n - 1)\n"
        "def odd(n): return -k if n == 0 else even(n - 1)"
    )
    even = bound(names["even"])
    names.update(k=5, odd=None, even=None)

    assert [even(4), even(3)] == [1, -1]


def test_local_functions_that_call_themselves_and_each_other_are_bound():
    k = 1

    def even(n):
        return k if n == 0 else odd(n - 1)

    def odd(n):
        return -k if n == 0 else even(n - 1)

    fn = bound(lambda n: even(n))
    k = 5

    assert [fn(4), fn(3)] == [1, -1]


@pytest.mark.parametrize(
    "make",
    [
        lambda fn: functools.partial(fn),
        lambda fn: functools.partial(lambda f, x: f(x), fn),
        lambda fn: functools.partial(lambda x, f: f(x), f=fn),
        lambda fn: lambda x, f=fn: f(x),
        lambda fn: (lambda f: lambda x: f(x))(fn),
        lambda fn: functools.wraps(fn)(lambda x: fn(x)),
        lambda fn: lambda x, *, f=fn: f(x),
    ],
)
def test_functions_are_found_in(make):
    names = module("k = 1\ndef helper(x): return x + k")
    fn = bound(make(names["helper"]))
    names["k"] = 100

    assert fn(1) == 2


def test_a_method_is_bound_and_its_object_is_shared():
    names = module(
        "k = 1\nclass Parser:\n  scale = 1\n  def parse(self, x): return x * self.scale + k"
    )
    parser = names["Parser"]()
    fn = bound(parser.parse)
    names["k"] = 100
    parser.scale = 10

    assert fn(1) == 11
    assert fn.__self__ is parser


def test_a_partial_without_anything_to_bind_is_not_copied():
    fn = functools.partial(lambda x, k: x * k, k=2)

    assert bound(fn) is fn


def test_the_keywords_of_a_bound_partial_are_shared():
    j = 1
    fn = functools.partial(lambda x, k: x * k + j, k=2)
    ours = bound(fn)
    fn.keywords["k"], j = 5, 100

    assert ours(1) == 6


def test_classes_modules_and_objects_that_can_be_called_are_shared():
    class Adds:
        def __call__(self, x):
            return x + k

    k, adds = 1, Adds()
    fn = bound(lambda: (adds, Adds, np))
    k = 2

    assert fn() == (adds, Adds, np)
    assert bound(adds) is adds
    assert adds(1) == 3


def test_a_wrapper_of_a_library_around_a_users_function_is_bound():
    names = module("k = 1\ndef helper():\n  yield k")
    names["helper"] = contextlib.contextmanager(names["helper"])
    fn = bound(names["helper"])
    names["k"] = 2

    with fn() as k:
        assert k == 1


def test_functions_of_libraries_are_shared():
    fn = bound(lambda: importlib.import_module)

    assert fn() is importlib.import_module


def test_a_function_that_is_compared_is_the_same_object():
    names = module(
        "k = 1\ndef helper(): return k\nTABLE = {helper: 'found'}\n"
        "def fn(other): return TABLE[helper], helper is other, other in TABLE"
    )

    assert bound(names["fn"])(names["helper"]) == ("found", True, True)


def test_functions_bound_at_once_are_the_same_for_each_other():
    names = module("k = 1\ndef helper(): return k\npick = lambda f: lambda: (f, helper)")
    one, other = bound(names["pick"](names["helper"]))()

    assert one is other


# ---- code that looks around -----------------------------------------------------------


@pytest.mark.parametrize("body", ["globals()['k']", "eval('k')"])
def test_code_that_looks_around_sees_its_module_as_it_is(body):
    names = module(f"k = 1\ndef fn(): return {body}, k")
    fn = bound(names["fn"])
    names["k"] = 2

    assert fn() == (2, 2)


def test_imports_inside_work():
    def fn():
        import json  # noqa: PLC0415
        from collections import deque  # noqa: PLC0415

        return json.dumps(list(deque([numbers([1])])))

    assert bound(fn)() == "[[1]]"


def test_relative_imports_inside_work():
    def fn():
        from . import test_mentioned  # noqa: PLC0415

        return numbers, test_mentioned.__name__

    assert bound(fn)()[1] == "tests.binding.test_mentioned"


def test_classes_defined_inside_know_their_module():
    def fn():
        class Inner:
            value = numbers([3])

        return Inner

    assert bound(fn)().__module__ == __name__
    assert bound(fn)().value == [3]


def test_super_works():
    names = module(
        "k = 1\nclass A:\n  def f(self): return k\n"
        "class B(A):\n  def f(self): return super().f(), k, __class__.__name__"
    )

    assert bound(names["B"]().f)() == (1, 1, "B")


def test_a_debugger_sees_all_names():
    names = module("k = j = 1\ndef fn():\n  k\n  breakpoint()")

    assert bound(names["fn"]).__globals__["j"] == 1


def test_a_warning_that_was_shown_is_not_shown_again():
    names = module("import warnings\ndef fn(): warnings.warn('seen')")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        names["fn"]()
        for _ in range(3):
            bound(names["fn"])()

    assert len(caught) == 1


# ---- what a function looks like -------------------------------------------------------


def test_a_bound_function_looks_like_the_function():
    k = 1

    def fn(x: int, *, rng=None) -> int:
        """Say something."""
        return x + k

    fn.note = "kept"
    ours = bound(fn)
    fn.later = "seen"

    assert ours is not fn
    assert (ours.__name__, ours.__qualname__) == (fn.__name__, fn.__qualname__)
    assert (ours.__doc__, ours.__module__) == (fn.__doc__, fn.__module__)
    assert ours.__annotations__ == fn.__annotations__
    assert inspect.signature(ours) == inspect.signature(fn)
    assert inspect.getsource(ours) == inspect.getsource(fn)
    assert (ours.note, ours.later) == ("kept", "seen")


def test_generators_and_coroutines_are_bound():
    k = 1

    def generate():
        yield k

    async def wait():
        return k

    generate_, wait_ = bound(generate), bound(wait)
    k = 2

    assert list(generate_()) == [1]
    assert asyncio.run(wait_()) == 1
    assert inspect.iscoroutinefunction(wait_)


def test_a_bound_function_keeps_nothing_that_it_does_not_mention():
    class Large:
        pass

    names = module("k = 1\ndef fn(): return k", large=Large())
    gone = weakref.ref(names["large"])
    fn = bound(names["fn"])
    names.clear()
    gc.collect()

    assert gone() is None
    assert fn() == 1


def test_a_bound_function_is_freed_without_the_garbage_collector():
    k = [1]
    names = module("j = 1\ndef helper(): return j")
    helper = names["helper"]
    fn = bound(lambda: (k, helper()))
    gone = weakref.ref(fn)
    gc.disable()
    try:
        del fn
        assert gone() is None
    finally:
        gc.enable()


def test_any_mixture_of_helpers_gives_what_it_gave_at_the_moment():
    draws = np.random.default_rng(0)
    for _ in range(50):
        count = int(draws.integers(2, 7))
        lines = [f"k{n} = {n + 1}" for n in range(count)]
        for n in range(count):
            calls = [f"f{int(m)}(x - 1)" for m in draws.integers(0, count, 2)]
            body = f"k{n} + {' + '.join(calls)}" if draws.random() < 0.8 else f"k{n}"
            lines.append(f"def f{n}(x): return 0 if x <= 0 else {body}")
        names = module("\n".join(lines))
        expected = names["f0"](4)
        fn = bound(names["f0"])
        for n in range(count):
            names[f"k{n}"] = 1000
            if draws.random() < 0.5:
                names[f"f{n}"] = None

        assert fn(4) == expected


# ---- steps of a pipeline --------------------------------------------------------------


def batches(ds):
    return [x.tolist() for x in ds]


STEPS = {
    "map": lambda ds, k: ds.map(lambda x: x + k()),
    "plain map": lambda ds, k: ds.map(lambda x: x + k(), vectorize=False),
    "parallel map": lambda ds, k: ds.map(lambda x: x + k(), num_parallel_calls=2),
    "replacement": lambda ds, k: ds.map(
        lambda x: 1 // int(x - x), on_error=tf.data.ErrorPolicy("replace", lambda *_: k())
    ),
    "filter": lambda ds, k: ds.filter(lambda x: x > k()),
    "take_while": lambda ds, k: ds.take_while(lambda x: x < k()),
    "flat_map": lambda ds, k: ds.flat_map(lambda x: Dataset.range(k())),
    "interleave": lambda ds, k: ds.interleave(lambda x: Dataset.range(k()), 2),
    "scan": lambda ds, k: ds.scan(np.int64(0), lambda s, x: (s + k(), s + x)),
    "group_by_window key": lambda ds, k: ds.group_by_window(
        lambda x: x % k(), lambda _, w: w.batch(9), 9
    ),
    "group_by_window reduce": lambda ds, k: ds.group_by_window(
        lambda x: x % 2, lambda _, w: w.batch(k()), 9
    ),
    "group_by_window size": lambda ds, k: ds.group_by_window(
        lambda x: x % 2, lambda _, w: w.batch(9), window_size_func=lambda _: k()
    ),
    "bucket_by_sequence_length": lambda ds, k: ds.map(lambda x: x[None]).bucket_by_sequence_length(
        lambda x: k() + int(x[0]), [4], [2, 2]
    ),
    "rejection_resample": lambda ds, k: ds.rejection_resample(
        lambda x: (x + k()) % 2, [0.5, 0.5], [0.5, 0.5], seed=1
    ).map(lambda c, x: c),
    "group_by_reducer": lambda ds, k: ds.apply(
        tf.data.experimental.group_by_reducer(
            lambda x: x % 2,
            tf.data.experimental.Reducer(
                lambda _: np.int64(k()), lambda s, x: s + x + k(), lambda s: s * k()
            ),
        )
    ),
    "sample_from_datasets": lambda ds, k: Dataset.sample_from_datasets(
        [ds, ds.map(lambda x: x + 10)],
        lambda _: [float(k() == 3), float(k() != 3)],
        seed=1,
        stop_on_empty_dataset=True,
    ),
    "from_generator": lambda ds, k: Dataset.from_generator(
        lambda: iter(range(k())), output_signature=tf.TensorSpec((), np.int64)
    ),
}


@pytest.mark.parametrize("executor", ["inline", "threads", "background"])
@pytest.mark.parametrize("step", STEPS)
def test_a_step_keeps_what_its_functions_had(step, executor):
    expected = batches(STEPS[step](Dataset.range(6), lambda: 3))
    names = module("k = 3\ndef value(): return k")
    ds = STEPS[step](Dataset.range(6), names["value"])
    options = tf.data.Options()
    options.executor = executor
    names["k"] = 5

    assert batches(ds.with_options(options)) == expected


@pytest.mark.parametrize("vectorize", [None, False])
def test_a_loop_gives_every_map_its_own_variable(vectorize):
    sets = []
    for i in range(3):
        sets.append(Dataset.range(100).map(lambda x: x + i, vectorize=vectorize))  # noqa: B023, PERF401

    assert [numbers(ds)[-1] for ds in sets] == [99, 100, 101]


def test_functions_inside_functions_of_a_step_are_bound_for_each_element():
    def several(x):
        ds = Dataset.from_tensors(x)
        for i in range(3):
            ds = ds.map(lambda y: y * 10 + i)  # noqa: B023
        return ds

    assert numbers(Dataset.range(3).flat_map(several)) == [12, 1012, 2012]


def test_a_changed_variable_does_not_change_what_was_recorded():
    names = module("k = 1\ndef fn(x): return x + k")
    ds = Dataset.range(1000).map(names["fn"])
    assert numbers(ds)[-1] == 1000
    names["k"] = 7

    assert numbers(ds)[-1] == 1000
    assert "vectorised" in ds.explain()


def test_contents_that_change_are_seen_by_what_was_recorded():
    table = {"k": 1}
    ds = Dataset.range(1000).map(lambda x: x + table["k"])
    assert numbers(ds)[-1] == 1000
    table["k"] = 7

    assert numbers(ds)[-1] == 1006


def test_a_recorded_function_is_bound():
    names = module("k = 1\n@tf.function\ndef scaled(x): return x + k")
    ds = Dataset.range(3).map(names["scaled"])
    helper = Dataset.range(3).map(module("fn = lambda x: scaled(x)", scaled=names["scaled"])["fn"])
    names["k"] = 7

    assert numbers(ds) == numbers(helper) == [1, 2, 3]


def test_an_error_still_names_the_step_and_the_line():
    k = 0
    ds = Dataset.range(3).map(lambda x: 1 // k)
    with pytest.raises(ZeroDivisionError) as caught:
        list(ds)

    assert "map(<lambda>) built at test_bound.py" in caught.value.__notes__[0]


def test_a_function_that_draws_still_gets_its_generator():
    k = 5

    def fn(x, rng):
        return rng.integers(k) + 10 * k

    ds = Dataset.range(4).map(fn)
    k = 1

    assert all(50 <= x < 55 for x in numbers(ds))


def test_reduce_binds_its_function():
    names = module("k = 2\ndef add(s, x):\n  return s + x * k")

    def elements():
        names["k"] = 100
        yield from range(4)

    ds = Dataset.from_generator(elements, output_signature=tf.TensorSpec((), np.int64))

    assert int(ds.reduce(np.int64(0), names["add"])) == 12


def test_save_tfrecord_binds_its_function(tmp_path):
    names = module("k = b'a'\ndef serialize(x): return k")

    def elements():
        names["k"] = b"b"
        yield 1

    ds = Dataset.from_generator(elements, output_signature=tf.TensorSpec((), np.int64))
    files = ds.save_tfrecord(tmp_path / "records", names["serialize"])

    assert [bytes(x) for x in tf.data.TFRecordDataset(files)] == [b"a"]
