"""map(on_error=...): what becomes of elements on which the function fails."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError, BuildTypeError, SpecError, TooManyFailuresError
from feedline.testing import CHECKS, check_resume, check_resume_in_fresh_process

Dataset, ErrorPolicy, Options = tf.data.Dataset, tf.data.ErrorPolicy, tf.data.Options


def fails(x):
    if x % 5 == 3:
        raise KeyError(f"no {x}")
    return x * 2


def fails_seldom(x):
    if x in (4, 7):
        raise ValueError(f"not {x}")
    return {"a": x, "b": np.arange(int(x) % 3)}


SKIP = ErrorPolicy("skip", max_failures=100, max_share=0.9)
REPLACE = ErrorPolicy("replace", replacement=lambda element, error: element + 1000)
CASES = {
    "skip": Dataset.range(23).map(fails, on_error="skip"),
    "skip in threads": Dataset.range(23).map(fails, num_parallel_calls=3, on_error="skip"),
    "skip with a budget": Dataset.range(23).map(fails, on_error=SKIP),
    "skip with a budget in threads": Dataset.range(23).map(
        fails, num_parallel_calls=2, on_error=SKIP
    ),
    "replace by a value": Dataset.range(23).map(
        fails, on_error=ErrorPolicy("replace", replacement=np.int64(-1))
    ),
    "replace by a function": Dataset.range(23).map(fails, on_error=REPLACE),
    "replace in threads": Dataset.range(23).map(fails, num_parallel_calls=3, on_error=REPLACE),
    "retries": Dataset.range(9).map(lambda x: x + 1, on_error=ErrorPolicy(retries=2)),
    "structures": Dataset.range(12).map(fails_seldom, on_error="skip"),
    "batches": Dataset.range(23).map(fails, on_error="skip").batch(4),
    "epochs": Dataset.range(9).map(fails, on_error=SKIP).repeat(3).shuffle(5, seed=1),
    "one after the other": Dataset.range(23)
    .map(fails, on_error="skip")
    .map(fails, num_parallel_calls=2, on_error=REPLACE),
    "tuples": Dataset.range(9)
    .enumerate()
    .map(lambda i, x: fails(x) + i, on_error=ErrorPolicy("replace", replacement=np.int64(-1))),
}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", CASES)
def test_a_policy_keeps_every_promise(name, check):
    check(CASES[name])


def test_a_policy_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES["skip with a budget in threads"])


# ---- against plain Python ------------------------------------------------------------------


def reference(length, failing, action, max_failures):
    """Return the elements, and how many elements there were when it was too much, if it was."""
    found, failures = [], 0
    for x in range(length):
        if x not in failing:
            found.append(x)
            continue
        failures += 1
        if max_failures is not None and failures > max_failures:
            return found, x + 1
        if action == "replace":
            found.append(-x)
    return found, None


def outcome(ds):
    found, it = [], iter(ds)
    try:
        found.extend(map(int, it))
    except TooManyFailuresError as error:
        return found, str(error)
    finally:
        it.close()
    return found, None


WAYS = {
    "inline": {},
    "one thread": {"num_parallel_calls": 1},
    "threads": {"num_parallel_calls": 3},
}


@given(
    length=st.integers(0, 40),
    failing=st.sets(st.integers(0, 39)),
    action=st.sampled_from(["skip", "replace"]),
    max_failures=st.none() | st.integers(0, 6),
    way=st.sampled_from(sorted(WAYS)),
    block_size=st.sampled_from([None, 1, 2, 7]),
)
def test_what_comes_out_is_what_plain_python_gives(
    length, failing, action, max_failures, way, block_size
):
    def fn(x):
        if int(x) in failing:
            raise ValueError(int(x))
        return x

    replacement = (lambda element, error: -element) if action == "replace" else None
    policy = ErrorPolicy(action, replacement, max_failures=max_failures)
    ds = Dataset.range(length).map(fn, on_error=policy, vectorize=False, **WAYS[way])
    found, text = outcome(ds.with_options(Options(block_size=block_size)))
    expected, seen = reference(length, failing, action, max_failures)

    assert found == expected
    assert (text is None) == (seen is None)
    assert seen is None or f"{max_failures + 1} of {seen} elements failed" in text


@given(
    failing=st.sets(st.integers(0, 29)),
    action=st.sampled_from(["skip", "replace"]),
    cut=st.integers(0, 30),
)
def test_out_of_order_the_same_elements_come_also_after_a_resume(failing, action, cut):
    def fn(x):
        if int(x) in failing:
            raise ValueError(int(x))
        return x

    replacement = (lambda element, error: -element) if action == "replace" else None
    policy = ErrorPolicy(action, replacement, max_failures=30)
    ds = Dataset.range(30).map(
        fn, num_parallel_calls=3, deterministic=False, on_error=policy, vectorize=False
    )
    it = iter(ds)
    head = [int(x) for x in itertools.islice(it, cut)]
    saved = it.state_dict()
    it.close()
    again = iter(ds)
    again.load_state_dict(saved)
    rest = [int(x) for x in again]

    assert sorted(head + rest) == sorted(reference(30, failing, action, None)[0])


@pytest.mark.parametrize("cut", range(0, 24, 3))
@pytest.mark.parametrize("way", WAYS)
def test_the_number_of_failures_is_part_of_the_state(way, cut):
    policy = ErrorPolicy("skip", max_failures=5)
    ds = Dataset.range(60).map(fails, on_error=policy, **WAYS[way])
    it = iter(ds)
    head = [int(x) for x in itertools.islice(it, cut)]
    saved = it.state_dict()
    it.close()
    again = iter(ds)
    again.load_state_dict(saved)
    rest = []
    with pytest.raises(TooManyFailuresError, match="6 of 29 elements failed"):
        rest.extend(int(x) for x in again)
    again.close()

    assert len(head) == cut


# ---- budgets -------------------------------------------------------------------------------


def test_too_many_failures_name_the_last_ones_and_come_from_the_last():
    ds = Dataset.range(60).map(fails, on_error=ErrorPolicy("skip", max_failures=2))

    with pytest.raises(TooManyFailuresError) as caught:
        list(ds)

    assert "3 of 14 elements failed, more than max_failures=2 allows" in str(caught.value)
    assert "element 13: KeyError: 'no 13'" in str(caught.value)
    assert "map(fails) built at test_on_error.py" in str(caught.value)
    assert isinstance(caught.value.__cause__, KeyError)


def test_after_too_many_failures_the_next_elements_still_come():
    it = iter(Dataset.range(8).map(fails, on_error=ErrorPolicy("skip", max_failures=0)))
    head = [int(next(it)) for _ in range(3)]
    with pytest.raises(TooManyFailuresError):
        next(it)

    assert [*head, *map(int, it)] == [0, 2, 4, 8, 10, 12, 14]


def test_a_share_is_looked_at_from_the_hundredth_element_on():
    ds = Dataset.range(200).map(fails, on_error=ErrorPolicy("skip", max_share=0.1))

    with pytest.raises(TooManyFailuresError, match="21 of 104 elements failed"):
        list(ds)


def test_a_share_is_looked_at_in_the_end():
    it = iter(Dataset.range(10).map(fails, on_error=ErrorPolicy("skip", max_share=0.1)))
    head = [int(next(it)) for _ in range(8)]

    with pytest.raises(TooManyFailuresError, match="2 of 10 elements failed"):
        next(it)
    assert head == [0, 2, 4, 8, 10, 12, 14, 18]
    assert list(it) == []


def test_a_share_that_is_just_reached_is_allowed():
    policy = ErrorPolicy("skip", max_share=0.2)
    ds = Dataset.range(200).map(lambda x: fails(x - 1), on_error=policy)

    assert len(list(ds)) == 160


def test_every_epoch_has_a_budget_of_its_own():
    ds = Dataset.range(10).map(fails, on_error=ErrorPolicy("skip", max_failures=2)).repeat(3)

    assert len(list(ds)) == 24


def test_ignore_errors_lets_too_many_failures_through():
    ds = Dataset.range(60).map(fails, on_error=ErrorPolicy("skip", max_failures=1))

    with pytest.raises(TooManyFailuresError):
        list(ds.ignore_errors())


# ---- whose failures ------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_failures_of_other_steps_pass_through(way):
    below = Dataset.range(10).map(fails)
    ds = below.map(lambda x: 10 // (int(x) - 8), on_error="skip", **WAYS[way])
    it = iter(ds)
    head = [int(next(it)) for _ in range(3)]
    with pytest.raises(KeyError):
        next(it)
    with pytest.raises(KeyError):
        list(it)

    assert head == [-2, -2, -3]


def test_results_of_another_structure_count_as_failures():
    ds = Dataset.range(6).map(lambda x: (x, x) if x == 3 else x, on_error="skip", vectorize=False)

    assert [int(x) for x in ds] == [0, 1, 2, 4, 5]


def test_a_replacement_of_another_structure_is_refused():
    policy = ErrorPolicy("replace", replacement=(1, 2))

    with pytest.raises(SpecError, match="ErrorPolicy"):
        list(Dataset.range(6).map(fails, on_error=policy))


def test_a_replacement_may_come_first():
    policy = ErrorPolicy("replace", replacement=-1)

    assert [int(x) for x in Dataset.range(3, 6).map(fails, on_error=policy)] == [-1, 8, 10]


def test_a_function_that_makes_replacements_gets_element_and_exception():
    seen = []
    policy = ErrorPolicy("replace", replacement=lambda *got: seen.append(got) or 0)
    list(Dataset.range(5).enumerate().map(lambda i, x: fails(x), on_error=policy))

    ((element, error),) = seen
    assert element == (3, 3)
    assert isinstance(error, KeyError)


def test_the_element_a_replacement_is_made_of_is_as_it_was():
    def spoils(x):
        x += 100
        raise ValueError

    policy = ErrorPolicy("replace", replacement=lambda element, error: element)
    ds = Dataset.from_tensor_slices(np.arange(6).reshape(3, 2)).map(spoils, on_error=policy)

    assert [x.tolist() for x in ds] == [[0, 1], [2, 3], [4, 5]]


def test_maps_with_a_policy_are_not_made_one():
    ds = Dataset.range(9).map(lambda x: x + 1).map(lambda x: x * 2, on_error="skip")

    assert "map_fusion" not in str(ds.explain())
    assert "on_error='skip'" in str(ds.explain())


def test_how_many_elements_are_left_is_unknown():
    skipping = Dataset.range(9).map(fails, on_error="skip")

    assert skipping.cardinality() == tf.data.UNKNOWN_CARDINALITY
    assert Dataset.range(9).map(fails, on_error=REPLACE).cardinality() == 9
    with pytest.raises(TypeError):
        skipping[0]


def test_a_state_that_was_saved_before_a_failure_continues_with_another_policy():
    it = iter(Dataset.range(9).map(fails))
    head = [int(next(it)) for _ in range(3)]
    again = iter(Dataset.range(9).map(fails, on_error="skip"))
    again.load_state_dict(it.state_dict())

    assert head + [int(x) for x in again] == [0, 2, 4, 8, 10, 12, 14]


# ---- retries -------------------------------------------------------------------------------


def flaky(times):
    """Return a function that fails so often on every element."""
    seen = {}

    def fn(x):
        seen[int(x)] = seen.get(int(x), 0) + 1
        if seen[int(x)] <= times:
            raise OSError(f"busy: {x}")
        return x

    return fn


@pytest.mark.parametrize("way", WAYS)
def test_a_function_is_called_again_as_often_as_allowed(way):
    ds = Dataset.range(5).map(flaky(2), on_error=ErrorPolicy(retries=2), **WAYS[way])

    assert [int(x) for x in ds] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("way", WAYS)
def test_what_fails_every_time_says_how_often_it_was_called(way):
    ds = Dataset.range(5).map(flaky(3), on_error=ErrorPolicy(retries=2), **WAYS[way])

    with pytest.raises(OSError, match="busy: 0") as caught:
        list(ds)
    assert "called 3 times" in caught.value.__notes__


def test_a_function_that_is_called_again_gets_the_element_as_it_was():
    calls = []

    def spoils(x):
        x += 1
        calls.append(x.tolist())
        if len(calls) < 3:
            raise OSError
        return x

    ds = Dataset.from_tensors(np.zeros(2, int)).map(spoils, on_error=ErrorPolicy(retries=2))

    assert [x.tolist() for x in ds] == [[1, 1]]
    assert calls == [[1, 1]] * 3


def test_a_function_that_is_called_again_draws_the_same():
    def draws(x, rng, fails):
        drawn = rng.random()
        fails.append(drawn)
        if len(fails) % 2:
            raise OSError
        return drawn

    drawn = []
    ds = Dataset.range(3).map(lambda x, rng: draws(x, rng, drawn), on_error=ErrorPolicy(retries=1))

    assert drawn[::2] == drawn[1::2]
    assert [float(x) for x in ds] == np.float32(drawn[::2]).tolist()


def test_waiting_to_call_again_ends_with_the_pipeline():
    policy = ErrorPolicy(retries=1, wait=3600)
    options = tf.data.Options()
    options.block_size = 1  # elements that are worked on together come out together
    ds = Dataset.range(9).map(fails, num_parallel_calls=4, on_error=policy)
    it = iter(ds.with_options(options))

    assert [int(next(it)) for _ in range(3)] == [0, 2, 4]
    it.close()


# ---- arguments -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"action": "drop"}, BuildError, 'must be "raise", "skip" or "replace"'),
        ({"action": "replace"}, BuildError, "a replacement goes with"),
        ({"action": "skip", "replacement": 1}, BuildError, "a replacement goes with"),
        ({"retries": -1}, BuildError, "retries must be at least 0"),
        ({"retries": "2"}, BuildTypeError, "retries must be an integer"),
        ({"wait": -1}, BuildError, "wait must be at least 0 seconds"),
        ({"wait": "1"}, BuildTypeError, "wait must be a number"),
        ({"action": "skip", "max_failures": -1}, BuildError, "max_failures must be at least 0"),
        ({"action": "skip", "max_share": 2}, BuildError, "max_share must be from 0 to 1"),
        ({"action": "skip", "max_share": "1"}, BuildTypeError, "max_share must be a number"),
        ({"max_failures": 3}, BuildError, "no meaning with action"),
        ({"action": "skip", "quarantine": 3}, BuildTypeError, "quarantine must be"),
    ],
)
def test_a_wrong_policy_is_refused(arguments, kind, text):
    with pytest.raises(kind, match=text):
        ErrorPolicy(**arguments)


@pytest.mark.parametrize("value", ["drop", 3, None])
def test_a_wrong_on_error_is_refused(value):
    with pytest.raises(BuildError, match="on_error must be"):
        Dataset.range(3).map(fails, on_error=value)


def test_ignore_errors_has_a_budget_too():
    ds = Dataset.range(60).map(fails)

    with pytest.raises(TooManyFailuresError, match="3 of 14 elements failed"):
        list(ds.ignore_errors(max_failures=2))
    with pytest.raises(TooManyFailuresError, match="12 of 60 elements failed"):
        list(ds.ignore_errors(max_share=0.1))
    assert len(list(ds.ignore_errors(max_failures=12, max_share=0.2))) == 48


def test_the_failures_that_ignore_errors_counts_are_part_of_the_state():
    check_resume(Dataset.range(30).map(fails).ignore_errors(max_failures=6))
    it = iter(Dataset.range(60).map(fails).ignore_errors(max_failures=6))
    for _ in range(20):
        next(it)
    again = iter(Dataset.range(60).map(fails).ignore_errors(max_failures=6))
    again.load_state_dict(it.state_dict())

    with pytest.raises(TooManyFailuresError, match="7 of 34 elements failed"):
        list(again)


def test_wrong_budgets_of_ignore_errors_are_refused():
    with pytest.raises(BuildError, match=r"ignore_errors\(\): max_share"):
        Dataset.range(3).ignore_errors(max_share=-1)
    with pytest.raises(BuildTypeError, match=r"ignore_errors\(\): quarantine"):
        Dataset.range(3).ignore_errors(quarantine=5)
