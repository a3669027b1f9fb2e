"""Iterator: a cursor over a dataset, whose state can be saved at any element and restored."""

from __future__ import annotations

import json
import weakref
from collections.abc import Iterator as AbstractIterator
from contextlib import nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from feedline import pipeline
from feedline.engine.cut_state import check_nesting, cut, joined
from feedline.engine.deliveries import written
from feedline.engine.driver import Driver
from feedline.engine.stats import Figures, Stats
from feedline.errors import BuildTypeError, CheckpointError, OutOfRangeError
from feedline.files.versions import check_versions, versions
from feedline.graph.active import active_trace
from feedline.kernels.row_cursor import RowCursor
from feedline.leaf_spec import with_face
from feedline.namespace import explains_missing
from feedline.optional import Optional
from feedline.parallel.ending import hold_if_ending, watch
from feedline.parallel.finalising import close_elsewhere, finalise
from feedline.plan.declared import declared_spec
from feedline.plan.node import node_of
from feedline.plan.rewrite import files_of
from feedline.ragged import RaggedTensor
from feedline.seeding import Inherited
from feedline.sparse import SparseTensor
from feedline.sparse.tensor import to_dense
from feedline.spec import DatasetSpec, IteratorSpec
from feedline.structure import structure_of
from feedline.tracebacks import folded
from feedline.values.tensor import as_numpy

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.dataset import Dataset
    from feedline.engine.exec import State
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.plan.node import Node

__all__ = ["Iterator", "NumpyIterator", "latest_stats"]

T = TypeVar("T")

_FORMAT = 1


