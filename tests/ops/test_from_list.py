import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import BuildError, BuildTypeError
from feedline.ops.from_list import from_list
from feedline.ragged import constant
from feedline.spec import RaggedTensorSpec, TensorSpec, string
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process


def of(*elements):
    return from_list(Dataset, list(elements))


CASES = [
    of(1, 2, 3),
    of("a", "bc", ""),
    of(b"a", b"\x00"),
    of(True, False),
    of((1, "a"), (2, "b"), (3, "c")),
    of({"a": 1, "b": [1.0]}, {"b": [2.0], "a": 2}),
    of([1], [2, 3], np.array([], np.int32)),
    of([[1, 2]], [[3], [4]]),
    of(constant([[1], [2, 3]]), constant([[4]])),
    of((1, "a"), (2, "b")).repeat(2).batch(3),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES, ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[4])


def test_the_elements_are_those_of_the_list():
    assert_same_elements(of((1, "a"), (2, "b")), [(np.int32(1), "a"), (np.int32(2), "b")])


def test_shapes_may_differ():
    ds = of([1], [2, 3])

    assert_same_elements(ds, [np.array([1], np.int32), np.array([2, 3], np.int32)])
    assert ds.element_spec == TensorSpec((None,), np.int32)
    assert of([1], [[2]]).element_spec == TensorSpec(None, np.int32)


def test_the_spec_covers_every_element():
    assert of("a", b"b").element_spec == TensorSpec((), string)
    assert of(constant([[1], [2]]), constant([[4]])).element_spec == RaggedTensorSpec(
        (None, None), np.int32
    )


def test_a_number_that_needs_64_bits_gives_them_to_all():
    assert_same_elements(of(1, 2**40), [np.int64(1), np.int64(2**40)])


def test_numpy_values_keep_their_dtype():
    assert_same_elements(of(np.uint8(1), np.uint8(2)), [np.uint8(1), np.uint8(2)])


def test_keys_come_in_the_order_of_the_first_element():
    assert [list(element) for element in of({"a": 1, "b": 2}, {"b": 3, "a": 4})] == [
        ["a", "b"],
        ["a", "b"],
    ]


def test_elements_can_be_read_by_index():
    assert int(of(5, 6, 7)[1]) == 6


def test_later_changes_of_the_list_are_not_seen():
    words = ["a", "b"]
    ds = from_list(Dataset, words)
    words[0] = "changed"

    assert list(ds) == ["a", "b"]


@pytest.mark.parametrize(
    ("elements", "error", "message"),
    [
        ([], BuildError, r"from_list\(\): elements must not be empty.*range\(0\)"),
        ((1, 2), BuildTypeError, r"from_list\(\): elements must be a list, got tuple"),
        ([(1, 2), 3], BuildError, r"from_list\(\): elements must all have one structure"),
        ([{"a": 1}, {"b": 1}], BuildError, "elements must all have one structure"),
        ([1, 2.5], BuildTypeError, r"elements 0 and 1 differ: int32\[\] and float32\[\]"),
        (
            [(0, 1), (0, "a")],
            BuildTypeError,
            r"elements 0 and 1 differ at \[1\]: int32\[\] and str",
        ),
        ([(), ()], BuildError, "the elements have no values"),
    ],
)
def test_what_is_no_list_of_equal_elements_is_refused(elements, error, message):
    with pytest.raises(error, match=message):
        from_list(Dataset, elements)
