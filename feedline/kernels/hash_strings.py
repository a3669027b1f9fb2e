"""hash_strings: 64-bit hashes of byte strings, by which TensorFlow sorts them into buckets.

fingerprint   FarmHash's Fingerprint64
hash64        a variant of MurmurHash64A
strong        SipHash-2-4, keyed
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from feedline.kernels.fingerprint64 import fingerprint64
from feedline.kernels.native import native

__all__ = ["hash_strings", "hash_strings_twin"]

_MASK = (1 << 64) - 1
_SEED = 0xDECAFCAFFE
_MULTIPLIER = 0xC6A4A7935BD1E995


def hash_strings_twin(
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    kind: str,
    key: tuple[int, int] = (0, 0),
) -> NDArray[np.uint64]:
    """Return the hash of each string of a buffer.

    Args:
        data: The bytes of all strings.
        offsets: Where each begins, and where the last ends.
        kind: "fingerprint", "hash64" or "strong".
        key: Two numbers of 64 bits, for "strong".

    Example:
        >>> hash_strings(np.frombuffer(b"hello", np.uint8), np.array([0, 5]), "fingerprint")
        array([13009744463427800296], dtype=uint64)
    """
    bounds = offsets.tolist()
    if bounds[0] < 0 or bounds[-1] > len(data) or np.any(np.diff(offsets) < 0):
        raise ValueError("a string must be inside the data")
    hashes: dict[str, Callable[[bytes], int]] = {
        "fingerprint": fingerprint64,
        "hash64": _hash64,
        "strong": lambda text: _siphash(text, key),
    }
    text = data.tobytes()
    one = hashes[kind]
    return np.array([one(text[a:b]) for a, b in pairwise(bounds)], np.uint64)


def _hash64(text: bytes) -> int:
    value = _SEED ^ (len(text) * _MULTIPLIER & _MASK)
    whole = len(text) // 8 * 8
    for at in range(0, whole, 8):
        word = int.from_bytes(text[at : at + 8], "little") * _MULTIPLIER & _MASK
        word = (word ^ word >> 47) * _MULTIPLIER & _MASK
        value = (value ^ word) * _MULTIPLIER & _MASK
    if whole < len(text):
        value = (value ^ int.from_bytes(text[whole:], "little")) * _MULTIPLIER & _MASK
    value = (value ^ value >> 47) * _MULTIPLIER & _MASK
    return value ^ value >> 47


def _siphash(text: bytes, key: tuple[int, int]) -> int:
    k0, k1 = key
    state = [
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    ]
    padded = text + bytes(7 - len(text) % 8) + bytes([len(text) % 256])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        state[3] ^= word
        _rounds(state, 2)
        state[0] ^= word
    state[2] ^= 0xFF
    _rounds(state, 4)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def _rounds(state: list[int], count: int) -> None:
    a, b, c, d = state
    for _ in range(count):
        a = (a + b) & _MASK
        b = _rotated(b, 13) ^ a
        a = _rotated(a, 32)
        c = (c + d) & _MASK
        d = _rotated(d, 16) ^ c
        a = (a + d) & _MASK
        d = _rotated(d, 21) ^ a
        c = (c + b) & _MASK
        b = _rotated(b, 17) ^ c
        c = _rotated(c, 32)
    state[:] = a, b, c, d


def _rotated(value: int, left: int) -> int:
    return (value << left | value >> (64 - left)) & _MASK


def _hash_strings(
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    kind: str,
    key: tuple[int, int] = (0, 0),
) -> NDArray[np.uint64]:
    hashes: NDArray[np.uint64]
    if kind == "fingerprint":
        hashes = native.hash_fingerprint(data, offsets)
    elif kind == "hash64":
        hashes = native.hash_murmur(data, offsets)
    else:
        hashes = native.hash_siphash(data, offsets, key[0], key[1])
    return hashes


hash_strings = hash_strings_twin if native is None else _hash_strings
