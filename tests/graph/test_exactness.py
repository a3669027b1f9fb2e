"""When a ufunc rounds every number of a block as it rounds those of one element."""

import numpy as np
import pytest

from feedline.data import Dataset
from feedline.graph.exactness import in_line, is_settled, on_paths, single_numbers_agree
from feedline.graph.rows import Rows
from tests.graph.plain_loop import assert_identical, how_it_runs

N = 600
UFUNCS = [
    ufunc
    for ufunc in dict.fromkeys(v for v in vars(np).values() if isinstance(v, np.ufunc))
    if ufunc.signature is None and ufunc.nout == 1
]


def numbers(shape, dtype, first=200):
    """Numbers of which the first elements tell nothing about rounding, or about zeros."""
    draws = np.random.default_rng(int(np.prod(shape)))
    drawn = draws.uniform(-1, 8, (N, *shape)) * draws.choice([1, 1, 50], (N, *shape))
    drawn = np.where(draws.random(drawn.shape) < 0.1, draws.choice([-0.0, 0.0, 0.5, 2, -1]), drawn)
    if np.dtype(dtype).kind == "c":
        drawn = drawn + 1j * draws.normal(size=drawn.shape)
    drawn[:first] = 1
    return drawn.astype(dtype)


def assert_as_in_a_loop(fn, *arrays):
    """Raise AssertionError unless a map gives what plain Python gives, for every element."""
    with np.errstate(all="ignore"):
        wanted = [np.asarray(fn(*(a.copy() for a in each))) for each in zip(*arrays, strict=True)]
        made = Dataset.from_tensor_slices(arrays if len(arrays) > 1 else arrays[0]).map(fn)
        found = list(made)
    assert_identical(np.stack(list(map(np.asarray, found))), np.stack(wanted))
    return made


def takes(ufunc, dtype):
    char = np.dtype(dtype).char
    return any(types.startswith(char * ufunc.nin + "->") for types in ufunc.types)


VIEWS = {
    "as it is": lambda x: x,
    "backwards": lambda x: x[::-1],
    "with gaps": lambda x: x[::2],
    "backwards with gaps": lambda x: x[::-2],
    "one number": lambda x: x[:1],
    "a number": lambda x: x[0],
    "transposed": lambda x: x[:4].reshape(2, 2).T,
}


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_every_ufunc_of_a_view_is_that_of_each_element(dtype, view):
    arrays = numbers((9,), dtype), numbers((9,), dtype)[::-1].copy()
    chosen = [ufunc for ufunc in UFUNCS if takes(ufunc, dtype)]

    def one(ufunc):
        return lambda x: ufunc(view(x))

    def two(ufunc):
        return lambda x, y: ufunc(view(x), y[: view(x).size].reshape(view(x).shape))

    assert len(chosen) > 5
    for ufunc in chosen:
        if ufunc.nin == 1:
            assert_as_in_a_loop(one(ufunc), arrays[0])
        elif ufunc.nin == 2:
            assert_as_in_a_loop(two(ufunc), *arrays)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3)])
def test_an_exponent_of_each_element_is_one_exponent_for_the_whole_call(dtype, shape):
    base, exponent = numbers(shape, dtype), numbers((), dtype)
    exponent[200:] = np.random.default_rng(0).choice([0.5, 2, -1, 0, 1], N - 200)

    assert_as_in_a_loop(lambda x, y: x**y, base, exponent)
    assert_as_in_a_loop(lambda x, y: np.power(x, y), base, exponent)
    assert_as_in_a_loop(lambda x, y: np.float_power(x, y), base, exponent)


def test_an_exponent_keeps_the_sign_of_zero():
    zeros, halves = np.ones(N), np.full(N, 1.5)
    zeros[200:], halves[200:] = -0.0, 0.5

    assert_as_in_a_loop(lambda x, y: np.power(x, y), zeros, halves)


@pytest.mark.parametrize("length", [1, 2, 3, 17])
def test_a_complex_product_in_place_is_that_of_each_element(length):
    def product(z, w):
        z *= w
        return z

    assert_as_in_a_loop(product, numbers((length,), "c8"), numbers((length,), "c8"))


@pytest.mark.parametrize(
    "fn",
    [
        lambda z: np.cumprod(z),
        lambda z: np.gradient(z),
        lambda z: np.outer(z[::-1], z),
        lambda z: np.kron(z, z[::-1]),
        lambda z: np.cross(z[:3], z[2::-1]),
        lambda z: np.multiply.reduce(z[::-1]),
        lambda z: np.multiply.accumulate(z[::-1]),
        lambda z: np.multiply.outer(z[::-1], z),
        lambda z: np.polyval([1, 2j, 3], z[::-1]),
        lambda z: np.einsum("i,j->ij", z, z),
        lambda z: np.abs(z[::-1]) + np.angle(z),
        lambda z: z / (z[::-1] + 2),
        lambda z: z**2,
    ],
)
def test_what_multiplies_complex_numbers_is_that_of_each_element(fn):
    assert_as_in_a_loop(fn, numbers((5,), "c8"))


def test_the_larger_of_two_zeros_is_that_of_each_element():
    signs = np.random.default_rng(0).choice([-0.0, 0.0], (N, 3, 17))
    signs[:200] = 1

    for reduced in (np.max, np.min, np.maximum.reduce, np.nanmax, np.ptp):
        assert_as_in_a_loop(lambda x, reduced=reduced: reduced(x.T), signs)
        assert_as_in_a_loop(lambda x, reduced=reduced: reduced(x[::-1, ::-1], axis=None), signs)


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: x / 255.0,
        lambda x: np.exp(x),
        lambda x: np.log(x[2]),
        lambda x: np.tanh(x[1:4]),
        lambda x: np.sqrt(x[::-1]),
        lambda x: x[::2] * 2 + 1,
        lambda x: x**2,
    ],
)
def test_what_is_the_same_in_a_row_is_done_at_once(fn):
    made = assert_as_in_a_loop(fn, np.abs(numbers((9,), "f4")) + 1)

    assert how_it_runs(made) == "vectorised"


def test_what_is_rounded_once_is_settled():
    assert is_settled(np.divide, {"f"})
    assert is_settled(np.power, {"i", "u"})
    assert not is_settled(np.power, {"i", "f"})
    assert not is_settled(np.divide, {"c"})
    assert not is_settled(np.log, {"i"})
    assert not is_settled(np.frompyfunc(abs, 1, 1), {"f"})


def test_elements_in_a_row_are_copied_side_by_side():
    block = np.arange(24.0).reshape(4, 6)

    assert in_line(block) is block
    assert in_line(block[:, 1:3]).flags.c_contiguous
    with pytest.raises(NotImplementedError):
        in_line(block[:, ::-1])


def test_an_exponent_that_is_not_the_same_for_all_numbers_of_a_block_is_refused():
    base, exponent = Rows(np.ones((4, 3))), Rows(np.ones((4, 1)))

    with pytest.raises(NotImplementedError):
        on_paths(np.power, [base, exponent])
    assert len(on_paths(np.power, [base, base])) == 2
    assert len(on_paths(np.arctan2, [base, exponent])) == 2


def test_single_numbers_of_half_precision_and_complex_ones_are_not_tried():
    assert not single_numbers_agree(np.exp, np.dtype("f2"))
    assert not single_numbers_agree(np.exp, np.dtype("c8"))
    assert not single_numbers_agree(np.power, np.dtype("f8"), np.dtype("f8"))
