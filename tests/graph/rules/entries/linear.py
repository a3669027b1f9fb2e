"""Products, np.linalg, Fourier transforms, polynomials."""

import numpy as np

from tests.graph.rules.cases import (
    FLOATS,
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

DOUBLES = [np.float64, np.float32, np.complex64]


def regular(rng, shape):
    return rng.standard_normal(shape) + 4 * np.eye(*shape[-2:])


def positive(rng, shape):
    made = rng.standard_normal(shape)
    return made @ np.swapaxes(made, -1, -2) + np.eye(shape[-1])


SQUARE = Operand((3, 3), np.float64, regular)
POSITIVE = Operand((3, 3), np.float32, positive)
VECTOR = Operand((3,), np.float64)
TALL = Operand((4, 3), np.float32)

PRODUCTS = [
    Entry(
        "a @ b",
        sized(lambda a, b: a @ b, "ab", "bc", dtypes=[*DOUBLES, np.int32, np.float16]),
        note="of vectors, or of matrices",
    ),
    Entry("a @ b, vectors", sized(lambda a, b: a @ b, "a", "a", dtypes=[*DOUBLES, np.int32])),
    Entry("a @ b, stacks", sized(lambda a, b: a @ b, "abc", "cd", dtypes=DOUBLES)),
    Entry(
        "a @ b, matrix and vector", sized(lambda a, b: (a @ b, b @ a.T), "ab", "b", dtypes=DOUBLES)
    ),
    Entry("a @ b, stack and vector", sized(lambda a, b: (a @ b, b @ a.mT), "abc", "c")),
    Entry("np.matmul", sized(np.matmul, "ab", "bc", dtypes=[*DOUBLES, np.int32])),
    Entry("np.linalg.matmul", sized(np.linalg.matmul, "ab", "bc", dtypes=DOUBLES)),
    Entry("np.dot, vectors", sized(np.dot, "a", "a", dtypes=[*DOUBLES, np.int32, np.float16])),
    Entry("np.dot, matrices", sized(np.dot, "ab", "bc", dtypes=[*DOUBLES, np.int32, np.float16])),
    Entry("np.dot, matrix and vector", sized(np.dot, "ab", "b", dtypes=DOUBLES)),
    Entry("np.dot, number and array", sized(np.dot, "", "ab"), loops=True),
    Entry("a.dot", sized(lambda a, b: a.dot(b), "a", "a")),
    Entry("np.inner", sized(np.inner, "a", "a")),
    Entry("np.inner, matrices", sized(np.inner, "ab", "cb")),
    Entry("np.vdot", sized(np.vdot, "ab", "ab", dtypes=DOUBLES)),
    Entry("np.vecdot", sized(np.vecdot, "ab", "b", dtypes=DOUBLES)),
    Entry("np.linalg.vecdot", sized(np.linalg.vecdot, "ab", "ab", dtypes=DOUBLES)),
    Entry("np.matvec", sized(np.matvec, "ab", "b")),
    Entry("np.vecmat", sized(np.vecmat, "a", "ab")),
    Entry("np.outer", sized(np.outer, "a", "b", dtypes=REAL)),
    Entry("np.linalg.outer", sized(np.linalg.outer, "a", "b")),
    Entry("np.kron", sized(np.kron, "ab", "c", dtypes=REAL)),
    Entry("np.cross", fixed(np.cross, TALL, Operand((3,), np.float32))),
    Entry("np.linalg.cross", fixed(np.linalg.cross, TALL, TALL)),
    Entry("np.tensordot", sized(lambda a, b: np.tensordot(a, b, 1), "abc", "cd")),
    Entry(
        "np.tensordot, axes", sized(lambda a, b: np.tensordot(a, b, ([0, 1], [1, 0])), "abc", "bad")
    ),
    Entry("np.linalg.tensordot", sized(lambda a, b: np.linalg.tensordot(a, b, axes=1), "ab", "bc")),
    Entry(
        "np.einsum",
        sized(lambda a, b: np.einsum("ij,j->ij", a, b), "ab", "b"),
        note="without sums of floating-point numbers",
    ),
    Entry(
        "np.einsum, integer sums",
        sized(lambda a, b: np.einsum("ij,jk", a, b), "ab", "bc", dtypes=[np.int32]),
    ),
    Entry(
        "np.einsum, sums", sized(lambda a, b: np.einsum("ij,jk->ik", a, b), "ab", "bc"), loops=True
    ),
    Entry(
        "np.linalg.multi_dot",
        sized(lambda a, b: np.linalg.multi_dot([a, b, a]), "ab", "ba"),
        loops=True,
    ),
]

LINALG = [
    Entry("np.linalg.norm", along(np.linalg.norm, FLOATS, ordinary=-1, keepdims=[False, True])),
    Entry(
        "np.linalg.norm, ord", along(np.linalg.norm, FLOATS, none=False, ord=[1, 2, np.inf, 0, 3])
    ),
    Entry("np.linalg.norm, all", each(np.linalg.norm, REAL, low=1)),
    Entry("np.linalg.norm, matrices", picks(np.linalg.norm, TALL, ord=["fro", 1, np.inf])),
    Entry("np.linalg.det", fixed(np.linalg.det, SQUARE)),
    Entry("np.linalg.slogdet", fixed(np.linalg.slogdet, SQUARE)),
    Entry("np.linalg.inv", fixed(np.linalg.inv, SQUARE)),
    Entry("np.linalg.solve", fixed(np.linalg.solve, SQUARE, SQUARE)),
    Entry("np.linalg.solve, vector", fixed(np.linalg.solve, SQUARE, VECTOR)),
    Entry("np.linalg.cholesky", fixed(np.linalg.cholesky, POSITIVE)),
    Entry("np.linalg.eigh", fixed(np.linalg.eigh, POSITIVE)),
    Entry("np.linalg.eigvalsh", fixed(np.linalg.eigvalsh, POSITIVE)),
    Entry("np.linalg.qr", fixed(np.linalg.qr, TALL)),
    Entry("np.linalg.svd", picks(np.linalg.svd, TALL, full_matrices=[True, False])),
    Entry("np.linalg.svdvals", fixed(np.linalg.svdvals, TALL)),
    Entry("np.linalg.cond", fixed(np.linalg.cond, SQUARE), loops=True),
    Entry("np.linalg.matrix_norm", fixed(np.linalg.matrix_norm, TALL), loops=True),
    Entry("np.linalg.vector_norm", fixed(np.linalg.vector_norm, VECTOR), loops=True),
    Entry(
        "np.linalg.matrix_power", fixed(lambda x: np.linalg.matrix_power(x, 3), SQUARE), loops=True
    ),
    Entry("np.linalg.matrix_rank", fixed(np.linalg.matrix_rank, SQUARE), loops=True),
    Entry("np.linalg.pinv", fixed(np.linalg.pinv, TALL), loops=True),
    Entry(
        "np.linalg.tensorinv", fixed(lambda x: np.linalg.tensorinv(x, ind=1), SQUARE), loops=True
    ),
    Entry("np.linalg.tensorsolve", fixed(np.linalg.tensorsolve, SQUARE, VECTOR), loops=True),
]


def transform(name):
    call = getattr(np.fft, name)
    if name.endswith("n"):
        return Entry(f"np.fft.{name}", each(call, DOUBLES[:2], low=1, norm=[None, "ortho"]))
    if name.endswith("2"):
        return Entry(f"np.fft.{name}", each(call, DOUBLES[:2], low=2, norm=[None, "ortho"]))
    return Entry(f"np.fft.{name}", _along_lines(call))


def _along_lines(call):
    def make(pick):
        # Of lines without numbers, NumPy transforms what happens to be in memory.
        shape = tuple(n or 2 for n in pick.shape(1))
        axis, n = pick.axis(shape, none=False), pick.of([None, 5])
        dtype = pick.dtype([*DOUBLES[:2], np.float16])
        return Case(lambda x: call(x, n, axis), [Operand(shape, dtype)])

    return make


FOURIER = [
    *map(transform, ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]),
    *map(transform, ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"]),
    Entry("np.fft.fftshift", each(np.fft.fftshift, low=1, axes=[None, 0, (0,)])),
    Entry("np.fft.ifftshift", each(np.fft.ifftshift, low=1, axes=[None, 0, (0,)])),
]

POLYNOMIALS = [
    Entry(
        "np.polyval",
        each(lambda x: np.polyval([2.0, 0.5, 1.0], x), REAL),
        note="with the same coefficients for all elements",
    ),
    Entry("np.polyadd", fixed(np.polyadd, VECTOR, VECTOR), loops=True),
    Entry("np.polyfit", fixed(lambda y: np.polyfit([0.0, 1.0, 3.0], y, 1), VECTOR), loops=True),
    Entry("np.polysub", fixed(np.polysub, VECTOR, VECTOR), loops=True),
    Entry("np.polyder", fixed(np.polyder, VECTOR), loops=True),
    Entry("np.polyint", fixed(np.polyint, VECTOR), loops=True),
    Entry("np.vander", fixed(np.vander, VECTOR), loops=True),
]

ENTRIES = [*PRODUCTS, *LINALG, *FOURIER, *POLYNOMIALS]
