"""An exception is the same wherever the function ran: type, note, traceback, element."""

from __future__ import annotations

import traceback

import pytest

import feedline as tf
from feedline.testing import assert_same_elements

Dataset, ErrorPolicy, Options = tf.data.Dataset, tf.data.ErrorPolicy, tf.data.Options

EXECUTORS = ["inline", "threads", "processes", "background"]


class Unusual(Exception):  # noqa: N818
    """Has more to tell than its text."""

    def __init__(self, number, *, hint):
        super().__init__(f"number {number}")
        self.number = number
        self.hint = hint

    def __reduce__(self):
        return _unusual, (self.number, self.hint)


def _unusual(number, hint):
    return Unusual(number, hint=hint)


def inner(x):
    error = Unusual(int(x), hint="look below")
    error.add_note("noted by the user")
    raise error


def fails(x):
    return inner(x) if int(x) % 7 == 4 else x * 2


def run_by(ds, executor):
    return ds.with_options(Options(executor=executor))


@pytest.fixture(params=EXECUTORS)
def executor(request):
    return request.param


def test_an_exception_keeps_type_attributes_notes_and_traceback(executor):
    ds = run_by(Dataset.range(20).map(fails, num_parallel_calls=2), executor)
    it = iter(ds)
    head = [int(next(it)) for _ in range(4)]
    with pytest.raises(Unusual) as caught:
        next(it)
    it.close()

    error = caught.value
    assert head == [0, 2, 4, 6]
    assert (type(error), error.number, error.hint) == (Unusual, 4, "look below")
    assert error.__notes__[0] == "noted by the user"
    assert error.__notes__[1].startswith("in map(fails) built at test_failures_anywhere.py")
    assert error.__notes__[1].endswith("element 4")
    text = "".join(traceback.format_exception(error))
    assert "in inner" in text
    assert "raise error" in text


def test_the_iteration_goes_on_after_an_exception(executor):
    ds = run_by(Dataset.range(20).map(fails, num_parallel_calls=2), executor)
    found, failures, it = [], [], iter(ds)
    while True:
        try:
            found.append(int(next(it)))
        except StopIteration:
            break
        except Unusual as error:
            failures.append(error.number)

    assert failures == [4, 11, 18]
    assert found == [2 * x for x in range(20) if x % 7 != 4]


POLICIES = {
    "skip": ErrorPolicy("skip", max_failures=9),
    "replace": ErrorPolicy("replace", replacement=lambda element, error: element - 100),
    "retry": ErrorPolicy("skip", retries=1),
}


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_gives_the_same_elements(executor, name):
    ds = Dataset.range(20).map(fails, num_parallel_calls=2, on_error=POLICIES[name])

    assert_same_elements(run_by(ds, executor), run_by(ds, "inline"))


def test_a_file_of_failures_has_the_same_lines(executor, tmp_path):
    path = tmp_path / "failed.jsonl"
    policy = ErrorPolicy("skip", retries=1, quarantine=path)
    list(run_by(Dataset.range(20).map(fails, num_parallel_calls=2, on_error=policy), executor))

    found = tf.data.Quarantine.read(path)
    assert [entry.position for entry in found] == [4, 11, 18]
    assert {entry.kind for entry in found} == {f"{__name__}.Unusual"}
    assert all("called 2 times" in entry.traceback for entry in found)
    assert all("in inner" in entry.traceback for entry in found)


def test_a_state_continues_with_any_other_executor(executor):
    ds = Dataset.range(30).map(fails, num_parallel_calls=2, on_error=POLICIES["skip"])
    expected = [int(x) for x in run_by(ds, "inline")]
    it = iter(run_by(ds, executor))
    head = [int(next(it)) for _ in range(9)]
    saved = it.state_dict()
    it.close()
    for other in EXECUTORS:
        again = iter(run_by(ds, other))
        again.load_state_dict(saved)
        assert head + [int(x) for x in again] == expected
