"""Reductions, running results, statistics, sorting, searching."""

import numpy as np

from tests.graph.rules.cases import (
    ALL,
    BOOL,
    FLOATS,
    INTEGERS,
    NUMBERS,
    REAL,
    Case,
    Entry,
    Operand,
    along,
    each,
    fixed,
    picks,
    sized,
)

KEEP = [False, True]
MATRIX = Operand((3, 4), np.float32)
VECTOR = Operand((4,), np.float32)


def with_nan(rng, shape):
    return np.where(rng.random(shape) < 0.3, np.nan, rng.standard_normal(shape))


def reduces(name, call, dtypes=ALL, note="", **options):
    return Entry(
        name, along(call, dtypes, low=0, several=True, keepdims=KEEP, **options), note=note
    )


def skips_nan(name, call):
    """Of numbers some of which are NaN."""

    def make(pick):
        shape = pick.shape(1)
        axis = pick.axis(shape, several=True)
        keep = pick.of(KEEP)
        return Case(
            lambda x: call(x, axis=axis, keepdims=keep),
            [Operand(shape, pick.dtype(FLOATS), with_nan)],
        )

    return Entry(name, make)


REDUCTIONS = [
    reduces("np.sum", np.sum, dtype=[None, np.float64, np.float32]),
    reduces("np.prod", np.prod, dtype=[None, np.float64]),
    reduces("np.mean", np.mean, dtype=[None, np.float64]),
    reduces("np.std", np.std, ddof=[0, 1]),
    reduces("np.var", np.var, ddof=[0, 1]),
    reduces("np.max", np.max),
    reduces("np.min", np.min),
    reduces("np.amax", np.amax),
    reduces("np.amin", np.amin),
    reduces("np.any", np.any),
    reduces("np.all", np.all),
    reduces("np.ptp", np.ptp, REAL),
    Entry("np.argmax", along(np.argmax, low=0, keepdims=KEEP)),
    Entry("np.argmin", along(np.argmin, low=0, keepdims=KEEP)),
    Entry(
        "np.count_nonzero",
        along(np.count_nonzero, none=False, several=True, keepdims=KEEP),
        note="with an axis: without one, older versions of NumPy return a Python int",
    ),
    skips_nan("np.nansum", np.nansum),
    skips_nan("np.nanprod", np.nanprod),
    skips_nan("np.nanmean", np.nanmean),
    skips_nan("np.nanstd", np.nanstd),
    skips_nan("np.nanvar", np.nanvar),
    skips_nan("np.nanmax", np.nanmax),
    skips_nan("np.nanmin", np.nanmin),
    Entry("np.nanargmax", along(np.nanargmax, REAL, keepdims=KEEP)),
    Entry("np.nanargmin", along(np.nanargmin, REAL, keepdims=KEEP)),
    Entry("np.sum, where", fixed(lambda x, y: np.sum(x, axis=0, where=y > 0), MATRIX, VECTOR)),
    Entry("np.max, initial", each(lambda x: np.max(x, initial=3), REAL)),
    *(
        Entry(f"a.{name}", along(lambda x, name=name, **kw: getattr(x, name)(**kw), NUMBERS, low=1))
        for name in ("sum", "prod", "mean", "std", "var", "max", "min", "any", "all")
    ),
    *(
        Entry(f"a.{name}", along(lambda x, name=name, **kw: getattr(x, name)(**kw), NUMBERS))
        for name in ("argmax", "argmin", "cumsum", "cumprod")
    ),
]

UFUNC_METHODS = [
    *(
        Entry(f"np.{u.__name__}.reduce", along(u.reduce, REAL, several=True, keepdims=KEEP))
        for u in (np.add, np.multiply, np.maximum, np.minimum)
    ),
    *(
        Entry(f"np.{u.__name__}.reduce", along(u.reduce, FLOATS, several=True))
        for u in (np.logaddexp, np.hypot)
    ),
    *(
        Entry(f"np.{u.__name__}.reduce", along(u.reduce, dtypes))
        for u, dtypes in ((np.logical_and, NUMBERS), (np.bitwise_or, INTEGERS))
    ),
    *(
        Entry(f"np.{u.__name__}.accumulate", along(u.accumulate, REAL, none=False))
        for u in (np.add, np.multiply, np.maximum, np.minimum)
    ),
    *(
        Entry(f"np.{u.__name__}.outer", sized(u.outer, "ab", "c"))
        for u in (np.add, np.subtract, np.multiply, np.maximum, np.equal)
    ),
]

RUNNING = [
    Entry("np.cumsum", along(np.cumsum, low=0, dtype=[None, np.float64])),
    Entry("np.cumprod", along(np.cumprod, low=0)),
    Entry("np.nancumsum", along(np.nancumsum, REAL)),
    Entry("np.nancumprod", along(np.nancumprod, REAL)),
    Entry("np.cumulative_sum", along(np.cumulative_sum, none=False, include_initial=KEEP)),
    Entry("np.cumulative_prod", along(np.cumulative_prod, none=False, include_initial=KEEP)),
    Entry("np.diff", along(np.diff, none=False, n=[1, 2, 0])),
    Entry(
        "np.diff, prepend",
        fixed(lambda x, y: np.diff(x, prepend=0, append=y), VECTOR, Operand((2,), np.float32)),
    ),
    Entry("np.ediff1d", each(np.ediff1d, REAL, low=1)),
    Entry("np.gradient", along(np.gradient, FLOATS, several=True)),
    Entry("np.gradient, spacing", fixed(lambda x: np.gradient(x, 2.0, axis=-1), MATRIX)),
    Entry("np.trapezoid", along(np.trapezoid, FLOATS, none=False, ordinary=-1)),
    Entry("np.trapezoid, x", fixed(np.trapezoid, VECTOR, VECTOR)),
    Entry("np.unwrap", along(np.unwrap, FLOATS, none=False, ordinary=-1)),
]

