"""control: choices by value that can be recorded, as TensorFlow writes them.

On values they are plain Python. Inside a recorded function they become part of it: what
Python's ``if`` and ``while`` cannot be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from feedline import nest
from feedline.errors import BuildError, BuildTypeError
from feedline.functions.choose import choose
from feedline.functions.function_trace import FunctionTrace, real_values
from feedline.functions.looping import loop_symbols
from feedline.functions.mapping import map_symbols
from feedline.graph.active import active_trace
from feedline.graph.operation import operation
from feedline.graph.rule import loops
from feedline.graph.symbol import Symbol
from feedline.graph.trace import symbols_in
from feedline.leaf import as_leaf, ingest
from feedline.ragged import RaggedTensor
from feedline.ragged.tensor import stack_rows
from feedline.spec import RaggedTensorSpec, TensorSpec

__all__ = ["case", "cond", "map_fn", "switch_case", "vectorized_map", "while_loop"]


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """Return ``true_fn()`` if a condition holds, else ``false_fn()``.

    Args:
        pred: A bool, or a number that is true if it is not zero; an array of one will do.
        true_fn: Called without arguments.
        false_fn: Called without arguments; inside a recorded function it must return the
            same structure and dtypes.
        name: No effect.

    Example:
        >>> import feedline as tf
        >>> @tf.function
        ... def safe_inverse(x):
        ...     return tf.cond(x != 0, lambda: 1 / x, lambda: x)
        >>> safe_inverse(tf.constant(4.0)), safe_inverse(tf.constant(0.0))
        (np.float32(0.25), np.float32(0.0))
    """
    for which, fn in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(fn):
            raise BuildTypeError(f"cond(): {which} must be callable, got {fn!r}.")
    assert true_fn is not None
    assert false_fn is not None
    if isinstance(pred, Symbol) and not pred.is_constant:
        return choose(_alone("cond()", pred) != 0, [0, 1], [false_fn, true_fn])
    return true_fn() if _is_true("cond()", pred) else false_fn()


def _is_true(call: str, pred: Any) -> bool:
    return bool(_alone(call, pred))


def _alone(call: str, pred: Any) -> Any:
    """Return a condition as a scalar: an array of one number is one, as in TensorFlow."""
    if not np.ndim(pred):
        return pred
    if isinstance(pred, (list, tuple)):
        pred = np.asarray(pred)
    if pred.size != 1:
        raise BuildError(f"{call}: a condition must be a scalar, got the shape {pred.shape}.")
    return np.reshape(pred, ())[()]


def switch_case(
    branch_index: Any, branch_fns: Any, default: Any = None, name: str = "switch_case"
) -> Any:
    """Return what the function at an index returns.

    Args:
        branch_index: An integer.
        branch_fns: A list of functions, or of pairs of an integer and a function, or a dict.
        default: Called for any other index; the last function by default.
        name: No effect.

    Example:
        >>> switch_case(1, [lambda: "a", lambda: "b"])
        'b'
    """
    pairs = list(branch_fns.items()) if isinstance(branch_fns, dict) else list(branch_fns)
    if pairs and callable(pairs[0]):
        pairs = list(enumerate(pairs))
    pairs.sort(key=lambda pair: int(pair[0]))
    keys, fns = [int(key) for key, _ in pairs], [fn for _, fn in pairs]
    if not fns:
        raise BuildError("switch_case(): at least one function must be given.")
    if default is not None:
        keys, fns = [*keys, keys[-1] + 1], [*fns, default]
    if not all(callable(fn) for fn in fns):
        raise BuildTypeError("switch_case(): branch_fns must be callable.")
    if isinstance(branch_index, Symbol) and not branch_index.is_constant:
        return choose(branch_index, keys, fns)
    index = int(branch_index)
    known = keys if default is None else keys[:-1]
    return fns[known.index(index)]() if index in known else fns[-1]()


def case(
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """Return what the function with the first true condition returns.

    Args:
        pred_fn_pairs: Pairs of a condition and a function.
        default: Called if no condition is true.
        exclusive: Whether more than one true condition is an error.
        strict: No effect.
        name: No effect.
    """
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if symbols_in([pred for pred, _ in pairs]):
        pairs = [(_alone("case()", pred), fn) for pred, fn in pairs]
        if exclusive or default is None:
            held = _checked([pred for pred, _ in pairs], exclusive, default is None)
            pairs[0] = (np.logical_and(pairs[0][0], held), pairs[0][1])
        return _nested(pairs, default)
    true = [fn for pred, fn in pairs if _is_true("case()", pred)]
    _check_true(len(true), exclusive, default is None)
    if true:
        return true[0]()
    assert default is not None
    return default()


def _check_true(count: int, exclusive: bool, needed: bool) -> None:
    if exclusive and count > 1:
        raise BuildError(f"case(): {count} conditions are true, at most one may be.")
    if needed and not count:
        raise BuildError("case(): no condition is true, and there is no default.")


@operation
def _checked(preds: list[Any], exclusive: bool, needed: bool) -> Any:
    """Raise as :func:`case` does; the result keeps the check in a recording."""
    _check_true(sum(map(bool, preds)), exclusive, needed)
    return np.bool_(True)


loops(_checked, fresh=True)


def _nested(pairs: list[Any], default: Any) -> Any:
    (pred, fn), rest = pairs[0], pairs[1:]
    if not rest:
        return cond(pred, fn, fn if default is None else default)
    return cond(pred, fn, lambda: _nested(rest, default))


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Return loop variables after calling ``body`` on them as long as ``cond`` of them holds.

    Args:
        cond: Called with the variables; returns a bool.
        body: Called with the variables; returns new ones.
        loop_vars: A list or tuple of arrays or structures.
        shape_invariants: No effect: a loop whose shapes change runs as plain Python.
        parallel_iterations: No effect, as the next two: they never change results.
        back_prop: No effect.
        swap_memory: No effect.
        maximum_iterations: How often to call ``body`` at most.
        name: No effect.

    Example:
        >>> while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s + i), (0, 0))
        (np.int32(4), np.int32(6))
    """
    if not callable(cond) or not callable(body):
        raise BuildTypeError("while_loop(): cond and body must be callable.")
    if not isinstance(loop_vars, (list, tuple)) or not loop_vars:
        raise BuildTypeError(f"while_loop(): loop_vars must be a list or tuple, got {loop_vars!r}.")
    most = None if maximum_iterations is None else int(maximum_iterations)
    given = nest.map_structure(_given, loop_vars)
    found = symbols_in(nest.flatten(given))
    trace = found[0].trace if found else active_trace()
    if trace is None or (isinstance(trace, FunctionTrace) and trace.given_up is not None):
        return _loop(cond, body, nest.map_structure(real_values, given), most)
    return loop_symbols(trace, cond, body, given, most)


