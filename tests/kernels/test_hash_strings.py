import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.hash_strings import hash_strings, hash_strings_twin

KINDS = ["fingerprint", "hash64", "strong"]


def buffer_of(texts):
    offsets = np.cumsum([0, *map(len, texts)])
    return np.frombuffer(b"".join(texts), np.uint8), offsets


@pytest.mark.parametrize("kind", KINDS)
@given(
    texts=st.lists(st.binary(max_size=200), max_size=6),
    key=st.tuples(*[st.integers(0, 2**64 - 1)] * 2),
)
def test_it_does_the_same_as_its_twin(kind, texts, key):
    buffer = buffer_of(texts)

    assert np.array_equal(hash_strings(*buffer, kind, key), hash_strings_twin(*buffer, kind, key))


@pytest.mark.parametrize("kind", KINDS)
def test_every_length_is_hashed_as_by_its_twin(kind):
    buffer = buffer_of([bytes(range(length)) for length in range(256)])

    assert np.array_equal(hash_strings(*buffer, kind), hash_strings_twin(*buffer, kind))


@pytest.mark.parametrize("run", [hash_strings, hash_strings_twin])
@pytest.mark.parametrize("offsets", [[0, 4], [-1, 2], [2, 1]])
def test_a_string_outside_of_the_data_is_refused(run, offsets):
    with pytest.raises(ValueError, match="inside the data"):
        run(np.zeros(3, np.uint8), np.array(offsets), "fingerprint")


def test_strings_in_the_middle_of_a_buffer_are_hashed_by_themselves():
    data, _ = buffer_of([b"xxhelloyy"])

    assert hash_strings(data, np.array([2, 7]), "fingerprint")[0] == 13009744463427800296
