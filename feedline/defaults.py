"""defaults: settings of the whole process, for pipelines that do not say them."""

from __future__ import annotations

from dataclasses import replace

from feedline.options import Options, ThreadingOptions

__all__ = [
    "always_ordered",
    "defaults",
    "set_always_ordered",
    "set_default_threading",
    "with_defaults",
]


class _Process:
    options: Options | None = None
    always_ordered = False


def always_ordered() -> bool:
    """Whether every step hands on its elements in order, whatever pipelines say."""
    return _Process.always_ordered


def set_always_ordered(is_on: bool) -> None:
    """Turn it on or off."""
    _Process.always_ordered = is_on


def defaults() -> Options:
    """Return what was set; an unset field reads None."""
    return _Process.options or Options()


def set_default_threading(
    *,
    max_intra_op_parallelism: int | None = None,
    private_threadpool_size: int | None = None,
) -> None:
    """Set one of them for pipelines that do not say it, 0 as if nothing had been set.

    Example:
        >>> set_default_threading(private_threadpool_size=2)
        >>> with_defaults(Options()).threading.private_threadpool_size
        2
        >>> set_default_threading(private_threadpool_size=0)
    """
    threading: ThreadingOptions = defaults().threading
    if max_intra_op_parallelism is not None:
        threading = replace(threading, max_intra_op_parallelism=max_intra_op_parallelism or None)
    if private_threadpool_size is not None:
        threading = replace(threading, private_threadpool_size=private_threadpool_size or None)
    _Process.options = None if threading == ThreadingOptions() else Options(threading=threading)


def with_defaults(options: Options) -> Options:
    """Return the settings of a pipeline, and where they say nothing those of the process."""
    return options if _Process.options is None else _Process.options.merge(options)
