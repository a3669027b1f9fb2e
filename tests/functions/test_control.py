"""cond, switch_case, case, while_loop, map_fn: plain Python on values, recorded on symbols."""

import numpy as np
import pytest

import feedline as tf
from feedline.errors import BuildError, BuildTypeError
from feedline.functions.traces import FunctionWarning

ROW = np.array([1.0, 2.0], np.float32)


def both(fn):
    """The function as it is, and recorded."""
    return pytest.mark.parametrize("fn", [fn, tf.function(fn)], ids=["eager", "recorded"])


@both(lambda x: tf.cond(x > 0, lambda: (x, {"a": x * 2}), lambda: (-x, {"a": x * 0})))
def test_cond_returns_structures(fn):
    assert fn(np.int32(3)) == (3, {"a": 6})
    assert fn(np.int32(-3)) == (3, {"a": 0})


def test_only_the_branch_that_is_taken_runs():
    ran = []

    def noted(name, x):
        tf.py_function(lambda: ran.append(name), [], [])
        return x

    fn = tf.function(lambda x: tf.cond(x > 0, lambda: noted("yes", x), lambda: noted("no", x)))
    with pytest.warns(tf.FunctionWarning):
        fn(np.int32(1))
    fn(np.int32(-1))

    assert ran == ["yes", "no"]


def test_prints_of_a_branch_come_when_it_is_taken(capfd):
    fn = tf.function(
        lambda x: tf.cond(x > 0, lambda: (tf.print("yes"), x)[1], lambda: (tf.print("no"), -x)[1])
    )

    assert [fn(np.int32(n)) for n in (1, -2, 3)] == [1, 2, 3]
    assert capfd.readouterr().err.split() == ["yes", "no", "yes"]


def test_a_branch_that_fails_on_the_other_values_is_plain_python():
    fn = tf.function(lambda x, i: tf.cond(i < 2, lambda: tf.gather(x, i), lambda: x[0]))

    assert fn(ROW, np.int64(1)) == 2
    assert fn(ROW, np.int64(5)) == 1


@pytest.mark.filterwarnings("ignore::feedline.FunctionWarning")
def test_branches_of_different_dtypes_are_plain_python():
    fn = tf.function(lambda x: tf.cond(x > 0, lambda: x, lambda: tf.cast(x, tf.float32)))

    assert [fn(np.int32(n)).dtype for n in (1, -1)] == [tf.int32, tf.float32]


def test_branches_may_have_different_lengths():
    fn = tf.function(lambda x: tf.cond(x[0] > 0, lambda: x, lambda: x[:1]))

    assert [fn(sign * ROW).shape for sign in (1, -1)] == [(2,), (1,)]
    assert fn.get_concrete_function(ROW).structured_outputs.shape == (None,)


def test_branches_may_be_nested():
    @tf.function
    def fn(x):
        return tf.cond(x > 0, lambda: tf.cond(x > 10, lambda: x - 10, lambda: x), lambda: x * 0 - 1)

    assert [fn(np.int32(n)) for n in (15, 5, -5)] == [5, 5, -1]


@pytest.mark.filterwarnings("ignore::feedline.FunctionWarning")
def test_a_branch_may_look_at_values():
    fn = tf.function(lambda x: tf.cond(x > 0, lambda: x if x > 5 else -x, lambda: x))

    assert [fn(np.int32(n)) for n in (7, 3, -3)] == [7, -3, -3]


def test_wrong_conditions_are_refused():
    with pytest.raises(BuildError, match=r"must be a scalar, got the shape \(2,\)"):
        tf.cond(ROW, lambda: 1, lambda: 2)
    with pytest.raises(BuildTypeError, match="false_fn must be callable"):
        tf.cond(True, lambda: 1)


@both(lambda i: tf.switch_case(i, [lambda: np.int32(10), lambda: np.int32(20)]))
def test_the_last_branch_is_the_default(fn):
    assert [fn(np.int32(i)) for i in (0, 1, 2, -1)] == [10, 20, 20, 20]


def test_a_switch_needs_branches():
    with pytest.raises(BuildError, match="at least one function"):
        tf.switch_case(0, [])


@both(lambda x: tf.case([(x < 0, lambda: -x), (x > 9, lambda: x * 0)], default=lambda: x))
def test_case_takes_the_first_that_is_true(fn):
    assert [fn(np.int32(n)) for n in (-4, 5, 12)] == [4, 5, 0]


def test_case_without_a_true_condition_needs_a_default():
    with pytest.raises(BuildError, match="no condition is true"):
        tf.case([(False, lambda: 1)])
    with pytest.raises(BuildError, match="2 conditions are true"):
        tf.case([(True, lambda: 1), (True, lambda: 2)], exclusive=True)


