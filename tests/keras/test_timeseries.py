"""Windows over time: what the recorded cases in tests/golden do not say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import feedline as tf
from feedline.errors import BuildError
from feedline.testing import CHECKS

windows = tf.keras.utils.timeseries_dataset_from_array


@pytest.mark.parametrize("check", CHECKS)
def test_conforms(check):
    rows = np.arange(20)
    check(windows(rows, rows * 10, 3, batch_size=4))


@given(
    count=st.integers(2, 30),
    length=st.integers(1, 8),
    stride=st.integers(1, 4),
    rate=st.integers(1, 4),
)
def test_windows_are_slices_with_steps(count, length, stride, rate):
    stride, rate = min(stride, count - 1), min(rate, count - 1)
    rows = np.arange(count)
    found = windows(rows, None, length, stride, rate, batch_size=None)

    reach = (length - 1) * rate
    wanted = [rows[a : a + reach + 1 : rate].tolist() for a in range(0, count - reach, stride)]
    assert [window.tolist() for window in found] == wanted


def test_without_a_seed_every_dataset_has_an_order_of_its_own():
    rows = np.arange(100)
    first, second = (windows(rows, None, 1, shuffle=True, batch_size=100) for _ in range(2))

    assert next(iter(first)).tolist() != next(iter(second)).tolist()


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"start_index": 9}, "start_index must be lower than the 9 rows, got 9"),
        ({"end_index": 9}, "end_index must be lower than the 9 rows, got 9. Leave it out"),
        ({"start_index": 4, "end_index": 4}, "end_index must be higher than start_index"),
        ({"sampling_rate": 9}, "sampling_rate must be lower than the 9 rows"),
        ({"batch_size": 0}, "batch_size must be at least 1"),
        ({"format": "grain"}, "format must be 'tf'"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, text):
    with pytest.raises(BuildError, match=text):
        windows(np.arange(9), None, 3, **settings)
