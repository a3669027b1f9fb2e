import pytest

from feedline.data import Dataset
from feedline.errors import BuildError
from feedline.plan.explain import explain_text, plan_text

DS = Dataset.range(5).map(abs).batch(2)


def test_a_plan_is_shown_from_its_output_with_the_lines_that_built_it():
    lines = plan_text(DS.node).splitlines()

    assert [line.split()[0] for line in lines] == [
        "batch(batch_size=2,",
        "map(fn=abs)",
        "range(start=0,",
    ]
    assert [len(line) - len(line.lstrip()) for line in lines] == [0, 2, 4]
    assert all("test_explain.py:7" in line for line in lines)


def test_an_explanation_has_both_plans_and_the_rules_between_them():
    text = explain_text(DS.node, Dataset.range(5).node, ["drop_noops", "fuse_maps"])

    assert text.index("as asked") < text.index("rules: drop_noops, fuse_maps")
    assert text.index("rules:") < text.index("as it runs")
    assert "rules: none fired" in explain_text(DS.node, DS.node, [])


def test_one_form_can_be_asked_for():
    ds = DS.prefetch(1)

    assert ds.explain("asked").startswith("prefetch(")
    assert ds.explain("rewritten").startswith("batch(")


def test_an_unknown_phase_is_refused_with_those_there_are():
    with pytest.raises(BuildError, match=r"phase must be one of \['asked', 'rewritten'\]"):
        DS.explain("lowered")


def test_an_interactive_session_shows_the_lines():
    assert repr(DS.explain()) == str(DS.explain())
