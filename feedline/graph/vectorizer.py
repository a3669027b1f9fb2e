"""Vectorizer: runs a function over whole blocks where that is proved to be the same.

Trying    the first elements are left to plain Python; then the function is recorded.
Running   the first block is compared with the function itself on some of its elements.
          Every block needs the guards to hold; one that raises, or would warn, is left to
          plain Python, which finds the element that did it.
Refused   for good, with a reason, if the function cannot be recorded, gives something
          else, or fails more often than not.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from feedline.block import Block
from feedline.column import Column, Dense, Strings
from feedline.graph.block_form import as_varied, form_of, lined_up
from feedline.graph.drawing import drawing_for, element_keys
from feedline.graph.recorder import record
from feedline.graph.same import same_leaves
from feedline.graph.untraceable import Untraceable, warnings_kept
from feedline.leaf import as_leaf
from feedline.structure import structure_of

if TYPE_CHECKING:
    from feedline.graph.record import Recording

__all__ = ["Vectorizer"]

# Recording takes about as long as this many calls of a small function.
_BEFORE_TRYING = 32
_SMALLEST_BLOCK = 4
_COMPARED = 8
# Of an element, such as an image, that is worked on in one pass even if it comes alone.
_HEAVY_BYTES = 1 << 11
# Element shapes a function is recorded for, and how often what it reads may change.
_MOST_FORMS = 8
# So many, and images of yet another size are taken for images of any size.
_MOST_SIZES = 4
_MOST_CHANGES = 4
_MOST_FAILURES = 4


class Vectorizer:
    """The recordings of one function, by what its arguments look like."""

    def __init__(self) -> None:
        self._seen = 0
        self._recordings: dict[Any, Recording] = {}
        self._forms = 0
        self._changes = 0
        self._failures = 0
        self._successes = 0
        # Forms of elements for which results were compared with the function's own.
        self._proved: set[Any] = set()
        self.refusal: Untraceable | None = None
        # Whether the function can be recorded as one with that of the step before.
        self.fuses: bool | None = None
        self._lock = threading.RLock()

    def __reduce__(self) -> Any:
        return Vectorizer, ()

    @property
    def is_running(self) -> bool:
        """Whether blocks have been run at once."""
        return bool(self._recordings) and self._successes > 0

    @property
    def is_native(self) -> bool:
        """Whether blocks run without a call of Python for every element, as far as was seen."""
        programs = [recording.program for recording in list(self._recordings.values())]
        return self.is_running and all(op.run is not None for p in programs for op in p.ops)

    @property
    def passes(self) -> list[str]:
        """What runs as one pass, by the names of operations, in the latest recording."""
        return list(self._recordings.values())[-1].program.passes if self._recordings else []

    def run(
        self,
        fn: Callable[..., Any],
        block: Block,
        key: int,
        *,
        may_change: bool = True,
        tensors_of: Callable[[Any], Any] | None = None,
    ) -> Block | None:
        """Return the function's results for a block, or None to call it on each element.

        Args:
            fn: The function, the same one at every call.
            block: The elements.
            key: Of what is drawn for them.
            may_change: Whether it gets arrays of its own, which it may change.
            tensors_of: For a function that returns datasets of slices: tells of which
                arrays; these are the results.
        """
        size = max((_size_of(column) for column in block.columns), default=0)
        is_small = max(size, block.length) < _SMALLEST_BLOCK
        if self.refusal is not None or (is_small and not _is_heavy(block)):
            return None
        form = form_of(block)
        if form not in self._recordings and self._forms - self._changes >= _MOST_SIZES:
            block = as_varied(block)
            form = form_of(block)
        try:
            recording = self._known(form)
            if recording is not None and form in self._proved:
                if is_small and not recording.program.passes:
                    return None  # nothing is gained by doing the same for few elements at once
                results = self._results(recording, block, key, may_change)
            else:
                with self._lock:  # one thread records and proves, the others wait for it
                    tried = self._tried(fn, form, block, key, may_change, tensors_of)
                if tried is None:
                    return None
                results = tried
        except Untraceable as refusal:
            self._refuse(refusal)
            return None
        except Exception:
            # Whatever it is, calling the function on each element finds where it belongs.
            self._failures += 1
            if self._failures > max(_MOST_FAILURES, self._successes):
                self._refuse(Untraceable("raises or warns too often"))
            return None
        self._successes += 1
        return results

    def _known(self, form: Any) -> Recording | None:
        """Return the recording for a form, if everything the function read is still the same."""
        recording = self._recordings.get(form)
        if recording is None or recording.holds():
            return recording
        self._recordings.pop(form, None)
        self._changes += 1
        if self._changes > _MOST_CHANGES:
            raise Untraceable("reads something that keeps changing")
        return None

    def _tried(
        self,
        fn: Callable[..., Any],
        form: Any,
        block: Block,
        key: int,
        may_change: bool,
        tensors_of: Callable[[Any], Any] | None,
    ) -> Block | None:
        """Return the results of a form that is new, or not yet compared; None if it is early."""
        recording = self._recordings.get(form)
        size = max(map(_size_of, block.columns), default=0)
        if recording is None:
            self._seen += max(size, block.length)
            if self.refusal is not None or self._seen < _BEFORE_TRYING:
                return None
            recording = self._recorded(fn, form, block, may_change, tensors_of)
        is_small = max(size, block.length) < _SMALLEST_BLOCK
        if is_small and not recording.program.passes:
            return None
        results = self._results(recording, block, key, may_change)
        if form not in self._proved:
            with np.errstate(all="ignore"), warnings_kept():
                _compare(fn, block, key, results, tensors_of)
            self._proved.add(form)
        return results

    def _recorded(
        self,
        fn: Callable[..., Any],
        form: Any,
        block: Block,
        may_change: bool,
        tensors_of: Callable[[Any], Any] | None,
    ) -> Recording:
        self._forms += 1
        if self._forms - self._changes > _MOST_FORMS:
            raise Untraceable("gets elements of too many different shapes")
        recording = record(fn, block, may_change=may_change, slices=tensors_of is not None)
        self._recordings[form] = recording
        self._proved.discard(form)
        return recording

    def _refuse(self, refusal: Untraceable) -> None:
        # Without its traceback, which would keep the whole pipeline alive.
        self.refusal = Untraceable(refusal.reason, refusal.site)
        self._recordings.clear()

    def _results(self, recording: Recording, block: Block, key: int, may_change: bool) -> Block:
        program = recording.program
        columns = block.columns
        if recording.hidden:
            columns = (*columns, *_hidden_columns(recording.hidden, block, key))
        if not program.exact:
            columns = tuple(lined_up(column, may_change) for column in columns)
        # Where NumPy would warn, plain Python does: on the right element, at the user's line.
        raising: Any = {kind: "raise" for kind, now in np.geterr().items() if now != "ignore"}
        with np.errstate(**raising):
            made = program.run(columns, block.length)
        return Block(program.structure, tuple(made), block.length, block.ids)


def _compare(
    fn: Callable[..., Any],
    block: Block,
    key: int,
    results: Block,
    tensors_of: Callable[[Any], Any] | None,
) -> None:
    """Call the function itself on some elements and compare, bit for bit."""
    count = min(_COMPARED, block.length)
    index = np.unique(np.linspace(0, block.length - 1, count).astype(np.int64))
    unpack = block.structure.is_tuple
    chosen = block.take(index)
    elements = iter(chosen.private_elements())
    expected = zip(index.tolist(), results.take(index).rows(), strict=True)
    with drawing_for(chosen.ids, key, elements, "the function"):
        for element in elements:
            number, ours = next(expected)
            try:
                theirs = fn(*element) if unpack else fn(element)
                theirs = theirs if tensors_of is None else tensors_of(theirs)
                same = _same(results, ours, theirs)
            except Exception as error:
                raise Untraceable(
                    f"raised {type(error).__name__} for an element of a block that did not"
                ) from error
            if not same:
                raise Untraceable(f"gives something else for element {number} of a block")


def _hidden_columns(names: tuple[str, ...], block: Block, key: int) -> Iterator[Column]:
    """Yield what random draws depend on."""
    if block.ids is None:
        raise ValueError("elements without ids")
    for name in names:
        yield Dense(block.ids if name == "ids" else element_keys(block.ids, key))


def _same(results: Block, ours: Any, theirs: Any) -> bool:
    theirs = tuple(theirs) if isinstance(theirs, list) else theirs
    structure = structure_of(theirs)
    if structure != results.structure:
        return False
    return all(
        map(same_leaves, structure.leaves_of(ours), map(as_leaf, structure.leaves_of(theirs)))
    )


def _is_heavy(block: Block) -> bool:
    """Whether elements are so large that what is done once for a block does not count."""
    return any(_bytes_of(column) >= _HEAVY_BYTES * block.length for column in block.columns)


def _bytes_of(column: Column) -> int:
    return column.array.nbytes if isinstance(column, Dense) else column.nbytes


def _size_of(column: Column) -> int:
    """Return how much there is to do in a column whose elements are many things each."""
    return int(column.splits[-1] - column.splits[0]) if isinstance(column, Strings) else 0
