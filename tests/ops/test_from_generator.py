import gc
import warnings
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from feedline.data import UNKNOWN_CARDINALITY, Dataset, Options
from feedline.errors import BuildTypeError, CheckpointError, SpecError
from feedline.ragged import constant
from feedline.sparse import SparseTensor
from feedline.spec import DatasetSpec, RaggedTensorSpec, SparseTensorSpec, TensorSpec, string
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

INT = TensorSpec((), np.int64)
Point = namedtuple("Point", ["x", "y"])


@dataclass
class Sample:
    image: object
    label: object


def of(values, signature=INT):
    """Return the dataset of a generator that yields ``values``."""

    def numbers():
        yield from values

    return Dataset.from_generator(numbers, output_signature=signature)


def reusing_a_buffer():
    buffer = np.zeros(2, np.int64)
    for number in range(5):
        buffer += number
        yield buffer


def fails_after_two():
    yield 0
    yield 1
    raise KeyError("no more")


class Flaky:
    """An iterator that fails now and then, and goes on."""

    def __init__(self):
        self._next = -1

    def __iter__(self):
        return self

    def __next__(self):
        self._next += 1
        if self._next == 12:
            raise StopIteration
        if self._next % 5 == 3:
            raise KeyError(self._next)
        return self._next


def elements_and_errors(ds):
    """Return what an iterator gives, up to its end: elements, and the types of errors."""
    it, seen = iter(ds), []
    while True:
        try:
            seen.append(int(next(it)))
        except StopIteration:
            return seen
        except (KeyError, SpecError, RuntimeError) as error:
            seen.append(type(error))


PAIR = (TensorSpec((), np.int32), TensorSpec((None,), np.float32))
CASES = {
    "numbers": of(range(20)),
    "none": of([]),
    "converted": of([1, 2.5, True, np.float32(7)], TensorSpec((), np.float64)),
    "arrays": of(np.arange(12).reshape(4, 3), TensorSpec((3,), np.int64)),
    "one buffer": Dataset.from_generator(
        reusing_a_buffer, output_signature=TensorSpec((2,), np.int64)
    ),
    "ragged": of([np.arange(n) for n in (2, 0, 3, 1)], TensorSpec((None,), np.int64)),
    "any rank": of([1, [1], [[1, 2]]], TensorSpec(None, np.int32)),
    "words": of(["a", b"bc", "d"], TensorSpec((), string)),
    "pairs": of([(1, [1.0]), (2, []), (3, [2, 3])], PAIR),
    "dicts": of([{"a": 1, "b": "x"}, {"b": "y", "a": 2}], {"a": INT, "b": TensorSpec((), string)}),
    "namedtuples": of([Point(1, 2), Point(3, 4)], Point(INT, INT)),
    "dataclasses": of([Sample([1], 2), Sample([3], 4)], Sample(TensorSpec((1,), np.uint8), INT)),
    "ragged values": of(
        [constant([[1, 2], [3]]), constant([[4]])], RaggedTensorSpec((None, None), np.int32)
    ),
    "sparse values": of(
        [SparseTensor([[0]], [1.0], [3]), SparseTensor([[1]], [2.0], [3])],
        SparseTensorSpec((3,), np.float32),
    ),
    "repeated": of(range(5)).repeat(3),
    "shuffled": of(range(20)).shuffle(6, seed=1).batch(3),
    "drawn": of(range(6)).repeat(2).map(lambda x, rng: x + rng.integers(100)),
}


@pytest.mark.filterwarnings("ignore:from_generator")
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", CASES)
def test_conforms(name, check):
    check(CASES[name])


@pytest.mark.filterwarnings("ignore:from_generator")
@pytest.mark.parametrize("name", ["shuffled", "pairs"])
def test_resumes_in_a_fresh_process(name):
    check_resume_in_fresh_process(CASES[name])


# ---- what comes out ---------------------------------------------------------


def test_values_get_the_declared_dtypes_and_structure():
    ds = of([(1, [1, 2]), (2, [])], PAIR)

    assert_same_elements(
        ds,
        [
            (np.int32(1), np.array([1, 2], np.float32)),
            (np.int32(2), np.array([], np.float32)),
        ],
    )
    assert ds.element_spec == PAIR
    assert ds.cardinality() == UNKNOWN_CARDINALITY


