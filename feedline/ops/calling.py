"""calling: what transformations that call a user's function have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from feedline.block import Block
from feedline.engine.function import Function, declares_rng
from feedline.graph.function_spec import recorded_for
from feedline.graph.mentions import may_draw
from feedline.graph.untraceable import Untraceable
from feedline.graph.vectorizer import Vectorizer
from feedline.plan.node import RandomNode, UnaryNode, node_of

if TYPE_CHECKING:
    from feedline.engine.run import Run
    from feedline.options import Options

__all__ = ["CallingNode", "DatasetMakingNode"]


@dataclass(frozen=True)
class CallingNode(UnaryNode, RandomNode):
    """A node that calls ``fn`` on every element. Random, for the function may draw."""

    fn: Callable[..., Any]
    vectorize: bool | None = field(default=None, kw_only=True, repr=False, compare=False)
    vectorizer: Vectorizer = field(
        default_factory=Vectorizer, kw_only=True, repr=False, compare=False
    )

    @property
    def function(self) -> Function:
        """The function in its place, called on each element."""
        return Function(self.fn, self.place, declares_rng(self.fn))

    def plain_function_in(self, run: Run) -> Function:
        """The function as a run calls it on each element."""
        return replace(self.function, max_image_pixels=run.options.max_image_pixels)

    def function_in(self, run: Run) -> Function:
        """The function as a run may call it: on many elements at once, if that is the same."""
        function = self.plain_function_in(run)
        wanted = run.options.vectorizes if self.vectorize is None else self.vectorize
        return replace(function, vectorizer=self.vectorizer) if wanted else function

    def how_function_runs(
        self, inputs: Sequence[Any] | None, options: Options, *, may_change: bool = True
    ) -> str:
        """Say whether the function runs on many elements at once, or why it does not."""
        if not (options.vectorizes if self.vectorize is None else self.vectorize):
            return "plain Python: vectorising is switched off"
        if self.function.wants_rng:
            return "plain Python: draws from a generator of its own"
        refusal, passes = self.vectorizer.refusal, self.vectorizer.passes
        if refusal is None and not self.vectorizer.is_running:
            if inputs is None:
                return "decided when it runs"
            try:
                recording = recorded_for(self.fn, inputs[0], may_change=may_change)
                passes = recording.program.passes
            except Untraceable as found:
                refusal = found
        if refusal is not None:
            return f"plain Python: {refusal}"
        return "; ".join(["vectorised", *(f"in one pass: {names}" for names in passes)])

    @property
    def stands_alone(self) -> bool:
        """Whether the function must not be made one with that of another step."""
        return False

    @property
    def place(self) -> str:
        """The step with the function's name, and the line that built it."""
        name = getattr(self.fn, "__name__", type(self.fn).__name__)
        return f"{self.operator}({name}) built at {self.site}"

    @property
    def reads_ids(self) -> bool:
        """Only for a function that draws."""
        return declares_rng(self.fn) or may_draw(self.fn)


@dataclass(frozen=True)
class DatasetMakingNode(CallingNode):
    """A node whose function makes a dataset of every element."""

    @property
    def reads_ids(self) -> bool:
        """The elements of nested datasets get their ids from their parents."""
        return True

    def spec_of_made(self, example: Block, inputs: Sequence[Any]) -> Any:
        """That of the dataset the function makes of the example."""
        calls = self.function.each(example, 0, 0)
        if calls.error is not None:
            raise calls.error
        node_of(calls.results[0], self.place, "what map_func returns")
        return calls.results[0].element_spec
