"""Served: a plan that a process runs for the one that started it. See background.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter_ns, sleep
from typing import TYPE_CHECKING, Any

from feedline.block import Block
from feedline.engine.ahead import AheadExec
from feedline.engine.cut_state import cut, joined
from feedline.engine.deliveries import Delivery
from feedline.engine.exec import after
from feedline.engine.meter import Meter
from feedline.parallel.failure import Failure
from feedline.parallel.pickling import pickled
from feedline.plan.node import Node
from feedline.plan.rewrite import restarted
from feedline.seeding import NOTHING_INHERITED, Inherited

if TYPE_CHECKING:
    from feedline.engine.run import Lowerable, Run
    from feedline.engine.stream import Stream

__all__ = ["PLACE", "Beginning", "Served", "Unsent"]

# Blocks of up to a megabyte each that are ready in the process, and that come at once.
_READY = 12
_AT_ONCE = 8
# How long more is waited for, beside how long the first block took.
_NAPS = 4
_MOST_NAP_S = 0.005
_ALL = 1 << 40
PLACE = "feedline: a place in a list of deliveries"

Opens = Callable[["Lowerable", "Beginning"], "tuple[Run, Stream]"]


class _Answers(list[tuple[Any, ...]]):
    """Elements, failures and states, if all of them can be pickled."""

    def sendable(self) -> None:
        """Nothing: they are asked for one by one."""


@dataclass(frozen=True, slots=True)
class Unsent:
    """Comes in the place of an element that cannot be sent, and says why."""

    why: str


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a run begins with, besides the plan."""

    seed: int
    rounds: dict[int, int]
    check_files: bool = True
    inherited: Inherited = NOTHING_INHERITED


@dataclass(slots=True)
class Served:
    """A plan that is run for somebody else; it stays from one iteration to the next.

    Args:
        plan: As it was asked for.
        opens: Returns a run of it and its stream.
    """

    plan: Lowerable
    opens: Opens
    _run: Run | None = None
    _stream: Stream | None = None
    _ahead: AheadExec | None = None
    # Places in lists of deliveries, in the state that was sent last.
    _places: list[Delivery] = field(default_factory=list)
    # The state that was sent last; what the latest pull returned, and the state before that.
    _sent: Any = None
    _latest: list[tuple[Any, ...]] = field(default_factory=list)
    _before: Any = None

    def __reduce__(self) -> Any:
        # How often it was iterated over is said with every beginning. The process that has the
        # plan, and what that cached, must know it again.
        assert isinstance(self.plan, Node)
        return Served, (restarted(self.plan), self.opens)

    def __call__(self, request: str, *args: Any) -> Any:
        """Do what is asked for, by the name of a method below."""
        return getattr(self, f"do_{request}")(*args)

    def do_begin(self, beginning: Beginning, parts: list[Any] | None) -> tuple[Any, ...]:
        """Start a run, from the parts of a state if there is one; return the state."""
        self.do_close()
        run, stream = self.opens(self.plan, beginning)
        self._ahead = AheadExec(stream, run.workers, run.workers.fixed_room(_READY))
        self._run, self._stream = run, run.stream(self._ahead, Meter(stream.meter.step))
        if parts is not None:
            self._stream.restore(joined(parts))
        return self._answer(None)

    def do_pull(self, limit: int) -> list[tuple[Any, ...]]:
        """Return the next elements, or what they failed with, and the state after that.

        What is ready besides them is returned as well.
        """
        started = perf_counter_ns()
        self._before = self._sent
        self._latest = answers = _Answers([self._pulled(limit)])
        if not self._has_more:
            # Whoever asks is faster than what computes: answering seldom leaves it more time.
            sleep(min(_MOST_NAP_S, _NAPS * (perf_counter_ns() - started) / 1e9))
        while len(answers) < _AT_ONCE and isinstance(answers[-1][0], Block):
            if not self._has_more:
                break
            answers.append(self._pulled(_ALL))
        return answers

    def do_one_by_one(self) -> list[tuple[Any, ...]]:
        """Return what the latest pull returned, every element pickled by itself, or Unsent."""
        found: list[tuple[Any, ...]] = []
        before = self._before
        for outcome, since, parts in self._latest:
            length = outcome.length if isinstance(outcome, Block) else 0
            for number in range(length):
                row = _pickled(outcome.slice(number, number + 1))
                found.append((row, since, cut(after(before, number + 1))))
            if length:
                found[-1] = (found[-1][0], since, parts)
            else:
                found.append((outcome, since, parts))
            before = joined(parts)
        return found

    @property
    def _has_more(self) -> bool:
        """Whether a pull would return at once."""
        assert self._ahead is not None
        assert self._stream is not None
        return self._stream.buffered > 0 or self._ahead.is_ready

    def _pulled(self, limit: int) -> tuple[Any, ...]:
        run, stream = self._run, self._stream
        assert run is not None
        assert stream is not None
        workers = run.workers
        outcome: Block | Failure | None
        workers.asked(perf_counter_ns())
        try:
            with workers.computing():
                outcome = stream.pull(limit)
        except BaseException as error:  # in its place among the elements, whatever it is
            outcome = Failure.of(error)
        if outcome is None:
            workers.rest()
        workers.served(outcome.length if isinstance(outcome, Block) else 0, perf_counter_ns())
        return self._answer(outcome)

    def _answer(self, outcome: Any) -> tuple[Any, ...]:
        assert self._stream is not None
        since = [place.since() for place in self._places]
        self._places = []
        self._sent = _marked(self._stream.state(), self._places)
        return outcome, since, cut(self._sent)

    def do_close(self) -> None:
        """End the run."""
        run, stream = self._run, self._stream
        self._run = self._stream = self._ahead = None
        self._places, self._latest = [], []
        if run is not None and stream is not None:
            with run.workers.hurried():
                stream.close()
                run.workers.close()


def _pickled(row: Block) -> bytes | Unsent:
    try:
        return pickled(row)
    except Exception as error:
        return Unsent(f"{type(error).__name__}: {error}")


def _marked(state: Any, places: list[Delivery]) -> Any:
    """Return a state with a mark for every place in a list of deliveries, which are added."""
    if isinstance(state, Delivery):
        places.append(state)
        return PLACE
    if isinstance(state, dict):
        return {key: _marked(value, places) for key, value in state.items()}
    if isinstance(state, list):
        return [_marked(value, places) for value in state]
    return state
