import os

import pytest

from feedline.data import Dataset
from feedline.errors import BuildTypeError, InvalidArgumentError
from feedline.spec import TensorSpec, string
from feedline.testing import CHECKS, check_resume_in_fresh_process


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for number in range(12):
        (tmp_path / f"{number:02d}.txt").write_text("")
    (tmp_path / ".hid.txt").write_text("")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "x.txt").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


CASES = {
    "seeded": lambda: Dataset.list_files("*.txt", seed=42),
    "unseeded": lambda: Dataset.list_files("*.txt"),
    "sorted": lambda: Dataset.list_files("*.txt", shuffle=False),
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("check", [*CHECKS, check_resume_in_fresh_process])
@pytest.mark.parametrize("case", CASES)
def test_conforms(case, check):
    check(CASES[case]())


def numbers(ds):
    return " ".join(name.removesuffix(".txt") for name in ds)


@pytest.mark.usefixtures("folder")
def test_names_are_sorted_if_they_are_not_shuffled():
    ds = Dataset.list_files("*.txt", shuffle=False)

    assert numbers(ds) == ".hid 00 01 02 03 04 05 06 07 08 09 10 11"
    assert (ds.cardinality(), ds.element_spec) == (13, TensorSpec((), string))
    assert ds[1] == "00.txt"


@pytest.mark.usefixtures("folder")
def test_the_order_for_a_seed_is_that_of_tensorflow():
    """Recorded with TensorFlow 2.21."""
    ds = Dataset.list_files("0*.txt", seed=3)

    assert numbers(Dataset.list_files("*.txt", seed=42)) == (
        "07 11 08 10 03 01 09 02 05 00 04 06 .hid"
    )
    assert numbers(ds) == "04 07 02 06 08 00 03 01 05 09"
    assert numbers(ds) == "08 06 04 01 07 09 03 00 05 02"


@pytest.mark.usefixtures("folder")
def test_names_are_shuffled_by_default():
    orders = {numbers(Dataset.list_files("*.txt")) for _ in range(5)}

    assert len(orders) > 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        (["1*.txt", "0[12].txt", "1*.txt"], "01 02 10 10 11 11"),
        ("0[^12345].txt", "00 06 07 08 09"),
        ("0[!12345].txt", "00 06 07 08 09"),
        ("0?.txt", "00 01 02 03 04 05 06 07 08 09"),
        ("**/*.txt", "sub/x"),
        ("s*", "sub"),
        (["none*", "00.txt"], "00"),
        (b"00.txt", "00"),
        ("./00.txt", "./00"),
    ],
)
def test_patterns_match_as_in_tensorflow(pattern, names):
    assert numbers(Dataset.list_files(pattern, shuffle=False)) == names


def test_a_path_object_is_a_pattern(folder):
    assert list(Dataset.list_files(folder / "00.txt")) == [os.fspath(folder / "00.txt")]


@pytest.mark.usefixtures("folder")
def test_files_are_looked_for_once():
    ds = Dataset.list_files("0*.txt", shuffle=False)
    os.remove("00.txt")

    assert len(list(ds)) == 10


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("pattern", ["none*", "", [], ["none", "no/where/*"], "{00,01}.txt"])
def test_no_match_is_an_error(pattern):
    with pytest.raises(InvalidArgumentError, match=r"list_files\(\): no files match"):
        Dataset.list_files(pattern)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((5,), "names of files must be str"),
        (("*", 1), "shuffle must be True or False, got 1"),
        (("*", True, "a"), "seed must be an integer, got 'a'"),
    ],
)
def test_wrong_arguments_are_refused(arguments, text):
    with pytest.raises(BuildTypeError, match=text):
        Dataset.list_files(*arguments)
