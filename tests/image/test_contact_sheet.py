import numpy as np
import pytest

from feedline.image.contact_sheet import ContactSheet, visible


@pytest.mark.parametrize(
    ("image", "shown"),
    [
        (np.uint8([0, 7]), [0, 7]),
        (np.uint16([0, 0xFFFF]), [0, 255]),
        (np.array([False, True]), [0, 255]),
        (np.float32([0, 1]), [0, 255]),
        (np.float32([0, 300]), [0, 255]),
        (np.float32([-1, 1]), [0, 255]),
        (np.float32([np.nan, 1]), [0, 255]),
        (np.float32([-1, -1]), [0, 0]),
        (np.int32([0, 1]), [0, 1]),
    ],
)
def test_numbers_of_any_range_become_visible(image, shown):
    assert visible(image.reshape(1, 2, 1)).ravel().tolist() == shown


@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("size", [(1, 300), (300, 1), (5, 5)])
def test_every_size_and_number_of_channels_can_be_drawn(size, channels):
    image = np.full((*size, channels), 9, np.uint8)

    assert ContactSheet([(image, "naïve 猫")]).png().startswith(b"\x89PNG")
