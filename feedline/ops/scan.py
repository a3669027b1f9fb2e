"""scan: a map that hands a state from each call to the next.

The state is the user's data. A small one (up to about two kilobytes as text) is part of
a saved position; a larger one, or one that has no exact text, is computed again at a
resume by calling the function on the input from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from feedline.block import Block
from feedline.engine.each import EachExec
from feedline.engine.exec import State
from feedline.engine.function import Calls, Function, given_function
from feedline.engine.replay import read_again
from feedline.errors import BuildTypeError, SpecError
from feedline.graph.accumulator import Accumulator
from feedline.graph.function_spec import spec_of_result
from feedline.graph.untraceable import Untraceable
from feedline.leaf import as_leaf, describe_leaf
from feedline.ops.calling import CallingNode
from feedline.ops.carried import Carried
from feedline.plan.node import Traits
from feedline.spec import merge_specs, spec_of, zeros_of
from feedline.structure import LEAF, Structure, structure_of

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run
    from feedline.options import Options

__all__ = ["Scan", "scan"]


# Each makes another length of the state unknown.
_MOST_STATES = 4


# ---- what the user calls ---------------------------------------------------


def scan(
    self: Dataset[Any],
    initial_state: Any,
    scan_func: Callable[..., Any],
    name: str | None = None,
) -> Dataset[Any]:
    """Return the outputs of ``state, output = scan_func(state, element)`` for every element.

    Args:
        initial_state: What the first call gets. Python numbers become int32 and float32;
            the structure and dtypes stay the same in all calls.
        scan_func: Gets the state and the element, which is one argument even if it is a
            tuple; returns a pair of the next state and the output.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> import numpy as np
        >>> ds = tf.data.Dataset.range(5).scan(np.int64(0), lambda s, x: (s + x, s + x))
        >>> [int(x) for x in ds]
        [0, 1, 3, 6, 10]
    """
    scan_func = given_function("scan()", "scan_func", scan_func)
    return self.then(Scan(self.node, scan_func, Carried("scan()", initial_state), name=name))


# ---- what the optimizer sees -----------------------------------------------


@dataclass(frozen=True)
class Scan(CallingNode):
    """``fn`` of the state and every element."""

    carried: Carried = field(repr=False, compare=False)
    accumulator: Accumulator = field(
        default_factory=Accumulator, kw_only=True, repr=False, compare=False
    )

    traits: ClassVar[Traits] = Traits(rows="same", keeps_order=True, calls_user=True)

    def lower(self, run: Run) -> ScanExec:
        """One after the other: every call needs the one before."""
        return ScanExec(self, run)

    def cardinality(self, inputs: Sequence[int]) -> int:
        """The input's."""
        return inputs[0]

    def how_it_runs(self, inputs: Sequence[Any] | None, options: Options) -> str | None:
        """At once where the state only adds up, or the like."""
        if self.accumulator.is_running:
            return "vectorised"
        refusal = self.accumulator.refusal
        return None if refusal is None else f"plain Python: {refusal}"

    def spec_by_recording(self, inputs: Sequence[Any]) -> Any:
        """What the function makes of a state and an element of its input."""
        if self.vectorize is False or self.function.wants_rng:
            return None
        state = spec_of(self.carried.initial)
        try:
            for _ in range(_MOST_STATES):
                found = spec_of_result(self.fn, (state, inputs[0]))
                if not isinstance(found, tuple) or len(found) != 2:
                    return None  # running it says what is wrong
                wider = merge_specs([state, found[0]])
                if wider == state:
                    return found[1]
                state = wider  # as lengths that grow are not known
        except (Untraceable, SpecError):
            pass
        return None

    def spec_of_nothing(self, inputs: Sequence[Any]) -> Any:
        """For an empty input, ask the function about an element of zeros."""
        step = _Step(self.fn, self.carried)
        function = _Whole(step, self.place, self.function.wants_rng)
        calls = function.each(Block.of([zeros_of(inputs[0])], np.zeros(1, np.uint64)), 0, 0)
        return None if calls.error is not None else spec_of(Block.of(calls.results).rows()[0])


