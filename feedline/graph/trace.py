"""Trace: the recording of one function while it runs on symbols.

Every operation is carried out on the sample elements one by one, as NumPy does it, and on
all of them at once by its batching rule. If the two differ in a single bit, the operation
is recorded to run element by element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from feedline.column import Column, Dense, Objects, Ragged, column_of
from feedline.graph.broadcasting import Elementwise
from feedline.graph.exactness import MANY_WAYS, is_ambiguous, is_settled, kinds_of
from feedline.graph.flat import flat_elementwise
from feedline.graph.layout import as_it_lies, elements_lie, layout_of
from feedline.graph.nested import swapped, symbols_in
from feedline.graph.op import LeafForm, Op, Ref
from feedline.graph.opaque import Opaque
from feedline.graph.rows import Rows
from feedline.graph.rule import RULES, Rule, named
from feedline.graph.same import same_values
from feedline.graph.shaping import check_shaping
from feedline.graph.symbol import Memory, Symbol
from feedline.graph.untraceable import refuse
from feedline.graph.varied import is_varied
from feedline.shapes import Shape, merge_shapes
from feedline.values.publishing import as_plain_leaves, holds_tensor

if TYPE_CHECKING:
    from feedline.values.tensor_shape import TensorShape

__all__ = ["SampleLost", "Trace", "recorded", "symbols_in"]

_MOST_OPS = 1_000


class SampleLost(BaseException):
    """A sample that was made up does not go through the function: record again without it."""


class Trace:
    """The operations of one function.

    Args:
        count: How many samples there are.
        batches: Whether results for many elements at once are wanted and compared.
        sealed: Whether the function must not notice that it is recorded.
        invented: Which of the samples are made up, so that they may fail.
        made_up: Whether all of them are: nothing is known of the elements but their spec.
    """

    def __init__(
        self,
        count: int,
        *,
        batches: bool,
        sealed: bool,
        invented: Sequence[int] = (),
        made_up: bool = False,
    ) -> None:
        self.count = count
        self.batches = batches
        self.sealed = sealed
        self.invented = set(invented)
        self.made_up = made_up
        self.lost: set[int] = set()
        # A bare ``except:`` in the function can hide that a sample was lost.
        self.has_lost = False
        # Shapes by number: a symbol's own number changes when it is changed in place.
        self._inputs: dict[int, Shape] = {}
        self.ops: list[Op] = []
        self.next_number = 0
        # Those still alive, by number: a branch of the function finds here what it refers to.
        self.symbols: WeakValueDictionary[int, Symbol] = WeakValueDictionary()
        # How often the function drew random numbers, and what it needs for that.
        self.draws = 0
        # What operations make that is no array of numbers, by number.
        self.specs: dict[int, Any] = {}
        self.hidden: dict[str, Symbol] = {}

    # ---- values come in ----------------------------------------------------------

    def input(self, column: Column, shape: Shape, samples: list[Any]) -> Symbol:
        """Return the symbol of one leaf of the elements."""
        block: Any = column.array if isinstance(column, Dense) else column
        dtype = np.asarray(samples[0]).dtype
        symbol = Symbol(
            self,
            shape,
            dtype,
            number=self._number(),
            samples=[self._protected(sample) for sample in samples],
            block=block,
        )
        self._inputs[self.next_number - 1] = shape
        return symbol

    def arguments(self, leaves: list[Symbol | Opaque]) -> list[Symbol | Opaque]:
        """Return what the function gets for the leaves of an element."""
        return leaves

    def constant(
        self,
        value: Any,
        *,
        captured: bool = False,
        on_read: Callable[[Any], None] | None = None,
        is_tensor: bool = False,
    ) -> Symbol:
        """Return a symbol for a value that is the same for all elements."""
        array = np.asarray(value)
        return Symbol(
            self,
            array.shape,
            array.dtype,
            value=self._protected(value),
            memory=Memory(captured),
            on_read=on_read,
            is_tensor=is_tensor,
        )

    def _protected(self, value: Any) -> Any:
        """Return a value that no operation can write into without being noticed."""
        if self.sealed and isinstance(value, np.ndarray) and value.flags.writeable:
            value = value.view()
            value.flags.writeable = False
        return value

    def element_ids(self) -> Symbol:
        """Return the symbol of the ids of the elements."""
        return self._hidden("ids")

    def element_keys(self) -> Symbol:
        """Return the symbol of the keys of what is drawn for the elements."""
        return self._hidden("keys")

    def _hidden(self, name: str) -> Symbol:
        if name not in self.hidden:
            # Any numbers will do: every draw of the samples is done both ways.
            ids = Dense(np.arange(self.count, dtype=np.uint64))
            self.hidden[name] = self.input(ids, (), list(ids.array))
        return self.hidden[name]

    def ranks(self) -> dict[int, int]:
        """Return how many axes each value has whose shape is the same for all elements."""
        found = dict(self._inputs)
        for op in self.ops:
            found.update(zip(op.outs, (form.shape for form in op.forms), strict=True))
        return {
            n: len(shape) for n, shape in found.items() if shape is not None and None not in shape
        }

    def opaque(self, what: str, samples: list[Any], block: Column) -> Opaque:
        """Return what stands for a leaf that is no array."""
        return Opaque(self, self._number(), what, samples, block)

    def declare(self, number: int, spec: Any) -> None:
        """Remember the spec of a value that is no array."""
        self.specs[number] = spec

    def made(self, form: LeafForm, samples: list[Any], block: Any) -> Symbol:
        """Return the symbol of an array that an operation on other leaves made."""
        return Symbol(
            self, form.shape, form.dtype, number=self._number(), samples=samples, block=block
        )

    def _number(self) -> int:
        self.next_number += 1
        return self.next_number - 1

    def give_up(self, reason: str) -> None:
        """Stop recording. A trace that returns lets the call go on with the first sample."""
        refuse(reason)

    def assume(self, value: Any, shape: TensorShape) -> None:
        """Know from now on that a value has a shape, where that need not be checked."""
        refuse("calls set_shape() with lengths that differ between elements")

    def ensured(self, symbol: Symbol, shape: Shape) -> Symbol | None:
        """Return a value that has a shape, where that need not be checked; None where it must."""
        return None

    def part_of(self, value: Opaque, key: Any) -> Any:
        """Return a part of a value that is no array of numbers."""
        refuse(f"uses {value.what}")

    # ---- operations ------------------------------------------------------------------

    def record(self, fn: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
        """Carry out an operation on the samples and write it down."""
        is_tensor = holds_tensor((args, kwargs))
        args, kwargs = as_plain_leaves(tuple(args)), as_plain_leaves(kwargs)
        operands = symbols_in((args, kwargs))
        is_tensor = is_tensor or any(operand.is_tensor for operand in operands)
        if all(operand.is_constant for operand in operands):
            return self._folded(fn, args, kwargs, operands, is_tensor)
        if is_ambiguous(fn, operands):
            refuse(f"uses {named(fn)} of an array without axes, or one complex number: {MANY_WAYS}")
        rule = _rule_of(fn)
        # What is called on each element may go through its numbers as they lie in memory.
        exact = rule.exact and rule.run is not None and _is_settled(fn, args, operands)
        check_shaping(fn, args, kwargs)
        if self.sealed and len(self.ops) >= _MOST_OPS:
            refuse(f"does more than {_MOST_OPS} things")
        if self.batches and not exact:
            for operand in operands:
                self._lay_out(operand)
        with self._quiet():
            samples = self._on_samples(fn, args, kwargs)
        first = next(s for i, s in enumerate(samples) if i not in self.lost)
        single = isinstance(first, (np.ndarray, np.generic))
        if not single and not (
            isinstance(first, (tuple, list))
            and all(isinstance(part, (np.ndarray, np.generic)) for part in first)
        ):
            refuse(f"uses {named(fn)}, which returns a {type(first).__name__}")
        parts = (
            [samples]
            if single
            else [[None if s is None else s[i] for s in samples] for i in range(len(first))]
        )
        forms = tuple(self._form_of(fn, part, operands) for part in parts)
        run, blocks = None, [None] * len(parts)
        if self.batches:
            with self._quiet():
                run, blocks = self._on_block(fn, rule, args, kwargs, parts, forms, single)
            if run is None:
                exact = False
                self._prepare_loop(fn, operands)
            forms = tuple(map(_with_layout, forms, blocks))
        results = [
            Symbol(
                self,
                form.shape,
                form.dtype,
                number=self._number(),
                samples=[self._protected(sample) for sample in part],
                block=block,
                memory=None if rule.fresh else _joined(operands),
                is_tensor=is_tensor,
            )
            for part, form, block in zip(parts, forms, blocks, strict=True)
        ]
        self.ops.append(
            Op(
                fn,
                tuple(swapped(arg, recorded) for arg in args),
                {key: swapped(arg, recorded) for key, arg in kwargs.items()},
                tuple(result.number for result in results if result.number is not None),
                forms,
                single,
                run,
                rule.fresh and run is not None,
                exact,
            )
        )
        if single:
            return results[0]
        return type(first)(*results) if hasattr(first, "_fields") else type(first)(results)

    def _quiet(self) -> Any:
        """Return a context in which nothing is said of what numbers do, if nobody may notice.

        What constants do, the function would be warned of at every call.
        """
        return np.errstate(all="ignore") if self.sealed else nullcontext()

    def _prepare_loop(self, fn: Any, operands: list[Symbol]) -> None:
        """Let operands be such that an operation can be called on each element."""
        for operand in operands:
            self._lay_out(operand)
        if any(map(_is_array_without_axes, operands)):
            # The elements of a block are single numbers, which may be rounded differently.
            refuse(f"gives {named(fn)} an array without axes")

    def _lay_out(self, operand: Symbol) -> None:
        """Let the elements of an operand's block lie as they do one by one."""
        block, samples = operand.block, operand.samples
        if not isinstance(block, np.ndarray) or samples is None or not block.size:
            return
        layout = layout_of(np.asarray(samples[0]))
        if elements_lie(block) != layout:
            laid = self.record(as_it_lies, (operand, layout), {})
            operand.number, operand.block = laid.number, laid.block

    def record_call(
        self, fn: Callable[..., Any], args: Sequence[Any], varies: bool = True
    ) -> list[Any]:
        """Carry out something opaque and write it down, where a recording can hold that."""
        refuse(f"calls {named(fn)}, which runs element by element")

    def _folded(
        self, fn: Any, args: Any, kwargs: Any, operands: list[Symbol], is_tensor: bool
    ) -> Any:
        """Compute with constants at once."""
        fresh = (fn in RULES and RULES[fn].fresh) or isinstance(fn, np.ufunc)
        try:
            result = fn(
                *(swapped(arg, attrgetter("value")) for arg in args),
                **{key: swapped(arg, attrgetter("value")) for key, arg in kwargs.items()},
            )
        except ValueError as error:
            if "read-only" in str(error):
                refuse(f"lets {named(fn)} write into an array that is not recorded")
            raise
        watched = [operand for operand in operands if operand.on_read is not None]
        on_read = None
        if not fresh and len(watched) == 1 and _is_view(result, watched[0].value):
            on_read = watched[0].on_read  # no number of it has been looked at yet
        else:
            for operand in operands:
                operand.read()
        memory = None if fresh else _joined(operands)

        def wrapped(value: Any) -> Any:
            if isinstance(value, (np.ndarray, np.generic)):
                value = self._protected(value)
                return Symbol(
                    self,
                    value.shape,
                    value.dtype,
                    value=value,
                    memory=memory,
                    on_read=on_read,
                    is_tensor=is_tensor,
                )
            if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
                return type(value)([wrapped(item) for item in value])
            return value

        return wrapped(result)

    def _on_samples(self, fn: Any, args: Any, kwargs: Any) -> list[Any]:
        samples: list[Any] = []
        for number in range(self.count):
            if number in self.lost:
                samples.append(None)
                continue

            def of_sample(symbol: Symbol, number: int = number) -> Any:
                return symbol.value if symbol.samples is None else symbol.samples[number]

            try:
                samples.append(
                    fn(
                        *(swapped(arg, of_sample) for arg in args),
                        **{key: swapped(arg, of_sample) for key, arg in kwargs.items()},
                    )
                )
            except Exception as error:
                self.lose(number, fn, error)
                samples.append(None)
        return samples

    def lose(self, number: int, fn: Any, error: Exception) -> None:
        """Go on without a sample that failed, if it was made up; give up otherwise."""
        if number not in self.invented or len(self.lost) + 1 == self.count:
            if self.sealed:
                refuse(f"calls {named(fn)}, which raised {type(error).__name__}: {error}")
            raise error
        self.has_lost = True
        if self.batches:
            raise SampleLost
        self.lost.add(number)

    def _form_of(self, fn: Any, part: list[Any], operands: list[Symbol]) -> LeafForm:
        known = [value for i, value in enumerate(part) if i not in self.lost]
        shape: Shape = known[0].shape
        for value in known[1:]:
            shape = merge_shapes(shape, value.shape)
            if value.dtype != known[0].dtype:
                refuse(f"uses {named(fn)}, whose dtype depends on values")
        varies = any(operand.shape is None or None in operand.shape for operand in operands)
        if not varies and (shape is None or None in shape):
            refuse(f"uses {named(fn)}, whose shape depends on values")
        if known[0].dtype.kind in "OSUV":
            refuse(f"uses {named(fn)}, which returns {known[0].dtype}")
        return LeafForm(
            shape, known[0].dtype, packs=all(value.flags.c_contiguous for value in known)
        )

    def _on_block(  # noqa: PLR0913
        self,
        fn: Any,
        rule: Rule,
        args: Any,
        kwargs: Any,
        parts: list[list[Any]],
        forms: tuple[LeafForm, ...],
        single: bool,
    ) -> tuple[Callable[..., Any] | None, list[Any]]:
        """Return the rule, if it does the same as the samples one by one, and its results."""
        by_one = [_stacked(part, form) for part, form in zip(parts, forms, strict=True)]
        varying = [s for s in symbols_in((args, kwargs)) if not s.is_constant]
        run: Callable[..., Any] | None = rule.run
        if any(not isinstance(symbol.block, np.ndarray) for symbol in varying):
            run = rule.columns or (flat_elementwise(fn) if single else None)
        if run is None:
            return None, by_one
        try:
            made = run(
                *(swapped(arg, _as_rows) for arg in args),
                **{key: swapped(arg, _as_rows) for key, arg in kwargs.items()},
            )
        except Exception:
            return None, by_one
        made = [made] if single else list(made)
        if len(made) != len(by_one):
            return None, by_one
        for ours, theirs in zip(made, by_one, strict=True):
            if not _same_block(ours, theirs):
                return None, by_one
        return run, made


