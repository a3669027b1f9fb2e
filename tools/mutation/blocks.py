"""The blocks of code of all modules, numbered: what runs of a block runs with its first line.

Marking blocks rather than lines makes a recorded run hardly slower than a plain one, and a mark
in shared memory counts what worker processes run as well.
"""

import ast
import os
from functools import cache
from pathlib import Path

__all__ = ["Block", "blocks_of", "marked", "numbers", "sources"]

ROOT = Path(__file__).resolve().parents[2]

Block = tuple[int, int]
"""The first and the last line."""


def sources() -> list[Path]:
    """Return the files of the package."""
    return sorted((ROOT / "feedline").rglob("*.py"))


@cache
def numbers() -> dict[str, int]:
    """Return the number of the first block of each file; that of "" is the count of all."""
    first, total = {}, 0
    for path in sources():
        first[str(path)] = total
        total += path.read_bytes().count(b"\n") + 1  # no file has more blocks than lines
    return {**first, "": total}


def blocks_of(path: Path) -> list[Block]:
    """Return the blocks of a file in the order of their numbers."""
    return [_lines(body) for body in _bodies(ast.parse(path.read_bytes()))]


def marked(path: str) -> ast.Module | None:
    """Return a module of the package whose blocks mark themselves, or None for other files."""
    first = numbers().get(os.path.realpath(path))
    if first is None:
        return None
    tree = ast.parse(Path(path).read_bytes())
    for number, body in enumerate(_bodies(tree)):
        mark = ast.parse(f"__feedline_hits__[{first + number}] = 1").body[0]
        for node in ast.walk(mark):
            ast.copy_location(node, body[0])
        body.insert(_after_docstring(body), mark)
    return tree


def _bodies(tree: ast.Module) -> list[list[ast.stmt]]:
    """Return the lists of statements of all functions, in a fixed order."""
    found = []
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        todo: list[ast.AST] = [function]
        while todo:
            for _, value in ast.iter_fields(todo.pop()):
                if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                    found.append(value)
                children = value if isinstance(value, list) else [value]
                todo.extend(
                    child
                    for child in children
                    if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
                    and not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
                )
    return found


def _lines(body: list[ast.stmt]) -> Block:
    return body[0].lineno, max(node.end_lineno or node.lineno for node in body)


def _after_docstring(body: list[ast.stmt]) -> int:
    match body[0]:
        case ast.Expr(value=ast.Constant(value=str())) if len(body) > 1:
            return 1
    return 0
