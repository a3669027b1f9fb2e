"""Functions of each number by itself."""

import operator

import numpy as np

from tests.graph.rules.cases import (
    ALL,
    FLOATS,
    INTEGERS,
    NUMBERS,
    REAL,
    Case,
    Entry,
    Operand,
    each,
    fixed,
    together,
)


def ufuncs():
    found = {}
    for name in sorted(dir(np)):
        value = getattr(np, name)
        if isinstance(value, np.ufunc) and value.signature is None:
            found.setdefault(value, value.__name__ if hasattr(np, value.__name__) else name)
    return [
        Entry(f"np.{name}", _of_ufunc(ufunc), note=_NOTES.get(ufunc, ""), loops=ufunc in _NOTES)
        for ufunc, name in found.items()
    ]


_EXPONENTS = "at once: integers, exponents of the shape of the base, and a constant"
_NOTES = {
    **dict.fromkeys((np.fmax, np.fmin), "integers at once"),
    **dict.fromkeys((np.power, np.float_power), _EXPONENTS),
}


def _of_ufunc(ufunc):
    """Operands all of one dtype that the ufunc has a loop for."""
    dtypes = [t for t in ALL if _takes(ufunc, np.dtype(t).char)] or [np.int32]
    if ufunc is np.ldexp:
        return fixed(np.ldexp, Operand((3, 4), np.float32), Operand((4,), np.int32))
    if ufunc is np.isnat:
        return fixed(
            lambda x: np.isnat(x),
            Operand((3,), "M8[s]", lambda rng, shape: rng.integers(0, 9, shape)),
        )

    def make(pick):
        dtype = pick.dtype(dtypes)
        shapes = pick.together(ufunc.nin)
        return Case(ufunc, [Operand(shape, dtype) for shape in shapes])

    return make


def _takes(ufunc, char):
    return any(types.startswith(char * ufunc.nin + "->") for types in ufunc.types)


def _operator(symbol, call, dtypes=ALL):
    return Entry(f"a {symbol} b", together(call, 2, dtypes))


def _scalar(call, dtypes=REAL):
    return each(call, dtypes)


def _filled(x):
    made = np.empty_like(x)
    made[...] = x * 2
    return made


def _in_place(x, y):
    x = x.copy()
    x += y
    x *= 2
    return x


OPERATORS = [
    _operator("+", operator.add),
    _operator("-", operator.sub, REAL),
    _operator("*", operator.mul, NUMBERS),
    _operator("/", operator.truediv, REAL),
    _operator("//", operator.floordiv, REAL),
    _operator("%", operator.mod, REAL),
    _operator("&", operator.and_, INTEGERS),
    _operator("|", operator.or_, INTEGERS),
    _operator("^", operator.xor, INTEGERS),
    _operator("<<", operator.lshift, [np.uint8]),
    _operator(">>", operator.rshift, [np.uint8]),
    _operator("==", operator.eq),
    _operator("!=", operator.ne),
    _operator("<", operator.lt, REAL),
    _operator("<=", operator.le, REAL),
    _operator(">", operator.gt, REAL),
    _operator(">=", operator.ge, REAL),
    Entry(
        "a ** b",
        together(lambda a, b: a**b, 2, FLOATS),
        note=_EXPONENTS,
        loops=True,
    ),
    Entry("-a", each(operator.neg, REAL)),
    Entry("+a", each(operator.pos, REAL)),
    Entry("~a", each(operator.invert, [*INTEGERS, np.bool])),
    Entry("abs(a)", each(abs, REAL)),
    Entry(
        "round(a, n)",
        each(lambda x: round(x, 1), FLOATS, high=0, ordinary=()),
        note="of single numbers",
    ),
    Entry("divmod(a, b)", together(divmod, 2, REAL)),
    Entry("a + 1, 1 + a", each(lambda x: (x + 1, 1 + x), NUMBERS)),
    Entry("a * 0.5, 2 - a, 1 / a", each(lambda x: (x * 0.5, 2 - x, 1 / (x + 20)), FLOATS)),
    Entry("a ** 2, 2.0 ** a", each(lambda x: (x**2, 2.0**x), FLOATS, low=1)),
    Entry(
        "a += b, a *= b", fixed(_in_place, Operand((3, 4), np.float32), Operand((4,), np.float32))
    ),
]

