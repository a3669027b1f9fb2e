"""record: a function and samples become a Program, or a reason why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from feedline.block import Block
from feedline.graph import rules
from feedline.graph.active import recording
from feedline.graph.composed import Several
from feedline.graph.guard import ContentGuard, Guard, ItemsGuard, joined_guards
from feedline.graph.made_slices import MadeSlices
from feedline.graph.mentions import may_call_python
from feedline.graph.numpy_view import array_of, array_of_list
from feedline.graph.op import LeafForm, Ref
from feedline.graph.opaque import Opaque
from feedline.graph.program import Program
from feedline.graph.samples import Samples
from feedline.graph.sandbox import Sandbox
from feedline.graph.spec_trace import SpecTrace
from feedline.graph.symbol import Symbol
from feedline.graph.trace import SampleLost, Trace, symbols_in
from feedline.graph.untraceable import Untraceable, last_refusal, refuse, warnings_kept
from feedline.leaf import as_leaf, ingest
from feedline.leaf_spec import TensorSpec
from feedline.site import Site
from feedline.structure import structure_of

__all__ = ["Recording", "declared_results", "record"]

assert rules.__all__  # importing them is what registers them


@dataclass(frozen=True)
class Recording:
    """A program and what must not change for it to stay right.

    ``hidden`` are inputs besides the leaves: the "ids" of elements and the "keys" of draws.
    """

    program: Program
    hidden: tuple[str, ...]
    guards: tuple[Guard | ItemsGuard | ContentGuard, ...]

    def holds(self) -> bool:
        """Whether everything the function read is still the same."""
        for guard in self.guards:  # noqa: SIM110  (a generator takes three times as long)
            if not guard.holds():
                return False
        return True


def record(
    fn: Callable[..., Any],
    block: Block,
    *,
    may_change: bool = True,
    slices: bool = False,
    made_up: bool = False,
) -> Recording:
    """Record a function on samples of a block, twice, or raise Untraceable.

    Nothing outside the function is changed, whatever it does.

    Args:
        fn: The function.
        block: Elements to take samples of.
        may_change: Whether the function gets arrays of its own, which it may change.
        slices: Whether it must return a dataset of slices, and what is recorded are these.
        made_up: Whether the block is none of real elements, but made for their spec.
    """
    last_refusal()
    with warnings_kept() as kept:
        try:
            samples = Samples.of(block, invent=True, made_up=made_up)
            first = _record_once(fn, samples, may_change, slices)
        except SampleLost:
            samples = Samples.of(block, invent=False, made_up=made_up)
            first = _record_once(fn, samples, may_change, slices)
        second = _record_once(fn, samples, may_change, slices)
    if kept:
        # It would for every element, at a line of the function.
        raise Untraceable(f"makes NumPy warn: {kept[0]}", _site_of(fn))
    if not first.program.same_as(second.program):
        raise Untraceable("does not do the same thing twice", _site_of(fn))
    if not first.program.vectorised:
        raise Untraceable("does nothing that can be done for many elements at once", _site_of(fn))
    return first


def declared_results(
    fn: Callable[..., Any], block: Block, unknown: Mapping[int, TensorSpec]
) -> Program:
    """Return a program that only tells what comes out of a function, or raise Untraceable.

    Args:
        fn: The function. It may call a py_function, which is not called now.
        block: Elements made for their spec.
        unknown: The specs of leaves whose rank is not known, by number.
    """
    last_refusal()
    samples = Samples.of(block, invent=False, made_up=True)
    trace = SpecTrace(samples.block.length, unknown)
    try:
        with warnings_kept():
            return _record_once(fn, samples, True, False, trace).program
    except Untraceable:
        if not may_call_python(fn):
            raise
        return _followed(fn, samples, SpecTrace(samples.block.length, unknown, guesses=True))


def _followed(fn: Callable[..., Any], samples: Samples, trace: SpecTrace) -> Program:
    """Return the same of a function that is called as it is, as TensorFlow calls it to trace it.

    Otherwise a py_function in it would have to be called on elements.
    """
    symbols = trace.arguments(samples.arguments(trace))
    structure = samples.block.structure
    argument = structure.pack(symbols)
    try:
        with recording(trace):
            result = fn(*argument) if structure.is_tuple else fn(argument)
        return _program(trace, [symbol.number for symbol in symbols], result)
    except Exception as error:
        raise Untraceable(f"cannot be followed: {error}", _site_of(fn)) from error
    finally:
        last_refusal()


def _record_once(
    fn: Callable[..., Any],
    samples: Samples,
    may_change: bool,
    slices: bool,
    trace: Trace | None = None,
) -> Recording:
    trace = samples.trace() if trace is None else trace
    sandbox = Sandbox(trace)
    symbols = trace.arguments(samples.arguments(trace))
    for symbol in symbols:
        if isinstance(symbol, Symbol):
            symbol.memory.captured = not may_change
    structure = samples.block.structure
    numbers = [symbol.number for symbol in symbols]
    inside = False
    try:
        sandbox.check_structure(structure)
        argument = structure.pack(symbols)
        sealed = sandbox.view(fn)
        inside = True
        with recording(trace):
            result = sealed(*argument) if structure.is_tuple else sealed(argument)
        inside = False
        hidden = last_refusal()
        if hidden is not None:
            inside = True
            raise hidden
        if trace.has_lost:
            raise SampleLost
        sandbox.check_unchanged()
        numbers += [symbol.number for symbol in trace.hidden.values()]
        if slices:
            result = _sliced(trace, result)
        program = _program(trace, numbers, result)
    except Untraceable as refusal:
        if not inside:
            refusal.site = _site_of(fn)
        raise
    except (Exception, SystemExit, GeneratorExit) as error:
        text = f"{type(error).__name__}: {error}".split("\n")[0]
        raise Untraceable(f"cannot be recorded: {text}", _site_of(fn)) from error
    return Recording(program, tuple(trace.hidden), joined_guards(sandbox.guards))


def _program(trace: Trace, inputs: list[Any], result: Any) -> Program:
    if isinstance(result, list):
        result = tuple(result)  # as tf.data takes a list for a whole element
    structure = structure_of(result)
    outputs: list[Any] = []
    forms: list[LeafForm | None] = []
    for leaf in structure.leaves_of(result):
        if isinstance(leaf, list):
            leaf = array_of_list(trace, leaf)
        if isinstance(leaf, (Symbol, Opaque)) and leaf.number is not None:
            outputs.append(Ref(leaf.number))
            is_array = isinstance(leaf, Symbol)
            forms.append(LeafForm(leaf.shape, leaf.dtype) if is_array else None)
            continue
        constant = as_leaf(leaf.read()) if isinstance(leaf, Symbol) else _constant(leaf)
        outputs.append(constant)
        forms.append(None)
    program = Program(inputs, trace.ops, structure, outputs, forms, trace.ranks())
    program.specs = trace.specs
    return program


def _sliced(trace: Trace, result: Any) -> Any:
    """Return the arrays of which a function made slices."""
    if not isinstance(result, MadeSlices):
        refuse("does not return the slices of arrays")
    structure = structure_of(result.tensors)
    leaves: list[Any] = [
        leaf if isinstance(leaf, Symbol) else array_of(trace, leaf, dtype=_dtype_as_data(leaf))
        for leaf in structure.leaves_of(result.tensors)
    ]
    lengths = {leaf.shape[:1] for leaf in leaves}
    if len(lengths) != 1 or () in lengths:
        refuse("makes slices of arrays of different lengths, or without a first axis")
    return structure.pack(leaves)


def _dtype_as_data(leaf: Any) -> Any:
    """Return the dtype of a list that is data; None if NumPy decides because of its arrays."""
    if not isinstance(leaf, (list, np.ndarray)):
        refuse(f"makes slices of a {type(leaf).__name__}")
    return None if symbols_in(leaf) else np.asarray(ingest(leaf)).dtype


def _constant(leaf: Any) -> Any:
    if leaf is None or isinstance(leaf, (bool, int, float, complex, str, bytes, np.generic)):
        return as_leaf(leaf)
    if isinstance(leaf, np.ndarray):
        return as_leaf(leaf.copy())
    refuse(f"returns a {type(leaf).__name__}")


def _site_of(fn: Any) -> Site | None:
    """Return where a function is written, if it is written in Python."""
    if isinstance(fn, Several):
        fn = fn.functions[0]
    fn = getattr(fn, "__func__", getattr(fn, "func", fn))
    code = getattr(fn, "__code__", None) or getattr(type(fn).__call__, "__code__", None)
    return None if code is None else Site(code.co_filename, code.co_firstlineno)
