"""group_by_reducer: fold the elements of each key into one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from feedline.binding import HoldsFunctions, bound_together
from feedline.block import Block
from feedline.engine.each import EachExec
from feedline.engine.exec import State, count_in
from feedline.engine.function import check_callable
from feedline.errors import BuildTypeError, SpecError
from feedline.ids import mix_ids
from feedline.leaf import as_leaf, describe_leaf
from feedline.ops.calling import CallingNode
from feedline.plan.node import Traits, node_of
from feedline.spec import spec_of, zeros_of
from feedline.structure import structure_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream

__all__ = ["GroupByReducer", "Reducer", "group_by_reducer"]

_GROUP = 0x62B
# Elements per read: enough that reading does not count, few enough to keep memory small.
_CHUNK = 256


# ---- what the user calls ---------------------------------------------------


@dataclass(frozen=True)
class Reducer(HoldsFunctions):
    """How the elements of one group become one.

    ``init_func(key)`` gives the first state, ``reduce_func(state, element)`` the next one,
    and ``finalize_func(state)`` the result. A state that is a tuple comes to
    ``finalize_func`` as separate arguments.
    """

    init_func: Callable[..., Any]
    reduce_func: Callable[..., Any]
    finalize_func: Callable[..., Any]

    def __post_init__(self) -> None:
        for name in ("init_func", "reduce_func", "finalize_func"):
            check_callable("Reducer()", name, getattr(self, name))

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """All three."""
        return self.init_func, self.reduce_func, self.finalize_func

    def first(self, key: np.int64) -> Any:
        """Return the state of a group before its first element."""
        return _as_element(self.init_func(key))

    def next(self, state: Any, element: Any) -> Any:
        """Return the state after one more element."""
        return _as_element(self.reduce_func(state, element))

    def last(self, state: Any) -> Any:
        """Return the result of a group."""
        arguments = state if structure_of(state).is_tuple else (state,)
        return _as_element(self.finalize_func(*arguments))


def group_by_reducer(
    key_func: Callable[..., Any], reducer: Reducer
) -> Callable[[Dataset[Any]], Dataset[Any]]:
    """Return a transformation that yields one result per key, for ``Dataset.apply()``.

    All elements are read before the first result comes out; results come in the order of
    their keys.

    Args:
        key_func: Gives the integer key of an element.
        reducer: Makes one result of all elements of a key.

    Example:
        >>> import feedline as tf
        >>> total = tf.data.experimental.Reducer(lambda key: 0, lambda s, x: s + x, lambda s: s)
        >>> group = tf.data.experimental.group_by_reducer(lambda x: x % 2, total)
        >>> [int(x) for x in group(tf.data.Dataset.range(5))]
        [6, 4]
    """
    call = "group_by_reducer()"
    check_callable(call, "key_func", key_func)
    if not isinstance(reducer, Reducer):
        raise BuildTypeError(f"{call}: reducer must be a Reducer, got {reducer!r}.")

    def apply(dataset: Dataset[Any]) -> Dataset[Any]:
        node = node_of(dataset, call, "dataset")
        key_func_now, *functions = bound_together(key_func, *reducer.functions)
        return dataset.then(GroupByReducer(node, key_func_now, Reducer(*functions)))

    return apply


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class GroupByReducer(CallingNode):
    """One result per key that ``fn`` gives."""

    reducer: Reducer = field(repr=False)

    traits: ClassVar[Traits] = Traits(rows="fewer", calls_user=True)

    def lower(self, run: Run) -> GroupByReducerExec:
        """Read everything, then hand out."""
        return GroupByReducerExec(run.open(self.input), self, run)

    def spec_of_nothing(self, inputs: Sequence[Any]) -> Any:
        """For an empty input, ask the functions about an element of zeros."""
        element = zeros_of(inputs[0])
        calls = self.function.each(Block.of([element]), 0, 0)
        if calls.error is not None:
            return None
        state = self.reducer.next(self.reducer.first(as_key(calls.results[0])), element)
        return spec_of(Block.of([self.reducer.last(state)]).rows()[0])


# ---- what runs -------------------------------------------------------------


class GroupByReducerExec(EachExec):
    """The states of the groups, and how many results are out.

    The states themselves are not saved: a resume reads the input again. Exceptions that
    were raised while reading are not raised again then.
    """

    def __init__(self, stream: Stream, node: GroupByReducer, run: Run) -> None:
        super().__init__(stream, node.plain_function_in(run), run.key(node.number))
        self._run = run
        self._reducer = node.reducer
        self._start = stream.state()
        self._groups: dict[int, Any] = {}
        self._order: list[int] | None = None
        self._out = 0
        self._num_failures = 0
        self._num_forgiven = 0
        self._failed_result: Exception | None = None

    def pull(self, limit: int) -> Block | None:
        """Read everything the first time; hand out results."""
        while self._order is None:
            try:
                self._read()
            except Exception:
                self._num_failures += 1
                if self._num_failures > self._num_forgiven:
                    raise
        if self._failed_result is not None:
            error, self._failed_result = self._failed_result, None
            self._out += 1
            raise error
        keys = self._order[self._out : self._out + limit]
        return self._results(keys) if keys else None

    def _read(self) -> None:
        called = self.call(_CHUNK)
        if called is None:
            self._order = sorted(self._groups)
            return
        block, keys = called
        for number, (key, element) in enumerate(zip(keys, block.private_elements(), strict=True)):
            try:
                self._add(as_key(key), element)
            except Exception as error:
                self.fail(error, block, number)
                return

    def _add(self, key: np.int64, element: Any) -> None:
        group = int(key)
        state = self._groups[group] if group in self._groups else self._reducer.first(key)
        self._groups[group] = self._reducer.next(state, element)

    def _results(self, keys: list[int]) -> Block:
        results: list[Any] = []
        for key in keys:
            try:
                results.append(self._reducer.last(self._groups[key]))
            except Exception as error:
                error.add_note(f"in {self._function.place}, finalize_func for key {key}")
                if not results:
                    self._out += 1
                    raise
                self._failed_result = error
                break
        self._out += len(results)
        ids = None
        if self._run.with_ids:
            positions = np.array(keys[: len(results)], np.int64)
            ids = mix_ids(self._run.scope.ids(positions), _GROUP)
        return Block.of(results, ids)

    def state(self) -> State:
        """Point before the input, and say how far the results are."""
        return {"in": [self._start], "out": self._out, "failures": self._num_failures}

    def restore(self, state: State) -> None:
        """Read the input again at the next pull."""
        self._start = state["in"][0]
        self.input.restore(self._start)
        self._out = count_in(state, "out")
        self._num_forgiven = count_in(state, "failures")


def as_key(value: Any) -> np.int64:
    """Return what a key function gave as a key, or raise SpecError."""
    leaf = as_leaf(value)
    if getattr(leaf, "shape", None) != () or leaf.dtype.kind not in "iu":
        raise SpecError(
            f"group_by_reducer(): key_func must return an integer, got {describe_leaf(leaf)}."
        )
    return np.int64(leaf)


def _as_element(value: Any) -> Any:
    # As in map(): a list that a function returns is a tuple, for its parts may differ.
    value = tuple(value) if isinstance(value, list) else value
    structure = structure_of(value)
    return structure.pack([as_leaf(leaf) for leaf in structure.leaves_of(value)])
