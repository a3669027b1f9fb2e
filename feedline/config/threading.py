"""threading: how many threads pipelines use that do not say it themselves.

Options.threading of a pipeline says it for that pipeline alone.
"""

from __future__ import annotations

from feedline.defaults import defaults, set_default_threading
from feedline.errors import check_at_least
from feedline.namespace import open_namespace

__all__ = [
    "get_inter_op_parallelism_threads",
    "get_intra_op_parallelism_threads",
    "set_inter_op_parallelism_threads",
    "set_intra_op_parallelism_threads",
]


def get_inter_op_parallelism_threads() -> int:
    """Return how many threads a pipeline has, 0 for as many as there are cores.

    Example:
        >>> get_inter_op_parallelism_threads()
        0
    """
    return defaults().threading.private_threadpool_size or 0


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Set how many threads a pipeline has: Options.threading.private_threadpool_size.

    Args:
        num_threads: 0 for as many as there are cores.
    """
    call = "set_inter_op_parallelism_threads()"
    count = check_at_least(call, "num_threads", num_threads, 0)
    set_default_threading(private_threadpool_size=count)


def get_intra_op_parallelism_threads() -> int:
    """Return how many threads one call of a library may use, 0 for as many as there are cores.

    Example:
        >>> get_intra_op_parallelism_threads()
        0
    """
    return defaults().threading.max_intra_op_parallelism or 0


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Set how many threads one call may use: Options.threading.max_intra_op_parallelism.

    Args:
        num_threads: 0 for as many as there are cores.
    """
    call = "set_intra_op_parallelism_threads()"
    count = check_at_least(call, "num_threads", num_threads, 0)
    set_default_threading(max_intra_op_parallelism=count)


open_namespace(globals())
