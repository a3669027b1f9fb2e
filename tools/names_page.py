"""names_page: writes docs/names.md: which of TensorFlow's names are here, and what differs.

python -m tools.names_page
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import feedline
from feedline.names.absent import ABSENT
from tools.different_names import DIFFERENT
from tools.public_names import named, signature

__all__ = ["Entry", "difference", "entries", "page", "reason_for_all", "recorded_names"]

REPOSITORY = Path(__file__).resolve().parents[1]
RECORDED = REPOSITORY / "tests" / "golden" / "names.json"
PAGE = REPOSITORY / "docs" / "names.md"
# Classes whose attributes are seen on an object only.
OBJECTS: dict[str, Callable[[], Any]] = {
    "tf.Tensor": lambda: feedline.constant([1]),
    "tf.data.Options": feedline.data.Options,
    "tf.DType": lambda: feedline.float32,
    "tf.TensorShape": lambda: feedline.TensorShape([1]),
}
HEAD = """# Every name of TensorFlow that input code uses

Written by `python -m tools.names_page` from the names of TensorFlow 2.21, Feedline as it is, and
two tables: what is not here (`feedline/names/absent.py`, which error messages use too) and what
differs (`tools/different_names.py`).

**Same**: the name is here and takes TensorFlow's parameters, in their order, with their defaults.
It may take more. **Differs**: it is here, and the line says what is another thing. **Not here**:
asking for it is an AttributeError that says what the line says.

What is true of all functions: they return tensors that are NumPy arrays as well
(docs/functions.md), `name=` has no effect, and errors have TensorFlow's classes but texts of
their own.
"""


@dataclass(frozen=True)
class Entry:
    """What a name of TensorFlow is here."""

    name: str
    verdict: Literal["same", "differs", "not here", "unclassified"]
    text: str = ""


def recorded_names() -> dict[str, dict[str, str]]:
    """Return TensorFlow's names: by namespace or class, what every name is."""
    return json.loads(RECORDED.read_text())["names"]  # type: ignore[no-any-return]


def entries(place: str, names: dict[str, str]) -> Iterator[Entry]:
    """Return what each name of a namespace or class is here, sorted by name."""
    space = _space(place)
    absent, different = _by_name(ABSENT, place), _by_name(DIFFERENT, place)
    for name, theirs in names.items():
        if not (name in dir(space) and hasattr(space, name)):
            reason = absent.get(name, absent.get("*"))
            yield Entry(name, "not here", reason) if reason else Entry(name, "unclassified")
            continue
        text = different.get(name) or difference(theirs, signature(space, name))
        yield Entry(name, "differs", text) if text else Entry(name, "same")


def reason_for_all(place: str) -> str:
    """Return why a whole namespace is not here; nothing if it is here."""
    if place == "tf" or _is_public(place):
        return ""
    parent, _, name = place.rpartition(".")
    own, above = ABSENT.get(place, {}), _by_name(ABSENT, parent)
    return own.get("*") or above.get(name) or reason_for_all(parent) or above.get("*", "")


def _is_public(place: str) -> bool:
    """Whether a namespace or class is here; modules for ourselves alone do not count."""
    parent, _, name = place.rpartition(".")
    return parent == "" or (_is_public(parent) and name in dir(named(feedline, parent)))


def _space(place: str) -> Any:
    return OBJECTS[place]() if place in OBJECTS else named(feedline, place)


def _by_name(table: dict[str, dict[str, str]], place: str) -> dict[str, str]:
    lines = table.get(place, {}).items()
    return {name: text for names, text in lines for name in names.split()}


# ---- signatures ---------------------------------------------------------------------------


