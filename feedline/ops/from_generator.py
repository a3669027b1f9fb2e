"""from_generator: the elements that a Python generator yields."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from feedline.block import Block
from feedline.conform import Declared, leaves_under, owned
from feedline.engine.exec import Exec, State, count_in
from feedline.engine.function import given_function
from feedline.errors import BuildTypeError, CheckpointError, SpecError
from feedline.leaf import ingest
from feedline.ops.handed_back import HandedBack, LeftBehind
from feedline.plan.node import Node, Traits
from feedline.spec import LeafSpec, TensorSpec
from feedline.structure import structure_of
from feedline.values.tensor import as_numpy

if TYPE_CHECKING:
    from feedline.dataset import Dataset
    from feedline.engine.run import Run

__all__ = ["FromGenerator", "from_generator"]


# ---- what the user calls ---------------------------------------------------


def from_generator(
    cls: type[Dataset[Any]],
    generator: Callable[..., Any],
    output_types: Any = None,
    output_shapes: Any = None,
    args: Sequence[Any] | None = None,
    output_signature: Any = None,
    name: str | None = None,
) -> Dataset[Any]:
    """Return what ``generator()`` yields; it is called anew for every pass.

    A generator cannot be entered in the middle: to resume, it is run again up to there. It
    is read some elements ahead of the consumer; for one that waits for events, or for the
    consumer, set ``Options.block_size = 1``.

    Args:
        generator: Called with ``args``; returns a generator or anything else to iterate over.
        output_types: The dtype of every leaf, if there is no ``output_signature``.
        output_shapes: The shape of every leaf, in the structure of ``output_types``.
        args: Arguments for ``generator``, which gets them as NumPy's arrays and numbers, strings
            as bytes.
        output_signature: The spec of an element. Values are converted to its dtypes.
        name: Shown in plans and errors.

    Example:
        >>> import feedline as tf
        >>> def words():
        ...     yield 1, "one"
        ...     yield 2, "two"
        >>> from feedline.spec import TensorSpec, string
        >>> signature = (TensorSpec((), np.int32), TensorSpec((), string))
        >>> list(tf.data.Dataset.from_generator(words, output_signature=signature))
        [(np.int32(1), 'one'), (np.int32(2), 'two')]
    """
    generator = given_function("from_generator()", "generator", generator)
    if output_signature is None:
        spec = _spec_of_types(output_types, output_shapes)
    elif output_types is None and output_shapes is None:
        spec = output_signature
    else:
        raise BuildTypeError(
            "from_generator(): output_types and output_shapes cannot be given together with "
            "output_signature. Give output_signature alone."
        )
    for leaf in structure_of(spec).flatten(spec):
        if not isinstance(leaf, LeafSpec):
            raise BuildTypeError(
                "from_generator(): output_signature must hold specs such as TensorSpec, "
                f"got {leaf!r} of type {type(leaf).__name__}."
            )
    if args is not None and not isinstance(args, (tuple, list)):
        raise BuildTypeError(
            f"from_generator(): args must be a tuple, got {args!r} of type {type(args).__name__}."
        )
    values = tuple(as_numpy(ingest(value)) for value in args or ())
    return cls.of_node(FromGenerator(generator, values, spec, name=name))


def _spec_of_types(types: Any, shapes: Any) -> Any:
    if types is None:
        raise BuildTypeError(
            "from_generator(): what the generator yields must be declared: give output_signature."
        )
    structure = structure_of(types)
    leaves = structure.flatten(types)
    if any(isinstance(leaf, list) for leaf in leaves):
        raise BuildTypeError(f"from_generator(): output_types must hold dtypes, got {types!r}.")
    found = [None] * len(leaves) if shapes is None else leaves_under(structure, shapes)
    if found is None:
        raise BuildTypeError(
            "from_generator(): output_shapes must have the structure of output_types, "
            f"{structure}, got {shapes!r}."
        )
    pairs = zip(found, leaves, strict=True)
    return structure.pack([TensorSpec(shape, dtype) for shape, dtype in pairs])


# ---- what the optimizer sees -----------------------------------------------


class Once:
    """Whether something was said already, in this process."""

    _said = False

    def warn(self, text: str) -> None:
        """Say it, unless it was said."""
        if not self._said:
            self._said = True
            warnings.warn(text, RuntimeWarning, stacklevel=2)

    def __reduce__(self) -> tuple[Any, ...]:
        return Once, ()


@dataclass(frozen=True)
class FromGenerator(Node):
    """What a generator yields."""

    generator: Callable[..., Any]
    args: tuple[Any, ...] = field(repr=False, compare=False)
    element_spec: Any = field(repr=False)
    replayed: Once = field(default_factory=Once, repr=False, compare=False)
    left_behind: LeftBehind = field(default_factory=LeftBehind, repr=False, compare=False)

    traits: ClassVar[Traits] = Traits(keeps_order=True, calls_user=True, runs_once=True)

    @property
    def place(self) -> str:
        """The step with the generator's name, and the line that built it."""
        name = getattr(self.generator, "__name__", type(self.generator).__name__)
        return f"from_generator({name}) built at {self.site}"

    def lower(self, run: Run) -> GeneratorExec:
        """One generator per pass."""
        return GeneratorExec(self, run)

    def spec(self, inputs: Sequence[Any]) -> Any:
        """As declared."""
        return self.element_spec


