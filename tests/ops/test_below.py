import pytest

from feedline.data import Dataset, Options
from feedline.ops.below import Below

SHUFFLED = Dataset.range(5).shuffle(3)


def settings(**values):
    options = Options().experimental_optimization
    for name, value in values.items():
        setattr(options, name, value)
    return options


@pytest.mark.parametrize("ds", [SHUFFLED.take(-1), SHUFFLED.skip(0).repeat(1).shard(1, 0)])
def test_steps_that_change_nothing_are_looked_past(ds):
    below = Below.of(ds.node)

    assert below.traits.shuffles
    assert below.is_seen(settings())
    assert not below.is_seen(settings(noop_elimination=False))


@pytest.mark.parametrize("ds", [SHUFFLED.prefetch(1), SHUFFLED.take(9), SHUFFLED.repeat(2)])
def test_other_steps_are_not(ds):
    assert not Below.of(ds.node).traits.shuffles


def test_what_lies_right_below_is_always_seen():
    assert Below.of(SHUFFLED.node).is_seen(settings(noop_elimination=False))
