"""Program: a recorded function, ready to run on whole blocks or on single elements."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.buffers import Buffers
from feedline.column import Column, Dense, Objects, Ragged, column_of
from feedline.graph.exactness import in_line
from feedline.graph.fusion import fused
from feedline.graph.op import LeafForm, Op, Ref, resolved
from feedline.graph.rows import Rows
from feedline.graph.rule import named
from feedline.graph.same import same_values
from feedline.graph.symbol import astype
from feedline.graph.varied import fits, is_varied
from feedline.kernels.stack_rows import stack_rows
from feedline.places import is_placed
from feedline.structure import Structure

__all__ = ["Departed", "Program"]


class Departed(Exception):  # noqa: N818
    """An element is not like the samples the function was recorded with."""


class Program:
    """Operations in order, and where the results are.

    Args:
        inputs: The numbers of the leaves that come in.
        ops: What to do.
        structure: That of the result.
        outputs: Its leaves: Refs, or constants.
        forms: Shape and dtype of each output that is a Ref.
        ranks: How many axes each dense value has, by its number.
    """

    def __init__(
        self,
        inputs: Sequence[int],
        ops: Sequence[Op],
        structure: Structure,
        outputs: Sequence[Any],
        forms: Sequence[LeafForm | None],
        ranks: Mapping[int, int] = MappingProxyType({}),
    ) -> None:
        self.inputs = tuple(inputs)
        self.ops = tuple(ops)
        self.structure = structure
        self.outputs = tuple(outputs)
        self.forms = tuple(forms)
        self.exact = all(op.exact for op in ops)
        self.ranks = ranks
        # What values are that operations make and that are no arrays of numbers, by number.
        self.specs: Mapping[int, Any] = MappingProxyType({})
        self._fused = fused(self.ops, self.outputs)
        self._steps = _steps(self._fused, self.outputs, ranks)

    @property
    def vectorised(self) -> bool:
        """Whether anything is done for many elements at once."""
        return not self.ops or any(op.run is not None for op in self.ops)

    @property
    def passes(self) -> list[str]:
        """The names of operations that run as one, for each such group."""
        recorded = {id(op) for op in self.ops}
        return [named(op.fn) for op in self._fused if id(op) not in recorded]

    def same_as(self, other: Program) -> bool:
        """Whether two recordings say the same."""
        return (
            self.structure == other.structure
            and len(self.ops) == len(other.ops)
            and all(map(_same_op, self.ops, other.ops))
            and _same_argument(self.outputs, other.outputs)
        )

    # ---- on a block ---------------------------------------------------------------

    def run(self, columns: Sequence[Column], length: int) -> list[Column]:
        """Return the columns of the results for the elements of a block.

        Raises whatever an operation raises, and Departed: then only going through the
        elements one by one tells which of them it was.
        """
        values: dict[int, Any] = {}
        for number, column in zip(self.inputs, columns, strict=True):
            values[number] = column.array if isinstance(column, Dense) else column
        for step, dead in self._steps:
            step(values, length)
            for number in dead:
                del values[number]
        return self._columns(values, columns, length)

    def _columns(
        self, values: dict[int, Any], columns: Sequence[Column], length: int
    ) -> list[Column]:
        given: set[int] = set()  # memory that an earlier output has
        results: list[Column] = []
        for output in self.outputs:
            if not isinstance(output, Ref):
                results.append(_repeated(output, length))
                continue
            value = values[output.number]
            value = value.array if type(value) is Dense else value
            # The kinds that are asked for first are those that there may be many of.
            if isinstance(value, Ragged):
                array = value.values
                root = id(array if array.base is None else _root(array))
                own = root not in given and array.flags.writeable
                given.add(root)
                results.append(value if own else Ragged(array.copy(), value.splits))
            elif isinstance(value, np.ndarray):
                results.append(Dense(_owned(value, given)))
            elif isinstance(value, Objects):
                results.append(Objects([_owned_item(item, given) for item in value.items]))
            else:
                results.append(value.owned() if id(value) in given else value)
                given.add(id(value))
        return results

    # ---- on one element ---------------------------------------------------------------

    def run_once(self, leaves: Sequence[Any]) -> list[Any]:
        """Return the leaves of the result for one element."""
        values = dict(zip(self.inputs, leaves, strict=True))
        get = values.__getitem__
        for op in self.ops:
            result = op.fn(
                *[resolved(arg, get) for arg in op.args],
                **{key: resolved(arg, get) for key, arg in op.kwargs.items()},
            )
            values.update(zip(op.outs, [result] if op.single else result, strict=True))
        return [resolved(output, get) for output in self.outputs]


def _at_once(op: Op, values: dict[int, Any], length: int) -> None:
    def rows(number: int) -> Any:
        value = values[number]
        return Rows(value) if isinstance(value, np.ndarray) else value

    assert op.run is not None
    args = [resolved(arg, rows) for arg in op.args]
    result = op.run(*args, **{key: resolved(arg, rows) for key, arg in op.kwargs.items()})
    if op.single:
        values[op.outs[0]] = _checked(result, op.forms[0], length)
        return
    for number, part, form in zip(op.outs, result, op.forms, strict=True):
        values[number] = _checked(part, form, length)


def _checked(result: Any, form: LeafForm, length: int) -> Any:
    if type(result) is Ragged and form.dtype != object:
        fits_form = result.values.dtype == form.dtype
    elif isinstance(result, np.ndarray):
        shape = (length, *(form.shape or ()))
        fits_form = result.dtype == form.dtype and result.shape == shape
    elif is_varied(form.shape):
        fits_form = len(result) == length and fits(result.rows(), form)
    else:
        fits_form = form.dtype == object and len(result) == length
    if not fits_form:
        raise Departed
    return result


def _loop(op: Op, values: dict[int, Any], length: int) -> None:
    """Call an operation element by element."""
    lists: dict[int, list[Any]] = {}
    for number in _refs((op.args, op.kwargs)):
        value = values[number]
        lists[number] = list(value) if isinstance(value, np.ndarray) else value.rows()
    results = []
    for row in range(length):

        def of_row(number: int, row: int = row) -> Any:
            return lists[number][row]

        results.append(
            op.fn(
                *[resolved(arg, of_row) for arg in op.args],
                **{key: resolved(arg, of_row) for key, arg in op.kwargs.items()},
            )
        )
    parts = [results] if op.single else list(zip(*results, strict=True))
    for number, part, form in zip(op.outs, parts, op.forms, strict=True):
        values[number] = _packed(list(part), form)


def _packed(results: list[Any], form: LeafForm) -> Any:
    if form.is_dense:
        if form.shape == ():
            if {np.asarray(result).dtype for result in results} != {form.dtype}:
                raise Departed
            return np.array(results, form.dtype)
        stacked = stack_rows(results)
        if stacked is None or stacked.dtype != form.dtype or stacked.shape[1:] != form.shape:
            raise Departed
        return stacked
    if is_varied(form.shape):
        return _checked(Objects(results), form, len(results))
    column = column_of(results)
    return column if form.dtype == object else _as_ragged(results, column, form)


def _as_ragged(results: list[Any], column: Column, form: LeafForm) -> Column:
    if not all(result.flags.c_contiguous for result in results):
        if form.packs:
            raise Departed  # a column of rows side by side would not say how each of them lay
        return Objects(results)
    if isinstance(column, Dense):  # all of one length, this time
        array = column.array
        splits = np.arange(0, len(array) * array.shape[1] + 1, array.shape[1] or 1)
        if array.ndim < 2 or not array.shape[1]:
            raise Departed
        column = Ragged(array.reshape(-1, *array.shape[2:]), splits)
    if not isinstance(column, Ragged) or column.values.dtype != form.dtype:
        raise Departed
    return column


def _repeated(value: Any, length: int) -> Column:
    """Return the column of a constant."""
    if isinstance(value, np.ndarray) and value.dtype.kind not in "OSU":
        array = np.empty((length, *value.shape), value.dtype)
        array[:] = value
        return Dense(array)
    column = column_of([value])
    if isinstance(column, Dense):
        return Dense(np.repeat(column.array, length, axis=0))
    return Objects(column.rows() * length).owned()


def _owned(array: NDArray[Any], given: set[int]) -> NDArray[Any]:
    """Return an array that no other output shares, in the order NumPy would stack it."""
    root, wasteful = array, False
    if array.base is not None:
        root = _root(array)
        wasteful = isinstance(root, np.ndarray) and root.nbytes > 2 * array.nbytes + _LITTLE
        wasteful = wasteful and not is_placed(array)
    shared = id(root) in given
    given.add(id(root))
    flags = array.flags
    if shared or wasteful or not (flags.c_contiguous and flags.writeable):
        copied: NDArray[Any] = array.copy()
        return copied
    return array


def _owned_item(item: Any, given: set[int]) -> Any:
    return _owned(item, given) if isinstance(item, np.ndarray) else item


# A view that keeps this much more memory alive than it shows does no harm.
_LITTLE = 1 << 16


def _root(array: Any) -> Any:
    while isinstance(array, np.ndarray) and array.base is not None:
        array = array.base
    return array


# ---- preparing ------------------------------------------------------------------

_Step = Callable[[dict[int, Any], int], None]


def _steps(
    ops: Sequence[Op], outputs: Sequence[Any], ranks: Mapping[int, int]
) -> list[tuple[_Step, tuple[int, ...]]]:
    """Return what runs each operation on a block, and which values are dead after it."""
    last: dict[int, int] = {}
    viewed: set[int] = set()
    for place, op in enumerate(ops):
        for number in _refs((op.args, op.kwargs)):
            last[number] = place
            if not op.fresh:
                viewed.add(number)
    kept = set(_refs(outputs))
    made = {op.outs[0]: op for op in ops if op.single and op.fresh}
    steps: list[tuple[_Step, tuple[int, ...]]] = []
    for place, op in enumerate(ops):
        dead = {n for n, at in last.items() if at == place and n not in kept}
        dead.update(n for n in op.outs if n not in last and n not in kept)
        reusable = {
            number
            for number in dead - viewed
            if number in made and made[number].forms[0] == op.forms[0]
        }
        steps.append((_step(op, reusable, ranks), tuple(dead)))
    return steps


def _step(op: Op, reusable: set[int], ranks: Mapping[int, int]) -> _Step:
    if op.run is None:
        return partial(_loop, op)
    if _is_plain_ufunc(op, ranks):
        return _ufunc_step(op, reusable, ranks)
    if op.fn is astype and isinstance(op.args[0], Ref) and op.args[0].number in ranks:
        return _cast_step(op)
    return partial(_at_once, op)


def _is_plain_ufunc(op: Op, ranks: Mapping[int, int]) -> bool:
    """Whether an operation is a ufunc of dense values and numbers, and nothing else."""
    return (
        isinstance(op.fn, np.ufunc)
        and op.fn.signature is None
        and op.single
        and not op.kwargs
        and op.forms[0].is_dense
        and all(
            arg.number in ranks
            if isinstance(arg, Ref)
            else isinstance(arg, (np.ndarray, np.generic, bool, int, float, complex))
            for arg in op.args
        )
    )


def _ufunc_step(op: Op, reusable: set[int], ranks: Mapping[int, int]) -> _Step:
    """Return a step without anything that is the same for every block."""
    ufunc, out = op.fn, op.outs[0]
    assert isinstance(ufunc, np.ufunc)
    rank = max(ranks[a.number] if isinstance(a, Ref) else np.ndim(a) for a in op.args)
    reused = next((a.number for a in op.args if isinstance(a, Ref) and a.number in reusable), None)

    # For each operand the number of the value, and how many axes it lacks; or a constant.
    places = [
        (a.number, rank - ranks[a.number], None) if isinstance(a, Ref) else (-1, 0, a)
        for a in op.args
    ]
    wraps = ufunc in _WRAPPING and op.forms[0].shape == () and op.forms[0].dtype.kind in "iu"

    # Where a number is rounded more than once, all of a block must lie in a row.
    settled = op.exact
    buffers = Buffers()
    shape = tuple(length for length in op.forms[0].shape or () if length is not None)
    dtype = op.forms[0].dtype

    def run(values: dict[int, Any], length: int) -> None:
        operands = []
        for number, missing, constant in places:
            array: Any = constant if number < 0 else values[number]
            if not settled and number >= 0:
                array = in_line(array)
            if missing:
                array = array.reshape(len(array), *(1,) * missing, *array.shape[1:])
            operands.append(array)
        if wraps and length and np.geterr()["over"] == "raise":
            _check_wrapping(ufunc, operands, dtype)
        if reused is None or not values[reused].flags.c_contiguous:
            memory = None
            if all(map(_is_in_line, operands)):
                memory = buffers.take((length, *shape), dtype)
            values[out] = ufunc(*operands, out=memory)
        else:
            values[out] = ufunc(*operands, out=values[reused])

    return run


def _cast_step(op: Op) -> _Step:
    """Return a step that casts into memory that is used again."""
    number, out, dtype = op.args[0].number, op.outs[0], op.forms[0].dtype
    casting = op.kwargs.get("casting", "unsafe")
    buffers = Buffers()

    def run(values: dict[int, Any], _length: int) -> None:
        array = values[number]
        memory = buffers.take(array.shape, dtype) if array.flags.c_contiguous else None
        if memory is None:
            values[out] = array.astype(dtype, casting=casting)
        else:
            np.copyto(memory, array, casting=casting)
            values[out] = memory

    return run


def _is_in_line(operand: Any) -> bool:
    """Whether a result of this operand would lie in memory in the order of its axes."""
    return not isinstance(operand, np.ndarray) or bool(operand.flags.c_contiguous)


# Of the smallest and largest operands these make the smallest and largest results.
_WRAPPING: dict[Any, Callable[..., int]] = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.negative: operator.neg,
    np.absolute: abs,
}


def _check_wrapping(ufunc: np.ufunc, operands: list[Any], dtype: np.dtype[Any]) -> None:
    """Raise Departed if integers may wrap around: for single ones NumPy warns, for arrays not."""
    ends = [{int(np.min(operand)), int(np.max(operand))} for operand in operands]
    results = [_WRAPPING[ufunc](*chosen) for chosen in product(*ends)]
    limits = np.iinfo(dtype)
    if min(results) < limits.min or max(results) > limits.max:
        raise Departed


def _refs(argument: Any) -> list[int]:
    found: list[int] = []

    def note(number: int) -> None:
        found.append(number)

    resolved(argument, note)
    return found


def _same_op(first: Op, second: Op) -> bool:
    return (
        first.fn == second.fn
        and first.forms == second.forms
        and first.run == second.run
        and _same_argument(first.args, second.args)
        and _same_argument(first.kwargs, second.kwargs)
    )


def _same_argument(first: Any, second: Any) -> bool:
    if type(first) is not type(second):
        return False
    if isinstance(first, (tuple, list)):
        return len(first) == len(second) and all(map(_same_argument, first, second))
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(
            _same_argument(first[key], second[key]) for key in first
        )
    if isinstance(first, (np.ndarray, np.generic, float, complex)):
        return same_values(first, second)
    if isinstance(first, Callable):  # type: ignore[arg-type]
        code = getattr(first, "__code__", None)  # a dtype such as np.float32 has none
        return bool(first == second) or (code is not None and code is second.__code__)
    return bool(first == second)
