"""values: what elements, results of functions and constants answer, and their operators."""

import operator

import numpy as np

from tests.golden.case import each

OTHERS = {
    "int": 2,
    "float": 2.5,
    "np.float64": np.float64(2.5),
    "np.int64": np.int64(3),
    "np.float32": np.float32(1.5),
    "np.uint8": np.uint8(3),
    "float64 array": np.array([1.0, 2.5, 3.0]),
    "int64 array": np.array([1, 2, 3]),
    "list": [1, 2, 3],
    "list of floats": [0.5, 1.0, 2.0],
}
OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "<": operator.lt,
    "==": operator.eq,
}
INTEGERS = ["uint8", "int16", "int32", "int64"]
FLOATS = ["float16", "float32", "float64"]
DTYPES = [*INTEGERS, *FLOATS]
# NumPy's floats beside integers, which TensorFlow cuts off, are a deliberate difference.
WHOLE = ["int", "np.int64", "np.uint8", "int64 array", "list"]


def applied(first, second):
    return [operation(first, second) for operation in OPERATORS.values()]


@each(dtype=FLOATS, other=list(OTHERS))
def case_floats_left(tf, dtype, other):
    return applied(tf.constant([1, 2, 4], dtype), OTHERS[other])


@each(dtype=INTEGERS, other=WHOLE)
def case_integers_left(tf, dtype, other):
    return applied(tf.constant([1, 2, 4], dtype), OTHERS[other])


@each(dtype=FLOATS, other=["int", "float", "list", "list of floats"])
def case_floats_right(tf, dtype, other):
    return applied(OTHERS[other], tf.constant([1, 2, 4], dtype))


@each(dtype=INTEGERS, other=["int", "list"])
def case_integers_right(tf, dtype, other):
    return applied(OTHERS[other], tf.constant([1, 2, 4], dtype))


@each(dtype=FLOATS, other=["float64 array", "int64 array"])
def case_array_left(tf, dtype, other):
    array, tensor = OTHERS[other], tf.constant([1, 2, 4], dtype)
    return [array + tensor, array - tensor, array * tensor, array / tensor]


@each(dtype=FLOATS, other=["int", "float", "np.float64", "np.int64"])
def case_single_float(tf, dtype, other):
    return applied(tf.constant(5, dtype), OTHERS[other])


@each(dtype=INTEGERS, other=["int", "np.int64"])
def case_single_integer(tf, dtype, other):
    return applied(tf.constant(5, dtype), OTHERS[other])


@each(dtype=FLOATS, other=list(OTHERS))
def case_floats_in_map(tf, dtype, other):
    numbers = np.arange(1, 7).reshape(2, 3).astype(dtype)
    ds = tf.data.Dataset.from_tensor_slices(numbers)
    return ds.map(lambda x: tuple(applied(x, OTHERS[other])))


@each(dtype=INTEGERS, other=WHOLE)
def case_integers_in_map(tf, dtype, other):
    numbers = np.arange(1, 7).reshape(2, 3).astype(dtype)
    ds = tf.data.Dataset.from_tensor_slices(numbers)
    return ds.map(lambda x: tuple(applied(x, OTHERS[other])))


@each(dtype=DTYPES)
def case_two_tensors(tf, dtype):
    return applied(tf.constant([1, 2], dtype), tf.constant([3, 4], dtype))


def case_in_place_operators_make_new_dtypes(tf):
    image = tf.constant(np.array([0, 51, 255], np.uint8))
    image /= 255
    image -= 0.5
    return image


def case_shape(tf):
    (image,) = tf.data.Dataset.from_tensors(np.zeros((4, 5, 3), np.uint8))
    height, width = image.shape[0], image.shape[1]
    return [
        image.shape.as_list(),
        image.get_shape().as_list(),
        image.shape.rank,
        image.shape.ndims,
        image.ndim,
        len(image),
        height,
        width,
        image.shape[:2].as_list(),
        image.shape[-1],
        list(image.shape),
        image.shape.num_elements(),
        image.shape.is_fully_defined(),
        image.shape.is_compatible_with([None, 5, 3]),
        image.shape.is_compatible_with([4, 5]),
        image.shape == (4, 5, 3),
        image.shape == [4, 5, 3],
        image.shape.concatenate([2]).as_list(),
        image.shape.merge_with([None, 5, None]).as_list(),
        str(image.shape),
        f"{image.shape}",
    ]


