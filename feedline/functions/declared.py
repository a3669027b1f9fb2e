"""declared: the input_signature of a ``@function``, and bringing arguments to it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

from feedline import nest
from feedline.errors import BuildTypeError
from feedline.functions.arguments import array_for
from feedline.functions.call import ArrayForm
from feedline.leaf_spec import TensorSpec
from feedline.shapes import merge_shapes

__all__ = ["conformed", "declared_forms", "declared_signature"]


def declared_signature(
    name: str, signature: inspect.Signature, declared: Any
) -> tuple[Any, ...] | None:
    """Return an input_signature as a tuple, or raise BuildTypeError."""
    if declared is None:
        return None
    if not isinstance(declared, (list, tuple)):
        raise BuildTypeError(
            f"function(): input_signature must be a list or a tuple, got {declared!r}."
        )
    wrong = [spec for spec in nest.flatten(declared) if not isinstance(spec, TensorSpec)]
    if wrong:
        raise BuildTypeError(
            f"function(): input_signature must hold TensorSpecs, got {wrong[0]!r}."
        )
    parameters = list(signature.parameters.values())
    open_end = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters)
    if not open_end and len(declared) > len(parameters):
        extra = len(declared) - len(parameters)
        raise BuildTypeError(
            f"function(): input_signature has {extra} more specs than {name}() has parameters."
        )
    return tuple(declared)


def conformed(
    name: str,
    signature: inspect.Signature,
    declared: tuple[Any, ...],
    args: Sequence[Any],
    kwargs: dict[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a call with arrays of the declared dtypes; raise if they differ."""
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise BuildTypeError(f"{name}(): {error}.") from error
    bound.apply_defaults()
    given = list(bound.args)
    if len(given) < len(declared):
        raise BuildTypeError(
            f"{name}(): input_signature has {len(declared)} specs, the call {len(given)} arguments."
        )
    for place, spec in enumerate(declared):
        given[place] = _fitted(f"{name}(): argument {place}", spec, given[place])
    names = list(signature.parameters)
    for place in range(len(declared), len(given)):
        parameter = signature.parameters[names[min(place, len(names) - 1)]]
        if parameter.kind is parameter.VAR_POSITIONAL or given[place] is not parameter.default:
            raise BuildTypeError(
                f"{name}(): argument {place} is not declared in input_signature, so it keeps its "
                f"default, got {given[place]!r}."
            )
    return tuple(given), dict(bound.kwargs)


def _fitted(what: str, spec: Any, value: Any) -> Any:
    if isinstance(spec, TensorSpec):
        return array_for(what, spec, value)
    if isinstance(spec, dict):
        if not isinstance(value, dict) or set(value) != set(spec):
            raise BuildTypeError(
                f"{what} must be a dict with the keys {list(spec)}, got {value!r}."
            )
        return {key: _fitted(f"{what}[{key!r}]", spec[key], value[key]) for key in spec}
    if not isinstance(value, (list, tuple)) or len(value) != len(spec):
        raise BuildTypeError(f"{what} must have {len(spec)} parts, got {value!r}.")
    parts = [
        _fitted(f"{what}[{number}]", one, part)
        for number, (one, part) in enumerate(zip(spec, value, strict=True))
    ]
    kind = type(value)
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)


def declared_forms(declared: tuple[Any, ...], forms: Sequence[ArrayForm]) -> list[ArrayForm]:
    """Return forms with the lengths left open that the signature leaves open."""
    specs = _specs_in_order(declared)
    return [_opened(next(specs, None), form) for form in forms]


def _specs_in_order(declared: Any) -> Iterator[TensorSpec]:
    if isinstance(declared, TensorSpec):
        yield declared
        return
    for part in declared.values() if isinstance(declared, dict) else declared:
        yield from _specs_in_order(part)


def _opened(spec: TensorSpec | None, form: ArrayForm) -> ArrayForm:
    if spec is None or form.shape is None:
        return form
    if spec.shape is None:  # any rank: one recording for each
        return ArrayForm(form.dtype, (None,) * len(form.shape))
    return ArrayForm(form.dtype, merge_shapes(spec.shape, form.shape))
