"""Node: one step of a pipeline as the user asked for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, SupportsIndex

import numpy as np

from feedline.binding import HoldsFunctions
from feedline.errors import BuildTypeError
from feedline.ids import Rounds
from feedline.options import UNKNOWN_CARDINALITY
from feedline.plan.depth import SHALLOW, recursion_for
from feedline.plan.kept import Kept
from feedline.site import Site, caller_site

if TYPE_CHECKING:
    from feedline.block import Block
    from feedline.engine.access import Access
    from feedline.engine.exec import Exec, State
    from feedline.engine.run import Run
    from feedline.options import Options
    from feedline.quarantine import Origin

__all__ = ["NaryNode", "Node", "NumberedNode", "RandomNode", "Traits", "UnaryNode", "node_of"]


@dataclass(frozen=True, slots=True)
class Traits:
    """What optimizer rules may know about a node without knowing its class."""

    rows: Literal["same", "fewer", "more", "any"] = "any"
    """How many elements come out, compared with the input."""
    keeps_order: bool = False
    """Elements that come out are in the order of those that went in."""
    keeps_values: bool = False
    """Elements come out as they went in, ids included."""
    random: bool = False
    """The outcome depends on a seed."""
    shuffles: bool = False
    """The elements come out in a random order."""
    calls_user: bool = False
    """A user's function is called, so order and number of calls can be seen."""
    maps: bool = False
    """Every element becomes a user's function of it."""
    makes_datasets: bool = False
    """A user's function makes datasets of elements, and theirs are the elements that come out."""
    runs_once: bool = False
    """What is read may be gone then: it must be handed out to whoever reads next."""


