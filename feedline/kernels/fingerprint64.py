"""fingerprint64: FarmHash's Fingerprint64, by which TensorFlow sorts strings into buckets.

It never changes between releases or machines: a model trained with buckets made there
finds the same buckets here.
"""

from __future__ import annotations

__all__ = ["fingerprint64"]

_MASK = (1 << 64) - 1
_K0 = 0xC3A5C85C97CB3127
_K1 = 0xB492B66FBE98F273
_K2 = 0x9AE16A3B2F90404F

_Pair = tuple[int, int]


def fingerprint64(data: bytes) -> int:
    """Return the fingerprint of some bytes.

    Example:
        >>> fingerprint64(b"hello")
        13009744463427800296
    """
    length = len(data)
    if length <= 16:
        return _up_to_16(data)
    if length <= 32:
        return _up_to_32(data)
    if length <= 64:
        return _up_to_64(data)
    return _more_than_64(data)


def _up_to_16(data: bytes) -> int:
    length = len(data)
    multiplier = (_K2 + 2 * length) & _MASK
    if length >= 8:
        a = (_word(data, 0) + _K2) & _MASK
        b = _word(data, length - 8)
        c = (_rotate(b, 37) * multiplier + a) & _MASK
        d = ((_rotate(a, 25) + b) * multiplier) & _MASK
        return _join(c, d, multiplier)
    if length >= 4:
        first = int.from_bytes(data[:4], "little")
        return _join(length + (first << 3), int.from_bytes(data[-4:], "little"), multiplier)
    if length:
        y = data[0] + (data[length >> 1] << 8)
        z = length + (data[-1] << 2)
        return (_mix((y * _K2 ^ z * _K0) & _MASK) * _K2) & _MASK
    return _K2


def _up_to_32(data: bytes) -> int:
    length = len(data)
    multiplier = (_K2 + 2 * length) & _MASK
    a, b = (_word(data, 0) * _K1) & _MASK, _word(data, 8)
    c = (_word(data, length - 8) * multiplier) & _MASK
    d = (_word(data, length - 16) * _K2) & _MASK
    left = _rotate(a + b, 43) + _rotate(c, 30) + d
    return _join(left, a + _rotate(b + _K2, 18) + c, multiplier)


def _up_to_64(data: bytes) -> int:
    length = len(data)
    multiplier = (_K2 + 2 * length) & _MASK
    a, b = (_word(data, 0) * _K2) & _MASK, _word(data, 8)
    c = (_word(data, length - 8) * multiplier) & _MASK
    d = (_word(data, length - 16) * _K2) & _MASK
    y = (_rotate(a + b, 43) + _rotate(c, 30) + d) & _MASK
    z = _join(y, a + _rotate(b + _K2, 18) + c, multiplier)
    e, f = (_word(data, 16) * multiplier) & _MASK, _word(data, 24)
    g = ((y + _word(data, length - 32)) * multiplier) & _MASK
    h = ((z + _word(data, length - 24)) * multiplier) & _MASK
    return _join(_rotate(e + f, 43) + _rotate(g, 30) + h, e + _rotate(f + a, 18) + g, multiplier)


def _more_than_64(data: bytes) -> int:
    x, y = 81, (81 * _K1 + 113) & _MASK
    z = (_mix((y * _K2 + 113) & _MASK) * _K2) & _MASK
    v: _Pair = (0, 0)
    w: _Pair = (0, 0)
    x = (x * _K2 + _word(data, 0)) & _MASK
    last = len(data) - 1
    for at in range(0, last // 64 * 64, 64):
        x = (_rotate(x + y + v[0] + _word(data, at + 8), 37) * _K1) & _MASK
        y = (_rotate(y + v[1] + _word(data, at + 48), 42) * _K1) & _MASK
        x ^= w[1]
        y = (y + v[0] + _word(data, at + 40)) & _MASK
        z = (_rotate(z + w[0], 33) * _K1) & _MASK
        v = _weak(data, at, v[1] * _K1, x + w[0])
        w = _weak(data, at + 32, z + w[1], y + _word(data, at + 16))
        z, x = x, z
    multiplier = (_K1 + ((z & 0xFF) << 1)) & _MASK
    at = len(data) - 64
    w = ((w[0] + (last & 63)) & _MASK, w[1])
    v = ((v[0] + w[0]) & _MASK, v[1])
    w = ((w[0] + v[0]) & _MASK, w[1])
    x = (_rotate(x + y + v[0] + _word(data, at + 8), 37) * multiplier) & _MASK
    y = (_rotate(y + v[1] + _word(data, at + 48), 42) * multiplier) & _MASK
    x ^= (w[1] * 9) & _MASK
    y = (y + v[0] * 9 + _word(data, at + 40)) & _MASK
    z = (_rotate(z + w[0], 33) * multiplier) & _MASK
    v = _weak(data, at, v[1] * multiplier, x + w[0])
    w = _weak(data, at + 32, z + w[1], y + _word(data, at + 16))
    z, x = x, z
    left = _join(v[0], w[0], multiplier) + _mix(y) * _K0 + z
    return _join(left, _join(v[1], w[1], multiplier) + x, multiplier)


def _word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def _rotate(value: int, shift: int) -> int:
    value &= _MASK
    return ((value >> shift) | (value << (64 - shift))) & _MASK


def _mix(value: int) -> int:
    return value ^ (value >> 47)


def _join(u: int, v: int, multiplier: int) -> int:
    u, v = u & _MASK, v & _MASK
    a = _mix(((u ^ v) * multiplier) & _MASK)
    b = _mix(((v ^ a) * multiplier) & _MASK)
    return (b * multiplier) & _MASK


def _weak(data: bytes, at: int, a: int, b: int) -> _Pair:
    w, x, y, z = (_word(data, at + 8 * number) for number in range(4))
    a = (a + w) & _MASK
    b = _rotate(b + a + z, 21)
    c = a
    a = (a + x + y) & _MASK
    b = (b + _rotate(a, 44)) & _MASK
    return (a + z) & _MASK, (b + c) & _MASK
