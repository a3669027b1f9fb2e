"""Indexing, taking, changes in place, questions about shapes."""

import numpy as np

from tests.graph.rules.cases import (
    ALL,
    FLOATS,
    INTEGERS,
    REAL,
    Case,
    Entry,
    Operand,
    below,
    each,
    fixed,
    picks,
    sized,
)

CUBE = Operand((3, 4, 5), np.float32)
MATRIX = Operand((3, 4), np.float32)
VECTOR = Operand((4,), np.float32)
SCALAR = Operand((), np.float32)
MASK = np.array([True, False, True])
I = Operand((), np.int64, below(3))  # noqa: E741
IS = Operand((2,), np.int32, below(3))
GRID = Operand((2, 2), np.int64, below(3))

BASIC = [
    0,
    -1,
    slice(1, None),
    slice(None, None, -1),
    ...,
    None,
    (0, 1),
    (..., 0),
    (slice(None), 1),
    (None, ..., slice(0, 2)),
    (slice(None, None, 2), None, 1),
    (0, ..., 1),
]
CONSTANT = [
    [0, 2],
    np.array([[0, 1], [2, -1]]),
    MASK,
    (slice(None), [0, 3, 3]),
    (MASK, 1),
    ([0, 1], [1, 2]),
    ([0, 1], slice(None), [1, 2]),
    (0, slice(None), [1, 2]),
    (..., [0, 1]),
    (None, [0, 1]),
    ([0, 1], None, 1),
    (slice(None), [0, 1], [2, 3]),
    (MASK, slice(1, 3), 0),
    np.zeros((3, 4), bool),
    [],
]


def gets(name, keys, *operands, note=""):
    """``array[key]`` with a key made of operands."""

    def make(pick):
        key = pick.of(keys)
        return Case(lambda x, *rest: x[key(*rest) if callable(key) else key], list(operands))

    return Entry(name, make, note=note)


def put(call):
    """A function that changes a copy of its first argument."""

    def changed(x, *rest):
        copy = x.copy()
        call(copy, *rest)
        return copy

    return changed


def sets(name, keys, *operands, note=""):
    """``array[key] = value``: the value is the last operand."""

    def make(pick):
        key = pick.of(keys)

        def call(x, *rest):
            x[key(*rest[:-1]) if callable(key) else key] = rest[-1]

        return Case(put(call), list(operands))

    return Entry(name, make, note=note)


def one_hot(i):
    made = np.zeros_like(i, shape=(4,))
    made[i] = 1
    return made


GETTING = [
    gets("a[basic]", BASIC, CUBE),
    gets("a[constant arrays]", CONSTANT, CUBE),
    gets(
        "a[i]",
        [
            lambda i: i,
            lambda i: (i,),
            lambda i: (..., i),
            lambda i: (slice(None), i),
            lambda i: (i, slice(1, 3)),
            lambda i: (0, slice(None), i),
            lambda i: (None, i),
            lambda i: (i, ..., 0),
        ],
        CUBE,
        I,
    ),
    gets(
        "a[i, j]",
        [lambda i, j: (i, j), lambda i, j: (i, slice(None), j), lambda i, j: (..., i, j)],
        CUBE,
        I,
        I,
    ),
    gets(
        "a[indices]",
        [
            lambda k: k,
            lambda k: (slice(None), k),
            lambda k: (..., k),
            lambda k: (k, slice(None), 1),
            lambda k: (k, [0, 1]),
            lambda k: (None, k, 0),
            lambda k: (0, slice(None), k),
            lambda k: (slice(None), k, [0, 1]),
        ],
        CUBE,
        IS,
    ),
    gets(
        "a[grid of indices]",
        [
            lambda k: k,
            lambda k: (k, k),
            lambda k: (k, slice(None), k),
            lambda k: (1, k),
            lambda k: (slice(None), k, 0),
        ],
        CUBE,
        GRID,
    ),
    gets(
        "a[indices, indices]",
        [lambda i, k: (i, k), lambda i, k: (i, slice(None), k), lambda i, k: (k, i, ...)],
        CUBE,
        GRID,
        IS,
    ),
    Entry(
        "table[i]",
        fixed(lambda t, i: t[i], MATRIX, IS),
        note="a table for all elements, or one for each",
    ),
    gets(
        "table[:, i]",
        [lambda i: (slice(None), i), lambda i: (i, slice(None), i), lambda i: (0, slice(None), i)],
        CUBE,
        IS,
    ),
]

