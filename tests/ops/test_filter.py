from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.ragged import constant
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process

Point = namedtuple("Point", ["x", "y"])


@dataclass
class Sample:
    image: object
    label: object


def is_even(x):
    return x % 2 == 0


CASES = [
    Dataset.range(20).filter(is_even),
    Dataset.range(20).filter(lambda x: True),
    Dataset.range(20).filter(lambda x: False),
    Dataset.range(0).filter(is_even),
    Dataset.from_tensor_slices((np.arange(9), np.arange(9) % 3)).filter(lambda a, b: b == 1),
    Dataset.from_tensor_slices({"x": np.zeros((9, 2)), "y": np.arange(9)}).filter(
        lambda d: d["y"] > 3
    ),
    Dataset.from_tensor_slices(Point([1, 2, 3], ["a", "b", "c"])).filter(lambda p: p.y != "b"),
    Dataset.from_tensor_slices(Sample(np.zeros((3, 2)), [1, 2, 3])).filter(lambda s: s.label > 1),
    Dataset.from_tensor_slices(constant([[1], [2, 3], []])).filter(lambda row: len(row) > 0),
    Dataset.from_tensor_slices([b"a", b"bc", b""]).filter(bool),
    Dataset.range(30).map(lambda x: x * 2).filter(lambda x: x % 3 == 0).batch(4),
    Dataset.range(50).filter(lambda x, rng: bool(rng.random() < 0.4)).repeat(2),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[-1])


def test_elements_come_out_as_they_went_in():
    rows = np.arange(12, dtype=np.float32).reshape(6, 2)
    ds = Dataset.from_tensor_slices((rows, list("abcdef"))).filter(lambda x, y: y in "bf")

    assert_same_elements(ds, [(rows[1], "b"), (rows[5], "f")])


def test_the_number_of_elements_is_unknown():
    assert Dataset.range(5).filter(is_even).cardinality() == -2
    assert Dataset.range(5).repeat().filter(is_even).cardinality() == -2


def test_an_infinite_input_is_read_only_as_far_as_needed():
    seen = []
    ds = Dataset.range(1 << 40).filter(lambda x: seen.append(x) or x % 10 == 9).take(2)

    assert_same_elements(ds, [np.int64(9), np.int64(19)])
    assert len(seen) == 20


def test_the_predicate_is_called_once_per_element_in_order():
    seen = []

    list(Dataset.range(100).filter(lambda x: seen.append(int(x)) or x > 50))

    assert seen == list(range(100))


@pytest.mark.parametrize("answer", [True, np.True_, np.array(True)], ids=repr)
def test_python_and_numpy_bools_are_accepted(answer):
    assert len(list(Dataset.range(3).filter(lambda x: answer))) == 3


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (1, r"int32\[\]"),
        (np.int64(0), r"int64\[\]"),
        (None, "NoneType"),
        ("yes", "str"),
        (np.array([True, False]), r"bool\[2\]"),
        ((True,), "tuple"),
    ],
    ids=str,
)
def test_anything_but_a_single_bool_is_refused(answer, kind):
    with pytest.raises(BuildTypeError, match=rf"filter\(\): predicate must return .* is {kind}"):
        list(Dataset.range(3).filter(lambda x: answer))


def test_a_wrong_answer_fails_at_its_element_and_the_next_go_on():
    it = iter(Dataset.range(6).filter(lambda x: 5 if x == 2 else bool(x != 4)))

    assert [int(next(it)), int(next(it))] == [0, 1]
    with pytest.raises(BuildTypeError) as caught:
        next(it)
    assert [int(x) for x in it] == [3, 5]
    assert "in filter(<lambda>) built at test_filter.py:" in caught.value.__notes__[0]
    assert caught.value.__notes__[0].endswith("element 2")


def test_an_error_in_the_predicate_keeps_its_type_and_the_next_elements_go_on():
    it = iter(Dataset.range(5).filter(lambda x: {0: True, 1: True, 3: False, 4: True}[int(x)]))

    assert [int(next(it)), int(next(it))] == [0, 1]
    with pytest.raises(KeyError) as caught:
        next(it)
    assert [int(x) for x in it] == [4]
    assert caught.value.__notes__[0].endswith("element 2")


def test_a_predicate_cannot_change_the_elements():
    def changes(x):
        x[0] += 1
        return True

    with pytest.raises(ValueError, match="read-only"):
        list(Dataset.range(4).map(lambda x: np.full(2, x)).filter(changes))


def test_a_predicate_that_is_no_function_is_refused_where_it_is_written():
    with pytest.raises(BuildTypeError, match=r"filter\(\): predicate must be a function, got 3"):
        Dataset.range(3).filter(3)
    assert issubclass(BuildTypeError, BuildError)
