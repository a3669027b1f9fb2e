import pickle

import numpy as np
import pytest

import feedline
from feedline import errors
from feedline.data.experimental import assert_cardinality
from feedline.errors import BuildError, BuildTypeError, FeedlineError, check_at_least, check_integer

ERRORS = [value for name, value in vars(errors).items() if name.endswith("Error")]


@pytest.mark.parametrize("error", ERRORS)
def test_every_error_is_a_feedline_error_and_in_the_tree(error):
    assert issubclass(error, FeedlineError)
    assert error.__name__ in errors.__all__
    assert f" {error.__name__}" in f" {errors.__doc__}".replace("\n", " ")


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (BuildError, ValueError),
        (BuildTypeError, TypeError),
        (errors.SpecError, ValueError),
        (errors.CardinalityError, ValueError),
        (errors.CheckpointError, ValueError),
        (errors.NoValueError, ValueError),
        (errors.OutOfRangeError, EOFError),
    ],
)
def test_an_error_is_also_the_builtin_one_would_catch(error, builtin):
    assert issubclass(error, builtin)


OP_ERRORS = [error for error in ERRORS if issubclass(error, errors.OpError)]


@pytest.mark.parametrize("error", OP_ERRORS)
def test_what_goes_wrong_while_it_runs_is_made_as_in_tensorflow_or_of_a_text(error):
    full, short = error("node", "op", "a text"), error("a text")

    assert [full.message, full.node_def, full.op, str(full)] == ["a text", "node", "op", "a text"]
    assert [short.message, short.node_def, short.op, str(short)] == ["a text", None, None, "a text"]
    assert full.error_code == short.error_code == error.error_code
    assert error().message == ""


@pytest.mark.parametrize("error", OP_ERRORS)
def test_what_goes_wrong_while_it_runs_can_be_sent(error):
    got = pickle.loads(pickle.dumps(error("node", "op", "a text")))

    assert [type(got), got.message, got.node_def, got.op] == [error, "a text", "node", "op"]


@pytest.mark.parametrize(
    ("error", "caught_as"),
    [
        (errors.SpecError, errors.InvalidArgumentError),
        (errors.DecodeError, errors.InvalidArgumentError),
        (errors.NoValueError, errors.InvalidArgumentError),
        (errors.CardinalityError, errors.FailedPreconditionError),
        (errors.NotFoundError, FileNotFoundError),
        (errors.AlreadyExistsError, FileExistsError),
        (errors.FileError, errors.OpError),
    ],
)
def test_our_own_errors_are_caught_by_the_names_of_tensorflow(error, caught_as):
    assert issubclass(error, caught_as)


def test_the_codes_are_those_of_tensorflow():
    codes = {error.__name__: error.error_code for error in OP_ERRORS}

    assert codes["InvalidArgumentError"] == errors.INVALID_ARGUMENT == 3
    assert codes["NotFoundError"] == errors.NOT_FOUND == 5
    assert codes["OutOfRangeError"] == errors.OUT_OF_RANGE == 11
    assert codes["DataLossError"] == errors.DATA_LOSS == 15
    assert codes["UnauthenticatedError"] == errors.UNAUTHENTICATED == 16


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3), np.array(3)])
def test_integers_of_every_kind_become_int(value):
    found = check_integer("f()", "n", value)

    assert found == 3
    assert type(found) is int


@pytest.mark.parametrize("value", [3.0, "3", None, True, np.float32(3), np.array([3]), np.True_])
def test_what_is_no_integer_is_refused(value):
    with pytest.raises(BuildTypeError, match=r"^f\(\): n must be an integer, got .* of type"):
        check_integer("f()", "n", value)


def test_a_number_that_is_too_small_is_refused_with_a_hint():
    assert check_at_least("f()", "n", 2, 2) == 2
    with pytest.raises(BuildError, match=r"^f\(\): n must be at least 2, got 1. Drop it.$"):
        check_at_least("f()", "n", 1, 2, "Drop it.")
    with pytest.raises(BuildError, match=r"got 1.$"):
        check_at_least("f()", "n", 1, 2)


def ragged_rows():
    return feedline.data.Dataset.range(3).map(lambda x: feedline.zeros([int(x)])).batch(3)


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        (lambda: list(ragged_rows()), errors.InvalidArgumentError),
        (lambda: feedline.debugging.assert_equal(1, 2), errors.InvalidArgumentError),
        (lambda: feedline.io.decode_png(b"no image"), errors.InvalidArgumentError),
        (lambda: feedline.io.read_file("/there/is/none"), errors.NotFoundError),
        (lambda: iter(feedline.data.Dataset.range(0)).get_next(), errors.OutOfRangeError),
        (
            lambda: list(feedline.data.Dataset.range(3).apply(assert_cardinality(2))),
            errors.FailedPreconditionError,
        ),
    ],
    ids=["batch", "assert", "decode", "read", "end", "cardinality"],
)
def test_programs_catch_what_they_caught_in_tensorflow(run, kind):
    with pytest.raises(kind) as caught:
        run()

    assert isinstance(caught.value, errors.OpError)
    assert caught.value.error_code == kind.error_code
    assert caught.value.message
    assert caught.value.op is caught.value.node_def is None


@pytest.mark.parametrize(
    "build",
    [
        lambda tf: tf.data.Dataset.range(3).batch(0),
        lambda tf: tf.data.Dataset.range(3).shuffle(0),
        lambda tf: tf.data.Dataset.range(3).shard(2, 2),
        lambda tf: tf.data.Dataset.range(3).window(0),
        lambda tf: tf.strings.to_number("x"),
        lambda tf: tf.expand_dims([1], 5),
        lambda tf: tf.squeeze([[1], [2]], 0),
        lambda tf: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3])),
        lambda tf: tf.strings.substr("abc", 5, 1),
        lambda tf: list(tf.data.Dataset.from_tensors("x").map(tf.strings.to_number)),
    ],
)
def test_what_cannot_be_is_an_invalid_argument_as_in_tensorflow(build):
    with pytest.raises(feedline.errors.InvalidArgumentError):
        build(feedline)
