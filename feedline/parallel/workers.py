"""Workers: everything a running pipeline has to work beside the thread that iterates.

Nothing is started before it is needed: a pipeline that asks for nothing in parallel has no
thread, no process and no account of memory to keep.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, cast

from feedline.files.attended import Patience, patient
from feedline.kernel_threads import allow_kernel_threads
from feedline.machine import available_cpus, available_memory
from feedline.parallel.event_loop import EventLoop
from feedline.parallel.finalising import finalise
from feedline.parallel.learnt import Learnt
from feedline.parallel.library_threads import ThreadLimit, limit_open_mp, limited
from feedline.parallel.proposals import Limits
from feedline.parallel.room import Memory, Room
from feedline.parallel.tasks import Tasks
from feedline.parallel.tuner import Tuner

if TYPE_CHECKING:
    from feedline.options import Options
    from feedline.parallel.processes import Processes
    from feedline.parallel.stage import Executor, Stage

__all__ = ["Workers"]

StageT = TypeVar("StageT", bound="Stage")
KeptT = TypeVar("KeptT")

_NOTHING: AbstractContextManager[None] = nullcontext()
# How many blocks are ready where nobody says how many, and nobody finds out.
_UNTUNED_DEPTH = 2
_NO_LIMIT = 1 << 30


class Workers:
    """The threads, processes and memory of one iteration.

    ``kept`` lives as long as the dataset: processes in it serve the next iteration too.
    """

    def __init__(
        self,
        options: Options,
        learnt: Learnt | None = None,
        kept: dict[Any, Any] | None = None,
    ) -> None:
        self._options = options
        self._kept: dict[Any, Any] = {} if kept is None else kept
        self._learnt = learnt
        self._tasks: Tasks | None = None
        self._memory: Memory | None = None
        self._tuner: Tuner | None = None
        self._loop: EventLoop | None = None
        self._limit: ThreadLimit | None = None
        # By the identity of a step: what is opened anew for every epoch is the same stage.
        self._stages: dict[int, Stage] = {}
        self.is_closing = False
        self._patience = _patience_of(options)

    # ---- what there is -----------------------------------------------------------------

    @property
    def tasks(self) -> Tasks:
        """The threads.

        One of a pool that was closed goes on with that: what it waits for ends there.
        """
        tasks = self._tasks
        if tasks is None or (tasks.is_closed and not tasks.is_in_one):
            if tasks is not None:
                tasks.close()  # Ctrl-C may have kept it from telling all of its threads
            with _NOTHING if self._patience is None else patient(self._patience):
                tasks = self._tasks = self._made_tasks()
        return tasks

    def _made_tasks(self) -> Tasks:
        return Tasks(
            self._options.threading.private_threadpool_size or None,
            self._options.autotune.cpu_budget or None,
            f"feedline-{self._options.dataset_name or 'pipeline'}",
            self._begin_thread if self._intra_op else None,
            self._kernel_threads,
        )

    @property
    def _intra_op(self) -> int | None:
        """How many threads libraries may use, if anybody said."""
        return self._options.threading.max_intra_op_parallelism or None

    @property
    def _kernel_threads(self) -> int | None:
        """How many threads a kernel may use. They are not counted where there is a budget."""
        if self._options.autotune.cpu_budget:
            return 1
        return self._intra_op or self._options.threading.private_threadpool_size or None

    def _begin_thread(self) -> None:
        assert self._intra_op is not None
        limit_open_mp(self._intra_op)

    def loop(self) -> EventLoop:
        """Return the thread in which coroutines run."""
        if self._loop is None:
            self._loop = EventLoop(f"feedline-{self._options.dataset_name or 'pipeline'}")
        return self._loop

    @property
    def processes(self) -> Processes:
        """The processes that functions run in."""
        return self._pool("processes")

    @property
    def background(self) -> Processes:
        """The processes that whole pipelines run in; what they cache is not to be lost."""
        return self._pool("background", idle_s=None)

    def _pool(self, name: str, **settings: Any) -> Processes:
        pool: Processes | None = self._kept.get(name)
        if pool is None:
            # Only now: most pipelines need none of what it imports.
            kind = import_module("feedline.parallel.processes").Processes
            threads = self._intra_op or 1
            pool = self._kept.setdefault(name, kind(threads, **settings))
        return pool

    @property
    def is_rationed(self) -> bool:
        """Whether somebody said how much memory there is."""
        return bool(self._options.autotune.ram_budget)

    def kept(self, name: str, make: Callable[[], KeptT]) -> KeptT:
        """Return what the iteration before left for this one."""
        found: KeptT = self._kept.get(name) or self._kept.setdefault(name, make())
        return found

    @property
    def memory(self) -> Memory:
        """The account of what is held ready."""
        if self._memory is None:
            budget = self._options.autotune.ram_budget
            self._memory = Memory(budget or available_memory() // 4, self.is_rationed)
        return self._memory

    @property
    def tuner(self) -> Tuner:
        """What decides how many work."""
        if self._tuner is None:
            settings = self._options.autotune
            limits = Limits(
                settings.cpu_budget or available_cpus(),
                self._options.threading.private_threadpool_size or _NO_LIMIT,
                settings.initial_parallelism or 0,
                settings.min_parallelism or 1,
            )
            learnt = self._learnt
            self._tuner = Tuner(limits, self._turn, is_on=settings.tunes, learnt=learnt)
        return self._tuner

    @property
    def tuner_if_any(self) -> Tuner | None:
        """The same, if anything may run in parallel."""
        return self._tuner

    def stage_of(self, key: int) -> Stage | None:
        """Return the stage of a step, if it has one."""
        return self._stages.get(key)

    @property
    def is_parallel(self) -> bool:
        """Whether anything may run beside the thread that iterates."""
        return self._tuner is not None

    def stage(self, key: int, make: Callable[[], Stage]) -> Stage:
        """Return the stage of a step, made at the first time."""
        stage = self._stages.get(key)
        if stage is None:
            stage = self._stages[key] = make()
            self.tuner.add_stage(stage)
        return stage

    def own_stage(self, key: int, make: Callable[[], StageT]) -> StageT:
        """Return the stage of a step that finds out for itself how it runs best."""
        stage = self._stages.get(key)
        if stage is None:
            stage = self._stages[key] = make()
            assert self.tuner is not None  # something runs in parallel
        return cast("StageT", stage)

    def _turn(self, stage: Stage, executor: Executor, width: int) -> None:
        """Let a stage run otherwise, from its next run of elements on."""
        stage.executor, stage.width = executor, width
        tasks = self._tasks
        if tasks is None or self.is_closing:  # no pool is made for this
            stage.lane.width = width
        else:
            tasks.widen(stage.lane, width)

    def room(self, elements: int | None, key: Hashable = None, label: str = "prefetch") -> Room:
        """Return room for elements that are made ready; None lets the tuner say how many.

        Args:
            elements: How many.
            key: Tells that it is the same step as one before, opened anew.
            label: The step as decisions call it.
        """
        room = Room(self.memory, elements)
        if elements is None and not self.tuner.is_on:
            room.depth = _UNTUNED_DEPTH
        self.tuner.add_room(room, key, label)
        return room

    def fixed_room(self, blocks: int) -> Room:
        """Return room for some blocks, whatever the tuner finds."""
        room = Room(self.memory)
        room.depth = blocks
        assert self.tuner is not None  # something runs in parallel
        return room

    # ---- what the driver says -------------------------------------------------------------

    def computing(self) -> AbstractContextManager[Any]:
        """Count the thread that iterates among those that compute, if they are counted."""
        counted = _NOTHING if self._tasks is None else self._tasks.computing()
        if self._patience is None:
            return counted
        both = ExitStack()
        both.enter_context(patient(self._patience))
        both.enter_context(counted)
        return both

    def asked(self, now_ns: int) -> None:
        """Note that the consumer asks for elements."""
        allow_kernel_threads(self._kernel_threads)
        if self._limit is None and self._intra_op is not None:
            self._limit = limited(self._intra_op)
        if self._tuner is not None:
            self._tuner.asked(now_ns)

    def served(self, elements: int, now_ns: int) -> None:
        """Note that it got them."""
        if self._tuner is not None:
            self._tuner.served(elements, now_ns)

    @property
    def is_in_thread(self) -> bool:
        """Whether one of our own threads asks."""
        tasks, loop = self._tasks, self._loop
        return (tasks is not None and tasks.is_in_one) or (loop is not None and loop.is_here)

    @property
    def is_stuck(self) -> bool:
        """Whether one of our own threads goes on though it was to end."""
        return self._tasks is not None and self._tasks.is_stuck

    def rest(self) -> None:
        """End what runs: there is no more to do, unless somebody asks."""
        tasks = self._tasks
        loop, self._loop = self._loop, None
        self._release_limit()
        if self._tuner is not None:
            self._tuner.remember()
        if tasks is not None:
            self.is_closing = True
            tasks.close()
            self._tasks = None
            self.is_closing = False
        if loop is not None:
            loop.close()

    def hurried(self) -> AbstractContextManager[Any]:
        """Have processes end that do not soon finish what they do, and no thread wait for files."""
        if self._tasks is not None:
            self._tasks.give_up()
        pools = [self._kept[name] for name in ("processes", "background") if name in self._kept]
        if not pools:
            return _NOTHING
        stack = ExitStack()
        for pool in pools:
            stack.enter_context(pool.hurried())
        return stack

    def close(self) -> None:
        """End what runs, for good."""
        if self._tuner is not None and not self.is_closing:
            self._tuner.remember()
        self.is_closing = True
        if self._tasks is not None:
            self._tasks.close()
        if self._loop is not None:
            self._loop.close()
        self._release_limit()

    def _release_limit(self) -> None:
        limit, self._limit = self._limit, None
        if limit is not None:
            limit.release()

    def __del__(self) -> None:
        finalise(self.close)


def _patience_of(options: Options) -> Patience | None:
    """Return how long to wait for files far away, if anybody said."""
    timeout_s, attempts = options.remote_timeout_s, options.remote_attempts
    if timeout_s is None and attempts is None:
        return None
    usual = Patience()
    return Patience(
        usual.timeout_s if timeout_s is None else float(timeout_s),
        usual.attempts if attempts is None else attempts,
    )
