"""Accumulator: a function that hands a state on, run over a whole block.

That is possible where the next state is the old one added to (multiplied by, compared
with ...) something that depends on the element alone, or is such a thing itself: running
sums, counts, extremes, the element before. NumPy's ``accumulate`` does the same steps in
the same order, so that not even rounding differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from feedline.block import Block
from feedline.column import Column, Dense
from feedline.graph.block_form import form_of, lined_up
from feedline.graph.op import Op, Ref, resolved
from feedline.graph.program import Program
from feedline.graph.recorder import record
from feedline.graph.rows import Rows
from feedline.graph.same import same_values
from feedline.graph.untraceable import Untraceable
from feedline.structure import Structure, structure_of

if TYPE_CHECKING:
    from feedline.graph.record import Recording

__all__ = ["Accumulator"]

_BEFORE_TRYING = 32
_SMALLEST_BLOCK = 4
_COMPARED = 16
# The old state must come first, except where the order does not matter to a single bit.
_FOLDS = (np.add, np.subtract, np.multiply, np.maximum, np.minimum, np.logical_and, np.logical_or)
_SYMMETRIC = (np.add, np.multiply)

Step = Callable[[Any, Any], Any]


class Accumulator:
    """A function of a state and an element, and its recording once there is one."""

    def __init__(self) -> None:
        self._seen = 0
        self._recorded: _Recorded | None = None
        self.refusal: Untraceable | None = None

    def __reduce__(self) -> Any:
        return Accumulator, ()

    @property
    def is_running(self) -> bool:
        """Whether blocks have been run at once."""
        return self._recorded is not None

    def run(self, step: Step, state: Any, block: Block) -> tuple[Any, Block] | None:
        """Return the state after a block and the outputs, or None to go step by step.

        Args:
            step: Returns the next state and an output; the same one at every call.
            state: The state before.
            block: The elements.
        """
        if self.refusal is not None or block.length < _SMALLEST_BLOCK:
            return None
        if self._recorded is None:
            self._seen += block.length
            if self._seen < _BEFORE_TRYING:
                return None
            try:
                recorded = _recorded(step, state, block)
                made = recorded.run(state, block)
                _compare(step, state, block, recorded)
            except (Untraceable, Exception) as error:
                reason = error if isinstance(error, Untraceable) else Untraceable(str(error))
                self.refusal = Untraceable(reason.reason, reason.site)
                return None
            self._recorded = recorded
            return made
        if not self._recorded.fits(state, block):
            return None
        try:
            return self._recorded.run(state, block)
        except Exception:
            return None  # going step by step finds which element it was


@dataclass(frozen=True)
class _Turn:
    """How one leaf of the state changes: by ``fold`` with a value, or into the value."""

    fold: np.ufunc | None
    value: Any


@dataclass(frozen=True)
class _Recorded:
    recording: Recording
    structure: Structure
    form: Any
    turns: tuple[_Turn, ...]
    values: Program
    outputs: Program
    output: Structure

    def fits(self, state: Any, block: Block) -> bool:
        """Whether a block is like the one that was recorded, and nothing else has changed."""
        return self.form == _form_of(state, block) and self.recording.holds()

    def run(self, state: Any, block: Block) -> tuple[Any, Block]:
        """Return the state after a block, and the outputs."""
        columns = tuple(lined_up(column, True) for column in block.columns)
        folded = self.values.run(columns, block.length)
        after: list[Any] = []
        before: list[Column] = []
        for turn, old, column in zip(
            self.turns, self.structure.leaves_of(state), folded, strict=True
        ):
            assert isinstance(column, Dense)
            states = _states(turn, old, column.array)
            before.append(Dense(states[:-1]))
            after.append(states[-1].copy() if states.ndim > 1 else states[-1])
        made = self.outputs.run([*before, *columns], block.length)
        outputs = Block(self.output, tuple(made), block.length, block.ids)
        return self.structure.pack(after), outputs


def _states(turn: _Turn, old: Any, values: NDArray[Any]) -> NDArray[Any]:
    """Return the states before every element and after the last."""
    old = np.asarray(old)
    states = np.empty((len(values) + 1, *old.shape), old.dtype)
    states[0] = old
    states[1:] = Rows(values).padded(old.ndim)
    if turn.fold is not None:
        turn.fold.accumulate(states, axis=0, dtype=states.dtype, out=states)
    return states


def _recorded(step: Step, state: Any, block: Block) -> _Recorded:
    structure = structure_of(state)
    leaves = list(structure.leaves_of(state))
    if not leaves or not all(
        isinstance(leaf, (np.ndarray, np.generic)) and leaf.dtype.kind in "biufc" for leaf in leaves
    ):
        raise Untraceable("carries a state that is not made of numbers")
    both = Structure(tuple, (0, 1), (structure, block.structure))
    carried = tuple(Dense(np.repeat(np.asarray(leaf)[None], block.length, 0)) for leaf in leaves)
    recording = record(step, Block(both, carried + block.columns, block.length))
    program = recording.program
    if recording.hidden or len(program.structure.children) != 2 or not program.structure.is_tuple:
        raise Untraceable("does not return a pair of a state and an output")
    next_state, output = program.structure.children
    if next_state != structure:
        raise Untraceable("changes the structure of its state")
    turns = _turns(program, leaves)
    number = len(leaves)
    independent = _independent(program.ops, set(program.inputs[:number]))
    values = Program(
        program.inputs[number:],
        independent,
        structure_of(tuple(range(number))),
        [turn.value for turn in turns],
        [None] * number,
        program.ranks,
    )
    outputs = Program(
        program.inputs,
        program.ops,
        output,
        program.outputs[number:],
        program.forms[number:],
        program.ranks,
    )
    return _Recorded(recording, structure, _form_of(state, block), turns, values, outputs, output)


def _turns(program: Program, leaves: Sequence[Any]) -> tuple[_Turn, ...]:
    states = set(program.inputs[: len(leaves)])
    made = {op.outs[0]: op for op in program.ops if op.single}
    independent = {n for op in _independent(program.ops, states) for n in op.outs}
    independent.update(program.inputs[len(leaves) :])
    turns = []
    for number, leaf, new, form in zip(
        program.inputs, leaves, program.outputs, program.forms, strict=False
    ):
        if form is not None and (form.dtype != leaf.dtype or form.shape != np.shape(leaf)):
            raise Untraceable("changes the dtype or shape of its state")
        if not isinstance(new, Ref):
            turns.append(_Turn(None, _constant(new, leaf)))
        elif new.number in independent:
            turns.append(_Turn(None, new))
        elif new.number == number:
            raise Untraceable("carries a state that never changes")
        else:
            turns.append(_turn_by(made.get(new.number), number, independent, leaf))
    return tuple(turns)


def _turn_by(op: Op | None, state: int, independent: set[int], leaf: Any) -> _Turn:
    """Return how an operation makes the next state out of the old one."""
    if op is not None and op.fn in _FOLDS and len(op.args) == 2 and not op.kwargs:
        for place, value in ((0, op.args[1]), (1, op.args[0])):
            is_state = isinstance(op.args[place], Ref) and op.args[place].number == state
            if not is_state or (place == 1 and op.fn not in _SYMMETRIC):
                continue
            if isinstance(value, Ref) and value.number not in independent:
                continue
            assert isinstance(op.fn, np.ufunc)
            return _Turn(op.fn, value if isinstance(value, Ref) else _constant(value, leaf))
    raise Untraceable("makes its next state in a way that goes step by step")


def _constant(value: Any, leaf: Any) -> Any:
    return np.broadcast_to(np.asarray(value, leaf.dtype), np.shape(leaf))[()]


def _independent(ops: Sequence[Op], states: set[int]) -> list[Op]:
    """Return the operations that do not need the state."""
    depends = set(states)
    found = []
    for op in ops:
        used: list[int] = []
        resolved((op.args, op.kwargs), used.append)
        if depends.intersection(used):
            depends.update(op.outs)
        else:
            found.append(op)
    return found


def _compare(step: Step, state: Any, block: Block, recorded: _Recorded) -> None:
    """Go step by step through the first elements and compare, bit for bit."""
    count = min(_COMPARED, block.length)
    first = block.slice(0, count)
    after, outputs = recorded.run(state, first)
    with np.errstate(all="ignore"):
        for element, ours in zip(first.private_elements(), outputs.rows(), strict=True):
            state, theirs = step(state, element)
            if not _same(ours, theirs):
                raise Untraceable("gives something else when it runs on many elements at once")
    if not _same(after, state):
        raise Untraceable("gives another state when it runs on many elements at once")


def _same(ours: Any, theirs: Any) -> bool:
    structure = structure_of(theirs)
    if structure != structure_of(ours):
        return False
    return all(map(same_values, structure.leaves_of(ours), structure.leaves_of(theirs)))


def _form_of(state: Any, block: Block) -> Any:
    leaves = [np.asarray(leaf) for leaf in structure_of(state).leaves_of(state)]
    return [(leaf.dtype, leaf.shape) for leaf in leaves], form_of(block)
