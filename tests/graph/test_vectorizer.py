"""When a function runs on whole blocks, and when it does not."""

import pickle
import warnings

import numpy as np
import pytest

from feedline.block import Block
from feedline.column import Dense, Objects
from feedline.graph import vectorizer as module
from feedline.graph.vectorizer import Vectorizer
from feedline.image import flip_left_right, resize
from feedline.structure import LEAF


def block_of(array):
    return Block(LEAF, (Dense(np.asarray(array)),), len(array))


def ran(vectorizer, fn, array):
    found = vectorizer.run(fn, block_of(array), 0)
    return None if found is None else found.rows()


def test_the_first_elements_are_left_to_python():
    vectorizer = Vectorizer()

    assert ran(vectorizer, lambda x: x + 1, np.arange(20)) is None
    assert ran(vectorizer, lambda x: x + 1, np.arange(20)) == list(range(1, 21))
    assert vectorizer.is_running


def test_small_blocks_are_left_to_python():
    vectorizer = Vectorizer()

    assert [ran(vectorizer, lambda x: x + 1, np.arange(3)) for _ in range(20)] == [None] * 20
    assert vectorizer.refusal is None


@pytest.mark.usefixtures("tried_at_once")
class TestTriedAtOnce:
    def test_a_refusal_is_for_good(self):
        vectorizer = Vectorizer()
        calls = []

        for _ in range(3):
            assert ran(vectorizer, lambda x: calls.append(1) or x, np.arange(9)) is None

        assert "changes a list" in vectorizer.refusal.reason
        assert vectorizer.refusal.__traceback__ is None
        assert calls == []

    def test_another_form_of_elements_is_recorded_anew(self):
        vectorizer = Vectorizer()

        assert ran(vectorizer, lambda x: x + 1, np.arange(4)) == [1, 2, 3, 4]
        assert ran(vectorizer, lambda x: x + 1, np.arange(4.0)) == [1.0, 2.0, 3.0, 4.0]

    def test_too_many_forms_are_refused(self):
        vectorizer = Vectorizer()

        for size in range(1, 12):
            ran(vectorizer, lambda x: x + 1, np.zeros((4, size)))

        assert "too many different shapes" in vectorizer.refusal.reason

    def test_what_changes_is_recorded_again(self):
        config = {"k": 1}
        vectorizer = Vectorizer()

        for k in range(4):
            config["k"] = k
            assert ran(vectorizer, lambda x: x + config["k"], np.arange(4))[0] == k

    def test_what_keeps_changing_is_refused(self):
        config = {"k": 1}
        vectorizer = Vectorizer()

        for k in range(9):
            config["k"] = k
            ran(vectorizer, lambda x: x + config["k"], np.arange(4))

        assert vectorizer.refusal.reason == "reads something that keeps changing"

    def test_a_block_that_fails_is_left_to_python(self):
        table = np.arange(10)
        vectorizer = Vectorizer()

        assert ran(vectorizer, lambda x: table[x], np.arange(4)) == [0, 1, 2, 3]
        assert ran(vectorizer, lambda x: table[x], np.arange(8, 12)) is None
        assert ran(vectorizer, lambda x: table[x], np.arange(4)) == [0, 1, 2, 3]

    def test_a_first_block_that_fails_does_not_count_as_another_form(self):
        vectorizer = Vectorizer()

        for _ in range(4):
            assert ran(vectorizer, lambda x: 10 // x, np.arange(4)) is None
        assert ran(vectorizer, lambda x: 10 // x, np.arange(1, 5)) == [10, 5, 3, 2]

    def test_failing_more_often_than_not_is_refused(self):
        vectorizer = Vectorizer()

        for _ in range(6):
            ran(vectorizer, lambda x: 10 // x, np.arange(4))

        assert vectorizer.refusal.reason == "raises or warns too often"

    def test_a_block_that_would_warn_is_left_to_python(self):
        vectorizer = Vectorizer()

        with warnings.catch_warnings(record=True) as shown:
            warnings.simplefilter("always")
            assert ran(vectorizer, lambda x: np.log(x), np.array([0.0, 1.0])) is None
            with np.errstate(divide="ignore"):
                assert ran(vectorizer, lambda x: np.log(x), np.array([0.0, 1.0])) is not None

        assert shown == []

    def test_results_are_compared_with_the_function_itself(self, monkeypatch):
        monkeypatch.setattr(module, "same_leaves", lambda first, second: False)
        vectorizer = Vectorizer()

        assert ran(vectorizer, lambda x: x + 1, np.arange(4)) is None
        assert "gives something else for element 0" in vectorizer.refusal.reason

    def test_elements_in_another_order_in_memory_give_the_same(self):
        array = np.random.default_rng(0).standard_normal((7, 40, 30)).astype(np.float32)
        turned = np.asfortranarray(array)
        turned.flags.writeable = False

        found = ran(Vectorizer(), lambda x: x.sum(), turned)

        assert found == [row.sum() for row in array]

    def test_kinds_of_objects_are_forms(self):
        vectorizer = Vectorizer()
        texts = Block(LEAF, (Objects(["a", "b"]),), 2)
        holes = Block(LEAF, (Objects(["a", None]),), 2)

        assert vectorizer.run(lambda x: (x, 1), texts, 0) is not None
        assert vectorizer.run(lambda x: (x, 1), holes, 0) is None


def test_a_copy_of_it_starts_anew():
    vectorizer = Vectorizer()
    vectorizer.refusal = "something"

    assert pickle.loads(pickle.dumps(vectorizer)).refusal is None


def test_images_of_many_sizes_are_recorded_once_for_all():
    vectorizer = Vectorizer()
    blocks = [np.arange(40 * height * 6).reshape(40, height, 3, 2) for height in range(1, 30)]

    for images in blocks:
        made = ran(vectorizer, lambda x: flip_left_right(x), images)
        assert np.array_equal(made, images[:, :, ::-1])
    assert vectorizer.refusal is None


def prepared(image):
    return resize(image, (4, 4)) / 255.0


def test_a_large_image_that_comes_alone_is_worked_on_in_one_pass():
    vectorizer = Vectorizer()
    images = np.random.default_rng(0).integers(0, 256, (50, 1, 60, 60, 3)).astype(np.uint8)

    made = [ran(vectorizer, prepared, image) for image in images]

    assert made[:31] == [None] * 31
    assert np.array_equal(made[31:], [[prepared(image[0])] for image in images[31:]])


def test_a_large_array_that_comes_alone_is_left_to_python_without_a_pass():
    vectorizer = Vectorizer()

    assert all(ran(vectorizer, lambda x: x + 1, np.zeros((1, 5000))) is None for _ in range(50))
    assert vectorizer.refusal is None
