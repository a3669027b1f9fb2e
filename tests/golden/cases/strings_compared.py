"""strings_compared: bytes and str of one text are equal, wherever strings are compared."""

import numpy as np

from tests.golden.case import each, spec_of_results

BYTES = [b"DOG", b"CAT"]
TEXTS = ["DOG", "CAT"]


def strings(tf):
    """One byte string, two byte strings and two texts."""
    return tf.constant(b"DOG"), tf.constant(BYTES), tf.constant(["CAT", "DOG"])


VALUES = {
    "equal": lambda tf, one, two, texts: tf.equal(one, "DOG"),
    "equal_text_first": lambda tf, one, two, texts: tf.equal("DOG", one),
    "equal_both": lambda tf, one, two, texts: tf.equal(two, texts),
    "equal_numpy": lambda tf, one, two, texts: tf.equal(two, np.array(["DOG", "X"])),
    "equal_numpy_first": lambda tf, one, two, texts: tf.equal(np.array(["DOG", "X"]), two),
    "equal_lists": lambda tf, one, two, texts: tf.math.equal(["a", "b"], [b"a", b"c"]),
    "equal_grid": lambda tf, one, two, texts: tf.equal(tf.constant([["a"], ["b"]]), [b"a", b"b"]),
    "not_equal": lambda tf, one, two, texts: tf.not_equal(two, "DOG"),
    "operator": lambda tf, one, two, texts: two == "DOG",
    "operator_list": lambda tf, one, two, texts: two == ["DOG", "DOG"],
    "operator_numpy": lambda tf, one, two, texts: one == np.array(["CAT", "DOG"]),
    "operator_reflected": lambda tf, one, two, texts: "DOG" == two,  # noqa: SIM300
    "operator_unequal": lambda tf, one, two, texts: two != texts,
    "where": lambda tf, one, two, texts: tf.where(two == "DOG", 1, 0),
    "where_text": lambda tf, one, two, texts: tf.where(tf.equal(texts, two), texts, two),
    "any": lambda tf, one, two, texts: tf.reduce_any(one == ["X", "DOG"]),
    "argmax": lambda tf, one, two, texts: tf.argmax(tf.equal(["CAT", "DOG"], one)),
    "unique": lambda tf, one, two, texts: tf.unique(tf.concat([two, texts], 0)),
    "unique_counts": lambda tf, one, two, texts: tf.unique_with_counts(tf.concat([two, texts], 0)),
    "in_list": lambda tf, one, two, texts: one in ["DOG"],
    "in_map": lambda tf, one, two, texts: {"DOG": 3}.get(one.numpy().decode()),
}


@each(name=list(VALUES))
def case_value(tf, name):
    return VALUES[name](tf, *strings(tf))


def chosen(tf, x):
    return tf.case([(tf.equal(x, "DOG"), lambda: 5)], default=lambda: 6)


MAPPED = {
    "equal": lambda tf, x: tf.equal(x, "DOG"),
    "equal_bytes": lambda tf, x: tf.equal(b"DOG", x),
    "operator": lambda tf, x: x == "DOG",
    "operator_bytes": lambda tf, x: x == b"DOG",
    "list": lambda tf, x: x == ["DOG", "A"],
    "numpy": lambda tf, x: tf.equal(np.array(["DOG", "CAT"]), x),
    "constant": lambda tf, x: x == tf.constant(["DOG", "CAT"]),
    "any": lambda tf, x: tf.reduce_any(x == ["A", "CAT"]),
    "cond": lambda tf, x: tf.cond(x == "DOG", lambda: 1, lambda: 0),
    "case": chosen,
    "function": lambda tf, x: tf.function(lambda y: y == "DOG")(x),
    "function_equal": lambda tf, x: tf.function(lambda y: tf.equal(y, b"DOG"))(x),
    "lower": lambda tf, x: tf.equal(tf.strings.lower(x), "dog"),
    "split": lambda tf, x: tf.strings.split(x, "O")[0] == "D",
}


@spec_of_results
@each(name=list(MAPPED), data=["bytes", "text"])
def case_mapped(tf, name, data):
    ds = tf.data.Dataset.from_tensor_slices(BYTES if data == "bytes" else TEXTS)
    return ds.map(lambda x: MAPPED[name](tf, x))


@each(data=["bytes", "text"])
def case_mapped_function(tf, data):
    ds = tf.data.Dataset.from_tensor_slices(BYTES if data == "bytes" else TEXTS)
    return ds.map(tf.function(lambda x: x == "DOG"))


@spec_of_results
@each(data=["bytes", "text"])
def case_batches(tf, data):
    ds = tf.data.Dataset.from_tensor_slices(BYTES if data == "bytes" else TEXTS).batch(2)
    return ds.map(lambda x: (x == "DOG", tf.equal(x[:, None], ["DOG", "CAT"])))


@each(data=["bytes", "text"])
def case_filtered(tf, data):
    ds = tf.data.Dataset.from_tensor_slices(BYTES if data == "bytes" else TEXTS)
    return ds.filter(lambda x: tf.not_equal(x, "DOG"))
