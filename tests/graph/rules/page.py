"""The page docs/numpy-functions.md, made from the table.

``python -m tests.graph.rules.page`` writes it.
"""

from pathlib import Path
from textwrap import wrap

from tests.graph.rules.plain import PLAIN
from tests.graph.rules.table import FAMILIES, TABLE

PATH = Path(__file__).resolve().parents[3] / "docs" / "numpy-functions.md"

HEAD = """# NumPy functions in your functions

A function given to `map`, `filter` and the like is run on all elements of a block at once where
each of its steps is known, and is seen to give, bit for bit, what it gives for the elements one by
one. This page lists the steps that are known: {count} functions, methods, operators and variants
of them. `python -m tests.graph.rules.page` writes it from the table that the tests go through.

- **at once**: one call of NumPy for all elements of a block.
- **element by element**: one call for each element, because NumPy offers no call for all of them,
  or rounds in another way there. The steps before and after it still run at once.

When a function is recorded, each step is tried out both ways on a few elements. If the results
differ in a single bit, or a rule does not cover the arguments, that step runs element by element
even if this page says otherwise. Unless a note says so, any argument may differ between elements
or be the same for all of them.
"""

TAIL = """
## What runs as plain Python

A function that does one of these is called for each element, as written, with the same results:

- It reads a value: `if x > 0`, `while`, `int(x)`, `float(x)`, `x.item()`, `x.tolist()`, `range(x)`,
  a key of a dict, text made of a value. `np.where`, `np.clip`, `np.select` and indexing need no
  branches.
- It selects by a mask, `x[x > 0]`, asks for places, `np.where(mask)`, or repeats by counts that
  differ between elements: the results differ in length. `np.where(mask, x, y)` and
  `x[mask] = value` are recorded.
- It writes into an array that is not its own, or of which there are views, or that was made
  elsewhere and is given as `out=`.
- It uses `ufunc.at` or `ufunc.reduceat`, `np.nan_to_num(copy=False)`, `np.pad` with a function, or
  an array as a buffer.
- It calls one of these functions of NumPy:
"""


def page():
    lines = [HEAD.format(count=len(TABLE))]
    for family, entries in FAMILIES.items():
        lines += [f"## {family}\n", "| function | runs | notes |", "|---|---|---|"]
        lines += [_line(entry) for entry in entries]
        lines.append("")
    lines.append(TAIL.strip("\n"))
    for reason, names in PLAIN.items():
        text = f"{reason}: {', '.join(f'`{name}`' for name in names)}."
        lines += wrap(text, 100, initial_indent="  - ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


def _line(entry):
    name, comma, variant = entry.name.partition(", ")
    # A list of expressions, such as "a + 1, 1 + a", is all code; "np.dot, vectors" is not.
    is_list = comma and not name.startswith("np.") and " @ " not in name
    shown = f"`{entry.name}`" if is_list else f"`{name}`{comma}{variant}"
    runs = "element by element" if entry.loops else "at once"
    return f"| {shown.replace('|', chr(92) + '|')} | {runs} | {entry.note} |"


if __name__ == "__main__":
    PATH.write_text(page())