@each(dtype=["bool", "uint8", "int64", "float16", "float64", "complex64", "complex128", "string"])
def case_questions_of_a_dtype(tf, dtype):
    dtype = tf.as_dtype(dtype)
    return [
        dtype.is_bool,
        dtype.is_integer,
        dtype.is_unsigned,
        dtype.is_floating,
        dtype.is_complex,
        dtype.is_numeric,
        dtype.is_quantized,
        dtype.as_datatype_enum,
        dtype.real_dtype.name,
        dtype.base_dtype.name,
    ]


def case_shape_of_a_number(tf):
    (number,) = tf.data.Dataset.range(1)
    return [number.shape.as_list(), number.shape.rank, len(number.shape), str(number.shape)]


def case_dtype(tf):
    (pair,) = tf.data.Dataset.from_tensors((np.float32(1), np.int64(2)))
    first, second = pair
    return [
        first.dtype == tf.float32,
        first.dtype == "float32",
        first.dtype.name,
        first.dtype.is_floating,
        second.dtype.is_integer,
        second.dtype.is_bool,
        second.dtype.is_unsigned,
        first.dtype.size,
        second.dtype.max,
        second.dtype.min,
        first.dtype.as_numpy_dtype is np.float32,
        first.dtype.base_dtype == tf.float32,
        first.dtype.is_compatible_with(tf.float32),
        str(first.dtype),
        repr(second.dtype),
        f"{second.dtype}",
        tf.as_dtype("int32") == tf.int32,
        tf.as_dtype(np.uint8).max,
        tf.dtypes.as_dtype(bool) == tf.bool,
        tf.string.name,
    ]


def case_numpy_of_elements(tf):
    element = next(iter(tf.data.Dataset.from_tensors((3, 2.5, "é", b"\x00", [1, 2], True))))
    return [[type(x.numpy()).__name__, x.numpy()] for x in element]


def case_numbers_are_numbers(tf):
    (number,) = tf.data.Dataset.from_tensors(np.int64(7))
    names = ["a"] * 8
    return [int(number), float(number), f"{number}", names[number], bool(number), range(number)[-1]]


def case_text_is_equal_to_bytes(tf):
    text = tf.constant("train/cat/1.jpg")
    parts = tf.strings.split(text, "/")
    return [
        bool(parts[-2] == "cat"),
        bool(parts[-2] == b"cat"),
        bool(parts[-2] != "dog"),
        bool(tf.equal(parts[1], "cat")),
        int(tf.argmax(parts[-2] == ["dog", "cat"])),
        int(tf.argmax(parts[-2] == np.array(["dog", "cat"]))),
        (parts == "cat").numpy().tolist(),
        bool(tf.reduce_all(tf.constant(["a", "b"]) == tf.constant([b"a", b"b"]))),
    ]


def case_text_in_map(tf):
    ds = tf.data.Dataset.from_tensor_slices(["x/cat/1", "x/dog/2"])
    names = np.array(["cat", "dog"])

    def label(path):
        part = tf.strings.split(path, "/")[-2]
        return part == "cat", tf.argmax(part == names), tf.equal(part, "dog"), part + "!"

    return ds.map(label)


def case_newaxis(tf):
    text = tf.constant("a")
    number = tf.constant(3)
    return [text[tf.newaxis], number[tf.newaxis], text[None], number[..., tf.newaxis]]


def case_set_shape_of_another_shape(tf):
    image = tf.constant(np.zeros((2, 3)))
    image.set_shape([None, 3])
    try:
        image.set_shape([3, 3])
    except ValueError:
        return "refused"
    return "accepted"


def case_set_shape_in_map(tf):
    def shaped(x):
        x.set_shape([3])
        return x

    ds = tf.data.Dataset.from_tensor_slices(np.zeros((2, 3), np.float32))
    return ds.map(shaped)


def case_references_as_keys(tf):
    first, second = tf.constant([1]), tf.constant([1])
    kept = {first.ref(): "first", second.ref(): "second"}
    return [kept[first.ref()], kept[second.ref()], len(kept), first.ref() == first.ref()]


def case_python_numbers_of_functions(tf):
    ds = tf.data.Dataset.range(2)
    return ds.map(lambda x: (1, 2.5, True, [1, 2], [0.5], {"n": 7}, x))


def case_iteration_of_tensors(tf):
    return [int(x) for x in tf.constant([3, 4])] + [list(map(int, row)) for row in tf.eye(2)]


def case_truth(tf):
    return [bool(tf.constant(0)), bool(tf.constant([5])), bool(tf.constant(0.5) > 0.2)]


def case_formatted(tf):
    number, half, array = tf.constant(3), tf.constant(2.5), tf.constant([[1, 2], [3, 4]])
    return [f"{number}", f"{number:05d}", f"{half:.2f}", f"{array}", f"{tf.constant(True)}"]
