"""ConcreteFunction: a function recorded for one signature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from feedline import nest
from feedline.errors import BuildError
from feedline.functions.call import ArrayForm
from feedline.functions.replay import private, replay
from feedline.graph.op import LeafForm, Ref, resolved
from feedline.graph.program import Departed, Program
from feedline.leaf_spec import TensorSpec

if TYPE_CHECKING:
    from feedline.functions.arguments import Arguments

__all__ = ["ConcreteFunction", "Recorded"]


class Recorded:
    """A program and the structure of what it returns."""

    def __init__(self, program: Program, result: Any) -> None:
        self.program = program
        self._is_leaf = not nest.is_nested(result)
        # Without the symbols, which hold the arrays of the call that was recorded.
        self._result = nest.map_structure(lambda _: None, result)

    def packed(self, leaves: Sequence[Any]) -> Any:
        """Return the result with these leaves."""
        return leaves[0] if self._is_leaf else nest.pack_sequence_as(self._result, leaves)


class ConcreteFunction:
    """A function for arguments of one signature: what ``get_concrete_function()`` returns.

    It is called with the arrays alone; the Python values are part of it. One whose function
    cannot be recorded calls it as plain Python.

    Example:
        >>> import feedline as tf
        >>> double = tf.function(lambda x: x * 2)
        >>> concrete = double.get_concrete_function(tf.TensorSpec([None], tf.float32))
        >>> concrete(tf.constant([1.0, 2.0]))
        array([2., 4.], dtype=float32)
        >>> concrete.structured_outputs
        TensorSpec(shape=(None,), dtype=tf.float32, name=None)
    """

    def __init__(
        self,
        name: str,
        arguments: Arguments,
        forms: Sequence[ArrayForm],
        plain: Callable[..., Any],
    ) -> None:
        self.name = name
        self.forms = tuple(forms)
        self.recorded: Recorded | None = None
        self.refusal = ""
        self.on_first: Callable[[Sequence[Any]], Any] | None = None
        self.arguments = arguments
        self.plain = plain

    # ---- what a user calls ---------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function with its arrays, in order or by name; Python values may be repeated."""
        return self.run(self.arguments.arrays_of(f"{self.name}()", self.forms, args, kwargs))

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with a TensorSpec in place of every array."""
        specs = self._specs()
        return self.arguments.filled(specs)

    @property
    def structured_outputs(self) -> Any:
        """The result, with a TensorSpec in place of every array."""
        recorded = self._recording("structured_outputs")
        leaves = [
            _spec_of(output, form)
            for output, form in zip(recorded.program.outputs, recorded.program.forms, strict=True)
        ]
        return recorded.packed(leaves)

    @property
    def inputs(self) -> list[TensorSpec]:
        """The specs of the arrays, in the order in which a call gives them."""
        return self._specs()

    @property
    def outputs(self) -> list[TensorSpec]:
        """The specs of the arrays of the result, in order."""
        return [spec for spec in nest.flatten(self.structured_outputs) if spec is not None]

    @property
    def output_shapes(self) -> Any:
        """The shapes of the result."""
        return nest.map_structure(lambda s: None if s is None else s.shape, self.structured_outputs)

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the result."""
        return nest.map_structure(lambda s: None if s is None else s.dtype, self.structured_outputs)

    def pretty_printed_signature(self) -> str:
        """Return the parameters and the result as text."""
        lines = ["Input Parameters:"]
        lines.extend(f"  {line}" for line in self.arguments.described(self._specs()))
        lines.append("Output Type:")
        if self.recorded is None:
            lines.append(f"  not known: runs as plain Python, for it {self.refusal}")
        else:
            lines.append(f"  {_type_text(self.structured_outputs)}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.name} ({', '.join(map(str, self._specs()))})>"

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    # ---- running ---------------------------------------------------------------------

    def run(self, arrays: Sequence[Any]) -> Any:
        """Return the result for arrays that have the right forms."""
        recorded = self.recorded
        if self.on_first is not None:
            return self.on_first(arrays)
        if recorded is not None:
            try:
                return recorded.packed(replay(recorded.program, arrays))
            except Departed:
                self.recorded = None
                self.refusal = "has lengths that depend on values"
        return self.call_plainly(arrays)

    def call_plainly(self, arrays: Sequence[Any]) -> Any:
        """Call the function itself, on arrays of its own."""
        args, kwargs = self.arguments.filled([private(array) for array in arrays])
        return self.plain(*args, **kwargs)

    def inlined(self, record: Callable[..., Any], symbols: Sequence[Any]) -> Any:
        """Repeat the operations inside another recording; return its symbols for the result."""
        assert self.recorded is not None
        program = self.recorded.program
        values = dict(zip(program.inputs, symbols, strict=True))
        for op in program.ops:
            args = resolved(op.args, values.__getitem__)
            result = record(op, args, resolved(op.kwargs, values.__getitem__))
            values.update(zip(op.outs, [result] if op.single else result, strict=True))
        leaves = [resolved(output, values.__getitem__) for output in program.outputs]
        return self.recorded.packed(leaves)

    def _recording(self, what: str) -> Recorded:
        if self.recorded is None:
            raise BuildError(
                f"{self.name}.{what}: not known before a call, for the function runs as plain "
                f"Python: it {self.refusal}."
            )
        return self.recorded

    def _specs(self) -> list[TensorSpec]:
        names = self.arguments.names_of_slots()
        return [
            TensorSpec(form.shape, form.dtype, name)
            for form, name in zip(self.forms, names, strict=True)
        ]


def _spec_of(output: Any, form: LeafForm | None) -> Any:
    if isinstance(output, Ref):
        assert form is not None
        return TensorSpec(form.shape, form.dtype)
    return None if output is None else TensorSpec.from_tensor(output)


def _type_text(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"[{key!r}, {_type_text(item)}]" for key, item in value.items())
        return f"Dict[{inner}]"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__.title()}[{', '.join(map(_type_text, value))}]"
    return str(value)
