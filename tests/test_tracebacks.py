"""An exception of a user's function shows the user's lines, and one of ours."""

import traceback

import pytest

import feedline as tf
from feedline.tracebacks import folded


def _lines(error):
    """The functions of the traceback, ours as the package's name."""
    frames = traceback.extract_tb(error.__traceback__)
    return ["feedline" if "/feedline/" in frame.filename else frame.name for frame in frames]


def _fail(x):
    return {}[int(x)]


def _caught(call):
    with pytest.raises(KeyError) as caught:
        call()
    return caught.value


@pytest.mark.parametrize("executor", ["inline", "threads", None])
def test_one_line_of_ours_stands_between_the_users(executor):
    options = tf.data.Options()
    options.executor = executor
    ds = tf.data.Dataset.range(5).map(_fail, num_parallel_calls=2).batch(2).prefetch(1)

    def loop():
        for _ in ds.with_options(options):
            pass

    error = _caught(loop)

    assert _lines(error)[-3:] == ["loop", "feedline", "_fail"]
    assert "element 0" in error.__notes__[0]


@pytest.mark.parametrize("executor", ["processes", "background"])
def test_the_text_of_another_process_has_the_users_lines_alone(executor):
    options = tf.data.Options()
    options.executor = executor
    ds = tf.data.Dataset.range(5).map(_fail).batch(2).with_options(options)

    text = str(_caught(lambda: list(ds)).__cause__)

    assert "in _fail" in text
    assert "feedline/engine" not in text


@pytest.mark.parametrize(
    "call",
    [
        lambda ds: ds.map(_fail).element_spec,
        lambda ds: ds.map(_fail)[0],
        lambda ds: ds.reduce(0, lambda s, x: _fail(x)),
    ],
)
def test_what_runs_at_once_shows_one_line_of_ours_too(call):
    error = _caught(lambda: call(tf.data.Dataset.range(5)))

    assert _lines(error).count("feedline") == 1
    assert _lines(error)[-1] == "_fail"


def test_causes_and_contexts_stay_and_are_folded():
    def fail(x):
        try:
            tf.reshape([1, 2, 3], [2, 2])
        except ValueError as error:
            raise KeyError("mine") from error

    error = _caught(lambda: list(tf.data.Dataset.range(3).map(fail, vectorize=False)))

    assert isinstance(error.__cause__, ValueError)
    assert _lines(error.__cause__).count("feedline") <= 1


def test_all_lines_stay_if_that_is_asked_for(monkeypatch):
    monkeypatch.setenv("FEEDLINE_FULL_TRACEBACKS", "1")

    error = _caught(lambda: list(tf.data.Dataset.range(3).map(_fail)))

    assert _lines(error).count("feedline") > 3


def test_an_error_of_ours_keeps_the_line_that_raised_it():
    with pytest.raises(tf.errors.FeedlineError) as caught:
        list(tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]).map(lambda x: x[: x[0]]).batch(2))

    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert "/feedline/" in last.filename


def test_an_exception_without_a_traceback_is_left_alone():
    error = ValueError("never raised")

    assert folded(error) is error
    assert error.__traceback__ is None
