import logging

import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import CheckpointError
from feedline.testing import (
    CHECKS,
    check_resume_in_fresh_process,
    check_traits,
)


def fails(x):
    if x % 5 == 3:
        raise KeyError(f"no {x}")
    return x


FAILING = Dataset.range(23).map(fails)
CASES = [
    FAILING.ignore_errors(),
    FAILING.ignore_errors().repeat(2).batch(4),
    FAILING.shuffle(4).ignore_errors(),
    FAILING.ignore_errors().shuffle(4),
    FAILING.ignore_errors().shuffle(4).map(lambda x, rng: (x, rng.random())),
    FAILING.flat_map(lambda x: Dataset.range(x % 3)).ignore_errors(),
    Dataset.range(9).flat_map(lambda x: Dataset.range(x).map(fails)).ignore_errors(),
    Dataset.range(4).map(lambda x: 1 / 0).ignore_errors(),
]


# check_traits() looks at the input alone, which fails here.
@pytest.mark.parametrize("check", [check for check in CHECKS if check is not check_traits])
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_conforms_where_nothing_fails():
    check_traits(Dataset.range(5).ignore_errors())


@pytest.mark.parametrize("ds", CASES[2:4], ids=str)
def test_resumes_in_a_fresh_process(ds):
    check_resume_in_fresh_process(ds)


def test_what_failed_is_dropped_and_the_rest_goes_on():
    assert [int(x) for x in FAILING.take(8).ignore_errors()] == [0, 1, 2, 4, 5, 6, 7, 9]
    assert [int(x) for x in Dataset.range(8).map(fails).ignore_errors()] == [0, 1, 2, 4, 5, 6, 7]


def test_the_number_of_elements_is_unknown():
    assert Dataset.range(10).ignore_errors().cardinality() == -2


def test_elements_before_it_may_fail_at_the_first_look_for_a_spec():
    ds = Dataset.range(9).map(lambda x: [None, None, 2, 3, 4, 5, 6, 7, 8][x] + 0).ignore_errors()

    assert ds.element_spec.dtype == np.int32


def test_nothing_is_logged_unless_it_is_asked_for(caplog):
    list(FAILING.ignore_errors())

    assert caplog.records == []


def test_every_error_is_logged_with_its_place(caplog):
    with caplog.at_level(logging.WARNING, logger="feedline"):
        list(Dataset.range(9).map(fails).ignore_errors(log_warning=True))

    texts = [record.getMessage() for record in caplog.records]
    assert [record.name for record in caplog.records] == ["feedline", "feedline"]
    assert texts[0].startswith("ignore_errors() dropped an element: KeyError: 'no 3'")
    assert "in map(fails) built at test_ignore_errors.py:" in texts[0]
    assert texts[1].endswith("element 8)")


def test_a_state_goes_with_and_without_logging():
    it = iter(FAILING.ignore_errors())
    next(it)
    again = iter(FAILING.ignore_errors(log_warning=True))
    again.load_state_dict(it.state_dict())

    assert int(next(again)) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit, CheckpointError])
def test_what_is_no_failure_of_an_element_passes_through(error):
    def interrupts(x):
        raise error

    with pytest.raises(error):
        list(Dataset.range(3).map(interrupts).ignore_errors())


def test_an_assertion_of_the_user_is_an_error_like_others():
    def checks(x):
        assert x != 1
        return x

    assert [int(x) for x in Dataset.range(3).map(checks).ignore_errors()] == [0, 2]


def test_an_assertion_of_feedline_passes_through(monkeypatch):
    monkeypatch.setattr("feedline.site._PACKAGE", __file__)

    def checks(x):
        raise AssertionError("our own mistake")

    with pytest.raises(AssertionError, match="our own mistake"):
        list(Dataset.range(3).map(checks).ignore_errors())
