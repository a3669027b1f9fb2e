"""debugging: checks that raise, in plain code and in recorded functions alike.

A check that fails raises SpecError. Inside a recorded function it is carried out at every
call, for every element.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from feedline.arrays.comparing import equal, not_equal
from feedline.arrays.given import dtype_of, given, pair
from feedline.errors import BuildTypeError, SpecError, SpecTypeError
from feedline.graph.operation import operation
from feedline.graph.rows import Rows
from feedline.graph.rule import batched, loops
from feedline.graph.symbol import Symbol
from feedline.namespace import open_namespace
from feedline.shapes import as_shape, shapes_agree

__all__ = [
    "Assert",
    "assert_all_finite",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_integer",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_shapes",
    "assert_type",
    "check_numerics",
]


@operation
def _checked(holds: Any, text: str) -> Any:
    """Raise unless everything is true; the result keeps the check in a recording."""
    if not np.all(holds):
        raise SpecError(text)
    return np.bool_(True)


@batched(_checked, fresh=True)
def _checked_rows(holds: Any, text: str) -> Any:
    if not np.all(holds.array):
        raise SpecError(text)
    return np.ones(holds.length, bool)


def _check(call: str, holds: Any, what: str, message: str | None) -> None:
    _checked(holds, f"{call}: {what}." if message is None else f"{message} ({call}: {what}.)")


def Assert(  # noqa: N802  (TensorFlow's name)
    condition: Any,
    data: Any,
    summarize: int | None = None,
    name: str | None = None,  # noqa: ARG001
) -> None:
    """Raise SpecError unless everything is true, and show some values.

    Args:
        condition: A bool, or an array of them.
        data: A list of what to show.
        summarize: How many numbers of each to show at most: 3 by default.
        name: No effect.

    Example:
        >>> Assert(True, ["never shown"])
    """
    if not isinstance(data, (list, tuple)):
        raise BuildTypeError(f"Assert(): data must be a list of what to show, got {data!r}.")
    most = 3 if summarize is None else summarize
    holds = given(condition)
    if isinstance(holds, Symbol):
        _asserted(holds, most, *map(given, data))
    else:
        _asserted(holds, most, *data)


@operation
def _asserted(holds: Any, most: int, *data: Any) -> Any:
    if not np.all(holds):
        shown = [_shortened(one, most) for one in data]
        raise SpecError(f"Assert(): the condition must hold. Data: {', '.join(shown)}")
    return np.bool_(True)


loops(_asserted, fresh=True)


def _shortened(value: Any, most: int) -> str:
    if np.ndim(value) and 0 <= most < np.size(value):
        return f"{np.ravel(value)[:most].tolist()}..."
    return repr(value)


def _made_check(name: str, sign: str, compare: Callable[..., Any]) -> Callable[..., None]:
    def call(
        x: Any,
        y: Any,
        message: str | None = None,
        summarize: int | None = None,  # noqa: ARG001
        name: str | None = None,  # noqa: ARG001
    ) -> None:
        first, second = pair(x, y)
        _check(f"{title}()", compare(first, second), f"x {sign} y must hold everywhere", message)

    title = call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Raise SpecError unless ``x {sign} y`` holds everywhere."
    return call


def _made_sign_check(name: str, sign: str, compare: Callable[..., Any]) -> Callable[..., None]:
    def call(
        x: Any,
        message: str | None = None,
        summarize: int | None = None,  # noqa: ARG001
        name: str | None = None,  # noqa: ARG001
    ) -> None:
        _check(f"{title}()", compare(given(x), 0), f"x {sign} 0 must hold everywhere", message)

    title = call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Raise SpecError unless ``x {sign} 0`` holds everywhere."
    return call


assert_equal = _made_check("assert_equal", "==", equal)
assert_less = _made_check("assert_less", "<", np.less)
assert_less_equal = _made_check("assert_less_equal", "<=", np.less_equal)
assert_greater = _made_check("assert_greater", ">", np.greater)
assert_greater_equal = _made_check("assert_greater_equal", ">=", np.greater_equal)
assert_positive = _made_sign_check("assert_positive", ">", np.greater)
assert_negative = _made_sign_check("assert_negative", "<", np.less)
assert_non_negative = _made_sign_check("assert_non_negative", ">=", np.greater_equal)
assert_non_positive = _made_sign_check("assert_non_positive", "<=", np.less_equal)


def assert_near(  # noqa: PLR0913
    x: Any,
    y: Any,
    rtol: float | None = None,
    atol: float | None = None,
    message: str | None = None,
    summarize: int | None = None,  # noqa: ARG001
    name: str | None = None,  # noqa: ARG001
) -> None:
    """Raise SpecError unless ``|x - y| <= atol + rtol * |y|``; both are 10 epsilon by default."""
    first, second = pair(x, y)
    dtype = np.result_type(first.dtype, getattr(second, "dtype", first.dtype))
    least = 10 * float(np.finfo(dtype).eps) if dtype.kind == "f" else 0.0
    absolute = least if atol is None else atol
    relative = least if rtol is None else rtol
    holds = np.abs(first - second) <= absolute + relative * np.abs(second)
    _check("assert_near()", holds, "x and y must be near everywhere", message)


def assert_none_equal(
    x: Any,
    y: Any,
    summarize: int | None = None,  # noqa: ARG001
    message: str | None = None,
    name: str | None = None,  # noqa: ARG001
) -> None:
    """Raise SpecError unless ``x != y`` holds everywhere."""
    first, second = pair(x, y)
    _check("assert_none_equal()", not_equal(first, second), "x != y must hold everywhere", message)


def assert_all_finite(x: Any, message: str, name: str | None = None) -> None:  # noqa: ARG001
    """Raise SpecError if a number is NaN or infinite."""
    _check("assert_all_finite()", np.isfinite(given(x)), "all must be finite", message)


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Any:  # noqa: ARG001
    """Return the array; raise SpecError if a number is NaN or infinite.

    Example:
        >>> check_numerics([1.0, 2.0], "weights")
        array([1., 2.], dtype=float32)
    """
    return _numerics(given(tensor), message)


@operation
def _numerics(array: Any, message: str) -> Any:
    if not np.all(np.isfinite(array)):
        found = "NaN" if np.any(np.isnan(array)) else "infinity"
        raise SpecError(f"{message} : has {found} values")
    return array


@batched(_numerics)
def _numerics_rows(array: Rows, message: str) -> Any:
    return _numerics(array.array, message)


# ---- of shapes and dtypes: known at once, also while recording --------------------------


def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:  # noqa: ARG001
    """Raise SpecError unless an array has so many axes."""
    _known(given(x).ndim == int(rank), f"assert_rank(): the rank must be {rank}", message)


def assert_rank_at_least(
    x: Any,
    rank: Any,
    message: str | None = None,
    name: str | None = None,  # noqa: ARG001
) -> None:
    """Raise SpecError unless an array has at least so many axes."""
    holds = given(x).ndim >= int(rank)
    _known(holds, f"assert_rank_at_least(): the rank must be {rank} or more", message)


def assert_rank_in(
    x: Any,
    ranks: Any,
    message: str | None = None,
    name: str | None = None,  # noqa: ARG001
) -> None:
    """Raise SpecError unless an array has one of these numbers of axes."""
    allowed = [int(rank) for rank in ranks]
    _known(given(x).ndim in allowed, f"assert_rank_in(): the rank must be in {allowed}", message)


def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> Any:  # noqa: ARG001
    """Return the array; raise SpecError if it has axes."""
    array = given(tensor)
    _known(np.ndim(array) == 0, "assert_scalar(): it must be a scalar", message)
    return array


def assert_type(
    tensor: Any,
    tf_type: Any,
    message: str | None = None,
    name: str | None = None,  # noqa: ARG001
) -> None:
    """Raise SpecTypeError unless an array has a dtype."""
    found, wanted = given(tensor).dtype, dtype_of(tf_type)
    _typed(found == wanted, f"assert_type(): must be {wanted.name}, got {found.name}", message)


def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:  # noqa: ARG001
    """Raise SpecTypeError unless an array has an integer dtype."""
    found = given(x).dtype
    _typed(found.kind in "iu", f"assert_integer(): must be integers, got {found.name}", message)


def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """Return the one float dtype that arrays have; raise SpecError if there is none."""
    found = {given(tensor).dtype for tensor in tensors or ()}
    if dtype is not None:
        found.add(dtype_of(dtype))
    same = found or {np.dtype(np.float32)}
    text = f"assert_same_float_dtype(): one float dtype is needed, got {sorted(map(str, same))}"
    _known(len(same) == 1 and next(iter(same)).kind == "f", text, None)
    return next(iter(same))


def assert_shapes(
    shapes: Any,
    data: Any = None,  # noqa: ARG001
    summarize: int | None = None,  # noqa: ARG001
    message: str | None = None,
    name: str | None = None,  # noqa: ARG001
) -> None:
    """Raise SpecError unless arrays have shapes; the same name stands for the same length.

    Args:
        shapes: Pairs of an array and its shape, of lengths, names and None; a dict of them.
        data: No effect.
        summarize: No effect.
        message: What to say.
        name: No effect.

    Example:
        >>> assert_shapes([(np.zeros((2, 3)), ("N", 3)), (np.zeros(2), ("N",))])
    """
    lengths: dict[str, int] = {}
    for tensor, wanted in shapes.items() if isinstance(shapes, dict) else shapes:
        found = given(tensor).shape
        plain = [None if isinstance(one, str) and one != "..." else one for one in wanted]
        _known(
            len(found) == len(plain) and shapes_agree(as_shape(plain), found),
            f"assert_shapes(): the shape must be {tuple(wanted)}, got {found}",
            message,
        )
        for one, length in zip(wanted, found, strict=True):
            if isinstance(one, str) and length is not None:
                known = lengths.setdefault(one, length)
                text = f"assert_shapes(): {one} is {known} and {length}"
                _known(known == length, text, message)


def _typed(holds: bool, what: str, message: str | None) -> None:
    if not holds:
        raise SpecTypeError(f"{what}." if message is None else f"{message} ({what}.)")


def _known(holds: bool, what: str, message: str | None) -> None:
    if not holds:
        raise SpecError(f"{what}." if message is None else f"{message} ({what}.)")


open_namespace(globals())
