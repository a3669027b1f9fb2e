"""What must stay the same for a recording to hold."""

import numpy as np
import pytest

from feedline.graph.guard import ContentGuard, Guard, ItemsGuard, items_of


@pytest.mark.parametrize(
    ("before", "after", "holds"),
    [
        (1, 1, True),
        (1000001, int("1000001"), True),
        ("text", "".join(["te", "xt"]), True),
        (1, True, False),
        (1, 1.0, False),
        (0.0, -0.0, False),
        (0j, complex(-0.0, 0.0), False),
        (1, 2, False),
        ([], [], False),
    ],
)
def test_a_value_must_be_the_same_object_or_an_equal_number_or_text(before, after, holds):
    now = before
    guard = Guard(lambda: now, before)
    assert guard.holds()

    now = after

    assert guard.holds() == holds


@pytest.mark.parametrize(
    "change",
    [
        lambda items: items.append(3),
        lambda items: items.pop(),
        lambda items: items.reverse(),
        lambda items: items.__setitem__(0, [1]),
    ],
)
def test_a_list_must_hold_the_same_objects_in_order(change):
    items = [[1], [2]]
    guard = ItemsGuard(items)
    assert guard.holds()

    change(items)

    assert not guard.holds()


def test_the_order_of_a_dict_counts():
    names = {"a": 1, "b": 2}
    guard = ItemsGuard(names)

    names["a"] = names.pop("a")

    assert not guard.holds()


def test_the_attributes_of_a_class_can_be_guarded():
    class Thing:
        k = 1

    guard = ItemsGuard(vars(Thing))
    assert guard.holds()

    Thing.k = 2

    assert not guard.holds()
    assert 2 in items_of(vars(Thing))


def test_the_numbers_of_an_array_must_be_the_same():
    array = np.zeros((3, 4))[:, ::2]
    guard = ContentGuard(array)
    assert guard.holds()

    array[1, 1] = -0.0

    assert not guard.holds()