METHODS = [
    Entry(
        "a.astype", each(lambda x, t: x.astype(t), REAL, t=[np.float32, np.int64, bool, np.float16])
    ),
    Entry("a.clip", each(lambda x: x.clip(-1, 2), REAL)),
    Entry("a.round", each(lambda x, n: x.round(n), REAL, n=[0, 1, -1])),
    Entry("a.conj", each(lambda x: x.conj())),
    Entry("a.real", each(lambda x: x.real)),
    Entry("a.imag", each(lambda x: x.imag)),
]

FUNCTIONS = [
    Entry("np.angle", each(np.angle, [*FLOATS, np.complex64], deg=[False, True]), loops=True),
    Entry("np.around", each(np.around, REAL, decimals=[0, 2, -1])),
    Entry("np.astype", each(lambda x, t: np.astype(x, t), REAL, t=[np.float32, np.int32])),
    Entry(
        "np.clip",
        together(np.clip, 3, REAL),
        note="at once where zeros have one sign, or limits are the same for all",
        loops=True,
    ),
    Entry("np.fix", each(np.fix, REAL)),
    Entry("np.i0", each(np.i0, [np.float64, np.float32]), loops=True),
    Entry("np.imag", each(np.imag)),
    Entry("np.isclose", together(lambda a, b: np.isclose(a, b, rtol=0.1), 2, REAL)),
    Entry("np.iscomplex", each(np.iscomplex)),
    Entry("np.isneginf", each(np.isneginf, REAL)),
    Entry("np.isposinf", each(np.isposinf, REAL)),
    Entry("np.isreal", each(np.isreal)),
    Entry("np.nan_to_num", each(np.nan_to_num, nan=[0.0, 7.0]), note="not with copy=False"),
    Entry("np.real", each(np.real)),
    Entry("np.round", each(np.round, REAL, decimals=[0, 1, -1])),
    Entry(
        "np.select",
        together(lambda a, b, c: np.select([a > 0, b > 0], [b, c], 7), 3, REAL),
    ),
    Entry("np.sinc", each(np.sinc, FLOATS)),
    Entry(
        "np.where",
        together(lambda a, b, c: np.where(a > 0, b, c), 3, REAL),
        note="with three arguments",
    ),
    Entry(
        "np.linspace",
        fixed(
            lambda a, b: np.linspace(a, b, 5), Operand((3,), np.float32), Operand((), np.float32)
        ),
        loops=True,
    ),
    Entry(
        "np.logspace",
        fixed(lambda a, b: np.logspace(a, b, 5), Operand((), np.float64), Operand((), np.float64)),
        loops=True,
    ),
    Entry(
        "np.geomspace",
        fixed(lambda a: np.geomspace(1 + abs(a), 99, 5), Operand((), np.float64)),
        loops=True,
    ),
]

CREATION = [
    Entry("np.copy", each(np.copy, order=["K", "C"])),
    Entry("a.copy", each(lambda x: x.copy())),
    Entry("np.zeros_like", each(np.zeros_like, dtype=[None, np.int8], shape=[None, (2, 3), 4])),
    Entry("np.ones_like", each(np.ones_like, dtype=[None, np.float64])),
    Entry("np.empty_like", each(_filled, REAL, low=1), note="filled with zeros"),
    Entry("np.full_like", each(lambda x: np.full_like(x, 3, dtype=np.float32), REAL)),
    Entry(
        "np.full_like, own value",
        fixed(np.full_like, Operand((2, 3), np.float32), Operand((3,), np.int32)),
    ),
]

ENTRIES = [*ufuncs(), *OPERATORS, *METHODS, *FUNCTIONS, *CREATION]
