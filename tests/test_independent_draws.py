"""Two elements never share their random draws, however alike the ways to them are."""

from __future__ import annotations

import pytest

import feedline as tf

Dataset = tf.data.Dataset
THREE = Dataset.range(3)
TURNS = Dataset.range(8).map(lambda x: x % 2)


def draw(x, rng):
    return rng.random()


PIPELINES = {
    "two repeats below": THREE.repeat(2).repeat(2).map(draw),
    "two repeats above": THREE.map(draw).repeat(2).repeat(2),
    "repeats with steps between": THREE.repeat(3).shuffle(3).batch(2).unbatch().repeat(2).map(draw),
    "a mixture in a mixture": Dataset.sample_from_datasets(
        [Dataset.sample_from_datasets([THREE, THREE]), THREE]
    ).map(draw),
    "two mixtures in one": Dataset.sample_from_datasets(
        [Dataset.sample_from_datasets([THREE, THREE]), Dataset.sample_from_datasets([THREE, THREE])]
    ).map(draw),
    "a choice of concatenations": Dataset.choose_from_datasets(
        [THREE.concatenate(THREE), THREE], TURNS
    ).map(draw),
    "concatenations": THREE.concatenate(THREE).concatenate(THREE.concatenate(THREE)).map(draw),
    "nested datasets": THREE.flat_map(lambda x: Dataset.range(3).repeat(2)).repeat(2).map(draw),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_all_draws_differ(name):
    draws = [float(x) for x in PIPELINES[name]]

    assert len(set(draws)) == len(draws)


def test_a_repeat_of_one_changes_no_draw():
    options = tf.data.Options(seed=3)
    plain = [float(x) for x in THREE.map(draw).with_options(options)]

    assert [float(x) for x in THREE.map(draw).repeat(1).with_options(options)] == plain
