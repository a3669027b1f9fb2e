"""Random functions give the same on whole blocks as element by element."""

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from feedline.data import Dataset
from tests.graph.plain_loop import assert_identical, outcome_of, with_block_size

pytestmark = pytest.mark.usefixtures("tried_at_once")

COUNT = 24
CONSTANTS = {
    "SCALAR": np.float32(0.3),
    "ROW": np.array([0.1, -2.0, 3.5]),
    "GRID": np.arange(6, dtype=np.int16).reshape(2, 3),
    "TABLE": np.linspace(-1, 1, 8, dtype=np.float32),
}
VALUES = """
{a} + {b}
{a} - {b}
{a} * {b}
{a} / 3
{a} // 2
{a} % 3
{a} ** 2
{a} ** 0.5
-{a}
abs({a})
~{a}
round({a}, 1)
divmod({a}, 2)[1]
{a} > {b}
({a} > 0) & ({b} < 1)
{a} == {b}
np.where({a} > 0, {b}, {a})
np.maximum({a}, {b})
np.clip({a}, -1, 1)
np.sqrt(np.abs({a}))
np.exp(-np.abs({a}))
np.log({a})
np.square({a})
np.float32({a})
np.asarray({a})
np.array([{a}, {a}])
np.zeros_like({a})
np.ascontiguousarray({a})
{a}.sum()
{a}.sum(axis=0)
{a}.mean()
{a}.mean(axis=-1)
{a}.std()
{a}.max()
{a}.argmax()
{a}.any()
{a}.T
{a}[::-1]
{a}[1:]
{a}[..., 0]
{a}[0]
{a}[None]
{a}[[0, -1]]
{a}.reshape(-1)
{a}.ravel(order="K")
{a}.copy()
{a}.astype(np.float32)
{a}.astype(np.int16)
{a}.astype(np.uint8)
{a} + SCALAR
{a} * ROW
{a} - GRID
ROW @ {a}
TABLE[np.argmax({a})]
np.stack([{a}, {b}])
np.concatenate([{a}, {a}])
np.cumsum({a})
np.sort({a}, axis=None)
np.pad({a}, 1)
np.roll({a}, 1)
np.round({a}, 1)
np.repeat({a}, 2)
np.take({a}, [0, 0], axis=0)
np.median({a})
np.linalg.norm({a})
np.diff({a})
sum({a})
({a} if {a}.ndim else {b})
""".strip().split("\n")
CHANGES = """
{a} += 1
{a} *= {b}
{a} -= {a}.max()
{a} **= 2
{a}[0] = 0
{a}[..., -1] = {b}
{a}[{a} > 0] = 1
{a}[...] = {b}
np.add({a}, 1, out={a})
np.copyto({a}, 0)
{a}.fill(1)
{a}.sort()
""".strip().split("\n")
RESULTS = ["{a}", "({a}, {b})", "{{'p': {a}, 'q': ({b}, 1.5)}}", "[{a}, {b}]"]
DTYPES = ["?", "u1", "i1", "i4", "i8", "f2", "f4", "f8", "c8"]
SHAPES = [(), (3,), (1,), (2, 3), (3, 3), (0,)]
LAYOUTS = ["C", "F", "strided"]


@st.composite
def sources(draw):
    """The text of a function of x."""
    names, lines = ["x"], []
    for number in range(draw(st.integers(1, 6))):
        picked = {key: draw(st.sampled_from(names)) for key in "ab"}
        if draw(st.integers(0, 3)):
            template = draw(st.sampled_from(VALUES))
            lines.append(f"v{number} = {template.format(**picked)}")
            names.append(f"v{number}")
        else:
            lines.append(draw(st.sampled_from(CHANGES)).format(**picked))
    picked = {key: draw(st.sampled_from(names)) for key in "ab"}
    lines.append("return " + draw(st.sampled_from(RESULTS)).format(**picked))
    return "\n    ".join(["def f(x):", *lines])


def elements(dtype, shape, layout, seed):
    draws = np.random.default_rng(seed)
    full = (COUNT, *shape)
    kind = np.dtype(dtype).kind
    if kind in "fc":
        values = draws.standard_normal(full) * draws.choice([0.0, 1.0, 100.0], full)
        values = np.where(draws.random(full) < 0.02, draws.choice([np.nan, np.inf], full), values)
    else:
        values = draws.integers(0, 120, full) - (40 if kind == "i" else 0)
    with np.errstate(all="ignore"):
        array = values.astype(dtype)
    if layout == "F":
        return np.asfortranarray(array)
    return np.repeat(array, 2, axis=-1)[..., ::2] if layout == "strided" and shape else array


def ran(text, data, block_size, vectorize):
    """What a function gives, raises, warns of and leaves of its constants."""
    names = {"np": np, **{name: value.copy() for name, value in CONSTANTS.items()}}
    exec(text, names)  # as a user would have written it
    dataset = Dataset.from_tensor_slices(data).map(names["f"], vectorize=vectorize)
    return outcome_of(
        with_block_size(dataset, block_size), lambda: tuple(names[name] for name in CONSTANTS)
    )


@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=sources(),
    dtype=st.sampled_from(DTYPES),
    shape=st.sampled_from(SHAPES),
    layout=st.sampled_from(LAYOUTS),
    seed=st.integers(0, 9),
    block_size=st.sampled_from([1, 5, COUNT]),
)
@example("def f(x):\n    y = x\n    y += 1\n    return (x, y)", "i8", (), "C", 0, 5)
@example("def f(x):\n    y = np.asarray(x)\n    y += 1\n    return (x, y)", "f4", (), "C", 0, 5)
@example("def f(x):\n    return (x.T * 2 + x).sum(axis=0)", "f4", (3, 3), "F", 0, 5)
def test_a_random_function_gives_the_same_on_whole_blocks(
    text, dtype, shape, layout, seed, block_size
):
    data = elements(dtype, shape, layout, seed)

    expected = ran(text, data, block_size, vectorize=False)
    found = ran(text, data, block_size, vectorize=None)

    assert_identical(found.elements, expected.elements)
    assert_identical(found.state, expected.state)
    assert found.warned == expected.warned
