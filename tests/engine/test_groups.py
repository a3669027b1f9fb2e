from feedline.block import Block
from feedline.engine.groups import Groups


def filled():
    groups = Groups()
    places = groups.put(Block.of([10, 11, 12, 13]))
    full = [
        groups.add(key, 2, place, position)
        for key, place, position in zip([5, 3, 5, 4], places, range(4), strict=True)
    ]
    return groups, full


def test_a_group_is_full_when_it_has_its_size():
    _, full = filled()

    assert full == [False, False, True, False]


def test_a_group_is_taken_with_its_elements_and_positions():
    groups, _ = filled()
    rows, positions = groups.take(5)

    assert [int(row) for row in rows.rows()] == [10, 12]
    assert positions == [0, 2]
    assert len(groups) == 2


def test_what_waits_is_known_by_position():
    groups, _ = filled()

    assert groups.positions() == [[5, [0, 2]], [3, [1]], [4, [3]]]
    assert (groups.oldest, groups.least_key, groups.least_missing) == (0, 3, 0)


def test_without_groups_there_is_nothing_oldest_or_missing():
    groups = Groups()

    assert (groups.oldest, groups.least_missing, len(groups)) == (None, None, 0)


def test_places_are_used_again():
    groups, _ = filled()
    groups.take(5)

    assert sorted(groups.put(Block.of([20, 21]))) == [0, 2]