def test_types_and_shapes_can_be_declared_apart():
    def pairs():
        yield 1, [1, 2]

    ds = Dataset.from_generator(pairs, (np.int32, np.float32), ((), (None,)))
    assert ds.element_spec == PAIR
    assert_same_elements(ds, [(np.int32(1), np.array([1, 2], np.float32))])

    ds = Dataset.from_generator(pairs, output_types=(np.int32, np.float32))
    assert ds.element_spec == (TensorSpec(None, np.int32), TensorSpec(None, np.float32))


def test_the_generator_gets_its_arguments_as_numpy_has_them():
    def describe(*args):
        yield from (f"{type(arg).__name__} {getattr(arg, 'dtype', None)}" for arg in args)

    ds = Dataset.from_generator(
        describe, args=(3, [1.0, 2.0], "x"), output_signature=TensorSpec((), string)
    )

    assert list(ds) == ["int32 int32", "ndarray float32", "bytes None"]


def test_anything_that_can_be_iterated_over_will_do():
    ds = Dataset.from_generator(lambda: [10, 20], output_signature=INT)

    assert [int(x) for x in ds] == [10, 20]


def test_a_buffer_that_is_yielded_again_and_again_is_copied_each_time():
    assert [x.tolist() for x in CASES["one buffer"]] == [[0, 0], [1, 1], [3, 3], [6, 6], [10, 10]]


def test_datasets_can_be_yielded():
    ds = of([Dataset.range(2), Dataset.range(3)], DatasetSpec(INT))

    assert [len(list(inner)) for inner in ds] == [2, 3]


# ---- how the generator is run -----------------------------------------------


def test_every_pass_calls_the_generator_anew_and_only_then():
    calls = []

    def numbers():
        calls.append(1)
        yield from range(2)

    ds = Dataset.from_generator(numbers, output_signature=INT).repeat(2)
    it = iter(ds)
    assert calls == []

    assert [int(x) for x in it] == [0, 1, 0, 1]
    assert len(calls) == 2


def test_no_more_is_taken_than_asked_for():
    taken = []

    def numbers():
        for number in range(1000):
            taken.append(number)
            yield number

    list(Dataset.from_generator(numbers, output_signature=INT).batch(3).take(2))

    assert taken == list(range(6))


def test_a_generator_without_an_end_can_be_used():
    def ones():
        while True:
            yield 1

    assert [int(x) for x in Dataset.from_generator(ones, output_signature=INT).take(3)] == [1, 1, 1]


def closing(log):
    def numbers():
        try:
            yield from range(9)
        finally:
            log.append("closed")

    return Dataset.from_generator(numbers, output_signature=INT)


def test_the_generator_is_closed_with_the_iterator():
    log = []
    with iter(closing(log)) as it:
        next(it)
        assert log == []

    assert log == ["closed"]


def test_the_generator_is_closed_when_the_iterator_is_dropped():
    log = []
    it = iter(closing(log))
    next(it)
    del it
    gc.collect()

    assert log == ["closed"]


def test_the_generator_is_closed_at_the_end_of_every_epoch():
    log = []
    it = iter(closing(log).take(2).repeat(3))
    for _ in range(5):
        next(it)

    assert log == ["closed", "closed"]


# ---- resuming ---------------------------------------------------------------


def resumed(ds, count):
    it = iter(ds)
    for _ in range(count):
        next(it)
    again = iter(ds)
    again.load_state_dict(it.state_dict())
    return again


def test_a_resume_runs_the_generator_again_and_says_so_once():
    ds = of(range(5))

    with pytest.warns(
        RuntimeWarning, match=r"from_generator\(numbers\).* is run again from its st"
    ):
        assert [int(x) for x in resumed(ds, 2)] == [2, 3, 4]
    assert [int(x) for x in resumed(ds, 3)] == [3, 4]


def test_a_resume_from_the_start_is_no_replay():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [int(x) for x in resumed(of(range(3)), 0)] == [0, 1, 2]


@pytest.mark.filterwarnings("ignore:from_generator")
def test_a_generator_that_yields_less_than_before_cannot_be_resumed():
    values = [1, 2, 3, 4]
    again = resumed(of(values), 4)
    del values[1:]

    with pytest.raises(CheckpointError, match="ends after 1 elements, but more were read"):
        next(again)


# ---- failures ---------------------------------------------------------------


@pytest.mark.parametrize("block_size", [1, 2, 64])
def test_an_exception_comes_in_its_turn_and_ends_the_generator(block_size):
    ds = Dataset.from_generator(fails_after_two, output_signature=INT)

    assert elements_and_errors(ds.with_options(Options(block_size=block_size))) == [0, 1, KeyError]