@explains_missing("tf.data.Iterator")
class Iterator(RowCursor, Generic[T]):
    """The elements of a dataset, one at a time.

    Example:
        >>> import feedline as tf
        >>> ds = tf.data.Dataset.range(5).shuffle(5, seed=1)
        >>> it = iter(ds)
        >>> head = [int(next(it)) for _ in range(3)]
        >>> saved = it.state_dict()
        >>> again = iter(ds)
        >>> again.load_state_dict(saved)
        >>> [int(x) for x in again] == [int(x) for x in it]
        True
    """

    spec_type: ClassVar[type] = IteratorSpec

    def __init__(self, node: Node) -> None:
        hold_if_ending()
        self._node = node
        self._spec: Any = None
        self._follow(*pipeline.start(node, None, pipeline.start_rounds(node)))
        watch(self, Iterator._keep_out, Iterator._end)

    def _follow(self, run: Run, stream: Stream) -> Stream:
        self._run = run
        self._node.kept["latest"] = weakref.ref(self)
        self._driver = Driver(stream, run.workers, self._node.depth)
        self._block: Block | None = None
        self._files: dict[str, Any] | None = None
        self._closed = False
        self._drop_rows()
        return stream

    if TYPE_CHECKING:  # RowCursor's own, which runs no Python code while there are rows in hand

        def __iter__(self) -> Iterator[T]: ...

        def __next__(self) -> T: ...

    def _next_rows(self) -> list[Any] | None:
        try:
            block = self._next_block()
            return None if block is None else self._handed_out(block)
        except Exception as error:
            hold_if_ending()  # what it waited for may be gone
            if self._closed:  # by another thread: processes that took long were ended
                return None
            raise folded(error)  # noqa: B904  FEEDLINE_FULL_TRACEBACKS=1 shows the lines inside
        except BaseException:
            # Ctrl-C and the like may strike anywhere: nothing of this block counts.
            self._start_at(self._driver.state(0))
            raise

    def _handed_out(self, block: Block) -> list[Any]:
        """Return the elements of a block as the caller gets them."""
        return block.elements()

    def _start_at(self, position: State) -> None:
        try:
            self._driver.close()
        finally:  # Ctrl-C may strike once more
            run = self._run
            again = pipeline.start(self._node, run.seed, dict(run.rounds), inherited=run.inherited)
            self._follow(*again).restore(written(position))

    def _next_block(self) -> Block | None:
        trace = active_trace()
        if trace is not None:  # elements are values: nothing made of them can be recorded
            trace.give_up("iterates over a dataset")
        if self._closed:
            return None
        if self._driver.is_pulling:
            raise RuntimeError(
                "next(): the iterator is being read already, by the pipeline that it reads. A "
                "function of a pipeline must not read its own iterator."
            )
        # In this order: a signal handler that asks for the state gets that before the block.
        self._driver.begin_block()
        self._block = None
        self._drop_rows()
        self._block = self._driver.next_block()
        return self._block

    def blocks(self) -> AbstractIterator[Block]:
        """Yield the elements from here to the end in the runs in which they are computed.

        A state saved meanwhile points before the run that came last.
        """
        while (block := self._whole_block()) is not None:
            yield block

    def _whole_block(self) -> Block | None:
        """Return what is left of the block in hand, or the next."""
        with self._lock:
            block, used = self._block, self._used
            if block is None or used >= block.length:
                whole = self._next_block()
            else:
                self._driver.use_up(used)
                self._drop_rows()
                whole = block.slice(used, block.length)
            self._block = None
            return whole

    def state_dict(self) -> dict[str, Any]:
        """Return where the iteration stands: a small dict that can be written as JSON.

        It holds counters and seeds, never elements. What was handed out counts, not
        what was read ahead. Any thread may ask, at any moment.
        """
        # Whoever reads may wait for one of the pipeline's own threads: that must not wait as well.
        with nullcontext() if self._driver.is_in_thread else self._lock:
            run, position = self._run, written(self._driver.state(self._used))
        position, *parts = cut(position)
        state: dict[str, Any] = {
            "feedline": _FORMAT,
            "plan": pipeline.signature(self._node),
            "seed": run.seed,
            "rounds": [run.rounds[number] for number in sorted(run.rounds)],
        }
        if inherited := run.inherited.written():
            state["inherited"] = inherited
        if run.rules:
            state["rules"] = list(run.rules)
        if self._files is None:  # as they were when a state was first asked for
            paths = files_of(self._node)
            self._files = versions(paths) if paths else {}
        if self._files:
            state["files"] = dict(self._files)
        if parts:
            state["parts"] = parts
        return {**state, "position": position}

    def load_state_dict(self, state: dict[str, Any], check_files: bool = True) -> None:
        """Continue exactly where ``state`` was saved, in this process or another.

        Raises CheckpointError if the state was saved from another pipeline, or if a file is not
        as it was then.

        Args:
            state: What state_dict() returned.
            check_files: Whether names, sizes and times of change of the files that are read
                must be the same. False for files that were copied, and hold the same.
        """
        _check_state(state, pipeline.signature(self._node))
        position = joined([state["position"], *state.get("parts", ())])
        if check_files and "files" in state:
            check_versions(state["files"], files_of(self._node))
        rounds = dict(enumerate(state["rounds"]))
        run, stream = pipeline.start(
            self._node,
            state["seed"],
            rounds,
            check_files=check_files,
            inherited=Inherited.read(state.get("inherited")),
        )
        _check_rules(state.get("rules", []), list(run.rules))
        with self._lock:
            self.close()
            self._follow(run, stream).restore(position)

    def next(self) -> T:
        """Return the next element; raise StopIteration if there is none."""
        return self.__next__()

    def get_next(self) -> T:
        """Return the next element; raise OutOfRangeError if there is none."""
        for element in self:
            return element
        raise OutOfRangeError("get_next(): the iterator has no more elements.")

    def get_next_as_optional(self) -> Optional:
        """Return the next element as an Optional, which is empty if there is none.

        Example:
            >>> import feedline as tf
            >>> it = iter(tf.data.Dataset.range(1))
            >>> it.get_next_as_optional(), it.get_next_as_optional()
            (Optional(np.int64(0)), Optional.empty())
        """
        return Optional.of_next(self)

    @property
    def element_spec(self) -> Any:
        """The structure, dtypes and shapes of an element; see Dataset.element_spec."""
        if self._spec is None:
            self._spec = with_face(pipeline.element_spec(self._node))
        return self._spec

    def stats(self) -> Stats:
        """Return what the iteration did so far: rates, times, workers, and why that many.

        Example:
            >>> import feedline as tf
            >>> it = iter(tf.data.Dataset.range(9).batch(3))
            >>> first = next(it)
            >>> [step.label for step in it.stats().steps]
            ['batch(batch_size=3, drop_remainder=False)', 'range(...)']
        """
        return Figures(self._run).stats()

    def close(self) -> None:
        """Free everything that is held. The iterator is over, for all threads that read it."""
        driver = self._driver
        if driver.is_in_thread:
            close_elsewhere(self.close)  # our own thread cannot wait for itself
            return
        if not self._closed:
            self._keep_figures()
        self._closed = True
        with driver.hurried(), self._lock:
            self._block = None
            self._drop_rows()
            driver.close()

    def _keep_out(self, seconds: float) -> bool:
        """Let nobody read any more, as the program ends; see parallel/ending.py."""
        return self._lock.acquire(timeout=seconds)  # for good

    def _end(self) -> None:
        """Close what nobody reads, as the program ends."""
        if not self._driver.is_stuck:
            self.close()

    def __del__(self) -> None:
        driver = getattr(self, "_driver", None)
        if driver is not None and not self._closed:
            self._keep_figures()
            finalise(driver.close)

    def _keep_figures(self) -> None:
        """Leave the counters with the plan, unless a later iteration has begun."""
        latest = self._node.kept.get("latest")
        if isinstance(latest, weakref.ref) and latest() in (None, self):
            self._node.kept["latest"] = Figures(self._run)

    def __enter__(self) -> Iterator[T]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class NumpyIterator(Iterator[T]):
    """The iterator of ``Dataset.as_numpy_iterator()``, whose state can be saved as bytes.

    Elements are NumPy's own values as in tf.data: strings are bytes, ragged rows an array of
    arrays, and a SparseTensor is dense.

    Example:
        >>> import feedline as tf
        >>> it = tf.data.Dataset.range(3).as_numpy_iterator()
        >>> saved = it.save()
        >>> first = it.next()
        >>> it.restore(saved)
        >>> it.next() == first
        np.True_
    """

    def __init__(self, dataset: Dataset[T]) -> None:
        node = node_of(dataset, "NumpyIterator()", "dataset")
        spec = declared_spec(node)
        if spec is not None:
            for leaf in structure_of(spec).flatten(spec):
                _refuse_dataset(isinstance(leaf, DatasetSpec))
        super().__init__(node)

    def _handed_out(self, block: Block) -> list[Any]:
        columns = [list(map(_as_numpy, column.rows())) for column in block.columns]
        for column in columns:
            _refuse_dataset(bool(column) and isinstance(column[0], DatasetSpec.value_type))
        return block.structure.pack_rows(columns, block.length)

    def save(self) -> bytes:
        """Return where the iteration stands as a few bytes: state_dict() written as JSON."""
        return json.dumps(self.state_dict()).encode()

    def restore(self, state: bytes) -> None:
        """Continue exactly where ``state`` was saved, in this process or another."""
        if not isinstance(state, (bytes, bytearray)):
            raise BuildTypeError(
                f"restore(): state must be what save() returned, got {type(state).__name__}."
            )
        try:
            loaded = json.loads(state)
        except ValueError as error:
            raise CheckpointError(
                f"restore(): the state is damaged: {error}. Give it exactly what save() returned."
            ) from error
        self.load_state_dict(loaded)


