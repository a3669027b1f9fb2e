"""fitting: single numbers that become numbers of an array, such as ``array[0] = number``.

Where NumPy casts a whole array, integers wrap around. A single number that goes into an
array of integers must fit instead: NumPy raises otherwise, or wraps, as the dtypes have it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["as_number_of", "check_fits"]


def check_fits(numbers: NDArray[Any], dtype: np.dtype[Any]) -> None:
    """Raise if one of many numbers is not a number of an integer dtype.

    What has to be done about it, only NumPy itself knows, for that number alone.
    """
    if dtype.kind not in "iu" or not numbers.size or np.can_cast(numbers.dtype, dtype):
        return
    if numbers.dtype.kind not in "biuf":
        raise NotImplementedError
    limits = np.iinfo(dtype)
    # A NaN is both the smallest and the largest number, and int() raises.
    if int(numbers.min()) < limits.min or int(numbers.max()) > limits.max:
        raise OverflowError(f"a number out of bounds for {dtype}")


def as_number_of(number: Any, dtype: Any) -> Any:
    """Return a single number as NumPy puts it into an array: ``np.array([number], dtype)[0]``."""
    return np.array([number], dtype)[0]
