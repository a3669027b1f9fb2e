"""A chain of operations on images, run on the images of a block."""

import numpy as np
import pytest

from feedline.column import Objects
from feedline.graph.rows import Rows
from feedline.image.chain_run import Pass

FLOAT = np.dtype(np.float32)
BYTES = np.random.default_rng(0).integers(0, 256, (3, 4, 6, 2)).astype(np.uint8)


def _pass(**changes):
    settings = {
        "source": None,
        "boxes": (),
        "method": "nearest",
        "antialias": False,
        "bits": (),
        "before": (),
        "after": (),
        "shape": (4, 6, 2),
        "dtype": FLOAT,
        "name": "resize",
    }
    return Pass(**(settings | changes))


def test_a_block_of_one_size_and_objects_give_the_same():
    run = _pass(bits=(1,), after=(("add", np.float32([1, 2])),))
    chosen = (Rows(np.array([True, False, True])),)

    dense = run(Rows(BYTES), (), chosen)
    objects = run(Objects(list(BYTES)), (), chosen)

    assert np.array_equal(dense, objects)
    assert np.array_equal(dense[1], BYTES[1] + np.float32([1, 2]))
    assert np.array_equal(dense[2], BYTES[2][:, ::-1] + np.float32([1, 2]))


def test_a_part_is_cut_out_of_the_part_before():
    def box(_height, _width, top):
        return int(top), 1, 2, 2

    run = _pass(boxes=(box, lambda height, width: (1, 0, height - 1, width)), shape=(1, 2, 2))

    made = run(Rows(BYTES), ((Rows(np.array([0, 1, 2])),), ()), ())

    assert np.array_equal(made[1], BYTES[1][2:3, 1:3])


def test_bytes_that_are_only_moved_stay_bytes():
    run = _pass(bits=(2,), dtype=np.dtype(np.uint8))

    assert np.array_equal(run(Rows(BYTES), (), (True,)), BYTES[:, ::-1])


def test_a_source_makes_the_images():
    def source(number, *, height):
        return np.full((height, 6, 2), number, np.uint8)

    made = _pass(source=source)(((Rows(np.array([3, 4])),), {"height": 4}), (), ())

    assert made[:, 0, 0, 0].tolist() == [3, 4]


def test_results_of_the_block_before_are_left_alone():
    run = _pass(shape=(200, 200, 2))
    first = run(Rows(BYTES), (), ())
    kept = first.copy()

    run(Rows(255 - BYTES), (), ())

    assert np.array_equal(first, kept)


@pytest.mark.parametrize("image", [np.zeros((4, 6, 1), np.uint8), np.zeros((4, 6), np.uint8)])
def test_an_image_of_another_kind_is_refused(image):
    with pytest.raises(ValueError, match="another kind"):
        _pass()(Objects([image]), (), ())


def test_a_part_outside_of_the_image_is_refused():
    run = _pass(boxes=(lambda _height, _width: (3, 0, 2, 2),))

    with pytest.raises(ValueError, match="outside"):
        run(Rows(BYTES), ((),), ())


def test_images_may_differ_in_their_channels():
    run = _pass(shape=(2, 2, None), after=(("divide", np.float32([5])),))
    images = [np.full((3, 4, 1), 10, np.uint8), np.full((4, 3, 3), 20, np.uint8)]

    made = run(Objects(images), (), ())

    assert [image.shape for image in made.rows()] == [(2, 2, 1), (2, 2, 3)]
    assert [image.flat[0] for image in made.rows()] == [2, 4]
