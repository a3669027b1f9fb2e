import numpy as np
import pytest

from feedline.data import Dataset, Options
from feedline.graph import vectorizer
from feedline.testing import CHECKS
from tests.optimize.switched import fired


@pytest.fixture(autouse=True)
def at_once_from_the_first_element(monkeypatch):
    monkeypatch.setattr(vectorizer, "_BEFORE_TRYING", 0)
    monkeypatch.setattr(vectorizer, "_SMALLEST_BLOCK", 1)


def asked_for(ds):
    options = Options()
    options.experimental_optimization.filter_fusion = True
    return ds.with_options(options)


def chain(n=60):
    ds = Dataset.range(n).filter(lambda x: x % 2 == 0)
    return ds.filter(lambda x: x % 3 == 0).filter(lambda x: x > 10)


def test_it_is_off_unless_asked_for():
    assert fired(chain()) == []
    assert fired(asked_for(chain())) == ["filter_fusion"]


def test_the_elements_are_those_of_the_filters_by_themselves():
    assert list(asked_for(chain())) == list(chain()) == list(range(12, 60, 6))


@pytest.mark.parametrize("check", CHECKS)
def test_the_one_filter_conforms(check):
    check(asked_for(chain(40)))


SEEN = []


def test_a_predicate_that_is_called_on_each_element_keeps_its_step():
    ds = Dataset.range(9).filter(lambda x: x % 2 == 0).filter(lambda x: SEEN.append(x) or True)

    assert fired(asked_for(ds)) == []


def test_a_block_that_fails_goes_element_by_element_and_a_predicate_sees_only_what_is_left():
    table = np.arange(4)
    ds = asked_for(Dataset.range(20).filter(lambda x: x < 4).filter(lambda x: table[x] > 1))
    assert fired(ds) == ["filter_fusion"]

    assert list(ds) == [2, 3]


def test_a_predicate_that_is_none_is_named():
    ds = asked_for(Dataset.range(9).filter(lambda x: x > 2).filter(lambda x: x + 1))

    with pytest.raises(TypeError, match="must return a single bool"):
        list(ds)
