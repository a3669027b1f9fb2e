"""py_function and numpy_function: Python code that runs every time."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildTypeError, InvalidArgumentError


def test_results_are_cast_as_declared():
    found = tf.py_function(lambda x: x.numpy() * 2, [np.ones((2, 2))], tf.float32)

    assert found.dtype == tf.float32


def test_a_tensor_of_another_dtype_is_not_cast():
    with pytest.raises(InvalidArgumentError, match=r"must return float32 .* got int64\[2\]"):
        tf.py_function(lambda x: x * 2, [np.ones(2, np.int64)], tf.float32)


def test_several_results_are_a_list():
    found = tf.py_function(lambda x, y: (x, y.numpy() * 2), [1, 2.5], [tf.int32, tf.float64])

    assert found == [1, 5.0]
    assert [value.dtype for value in found] == [tf.int32, tf.float64]


def test_python_numbers_given_become_int32_and_float32():
    seen = []
    tf.numpy_function(lambda *args: seen.extend(type(arg) for arg in args), [1, 2.5, "s"], [])

    assert seen == [np.int32, np.float32, bytes]


def test_py_function_gets_tensors_and_numpy_function_numpys_values():
    seen = []
    given = [np.ones(2), 3, "text"]
    tf.py_function(lambda *args: seen.append([isinstance(x, tf.Tensor) for x in args]), given, [])
    tf.numpy_function(
        lambda *args: seen.append([isinstance(x, tf.Tensor) for x in args]), given, []
    )

    assert seen == [[True] * 3, [False] * 3]


def test_numpy_function_insists_on_the_dtype():
    with pytest.raises(InvalidArgumentError, match=r"must return float32 .* got float64\[2\]"):
        tf.numpy_function(lambda x: x, [np.ones(2)], tf.float32)
    with pytest.raises(InvalidArgumentError, match=r"must return float32 .* got float64\[\]"):
        tf.numpy_function(lambda: 2.5, [], tf.float32)
    assert tf.numpy_function(lambda: 2.5, [], tf.float64) == 2.5


@pytest.mark.parametrize(
    ("result", "tout", "message"),
    [
        ((1,), [tf.int32, tf.int32], "must return 2 values as Tout declares, got 1"),
        (None, tf.int32, "must return 1 values as Tout declares, got 0"),
        ("text", tf.int32, "must return int32 as Tout declares, got str"),
        (3, tf.string, r"must return string as Tout declares, got int32"),
    ],
)
def test_what_was_not_declared_is_refused(result, tout, message):
    with pytest.raises(InvalidArgumentError, match=message):
        tf.py_function(lambda: result, [], tout)


def test_wrong_arguments_are_refused():
    with pytest.raises(BuildTypeError, match="func must be callable"):
        tf.py_function(3, [], tf.int32)
    with pytest.raises(BuildTypeError, match="inp must be a list"):
        tf.py_function(abs, 3, tf.int32)
    with pytest.raises(BuildTypeError, match="Tout must be a dtype"):
        tf.py_function(abs, [3], "nothing")


def test_the_functions_own_error_comes_out():
    with pytest.raises(ZeroDivisionError):
        tf.py_function(lambda: 1 / 0, [], tf.int32)


def test_it_is_a_decorator_without_a_function():
    @tf.py_function(Tout=tf.float32)
    def double(x):
        return x * 2

    @tf.numpy_function(Tout=[tf.int64, tf.string])
    def parts(text):
        return len(text), text.upper()

    assert double.__name__ == "double"
    assert double(tf.constant(2.0)) == 4.0
    assert parts("abc") == [3, b"ABC"]
    ds = tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(double)
    assert list(ds) == [2.0, 4.0]
    assert ds.element_spec == tf.TensorSpec(None, tf.float32)


def test_a_ragged_result_is_declared_by_its_spec():
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    ds = tf.data.Dataset.range(2).map(
        lambda x: tf.py_function(lambda _: tf.ragged.constant([[1], []]), [x], spec)
    )

    assert ds.element_spec == spec
    assert next(iter(ds)).to_list() == [[1], []]
    with pytest.raises(InvalidArgumentError, match="must return RaggedTensorSpec"):
        tf.py_function(lambda: 3, [], spec)


def test_it_runs_once_at_every_call_of_a_function():
    ran = []

    @tf.function
    def fn(x):
        made = tf.py_function(lambda v: ran.append(float(v)) or v * 2, [x], tf.float32)
        return made + 1

    assert [fn(np.float32(n)) for n in range(3)] == [1, 3, 5]
    assert ran == [0, 1, 2]


def test_it_may_return_another_length_every_time():
    fn = tf.function(lambda n: tf.py_function(np.arange, [n], tf.int64) * 2)

    assert [fn(np.int64(n)).tolist() for n in (2, 3, 0)] == [[0, 2], [0, 2, 4], []]


def test_it_runs_without_arguments_too():
    ran = []
    fn = tf.function(lambda x: (tf.py_function(lambda: ran.append(1), [], []), x)[1])
    fn(np.int32(1))
    fn(np.int32(2))

    assert len(ran) == 2


def test_a_result_that_is_text_makes_the_function_plain_python():
    fn = tf.function(lambda x: tf.py_function(lambda v: f"<{v}>", [x], tf.string))

    with pytest.warns(tf.FunctionWarning, match="py_function that returns strings"):
        assert fn(np.int32(1)) == "<1>"
    assert fn(np.int32(2)) == "<2>"


def test_a_dataset_runs_it_element_by_element():
    ran = []
    ds = tf.data.Dataset.range(50).map(
        lambda x: tf.py_function(lambda v: ran.append(1) or v + 1, [x], tf.int64)
    )

    assert [int(x) for x in ds] == list(range(1, 51))
    assert len(ran) == 50
    assert "plain Python" in ds.explain()


# ---- element_spec -----------------------------------------------------------


def _unseen(*_):
    raise AssertionError("element_spec called the function")


def _shaped(shape):
    def fn(x):
        image = tf.numpy_function(_unseen, [x], tf.float32)
        image.set_shape(shape)
        return image

    return fn


@pytest.mark.parametrize(
    ("fn", "shape"),
    [
        (lambda x: tf.py_function(_unseen, [x], tf.float32), None),
        (lambda x: tf.cast(tf.numpy_function(_unseen, [x], tf.int64), tf.float32) / 2, None),
        (_shaped([None, None, 3]), [None, None, 3]),
        (_shaped(()), []),
        (lambda x: tf.ensure_shape(tf.py_function(_unseen, [x], tf.float32), [2, None]), [2, None]),
        (lambda x: tf.reshape(tf.py_function(_unseen, [x], tf.float32), [2, -1]), [2, None]),
        (lambda x: tf.image.resize(_shaped([None, None, 3])(x), [4, 5]), [4, 5, 3]),
        (lambda x: tf.reduce_sum(tf.py_function(_unseen, [x], tf.float32)), []),
    ],
)
def test_the_spec_is_what_is_declared_and_nothing_is_called(fn, shape):
    spec = tf.data.Dataset.range(3).map(fn).element_spec

    assert spec == tf.TensorSpec(shape, tf.float32)


def test_the_spec_of_several_results_knows_each():
    def fn(x):
        image, name = tf.numpy_function(_unseen, [x], [tf.uint8, tf.string])
        name.set_shape([])
        return {"image": image, "name": name, "x": x}

    spec = tf.data.Dataset.range(3).map(fn).element_spec

    assert spec == {
        "image": tf.TensorSpec(None, tf.uint8),
        "name": tf.TensorSpec([], tf.string),
        "x": tf.TensorSpec([], tf.int64),
    }


def test_the_spec_is_known_through_several_maps():
    ds = tf.data.Dataset.range(3).map(lambda x: tf.py_function(_unseen, [x], tf.uint8))
    ds = ds.map(lambda image: tf.cast(image, tf.float32) / 255)
    assert ds.element_spec == tf.TensorSpec(None, tf.float32)

    ds = ds.map(lambda image: tf.image.resize(tf.ensure_shape(image, [None, None, 3]), [4, 5]))
    assert ds.batch(2).element_spec == tf.TensorSpec([None, 4, 5, 3], tf.float32)


@pytest.mark.parametrize("executor", ["inline", "threads", None])
def test_asking_for_the_spec_leaves_side_effects_to_the_iteration(executor):
    options = tf.data.Options()
    options.executor = executor
    ran = []
    ds = tf.data.Dataset.range(6).map(
        lambda x: tf.py_function(lambda v: ran.append(1) or v, [x], tf.int64)
    )
    ds = ds.with_options(options).batch(2)

    _ = ds.element_spec
    assert ran == []
    assert [b.tolist() for b in ds] == [[0, 1], [2, 3], [4, 5]]
    assert len(ran) == 6


def _of_path(path):
    image = tf.numpy_function(_unseen, [path], tf.uint8)
    image.set_shape([None, None, 3])
    return tf.image.convert_image_dtype(image, tf.float32), tf.strings.split(path, "/")[-2]


def _with_import(path):
    import os  # noqa: PLC0415

    assert os.sep
    return tf.py_function(_unseen, [path], tf.float32), path


def test_the_spec_is_known_of_functions_of_paths():
    ds = tf.data.Dataset.from_tensor_slices(["a/b", "c/d"])
    text, image = tf.TensorSpec([], tf.string), tf.TensorSpec([None, None, 3], tf.float32)

    assert ds.map(_of_path).element_spec == (image, text)
    assert ds.map(_with_import).element_spec == (tf.TensorSpec(None, tf.float32), text)


def test_one_branch_of_a_condition_tells_the_spec():
    def fn(x):
        y = _shaped([])(x)
        if x > 2:
            y = y + 1
        return y

    ds = tf.data.Dataset.range(5)

    assert ds.map(fn).element_spec == tf.TensorSpec([], tf.float32)


def test_the_spec_of_a_scan_is_declared_too():
    ds = tf.data.Dataset.range(5).scan(np.int64(0), lambda s, x: (s + x, _shaped([2])(x)))

    assert ds.element_spec == tf.TensorSpec([2], tf.float32)


def test_parts_of_strings_have_a_spec_without_looking():
    ds = tf.data.Dataset.from_tensor_slices(["a/b", "c/d"])

    assert ds.map(lambda p: tf.strings.split(p, "/")[-1]).element_spec.shape == ()
    assert ds.map(lambda p: tf.strings.split(p, "/")[1:]).element_spec.shape == (None,)
    assert list(ds.map(lambda p: tf.strings.split(p, "/")[-1])) == ["b", "d"]
