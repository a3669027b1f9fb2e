"""Runs of records that another thread reads."""

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.records_ahead import RecordsAhead, RecordsAheadTwin
from tests.kernels.tfrecords import damaged_frames
from tests.tfrecord.made import framed, put

BOTH = pytest.mark.parametrize("kind", [RecordsAhead, RecordsAheadTwin])


def runs_of(kind, path, start, left, shapes):
    """What every run holds: its records, and what is left of the window after them."""
    file = os.open(path, os.O_RDONLY)
    ahead = kind(file, start, np.frombuffer(left, np.uint8))
    os.close(file)
    windows = [(np.zeros(size, np.uint8), np.zeros(most + 1, np.int64)) for size, most in shapes]
    for window, offsets in windows:
        ahead.add(window, offsets)
    found = []
    for window, offsets in windows:
        count, at, stop = ahead.finish()
        records = [window[a:b].tobytes() for a, b in pairwise(offsets[: count + 1])]
        found.append((records, window[at:stop].tobytes()))
    return found


@BOTH
def test_runs_follow_each_other(tmp_path, kind):
    path = put(tmp_path / "a", framed(b"one", b"two", b"three", b"", b"four"))

    runs = runs_of(kind, path, 0, b"", [(99, 2), (99, 1), (99, 5), (99, 5)])

    assert [records for records, _ in runs] == [[b"one", b"two"], [b"three"], [b"", b"four"], []]


@BOTH
def test_a_run_begins_with_what_is_left(tmp_path, kind):
    whole = framed(b"one", b"two", b"three")
    path = put(tmp_path / "a", whole)

    assert runs_of(kind, path, 25, whole[:25], [(99, 9)]) == [([b"one", b"two", b"three"], b"")]


@BOTH
def test_a_record_that_does_not_fit_ends_it(tmp_path, kind):
    path = put(tmp_path / "a", framed(b"x", b"y" * 100, b"z"))

    first, second = runs_of(kind, path, 0, b"", [(60, 9), (500, 9)])

    assert first[0] == [b"x"]
    assert second == ([], b"")


@given(
    st.data(),
    st.lists(st.tuples(st.integers(1, 400), st.integers(1, 6)), min_size=1, max_size=6),
    st.integers(0, 60),
)
def test_the_native_one_is_as_its_twin(tmp_path_factory, data, shapes, cut):
    whole = data.draw(damaged_frames())
    path = put(tmp_path_factory.mktemp("a") / "a", whole)
    cut = min(cut, len(whole))
    arguments = (path, cut, whole[:cut], shapes)

    ours, theirs = runs_of(RecordsAhead, *arguments), runs_of(RecordsAheadTwin, *arguments)

    # How much was read beyond the records is nobody's business.
    for (records, left), (expected, beyond) in zip(ours, theirs, strict=True):
        assert records == expected
        assert left.startswith(beyond) or beyond.startswith(left)


@BOTH
def test_a_file_that_cannot_be_read_has_no_records(tmp_path, kind):
    assert runs_of(kind, str(tmp_path), 0, b"", [(99, 2)]) == [([], b"")]


@BOTH
def test_what_is_dropped_is_not_waited_for(tmp_path, kind):
    path = put(tmp_path / "a", framed(*[b"x" * 1000] * 1000))
    file = os.open(path, os.O_RDONLY)
    ahead = kind(file, 0, np.empty(0, np.uint8))
    os.close(file)
    for _ in range(3):
        ahead.add(np.empty(1 << 19, np.uint8), np.empty(1000, np.int64))
    ahead.drop()

    with pytest.raises(ValueError, match="no run"):
        ahead.finish()
    ahead.drop()


@BOTH
def test_there_must_be_room_for_offsets(tmp_path, kind):
    ahead = kind(0, 0, np.empty(0, np.uint8))

    with pytest.raises(ValueError, match="offset"):
        ahead.add(np.empty(10, np.uint8), np.empty(0, np.int64))


FORKED = """
import os, sys, numpy as np
from feedline.kernels.records_ahead import RecordsAhead
file = os.open(sys.argv[1], os.O_RDONLY)
ahead = RecordsAhead(file, 0, np.empty(0, np.uint8))
ahead.add(np.empty(1 << 16, np.uint8), np.empty(9, np.int64))
child = os.fork()
if child == 0:
    again = RecordsAhead(file, 0, np.empty(0, np.uint8))
    again.add(np.empty(1 << 16, np.uint8), np.empty(9, np.int64))
    lost, found = ahead.finish(), again.finish()
    ahead.drop()
    os._exit(0 if lost is None and found[0] == 2 else 1)
_, status = os.waitpid(child, 0)
assert ahead.finish()[0] == 2
sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.skipif(RecordsAhead is RecordsAheadTwin, reason="the twin has no threads")
def test_a_forked_process_reads_with_threads_of_its_own(tmp_path):
    path = put(tmp_path / "a", framed(b"one", b"two"))

    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED, path], timeout=60, check=False
    )

    assert done.returncode == 0