STATISTICS = [
    reduces("np.median", np.median, REAL),
    Entry(
        "np.quantile",
        along(np.quantile, FLOATS, several=True, q=[0.5, [0.1, 0.9]], keepdims=KEEP),
        note="with the same q for all elements",
    ),
    Entry(
        "np.percentile",
        along(np.percentile, FLOATS, q=[[25, 50], 30], method=["linear", "nearest", "lower"]),
        note="with the same q for all elements",
    ),
    Entry("np.average", along(np.average, REAL, keepdims=KEEP)),
    Entry(
        "np.average, weights", fixed(lambda x, w: np.average(x, weights=abs(w) + 1), MATRIX, MATRIX)
    ),
    Entry(
        "np.average, axis and weights",
        fixed(lambda x, w: np.average(x, 1, abs(w) + 1), MATRIX, MATRIX),
    ),
    Entry("np.nanmedian", along(np.nanmedian, FLOATS), loops=True),
    Entry("np.nanpercentile", along(np.nanpercentile, FLOATS, q=[30]), loops=True),
    Entry("np.nanquantile", along(np.nanquantile, FLOATS, q=[0.3]), loops=True),
    Entry("np.cov", fixed(np.cov, MATRIX), loops=True),
    Entry("np.corrcoef", fixed(np.corrcoef, MATRIX), loops=True),
    Entry("np.convolve", picks(np.convolve, VECTOR, VECTOR, mode=["full", "same"]), loops=True),
    Entry("np.correlate", picks(np.correlate, VECTOR, VECTOR, mode=["valid", "full"]), loops=True),
]

SORTING = [
    Entry("np.sort", along(np.sort, ordinary=-1, kind=[None, "stable"])),
    Entry("np.argsort", along(np.argsort, ordinary=-1, kind=[None, "stable"])),
    Entry("a.argsort", each(lambda x: x.argsort(), REAL, low=1)),
    Entry("a.sort", each(lambda x: (x.sort(), x)[1:], REAL, low=1)),
    Entry("np.partition", fixed(lambda x: np.partition(x, 2, axis=-1), MATRIX)),
    Entry("np.argpartition", fixed(lambda x: np.argpartition(x, 1, axis=0), MATRIX)),
    Entry("a.argpartition", fixed(lambda x: x.argpartition(1), MATRIX)),
    Entry("np.lexsort", sized(lambda a, b: np.lexsort((a, b)), "ab", "ab", dtypes=INTEGERS)),
    Entry("np.sort_complex", each(np.sort_complex, low=1)),
]


def rising(rng, shape):
    return np.sort(rng.integers(-20, 20, shape), axis=-1)


def own_tables(pick):
    side = pick.of(["left", "right"])
    return Case(
        lambda table, x: np.searchsorted(table, x, side),
        [Operand((5,), np.float32, rising), Operand(pick.shape(), np.float32)],
    )


TABLE = np.array([-5.0, -1.0, 0.0, 2.0, 2.0, 9.0], np.float32)
SEARCHING = [
    Entry("np.searchsorted, constant table", each(lambda x: np.searchsorted(TABLE, x), REAL)),
    Entry(
        "np.searchsorted, own table",
        own_tables,
        note="if the tables are sorted",
    ),
    Entry(
        "a.searchsorted",
        fixed(
            lambda t, x: t.searchsorted(x), Operand((5,), np.int32, rising), Operand((3,), np.int32)
        ),
    ),
    Entry("np.digitize", each(np.digitize, REAL, bins=[TABLE, [3, 1, 0]], right=KEEP)),
    Entry("np.isin, constant set", each(lambda x: np.isin(x, [0, 1, 2, 3]), NUMBERS)),
    Entry(
        "np.isin, own set",
        sized(lambda x, s: np.isin(x, s, invert=True), "ab", "c", dtypes=INTEGERS),
        note="if both have the same dtype",
    ),
    Entry(
        "np.interp",
        each(lambda x: np.interp(x, [-2.0, 0.0, 3.0], [1.0, 5.0, 2.0]), FLOATS),
        note="with the same points, in rising order, for all elements",
    ),
]

DATES = Operand((3,), "M8[D]", lambda rng, shape: rng.integers(0, 99, shape))
CALENDAR = [
    Entry("np.is_busday", fixed(np.is_busday, DATES), loops=True),
    Entry("np.busday_count", fixed(np.busday_count, DATES, DATES), loops=True),
    Entry(
        "np.busday_offset",
        fixed(lambda d: np.busday_offset(d, 2, roll="forward"), DATES),
        loops=True,
    ),
]

BITS = [
    Entry("np.packbits", along(np.packbits, [*BOOL, np.uint8], bitorder=["big", "little"])),
    Entry("np.unpackbits", along(np.unpackbits, [np.uint8], low=1)),
]

ENTRIES = [
    *REDUCTIONS,
    *UFUNC_METHODS,
    *RUNNING,
    *STATISTICS,
    *SORTING,
    *SEARCHING,
    *CALENDAR,
    *BITS,
]
