"""hashing: strings sorted into numbered buckets, the same ones as TensorFlow's."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.column import Bytes, Column, Dense
from feedline.errors import BuildError, check_at_least
from feedline.graph.leaf_operation import leaf_operation
from feedline.kernels.hash_strings import hash_strings
from feedline.strings.lifted import each_of, rule_for, spec_like
from feedline.strings.texts import packed

__all__ = ["to_hash_bucket", "to_hash_bucket_fast", "to_hash_bucket_strong"]


def _buckets(
    column: Bytes, call: str, num_buckets: Any, kind: str, key: tuple[int, int] = (0, 0)
) -> NDArray[np.int64]:
    count = check_at_least(call, "num_buckets", num_buckets, 1)
    hashes = hash_strings(np.ascontiguousarray(column.data), column.offsets, kind, key)
    return (hashes % np.uint64(count)).astype(np.int64)


# ---- to_hash_bucket --------------------------------------------------------------


def _plain(column: Bytes, num_buckets: Any) -> Column:
    return Dense(_buckets(column, "strings.to_hash_bucket()", num_buckets, "hash64"))


def _plain_each(items: list[Any], num_buckets: Any) -> NDArray[np.int64]:
    return _buckets(packed(items), "strings.to_hash_bucket()", num_buckets, "hash64")


@leaf_operation(spec=spec_like(np.int64), columns=rule_for(_plain_each, _plain))
def to_hash_bucket(input: Any, num_buckets: int, name: str | None = None) -> Any:
    """Return the bucket of each string, a number below ``num_buckets``.

    TensorFlow does not promise to keep this hash: prefer to_hash_bucket_fast() for what is
    stored. The buckets are those of TensorFlow 2.21.

    Args:
        input: Strings.
        num_buckets: How many buckets there are.
        name: Has no effect.

    Example:
        >>> to_hash_bucket(["a", "b"], 100)
        array([68, 70])
    """
    return each_of("strings.to_hash_bucket()", _plain_each, input, num_buckets)


# ---- to_hash_bucket_fast ---------------------------------------------------------


def _fast(column: Bytes, num_buckets: Any) -> Column:
    return Dense(_buckets(column, "strings.to_hash_bucket_fast()", num_buckets, "fingerprint"))


def _fast_each(items: list[Any], num_buckets: Any) -> NDArray[np.int64]:
    return _buckets(packed(items), "strings.to_hash_bucket_fast()", num_buckets, "fingerprint")


@leaf_operation(spec=spec_like(np.int64), columns=rule_for(_fast_each, _fast))
def to_hash_bucket_fast(input: Any, num_buckets: int, name: str | None = None) -> Any:
    """Return the bucket of each string by a fingerprint that never changes.

    Args:
        input: Strings.
        num_buckets: How many buckets there are.
        name: Has no effect.

    Example:
        >>> to_hash_bucket_fast(["a", "b"], 100)
        array([39, 22])
    """
    return each_of("strings.to_hash_bucket_fast()", _fast_each, input, num_buckets)


# ---- to_hash_bucket_strong -------------------------------------------------------


def _key(key: Any) -> tuple[int, int]:
    numbers = [int(part) & (2**64 - 1) for part in key]
    if len(numbers) != 2:
        raise BuildError(f"strings.to_hash_bucket_strong(): key must be two numbers, got {key!r}.")
    return numbers[0], numbers[1]


def _strong(column: Bytes, num_buckets: Any, key: Any) -> Column:
    call = "strings.to_hash_bucket_strong()"
    return Dense(_buckets(column, call, num_buckets, "strong", _key(key)))


def _strong_each(items: list[Any], num_buckets: Any, key: Any) -> NDArray[np.int64]:
    call = "strings.to_hash_bucket_strong()"
    return _buckets(packed(items), call, num_buckets, "strong", _key(key))


@leaf_operation(spec=spec_like(np.int64), columns=rule_for(_strong_each, _strong))
def to_hash_bucket_strong(input: Any, num_buckets: int, key: Any, name: str | None = None) -> Any:
    """Return the bucket of each string by a keyed hash, hard to fool on purpose.

    Args:
        input: Strings.
        num_buckets: How many buckets there are.
        key: Two integers.
        name: Has no effect.

    Example:
        >>> to_hash_bucket_strong(["a", "b"], 100, key=[1, 2])
        array([46, 84])
    """
    return each_of("strings.to_hash_bucket_strong()", _strong_each, input, num_buckets, key)
