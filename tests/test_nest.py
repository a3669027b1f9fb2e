"""Structures of lists, tuples, dicts and dataclasses."""

from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from feedline import nest
from feedline.errors import BuildError, BuildTypeError
from feedline.ragged import constant
from feedline.sparse import SparseTensor, to_dense
from feedline.spec import RaggedTensorSpec, SparseTensorSpec, TensorSpec

Point = namedtuple("Point", ["x", "y"])


@dataclass
class Pair:
    a: object
    b: object


STRUCTURES = [
    3,
    [1, (2, 3)],
    {"b": 1, "a": [2]},
    OrderedDict(b=1, a=2),
    Point(1, [2]),
    Pair(1, {"x": 2}),
    [],
    (None, "text"),
]


@pytest.mark.parametrize("structure", STRUCTURES, ids=str)
def test_packing_what_was_flattened_gives_it_back(structure):
    packed = nest.pack_sequence_as(structure, nest.flatten(structure))

    assert packed == structure
    assert type(packed) is type(structure)


def test_the_leaves_of_a_dict_come_in_the_order_of_keys():
    assert nest.flatten({"b": 1, "a": 2}) == [2, 1]
    assert nest.flatten({2: "x", "a": "y"}) == ["x", "y"]


def test_several_structures_are_mapped_together():
    assert nest.map_structure(lambda a, b: a + b, [1, {"k": 2}], [10, {"k": 20}]) == [11, {"k": 22}]


@pytest.mark.parametrize(
    ("first", "second", "error"),
    [
        ([1], [1, 2], BuildError),
        ([1], 1, BuildError),
        ({"a": 1}, {"b": 1}, BuildError),
        ([1], (1,), BuildTypeError),
    ],
)
def test_structures_that_differ_are_told_apart(first, second, error):
    with pytest.raises(error, match="the two structures differ"):
        nest.assert_same_structure(first, second)


def test_types_of_branches_may_be_left_alone():
    nest.assert_same_structure([1], (1,), check_types=False)


def test_wrong_calls_are_refused():
    with pytest.raises(BuildError, match="must have 2 leaves"):
        nest.pack_sequence_as([1, 2], [1])
    with pytest.raises(BuildTypeError, match="func must be callable"):
        nest.map_structure(3, [1])
    with pytest.raises(BuildTypeError, match=r"unknown arguments \['wrong'\]"):
        nest.map_structure(str, [1], wrong=1)


def test_views_and_ranges_are_branches_that_come_back_as_lists():
    values = {"b": 1, "a": [2, 3]}

    assert nest.flatten(values.values()) == [1, 2, 3]
    assert nest.flatten(values.items()) == ["b", 1, "a", 2, 3]
    assert nest.flatten(range(3)) == [0, 1, 2]
    assert [nest.is_nested(x) for x in (values.keys(), range(2), "text", {1})] == [
        True,
        True,
        False,
        False,
    ]
    assert nest.pack_sequence_as(values.values(), [10, 20, 30]) == [10, [20, 30]]


def test_a_defaultdict_stays_one():
    found = nest.map_structure(lambda x: x + 1, defaultdict(list, {"b": 1, "a": 2}))

    assert found == {"b": 2, "a": 3}
    assert found.default_factory is list


def test_composites_are_expanded_where_that_is_asked_for():
    ragged = constant([[1], [2, 3]])

    assert len(nest.flatten([ragged])) == 1
    values, splits = nest.flatten([ragged], expand_composites=True)
    assert (values.tolist(), splits.tolist()) == ([1, 2, 3], [0, 1, 3])
    again = nest.pack_sequence_as(ragged, [values * 2, splits], expand_composites=True)
    assert again.to_list() == [[2], [4, 6]]
    assert nest.map_structure(lambda x: x + 1, [1, (2,)], expand_composites=True) == [2, (3,)]
    sparse = SparseTensor([[0, 1]], [5], [1, 2])
    assert len(nest.flatten(sparse, expand_composites=True)) == 3


def test_composites_are_flattened_to_their_arrays_from_the_outermost_axis():
    ragged = constant([[[1, 2], []], [[3]]])
    sparse = SparseTensor([[0, 1]], np.array([5], np.int32), [2, 2])

    flat = nest.flatten({"r": ragged, "s": sparse}, expand_composites=True)
    packed = nest.pack_sequence_as({"r": ragged, "s": sparse}, flat, expand_composites=True)

    assert [part.numpy().tolist() for part in flat[:3]] == [[1, 2, 3], [0, 2, 3], [0, 2, 2, 3]]
    assert [part.shape.as_list() for part in flat[3:]] == [[1, 2], [1], [2]]
    assert packed["r"].to_list() == [[[1, 2], []], [[3]]]
    assert to_dense(packed["s"]).tolist() == [[0, 5], [0, 0]]


def test_specs_of_composites_are_flattened_to_specs_and_say_how_to_put_together():
    spec = RaggedTensorSpec([2, None], np.int32, row_splits_dtype=np.int32)

    specs = nest.flatten([spec, SparseTensorSpec([2, None], np.float32)], expand_composites=True)
    ragged = nest.pack_sequence_as(spec, [[1, 2, 3], [0, 1, 3]], expand_composites=True)

    assert specs[:2] == [TensorSpec([None], np.int32), TensorSpec([3], np.int32)]
    assert [list(one.shape) for one in specs[2:]] == [[None, 2], [None], [2]]
    assert ragged.to_list() == [[1], [2, 3]]