def _given(leaf: Any) -> Any:
    return leaf if isinstance(leaf, Symbol) else ingest(leaf)


def _loop(cond: Any, body: Any, variables: Any, most: int | None) -> Any:
    kind, done = type(variables), 0
    while (most is None or done < most) and _is_true("while_loop()", cond(*variables)):
        made = body(*variables)
        made = made if isinstance(made, (list, tuple)) else [made]
        if len(made) != len(variables):
            raise BuildError(
                f"while_loop(): body must return {len(variables)} variables, got {len(made)}."
            )
        variables = kind(*made) if hasattr(kind, "_fields") else kind(made)
        done += 1
    return variables


def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: Any = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """Return ``fn`` of every slice along the first axis, stacked.

    Args:
        fn: Called with a slice of each array, in the structure of ``elems``.
        elems: An array, or a structure of arrays of one length.
        dtype: The old name of ``fn_output_signature``.
        parallel_iterations: No effect, as the next three.
        back_prop: No effect.
        swap_memory: No effect.
        infer_shape: No effect.
        name: No effect.
        fn_output_signature: The dtypes of the result, in its structure, if it has others
            than ``elems``.

    Example:
        >>> map_fn(lambda x: x * x, np.array([1, 2, 3]))
        array([1, 4, 9])
    """
    wanted = dtype if fn_output_signature is None else fn_output_signature
    given = nest.map_structure(_given, elems)
    leaves = nest.flatten(given)
    if not leaves or any(
        not isinstance(leaf, RaggedTensor) and not np.ndim(leaf) for leaf in leaves
    ):
        raise BuildError("map_fn(): elems must be arrays with at least one axis.")
    found = symbols_in(leaves)
    if found and not (isinstance(found[0].trace, FunctionTrace) and found[0].trace.given_up):
        return map_symbols(found[0].trace, fn, given, wanted)
    values = [
        leaf if isinstance(leaf, RaggedTensor) else np.asarray(real_values(leaf)) for leaf in leaves
    ]
    if len({len(value) for value in values}) > 1:
        raise BuildError("map_fn(): elems must have one length.")
    rows = zip(*values, strict=True)
    results = [fn(nest.pack_sequence_as(given, [as_leaf(part) for part in row])) for row in rows]
    return _stacked(results, wanted, given)


def _stacked(results: list[Any], wanted: Any, elems: Any) -> Any:
    if not results:
        dtypes = elems if wanted is None else wanted
        return nest.map_structure(lambda one: np.zeros((0,), _dtype(one)), dtypes)
    rows = [list(each) for each in zip(*map(nest.flatten, results), strict=True)]
    if wanted is None:
        # A result of rows is ragged where what they were made of was.
        is_ragged = any(isinstance(leaf, RaggedTensor) for leaf in nest.flatten(elems))
        parts = [_joined(each, is_ragged and np.ndim(each[0]) > 0) for each in rows]
        return nest.pack_sequence_as(results[0], parts)
    specs = nest.flatten(wanted)
    if len(specs) != len(rows):
        raise BuildError("map_fn(): fn_output_signature must have the structure of the result.")
    parts = [
        _as_declared(_joined(each, isinstance(spec, RaggedTensorSpec)), spec)
        for each, spec in zip(rows, specs, strict=True)
    ]
    return nest.pack_sequence_as(results[0], parts)


def _joined(rows: list[Any], is_ragged: bool) -> Any:
    return stack_rows([as_leaf(row) for row in rows]) if is_ragged else _stacked_rows(rows)


def _stacked_rows(rows: list[Any]) -> Any:
    """Return values along a new axis: strings whole, with the zero bytes at their end."""
    if not isinstance(rows[0], (str, bytes)):
        return np.stack(rows)
    made = np.empty(len(rows), object)
    made[:] = [as_leaf(row) for row in rows]
    return made


def _as_declared(value: Any, spec: Any) -> Any:
    dtype = spec.dtype if isinstance(spec, RaggedTensorSpec) else _dtype(spec)
    if isinstance(value, RaggedTensor) or dtype == object:
        return value
    return value.astype(dtype, copy=False)


def _dtype(wanted: Any) -> np.dtype[Any]:
    found = wanted.dtype if isinstance(wanted, (TensorSpec, np.ndarray, np.generic)) else wanted
    return TensorSpec((), found).dtype


def vectorized_map(
    fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """Return ``fn`` of every slice along the first axis, stacked; see :func:`map_fn`.

    Args:
        fn: Called with a slice of each array.
        elems: An array, or a structure of arrays of one length.
        fallback_to_while_loop: No effect.
        warn: No effect.
    """
    return map_fn(fn, elems)
