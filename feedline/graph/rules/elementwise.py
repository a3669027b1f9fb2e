"""Functions of each number by itself: every ufunc, casts, choices by condition."""

from __future__ import annotations

from typing import Any

import numpy as np

from feedline.graph.rows import aligned
from feedline.graph.rule import RULES, Rule, batched
from feedline.graph.symbol import astype, power

__all__: list[str] = []


class _Elementwise:
    """The rule of one ufunc."""

    __slots__ = ("_ufunc",)

    def __init__(self, ufunc: np.ufunc) -> None:
        self._ufunc = ufunc

    def __call__(self, *operands: Any, **kwargs: Any) -> Any:
        return self._ufunc(*aligned(*operands), **kwargs)


for _name in dir(np):
    _ufunc = getattr(np, _name)
    if isinstance(_ufunc, np.ufunc) and _ufunc.signature is None and _ufunc not in RULES:
        RULES[_ufunc] = Rule(_Elementwise(_ufunc), fresh=True)


@batched(astype, fresh=True)
def _astype(array: Any, dtype: Any, casting: Any = "unsafe") -> Any:
    return array.array.astype(dtype, casting=casting)


@batched(power, fresh=True)
def _power(base: Any, exponent: Any) -> Any:
    base, exponent = aligned(base, exponent)
    rank = max(np.ndim(base), np.ndim(exponent))
    if rank == 1 and np.result_type(base, exponent).kind in "fc":
        # NumPy raises single numbers by another algorithm than arrays: call it for each.
        raise NotImplementedError
    return base**exponent


@batched(np.where, fresh=True)
def _where(condition: Any, x: Any, y: Any) -> Any:
    return np.where(*aligned(condition, x, y))


@batched(np.clip, fresh=True)
def _clip(a: Any, a_min: Any = None, a_max: Any = None, **kwargs: Any) -> Any:
    array, low, high = aligned(a, a_min, a_max)
    return np.clip(array, low, high, **kwargs)
