"""watched: the failures of a step, with what it takes to find the elements again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from feedline.engine.deliveries import written
from feedline.engine.failures import Failures
from feedline.errors import BuildError
from feedline.plan.rewrite import walk
from feedline.quarantine import Quarantine

if TYPE_CHECKING:
    from feedline.engine.exec import State
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.error_policy import FailureBudget
    from feedline.plan.node import Node, UnaryNode
    from feedline.quarantine import Origin

__all__ = ["WatchedNode", "check_lists_on_disk", "failures_of"]


class WatchedNode(ABC):
    """A step whose failures can be listed, and seen again. Mixed into one with an input."""

    @property
    @abstractmethod
    def listed_in(self) -> Quarantine | str | None:
        """Where they are listed."""

    @abstractmethod
    def open_before(self, before: State, run: Run) -> Stream:
        """Return a stream whose next element fails as it did, by the input's state before it."""


def check_lists_on_disk(plan: Node) -> None:
    """Raise BuildError if failures are listed in memory: another process has none of ours."""
    for node in walk(plan):
        if isinstance(node, WatchedNode) and isinstance(node.listed_in, Quarantine):
            raise BuildError(
                f'{node.place}: with Options.executor = "background" failures happen in another '
                "process, and a Quarantine is a list in this one. Give the path of a file."
            )


def failures_of(
    node: UnaryNode, run: Run, budget: FailureBudget, quarantine: Quarantine | str | None
) -> Failures:
    """Return what counts and lists the failures of a step: a look at elements lists nothing."""

    def identify(before: State) -> tuple[Origin | None, dict[str, Any]]:
        saved = written(before)
        return _origin(node, saved, run), _to_replay(node, saved, run)

    return Failures(node.place, budget, quarantine if run.counts else None, identify)


def _origin(node: UnaryNode, before: State, run: Run) -> Origin | None:
    try:
        return node.input.origin_of(before, run)
    except Exception:  # finding it out reads files: what fails there is no news
        return None


def _to_replay(node: UnaryNode, before: State, run: Run) -> dict[str, Any]:
    """Return which step of which run this is, and the state of its input."""
    steps = () if run.plan is None else walk(run.plan)  # type: ignore[arg-type]
    number = next((n for n, step in enumerate(steps) if step is node), None)
    return {
        "seed": run.seed,
        "inherited": run.inherited.written(),
        "rounds": [run.rounds[number] for number in sorted(run.rounds)],
        "scope": list(astuple(run.scope)),
        "rules": list(run.rules),
        "step": number,
        "input": before,
    }
