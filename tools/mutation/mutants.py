"""Small faults that could be in the source: one change in one place each."""

import ast
import difflib
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

__all__ = ["Mutant", "draw", "mutants_of"]

# What stands between two operands, as a pattern, and what is put there.
_OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: (r"-", "+"),
    ast.Mult: (r"\*", "//"),
    ast.FloorDiv: (r"//", "*"),
    ast.Div: (r"/", "*"),
    ast.Mod: (r"%", "//"),
    ast.LShift: (r"<<", ">>"),
    ast.RShift: (r">>", "<<"),
    ast.BitAnd: (r"&", "|"),
    ast.BitOr: (r"\|", "&"),
    ast.BitXor: (r"\^", "&"),
    ast.And: (r"and", "or"),
    ast.Or: (r"or", "and"),
    ast.Lt: (r"<", "<="),
    ast.LtE: (r"<=", "<"),
    ast.Gt: (r">", ">="),
    ast.GtE: (r">=", ">"),
    ast.Eq: (r"==", "!="),
    ast.NotEq: (r"!=", "=="),
    ast.Is: (r"\bis\b", "is not"),
    ast.IsNot: (r"\bis\s+not\b", "is"),
    ast.In: (r"\bin\b", "not in"),
    ast.NotIn: (r"\bnot\s+in\b", "in"),
}
_NEVER_RUN = {"TYPE_CHECKING", "overload", "__all__", "Protocol"}


@dataclass(frozen=True)
class Mutant:
    """One change of one file: the bytes from `start` to `end` become `new`."""

    path: Path
    line: int
    kind: str
    start: int
    end: int
    new: bytes

    @cached_property
    def original(self) -> bytes:
        """The file as it is."""
        return self.path.read_bytes()

    @property
    def source(self) -> bytes:
        """The file as it would be."""
        return self.original[: self.start] + self.new + self.original[self.end :]

    @property
    def diff(self) -> str:
        """The lines that change, before and after."""
        before, after = (text.decode().splitlines() for text in (self.original, self.source))
        lines = difflib.unified_diff(before, after, lineterm="", n=0)
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def draw(paths: list[Path], count: int, seed: int) -> list[Mutant]:
    """Draw mutants: each line of code that can change is as likely as every other."""
    by_line: dict[tuple[Path, int], list[Mutant]] = {}
    for path in paths:
        for mutant in mutants_of(path):
            by_line.setdefault((path, mutant.line), []).append(mutant)
    rng = random.Random(seed)
    lines = sorted(by_line)
    rng.shuffle(lines)
    found: list[Mutant] = []
    for line in lines:
        if len(found) == count:
            break
        choice = rng.choice(by_line[line])
        if _is_python(choice):
            found.append(choice)
    return found


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    source = path.read_bytes()
    places = _Places(source)
    for node in _running_nodes(ast.parse(source)):
        for kind, start, end, new in _changes(node, places):
            yield Mutant(path, places.line(start), kind, start, end, new.encode())


def _is_python(mutant: Mutant) -> bool:
    try:
        compile(mutant.source, "mutant", "exec")
    except (SyntaxError, SyntaxWarning):
        return False
    return True


def _running_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs: no docstring, annotation or text of an error, nothing for type checkers."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(child for child in _running_children(node) if not _is_never_run(child))


def _running_children(node: ast.AST) -> Iterator[ast.AST]:
    skipped = {"annotation", "returns", "decorator_list", "bases", "keywords", "type_params"}
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return
    for name, value in ast.iter_fields(node):
        if name in skipped and not isinstance(node, ast.Call):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child


def _is_never_run(node: ast.AST) -> bool:
    match node:
        case ast.If():
            heads: list[ast.AST] = [node.test]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            heads = [*node.decorator_list]
        case ast.ClassDef():
            heads = [*node.bases]
        case ast.Assign():
            heads = [*node.targets]
        case _:
            return False
    return any(name in ast.unparse(head) for head in heads for name in _NEVER_RUN)


class _Places:
    """Where the nodes of a file begin and end, in bytes."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        return self.source[self.start(node) : self.end(node)].decode()

    def line(self, offset: int) -> int:
        return self.source.count(b"\n", 0, offset) + 1


_Change = tuple[str, int, int, str]


def _changes(node: ast.AST, places: _Places) -> Iterator[_Change]:
    match node:
        case ast.BinOp() | ast.Compare() | ast.BoolOp():
            yield from _operators(node, places)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "operator dropped", places.start(node), places.start(node.operand), ""
        case ast.Constant():
            yield from _constant(node, places)
        case ast.Call():
            yield from _swapped(node, places)
        case ast.If() | ast.While() | ast.IfExp() | ast.Assert():
            test = node.test
            new = f"(not ({places.text(test)}))"
            yield "condition negated", places.start(test), places.end(test), new
        case ast.stmt():
            yield from _statement(node, places)


def _operators(node: ast.BinOp | ast.Compare | ast.BoolOp, places: _Places) -> Iterator[_Change]:
    """Change an operator that stands between two operands, perhaps among parentheses."""
    operands: list[ast.expr]
    operators: list[type[ast.AST]]
    match node:
        case ast.BinOp():
            operands, operators = [node.left, node.right], [type(node.op)]
        case ast.Compare():
            operands, operators = [node.left, *node.comparators], [type(op) for op in node.ops]
        case ast.BoolOp():
            operands, operators = node.values, [type(node.op)] * (len(node.values) - 1)
    for left, right, operator in zip(operands[:-1], operands[1:], operators, strict=True):
        old, new = _OPERATORS.get(operator, ("no such text", ""))
        start = places.end(left)
        gap = places.source[start : places.start(right)].decode()
        found = re.search(old, gap)
        if found and "#" not in gap:
            yield f"{found[0]} to {new}", start + found.start(), start + found.end(), new


def _constant(node: ast.Constant, places: _Places) -> Iterator[_Change]:
    start, end = places.start(node), places.end(node)
    match node.value:
        case bool():
            yield "constant", start, end, str(not node.value)
        case int():
            yield "constant", start, end, f"{node.value + 1}"
            yield "constant", start, end, f"({node.value - 1})"
        case float():
            yield "constant", start, end, f"({node.value} + 1)"


def _swapped(node: ast.Call, places: _Places) -> Iterator[_Change]:
    for first, second in zip(node.args, node.args[1:], strict=False):
        pair = {type(first), type(second)}
        if ast.Starred not in pair and ast.dump(first) != ast.dump(second):
            gap = places.source[places.end(first) : places.start(second)].decode()
            new = places.text(second) + gap + places.text(first)
            yield "arguments swapped", places.start(first), places.end(second), new


def _statement(node: ast.stmt, places: _Places) -> Iterator[_Change]:
    start, end = places.start(node), places.end(node)
    match node:
        case ast.Expr(value=ast.Constant()):  # a docstring, or the dots of an empty body
            return
        case ast.Expr(value=ast.Yield() | ast.YieldFrom() | ast.Await() | ast.Call()) | ast.Raise():
            yield "statement deleted", start, end, "pass"
        case ast.AugAssign():
            yield "statement deleted", start, end, "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]):
            yield "statement deleted", start, end, "pass"
        case ast.Return(value=ast.expr()) if ast.unparse(node) != "return None":
            yield "return None", start, end, "return None"
        case ast.Break():
            yield "break to continue", start, end, "continue"
        case ast.Continue():
            yield "continue to break", start, end, "break"
