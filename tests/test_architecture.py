"""The shape of the code base, checked."""

import ast
import re
from pathlib import Path

import pytest

import feedline
from feedline import data
from feedline.data import Dataset, experimental
from feedline.optimize import RULES
from tools import module_map

PACKAGE = Path(feedline.__file__).parent
REPOSITORY = Path(__file__).resolve().parents[1]

# A room may import rooms of the lines above it: not those beside it, not those below it.
# Imports for type checking alone do not count.
LAYERS = [
    ["names", "namespace"],
    [
        "binding",
        "buffers",
        "errors",
        "kernels",
        "limits",
        "machine",
        "narrow",
        "site",
        "version",
        "waiting",
    ],
    [
        "files",
        "ids",
        "kernel_threads",
        "options",
        "places",
        "quarantine",
        "splits",
        "tracebacks",
    ],
    ["seeding", "shapes", "structure", "train"],
    ["values"],
    ["sparse"],
    ["ragged"],
    ["error_policy", "leaf", "nest", "tfrecord"],
    ["column", "leaf_spec"],
    [
        "block",
        "composites",
        "debug_mode",
        "defaults",
        "dtypes",
        "sparse_rows",
        "spec",
        "text_column",
    ],
    ["conform", "csv", "nest", "optional", "wide"],
    ["graph"],
    ["functions", "parsing"],
    ["arrays", "parallel", "plan", "random"],
    ["engine"],
    [
        "audio",
        "autograph",
        "bitwise",
        "config",
        "contexts",
        "debugging",
        "linalg",
        "math",
        "nn",
        "signal",
        "strings",
    ],
    ["image"],
    ["io"],
    ["ops"],
    ["optimize"],
    ["pipeline"],
    ["iterator", "replaying"],
    ["explaining"],
    ["dataset"],
    ["lookup"],
    ["data", "testing"],
    ["compat", "distribute", "keras"],
    ["tools"],
    ["cli"],
    ["__init__"],
]
RANK = {name: number for number, layer in enumerate(LAYERS) for name in layer}

ALL_FILES = sorted(PACKAGE.rglob("*.py"))
MODULES = [path for path in ALL_FILES if path.name != "__init__.py"]
USER_CALLS = "# ---- what the user calls ---"
TRANSFORMATIONS = [
    path for path in (PACKAGE / "ops").glob("*.py") if USER_CALLS in path.read_text()
]


def inside(path):
    return path.relative_to(PACKAGE).as_posix()


def room(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def runtime_nodes(tree):
    """Every node of a module but those that only a type checker reads."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield node
            todo.extend(ast.iter_child_nodes(node))


def imported_rooms(path):
    for node in runtime_nodes(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "feedline":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("feedline."):
            yield node.module.split(".")[1]
        elif isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            yield from ((name[1:] or ["__init__"])[0] for name in names if name[0] == "feedline")


def functions_of(tree):
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


each_file = pytest.mark.parametrize("path", ALL_FILES, ids=inside)
each_module = pytest.mark.parametrize("path", MODULES, ids=inside)
each_transformation = pytest.mark.parametrize("path", sorted(TRANSFORMATIONS), ids=inside)


def test_every_room_has_its_line_in_the_layers():
    assert set(RANK) == {room(path) for path in ALL_FILES}


@each_file
def test_imports_point_down(path):
    above = [
        other
        for other in imported_rooms(path)
        if other != room(path) and RANK[other] >= RANK[room(path)]
    ]

    assert above == [], f"{room(path)} may not import {above}: see LAYERS"


@each_file
def test_a_module_begins_with_a_sentence(path):
    docstring = ast.get_docstring(ast.parse(path.read_text())) or ""

    assert re.match(r"[^\n]+\.(\s|$)", docstring), "begin with one sentence saying what lives here"


@each_file
def test_a_module_is_small(path):
    assert len(path.read_text().splitlines()) <= 500, "split by what changes together"


@each_module
def test_a_module_lists_its_public_names(path):
    tree = ast.parse(path.read_text())
    named = [ast.unparse(node.targets[0]) for node in tree.body if isinstance(node, ast.Assign)]
    named += [ast.unparse(node.target) for node in tree.body if isinstance(node, ast.AnnAssign)]

    assert "__all__" in named


@each_file
def test_imports_stand_at_the_top(path):
    functions = functions_of(ast.parse(path.read_text())) if room(path) != "cli" else []
    inner = [
        n for f in functions for n in ast.walk(f) if isinstance(n, ast.Import | ast.ImportFrom)
    ]

    assert [ast.unparse(node) for node in inner] == []


@pytest.mark.parametrize("path", sorted((PACKAGE / "ops").glob("*.py")), ids=inside)
def test_a_method_of_dataset_stands_in_the_section_for_it(path):
    top = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
    methods = [
        node.name for node in top if node.args.args and node.args.args[0].arg in ("self", "cls")
    ]

    assert not methods or path in TRANSFORMATIONS, f"{methods}: no section {USER_CALLS!r}"


@each_transformation
def test_a_transformation_is_a_function_named_like_its_file(path):
    names = {function.name for function in functions_of(ast.parse(path.read_text()))}

    assert names & {path.stem, f"{path.stem}_"}


@each_transformation
def test_a_transformation_has_its_test(path):
    assert (REPOSITORY / "tests" / "ops" / f"test_{path.stem}.py").exists()


@each_transformation
def test_a_transformation_is_published_on_dataset(path):
    as_class = "".join(part.title() for part in path.stem.split("_"))
    published = {*vars(Dataset), *experimental.__all__, *map(str.lower, data.__all__)}
    published |= set(map(str.lower, experimental.__all__))
    assert path.stem in published or as_class.lower() in published, (
        f"add `{path.stem} = _{path.stem}.{path.stem}` to the class body in dataset.py"
    )


def test_every_kernel_with_a_twin_has_its_test():
    files = (PACKAGE / "kernels").glob("*.py")
    kernels = [path.stem for path in files if "_twin(" in path.read_text()]
    tests = REPOSITORY / "tests" / "kernels"

    assert [name for name in kernels if not (tests / f"test_{name}.py").exists()] == []


def test_every_rule_has_its_file_and_its_test():
    names = [rule.name for rule in RULES]
    files = [rule.apply.__module__ for rule in RULES]
    tests = REPOSITORY / "tests" / "optimize"

    assert files == [f"feedline.optimize.{name}" for name in names]
    assert [name for name in names if not (tests / f"test_{name}.py").exists()] == []


def test_every_file_of_optimize_is_in_the_list_of_rules():
    files = {path.stem for path in (PACKAGE / "optimize").glob("[a-z]*.py")}

    assert files - {"fusing", "rule"} == {rule.name for rule in RULES}


def test_every_rule_says_why_it_stands_where_it_stands():
    assert [rule.name for rule in RULES if not rule.reason] == []


def test_the_map_of_modules_is_what_the_modules_say():
    assert module_map.PAGE.read_text() == module_map.page(), "run: python -m tools.module_map"


def test_the_body_of_dataset_is_a_table_of_contents():
    tree = ast.parse((PACKAGE / "dataset.py").read_text())
    (body,) = [n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Dataset"]
    short = [n for n in body if isinstance(n, ast.FunctionDef) and n.end_lineno - n.lineno <= 20]
    plain = [n for n in body if isinstance(n, ast.Assign | ast.AnnAssign)]
    docstring = body[:1]

    assert [ast.unparse(n) for n in body if n not in short + plain + docstring] == []
