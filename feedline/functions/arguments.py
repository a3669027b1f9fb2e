"""Arguments: those of one signature, with slots in place of the arrays.

However a call writes them, by position, by name or by default, they are brought into one
order.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from feedline.errors import BuildTypeError
from feedline.functions.call import ArrayForm, Call, Slot, as_array, filled
from feedline.graph.symbol import Symbol
from feedline.leaf_spec import TensorSpec
from feedline.narrow import array_of_data
from feedline.shapes import shapes_agree

__all__ = ["Arguments", "array_for", "signature_of"]


def signature_of(fn: Any) -> inspect.Signature:
    """Return the signature of a function, or one that takes anything."""
    try:
        return inspect.signature(fn)
    except (TypeError, ValueError):  # some functions written in C have none
        return inspect.signature(lambda *args, **kwargs: (args, kwargs))


class Arguments:
    """The arguments of a signature.

    ``frame`` says everything about them but the shapes of the arrays. ``order`` says which
    of the call's arrays goes where, ``forms`` what each is.

    Args:
        signature: That of the Python function.
        call: The arguments taken apart.
        args: By position.
        kwargs: By name.
    """

    def __init__(
        self, signature: inspect.Signature, call: Call, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> None:
        slots = iter([Slot(number) for number in range(len(call.arrays))])
        by_position = [filled(arg, slots) for arg in args]
        by_name = {name: filled(kwargs[name], slots) for name in sorted(kwargs)}
        bound = signature.bind(*by_position, **by_name)
        bound.apply_defaults()
        self._signature = signature
        self._args: tuple[Any, ...] = bound.args
        self._kwargs: dict[str, Any] = bound.kwargs
        self._number_in_order(call)

    def _number_in_order(self, call: Call) -> None:
        any_shape = [ArrayForm(form.dtype, None) for form in call.forms]
        found = Call.of(self._args, self._kwargs, any_shape)
        self.frame = found.key
        self.order = [leaf.number for leaf in found.arrays if isinstance(leaf, Slot)]
        self.forms = [call.forms[number] for number in self.order]
        # Slots, and arrays that are defaults: those are constants.
        self._leaves = list(found.arrays)
        self._args, self._kwargs = self.filled([Slot(n) for n in range(len(self.order))])

    def filled(self, arrays: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments with ``arrays``, in the one order, in their slots."""
        given = iter(arrays)
        leaves = iter([next(given) if isinstance(leaf, Slot) else leaf for leaf in self._leaves])
        args = tuple(filled(arg, leaves) for arg in self._args)
        return args, {name: filled(self._kwargs[name], leaves) for name in sorted(self._kwargs)}

    # ---- for people ----------------------------------------------------------------

    def names_of_slots(self) -> list[str | None]:
        """Return the parameter each array is given for; None inside structures."""
        names: list[str | None] = []
        for name, value in self._by_parameter():
            count = sum(isinstance(leaf, Slot) for leaf in Call.of([value], {}, _ANY).arrays)
            names.extend([name] if isinstance(value, Slot) else [None] * count)
        return names

    def described(self, specs: Sequence[TensorSpec]) -> list[str]:
        """Return a line for each parameter."""
        args, kwargs = self.filled(specs)
        shown = [*args, *(kwargs[name] for name in sorted(kwargs))]
        names = [name for name, _ in self._by_parameter()]
        return [f"{name}: {_text(value)}" for name, value in zip(names, shown, strict=True)]

    def _by_parameter(self) -> list[tuple[str, Any]]:
        names: list[str] = []
        for parameter in self._signature.parameters.values():
            if parameter.kind is parameter.VAR_POSITIONAL:
                count = len(self._args) - len(names)
                names.extend(f"{parameter.name}_{number}" for number in range(count))
            elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                names.append(parameter.name)
        by_name = [(name, self._kwargs[name]) for name in sorted(self._kwargs)]
        return [*zip(names, self._args, strict=True), *by_name]

    # ---- calling a concrete function ---------------------------------------------------

    def arrays_of(
        self, call: str, forms: Sequence[ArrayForm], args: Sequence[Any], kwargs: dict[str, Any]
    ) -> list[Any]:
        """Return the arrays given to a concrete function.

        Args:
            call: What errors begin with.
            forms: What they must be.
            args: All arguments in order, or only those that are arrays.
            kwargs: Arguments by name.
        """
        given = dict(kwargs)
        arrays: list[Any] = []
        places = self._by_parameter()
        everything = len(args) == len(places) - sum(name in kwargs for name, _ in places)
        by_position = iter(args)
        for name, value in places:
            holds_arrays = bool(Call.of([value], {}, _ANY).arrays)
            if name in given:
                found = given.pop(name)
            elif holds_arrays or everything:
                found = next(by_position, _MISSING)
            else:
                continue
            if found is _MISSING:
                raise BuildTypeError(f"{call}: the argument {name!r} is missing.")
            if holds_arrays:
                arrays.extend(_fitted(f"{call}: {name}", value, found, forms))
            elif Call.of([found], {}).key != Call.of([value], {}).key:
                raise BuildTypeError(
                    f"{call}: {name} is {value!r} in this concrete function, got {found!r}."
                )
        if given or next(by_position, _MISSING) is not _MISSING:
            extra = sorted(given) or "too many by position"
            raise BuildTypeError(f"{call}: arguments it does not have: {extra}.")
        return arrays


