import json

import pytest

from feedline.data import Dataset, Options
from feedline.errors import BuildTypeError
from feedline.testing import CHECKS, check_resume_in_fresh_process

CASES = [
    Dataset.range(9).with_options(Options()),
    Dataset.range(9).shuffle(3).with_options(Options(seed=3)).batch(2),
    Dataset.range(9).with_options(Options(block_size=2)).map(lambda x: x * 2),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("ds", CASES[:2], ids=str)
def test_conforms(ds, check):
    check(ds)


def test_resumes_in_a_fresh_process():
    check_resume_in_fresh_process(CASES[2])


def test_settings_hold_for_the_whole_pipeline():
    options = Options()
    options.deterministic = False
    ds = Dataset.range(3).with_options(options).batch(2)

    assert ds.options().deterministic is False


def test_settings_given_later_join_those_given_before():
    ds = Dataset.range(3).with_options(Options(seed=1)).with_options(Options(block_size=2))

    assert (ds.options().seed, ds.options().block_size) == (1, 2)


def test_changing_the_options_afterwards_changes_no_dataset():
    options = Options(seed=1)
    ds = Dataset.range(3).with_options(options)
    options.seed = 2

    assert ds.options().seed == 1


def test_a_seed_makes_unseeded_steps_repeat_from_run_to_run():
    def first_order():
        ds = Dataset.range(50).shuffle(50).map(lambda x, rng: (x, rng.random()))
        return [(int(x), y) for x, y in ds.with_options(Options(seed=7))]

    assert first_order() == first_order()


def test_a_state_goes_with_other_settings():
    ds = Dataset.range(9).map(lambda x: x)
    it = iter(ds.with_options(Options(block_size=2)))
    next(it)
    again = iter(ds)
    again.load_state_dict(json.loads(json.dumps(it.state_dict())))

    assert [int(x) for x in again] == list(range(1, 9))


def test_of_two_values_the_later_counts_and_a_warning_says_so():
    ds = Dataset.range(3).with_options(Options(seed=1))

    with pytest.warns(UserWarning, match="seed was set to 1 before and is now 2") as caught:
        changed = ds.with_options(Options(seed=2))
    assert changed.options().seed == 2
    assert caught[0].filename == __file__


def test_settings_of_several_inputs_are_joined_and_the_last_counts():
    one = Dataset.range(3).with_options(Options(deterministic=True, seed=1))
    other = Dataset.range(3).with_options(Options(deterministic=False))

    assert Dataset.zip(one, other).options() == Options(deterministic=False, seed=1)


def test_what_is_no_options_is_refused():
    with pytest.raises(BuildTypeError, match=r"with_options\(\): options must be Options, got"):
        Dataset.range(3).with_options({"seed": 1})
