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
    options.experimental_optimization.map_and_filter_fusion = True
    return ds.with_options(options)


def chain(n=60):
    return Dataset.range(n).map(lambda x: {"a": x * 2, "b": x}).filter(lambda d: d["a"] % 3 == 0)


def test_it_is_off_unless_asked_for():
    assert fired(chain()) == []
    assert fired(asked_for(chain())) == ["map_and_filter_fusion"]


def test_the_elements_are_those_of_the_two_steps():
    assert list(asked_for(chain())) == list(chain())


@pytest.mark.parametrize("check", CHECKS)
def test_the_one_step_conforms(check):
    check(asked_for(chain(20)))


def test_an_element_that_fails_is_named_with_its_step():
    table = np.arange(4)
    ds = Dataset.range(9).map(lambda x: table[x]).filter(lambda x: x > 1)

    it = iter(asked_for(ds))

    assert [next(it), next(it)] == [2, 3]
    with pytest.raises(IndexError) as raised:
        next(it)
    assert raised.value.__notes__[0].startswith("in map(<lambda>)")
    assert raised.value.__notes__[0].endswith("element 4")


def test_functions_that_are_called_on_each_element_keep_their_steps():
    ds = Dataset.range(9).map(lambda x: x if x > 2 else -x).filter(lambda x: x > 1)

    assert fired(asked_for(ds)) == []
