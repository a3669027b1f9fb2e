"""kinds: what TensorFlow gives to isinstance() for text and for numbers."""

from __future__ import annotations

import numbers

import numpy as np

__all__ = ["bytes_or_text_types", "complex_types", "integral_types", "real_types"]

bytes_or_text_types = (bytes, str)
integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)
