"""Messages between two ends of a socket."""

import errno
import os
import socket
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.parallel import channel as channels
from feedline.parallel.channel import Channel, Gone, Packed
from feedline.testing import assert_same


@pytest.fixture
def ends():
    first, second = (Channel(end) for end in socket.socketpair())
    yield first, second
    first.close()
    second.close()


def sent(ends, message):
    """Send in one thread, receive in another: what is large waits for its reader."""
    ours, theirs = ends
    thread = threading.Thread(target=ours.send, args=(Packed.of(message),))
    thread.start()
    received = theirs.receive().load()
    thread.join()
    theirs.send(Packed.of("read"))
    assert ours.receive().load() == "read"
    return received


SIZES = [0, 1, 1000, channels._SMALL, channels._SMALL + 1, 3 << 20]


@pytest.mark.parametrize("size", SIZES)
def test_arrays_of_any_size_arrive(ends, size):
    array = np.arange(size, dtype=np.uint16)

    assert_same(sent(ends, array), array)


def test_the_same_memory_serves_many_messages(ends):
    made = []
    for size in (100_000, 200_000, 50_000, 3 << 20, 2 << 20):
        sent(ends, np.ones(size, np.uint8))
        made.append(ends[0]._ours)

    assert made[0] is made[1] is made[2]
    assert made[3] is made[4] is not made[0]


def test_large_messages_that_are_sent_before_the_first_is_read_all_arrive(ends):
    ours, theirs = ends
    messages = [np.full(300_000, number, np.uint8) for number in range(3)]
    thread = threading.Thread(
        target=lambda: [ours.send(Packed.of(message)) for message in messages]
    )
    ours.send(Packed.of(np.full(200_000, 9, np.uint8)))
    thread.start()
    received = [theirs.receive().load() for _ in range(4)]
    thread.join()

    assert [set(one.tolist()) for one in received] == [{9}, {0}, {1}, {2}]


def test_what_arrived_is_not_changed_by_the_next_message(ends):
    first = sent(ends, np.full(200_000, 1, np.uint8))
    sent(ends, np.full(200_000, 2, np.uint8))

    assert set(first.tolist()) == {1}


def test_what_could_be_changed_still_can_be_and_nothing_else(ends):
    mine, shared = np.ones(100_000), np.ones(100_000)
    shared.flags.writeable = False
    received = sent(ends, (mine, shared))

    assert [array.flags.writeable for array in received] == [True, False]


@pytest.mark.parametrize("size", [200_000, 3 << 20])
def test_without_shared_memory_messages_go_through_the_socket(ends, monkeypatch, size):
    def refuse(fd, start, size):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    array = np.arange(size, dtype=np.uint8)

    assert_same(sent(ends, array), array)
    assert ends[0]._ours is None


def test_a_message_too_large_for_shared_memory_goes_through_the_socket(ends, monkeypatch):
    monkeypatch.setattr(ends[0], "_most_memory", 1 << 20)

    assert sent(ends, bytes(3 << 20)) == bytes(3 << 20)
    assert ends[0]._ours is None


@given(
    st.lists(
        st.one_of(
            st.integers(),
            st.binary(max_size=100),
            st.integers(0, 1 << 17).map(lambda n: np.arange(n, dtype=np.int8)),
        ),
        max_size=5,
    )
)
def test_any_mixture_arrives(message):
    ends = [Channel(end) for end in socket.socketpair()]
    received = sent(ends, message)
    for end in ends:
        end.close()

    assert_same(tuple(received), tuple(message))


@pytest.mark.parametrize("size", [10, 3 << 20])
def test_hanging_up_ends_whoever_waits(ends, size):
    ours, theirs = ends
    ours.hang_up()

    with pytest.raises(Gone):
        theirs.receive()
    with pytest.raises(Gone):
        theirs.send(Packed(bytes(size)))


def test_an_end_in_the_middle_of_a_message_is_an_end(ends):
    ours, theirs = ends
    ours._socket.sendall(channels._HEADER.pack(100, 0, False, 0) + b"half")
    ours.hang_up()

    with pytest.raises(Gone):
        theirs.receive()


def test_a_digest_tells_buffers_apart():
    one, other = Packed.of(np.zeros(1000)), Packed.of(np.r_[np.zeros(999), 1.0])

    assert one.digest == Packed.of(np.zeros(1000)).digest
    assert one.digest != other.digest
    assert one.nbytes > 8000
