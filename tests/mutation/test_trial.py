"""A mutant is what the tests run, in every module that they reach it through."""

import pytest

from tools.mutation import trial
from tools.mutation.blocks import ROOT, numbers
from tools.mutation.coverage_map import OVERLAY
from tools.mutation.mutants import mutants_of
from tools.mutation.trial import Result, Trials, doubted

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


def test_trials_pass_though_blocks_were_recorded_meanwhile(tmp_path, monkeypatch):
    hits = tmp_path / "hits"
    hits.write_bytes(bytes(numbers()[""]))
    monkeypatch.setattr(trial, "KEPT", tmp_path / "map.json")
    trials = Trials(TheseTests(MIRROR), budget=60)
    with monkeypatch.context() as recording:
        recording.setenv("FEEDLINE_HITS", str(hits))
        recording.setenv("PYTHONPATH", str(OVERLAY))
        assert trials.control([MIRROR]) == []

    assert trials.control([MIRROR]) == []


def test_the_control_names_the_tests_that_fail_without_a_mutant(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import pytest\n\n\n@pytest.mark.parametrize('x', [1, 2])\n"
        "def test_fails(x):\n    assert x == 1\n\n\ndef test_passes():\n    pass\n"
    )
    [failing] = Trials(TheseTests(), budget=60).control([str(tmp_path / "test_it.py")])

    assert failing.endswith("test_it.py::test_fails")


def test_a_mutant_caught_by_a_test_that_fails_without_it_is_doubtful():
    class Control:
        def control(self, tests):
            assert tests == ["a.py::test_fails", "a.py::test_works"]
            return ["a.py::test_fails"]

    mutant = returns_nothing(MODULE)
    caught = ("a.py::test_works[1]", "a.py::test_fails[2]", "time-out in b.py")
    results = [Result(mutant, "caught", by) for by in caught]

    found = [each.outcome for each in doubted(Control(), results)]
    assert found == ["caught", "doubtful", "caught"]


def test_all_are_doubtful_where_the_control_itself_does_not_run():
    class Control:
        def control(self, tests):
            return ["E   NameError: name 'x' is not defined"]

    result = Result(returns_nothing(MODULE), "caught", "a.py::test_works")

    assert [each.outcome for each in doubted(Control(), [result])] == ["doubtful"]
