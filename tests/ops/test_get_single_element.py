import numpy as np
import pytest

from feedline.data import Dataset
from feedline.errors import InvalidArgumentError
from feedline.testing import assert_same


def test_the_only_element_is_returned():
    assert_same(Dataset.from_tensors((1, "x")).get_single_element(), (np.int32(1), "x"))
    assert_same(Dataset.range(4).batch(4).get_single_element(), np.arange(4))


def test_an_empty_dataset_is_refused():
    with pytest.raises(InvalidArgumentError, match=r"get_single_element\(\): .* it is empty"):
        Dataset.range(0).get_single_element()


def test_a_second_element_is_refused_without_reading_on():
    seen = []

    with pytest.raises(InvalidArgumentError, match=r"get_single_element\(\): .* it has more"):
        Dataset.range(1 << 40).map(lambda x: seen.append(x) or x).get_single_element()
    assert len(seen) <= 3


def test_an_error_keeps_its_type():
    with pytest.raises(ZeroDivisionError):
        Dataset.range(1).map(lambda x: 1 / 0).get_single_element()
