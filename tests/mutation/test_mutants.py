"""The mutants of a file: each is Python, none changes what does not run."""

import ast

import pytest

from tools.mutation.mutants import draw, mutants_of

SOURCE = '''
"""Text with 1 + 1 in it."""

from typing import TYPE_CHECKING, overload

__all__ = ["total"]

if TYPE_CHECKING:
    NEVER = 5


@overload
def total(numbers: list[int | None], *, most: int) -> int | None: ...


def total(numbers, *, most=10):
    """Add 1 and 1."""
    found: dict[str, int | None] = {}
    for number in numbers:
        if number is None:
            continue
        found["ü"] = max(number, most)
        if not number:
            raise ValueError(f"number must be at least {1}, got {number + 1}")
    return sum(found.values()) if found else 0
'''


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "module.py"
    file.write_text(SOURCE)
    return file


def test_the_changes_of_a_file_are_these(path):
    assert sorted((mutant.line, mutant.kind, mutant.new) for mutant in mutants_of(path)) == [
        (16, "constant", b"(9)"),
        (16, "constant", b"11"),
        (20, "condition negated", b"(not (number is None))"),
        (20, "is to is not", b"is not"),
        (21, "continue to break", b"break"),
        (22, "arguments swapped", b"most, number"),
        (22, "statement deleted", b"pass"),
        (23, "condition negated", b"(not (not number))"),
        (23, "operator dropped", b""),
        (24, "statement deleted", b"pass"),
        (25, "condition negated", b"(not (found))"),
        (25, "constant", b"(-1)"),
        (25, "constant", b"1"),
        (25, "return None", b"return None"),
    ]


def test_a_mutant_is_the_file_with_one_change(path):
    for mutant in mutants_of(path):
        ast.parse(mutant.source)
        before, after = mutant.original.splitlines(), mutant.source.splitlines()
        pairs = enumerate(zip(before, after, strict=True), 1)

        assert [line for line, (old, new) in pairs if old != new] == [mutant.line]


def test_a_diff_shows_the_line_before_and_after(path):
    (mutant,) = [each for each in mutants_of(path) if each.kind == "continue to break"]

    assert mutant.diff == "-            continue\n+            break"


OPERATORS = [
    *[("a + b", "a - b"), ("a - b", "a + b"), ("a * b", "a // b"), ("a // b", "a * b")],
    *[("a / b", "a * b"), ("a % b", "a // b"), ("a << b", "a >> b"), ("a >> b", "a << b")],
    *[("a & b", "a | b"), ("a | b", "a & b"), ("a ^ b", "a & b"), ("-a", "a")],
    *[("a < b", "a <= b"), ("a <= b", "a < b"), ("a > b", "a >= b"), ("a >= b", "a > b")],
    *[("a == b", "a != b"), ("a != b", "a == b"), ("a is b", "a is not b")],
    *[("a is not b", "a is b"), ("a in b", "a not in b"), ("a not in b", "a in b")],
    *[("a and b", "a or b"), ("a or b", "a and b"), ("True", "False"), ("False", "True")],
    *[("(a) + (b)", "(a) - (b)"), ("f(a, b)", "f(b, a)")],
]


@pytest.mark.parametrize(("before", "after"), OPERATORS)
def test_an_operator_becomes_its_neighbour(tmp_path, before, after):
    file = tmp_path / "module.py"
    file.write_text(f"x = {before}\n")

    assert [mutant.source.decode() for mutant in mutants_of(file)] == [f"x = {after}\n"]


def test_the_same_seed_draws_the_same_mutants_and_a_line_once(path):
    drawn = draw([path], 4, seed=3)
    lines = [mutant.line for mutant in draw([path], 100, seed=1)]

    assert draw([path], 4, seed=3) == drawn
    assert len(drawn) == 4
    assert sorted(lines) == [16, 20, 21, 22, 23, 24, 25]