# ---- what runs -------------------------------------------------------------


class GeneratorExec(Exec):
    """A generator, and what it yielded that was not handed on yet: after a failure only."""

    def __init__(self, node: FromGenerator, run: Run) -> None:
        self._node = node
        self._run = run
        self._declared = Declared(node.element_spec)
        self._values: Iterator[Any] | None = None
        self._ended = False
        self._yielded: list[Any] = []
        self._error: Exception | None = None
        # Elements handed on or failed; how many of them are still to be gone past again.
        self._at = 0
        self._behind = 0

    def pull(self, limit: int) -> Block | None:
        """Convert the next values."""
        after_failure = bool(self._yielded)
        if not after_failure and self._error is None:
            self._fetch(limit)
        if self._yielded:
            # One by one behind a value that did not fit: there may be many more.
            return self._next_block(1 if after_failure else len(self._yielded))
        if self._error is not None:
            error, self._error = self._error, None
            self._at += 1
            raise error
        return None

    def _fetch(self, limit: int) -> None:
        """Take up to ``limit`` values, and the exception after them if there is one."""
        try:
            self._yielded.extend(map(owned, islice(self._open(), limit)))
        except Exception as error:
            self._fail(error, self._at + len(self._yielded))
        else:
            if len(self._yielded) < limit:
                self._end()

    def _fail(self, error: Exception, element: int) -> None:
        error.add_note(f"in {self._node.place}, element {element}")
        self._error = error

    def _open(self) -> Iterator[Any]:
        """Return the generator, where it stood when the state was saved."""
        if self._ended:
            return iter(())
        if self._values is None:
            # Set first: if this fails, it is the end, and not to be tried for ever.
            self._ended = True
            self._values = self._begun()
            self._ended = False
        while self._behind:
            self._replay(self._values)
        return self._values

    def _begun(self) -> Iterator[Any]:
        """Return the generator at its start, where a look at it may have left one."""
        left = self._node.left_behind.take()
        if self._run.counts:
            return (
                iter(self._node.generator(*self._node.args)) if left is None else left.last_pass()
            )
        return HandedBack(iter(self._node.generator(*self._node.args))) if left is None else left

    def _replay(self, values: Iterator[Any]) -> None:
        self._node.replayed.warn(
            f"{self._node.place}: a generator cannot be entered in the middle, so it is run again "
            "from its start to the place of the saved state. cache() or snapshot() its elements, "
            "or use a source that can seek, to resume at once."
        )
        try:
            for _ in islice(values, self._behind):
                self._behind -= 1
        except Exception:
            # It failed here the first time too: that was counted.
            self._behind -= 1
            return
        if self._behind:
            missing, self._behind = self._behind, 0
            raise CheckpointError(
                f"{self._node.place}: the generator ends after {self._at - missing} elements, but "
                "more were read when the state was saved. It must yield the same again."
            )

    def _next_block(self, count: int) -> Block:
        """Hand on the first values, as far as they fit."""
        values, self._yielded = self._yielded[:count], self._yielded[count:]
        try:
            block = self._with_ids(self._declared.block(values))
        except SpecError:
            block = self._good_part(values)
        self._at += block.length
        return block

    def _good_part(self, values: list[Any]) -> Block:
        """Return the values before the first that does not fit; raise if there is none."""
        blocks: list[Block] = []
        for number, value in enumerate(values):
            try:
                blocks.append(self._declared.block([value]))
            except SpecError as error:
                if number:
                    self._yielded = values[number:] + self._yielded
                    break
                self._yielded = values[1:] + self._yielded
                self._at += 1
                misfit = SpecError(
                    f"from_generator(): element {self._at - 1}{error}. "
                    "Change output_signature, or what the generator yields."
                )
                misfit.add_note(f"in {self._node.place}, element {self._at - 1}")
                raise misfit from None
        return self._with_ids(Block.concat(blocks))

    def _with_ids(self, block: Block) -> Block:
        if not self._run.with_ids:
            return block
        index = np.arange(self._at, self._at + block.length)
        return Block(block.structure, block.columns, block.length, self._run.scope.ids(index))

    def skip(self, count: int) -> int:
        """Take values without converting them."""
        if self._yielded or self._error is not None:
            return super().skip(count)
        start = self._at
        try:
            for _ in islice(self._open(), count):
                self._at += 1
        except Exception as error:
            self._fail(error, self._at)
            if self._at == start:
                self.pull(1)  # raises it
        else:
            if self._at < start + count:
                self._end()
        return self._at - start

    def counters(self) -> State:
        """Return how many values were taken."""
        return {"at": self._at}

    def resume(self, counters: State) -> None:
        """Go past as many values, before the next is taken."""
        self._at = self._behind = count_in(counters, "at")

    def _end(self) -> None:
        self._ended = True
        values, self._values = self._values, None
        if isinstance(values, HandedBack):
            self._node.left_behind.leave(values)
        elif isinstance(values, Generator):
            values.close()

    def close(self) -> None:
        """Close the generator: its ``finally`` clauses run now."""
        self._yielded, self._error = [], None
        self._end()