SETTING = [
    sets("a[basic] = value", [0, slice(1, None), ..., (slice(None), 1)], MATRIX, SCALAR),
    sets("a[basic] = array", [slice(None), ..., 1, (slice(1, 3),)], MATRIX, VECTOR),
    sets(
        "a[constant arrays] = value",
        [
            [0, 2],
            MASK,
            ([0, 1], slice(None), [1, 2]),
            (slice(None), [0, 0]),
            (0, slice(None), [1, 2]),
        ],
        CUBE,
        SCALAR,
    ),
    sets(
        "a[constant arrays] = array",
        [[0, 2], MASK, (slice(None), [0, 1]), (..., 2, slice(None))],
        CUBE,
        Operand((5,), np.float32),
    ),
    sets(
        "a[i] = value",
        [lambda i: i, lambda i: (slice(None), i), lambda i: (..., i)],
        CUBE,
        I,
        SCALAR,
    ),
    sets(
        "a[i] = array",
        [lambda i: i, lambda i: (slice(None), i), lambda i: (None, i)],
        CUBE,
        I,
        Operand((5,), np.float32),
    ),
    sets(
        "a[indices] = array",
        [lambda k: k, lambda k: (k, slice(None), slice(None))],
        MATRIX,
        IS,
        VECTOR,
    ),
    sets(
        "a[i, j] = value",
        [lambda i, j: (i, j), lambda i, j: (i, slice(None), j)],
        CUBE,
        I,
        I,
        SCALAR,
    ),
    sets("a[mask] = value", [lambda m: m > 0], MATRIX, MATRIX, SCALAR),
    sets("a[mask of rows] = array", [lambda m: m[:, 0] > 0], MATRIX, MATRIX, VECTOR),
    Entry("a[a > 0] = 0", each(put(lambda x: x.__setitem__(x > 0, 0)), REAL, low=1)),
    Entry("one-hot", fixed(one_hot, I), note="zeros with a one at an element's place"),
    Entry("a.fill", each(put(lambda x: x.fill(3)), REAL, low=1)),
]

TAKING = [
    Entry(
        "np.take",
        picks(lambda x, **kw: np.take(x, [[0, 2], [1, 1]], **kw), CUBE, axis=[0, -1, None, 1]),
    ),
    Entry(
        "np.take, own indices",
        picks(np.take, CUBE, GRID, axis=[0, 1, -1, None], mode=["raise", "wrap", "clip"]),
    ),
    Entry("a.take", fixed(lambda x, i: x.take(i, axis=1), MATRIX, I)),
    Entry(
        "np.take_along_axis",
        picks(np.take_along_axis, MATRIX, Operand((3, 2), np.int64, below(3)), axis=[1, -1]),
    ),
    Entry(
        "np.choose",
        picks(
            lambda i, a, b, **kw: np.choose(i, [a, b, 7], **kw),
            Operand((4,), np.int64, below(3, negative=False)),
            VECTOR,
            SCALAR,
            mode=["raise", "wrap"],
        ),
    ),
    Entry(
        "a.choose",
        fixed(lambda i, a: i.choose(a), Operand((4,), np.int64, below(3, negative=False)), MATRIX),
    ),
    Entry("np.diagonal", picks(np.diagonal, CUBE, offset=[0, 1, -1], axis1=[0, -1], axis2=[1])),
    Entry("a.diagonal", fixed(lambda x: x.diagonal(), MATRIX)),
    Entry("np.linalg.diagonal", fixed(np.linalg.diagonal, CUBE)),
    Entry("np.diag", each(np.diag, low=1, high=2, k=[0, 1, -2])),
    Entry("np.diagflat", each(np.diagflat, low=1, k=[0, 1, -2])),
    Entry("np.trace", picks(np.trace, CUBE, offset=[0, 1, -1], axis1=[0, -1], axis2=[1])),
    Entry("np.linalg.trace", each(np.linalg.trace, low=2)),
    Entry("np.tril", each(np.tril, low=2, k=[0, 1, -1])),
    Entry("np.triu", each(np.triu, low=2, k=[0, 1, -1])),
    Entry(
        "np.ravel_multi_index",
        fixed(
            lambda i, j: np.ravel_multi_index((i, j), (3, 4)),
            Operand((2,), np.int64, below(3, negative=False)),
            Operand((), np.int64, below(3, negative=False)),
        ),
    ),
    Entry(
        "np.unravel_index",
        fixed(
            lambda i: np.unravel_index(i, (3, 4)),
            Operand((2,), np.int64, below(12, negative=False)),
        ),
    ),
]

