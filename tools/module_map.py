"""module_map: writes docs/map.md, what every module is, from the first lines of the modules.

python -m tools.module_map
"""

from __future__ import annotations

import ast
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = REPOSITORY / "feedline"
PAGE = REPOSITORY / "docs" / "map.md"

HEAD = """# The map of modules

Written by `python -m tools.module_map` from the first line of every module. Paths are inside
`feedline/`. `pipeline.py` is the straight line from a chain of methods to a running pipeline: read
it first. What `.shuffle()` does, how, and its documentation are all in its own file in `ops/`; the
test of `a/b.py` is `tests/a/test_b.py`.

Beside the package: `native/` holds the C++ kernels and their bindings, `tests/` mirrors this map,
`benchmarks/` has one script per claim, `examples/` has programs that can be run, `tools/` what
writes pages like this one and what breaks the code on purpose, to see whether a test notices.
"""


def first_line(path: Path) -> str:
    """Return what a module says it is, without its own name before it."""
    docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
    line = " ".join(docstring.split("\n\n")[0].split())
    name, colon, rest = line.partition(": ")
    said = rest if colon and " " not in name else line
    return said[:1].upper() + said[1:].rstrip(".")


def page() -> str:
    """Return the page as it should be."""
    folders = sorted({path.parent for path in PACKAGE.rglob("*.py")})
    parts = [HEAD]
    for folder in folders:
        modules = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
        inside = folder.relative_to(PACKAGE).as_posix()
        parts.append("\n## The package itself\n" if inside == "." else f"\n## `{inside}/`\n")
        if folder != PACKAGE:
            parts.append(f"\n{first_line(folder / '__init__.py')}.\n")
        if modules:
            parts.append("\n| module | what it is |\n|---|---|\n")
        parts.extend(
            f"| `{path.relative_to(PACKAGE).as_posix()}` | {first_line(path)} |\n"
            for path in modules
        )
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())
