"""Which mutants are said to change nothing."""

import tomllib

import pytest

from tools.mutation import report
from tools.mutation.blocks import ROOT
from tools.mutation.mutants import mutants_of
from tools.mutation.report import Equivalents

ENTRIES = tomllib.loads(report._BY_HAND.read_text())["mutant"]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["file"])
def test_a_mutant_that_is_said_to_change_nothing_is_one_of_todays_source(entry):
    reasons = map(Equivalents().reason, mutants_of(ROOT / entry["file"]))

    assert entry["reason"] in reasons