_MISSING = object()


class _AnyForm(Sequence[ArrayForm]):
    """Any slot has some form."""

    def __getitem__(self, number: Any) -> Any:
        return ArrayForm(np.dtype(np.float32), None)

    def __len__(self) -> int:
        return 1 << 30


_ANY = _AnyForm()


def _fitted(what: str, value: Any, found: Any, forms: Sequence[ArrayForm]) -> list[Any]:
    """Return the arrays in what was given for one parameter."""
    if isinstance(value, Slot):
        form = forms[value.number]
        return [array_for(what, TensorSpec(form.shape, form.dtype), found)]
    wanted, got = Call.of([value], {}, forms), Call.of([found], {})
    if len(wanted.forms) != len(got.forms) or not all(
        w.takes(g) for w, g in zip(wanted.forms, got.forms, strict=True)
    ):
        raise BuildTypeError(f"{what} has another structure, dtype or shape than was recorded.")
    return got.arrays


def array_for(what: str, spec: TensorSpec, value: Any) -> Any:
    """Return a value as an array of the declared dtype and shape, or raise BuildTypeError."""
    if isinstance(value, Symbol):
        if value.dtype != spec.dtype or not shapes_agree(spec.shape, value.shape):
            raise BuildTypeError(f"{what} must be {spec}, got {value.dtype}{value.shape}.")
        return value
    try:
        array = array_of_data(value)
    except (TypeError, ValueError) as error:
        raise BuildTypeError(f"{what} must be {spec}, got {value!r}.") from error
    is_text = spec.dtype == object
    if (array.dtype == object) != is_text or value is None:
        raise BuildTypeError(f"{what} must be {spec}, got {value!r}.")
    if not is_text and not np.can_cast(array.dtype, spec.dtype, "same_kind"):
        raise BuildTypeError(f"{what} must be {spec}, got {array.dtype}, which does not fit.")
    if not shapes_agree(spec.shape, array.shape):
        raise BuildTypeError(f"{what} must be {spec}, got the shape {array.shape}.")
    return value if is_text else as_array(array.astype(spec.dtype, copy=False))


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return f"Dict[{', '.join(f'[{key!r}, {_text(item)}]' for key, item in value.items())}]"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__.title()}[{', '.join(map(_text, value))}]"
    return str(value) if isinstance(value, TensorSpec) else f"Literal[{value!r}]"
