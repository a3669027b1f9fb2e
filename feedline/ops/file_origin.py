"""file_origin: which record of which file an element was, by the state before it.

Found by reading the element once more: the state of a source that reads several files in
turn tells of all that are open, not of whose turn it is once some have ended.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from feedline.quarantine import Origin

if TYPE_CHECKING:
    from feedline.engine.exec import State
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.ops.file_source import FileSourceNode

__all__ = ["origin_in_files"]


def origin_in_files(node: FileSourceNode, state: State, run: Run) -> Origin | None:
    """Return where the next element begins; None for files that cannot be sought in."""
    if getattr(node, "compression_type", ""):
        return None  # finding the place would take as long as reading all before it
    run = replace(run, counts=False, meters={}, aheads={}, plan=None)
    stream = run.open(node)
    try:
        stream.restore(state)
        stream.discard(0)
        before = _open_files(stream)
        if stream.pull(1) is None:
            return None
        after = _open_files(stream)
    finally:
        stream.close()
    for parent, place in after.items():
        earlier = before.get(parent)
        if earlier is None or earlier["n"] < place["n"]:
            return _origin(node, parent, earlier, run)
    return None


def _open_files(stream: Stream) -> dict[int, State]:
    """Return the states of open files, by the position of their names."""
    return {entry[0]: entry[1] for entry in stream.state().get("open", ()) if entry is not None}


def _origin(node: FileSourceNode, parent: int, place: State | None, run: Run) -> Origin | None:
    names = run.open(node.input)
    try:
        names.discard(parent)
        name = names.pull(1)
    finally:
        names.close()
    if name is None:
        return None
    file = node.file_of(name.rows()[0])
    if place is None:
        return Origin(file.path, 0, 0)
    if place.get("skip"):
        place = _sought(run.open_nested(file, 0), place)
    record = place.get("record", place.get("number", place["n"])) + place.get("skip", 0)
    return Origin(file.path, record, None if place.get("skip") else place.get("at"))


def _sought(stream: Stream, place: State) -> State:
    """Return the same place without elements to go past, if the reader can go there."""
    try:
        stream.restore(place)
        stream.discard(0)
        return stream.state()
    finally:
        stream.close()
