"""options: every setting a user can change, with tf.data's names where tf.data has one.

An unset field reads None and its default applies. Options merge along a chain: of two
different values for one field the later one counts, as in tf.data.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from feedline.errors import BuildError, BuildTypeError, check_at_least

__all__ = [
    "AUTOTUNE",
    "EXECUTORS",
    "INFINITE_CARDINALITY",
    "SHARD_HINT",
    "UNKNOWN_CARDINALITY",
    "AutoShardPolicy",
    "AutotuneAlgorithm",
    "AutotuneOptions",
    "DistributeOptions",
    "ExternalStatePolicy",
    "OptimizationOptions",
    "Options",
    "ServiceOptions",
    "ThreadingOptions",
]

EXECUTORS = ("inline", "threads", "processes", "background")
# A day: what takes longer is no time-out.
_LONGEST_S = 86_400
_AT_LEAST_1 = ("block_size", "max_image_pixels", "max_line_bytes", "remote_attempts")
_AT_LEAST_0 = (
    *("cpu_budget", "ram_budget", "initial_parallelism", "min_parallelism"),
    *("max_intra_op_parallelism", "private_threadpool_size"),
)

AUTOTUNE = -1
INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2
SHARD_HINT = -1


class AutoShardPolicy(enum.IntEnum):
    """How a dataset is split among the workers of a distributed job."""

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


class AutotuneAlgorithm(enum.Enum):
    """How the tuner searches."""

    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4


class ExternalStatePolicy(enum.Enum):
    """What to do when a pipeline that depends on outside state is saved."""

    WARN = 0
    IGNORE = 1
    FAIL = 2


class _Settings:
    """Refuses unknown names and values of the wrong type, where they are written."""

    _aliases: ClassVar[dict[str, str]] = {}
    _protected: ClassVar[bool] = False

    def __setattr__(self, name: str, value: Any) -> None:
        name = self._aliases.get(name, name)
        known = {f.name: f for f in fields(self)}  # type: ignore[arg-type]
        if name not in known:
            raise AttributeError(
                f"{type(self).__name__} has no setting {name!r}. Known: {', '.join(known)}."
            )
        if self._protected:
            raise BuildError(
                f"{type(self).__name__}.{name}: what Dataset.options() returns cannot be changed. "
                "Set options on a new Options() and give it to with_options()."
            )
        allowed = known[name].metadata.get("types")
        if value is not None and allowed is not None and not _fits(value, allowed):
            names = " or ".join(kind.__name__ for kind in allowed)
            raise BuildTypeError(f"{type(self).__name__}.{name} must be {names}, got {value!r}.")
        if name in _AT_LEAST_1 and value is not None:
            check_at_least(type(self).__name__, name, value, 1)
        if name == "remote_timeout_s" and value is not None and not 0 < value <= _LONGEST_S:
            raise BuildError(
                f"Options.remote_timeout_s must be more than 0 and at most {_LONGEST_S} seconds, "
                f"got {value!r}."
            )
        if name == "executor" and value is not None and value not in EXECUTORS:
            raise BuildError(
                f"Options.executor must be one of {', '.join(EXECUTORS)}, or None, got {value!r}."
            )
        if name in _AT_LEAST_0 and value is not None:
            check_at_least(type(self).__name__, name, value, 0)
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        found = [(f.name, getattr(self, f.name)) for f in fields(self)]  # type: ignore[arg-type]
        shown = [f"{name}={value!r}" for name, value in found if _is_set(value)]
        return f"{type(self).__name__}({', '.join(shown)})"


def _is_set(value: Any) -> bool:
    if isinstance(value, _Settings):
        return value != type(value)()
    return value is not None


def _fits(value: Any, allowed: tuple[type, ...]) -> bool:
    return isinstance(value, allowed) and (bool in allowed or not isinstance(value, bool))


def _setting(*types: type) -> Any:
    return field(default=None, metadata={"types": types})


def _group(kind: type) -> Any:
    return field(default_factory=kind, metadata={"types": (kind,)})


@dataclass(repr=False)
class AutotuneOptions(_Settings):
    """Settings of the tuner."""

    enabled: bool | None = _setting(bool)
    cpu_budget: int | None = _setting(int)
    ram_budget: int | None = _setting(int)
    autotune_algorithm: AutotuneAlgorithm | None = _setting(AutotuneAlgorithm)
    initial_parallelism: int | None = _setting(int)
    min_parallelism: int | None = _setting(int)

    @property
    def tunes(self) -> bool:
        """Whether anything is changed while a pipeline runs."""
        most = self.autotune_algorithm is AutotuneAlgorithm.MAX_PARALLELISM
        return self.enabled is not False and not most


@dataclass(repr=False)
class DistributeOptions(_Settings):
    """Settings of automatic sharding."""

    auto_shard_policy: AutoShardPolicy | None = _setting(AutoShardPolicy)
    num_devices: int | None = _setting(int)


@dataclass(repr=False)
class OptimizationOptions(_Settings):
    """Which rewrites of the plan are allowed."""

    apply_default_optimizations: bool | None = _setting(bool)
    filter_fusion: bool | None = _setting(bool)
    filter_parallelization: bool | None = _setting(bool)
    inject_prefetch: bool | None = _setting(bool)
    map_and_batch_fusion: bool | None = _setting(bool)
    map_and_filter_fusion: bool | None = _setting(bool)
    map_fusion: bool | None = _setting(bool)
    map_parallelization: bool | None = _setting(bool)
    noop_elimination: bool | None = _setting(bool)
    parallel_batch: bool | None = _setting(bool)
    seq_interleave_prefetch: bool | None = _setting(bool)
    shuffle_and_repeat_fusion: bool | None = _setting(bool)

    def is_on(self, rewrite: str) -> bool:
        """Whether tf.data would make a rewrite that is one of its defaults."""
        chosen: bool | None = getattr(self, rewrite)
        return self.apply_default_optimizations is not False if chosen is None else chosen


@dataclass(repr=False)
class ServiceOptions(_Settings):
    """Settings of the client of the data service."""

    pinned: bool | None = _setting(bool)


@dataclass(repr=False)
class ThreadingOptions(_Settings):
    """Settings of the thread pools."""

    max_intra_op_parallelism: int | None = _setting(int)
    private_threadpool_size: int | None = _setting(int)


@dataclass(repr=False)
class Options(_Settings):
    """Settings of a pipeline.

    Example:
        >>> options = Options()
        >>> options.deterministic = False
        >>> options.merge(Options(dataset_name="train")).dataset_name
        'train'
    """

    autotune: AutotuneOptions = _group(AutotuneOptions)
    dataset_name: str | None = _setting(str)
    deterministic: bool | None = _setting(bool)
    experimental_distribute: DistributeOptions = _group(DistributeOptions)
    experimental_external_state_policy: ExternalStatePolicy | None = _setting(ExternalStatePolicy)
    experimental_optimization: OptimizationOptions = _group(OptimizationOptions)
    experimental_service: ServiceOptions = _group(ServiceOptions)
    experimental_slack: bool | None = _setting(bool)
    experimental_symbolic_checkpoint: bool | None = _setting(bool)
    experimental_warm_start: bool | None = _setting(bool)
    framework_type: list[str] | None = _setting(list)
    threading: ThreadingOptions = _group(ThreadingOptions)

    # Feedline's own.
    block_size: int | None = _setting(int)
    """The most elements an operator handles at once; None adapts it to their cost."""
    executor: str | None = _setting(str)
    """Where functions run: "inline", "threads", "processes", "background"; None measures."""
    restart_workers: bool | None = _setting(bool)
    """Whether functions may be called again on elements whose process was killed."""
    max_image_pixels: int | None = _setting(int)
    """How many pixels an image may have, all its frames together, to be decoded at all; None
    for 2**28. A damaged file of a few bytes can ask for more memory than there is."""
    max_line_bytes: int | None = _setting(int)
    """How long a line of a text, CSV or JSON lines file may be, decompressed; None for 2**28. A
    compressed file of a few bytes can hold a line that needs more memory than there is."""
    remote_attempts: int | None = _setting(int)
    """How often a request for a file at a URL is made before it has failed; None for 7."""
    remote_timeout_s: float | None = _setting(float, int)
    """How long the answer to such a request may take, in seconds, and ten more for every megabyte
    of it; None for 60. What takes longer is given up and tried again."""
    seed: int | None = _setting(int)
    """Seed of every random step that was given none; None draws one per iteration."""
    skip_rules: tuple[str, ...] | None = _setting(tuple, list, set, frozenset)
    """Names of rewrite rules to leave out."""
    vectorize: bool | None = _setting(bool)
    """Whether functions may run on many elements at once where that is the same."""

    _aliases: ClassVar[dict[str, str]] = {
        "experimental_deterministic": "deterministic",
        "experimental_threading": "threading",
    }

    @property
    def experimental_deterministic(self) -> bool | None:
        """The old name of ``deterministic``."""
        return self.deterministic

    @experimental_deterministic.setter
    def experimental_deterministic(self, value: bool | None) -> None:
        self.deterministic = value

    @property
    def experimental_threading(self) -> ThreadingOptions:
        """The old name of ``threading``."""
        return self.threading

    @experimental_threading.setter
    def experimental_threading(self, value: ThreadingOptions) -> None:
        self.threading = value

    @property
    def vectorizes(self) -> bool:
        """Whether functions may run on many elements at once."""
        allowed = self.experimental_optimization.apply_default_optimizations is not False
        return allowed if self.vectorize is None else self.vectorize

    @property
    def injects_prefetch(self) -> bool:
        """Whether the last step may be computed ahead though nobody asked for it."""
        return self.autotune.enabled is not False and self.experimental_optimization.is_on(
            "inject_prefetch"
        )

    def merge(self, options: Options) -> Options:
        """Return the settings of both; where both set a field, that of ``options`` counts."""
        if not isinstance(options, Options):
            raise BuildTypeError(f"Options.merge(): options must be Options, got {options!r}.")
        merged: Options = _merge(self, options)
        return merged

    def conflicts(self, other: Options) -> list[tuple[str, Any, Any]]:
        """Return the fields that both set to different values: name, value here, value there."""
        return _conflicts(self, other)

    def protected(self) -> Options:
        """Return a copy that refuses changes."""
        copy = self.merge(Options())
        for settings in (copy, *vars(copy).values()):
            if isinstance(settings, _Settings):
                object.__setattr__(settings, "_protected", True)
        return copy


def _merge(first: Any, second: Any) -> Any:
    changes = {}
    for item in fields(first):
        mine, theirs = getattr(first, item.name), getattr(second, item.name)
        if isinstance(mine, _Settings):
            changes[item.name] = _merge(mine, theirs)
        elif item.name == "framework_type" and mine and theirs:
            changes[item.name] = mine + theirs  # a list of everyone involved, as in tf.data
        elif theirs is not None:
            changes[item.name] = theirs
    return replace(first, **changes)


def _conflicts(first: Any, second: Any) -> list[tuple[str, Any, Any]]:
    found = []
    for item in fields(first):
        mine, theirs = getattr(first, item.name), getattr(second, item.name)
        if isinstance(mine, _Settings):
            found.extend(_conflicts(mine, theirs))
        elif item.name != "framework_type" and None not in (mine, theirs) and mine != theirs:
            found.append((item.name, mine, theirs))
    return found