def test_an_exception_keeps_its_type_and_says_where_it_happened():
    with pytest.raises(KeyError, match="no more") as raised:
        list(Dataset.from_generator(fails_after_two, output_signature=INT))

    (note,) = raised.value.__notes__
    assert note.startswith("in from_generator(fails_after_two) built at test_from_generator.py:")
    assert note.endswith("element 2")


@pytest.mark.parametrize("block_size", [1, 2, 64])
def test_values_that_do_not_fit_are_errors_in_their_turn(block_size):
    ds = of([1, "x", 3, None, "y", 6]).with_options(Options(block_size=block_size))

    assert elements_and_errors(ds) == [1, SpecError, 3, SpecError, SpecError, 6]


FLAKY = Dataset.from_generator(Flaky, output_signature=INT)
EXPECTED = [0, 1, 2, KeyError, 4, 5, 6, 7, KeyError, 9, 10, 11]


@pytest.mark.parametrize("block_size", [1, 2, 64])
def test_an_iterator_that_goes_on_after_an_exception_is_read_on(block_size):
    assert elements_and_errors(FLAKY.with_options(Options(block_size=block_size))) == EXPECTED


@pytest.mark.filterwarnings("ignore:from_generator")
@pytest.mark.parametrize("block_size", [1, 2, 64])
def test_a_resume_fails_where_the_first_run_would_have(block_size):
    ds = FLAKY.with_options(Options(block_size=block_size))
    before = resumed(ds, 3)
    it = iter(ds)
    for _ in range(3):
        next(it)
    with pytest.raises(KeyError):
        next(it)
    after = iter(ds)
    after.load_state_dict(it.state_dict())

    assert elements_and_errors(before) == EXPECTED[3:]
    assert elements_and_errors(after) == EXPECTED[4:]


@pytest.mark.parametrize(
    ("values", "signature", "message"),
    [
        ([1, "x"], INT, r"from_generator\(\): element 1 must be int64\[\], got str 'x'\."),
        (
            [[1, 2], [3]],
            TensorSpec((2,), np.int32),
            r"element 1 must be int32\[2\], got int32\[1\]",
        ),
        ([(1, [2]), (3, 4)], PAIR, r"element 1 at \[1\] must be float32\[\?\], got float32\[\]"),
        ([(1, [2]), 3], PAIR, r"element 1 must have the structure \(\*, \*\), got \*"),
        ([{"a": 1, "b": 2}], {"a": INT}, r"element 0 must have the structure {'a': \*}, got"),
    ],
)
def test_the_error_names_the_element_and_both_types(values, signature, message):
    with pytest.raises(SpecError, match=message) as raised:
        list(of(values, signature))

    assert "Change output_signature, or what the generator yields." in str(raised.value)
    assert raised.value.__notes__[0].startswith("in from_generator(numbers) built at")


def test_what_cannot_be_iterated_over_is_an_error_once_not_for_ever():
    ds = Dataset.from_generator(lambda: 3, output_signature=INT)
    it = iter(ds)

    with pytest.raises(TypeError, match="not iterable"):
        next(it)
    assert list(it) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"generator": [1, 2], "output_signature": INT}, "generator must be a function"),
        ({"generator": Flaky}, "what the generator yields must be declared"),
        ({"generator": Flaky, "output_shapes": ()}, "what the generator yields must be declared"),
        (
            {"generator": Flaky, "output_types": int, "output_signature": INT},
            "cannot be given together with output_signature",
        ),
        ({"generator": Flaky, "output_signature": np.int32}, "must hold specs such as TensorSpec"),
        ({"generator": Flaky, "output_signature": [INT]}, "must hold specs such as TensorSpec"),
        ({"generator": Flaky, "output_types": [int, int]}, "output_types must hold dtypes"),
        (
            {"generator": Flaky, "output_types": (int, int), "output_shapes": ((),)},
            "output_shapes must have the structure of output_types",
        ),
        ({"generator": Flaky, "output_signature": INT, "args": 3}, "args must be a tuple, got 3"),
    ],
)
def test_wrong_arguments_are_refused_where_they_are_written(arguments, message):
    with pytest.raises(BuildTypeError, match=rf"from_generator\(\): .*{message}"):
        Dataset.from_generator(**arguments)
