"""How many threads libraries use while a pipeline runs."""

from __future__ import annotations

import pytest

import feedline as tf
from feedline.errors import BuildError
from feedline.parallel import library_threads
from feedline.parallel.library_threads import limited


@pytest.fixture
def blas():
    """NumPy's OpenBLAS, with three threads."""
    (library, *_) = library_threads._open_blas()
    before = library.get()
    library.set(3)
    yield library
    library.set(before)


def with_limit(ds, threads):
    options = tf.data.Options()
    options.threading.max_intra_op_parallelism = threads
    return ds.with_options(options)


@pytest.mark.parametrize("calls", [None, 2])
def test_functions_run_with_the_limit_and_later_code_without(blas, calls):
    ds = tf.data.Dataset.range(4).map(
        lambda x: blas.get(), num_parallel_calls=calls, vectorize=False
    )

    assert {int(x) for x in with_limit(ds, 2)} == {2}
    assert blas.get() == 3
    assert {int(x) for x in with_limit(ds, 0)} == {3}


def test_the_limit_holds_until_the_iterator_is_closed(blas):
    it = iter(with_limit(tf.data.Dataset.range(4).batch(1), 1))
    assert blas.get() == 3
    next(it)
    assert blas.get() == 1
    it.close()
    assert blas.get() == 3


def test_of_several_limits_the_lowest_holds(blas):
    two, one = limited(2), limited(1)
    assert blas.get() == 1
    one.release()
    one.release()
    assert blas.get() == 2
    two.release()
    assert blas.get() == 3


def test_a_limit_never_raises_the_number(blas):
    limit = limited(64)
    assert blas.get() == 3
    limit.release()


def test_where_nothing_can_be_limited_an_error_says_so(monkeypatch):
    monkeypatch.setattr(library_threads, "_open_blas", lambda: iter(()))

    with pytest.raises(BuildError, match="max_intra_op_parallelism"):
        list(with_limit(tf.data.Dataset.range(4), 1))
