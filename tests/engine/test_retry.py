"""Calling a function again on an element it failed on."""

from __future__ import annotations

import pickle
import threading

import pytest

from feedline.engine.retry import Retried, Retry


def test_what_does_not_fail_is_not_called_again():
    calls = Retried(map(abs, [1, -2]), Retry(3, 0), again=None)

    assert list(calls) == [1, 2]


def test_results_come_in_their_places():
    calls = Retried(
        map({0: "a", 2: "c"}.__getitem__, range(3)), Retry(1, 0), again="abc".__getitem__
    )

    assert list(calls) == ["a", "b", "c"]


def test_the_last_exception_is_raised_and_says_how_often():
    tries = iter([KeyError("second"), KeyError("third")])

    def again(number):
        raise next(tries)

    with pytest.raises(KeyError, match="third") as caught:
        list(Retried(map({}.__getitem__, "x"), Retry(2, 0), again))
    assert caught.value.__notes__ == ["called 3 times"]


def test_stop_iteration_is_a_failure_when_called_again():
    with pytest.raises(RuntimeError, match="StopIteration"):
        list(Retried(map({}.__getitem__, "x"), Retry(1, 0), lambda _: next(iter(()))))


def test_a_wait_ends_when_the_pipeline_does():
    retry, answers = Retry(1, 3600), []
    waiting = threading.Thread(target=lambda: answers.append(retry.pause(0)))
    waiting.start()
    retry.end()
    waiting.join(10)

    assert answers == [False]


def test_a_copy_in_another_process_is_not_ended():
    retry = Retry(2, 0.0)
    retry.end()
    copy = pickle.loads(pickle.dumps(retry))

    assert (copy.retries, copy.wait, copy.is_over) == (2, 0.0, False)
