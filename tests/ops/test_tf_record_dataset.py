"""The records of TFRecord files."""

import json
import pickle
from pathlib import Path

import fsspec
import numpy as np
import pytest

import feedline as tf
from feedline import pipeline
from feedline.column import Bytes
from feedline.data import Dataset, TFRecordDataset
from feedline.errors import BuildError, BuildTypeError, DataLossError, FileError, NotFoundError
from feedline.files.local import LocalFile
from feedline.ops.tf_record_access import RecordsAccess
from feedline.testing import CHECKS, assert_same_elements, check_resume_in_fresh_process
from tests.tfrecord.made import DAMAGES, PACK, framed, put

LENGTHS = [3, 0, 5, 1, 2, 4, 6]
NO_REPLAY = pytest.mark.filterwarnings("ignore:.*unpacked again:RuntimeWarning")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDLINE_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Seven files of some records, plain and compressed."""
    folder = tmp_path_factory.mktemp("records")
    for number, length in enumerate(LENGTHS):
        data = framed(*(f"{number}.{i}".encode() * i for i in range(length)))
        for kind, pack in PACK.items():
            put(folder / f"{number}{kind}", pack(data))
    return folder


def names(folder, kind=""):
    return [str(folder / f"{number}{kind}") for number in range(len(LENGTHS))]


def everything():
    return [f"{n}.{i}".encode() * i for n, length in enumerate(LENGTHS) for i in range(length)]


def collect(ds):
    """Return what an iterator gives: elements, and the errors that were raised."""
    found, it = [], iter(ds)
    while True:
        try:
            found.append(next(it))
        except StopIteration:
            return found
        except Exception as error:
            found.append(error)


CASES = {
    "one file": lambda f: TFRecordDataset(names(f)[6]),
    "files": lambda f: TFRecordDataset(names(f)),
    "a small buffer": lambda f: TFRecordDataset(names(f), buffer_size=1),
    "in turn": lambda f: TFRecordDataset(names(f), num_parallel_reads=3),
    "many in turn": lambda f: TFRecordDataset(names(f), num_parallel_reads=20),
    "gzip": lambda f: TFRecordDataset(names(f, "GZIP"), "GZIP"),
    "zlib in turn": lambda f: TFRecordDataset(names(f, "ZLIB"), "ZLIB", None, 2),
    "a dataset of names": lambda f: TFRecordDataset(Dataset.from_tensor_slices(names(f)).skip(2)),
    "names from a map": lambda f: TFRecordDataset(Dataset.range(7).map(lambda n: f"{f}/{n}")),
    "shuffled": lambda f: TFRecordDataset(names(f)).shuffle(4, seed=1),
    "all shuffled": lambda f: TFRecordDataset(names(f)).shuffle(None, seed=1).batch(2),
    "a shard": lambda f: TFRecordDataset(names(f)).shard(3, 1),
    "a shard of all shuffled": lambda f: (
        TFRecordDataset(names(f)).shuffle(None, 1, False).shard(3, 1)
    ),
    "skipped": lambda f: TFRecordDataset(names(f)).skip(7).repeat(2),
    "random": lambda f: TFRecordDataset(names(f), None, None, 2).map(
        lambda record, rng: (record, rng.integers(100))
    ),
}


@NO_REPLAY
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("promise", CHECKS)
def test_the_promises_are_kept(folder, case, promise):
    promise(CASES[case](folder))


@NO_REPLAY
@pytest.mark.parametrize("case", ["in turn", "gzip", "all shuffled"])
def test_a_fresh_process_goes_on(folder, case):
    check_resume_in_fresh_process(CASES[case](folder))


@pytest.mark.parametrize("kind", ["", "GZIP", "ZLIB"])
def test_records_come_file_after_file(folder, kind):
    assert list(TFRecordDataset(names(folder, kind), kind)) == everything()


@pytest.mark.parametrize(
    ("number", "order"),
    [
        (1, "000222223445555666666"),
        (2, "002022322445565656666"),
        (3, "020320242542556566666"),
    ],
)
def test_files_are_read_in_turn_as_in_tensorflow(tmp_path, number, order):
    paths = [
        put(tmp_path / str(n), framed(*[str(n).encode()] * length))
        for n, length in enumerate(LENGTHS)
    ]

    assert b"".join(TFRecordDataset(paths, num_parallel_reads=number)).decode() == order


@pytest.mark.parametrize(
    "given",
    [
        lambda path: path,
        lambda path: path.encode(),
        lambda path: Path(path),
        lambda path: [path],
        lambda path: np.array([path]),
        lambda path: np.array([[path.encode()]]),
        lambda path: Dataset.from_tensors(path),
        lambda path: Dataset.from_tensors(path.encode()),
        lambda path: f"file://{path}",
    ],
)
def test_names_may_be_given_in_many_ways(tmp_path, given):
    path = put(tmp_path / "a", framed(b"one", b"two"))

    assert list(TFRecordDataset(given(path))) == [b"one", b"two"]


def test_it_is_a_class_whose_methods_give_datasets(folder):
    ds = TFRecordDataset(names(folder))

    assert isinstance(ds, Dataset)
    assert type(ds.take(2)) is Dataset
    assert type(pickle.loads(pickle.dumps(ds))) is TFRecordDataset
    assert ds.element_spec == tf.TensorSpec((), tf.string)
    assert ds.cardinality() == tf.data.UNKNOWN_CARDINALITY
    with pytest.raises(TypeError, match="unknown"):
        len(ds)


def test_no_files_have_no_records():
    assert list(TFRecordDataset([])) == []
    assert list(TFRecordDataset([]).shuffle(None)) == []


def test_a_run_of_records_is_one_buffer(folder):
    _, stream = pipeline.start(TFRecordDataset(names(folder)[6]).node, 0, {})
    block = stream.pull(100)
    stream.close()

    assert isinstance(block.columns[0], Bytes)
    assert len(block) == 6


def test_files_at_urls_are_read(folder):
    system = fsspec.filesystem("memory")
    system.pipe_file("/tfrecords/a", framed(b"one", b"two"))
    ds = TFRecordDataset("memory://tfrecords/a")

    assert list(ds) == [b"one", b"two"]
    assert ds[1] == b"two"
    assert_same_elements(list(ds.shuffle(None, seed=2)), [ds[i] for i in _order(ds)])


def _order(ds):
    return [[b"one", b"two"].index(record) for record in ds.shuffle(None, seed=2)]


@pytest.mark.parametrize("cycle_length", [None, 3])
def test_records_are_read_by_index(folder, cycle_length):
    ds = TFRecordDataset(names(folder), num_parallel_reads=cycle_length)
    records = list(ds)

    assert [ds[i] for i in range(-21, 21)] == records * 2
    with pytest.raises(IndexError):
        ds[21]


def test_a_global_shuffle_has_every_record_once(folder):
    ds = TFRecordDataset(names(folder)).shuffle(None, seed=5)

    assert sorted(ds) == sorted(everything())
    assert list(ds) != everything()


def test_shards_of_a_global_shuffle_read_only_their_records(folder):
    ds = TFRecordDataset(names(folder)).shuffle(None, seed=5, reshuffle_each_iteration=False)
    shards = [list(ds.shard(4, i)) for i in range(4)]

    assert [shards[i % 4][i // 4] for i in range(21)] == list(ds)


def test_compressed_files_have_no_index(folder):
    ds = TFRecordDataset(names(folder, "GZIP"), "GZIP")

    with pytest.raises(TypeError, match="cannot be read by index"):
        ds[0]
    with pytest.raises(BuildError, match="cannot be read by index"):
        list(ds.shuffle(None))


def test_a_compressed_file_is_read_again_which_is_said_once(folder):
    ds = TFRecordDataset(names(folder, "GZIP"), "GZIP")
    it = iter(ds)
    for _ in range(6):
        next(it)
    state = it.state_dict()
    again = iter(ds)
    again.load_state_dict(state)

    with pytest.warns(RuntimeWarning, match="unpacked again from its start") as said:
        assert list(again) == everything()[6:]
    assert len(said) == 1


def test_a_thousand_files_have_a_small_state(tmp_path):
    for number in range(1000):
        put(tmp_path / f"a-file-with-a-rather-long-name-{number:05}-of-01000", framed(b"x", b"y"))
    paths = sorted(str(path) for path in tmp_path.glob("a-*"))
    it = iter(TFRecordDataset(paths, num_parallel_reads=100).shuffle(500, seed=1).batch(8))
    for _ in range(100):
        next(it)

    assert len(json.dumps(it.state_dict())) < 16_384


@pytest.mark.parametrize("name", DAMAGES)
@pytest.mark.parametrize("cycle_length", [None, 2])
def test_damage_raises_and_the_next_file_goes_on(tmp_path, name, cycle_length):
    data, before, after, says = DAMAGES[name]
    paths = [put(tmp_path / "a", data), put(tmp_path / "b", framed(b"last"))]
    ds = TFRecordDataset(paths, num_parallel_reads=cycle_length)

    found = collect(ds)
    (error,) = [item for item in found if isinstance(item, Exception)]

    assert sorted(set(found) - {error}) == sorted({*before, *after, b"last"})
    assert list(ds.ignore_errors()) == [item for item in found if item is not error]
    with pytest.raises(DataLossError, match=says):
        raise error


def test_an_error_says_which_step_it_is_of(tmp_path):
    path = put(tmp_path / "a", b"nonsense" * 9)

    (error,) = collect(TFRecordDataset(path))

    assert any("in TFRecordDataset() built at test_tf_record" in note for note in error.__notes__)


@pytest.mark.parametrize("cut", range(5))
def test_a_resume_between_damages_meets_the_same_ones(tmp_path, cut):
    data = framed(b"one") + DAMAGES["bad data"][0] + DAMAGES["bad checksum of data"][0] + b"x"
    ds = TFRecordDataset([put(tmp_path / "a", data), put(tmp_path / "b", framed(b"z"))])
    ds = ds.ignore_errors()
    expected = [b"one", b"", b"three", b"one", b"three", b"z"]
    it = iter(ds)
    for _ in range(cut):
        next(it)
    again = iter(ds)
    again.load_state_dict(json.loads(json.dumps(it.state_dict())))

    assert list(again) == expected[cut:]


def test_a_missing_file_raises_once(tmp_path):
    paths = [str(tmp_path / "nowhere"), put(tmp_path / "b", framed(b"last"))]

    error, *rest = collect(TFRecordDataset(paths))

    assert isinstance(error, NotFoundError)
    assert rest == [b"last"]
    assert list(TFRecordDataset(paths).ignore_errors()) == [b"last"]


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(FileError, match="is a folder"):
        next(iter(TFRecordDataset(tmp_path)))


def test_damage_is_told_when_a_record_is_read_by_index(tmp_path):
    ds = TFRecordDataset(put(tmp_path / "a", DAMAGES["bad data"][0]))

    assert ds[2] == b"three"
    with pytest.raises(DataLossError, match="record 0, byte 0: the record is damaged"):
        ds[0]


def test_a_file_that_became_shorter_is_told_when_it_is_read_by_index(tmp_path):
    ds = TFRecordDataset(put(tmp_path / "a", framed(b"one", b"two")))
    assert ds[1] == b"two"
    put(tmp_path / "a", framed(b"one"))

    with pytest.raises(DataLossError, match="the file was changed"):
        ds[1]


def test_a_state_of_a_longer_file_is_refused(tmp_path):
    ds = TFRecordDataset(put(tmp_path / "a", framed(*[b"x" * 5000] * 100)))
    it = iter(ds)
    for _ in range(90):
        next(it)
    state = it.state_dict()
    put(tmp_path / "a", framed(b"one"))
    again = iter(ds)
    with pytest.raises(tf.errors.CheckpointError, match="a has another size now"):
        again.load_state_dict(state)
    again.load_state_dict(state, check_files=False)

    with pytest.raises(tf.errors.CheckpointError, match="were read when the state was saved"):
        next(again)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((5,), BuildTypeError, r"TFRecordDataset\(\): names of files must be str"),
        ((None,), BuildTypeError, "names of files must be str"),
        ((Dataset.range(3),), BuildTypeError, "filenames must be names of files"),
        (("x", "gzip"), BuildError, "Write 'GZIP'"),
        (("x", "SNAPPY"), BuildError, "must be None, '', 'GZIP' or 'ZLIB'"),
        (("x", None, -1), BuildError, "buffer_size must be at least 0"),
        (("x", None, None, 0), BuildError, "num_parallel_reads must be at least 1"),
        (("x", None, None, 2.5), BuildTypeError, "num_parallel_reads must be an integer"),
    ],
)
def test_wrong_arguments_are_refused(arguments, error, says):
    with pytest.raises(error, match=says):
        TFRecordDataset(*arguments)


def test_a_dataset_of_arrays_of_names_is_refused(tmp_path):
    with pytest.raises(BuildTypeError, match="single names"):
        TFRecordDataset(Dataset.from_tensor_slices([["a"]]))


def test_records_that_lie_side_by_side_are_read_in_one_go(tmp_path, monkeypatch):
    path = put(tmp_path / "a", framed(*(bytes([n]) * 30_000 for n in range(6))))
    access, reads = RecordsAccess([str(path)], [], 1), []
    read = LocalFile.read_into

    def counted(self, offset, memory):
        reads.append(len(memory))
        return read(self, offset, memory)

    monkeypatch.setattr(LocalFile, "read_into", counted)
    found = access.gather(np.array([5, 0, 3, 1, 2, 4])).rows()
    access.close()

    assert [record[0] for record in found] == [5, 0, 3, 1, 2, 4]
    assert reads == [6 * 30_016]