def difference(theirs: str, ours: str) -> str:
    """Return how our signature does not take what TensorFlow's takes; nothing if it does.

    Example:
        >>> difference("(x, axis=None, name=None)", "(x, axis=0)")
        '`axis` is 0 by default, not None; no `name`'
    """
    if "(" not in theirs or "(" not in ours:
        same = ours == theirs or ("module" not in (ours, theirs) and not theirs.startswith("("))
        return "" if same else f"{_kind(ours)}, not {_kind(theirs)}"
    if "(?)" in theirs + ours or theirs.endswith("(*args, **kwargs)"):  # nobody knows
        return ""
    wanted, found = _parameters(theirs), _parameters(ours)
    places = [name for name in found if not name.startswith("*")]
    said = []
    for number, (name, default) in enumerate(wanted.items()):
        if name not in found:
            if name.startswith("*") or "**" not in "".join(found):
                said.append(f"no `{name}`")
        elif name in places and "*" not in "".join(list(wanted)[:number]):
            if places.index(name) != number:
                said.append(f"`{name}` is parameter {places.index(name) + 1}, not {number + 1}")
            said.extend(_of_defaults(name, default, found[name]))
    said.extend(
        f"`{name}` must be given"
        for name, default in found.items()
        if name not in wanted and default is None and not name.startswith("*")
    )
    return "; ".join(said)


def _of_defaults(name: str, theirs: str | None, ours: str | None) -> Iterator[str]:
    if theirs is None or ours == theirs or "..." in (theirs, ours) or name == "name":
        return
    if ours is None:
        yield f"`{name}` must be given"
    else:
        yield f"`{name}` is {ours} by default, not {theirs}"


def _kind(text: str) -> str:
    if text.startswith("("):
        return "a function"
    return "a class" if text.startswith("class") else f"a {text}"


def _parameters(text: str) -> dict[str, str | None]:
    """Return the parameters of a signature, and their defaults, None where they have none."""
    (made,) = ast.parse(f"def f{text.removeprefix('class ')}: pass").body
    assert isinstance(made, ast.FunctionDef)
    given = made.args
    some = [*given.posonlyargs, *given.args]
    missing: list[ast.expr | None] = [None] * (len(some) - len(given.defaults))
    pairs = [*zip(some, [*missing, *given.defaults], strict=True)]
    found = {one.arg: None if default is None else ast.unparse(default) for one, default in pairs}
    if given.vararg:
        found[f"*{given.vararg.arg}"] = None
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found[one.arg] = None if default is None else ast.unparse(default)
    if given.kwarg:
        found[f"**{given.kwarg.arg}"] = None
    return found


# ---- the page -----------------------------------------------------------------------------


def page() -> str:
    """Return the page as it should be."""
    recorded = recorded_names()
    whole = {place: reason_for_all(place) for place in recorded}
    sections = {
        place: list(entries(place, names)) for place, names in recorded.items() if not whole[place]
    }
    return "".join([HEAD, _summary(sections, whole, recorded), *map(_section, sections.items())])


def _summary(
    sections: dict[str, list[Entry]], whole: dict[str, str], recorded: dict[str, Any]
) -> str:
    rows = [
        f"| `{place}` | {_count(found, 'same')} | {_count(found, 'differs')} "
        f"| {_count(found, 'not here')} |\n"
        for place, found in sections.items()
    ]
    table = "\n| | same | differs | not here |\n|---|---|---|---|\n" + "".join(rows)
    missing = "".join(
        f"| `{place}` | {len(recorded[place])} | {why} |\n" for place, why in whole.items() if why
    )
    head = "| | names | why, and what to use |\n|---|---|---|\n"
    return table + (f"\n## Namespaces that are not here\n\n{head}{missing}" if missing else "")


def _count(found: list[Entry], verdict: str) -> int:
    return sum(entry.verdict == verdict for entry in found)


def _section(item: tuple[str, list[Entry]]) -> str:
    place, found = item
    same = ", ".join(f"`{entry.name}`" for entry in found if entry.verdict == "same")
    text = f"\n## {place}\n" + (f"\nSame: {same}.\n" if same else "")
    for verdict, title in (("differs", "how it differs"), ("not here", "why, and what to use")):
        lines: dict[str, list[str]] = {}
        for entry in found:
            if entry.verdict == verdict:
                lines.setdefault(entry.text, []).append(f"`{entry.name}`")
        if lines:
            rows = [f"| {', '.join(names)} | {text} |\n" for text, names in lines.items()]
            text += f"\n| {verdict} | {title} |\n|---|---|\n" + "".join(rows)
    return text


if __name__ == "__main__":
    PAGE.write_text(page())
