"""background: a whole pipeline in a process of its own.

The process computes ahead; whatever is ready comes in one answer. With every block comes
the state after it: what is handed on here can be continued from anywhere, by any executor.
Nothing shows that this operator is there.

Not begun   no process; the first pull, or the question for the state, begins.
Running     one process, ours until close().
Died        the process ended: an error says so. The next pull begins again, in another
            process, after the last element that came. With ``restarts`` the first such end
            at any place is no error.
Unsendable  an element that cannot be pickled there and loaded here is an error that names it, or
            is left out if the pipeline ends with ignore_errors(). The next pull goes on after it.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from feedline.block import Block
from feedline.engine.cut_state import cut, joined
from feedline.engine.deliveries import Delivery, written
from feedline.engine.exec import Exec
from feedline.engine.served import PLACE, Beginning, Served, Unsent
from feedline.errors import NotSendableError, RemoteError, WorkerError
from feedline.parallel.failure import Failure
from feedline.parallel.worker import Died, Thing, Unloadable, Unsendable, WorkerProcess

if TYPE_CHECKING:
    from feedline.engine.exec import State
    from feedline.parallel.processes import Processes

__all__ = ["BackgroundExec", "Beginning", "Served"]


def _unmarked(state: Any, places: list[Delivery], known: Iterator[Delivery]) -> Any:
    """Return a state with a place of our own for every mark, in the same order."""
    if isinstance(state, str) and state == PLACE:
        places.append(next(known, None) or Delivery())
        return places[-1]
    if isinstance(state, dict):
        return {key: _unmarked(value, places, known) for key, value in state.items()}
    if isinstance(state, list):
        return [_unmarked(value, places, known) for value in state]
    return state


def _loaded(outcome: Any) -> Any:
    """Return an element that was pickled by itself, and whatever else there is as it is."""
    if not isinstance(outcome, bytes):
        return outcome
    try:
        return pickle.loads(outcome)
    except Exception as error:
        return Unsent(f"{type(error).__name__}: {error}")


class BackgroundExec(Exec):
    """The elements of a plan that runs elsewhere.

    Args:
        plan: The plan and who opens it.
        beginning: What the run begins with.
        processes: Where to run it.
        restarts: Whether a process that died is replaced without a word, once.
        skips: Whether elements that cannot be sent are left out.
        label: What errors call the pipeline.
    """

    is_transparent: ClassVar[bool] = True

    def __init__(
        self,
        plan: Served,
        beginning: Beginning,
        processes: Processes,
        restarts: bool,
        skips: bool,
        label: str,
    ) -> None:
        self._plan = plan
        self._beginning = beginning
        self._processes = processes
        self._restarts = restarts
        self._skips = skips
        self._label = label
        self._thing: Thing | None = None
        self._worker: WorkerProcess | None = None
        # Whether the process stands where this does.
        self._has_begun = False
        # After the last element that came, or where to begin.
        self._state: State | None = None
        self._places: list[Delivery] = []
        # What came and was not handed on.
        self._answers: deque[tuple[Any, ...]] = deque()
        self._closed = False

    def pull(self, limit: int) -> Block | None:
        """Return the next elements."""
        while True:
            if not self._answers:
                self._answers.extend(self._asked(limit))
            outcome = self._followed(self._answers.popleft())
            if not isinstance(outcome, Unsent):
                break
            if not self._skips:
                raise self._unsent(outcome)
        if isinstance(outcome, Failure):
            raise outcome.error()
        assert outcome is None or isinstance(outcome, Block)
        return outcome

    def _followed(self, answer: tuple[Any, ...]) -> Any:
        """Return what came, and stand after it."""
        outcome, since, parts = answer
        for place, deliveries in zip(self._places, since, strict=True):
            for what in deliveries:
                place = place.add(*what)
        self._stand(parts, ())
        return outcome

    def _stand(self, parts: list[Any], known: Sequence[Delivery]) -> None:
        """Stand where the process does; places that are ``known`` are those of before."""
        places: list[Delivery] = []
        state = _unmarked(joined(parts), places, iter(known))
        self._places, self._state = places, state

    def _asked(self, limit: int) -> list[tuple[Any, ...]]:
        """Return what the process answers; one that died is replaced."""
        try:
            return self._pulled(limit)
        except Died as died:
            if not self._restarts:
                raise self._died(died) from None
        try:
            return self._pulled(limit)
        except Died as died:
            raise self._died(died) from None

    def _pulled(self, limit: int) -> list[tuple[Any, ...]]:
        if self._closed:
            raise RuntimeError("the pipeline is closed")
        self._begin()
        answers: list[tuple[Any, ...]] | None
        try:
            answers = self._exchange("pull", limit)
        except Unsendable:  # it was pickled, and cannot be loaded
            answers = None
        if answers is None:
            answers = [(_loaded(row), *rest) for row, *rest in self._exchange("one_by_one")]
        return answers

    def _unsent(self, element: Unsent) -> RemoteError:
        number = 0 if self._state is None else self._state["n"] - 1
        return RemoteError(
            f"{self._label}: element {number} cannot be sent from the background process: "
            f"{element.why}. Set another Options.executor, or map() it to something that can."
        )

    def _died(self, died: Died) -> WorkerError:
        n = 0 if self._state is None else self._state.get("n", 0)
        return WorkerError(
            f"the background process of {self._label} {died}, after {n} elements had come from "
            "it. Going on starts another one from there."
        )

    def _begin(self) -> None:
        """Have a process that stands where this does, if there is none."""
        if self._has_begun:
            return
        if self._worker is None:
            self._worker = self._processes.take()
        _, _, parts = self._exchange("begin", self._beginning, self._parts())
        # States that were asked for before a process died point to the places of then.
        self._stand(parts, self._places)
        self._has_begun = True  # last: Ctrl-C may have struck before, and it begins again

    def _parts(self) -> list[Any] | None:
        return None if self._state is None else cut(written(self._state))

    def _exchange(self, request: str, *args: Any) -> Any:
        worker = self._worker
        assert worker is not None
        try:
            return worker.call(self._sendable(), request, *args)
        except Unloadable as error:
            self._leave()
            raise NotSendableError(
                f"{self._label}: the pipeline cannot be made again in another process: {error}. "
                f"{_REMEDY}"
            ) from error
        except Unsendable:
            raise
        except BaseException:
            self._leave()
            raise

    def _sendable(self) -> Thing:
        if self._thing is None:
            try:
                self._thing = Thing(self._plan)
            except Exception as error:
                raise NotSendableError(
                    f"{self._label}: the pipeline, or something its functions refer to, cannot be "
                    f"sent to another process: {type(error).__name__}: {error}. {_REMEDY}"
                ) from error
        return self._thing

    def _leave(self) -> None:
        self._has_begun = False
        worker, self._worker = self._worker, None
        if worker is not None:
            self._processes.give_back(worker)

    def state(self) -> State:
        """Return the state after what came."""
        if self._state is None:
            try:
                self._begin()
            except Died as died:
                raise self._died(died) from None
        assert self._state is not None
        return self._state

    def restore(self, state: State) -> None:
        """Let the process continue from there."""
        self._state = state

    def close(self) -> None:
        """End the run; the process is kept for the next."""
        self._closed = True
        self._answers.clear()
        worker = self._worker
        if worker is not None:
            try:
                worker.call(self._sendable(), "close")
            except Died:
                pass
            finally:
                self._leave()


_REMEDY = (
    "Make what cannot be sent (open files, locks, connections) inside a function, or set "
    "another Options.executor."
)
