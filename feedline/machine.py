"""machine: how many processors and how much memory this process may use.

Containers limit both below what the machine has; so does an affinity mask.
"""

from __future__ import annotations

import os
from functools import cache

__all__ = ["available_cpus", "available_memory"]

_CGROUP = "/sys/fs/cgroup"
_DEFAULT_MEMORY = 4 << 30


@cache
def available_cpus() -> int:
    """Return how many processors this process may use, at least one."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        count = os.cpu_count() or 1
    quota = _cpu_quota()
    return max(1, count if quota is None else min(count, round(quota)))


@cache
def available_memory() -> int:
    """Return how many bytes of memory this process may use."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        whole = _DEFAULT_MEMORY
    limit = _number(f"{_CGROUP}/memory.max", f"{_CGROUP}/memory/memory.limit_in_bytes")
    return whole if limit is None else min(whole, limit)


def _cpu_quota() -> float | None:
    """Return the share of processors that control groups allow, None if they allow all."""
    text = _text(f"{_CGROUP}/cpu.max")
    if text is not None:
        quota, _, period = text.partition(" ")
        return None if quota == "max" else int(quota) / int(period or 100_000)
    quota_us = _number(f"{_CGROUP}/cpu/cpu.cfs_quota_us")
    period_us = _number(f"{_CGROUP}/cpu/cpu.cfs_period_us")
    if quota_us is None or not period_us or quota_us <= 0:
        return None
    return quota_us / period_us


def _number(*paths: str) -> int | None:
    for path in paths:
        text = _text(path)
        if text is not None and text.lstrip("-").isdigit():
            return int(text)
    return None


def _text(path: str) -> str | None:
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return None
