"""Why a function cannot be recorded, and what happens to warnings meanwhile."""

import threading
import warnings

import pytest

from feedline.graph.untraceable import Untraceable, last_refusal, refuse, warnings_kept


def test_a_refusal_names_the_line_of_the_user():
    with pytest.raises(Untraceable, match=r"calls it \(test_untraceable.py:\d+\)"):
        refuse("calls it")


def test_a_refusal_is_not_caught_as_an_exception():
    assert not issubclass(Untraceable, Exception)


def test_a_refusal_that_was_caught_is_remembered_once():
    with pytest.raises(Untraceable):
        refuse("is hidden")

    assert str(last_refusal()).startswith("is hidden")
    assert last_refusal() is None


def test_warnings_are_kept_from_being_shown():
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        with warnings_kept() as kept:
            warnings.warn("hidden", stacklevel=1)
        warnings.warn("seen", stacklevel=1)

    assert kept == ["hidden"]
    assert [str(warning.message) for warning in shown] == ["seen"]


def test_warnings_of_other_threads_are_shown():
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        with warnings_kept() as kept:
            other = threading.Thread(target=warnings.warn, args=("seen",))
            other.start()
            other.join()

    assert kept == []
    assert [str(warning.message) for warning in shown] == ["seen"]


def test_a_warning_that_is_an_error_is_raised():
    with warnings_kept() as kept, pytest.raises(UserWarning, match="loud"):
        warnings.warn("loud", stacklevel=1)  # the tests make errors of warnings

    assert kept == []
