"""Several recorded operations as one, where someone knows how."""

import numpy as np
import pytest

from feedline.graph import fusion
from feedline.graph.fusion import fused, fuser, uses_of
from feedline.graph.op import LeafForm, Op, Ref

FORM = LeafForm((), np.dtype(np.float32))


def _op(fn, args, out):
    return Op(fn, args, {}, (out,), (FORM,), True, fn, fresh=True, exact=True)


@pytest.fixture
def own_fusers(monkeypatch):
    monkeypatch.setattr(fusion, "FUSERS", [])


def test_uses_count_arguments_and_outputs():
    ops = [_op(np.add, (Ref(0), [Ref(0), Ref(1)]), 2), _op(np.negative, (Ref(2),), 3)]

    assert uses_of(ops, [Ref(3), Ref(0), 7]) == {0: 3, 1: 1, 2: 1, 3: 1}


@pytest.mark.usefixtures("own_fusers")
def test_without_anyone_who_knows_operations_stay_what_they_are():
    ops = [_op(np.negative, (Ref(0),), 1)]

    assert fused(ops, [Ref(1)]) == tuple(ops)


@pytest.mark.usefixtures("own_fusers")
def test_whoever_knows_how_is_asked():
    twice = [_op(np.negative, (Ref(0),), 1), _op(np.negative, (Ref(1),), 2)]
    fuser(lambda ops, _outputs: [_op(np.positive, (Ref(0),), ops[-1].outs[0])])

    (found,) = fused(twice, [Ref(2)])

    assert found.fn is np.positive
    assert found.outs == (2,)
