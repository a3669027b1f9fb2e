"""Recording a function on a block and running what was recorded."""

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

import feedline.graph.rules
from feedline.column import Dense
from feedline.graph.op import Ref
from feedline.graph.program import Program
from feedline.graph.symbol import Symbol
from feedline.graph.trace import Trace
from feedline.structure import structure_of
from feedline.values.tensor import as_tensor

assert feedline.graph.rules.__all__


@dataclass(frozen=True)
class Constant:
    """An operand that is the same for all elements."""

    value: Any


def length_of(operands):
    return next(len(operand) for operand in operands if not isinstance(operand, Constant))


def recorded(function, operands, *, sealed=False):
    """Return the program of a function, recorded on the elements of dense blocks."""
    trace = Trace(length_of(operands), batches=True, sealed=sealed)
    symbols = [
        trace.constant(operand.value)
        if isinstance(operand, Constant)
        else trace.input(Dense(operand), operand.shape[1:], list(operand))
        for operand in operands
    ]
    numbers = [symbol.number for symbol in symbols if not symbol.is_constant]
    result = function(*symbols)
    result = tuple(result) if isinstance(result, list) else result
    structure = structure_of(result)
    outputs = [
        Ref(leaf.number) if isinstance(leaf, Symbol) and not leaf.is_constant else leaf
        for leaf in structure.leaves_of(result)
    ]
    return Program(numbers, trace.ops, structure, outputs, [None] * len(outputs), trace.ranks())


def at_once(program, operands):
    """Return the results of a program for a block, as arrays."""
    columns = [Dense(operand) for operand in operands if not isinstance(operand, Constant)]
    return [column.array for column in program.run(columns, length_of(operands))]


def one_by_one(function, operands):
    """Return what the function itself gives for each element, stacked."""
    rows = []
    for number in range(length_of(operands)):
        leaves = [o.value if isinstance(o, Constant) else as_tensor(o[number]) for o in operands]
        result = function(*[copy(leaf) for leaf in leaves])
        rows.append(result if isinstance(result, (tuple, list)) else [result])
    return [np.array([np.asarray(value) for value in part]) for part in zip(*rows, strict=True)]
