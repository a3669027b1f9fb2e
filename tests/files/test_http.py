"""Files at web servers."""

import threading

import pytest

from feedline.data import TextLineDataset, TFRecordDataset
from feedline.errors import FileError, NotFoundError
from feedline.files import open_file, retrying
from feedline.io import TFRecordWriter
from tests.files.http_server import Behaviour, serving
from tests.files.reading_threads import all_end

CONTENT = bytes(range(256)) * 20_000
SERVERS = {
    "all said": {},
    "no ranges": {"ranges": False},
    "no length": {"says_length": False},
    "nothing said": {"ranges": False, "says_length": False},
}


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(retrying, "DELAYS", (0, 0, 0))


@pytest.fixture
def serve(request):
    """Begin to serve; what was begun ends with the test."""

    def begin(content=CONTENT, **how):
        behaviour = Behaviour({"/file": content}, **how)
        running = serving(behaviour)
        address = running.__enter__()
        request.addfinalizer(lambda: running.__exit__(None, None, None))
        return behaviour, f"{address}/file"

    return begin


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("start", [0, 1, 3_000_000, len(CONTENT)])
def test_chunks_cover_what_follows_a_place(serve, server, start):
    _, url = serve(**SERVERS[server])

    with open_file(url) as file:
        assert b"".join(file.chunks(start)) == CONTENT[start:]


@pytest.mark.parametrize("server", ["all said", "no ranges"])
def test_any_part_can_be_read(serve, server):
    _, url = serve(**SERVERS[server])

    with open_file(url) as file:
        assert file.size() == len(CONTENT)
        assert file.read(1000, 5) == CONTENT[1000:1005]
        assert file.read(len(CONTENT) - 1, 9) == CONTENT[-1:]
        assert file.is_seekable == (server == "all said")


def test_where_the_length_is_not_known_parts_are_refused(serve):
    _, url = serve(says_length=False)

    with open_file(url) as file, pytest.raises(FileError, match="only be read from beginning"):
        file.read(5, 1)


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("failures", [[503], ["reset"], [500, "reset", 429], ["reset"] * 3])
def test_failures_that_pass_are_not_noticed(serve, server, failures):
    behaviour, url = serve(**SERVERS[server])
    behaviour.failures = failures

    assert b"".join(open_file(url).chunks()) == CONTENT
    assert behaviour.failures == []


@pytest.mark.parametrize("server", ["all said", "no ranges"])
def test_an_answer_that_is_cut_off_is_asked_for_again_from_there(serve, server):
    behaviour, url = serve(**SERVERS[server])
    file = open_file(url)
    assert file.is_seekable == (server == "all said")
    behaviour.failures = ["cut", "cut"]

    assert b"".join(file.chunks()) == CONTENT


def test_the_last_failure_is_told(serve):
    behaviour, url = serve()
    file = open_file(url)
    behaviour.failures = [503] * 100

    with pytest.raises(FileError, match=r"/file: failed 7 times, at last with .*503"):
        list(file.chunks())


def test_a_server_that_fails_at_first_is_not_taken_for_a_missing_file(serve):
    behaviour, url = serve(says_length=False)  # its length is asked for by a request that fails
    behaviour.failures = [503] * 100

    with pytest.raises(FileError, match=r"failed 7 times, .*503") as caught:
        open_file(url)
    assert not isinstance(caught.value, NotFoundError)


def test_a_missing_file_is_named_without_trying_again(serve):
    behaviour, url = serve()

    with pytest.raises(NotFoundError, match="/other: there is no such file"):
        open_file(url.replace("/file", "/other"))
    assert len(behaviour.requests) <= 2


@pytest.mark.parametrize("server", SERVERS)
def test_a_file_is_never_fetched_as_a_whole_before_its_beginning_is_used(serve, server):
    large = bytes(64 << 20)
    behaviour, url = serve(large, **SERVERS[server])
    chunks = open_file(url).chunks()
    next(chunks)
    chunks.close()

    assert behaviour.sent < len(large) / 2


def test_several_requests_are_under_way_where_the_first_byte_is_slow(serve):
    behaviour, url = serve(first_byte_s=0.05)
    most = [0]
    inner = behaviour.lock

    class Counting:
        """Stands for the lock, and sees how many requests were begun and not answered."""

        def __enter__(self):
            inner.acquire()
            most[0] = max(most[0], threading.active_count())

        def __exit__(self, *error):
            inner.release()

    behaviour.lock = Counting()
    before = threading.active_count()

    assert b"".join(open_file(url).chunks()) == CONTENT
    # Threads of the server and of the reader, more than one of each at once.
    assert most[0] >= before + 4


def record_file(tmp_path, options=None):
    with TFRecordWriter(tmp_path / "made", options) as writer:
        for number in range(3000):
            writer.write(b"%d" % number * 200)
    return (tmp_path / "made").read_bytes()


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("kind", [None, "GZIP"])
def test_records_are_read(serve, tmp_path, server, kind):
    behaviour, url = serve(record_file(tmp_path, kind), **SERVERS[server])
    behaviour.failures = [503, "reset"]

    assert list(TFRecordDataset(url, kind)) == [b"%d" % n * 200 for n in range(3000)]


@pytest.mark.filterwarnings("ignore:.*a compressed file cannot be entered:RuntimeWarning")
@pytest.mark.parametrize("server", ["all said", "no ranges"])
@pytest.mark.parametrize("kind", [None, "GZIP"])
def test_reading_goes_on_after_a_resume(serve, tmp_path, server, kind):
    behaviour, url = serve(record_file(tmp_path, kind), **SERVERS[server])
    ds = TFRecordDataset(url, kind)
    it = iter(ds)
    for _ in range(1000):
        next(it)
    state = it.state_dict()
    it.close()
    behaviour.failures = [503, "reset"]
    again = iter(ds)
    again.load_state_dict(state)

    assert list(again) == [b"%d" % n * 200 for n in range(1000, 3000)]


def test_lines_are_read(serve):
    _, url = serve(b"one\ntwo\n")

    assert list(TextLineDataset(url)) == ["one", "two"]


def test_no_thread_is_left(serve):
    _, url = serve()
    chunks = open_file(url).chunks()
    next(chunks)
    chunks.close()

    assert all_end()