@both(
    lambda n: tf.while_loop(
        lambda i, s: i < n,
        lambda i, s: (i + 1, {"total": s["total"] + i}),
        (n * 0, {"total": n * 0}),
    )
)
def test_a_loop_carries_structures(fn):
    assert [fn(np.int64(n))[1]["total"] for n in (0, 1, 5)] == [0, 0, 10]


@both(lambda n: tf.while_loop(lambda i: i < 1000, lambda i: i + n, [n * 0], maximum_iterations=4))
def test_a_loop_may_be_limited(fn):
    assert fn(np.int64(3)) == [12]


def test_a_loop_with_a_python_counter_is_recorded():
    seen = []

    @tf.function
    def fn(x):
        seen.append(1)
        return tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * 2), (0, x))[1]

    assert [fn(sign * ROW).tolist() for sign in (1, -1)] == [[8, 16], [-8, -16]]
    assert seen == [1]


@pytest.mark.filterwarnings("ignore::feedline.FunctionWarning")
def test_a_loop_that_grows_is_plain_python():
    fn = tf.function(
        lambda x: tf.while_loop(lambda v: tf.size(v) < 5, lambda v: [tf.concat([v, v], 0)], [x])
    )

    assert [len(fn(ROW)[0]), len(fn(ROW)[0])] == [8, 8]


def test_effects_of_a_loop_happen_once_per_round(capfd):
    fn = tf.function(
        lambda n: tf.while_loop(lambda i: i < n, lambda i: (tf.print(i), i + 1)[1:], [n * 0])
    )
    fn(np.int32(3))
    fn(np.int32(2))

    assert capfd.readouterr().err.split() == ["0", "1", "2", "0", "1"]


def test_wrong_loops_are_refused():
    with pytest.raises(BuildTypeError, match="loop_vars must be a list or tuple"):
        tf.while_loop(lambda i: i < 1, lambda i: i, 3)
    with pytest.raises(BuildError, match="body must return 1 variables, got 2"):
        tf.while_loop(lambda i: i < 1, lambda i: (i, i), [0])


@both(
    lambda x: tf.map_fn(
        lambda row: (row.sum(), row * x[0, 0]), x, fn_output_signature=(tf.float64, tf.float32)
    )
)
def test_map_fn_stacks_results(fn):
    sums, rows = fn(np.arange(6, dtype=np.float32).reshape(3, 2) + 1)

    assert sums.tolist() == [3, 7, 11]
    assert sums.dtype == tf.float64
    assert rows.shape == (3, 2)


def test_map_fn_needs_one_length():
    with pytest.raises(BuildError, match="must have one length"):
        tf.map_fn(lambda pair: pair[0], (np.ones(2), np.ones(3)))
    with pytest.raises(BuildError, match="at least one axis"):
        tf.map_fn(lambda x: x, np.float32(1))


def test_effects_of_map_fn_happen_once_per_slice(capfd):
    fn = tf.function(lambda x: tf.map_fn(lambda v: (tf.print(v), v)[1], x))
    fn(np.array([1, 2]))
    fn(np.array([3, 4]))

    assert capfd.readouterr().err.split() == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (lambda x: x // 0 if isinstance(x, int) else 1 // 0, "for it has a branch that fails"),
        (lambda x: 1 if x > 3 else 2, "for it branches on a value"),
    ],
    ids=["fails", "cannot be recorded"],
)
def test_a_branch_that_is_not_taken_says_why_it_is_not_recorded(other, why):
    fn = tf.function(lambda x: tf.cond(x > 0, lambda: x, lambda: other(x)))
    ds = tf.data.Dataset.range(1, 9).map(fn)

    with pytest.warns(FunctionWarning, match=why):
        assert [int(x) for x in ds] == list(range(1, 9))


def test_blocks_are_split_by_branch():
    ds = tf.data.Dataset.range(100).map(lambda x: tf.cond(x % 3 == 0, lambda: x, lambda: -x))

    assert [int(x) for x in ds] == [x if x % 3 == 0 else -x for x in range(100)]
    assert "vectorised" in ds.explain()


def test_blocks_loop_as_long_as_a_row_goes_on():
    def powers(x):
        return tf.while_loop(lambda p: p <= x, lambda p: [p * 2], [x * 0 + 1])[0]

    ds = tf.data.Dataset.range(100).map(powers)

    assert [int(x) for x in ds] == [1 << x.bit_length() for x in range(100)]
    assert "vectorised" in ds.explain()
