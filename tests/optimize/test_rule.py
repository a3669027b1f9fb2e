import pytest

from feedline.data import Dataset, Options
from feedline.optimize.rule import Rule


def halve(node):
    return None


RULE = Rule(halve, about=(), reason="alone", option="noop_elimination")
OWN = Rule(halve, about=(), reason="alone")


def settings(skip_rules=None, **optimization):
    options = Options(skip_rules=skip_rules)
    for name, value in optimization.items():
        setattr(options.experimental_optimization, name, value)
    return options


def test_a_rule_is_called_like_its_function():
    assert RULE.name == "halve"


@pytest.mark.parametrize("rule", [RULE, OWN])
def test_a_rule_is_on_unless_something_turns_it_off(rule):
    assert rule.is_on(settings())
    assert rule.is_on(settings(skip_rules=("other",)))
    assert not rule.is_on(settings(skip_rules=("halve",)))
    assert not rule.is_on(settings(apply_default_optimizations=False))


def test_the_option_of_tf_data_switches_the_rule():
    assert not RULE.is_on(settings(noop_elimination=False))
    assert OWN.is_on(settings(noop_elimination=False))


def test_an_option_that_is_set_counts_more_than_the_defaults():
    assert RULE.is_on(settings(noop_elimination=True, apply_default_optimizations=False))
    assert not RULE.is_on(settings(noop_elimination=False, apply_default_optimizations=True))


def test_a_rule_that_is_skipped_is_off_whatever_the_option_says():
    assert not RULE.is_on(settings(("halve",), noop_elimination=True))


def test_the_options_of_a_dataset_reach_the_rules():
    ds = Dataset.range(3).take(-1)

    assert "rules: noop_elimination" in ds.explain()
    assert "rules: none fired" in ds.with_options(settings(noop_elimination=False)).explain()
    assert "rules: none fired" in ds.with_options(settings(("noop_elimination",))).explain()