IN_PLACE = [
    Entry("np.copyto", fixed(put(lambda x, y: np.copyto(x, y, where=x > 0)), MATRIX, VECTOR)),
    Entry("np.fill_diagonal", fixed(put(np.fill_diagonal), MATRIX, SCALAR)),
    Entry("np.putmask", fixed(put(lambda x, y: np.putmask(x, x > 0, y)), MATRIX, SCALAR)),
    Entry(
        "np.put_along_axis",
        fixed(
            put(lambda x, i, v: np.put_along_axis(x, i, v, 1)),
            MATRIX,
            Operand((3, 1), np.int64, below(4)),
            SCALAR,
        ),
    ),
    Entry("np.put", fixed(put(lambda x, i: np.put(x, i, 9)), MATRIX, IS), loops=True),
    Entry("np.place", fixed(put(lambda x: np.place(x, x > 0, [1, 2])), MATRIX), loops=True),
]

QUESTIONS = [
    Entry("np.shape", each(lambda x: x * 2 + sum(np.shape(x)), INTEGERS), note="known at once"),
    Entry("np.ndim", each(lambda x: x * 2 + np.ndim(x), INTEGERS), note="known at once"),
    Entry("np.size", each(lambda x: x * 2 + np.size(x), [np.int64]), note="known at once"),
    Entry(
        "np.result_type",
        each(lambda x: x.astype(np.result_type(x, np.float32)), REAL),
        note="known at once",
    ),
    Entry(
        "np.can_cast",
        each(lambda x: x * (2 if np.can_cast(x, np.float64) else 3), FLOATS),
        note="known at once",
    ),
    Entry(
        "np.common_type",
        sized(lambda a, b: a.astype(np.common_type(a, b)), "ab", "b"),
        note="known at once",
    ),
    Entry(
        "np.iscomplexobj",
        each(lambda x: x * (2 if np.iscomplexobj(x) else 3), ALL[:-1]),
        note="known at once",
    ),
    Entry(
        "np.isrealobj",
        each(lambda x: x * (2 if np.isrealobj(x) else 3), ALL[:-1]),
        note="known at once",
    ),
    Entry(
        "np.min_scalar_type",
        each(lambda x: x.astype(np.min_scalar_type(x)), REAL, low=1),
        note="known at once",
    ),
    Entry(
        "np.diag_indices_from",
        fixed(lambda x: x[np.diag_indices_from(x)], Operand((3, 3), np.float32)),
        note="known at once",
    ),
    Entry(
        "np.tril_indices_from",
        fixed(lambda x: x[np.tril_indices_from(x, -1)], MATRIX),
        note="known at once",
    ),
    Entry(
        "np.triu_indices_from",
        fixed(lambda x: x[np.triu_indices_from(x)], MATRIX),
        note="known at once",
    ),
    Entry(
        "len(a), a.shape, a.ndim, a.size",
        each(lambda x: x * 2 + len(x) + x.ndim + x.size, [np.int64], low=1),
        note="known at once",
    ),
]

ENTRIES = [*GETTING, *SETTING, *TAKING, *IN_PLACE, *QUESTIONS]
