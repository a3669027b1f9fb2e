"""A mutant is what the tests run, in every module that they reach it through."""

import pytest

from tools.mutation.blocks import ROOT
from tools.mutation.mutants import mutants_of
from tools.mutation.trial import Trials

MODULE, MIRROR = "feedline/narrow.py", "tests/test_narrow.py"


class TheseTests:
    """A map that names the same test files for every mutant."""

    def __init__(self, *files):
        self.files = files
        self.seconds = dict.fromkeys(files, 1.0)

    def tests_for(self, mutant):
        return list(self.files)


def returns_nothing(module):
    return next(each for each in mutants_of(ROOT / module) if each.kind == "return None")


@pytest.mark.parametrize("files", [[MIRROR], [MODULE, MIRROR]], ids=["alone", "with its examples"])
def test_a_fault_is_caught_and_the_test_is_named(files):
    result = Trials(TheseTests(*files), budget=60).run(returns_nothing(MODULE))

    assert result.outcome == "caught"
    assert result.by.split("::")[0] in files


def test_a_fault_that_no_test_reaches_survives_and_the_tree_is_as_it_was():
    mutant = returns_nothing(MODULE)
    result = Trials(TheseTests("tests/test_site.py"), budget=60).run(mutant)

    assert result.outcome == "survived"
    assert (ROOT / MODULE).read_bytes() == mutant.original
