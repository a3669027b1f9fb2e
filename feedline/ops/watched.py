"""watched: the failures of a step, with what it takes to find the elements again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from feedline.engine.deliveries import written
from feedline.engine.failures import Failures
from feedline.plan.rewrite import walk

if TYPE_CHECKING:
    from feedline.engine.exec import State
    from feedline.engine.run import Run
    from feedline.engine.stream import Stream
    from feedline.error_policy import FailureBudget
    from feedline.plan.node import UnaryNode
    from feedline.quarantine import Origin, Quarantine

__all__ = ["WatchedNode", "failures_of"]


class WatchedNode(ABC):
    """A step whose failures can be listed, and seen again. Mixed into one with an input."""

    @abstractmethod
    def open_before(self, before: State, run: Run) -> Stream:
        """Return a stream whose next element fails as it did, by the input's state before it."""


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
        "rounds": [run.rounds[number] for number in sorted(run.rounds)],
        "scope": list(astuple(run.scope)),
        "rules": list(run.rules),
        "step": number,
        "input": before,
    }