def _rule_of(fn: Any) -> Rule:
    found = RULES.get(fn)
    if found is not None:
        return found
    if (
        isinstance(fn, np.ufunc)
        and fn.signature is None
        # One that takes nothing but objects calls a Python function.
        and not all("O" in types for types in fn.types)
    ):
        return RULES.setdefault(fn, Rule(Elementwise(fn), fresh=True))
    refuse(f"uses {named(fn)}, which has no rule")


def _is_settled(fn: Any, args: Any, operands: list[Symbol]) -> bool:
    plain = [arg for arg in args if isinstance(arg, (np.ndarray, np.generic, int, float, complex))]
    return is_settled(fn, kinds_of((*operands, *plain)))


def _is_array_without_axes(symbol: Symbol) -> bool:
    return not symbol.is_constant and symbol.shape == () and not symbol.is_scalar


def recorded(symbol: Symbol) -> Any:
    """Return what stands for a symbol in a recorded argument."""
    return symbol.value if symbol.number is None else Ref(symbol.number)


def _is_view(value: Any, array: Any) -> bool:
    return isinstance(value, np.ndarray) and np.may_share_memory(value, array)


def _as_rows(symbol: Symbol) -> Any:
    if symbol.number is None:
        return symbol.value
    return Rows(symbol.block) if isinstance(symbol.block, np.ndarray) else symbol.block


def _joined(operands: list[Symbol]) -> Memory:
    memory = operands[0].memory
    for operand in operands[1:]:
        memory.join(operand.memory)
    return memory


def _stacked(values: list[Any], form: LeafForm) -> NDArray[Any] | Column:
    if form.is_dense:
        # In C's order, as stack_rows() has it when the recording runs.
        return np.array(values, form.dtype, order="C")
    return Objects(values) if is_varied(form.shape) or not form.packs else column_of(values)


def _with_layout(form: LeafForm, block: Any) -> LeafForm:
    if not isinstance(block, np.ndarray):
        return form
    return replace(form, layout=elements_lie(block))


def _same_block(ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, Ragged):
        return (
            isinstance(ours, Ragged)
            and np.array_equal(ours.lengths, theirs.lengths)
            and same_values(ours.values, theirs.values)
        )
    if isinstance(theirs, Objects):
        return (
            isinstance(ours, Objects)
            and len(ours) == len(theirs)
            and all(map(same_values, ours.items, theirs.items))
        )
    return isinstance(ours, np.ndarray) and same_values(ours, theirs)