# ---- what runs -------------------------------------------------------------


class _Step:
    """The function with its state: what is called on every element."""

    def __init__(self, fn: Callable[..., Any], carried: Carried) -> None:
        self._fn = fn
        self._carried = carried
        self.accumulator: Accumulator | None = None
        self.structure: Structure | None = None
        self.state = carried.initial

    def at_once(self, block: Block) -> Block | None:
        """Return the outputs for all elements, or None to go step by step."""
        assert self.accumulator is not None
        made = self.accumulator.run(self._fn, self.state, block)
        if made is None:
            return None
        self.state, outputs = made
        if self.structure is None:
            self.structure = outputs.structure
        return outputs.aligned(self.structure)

    def __call__(self, element: Any, **draws: Any) -> Any:
        # A copy, for the function may change it: an output may be the same array.
        result = self._fn(self._carried.copy(self.state), element, **draws)
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            raise BuildTypeError(
                "scan(): scan_func must return a pair of the new state and the output, "
                f"got {describe_leaf(result)}."
            )
        state, output = result
        state = self._carried.checked(state, self.state)
        self._check_output(output)
        # Only now: a call that failed leaves the state alone.
        self.state = state
        return output

    def _check_output(self, output: Any) -> None:
        if self.structure is LEAF and isinstance(output, (np.generic, np.ndarray, str, bytes)):
            return
        found = structure_of(output)
        if self.structure is None:
            self.structure = found
        elif found != self.structure and found.aligned(self.structure) is None:
            raise SpecError(
                f"scan(): all outputs must have one structure: {self.structure} was seen first, "
                f"then {found}."
            )
        for leaf in found.leaves_of(output):
            if isinstance(leaf, list):
                as_leaf(leaf)


class _Whole(Function):
    """A function that gets every element as one argument, tuples too."""

    def at_once(
        self, block: Block, key: int, tensors_of: Callable[[Any], Any] | None = None
    ) -> Block | None:
        """Scan all elements at once, if that is the same."""
        step = self.fn
        assert isinstance(step, _Step)
        return None if step.accumulator is None else step.at_once(block)

    def each(self, block: Block, first: int, key: int) -> Calls:
        """Call the function on every element."""
        wrapped = Structure(tuple, (0,), (block.structure,))
        return Function.each(self, replace(block, structure=wrapped), first, key)


class ScanExec(EachExec):
    """Calls the function and puts the outputs in columns."""

    def __init__(self, node: Scan, run: Run) -> None:
        self._step = _Step(node.fn, node.carried)
        if node.function_in(run).vectorizer is not None and not node.function.wants_rng:
            self._step.accumulator = node.accumulator
        called = node.plain_function_in(run)
        most = called.max_image_pixels
        function = _Whole(self._step, node.place, called.wants_rng, max_image_pixels=most)
        super().__init__(run.open(node.input), function, run.key(node.number))
        self._node = node
        self._run = run

    def pull(self, limit: int) -> Block | None:
        """Scan the next elements."""
        called = self.call_at_once(limit)
        if called is None:
            return None
        block, outputs = called
        if isinstance(outputs, Block):
            return outputs
        return Block.of(outputs, block.ids, self._step.structure)

    def counters(self) -> State:
        """Return the carried state, if it is small."""
        written = self._node.carried.written(self._step.state)
        return {} if written is None else {"carried": written}

    def resume(self, counters: State) -> None:
        """Take the state back, or compute it again."""
        if "carried" in counters:
            self._step.state = self._node.carried.read(counters["carried"])
            return
        stream = self._run.open(self._node.input)
        for block in read_again(stream, self.input.position):
            self._call_again(block)
        stream.close()

    def _call_again(self, block: Block) -> None:
        """Call the function on elements it was called on before; what failed then fails again."""
        start = 0
        while start < block.length:
            calls = self._function.each(block.slice(start, block.length), start, self._key)
            start += len(calls.results) + 1
