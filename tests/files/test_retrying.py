"""Trying again what may succeed a moment later."""

import pytest

from feedline.errors import FileError
from feedline.files.retrying import DELAYS, passes_by, retried


class AnswerError(Exception):
    def __init__(self, status):
        super().__init__(f"status {status}")
        self.status = status


class Flaky:
    def __init__(self, errors):
        self.errors = list(errors)
        self.calls = 0

    def __call__(self):
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


def test_passing_failures_are_tried_again_after_longer_and_longer_waits():
    slept = []

    assert retried(Flaky([ConnectionError(), TimeoutError(), AnswerError(503)]), "x", slept.append)
    assert slept == list(DELAYS[:3])


def test_the_last_failure_is_told():
    flaky = Flaky([ConnectionError("reset")] * 50)

    with pytest.raises(FileError, match=r"s3://x: failed 7 times, .* ConnectionError: reset"):
        retried(flaky, "s3://x", lambda delay: None)
    assert flaky.calls == 7


@pytest.mark.parametrize(
    "error",
    [FileNotFoundError(), PermissionError(), ValueError(), AnswerError(403), AnswerError(404)],
)
def test_lasting_failures_are_not_tried_again(error):
    flaky = Flaky([error])

    with pytest.raises(type(error)):
        retried(flaky, "x", lambda delay: None)
    assert flaky.calls == 1


@pytest.mark.parametrize(
    "error", [AnswerError(429), AnswerError(500), OSError("broken"), EOFError()]
)
def test_these_pass_by(error):
    assert passes_by(error)
