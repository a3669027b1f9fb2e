import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from feedline.tools.example_bytes import FLOAT, INT, TEXT, example_bytes
from feedline.train import Example

VALUES = st.one_of(
    st.tuples(st.just(INT), st.lists(st.integers(-(2**63), 2**63 - 1), max_size=4)),
    st.tuples(st.just(FLOAT), st.lists(st.floats(width=32, allow_nan=False), max_size=4)),
    st.tuples(st.just(TEXT), st.lists(st.binary(max_size=200), max_size=4)),
)
LISTS = {INT: "int64_list", FLOAT: "float_list", TEXT: "bytes_list"}


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=5))
def test_an_example_reads_what_was_written(features):
    read = Example.FromString(example_bytes(features)).features.feature

    assert set(read) == set(features)
    for name, (kind, values) in features.items():
        assert read[name].WhichOneof("kind") == LISTS[kind]
        found = list(getattr(read[name], LISTS[kind]).value)
        assert np.array_equal(found, values) if values else not found
