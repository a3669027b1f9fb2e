"""The blocks of a file: what runs marks itself, the rest does not."""

import ast

import pytest

from tools.mutation import blocks

SOURCE = '''
def sign(x):
    """Return the sign of x."""
    if x < 0:
        return -1
    elif x > 0:
        return 1
    try:
        return int(x)
    except ValueError:
        return None


def unused():
    def inner():
        return 5
    return inner
'''
FIRST = 100


@pytest.fixture
def path(tmp_path, monkeypatch):
    file = tmp_path / "module.py"
    file.write_text(SOURCE)
    monkeypatch.setattr(blocks, "numbers", lambda: {str(file): FIRST})
    return file


def lines_run(path, x):
    """Return the first lines of the blocks that mark themselves for sign(x)."""
    hits = bytearray(FIRST + 20)
    names = {"__feedline_hits__": hits}
    exec(compile(blocks.marked(str(path)), str(path), "exec"), names)
    names["sign"](x)
    return sorted(blocks.blocks_of(path)[n][0] for n in range(20) if hits[FIRST + n])


@pytest.mark.parametrize(
    ("x", "lines"),
    [(-2, [3, 5]), (2, [3, 6, 7]), (0, [3, 6, 9]), (float("nan"), [3, 6, 9, 11])],
    ids=str,
)
def test_what_runs_is_marked(path, x, lines):
    assert lines_run(path, x) == lines


def test_a_marked_function_keeps_its_docstring(path):
    names = {"__feedline_hits__": bytearray(FIRST + 20)}
    exec(compile(blocks.marked(str(path)), str(path), "exec"), names)

    assert names["sign"].__doc__ == "Return the sign of x."


def test_other_files_are_left_as_they_are(path, tmp_path):
    assert blocks.marked(str(tmp_path / "other.py")) is None


def test_no_file_has_more_blocks_than_lines():
    for path in blocks.sources():
        assert len(blocks.blocks_of(path)) <= len(path.read_text().splitlines()) + 1


def test_every_statement_of_a_function_is_in_a_block(path):
    functions = [n for n in ast.walk(ast.parse(SOURCE)) if isinstance(n, ast.FunctionDef)]
    lines = {
        inner.lineno
        for each in functions
        for stmt in each.body
        for inner in ast.walk(stmt)
        if isinstance(inner, ast.stmt)
    }
    spans = blocks.blocks_of(path)

    assert [line for line in lines if not any(a <= line <= b for a, b in spans)] == []
