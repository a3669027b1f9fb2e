"""bfloat16: the dtype that ml_dtypes gives NumPy, under TensorFlow's name.

Loaded when it is asked for: ml_dtypes need not be installed.
"""

from __future__ import annotations

import ml_dtypes

from feedline.values.dtype import DType, as_dtype

__all__ = ["bfloat16"]

bfloat16: DType = as_dtype(ml_dtypes.bfloat16)
