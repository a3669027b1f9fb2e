"""What must stay the same for a recording to hold."""

import numpy as np
import pytest

from feedline.graph.guard import ContentGuard, Guard, ItemsGuard, items_of, joined_guards


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


def test_several_containers_are_guarded_as_one():
    names, items, things = {"a": [1]}, [], {3}
    others = [Guard(lambda: 1, 1), ContentGuard(np.zeros(3))]
    guards = joined_guards([ItemsGuard(names), others[0], ItemsGuard(items, things), others[1]])

    assert guards[:2] == tuple(others)
    assert len(guards) == 3
    assert all(guard.holds() for guard in guards)
    names["a"] = [1]
    assert not guards[2].holds()


@pytest.mark.parametrize("number", range(4))
def test_a_change_of_any_of_them_is_seen(number):
    containers = [[1], [], [2, 3], [4]]
    (guard,) = joined_guards([ItemsGuard(one) for one in containers])
    containers[number].append(0)

    assert not guard.holds()


def test_what_moves_from_one_container_to_the_next_is_seen():
    first, second = [1, 2], [3]
    (guard,) = joined_guards([ItemsGuard(first), ItemsGuard(second)])
    second.insert(0, first.pop())

    assert not guard.holds()


def test_what_a_container_held_when_it_was_first_seen_counts():
    items = [1]
    guard = ItemsGuard(items)
    items.append(2)

    assert not joined_guards([guard])[0].holds()
    assert joined_guards([]) == ()
