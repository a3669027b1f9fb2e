import numpy as np
import pytest

from feedline.buffers import Buffers
from feedline.data import Dataset

FLOAT = np.dtype(np.float32)


def address(array):
    return array.__array_interface__["data"][0]


def test_memory_is_handed_out_again_when_nothing_refers_to_it():
    buffers = Buffers()
    first = buffers.take((100, 1000), FLOAT)
    where = address(first)
    assert address(buffers.take((100, 1000), FLOAT)) != where
    del first

    assert address(buffers.take((50, 1000), FLOAT)) == where


@pytest.mark.parametrize("view", [lambda a: a[3], lambda a: a.T.reshape(-1)[::2], memoryview])
def test_memory_is_not_handed_out_while_a_view_of_it_lives(view):
    buffers = Buffers()
    kept = view(buffers.take((100, 1000), FLOAT))

    where = address(np.asarray(kept)) // 2**19
    others = [buffers.take((100, 1000), FLOAT) for _ in range(3)]

    assert not any(np.may_share_memory(np.asarray(kept), other) for other in others), where


def test_small_and_huge_arrays_are_left_to_numpy():
    buffers = Buffers()

    assert buffers.take((10,), FLOAT) is None
    assert buffers.take((1 << 24,), FLOAT) is None


def test_a_larger_one_takes_the_place_of_one_that_is_too_small():
    buffers = Buffers()
    buffers.take((100, 1000), FLOAT)

    assert buffers.take((200, 1000), FLOAT).shape == (200, 1000)


def test_elements_that_are_kept_stay_what_they_were():
    images = np.random.default_rng(0).integers(0, 255, (2000, 28, 28), dtype=np.uint8)
    ds = Dataset.from_tensor_slices(images).map(lambda x: x.astype(np.float32) / 255).batch(32)
    kept = []
    for _ in range(3):
        kept = list(ds)

    assert np.array_equal(np.concatenate(kept), images.astype(np.float32) / 255)
