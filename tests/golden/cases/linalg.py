"""linalg: TensorFlow's linalg names."""

import numpy as np

from tests.golden.case import each

MATRIX = np.array([[4.0, 1.0], [2.0, 3.0]], np.float32)
TALL = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.5]], np.float32)
SQUARES = np.arange(18, dtype=np.int32).reshape(2, 3, 3)
POSITIVE = np.array([[4.0, 2.0], [2.0, 3.0]], np.float32)


def rounded(value):
    """Results of functions that are not rounded alike everywhere, to four places."""
    return np.round(np.asarray(value), 4) + np.float32(0)


EXACT = {
    "matmul": lambda tf: tf.linalg.matmul(MATRIX, MATRIX),
    "matvec": lambda tf: tf.linalg.matvec(MATRIX, [1.0, 2.0]),
    "eye": lambda tf: tf.linalg.eye(2),
    "trace": lambda tf: tf.linalg.trace(SQUARES),
    "einsum": lambda tf: tf.linalg.einsum("ij->ji", MATRIX),
    "tensordot": lambda tf: tf.linalg.tensordot(MATRIX, MATRIX, 1),
    "cross": lambda tf: tf.linalg.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
    "diag": lambda tf: tf.linalg.diag([1, 2]),
    "diag_batch": lambda tf: tf.linalg.diag([[1.0, 2.0], [3.0, 4.0]]),
    "diag_above": lambda tf: tf.linalg.diag([1, 2], k=1),
    "diag_below": lambda tf: tf.linalg.diag([1, 2], k=-1, num_rows=4),
    "diag_wide": lambda tf: tf.linalg.diag([1, 2], num_rows=2, num_cols=4, padding_value=9),
    "diag_misfit": lambda tf: tf.linalg.diag([1, 2], num_rows=4, num_cols=4),
    "diag_part": lambda tf: tf.linalg.diag_part(SQUARES),
    "diag_part_above": lambda tf: tf.linalg.diag_part(SQUARES, k=1),
    "diag_part_tall": lambda tf: tf.linalg.diag_part(TALL, k=-1),
    "set_diag": lambda tf: tf.linalg.set_diag(SQUARES, [[9, 9, 9], [7, 7, 7]]),
    "set_diag_above": lambda tf: tf.linalg.set_diag(MATRIX, [8.0], k=1),
    "band_part": lambda tf: tf.linalg.band_part(SQUARES, 1, 0),
    "band_part_upper": lambda tf: tf.linalg.band_part(tf.ones([3, 4]), 0, -1),
    "tensor_diag": lambda tf: tf.linalg.tensor_diag([[1, 2], [3, 4]]),
    "tensor_diag_part": lambda tf: tf.linalg.tensor_diag_part(np.arange(16).reshape(2, 2, 2, 2)),
    "matrix_transpose": lambda tf: tf.linalg.matrix_transpose(SQUARES),
    "adjoint": lambda tf: tf.linalg.adjoint(np.array([[1 + 2j, 3]], np.complex64)),
    "global_norm": lambda tf: tf.linalg.global_norm([[3.0], [4.0], None]),
    "clip_by_norm": lambda tf: tf.clip_by_norm([3.0, 4.0], 10.0),
    "clip_by_norm_axes": lambda tf: tf.clip_by_norm([[3.0, 4.0], [0.0, 0.0]], 1.0, axes=[1]),
    "clip_by_global_norm": lambda tf: tf.clip_by_global_norm([[3.0], [4.0]], 10.0),
    "matrix_rank": lambda tf: tf.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]),
    "inv_singular": lambda tf: tf.linalg.inv([[1.0, 2.0], [2.0, 4.0]]),
    "inv_ints": lambda tf: tf.linalg.inv([[1, 0], [0, 1]]),
}


@each(name=list(EXACT))
def case_exact(tf, name):
    return EXACT[name](tf)


ROUNDED = {
    "norm": lambda tf: tf.linalg.norm(MATRIX),
    "norm_axis": lambda tf: tf.linalg.norm(MATRIX, axis=1),
    "normalize": lambda tf: tf.linalg.normalize(MATRIX)[0],
    "normalize_axis": lambda tf: tf.linalg.normalize(MATRIX, axis=1)[0],
    "normalize_ones": lambda tf: tf.linalg.normalize(MATRIX, ord=1, axis=0)[0],
    "l2_normalize": lambda tf: tf.linalg.l2_normalize(MATRIX, 1),
    "det": lambda tf: tf.linalg.det(MATRIX),
    "slogdet": lambda tf: tf.linalg.slogdet(MATRIX)[1],
    "logdet": lambda tf: tf.linalg.logdet(POSITIVE),
    "inv": lambda tf: tf.linalg.inv(MATRIX),
    "inv_adjoint": lambda tf: tf.linalg.inv(MATRIX, adjoint=True),
    "inv_batch": lambda tf: tf.linalg.inv(np.stack([MATRIX, POSITIVE])),
    "pinv": lambda tf: tf.linalg.pinv(TALL),
    "solve": lambda tf: tf.linalg.solve(MATRIX, [[1.0], [2.0]]),
    "solve_adjoint": lambda tf: tf.linalg.solve(MATRIX, [[1.0], [2.0]], adjoint=True),
    "triangular_solve": lambda tf: tf.linalg.triangular_solve(MATRIX, [[1.0], [2.0]]),
    "lstsq": lambda tf: tf.linalg.lstsq(TALL, [[1.0], [2.0], [3.0]], fast=False),
    "lstsq_ridge": lambda tf: tf.linalg.lstsq(TALL, [[1.0], [2.0], [3.0]], l2_regularizer=0.5),
    "cholesky": lambda tf: tf.linalg.cholesky(POSITIVE),
    "qr_r": lambda tf: tf.linalg.qr(TALL)[1],
    "qr_q": lambda tf: tf.linalg.qr(TALL)[0],
    "svd_values": lambda tf: tf.linalg.svd(TALL)[0],
    "svd_alone": lambda tf: tf.linalg.svd(TALL, compute_uv=False),
    "svd_u": lambda tf: np.abs(tf.linalg.svd(TALL)[1]),
    "svd_v": lambda tf: np.abs(tf.linalg.svd(TALL)[2]),
    "eigh_values": lambda tf: tf.linalg.eigh(POSITIVE)[0],
    "eigh_vectors": lambda tf: np.abs(tf.linalg.eigh(POSITIVE)[1]),
    "eigvalsh": lambda tf: tf.linalg.eigvalsh(POSITIVE),
    "clip_by_norm": lambda tf: tf.clip_by_norm([3.0, 4.0], 1.0),
    "clip_by_global_norm": lambda tf: tf.clip_by_global_norm([[3.0], [4.0]], 1.0)[0],
    "global_norm": lambda tf: tf.linalg.global_norm([[3.0, 1.0], [4.0]]),
}


@each(name=list(ROUNDED))
def case_rounded(tf, name):
    return rounded(ROUNDED[name](tf))
