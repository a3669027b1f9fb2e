"""damaged_states: pipelines of many kinds, and states of theirs that are edited at random."""

import copy

import numpy as np
from hypothesis import strategies as st

import feedline as tf

__all__ = ["PIPELINES", "damaged"]

Dataset = tf.data.Dataset


def _numbers(count=12):
    return Dataset.range(count)


def _generated():
    return Dataset.from_generator(
        lambda: iter(range(9)), output_signature=tf.TensorSpec((), "int64")
    )


PIPELINES = {
    "range": _numbers,
    "slices": lambda: Dataset.from_tensor_slices(np.arange(20).reshape(10, 2)),
    "generator": _generated,
    "random": lambda: Dataset.random(seed=3).take(9),
    "batch": lambda: _numbers().batch(3),
    "batch and unbatch": lambda: _numbers().batch(4).unbatch().batch(3),
    "padded_batch": lambda: _numbers().map(lambda x: np.arange(x)).padded_batch(3),
    "ragged_batch": lambda: _numbers().map(lambda x: np.arange(x)).ragged_batch(3),
    "map": lambda: _numbers().map(lambda x: x + 1),
    "parallel map": lambda: _numbers().map(lambda x: x + 1, num_parallel_calls=2),
    "any order": lambda: _numbers().map(
        lambda x: int(x) + 1, num_parallel_calls=2, deterministic=False
    ),
    "filter": lambda: _numbers().filter(lambda x: x % 3 > 0),
    "flat_map": lambda: _numbers().flat_map(lambda x: Dataset.range(x)),
    "interleave": lambda: _numbers().interleave(lambda x: Dataset.range(x), 3, 2),
    "parallel interleave": lambda: _numbers().interleave(
        lambda x: Dataset.range(x), 3, 2, num_parallel_calls=2
    ),
    "shuffle": lambda: _numbers().shuffle(5, seed=1),
    "shuffle of a filter": lambda: _numbers(40).filter(lambda x: x % 2 > 0).shuffle(6, seed=1),
    "unseeded shuffle": lambda: _numbers().shuffle(4).repeat(2),
    "repeat for ever": lambda: _numbers(5).repeat(),
    "shuffle for ever": lambda: _numbers(5).shuffle(3).repeat(),
    "filter for ever": lambda: _numbers(5).repeat().filter(lambda x: x > 1).batch(2),
    "skip and take": lambda: _numbers().skip(2).take(8),
    "concatenate": lambda: _numbers(4).concatenate(_numbers(5)),
    "zip": lambda: Dataset.zip((_numbers(), _numbers().batch(1))),
    "enumerate": lambda: _numbers().enumerate(),
    "shard": lambda: _numbers().shard(3, 1),
    "unique": lambda: _numbers().map(lambda x: x // 2).unique(),
    "scan": lambda: _numbers().scan(np.int64(0), lambda s, x: (s + x, s + x)),
    "take_while": lambda: _numbers().take_while(lambda x: x < 9),
    "cache": lambda: _numbers().cache().repeat(2),
    "window": lambda: _numbers().window(3, 2).flat_map(lambda w: w.batch(3)),
    "windows": lambda: _numbers().window(3, 1, 2, True).flat_map(lambda w: w.map(abs).batch(3)),
    "group_by_window": lambda: _numbers().group_by_window(
        lambda x: x % 2, lambda key, w: w.batch(3), window_size=3
    ),
    "bucket": lambda: (
        _numbers().map(lambda x: np.arange(x)).bucket_by_sequence_length(len, [3, 6], [2, 2, 2])
    ),
    "sample": lambda: Dataset.sample_from_datasets([_numbers(), _numbers()], seed=2),
    "choose": lambda: Dataset.choose_from_datasets(
        [_numbers(), _numbers()], Dataset.range(2).repeat(6)
    ),
    "rejection_resample": lambda: _numbers(40).rejection_resample(
        lambda x: x % 2, [0.3, 0.7], [0.5, 0.5], seed=1
    ),
    "pack": lambda: _numbers().map(lambda x: {"x": np.arange(x % 4)}).pack(6),
    "rebatch": lambda: _numbers().batch(4).rebatch(3),
    "ignore_errors": lambda: _numbers().map(lambda x: np.int64(6) // (int(x) - 3)).ignore_errors(),
    "prefetch": lambda: _numbers().map(lambda x: x * 2).prefetch(2).batch(2),
}

_NUMBERS = st.sampled_from(
    [-1, 0, 1, 2, 3, 7, 100, 1 << 20, 1 << 31, 1 << 40, 1 << 62, 1 << 63, 1 << 70, -(1 << 40)]
)
_VALUES = st.one_of(
    _NUMBERS,
    st.sampled_from([None, True, False, 0.5, 1e300, float("nan"), float("inf"), "", "x", "part"]),
    st.builds(list),
    st.builds(dict),
    st.lists(_NUMBERS, max_size=3),
    st.builds(lambda n: [[n, n]], _NUMBERS),
    st.builds(lambda n: {"n": n, "in": [{"n": n}]}, _NUMBERS),
    st.just("deep"),
)


def _places(value, at=()):
    """Yield the path of every value in a state."""
    yield at
    items = value.items() if isinstance(value, dict) else ()
    items = enumerate(value) if isinstance(value, list) else items
    for key, inner in items:
        yield from _places(inner, (*at, key))


def _deep():
    value = 1
    for _ in range(5000):
        value = {"in": [value]}
    return value


@st.composite
def damaged(draw, state, other):
    """Return a state with one to three values dropped, altered, doubled or taken from another."""
    state = {"state": copy.deepcopy(state)}  # the whole is always a dict: only its parts change
    for _ in range(draw(st.integers(1, 3))):
        # Most of what can be wrong is in the position.
        most = draw(st.sampled_from(["position", "position", "position", None]))
        inside = [p for p in _places(state) if len(p) > 1]
        places = [p for p in inside if most is None or p[1] == most] or inside
        if not places:
            break
        places = sorted(places, key=repr)
        *path, key = draw(st.sampled_from(places))
        holder = state
        for step in path:
            holder = holder[step]
        what = draw(st.sampled_from(["replace", "nudge", "drop", "double", "swap"]))
        if what == "drop" and path:
            del holder[key]
        elif what == "nudge" and type(holder[key]) is int:
            holder[key] += draw(st.integers(-3, 3))
        elif what == "double" and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        elif what == "swap":
            donors = [p for p in _places(other) if p]
            donor = other
            for step in draw(st.sampled_from(sorted(donors, key=repr))):
                donor = donor[step]
            holder[key] = copy.deepcopy(donor)
        else:
            value = draw(_VALUES)
            holder[key] = value
            if value == "deep":
                holder[key] = _deep()
                break
    return state["state"]
