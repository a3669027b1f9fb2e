import pickle
from dataclasses import dataclass, field

import numpy as np
import pytest

from feedline.data import UNKNOWN_CARDINALITY, Dataset
from feedline.errors import BuildTypeError
from feedline.plan.node import NaryNode, Node, RandomNode, Traits, UnaryNode, node_of


@dataclass(frozen=True)
class Source(Node):
    size: int
    data: object = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class BigStep(UnaryNode):
    fn: object
    dtype: object = None


@dataclass(frozen=True)
class Join(NaryNode):
    pass


@dataclass(frozen=True)
class Draw(UnaryNode, RandomNode):
    pass


SOURCE = Source(3)


def test_a_node_is_shown_as_the_call_that_makes_it():
    assert Source(3).label == "source(size=3)"
    assert Source(3, name="x").label == "source(size=3) [x]"
    assert BigStep(SOURCE, len, np.dtype("int8")).label == "big_step(fn=len, dtype=int8)"


def test_long_settings_are_shortened():
    assert len(BigStep(SOURCE, "x" * 100).label) < 70


def test_a_signature_has_settings_but_no_functions_and_no_data():
    assert Source(3, data=np.zeros(9)).signature == "source(3)"
    assert BigStep(SOURCE, len).signature == "big_step(None)"


def test_the_place_is_the_line_that_built_the_node():
    assert Source(3).place.startswith("source() built at test_node.py:")


def test_names_and_lines_do_not_tell_nodes_apart():
    assert Source(3, name="x") == Source(3)
    assert Source(3) != Source(4)
    assert Draw(SOURCE, number=1) == Draw(SOURCE, number=2)


def test_inputs_can_be_replaced():
    other = Source(4)

    assert BigStep(SOURCE, len).with_inputs([other]) == BigStep(other, len)
    assert Join((SOURCE, SOURCE)).with_inputs([other, SOURCE]) == Join((other, SOURCE))
    assert SOURCE.with_inputs([]) is SOURCE


def test_inputs_stand_in_order():
    assert SOURCE.inputs == ()
    assert BigStep(SOURCE, len).inputs == (SOURCE,)
    assert Join((SOURCE, Source(4))).inputs == (SOURCE, Source(4))


def test_a_node_says_little_by_default():
    assert SOURCE.traits == Traits()
    assert SOURCE.cardinality([]) == UNKNOWN_CARDINALITY
    assert SOURCE.spec([]) is SOURCE.spec_of_nothing([]) is SOURCE.access(None) is None
    assert not SOURCE.reads_ids
    with pytest.raises(NotImplementedError, match="Source"):
        SOURCE.lower(None)


def test_nodes_survive_pickle():
    node = Join((BigStep(SOURCE, len), Draw(SOURCE)))

    assert pickle.loads(pickle.dumps(node)) == node


def test_random_nodes_count_their_rounds():
    node = Draw(SOURCE)

    assert [node.start_round(1, None), node.start_round(1, None)] == [0, 1]
    assert node.rounds is not Draw(SOURCE).rounds


def test_a_dataset_has_a_node_and_nothing_else_does():
    assert node_of(Dataset.range(3), "zip()", "every input").cardinality([]) == 3
    with pytest.raises(BuildTypeError, match=r"zip\(\): every input must be a Dataset, got 3 of"):
        node_of(3, "zip()", "every input")
