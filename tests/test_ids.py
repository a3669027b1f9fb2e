import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline import ids
from feedline.ids import ROOT_SCOPE, Rounds, Scope, draw_seed, generators_for, mix, mix_ids

WORDS = st.integers(-(2**63), 2**64 - 1)
SOME_IDS = np.arange(1000, dtype=np.uint64)


@given(st.lists(WORDS, max_size=4))
def test_mix_gives_64_bits(words):
    assert 0 <= mix(*words) < 2**64


def test_mix_never_changes_between_releases():
    """Saved states hold keys made by it."""
    assert mix(1, 2, 3) == 0x6AE515C1C0AC7E37
    assert mix() == 0


def test_mix_depends_on_the_order_and_number_of_words():
    assert mix(1, 2) != mix(2, 1)
    assert mix(0) != mix(0, 0)


def test_mixed_ids_differ_and_depend_on_the_word():
    assert len(set(mix_ids(SOME_IDS, 7).tolist())) == 1000
    assert not np.array_equal(mix_ids(SOME_IDS, 7), mix_ids(SOME_IDS, 8))


def test_mixing_leaves_its_input_alone():
    before = SOME_IDS.copy()
    mix_ids(SOME_IDS, 7)

    np.testing.assert_array_equal(SOME_IDS, before)


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1), WORDS)
def test_each_id_is_mixed_on_its_own(values, word):
    whole = mix_ids(np.array(values, np.uint64), word)
    parts = [mix_ids(np.array([value], np.uint64), word)[0] for value in values]

    assert whole.tolist() == parts


def draws(key, *element_ids):
    generators = generators_for(key, np.array(element_ids, np.uint64))
    return [generator.random(4).tolist() for generator in generators]


def test_a_generator_depends_on_key_and_id_alone():
    one, other = draws(3, 9, 10)

    assert one != other
    assert draws(3, 10) == [other]
    assert draws(4, 9) != [one]


def test_seeds_differ_and_fit_json():
    seeds = {draw_seed() for _ in range(20)}

    assert len(seeds) == 20
    assert max(seeds) < 2**53


def test_the_first_epoch_leaves_ids_alone():
    positions = np.arange(5)

    assert ROOT_SCOPE.repeated(0, 3, 0) is ROOT_SCOPE
    assert ROOT_SCOPE.ids(positions).tolist() == [0, 1, 2, 3, 4]
    assert ROOT_SCOPE.repeated(1, 3, 0).ids(positions).tolist() != [0, 1, 2, 3, 4]


@pytest.mark.parametrize("count", [3, -1])
def test_epochs_have_keys_of_their_own(count):
    assert len({ROOT_SCOPE.repeated(epoch, count, 0).key for epoch in range(10)}) == 10


def test_nested_repeats_count_every_pass():
    outer = [ROOT_SCOPE.repeated(epoch, 2, 0) for epoch in range(2)]
    inner = [scope.repeated(epoch, 3, 0).epoch for scope in outer for epoch in range(3)]

    assert inner == [0, 1, 2, 3, 4, 5]


def test_plans_of_two_parents_have_keys_of_their_own():
    assert Scope().nested(1).key != Scope().nested(2).key


def test_the_next_iteration_begins_after_all_passes_of_this_one():
    rounds = Rounds()

    assert [rounds.start(1), rounds.start(3), rounds.start(1)] == [0, 1, 4]


def test_all_names_are_there():
    assert [name for name in ids.__all__ if not hasattr(ids, name)] == []


def test_first_ids_are_those_of_each_nested_scope():
    parents = np.array([0, 1, 2**63 + 5, 2**64 - 1], np.uint64)

    for scope in (Scope(), Scope(7, 3), Scope().nested(12)):
        expected = [scope.nested(int(p)).ids(np.zeros(1, np.int64))[0] for p in parents]
        assert scope.first_ids(parents).tolist() == expected


def test_a_fixed_seed_follows_from_the_seed_and_the_number_and_stays():
    rounds = ids.Rounds()

    made = rounds.fixed_seed(7, 2)

    assert rounds.fixed_seed(7, 5) == made
    assert ids.Rounds().fixed_seed(7, 2) == made
    assert len({made, ids.Rounds().fixed_seed(7, 3), ids.Rounds().fixed_seed(8, 2)}) == 3
    assert 0 <= made < 2**53


def test_a_fixed_seed_without_a_seed_is_drawn_once():
    rounds = ids.Rounds()

    assert rounds.fixed_seed(None, 0) == rounds.fixed_seed(None, 1)
    assert rounds.fixed_seed(None, 0) != ids.Rounds().fixed_seed(None, 0)
