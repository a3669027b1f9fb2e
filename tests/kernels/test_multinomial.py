import numpy as np
import pytest

from feedline.kernels.multinomial import pick, seeded_uniforms


def test_any_part_of_the_draws_can_be_computed_alone():
    whole = seeded_uniforms(1, 2, 0, 50)

    assert np.array_equal(seeded_uniforms(1, 2, 17, 20), whole[17:37])


def test_the_draws_are_even():
    counts, _ = np.histogram(seeded_uniforms(1, 2, 0, 100_000), bins=10, range=(0, 1))

    assert abs(counts - 10_000).max() < 500


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_row_per_draw_gives_what_one_row_for_all_gives(dtype):
    weights = np.array([0.1, 0.25, 0.05, 0.4, 0.2], dtype)
    uniforms = seeded_uniforms(3, 4, 0, 1000)

    assert np.array_equal(pick(np.tile(weights, (1000, 1)), uniforms), pick(weights, uniforms))


def test_what_has_no_positive_weight_is_never_drawn():
    uniforms = np.linspace(0, 1, 1000, endpoint=False)
    weights = np.array([0.0, 1.0, -1.0, np.nan, 2.0, np.inf])

    assert set(pick(weights, uniforms).tolist()) == {1, 4}


def test_a_row_without_any_weight_gives_the_number_of_classes():
    assert pick(np.array([[0.0, 0.0], [0.0, 1.0]]), np.array([0.5, 0.5])).tolist() == [2, 1]
