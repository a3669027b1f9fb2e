"""linalg: TensorFlow's ``linalg`` names, as far as NumPy can do them."""

from __future__ import annotations

from feedline.arrays.arithmetic import (
    cross,
)
from feedline.arrays.creating import (
    eye,
)
from feedline.arrays.functions import (
    l2_normalize,
)
from feedline.arrays.linear import (
    einsum,
    matmul,
    matvec,
    norm,
    tensordot,
    trace,
)
from feedline.arrays.matrices import (
    adjoint,
    band_part,
    cholesky,
    det,
    diag,
    diag_part,
    eigh,
    eigvalsh,
    inv,
    logdet,
    lstsq,
    matrix_rank,
    matrix_transpose,
    pinv,
    qr,
    set_diag,
    slogdet,
    solve,
    svd,
    tensor_diag,
    tensor_diag_part,
    triangular_solve,
)
from feedline.arrays.norms import (
    global_norm,
    normalize,
)
from feedline.namespace import open_namespace
from feedline.values.publishing import publish

__all__ = [
    "adjoint",
    "band_part",
    "cholesky",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eigh",
    "eigvalsh",
    "einsum",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "lstsq",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "triangular_solve",
]

publish(globals(), __all__)
open_namespace(globals())