@dataclass(frozen=True)
class Node(HoldsFunctions):
    """One step of a pipeline. Immutable and picklable."""

    name: str | None = field(default=None, kw_only=True, repr=False, compare=False)
    site: Site = field(default_factory=caller_site, kw_only=True, repr=False, compare=False)
    ahead: int = field(default=0, kw_only=True, repr=False, compare=False)
    """How many elements may be ready before they are asked for, or AUTOTUNE."""

    traits: ClassVar[Traits] = Traits()

    def __post_init__(self) -> None:
        depth = 1
        for node in self.inputs:
            depth = max(depth, node.__dict__["_depth"] + 1)
        self.__dict__["_depth"] = depth
        if depth > SHALLOW:
            self.__dict__["_recursion"] = recursion_for(depth, self.place)

    @property
    def depth(self) -> int:
        """How many steps there are one below the other, this one included."""
        depth: int = self.__dict__["_depth"]
        return depth

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        # A pickle of objects inside one another takes a C call, or more, for each.
        if self.depth <= SHALLOW or all(node is _GAP for node in self.inputs):
            return super().__reduce_ex__(protocol)
        return _joined, (_taken_apart(self),)

    @property
    def inputs(self) -> tuple[Node, ...]:
        """The nodes this one reads from, in a fixed order."""
        return ()

    def with_inputs(self, inputs: Sequence[Node]) -> Node:
        """Return the same step reading from other nodes."""
        assert not inputs
        return self

    @property
    def label(self) -> str:
        """The step as a user would write it, for plans and error messages."""
        shown = [f"{f.name}={_short(getattr(self, f.name))}" for f in fields(self) if f.repr]
        call = f"{self.operator}({', '.join(shown)})"
        return f"{call} [{self.name}]" if self.name else call

    @property
    def operator(self) -> str:
        """The name of the Dataset method that makes this node."""
        return "".join("_" + c.lower() if c.isupper() else c for c in type(self).__name__)[1:]

    @property
    def signature(self) -> str:
        """What a saved state must agree on: the step and its settings, not functions or data.

        Empty for a step that leaves no trace in a state.
        """
        shown = (getattr(self, f.name) for f in fields(self) if f.repr)
        return f"{self.operator}({', '.join(repr(v) for v in shown if not callable(v))})"

    @property
    def read_files(self) -> Sequence[str]:
        """The files that are read and known before the first element is asked for."""
        return ()

    @property
    def place(self) -> str:
        """The step and the line that built it: what notes on errors say."""
        return f"{self.operator}() built at {self.site}"

    def lower(self, run: Run) -> Exec:
        """Return the physical operator that does this step, its inputs opened by ``run``."""
        raise NotImplementedError(type(self).__name__)

    def access(self, run: Run) -> Access | None:
        """Return a way to get elements by index, or None if there is none."""
        return None

    def cardinality(self, inputs: Sequence[int]) -> int:
        """Return the number of elements, given those of the inputs."""
        return UNKNOWN_CARDINALITY

    def spec(self, inputs: Sequence[Any]) -> Any:
        """Return the element spec, given those of the inputs; None if only running tells."""
        return None

    def inputs_of_spec(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """Return those of something said of every input that belong to inputs spec() looks at."""
        return inputs

    def spec_of_made(self, example: Block, inputs: Sequence[Any]) -> Any:
        """Return the element spec of the datasets made of such elements, if traits say so."""
        raise NotImplementedError(type(self).__name__)

    def spec_by_recording(self, inputs: Sequence[Any]) -> Any:
        """Return the element spec where a user's function decides and can be recorded."""
        return None

    def how_it_runs(self, inputs: Sequence[Any] | None, options: Options) -> str | None:
        """Return how a user's function runs, for explain(); ``inputs`` are specs, if known."""
        return None

    def spec_of_nothing(self, inputs: Sequence[Any]) -> Any:
        """Return the element spec where spec() gave None and there is no element to look at."""
        return None

    def passes_below(self, passes: int, options: Options) -> int:
        """Return how many passes one over this makes over a node below.

        One over the input makes ``passes`` of them.
        """
        return passes

    def origin_of(self, state: State, run: Run) -> Origin | None:
        """Return where in a file the next element begins, by the state of this step's stream.

        None where that cannot be told, or elements are not made of one record each.
        """
        return None

    @property
    def reads_ids(self) -> bool:
        """Whether running this step needs the ids of its input's elements."""
        return False

    @property
    def is_noop(self) -> bool:
        """Whether what comes out is the one input, and tf.data knows it."""
        return False

    @cached_property
    def kept(self) -> Kept:
        """What was worked out about the plan that ends here."""
        return Kept()


@dataclass(frozen=True)
class UnaryNode(Node):
    """A node with exactly one input."""

    input: Node = field(repr=False)

    @property
    def inputs(self) -> tuple[Node, ...]:
        """The one input."""
        return (self.input,)

    def with_inputs(self, inputs: Sequence[Node]) -> Node:
        """Return the same step on another input."""
        return replace(self, input=inputs[0])


@dataclass(frozen=True)
class NaryNode(Node):
    """A node with any number of inputs."""

    sources: tuple[Node, ...] = field(repr=False)

    @property
    def inputs(self) -> tuple[Node, ...]:
        """All inputs."""
        return self.sources

    def with_inputs(self, inputs: Sequence[Node]) -> Node:
        """Return the same step on other inputs."""
        return replace(self, sources=tuple(inputs))


@dataclass(frozen=True)
class NumberedNode(Node):
    """A node with a number that tells it apart from others of its kind in the plan as asked.

    Mixed into one of the classes above.
    """

    number: int = field(default=-1, kw_only=True, repr=False, compare=False)


@dataclass(frozen=True)
class RandomNode(NumberedNode):
    """A node whose outcome depends on a seed; ``rounds`` counts iterations."""

    rounds: Rounds = field(default_factory=Rounds, kw_only=True, repr=False, compare=False)

    @property
    def inherited_seeds(self) -> tuple[int, int] | None:
        """The seeds that the step got from that of the program, None if it has none of those."""
        return None

    def start_round(self, passes: int, seed: int | None) -> int:
        """Return the number of the first pass of the iteration that starts now.

        Args:
            passes: How many this iteration makes.
            seed: For every random step that was given none, if the user chose it.
        """
        return self.rounds.start(passes)

    def first_round(self, seed: int | None) -> int:
        """Return the number of the first iteration, which reading by index takes part in."""
        return 0


def node_of(value: Any, call: str, what: str) -> Node:
    """Return the node of a dataset a user gave, or raise BuildTypeError."""
    node = getattr(value, "node", None)
    if isinstance(node, Node):
        return node
    raise BuildTypeError(
        f"{call}: {what} must be a Dataset, got {value!r} of type {type(value).__name__}."
    )


@dataclass(frozen=True)
class _Gap(Node):
    """Where the input of a step was."""

    def __reduce__(self) -> str:
        return "_GAP"

    def __reduce_ex__(self, protocol: SupportsIndex) -> str:
        return "_GAP"


_GAP = _Gap()


def _taken_apart(root: Node) -> list[tuple[Node, list[int]]]:
    """Return the steps of a plan without their inputs, and which of those before are these."""
    steps: list[tuple[Node, list[int]]] = []
    places: dict[int, int] = {}
    waiting = [root]
    while waiting:
        node = waiting[-1]
        if missing := [one for one in node.inputs if id(one) not in places]:
            waiting.extend(reversed(missing))
            continue
        waiting.pop()
        if id(node) not in places:
            places[id(node)] = len(steps)
            alone = node.with_inputs([_GAP] * len(node.inputs))
            steps.append((alone, [places[id(one)] for one in node.inputs]))
    return steps


def _joined(steps: list[tuple[Node, list[int]]]) -> Node:
    """Return the plan whose steps these are."""
    nodes: list[Node] = []
    for alone, places in steps:
        nodes.append(alone.with_inputs([nodes[place] for place in places]))
    return nodes[-1]


def _short(value: Any) -> str:
    text = getattr(value, "__name__", None) if callable(value) else None
    text = text or (str(value) if isinstance(value, np.dtype) else repr(value))
    return text if len(text) <= 40 else text[:37] + "..."
