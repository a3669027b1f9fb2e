import numpy as np
import pytest

from feedline.buffers import Buffers, pages
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


def test_what_is_not_used_can_be_given_back():
    buffers = Buffers(1 << 24, 8)
    arrays = [buffers.empty(1 << 20) for _ in range(4)]
    in_hand = arrays[2]
    del arrays
    buffers.trim(2 << 20)

    assert len(buffers._kept) == 3
    assert any(np.shares_memory(in_hand, kept) for kept in buffers._kept)
    buffers.trim(0)
    assert len(buffers._kept) == 1


def test_rows_are_gathered_into_memory_that_is_used_again():
    buffers = Buffers()
    rows = np.arange(1 << 18, dtype=np.int64).reshape(-1, 4)
    index = np.array([3, 1, 1] * 10_000)
    found = buffers.gathered(rows, index)
    place = found.__array_interface__["data"][0]

    np.testing.assert_array_equal(found, rows[index])
    del found
    assert buffers.gathered(rows, index).__array_interface__["data"][0] == place


def test_objects_are_gathered_too():
    items = np.array([b"a", None, "c"], object)

    assert Buffers().gathered(items, np.array([2, 0])).tolist() == ["c", b"a"]


@pytest.mark.parametrize("count", [10, 1 << 20])
def test_pages_are_an_array_as_any(count):
    array = pages((count, 2), np.dtype(np.int32))
    array[:] = 7

    assert array.shape == (count, 2)
    assert array.dtype == np.int32
    assert array.sum() == 14 * count
