"""group_by_window: collect elements by key, and make a dataset of each full window of one key."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from feedline.binding import bound_together
from feedline.block import Block
from feedline.engine.collecting import CollectingExec
from feedline.engine.each import EachExec
from feedline.engine.exec import State
from feedline.engine.function import check_callable
from feedline.engine.groups import Groups
from feedline.engine.recall import Recall
from feedline.errors import BuildError, CheckpointError, check_at_least, check_integer
from feedline.ids import mix
from feedline.ops.calling import CallingNode
from feedline.ops.condition import reads_only
from feedline.ops.rows import Rows
from feedline.options import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY
from feedline.plan.declared import declared_spec
from feedline.plan.node import Traits, node_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["GroupByWindow", "GroupByWindowExec", "group_by_window"]

_GROUP = 0x6208
# A rare key holds its first elements for long, and a place to resume from is kept for every
# so many elements read since.
_RECALL_GAP = 64
# Before anything came out, so small a part of what was read is read at once.
_CAUTION = 16
# The most elements to read on a guess.
_MOST_READ = 1 << 10
# With more groups than this open, the next window is hardly ever many elements away.
_MANY_GROUPS = 32


S = TypeVar("S")


# ---- what the user calls ---------------------------------------------------


def group_by_window(
    self: Dataset[Any],
    key_func: Callable[..., Any],
    reduce_func: Callable[[Any, Dataset[Any]], Dataset[Any]],
    window_size: int | None = None,
    window_size_func: Callable[[Any], Any] | None = None,
    name: str | None = None,
) -> Dataset[Any]:
    """Return the elements of the datasets ``reduce_func`` makes of windows of one key.

    Elements wait by key. When enough of one key are there, ``reduce_func(key, window)``
    gets a dataset of them. At the end come the windows that are not full, keys rising.

    Args:
        key_func: Makes an integer of an element.
        reduce_func: Makes a dataset of a key and a dataset of its elements.
        window_size: How many elements of a key make a window.
        window_size_func: Tells that for each key instead.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(6)
        >>> ds = ds.group_by_window(lambda x: x % 2, lambda key, w: w.batch(2), window_size=2)
        >>> [b.tolist() for b in ds]
        [[0, 2], [1, 3], [4], [5]]
    """
    call = "group_by_window()"
    check_callable(call, "key_func", key_func)
    check_callable(call, "reduce_func", reduce_func)
    if (window_size is None) == (window_size_func is None):
        raise BuildError(f"{call}: exactly one of window_size and window_size_func must be given.")
    if window_size is not None:
        window_size = check_at_least(call, "window_size", window_size, 1)
    else:
        check_callable(call, "window_size_func", window_size_func)
    functions = bound_together(key_func, reduce_func, window_size_func)
    key_func, reduce_func, window_size_func = functions
    return self.then(
        GroupByWindow(
            self.node,
            key_func,
            reduce_func,
            window_size,
            window_size_func,
            type(self),
            least_size=window_size or 1,
            name=name,
        )
    )


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class GroupByWindow(CallingNode):
    """Datasets made by ``reduce_func`` of windows of one key, which ``fn`` tells.

    ``least_size`` is a size that no window is smaller than: so many elements can be read
    at once without reading more than the next window needs.
    """

    reduce_func: Callable[[Any, Any], Any]
    window_size: int | None
    window_size_func: Callable[[Any], Any] | None
    dataset: type[Dataset[Any]] = field(repr=False)
    least_size: int = field(default=1, repr=False, kw_only=True)

    traits: ClassVar[Traits] = Traits(rows="any", calls_user=True, makes_datasets=True)

    def lower(self, run: Run) -> GroupByWindowExec:
        """One thread: which window is next depends on all elements before."""
        return GroupByWindowExec(run.open(self.input), self, run)

    @property
    def reads_ids(self) -> bool:
        """The elements of nested datasets get their ids from their parents."""
        return True

    def size_of(self, key: int) -> int:
        """Return how many elements of ``key`` make a window."""
        if self.window_size_func is None:
            assert self.window_size is not None
            return self.window_size
        size = self.window_size_func(np.int64(key))
        what = f"the window size of key {key}"
        return check_at_least(f"{self.operator}()", what, size, 1)

    def reduced(self, key: int, rows: Block, spec: Any) -> Any:
        """Return the dataset that ``reduce_func`` makes of a window."""
        window = self.dataset.of_node(Rows(rows, spec, site=self.site))
        return self.reduce_func(np.int64(key), window)

    def spec_of_made(self, example: Block, inputs: Sequence[Any]) -> Any:
        """That of the dataset made of a window with the example alone."""
        made = self.reduced(0, example, inputs[0])
        node_of(made, self.place, "what reduce_func returns")
        return made.element_spec

    def cardinality(self, inputs: Sequence[int]) -> int:
        """An endless input has no last window."""
        endless = inputs[0] == INFINITE_CARDINALITY
        return INFINITE_CARDINALITY if endless else UNKNOWN_CARDINALITY


# ---- what runs -------------------------------------------------------------


@dataclass(slots=True)
class _Window:
    """The window whose dataset is being read."""

    key: int
    positions: list[int]
    stream: Stream


class GroupByWindowExec(CollectingExec, EachExec):
    """The groups, and the window whose dataset is being read."""

    def __init__(self, stream: Stream, node: GroupByWindow, run: Run) -> None:
        super().__init__(stream, reads_only(node.plain_function_in(run)), run.key(node.number))
        self.source = self._recall = Recall(stream, gap=_RECALL_GAP)
        self._node = node
        self._run = run
        self._call = f"{node.operator}()"
        self._spec = declared_spec(node.input)
        # Of this process alone: how many elements came in and went out, to guess by.
        self._num_read = 0
        self._num_out = 0
        self._groups = Groups()
        # Elements read and not yet in a group: key, size of its windows, place in storage.
        self._arrived: deque[tuple[int, int, int]] = deque()
        self._sizes: dict[int, int] = {}
        self._window: _Window | None = None
        self._ended = False

    def step(self, wanted: int) -> Block | None:
        """Read the dataset of the open window; if there is none, fill the next window."""
        while True:
            if self._window is not None:
                block = self._window.stream.pull(wanted)
                if block is not None:
                    self._num_out += block.length
                    return block
                self._window.stream.close()
                self._window = None
            elif self._arrived:
                self._file()
            elif not self._ended:
                self._read(wanted)
            elif len(self._groups):
                self._open(self._groups.least_key)
            else:
                return None

    def _read(self, wanted: int) -> None:
        """Read what the next window needs at least, or half of what all wanted should need."""
        likely = wanted * self._num_read // (2 * self._num_out or _CAUTION)
        called = self.call(max(wanted, min(likely, _MOST_READ), self._least_missing()))
        if called is None:
            self._ended = True
            return
        block, results = called
        arrived = []
        for number, result in enumerate(results):
            try:
                key = check_integer(self._call, "a key", result)
                if key not in self._sizes:
                    self._sizes[key] = self._node.size_of(key)
            except Exception as error:
                self.fail(error, block, number)
                block = block.slice(0, number)
                break
            arrived.append((key, self._sizes[key]))
        self._num_read += block.length
        places = self._groups.put(block)
        self._arrived.extend((*pair, place) for pair, place in zip(arrived, places, strict=True))

    def _least_missing(self) -> int:
        least = self._node.least_size
        if least == 1 or len(self._groups) > _MANY_GROUPS:
            return 1
        missing = self._groups.least_missing
        return least if missing is None else min(least, missing)

    def _file(self) -> None:
        """Put elements in their groups until one is full."""
        position = self._position
        while self._arrived:
            key, size, place = self._arrived.popleft()
            if self._groups.add(key, size, place, position):
                self._open(key)
                return
            position += 1

    def _open(self, key: int) -> None:
        rows, positions = self._groups.take(key)
        self._window = self._opened(key, rows, positions)

    def _opened(self, key: int, rows: Block, positions: list[int]) -> _Window:
        node = self._node
        try:
            dataset = node.reduced(key, rows.read_only(), self._spec)
            nested = node_of(dataset, node.place, "what reduce_func returns")
        except Exception as error:
            error.add_note(f"in {node.place}, window of key {key}")
            raise
        parent_id = 0 if rows.ids is None else mix(_GROUP, int(rows.ids[0]))
        return _Window(key, positions, self._run.open_nested(nested, parent_id))

    @property
    def _position(self) -> int:
        """How many elements of the input are in groups or gone."""
        return self._recall.position - len(self._arrived)

    def state_now(self) -> State:
        """Return the positions of what waits, and how far the open window's dataset is read."""
        window, position, oldest = self._window, self._position, self._groups.oldest
        oldest = position if oldest is None else oldest
        if window is not None:
            oldest = min(oldest, window.positions[0])
        return {
            "groups": self._groups.positions(),
            "open": window and [window.key, window.positions, window.stream.state()],
            "held": {**self._recall.state(oldest), "n": position},
        }

    def restore(self, state: State) -> None:
        """Read what waited again, and make the open window's dataset anew."""
        window = state["open"]
        entries = [*state["groups"], *([window[:2]] if window else [])]
        _check_groups(entries)
        held = np.sort(np.array([p for _, positions in entries for p in positions], np.int64))
        block = self._recall.restore(state["held"], held)
        if block is None:
            return
        for key, positions in state["groups"]:
            size = self._sizes[key] = _of_saved(key, self._node.size_of)
            places = self._groups.put(block.take(np.searchsorted(held, positions)))
            for place, position in zip(places, positions, strict=True):
                self._groups.add(key, size, place, position)
        if window:
            key, positions, saved = window
            rows = block.take(np.searchsorted(held, positions))
            self._window = _of_saved(key, lambda key: self._opened(key, rows, list(positions)))
            self._window.stream.restore(saved)

    def close(self) -> None:
        """Close the open window's dataset and the input."""
        if self._window is not None:
            self._window.stream.close()
        super().close()


def _of_saved(key: Any, call: Callable[[Any], S]) -> S:
    """Return what a user's function makes of a key again; it did so when the state was saved."""
    try:
        return call(key)
    except Exception as error:
        raise CheckpointError(
            f"the state is damaged, or a function has changed: what it made of the key {key!r:.40} "
            f"cannot be made again: {type(error).__name__}: {error}"
        ) from error


def _check_groups(groups: Any) -> None:
    """Raise CheckpointError unless these are keys of windows and the places of their elements."""
    whole = all(
        isinstance(group, list)
        and len(group) == 2
        and type(group[0]) is int
        and isinstance(group[1], list)
        and all(type(place) is int and place >= 0 for place in group[1])
        for group in groups
    )
    if not whole:
        raise CheckpointError(
            "the state is damaged: what it says of windows is not what was saved. Give "
            "load_state_dict() exactly what state_dict() returned."
        )
