import pytest

from feedline.data import Dataset
from feedline.errors import BuildTypeError


def test_the_function_gets_the_dataset_and_its_result_is_returned():
    ds = Dataset.range(6)

    result = ds.apply(lambda d: (d is ds and d.batch(2)) or None)

    assert [b.tolist() for b in result] == [[0, 1], [2, 3], [4, 5]]


def test_a_result_that_is_no_dataset_is_refused():
    with pytest.raises(BuildTypeError, match=r"apply\(\): what transformation_func returns"):
        Dataset.range(3).apply(lambda d: 5)


def test_what_is_no_function_is_refused():
    with pytest.raises(BuildTypeError, match=r"apply\(\): transformation_func must be a function"):
        Dataset.range(3).apply(5)


def test_an_error_in_the_function_passes_through():
    with pytest.raises(ZeroDivisionError):
        Dataset.range(3).apply(lambda d: 1 / 0)
