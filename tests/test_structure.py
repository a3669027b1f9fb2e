from collections import OrderedDict, namedtuple
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.data import Dataset
from feedline.errors import SpecError
from feedline.ragged import constant
from feedline.structure import LEAF, split_values, structure_of

Point = namedtuple("Point", "x y")


@dataclass(frozen=True)
class Pair:
    left: object
    right: object
    total: int = field(default=0, init=False)


LEAVES = st.one_of(st.integers(), st.text(max_size=2), st.none(), st.lists(st.integers()))
KEYS = st.one_of(st.text(max_size=2), st.integers())
ELEMENTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(KEYS, inner, max_size=3),
        st.dictionaries(KEYS, inner, max_size=2).map(OrderedDict),
        st.builds(Point, inner, inner),
        st.builds(Pair, inner, inner),
    ),
    max_leaves=8,
)


@given(ELEMENTS)
def test_packing_the_leaves_gives_the_element_back(element):
    structure = structure_of(element)
    leaves = structure.flatten(element)
    packed = structure.pack(leaves)

    assert packed == element
    assert type(packed) is type(element)
    assert structure_of(packed) == structure
    assert len(leaves) == structure.num_leaves == len(list(structure.paths()))


@given(ELEMENTS, st.integers(1, 4))
def test_splitting_a_run_and_packing_it_gives_it_back(element, count):
    structure = structure_of(element)
    columns = split_values([element] * count, structure)

    assert len(columns) == structure.num_leaves
    assert structure.pack_rows(columns, count) == [element] * count


@given(ELEMENTS)
def test_a_structure_is_aligned_with_itself(element):
    structure = structure_of(element)

    assert structure.aligned(structure) == structure


@given(ELEMENTS)
def test_structures_can_be_compared_and_hashed(element):
    assert hash(structure_of(element)) == hash(structure_of(element))


@pytest.mark.parametrize("leaf", [[1, 2], "ab", None, {1, 2}, constant([[1]]), Dataset.range(2)])
def test_what_is_no_branch_is_a_leaf(leaf):
    assert structure_of(leaf) is LEAF


def test_a_tuple_of_another_class_is_a_leaf():
    class Version(tuple):
        __slots__ = ()

    assert structure_of(Version((1, 2))) is LEAF


def test_paths_are_written_as_python():
    element = ({"a": 1, "b": (2, 3)}, Point(4, 5), Pair(6, 7))
    paths = structure_of(element).paths()

    assert list(paths) == [
        "[0]['a']",
        "[0]['b'][0]",
        "[0]['b'][1]",
        "[1][0]",
        "[1][1]",
        "[2].left",
        "[2].right",
    ]


def test_a_structure_is_shown_as_an_element_of_stars():
    assert str(structure_of((1, {"a": 2}, Point(3, 4)))) == "(*, {'a': *}, Point{0: *, 1: *})"
    assert str(structure_of(OrderedDict(a=1))) == "OrderedDict{'a': *}"
    assert str(LEAF) == "*"


def test_the_order_of_keys_does_not_matter():
    structure = structure_of({"a": 1, "b": 2})

    assert structure.flatten({"b": 20, "a": 10}) == [10, 20]
    assert split_values([{"a": 1, "b": 2}, {"b": 20, "a": 10}], structure) == [[1, 10], [2, 20]]


def test_flattening_another_structure_is_an_error():
    with pytest.raises(SpecError, match=r"expected the structure \(\*, \*\), got \(\*\)"):
        structure_of((1, 2)).flatten((1,))


@pytest.mark.parametrize(
    ("values", "then"),
    [
        ([(1, 2), (1, 2, 3)], r"\(\*, \*, \*\) \(element 1"),
        ([(1, 2), [1, 2]], r"\* \(element 1"),
        ([1, 2, (3, 4)], r"\(\*, \*\) \(element 2"),
        ([1, {"a": 1}], r"{'a': \*} \(element 1"),
        ([(), (1,)], r"\(\*\) \(element 1"),
        ([{}, {"a": 1}], r"{'a': \*} \(element 1"),
        ([{"a": 1}, {"b": 1}], r"{'b': \*} \(element 1"),
        ([{"a": 1}, (1,)], r"\(\*\) \(element 1"),
        ([Point(1, 2), (1, 2)], r"\(\*, \*\) \(element 1"),
        ([Pair(1, 2), Point(1, 2)], r"Point{0: \*, 1: \*} \(element 1"),
        ([((1, 2),), ((1, 2, 3),)], r"\(\*, \*, \*\) \(element 1"),
    ],
)
def test_a_run_of_different_structures_is_an_error(values, then):
    with pytest.raises(SpecError, match=f"was seen first, then {then}"):
        split_values(values, structure_of(values[0]))


def test_plain_and_ordered_dicts_mix_within_a_run():
    structure = structure_of({"a": 1})

    assert split_values([{"a": 1}, OrderedDict(a=2)], structure) == [[1, 2]]