def _as_numpy(leaf: Any) -> Any:
    if isinstance(leaf, RaggedTensor):
        return leaf.numpy()
    return to_dense(leaf) if isinstance(leaf, SparseTensor) else as_numpy(leaf)


def _refuse_dataset(is_dataset: bool) -> None:
    if is_dataset:
        raise BuildTypeError(
            "as_numpy_iterator(): elements must not be datasets, which have no values of NumPy's. "
            "Iterate over the dataset, and call as_numpy_iterator() on its elements."
        )


def latest_stats(node: Node) -> Stats | None:
    """Return what the latest iteration over a plan did, None if there was none."""
    latest = node.kept.get("latest")
    if isinstance(latest, weakref.ref):
        iterator: Iterator[Any] | None = latest()
        return None if iterator is None else iterator.stats()
    return None if latest is None else latest.stats()


def _check_state(state: Any, expected: list[str]) -> None:
    if not isinstance(state, dict):
        raise BuildTypeError(
            "load_state_dict(): state must be what state_dict() returned, got "
            f"{type(state).__name__}."
        )
    check_nesting(state)
    if state.get("feedline") != _FORMAT:
        raise CheckpointError(
            f"load_state_dict(): the state has format {state.get('feedline')!r:.40}, this version "
            f"of Feedline reads {_FORMAT}."
        )
    saved, rounds, seed = state.get("plan"), state.get("rounds"), state.get("seed")
    whole = isinstance(saved, list) and isinstance(rounds, list) and isinstance(seed, int)
    position = state.get("position")
    whole = whole and isinstance(position, dict) and isinstance(position.get("n"), int)
    whole = whole and isinstance(state.get("parts", []), list)
    whole = whole and _is_inherited(state.get("inherited"))
    if not whole or not all(type(n) is int and 0 <= n < 1 << 62 for n in rounds or ()):
        raise CheckpointError(
            "load_state_dict(): the state is damaged: a part of it is missing or wrong. "
            "Give exactly what state_dict() returned."
        )
    assert isinstance(saved, list)
    for number, (mine, theirs) in enumerate(zip(expected, saved, strict=False)):
        if mine != theirs:
            raise CheckpointError(
                f"load_state_dict(): step {number} of the saved pipeline is {theirs}, here it is "
                f"{mine}. A state continues only the pipeline it was saved from."
            )
    if len(saved) != len(expected):
        raise CheckpointError(
            f"load_state_dict(): the saved pipeline has {len(saved)} steps, this one "
            f"{len(expected)}. A state continues only the pipeline it was saved from."
        )


def _is_inherited(written: Any) -> bool:
    try:
        Inherited.read(written)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _check_rules(saved: Any, expected: list[str]) -> None:
    """The position is one in the plan as the rules made it."""
    if saved != expected:
        raise CheckpointError(
            f"load_state_dict(): the state was saved from a plan made by the rules {saved}, here "
            f"they are {expected}. Set the same skip_rules and experimental_optimization as then."
        )
