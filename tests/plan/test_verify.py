from dataclasses import dataclass, replace

import pytest

from feedline.data import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Dataset
from feedline.plan.node import UnaryNode
from feedline.plan.verify import cardinality_of, verify

THREE = Dataset.range(3).node
UNKNOWN = Dataset.range(3).interleave(lambda x: Dataset.range(2)).node


@dataclass(frozen=True)
class Forgetful(UnaryNode):
    def with_inputs(self, inputs):
        return replace(self, input=Dataset.range(99).node)


@dataclass(frozen=True)
class Impossible(UnaryNode):
    def cardinality(self, inputs):
        return -3


def test_a_sound_plan_passes():
    verify(Dataset.range(3).map(lambda x: x).batch(2).shuffle(2).node)


def test_a_rule_may_not_change_the_number_of_elements():
    with pytest.raises(AssertionError, match="my_rule: cardinality went from 3 to 4"):
        verify(Dataset.range(4).node, before=THREE, rule="my_rule")


def test_a_number_may_become_known_or_unknown():
    verify(THREE, before=UNKNOWN)
    verify(UNKNOWN, before=THREE)


def test_a_node_must_keep_its_inputs():
    with pytest.raises(AssertionError, match="loses its inputs"):
        verify(Forgetful(THREE))


def test_the_cardinality_of_a_plan_is_computed_from_its_sources():
    assert cardinality_of(Dataset.range(7).batch(2).take(3).node) == 3
    assert cardinality_of(Dataset.range(7).repeat().node) == INFINITE_CARDINALITY
    assert cardinality_of(UNKNOWN) == UNKNOWN_CARDINALITY


def test_an_impossible_cardinality_is_a_mistake():
    with pytest.raises(AssertionError):
        cardinality_of(Impossible(THREE))
