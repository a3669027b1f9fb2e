import gc
import itertools
import json
import os
import signal
import threading
import weakref

import numpy as np
import pytest

import feedline as tf
from feedline.data import Dataset, Iterator, IteratorSpec, NumpyIterator, Options
from feedline.errors import BuildTypeError, CheckpointError, OutOfRangeError

TEN = Dataset.range(10)
FAILING = TEN.map(lambda x: {int(x): x}[3 if x == 4 else int(x)])


def numbers(it):
    return [int(x) for x in it]


def advanced(ds, count):
    it = iter(ds)
    for _ in itertools.islice(it, count):
        pass
    return it


def test_an_iterator_gives_the_elements_once():
    it = iter(TEN)

    assert numbers(it) == list(range(10))
    assert numbers(it) == []
    assert iter(it) is it


def test_two_iterators_do_not_meet():
    one, other = iter(TEN), iter(TEN)
    next(one)

    assert int(next(other)) == 0


def test_an_iterator_goes_on_after_an_exception():
    it = iter(FAILING)
    found = [int(next(it)) for _ in range(4)]
    with pytest.raises(KeyError) as caught:
        next(it)

    assert found + numbers(it) == [0, 1, 2, 3, 5, 6, 7, 8, 9]
    assert "built at test_iterator.py" in caught.value.__notes__[0]


def test_a_state_taken_after_an_exception_is_after_it_too():
    it = advanced(FAILING, 4)
    with pytest.raises(KeyError):
        next(it)
    again = iter(FAILING)
    again.load_state_dict(it.state_dict())

    assert numbers(again) == numbers(it) == [5, 6, 7, 8, 9]


def test_get_next_raises_at_the_end():
    it = iter(Dataset.range(1))

    assert it.get_next() == 0
    with pytest.raises(OutOfRangeError, match="no more elements"):
        it.get_next()
    with pytest.raises(OutOfRangeError):
        it.get_next()


def test_an_iterator_knows_the_spec_of_its_elements():
    it = iter(TEN.map(lambda x: (x, "a")))

    assert it.element_spec == (tf.TensorSpec((), tf.int64), tf.TensorSpec((), tf.string))
    assert len(numbers(x for x, _ in it)) == 10


def test_a_state_is_json_and_names_the_steps():
    state = advanced(TEN.shuffle(3, seed=1).batch(2), 2).state_dict()

    assert json.loads(json.dumps(state)) == state
    assert [step.split("(")[0] for step in state["plan"]] == ["range", "shuffle", "batch"]
    assert len(json.dumps(state)) < 1000


@pytest.mark.parametrize("cut", range(11))
def test_a_state_continues_where_it_was_taken(cut):
    again = iter(TEN)
    again.load_state_dict(advanced(TEN, cut).state_dict())

    assert numbers(again) == list(range(cut, 10))


def test_a_state_can_be_loaded_into_an_iterator_that_is_over():
    it = iter(TEN)
    start = it.state_dict()
    list(it)
    it.load_state_dict(start)

    assert numbers(it) == list(range(10))


def test_a_state_can_be_loaded_into_an_iterator_that_is_closed():
    it = iter(TEN)
    start = it.state_dict()
    it.close()
    it.load_state_dict(start)

    assert numbers(it) == list(range(10))


@pytest.mark.parametrize(
    "step",
    [
        lambda ds: ds.shuffle(5, seed=1),
        lambda ds: ds.shuffle(5, seed=1).batch(2).prefetch(2),
        lambda ds: ds.shuffle(5, seed=1).ignore_errors(),
        lambda ds: ds.window(3, 1).flat_map(lambda window: window.batch(3)),
    ],
    ids=["shuffle", "prefetch", "ignore_errors", "window"],
)
def test_an_iterator_that_cannot_resume_says_so_until_a_state_is_loaded_again(tmp_path, step):
    file, away = tmp_path / "lines", tmp_path / "away"
    file.write_text("".join(f"{line}\n" for line in range(20)))
    ds = step(tf.data.TextLineDataset(str(file)))
    it = iter(ds)
    for _ in range(3):
        next(it)
    state = it.state_dict()
    rest = [np.asarray(element).tolist() for element in it]

    it.load_state_dict(state)
    file.rename(away)
    with pytest.raises((OSError, CheckpointError)):
        next(it)
    away.rename(file)
    for _ in range(2):
        with pytest.raises(CheckpointError, match=r"could not be resumed: .*lines"):
            next(it)
    again = it.state_dict()
    it.load_state_dict(again)

    assert again == state
    assert [np.asarray(element).tolist() for element in it] == rest


def test_unseeded_draws_continue_with_the_seed_of_the_state():
    ds = TEN.shuffle(10)
    it = advanced(ds, 3)
    again = iter(ds)
    again.load_state_dict(it.state_dict())

    assert numbers(again) == numbers(it)


def test_options_may_differ_from_those_of_the_state():
    it = iter(TEN.with_options(tf.data.Options(block_size=3)))
    it.load_state_dict(advanced(TEN, 4).state_dict())

    assert numbers(it) == [4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (Dataset.range(11), r"step 0 of the saved pipeline is range\(0, 10, 1.*here it is range"),
        (TEN.batch(2), "the saved pipeline has 1 steps, this one 2"),
        (TEN.take(0).skip(1), "has 1 steps, this one 3"),
    ],
)
def test_a_state_of_another_pipeline_is_refused(other, message):
    with pytest.raises(CheckpointError, match=message):
        iter(other).load_state_dict(iter(TEN).state_dict())


def test_a_state_is_refused_where_other_rules_change_the_plan():
    ds = TEN.skip(0).batch(2)
    plain = ds.with_options(Options(skip_rules=["noop_elimination"]))
    it = iter(plain)

    with pytest.raises(CheckpointError, match=r"rules \['noop_elimination'\], here they are \[\]"):
        it.load_state_dict(advanced(ds, 2).state_dict())
    assert next(it).tolist() == [0, 1]
    with pytest.raises(CheckpointError, match=r"rules \[\], here they are \['noop_elimination'\]"):
        iter(ds).load_state_dict(advanced(plain, 2).state_dict())


def test_a_rule_that_changes_nothing_here_may_be_turned_off():
    plain = TEN.batch(2).with_options(Options(skip_rules=["noop_elimination"]))
    it = iter(plain)
    it.load_state_dict(advanced(TEN.batch(2), 2).state_dict())

    assert next(it).tolist() == [4, 5]


def test_a_rule_that_may_change_nested_plans_may_not_be_turned_off():
    ds = TEN.flat_map(lambda x: Dataset.range(x).skip(0))
    plain = ds.with_options(Options(skip_rules=["noop_elimination"]))

    with pytest.raises(CheckpointError, match=r"here they are \['no noop_elimination'\]"):
        iter(plain).load_state_dict(advanced(ds, 7).state_dict())
    with pytest.raises(CheckpointError, match=r"rules \['no noop_elimination'\]"):
        iter(ds).load_state_dict(advanced(plain, 7).state_dict())


def test_a_state_of_another_format_is_refused():
    state = {**iter(TEN).state_dict(), "feedline": 99}

    with pytest.raises(CheckpointError, match="has format 99, this version of Feedline reads 1"):
        iter(TEN).load_state_dict(state)


@pytest.mark.parametrize("state", [None, 3, []])
def test_what_is_no_state_is_refused(state):
    with pytest.raises(BuildTypeError, match=r"must be what state_dict\(\) returned"):
        iter(TEN).load_state_dict(state)


@pytest.mark.parametrize("missing", ["feedline", "plan", "seed", "rounds", "position"])
def test_a_state_with_a_part_missing_is_refused(missing):
    state = advanced(TEN, 3).state_dict()
    del state[missing]
    with pytest.raises(CheckpointError, match=r"load_state_dict\(\): the state"):
        iter(TEN).load_state_dict(state)


def test_an_iterator_that_refuses_a_state_goes_on():
    it = advanced(TEN, 3)
    with pytest.raises(CheckpointError):
        it.load_state_dict(iter(TEN.batch(2)).state_dict())

    assert numbers(it) == [3, 4, 5, 6, 7, 8, 9]


def test_leaving_a_with_block_ends_the_iterator():
    with iter(TEN) as it:
        assert int(next(it)) == 0

    assert numbers(it) == []


def test_leaving_a_with_block_by_an_exception_ends_it_too():
    with pytest.raises(ZeroDivisionError), iter(TEN) as it:
        _ = 1 // int(next(it))

    assert numbers(it) == []


def test_closing_twice_is_closing_once():
    it = iter(TEN)
    it.close()
    it.close()

    assert next(it, None) is None


def test_nothing_keeps_a_dropped_iterator_alive():
    it = advanced(TEN.shuffle(3).batch(2), 2)
    alive = weakref.ref(it)
    del it
    gc.collect()

    assert alive() is None


def test_elements_can_be_changed_without_changing_what_comes_later():
    ds = Dataset.from_tensor_slices(np.zeros((4, 2))).map(lambda x: x)
    for x in ds:
        x += 1

    assert all(x.sum() == 0 for x in ds)


def test_an_iterator_may_be_an_element():
    ds = Dataset.range(1).map(lambda x: iter(TEN))

    assert ds.element_spec == IteratorSpec(tf.TensorSpec((), tf.int64))


def test_a_numpy_iterator_saves_and_restores_bytes():
    it = TEN.shuffle(10).as_numpy_iterator()
    it.next()
    saved = it.save()
    rest = numbers(it)
    again = TEN.shuffle(10).as_numpy_iterator()
    again.restore(saved)
    it.restore(saved)

    assert isinstance(saved, bytes)
    assert numbers(it) == rest
    assert numbers(again) == rest


def test_a_numpy_iterator_is_an_iterator_over_a_dataset():
    it = NumpyIterator(TEN)

    assert isinstance(it, Iterator)
    assert it.next() == 0
    assert numbers(it) == list(range(1, 10))
    with pytest.raises(StopIteration):
        it.next()
    with pytest.raises(BuildTypeError, match=r"NumpyIterator\(\): dataset must be a Dataset"):
        NumpyIterator([1, 2])


def test_a_numpy_iterator_refuses_what_it_did_not_save():
    it = TEN.as_numpy_iterator()

    with pytest.raises(BuildTypeError, match=r"must be what save\(\) returned, got dict"):
        it.restore({})
    with pytest.raises(CheckpointError, match=r"the state is damaged: .*exactly what save\(\)"):
        it.restore(it.save()[:-5])
    with pytest.raises(BuildTypeError, match=r"must be what state_dict\(\) returned"):
        it.restore(b"3")
    assert int(next(it)) == 0


def of_names(names):
    return tf.data.Dataset.from_tensor_slices(names)


READS = {
    "TFRecord": tf.data.TFRecordDataset,
    "text": tf.data.TextLineDataset,
    "a dataset of names": lambda names: tf.data.TextLineDataset(of_names(names)),
    "in turn": lambda names: tf.data.TextLineDataset(names, num_parallel_reads=2),
    "fixed length": lambda names: tf.data.FixedLengthRecordDataset(names, 3),
    "JSON lines": tf.data.JsonLinesDataset,
    "tar": tf.data.TarDataset,
    "NumPy": tf.data.NumpyFileDataset,
    "CSV": lambda names: tf.data.experimental.CsvDataset(names, [tf.int64]),
    "listed": lambda names: tf.data.Dataset.list_files(names, shuffle=False),
    "sharded": lambda names: tf.data.TFRecordDataset(names).shard(2, 0),
    "SQL": lambda names: tf.data.experimental.SqlDataset(
        "sqlite", names[0], "select 1", (tf.int64,)
    ),
}


@pytest.mark.parametrize("reads", READS.values(), ids=READS)
def test_a_state_continues_only_with_the_files_it_was_saved_with(tmp_path, reads):
    names = [str(tmp_path / name) for name in "ab"]
    for name in names:
        with open(name, "w") as file:
            file.write("123")
        os.utime(name, ns=(1, 1))
    state = iter(reads(names)).state_dict()
    iter(reads(names)).load_state_dict(state)
    os.utime(names[0], ns=(2, 2))
    with pytest.raises(CheckpointError, match=r"same name and size.*check_files=False"):
        iter(reads(names)).load_state_dict(state)
    with open(names[0], "a") as file:
        file.write("456")
    with pytest.raises(CheckpointError, match="a has another size now"):
        iter(reads(names)).load_state_dict(state)

    iter(reads(names)).load_state_dict(state, check_files=False)
    del state["files"]  # as earlier versions saved it
    iter(reads(names)).load_state_dict(state)


def test_swapped_files_are_refused(tmp_path):
    names = [str(tmp_path / name) for name in "ab"]
    for name in names:
        with open(name, "w") as file:
            file.writelines(f"{name} {number}\n" for number in range(9))
    state = advanced(tf.data.TextLineDataset(names), 12).state_dict()
    with pytest.raises(CheckpointError, match="others or in another order"):
        iter(tf.data.TextLineDataset(names[::-1])).load_state_dict(state)


# ---- threads and signals ------------------------------------------------------------------


def made_by(generator):
    return Dataset.from_generator(generator, output_signature=tf.TensorSpec((), tf.int64))


SHARED = {
    "generator": lambda: made_by(lambda: iter(range(3_000))),
    "map": lambda: Dataset.range(3_000).map(lambda x: int(x) + 0, vectorize=False),
    "batch": lambda: Dataset.range(3_000).batch(7).prefetch(2),
    "shuffle": lambda: Dataset.range(3_000).shuffle(100, seed=1),
    "interleave": lambda: Dataset.range(300).interleave(
        lambda x: Dataset.range(10).map(lambda y: x * 10 + y), cycle_length=4
    ),
    "parallel map": lambda: Dataset.range(3_000).map(lambda x: int(x) + 0, num_parallel_calls=3),
}


@pytest.mark.parametrize("name", SHARED)
def test_an_element_goes_to_one_of_the_threads_that_read(name, hasty_threads):
    with iter(SHARED[name]()) as it:
        got = hasty_threads(lambda: list(it))

    assert sorted(int(x) for part in got for v in part for x in np.ravel(v)) == [*range(3_000)]


def test_runs_of_elements_go_to_one_of_the_threads_that_read(hasty_threads):
    it = advanced(Dataset.range(50_000).batch(5), 17)
    got = hasty_threads(lambda: [row for block in it.blocks() for row in block.rows()])

    assert sorted(int(x) for part in got for row in part for x in row) == [*range(85, 50_000)]


def test_states_saved_beside_threads_that_read_lose_nothing(hasty_threads):
    ds = Dataset.range(5_000).map(lambda x: int(x) + 0, vectorize=False)
    it, firsts = iter(ds), iter(range(6))

    def work():
        if next(firsts):
            return list(it), []
        return [], [it.state_dict()["position"]["n"] for _ in range(300)]

    got = hasty_threads(work)
    (states,) = [states for _, states in got if states]

    assert states == sorted(states)
    assert sum(len(part) for part, _ in got) == 5_000


@pytest.mark.parametrize("executor", ["inline", "threads"])
def test_a_function_may_ask_for_the_state_of_its_own_iterator(executor):
    states = []

    def asks(x):
        if x == 5:
            states.append((len(head), it.state_dict()))
        return x

    ds = TEN.map(asks, num_parallel_calls=2, vectorize=False)
    ds = ds.with_options(Options(executor=executor))
    it, head = iter(ds), []
    head.extend(it)
    ((count, state),) = states
    it.load_state_dict(state)

    assert int(next(it)) >= count
    assert numbers(head) == [*range(10)]
    it.close()


def test_a_signal_handler_may_save_the_state():
    ds = TEN.map(lambda x: (x, x == 6 and signal.raise_signal(signal.SIGUSR1))[0], vectorize=False)
    states, head = [], []
    it = iter(ds)
    before = signal.signal(signal.SIGUSR1, lambda *_: states.append((len(head), it.state_dict())))
    try:
        head.extend(it)
        ((count, state),) = states
    finally:
        signal.signal(signal.SIGUSR1, before)
    it = iter(TEN.map(lambda x: x, vectorize=False))
    it.load_state_dict(state)

    assert numbers(it) == [*range(count, 10)]


@pytest.mark.parametrize("executor", ["inline", "threads"])
def test_a_function_may_close_its_own_iterator(executor):
    def closes(x):
        if x == 5:
            it.close()
        return x

    ds = TEN.map(closes, num_parallel_calls=2, vectorize=False)
    it = iter(ds.with_options(Options(executor=executor)))

    got = numbers(it)

    assert got == [*range(len(got))]
    assert next(it, None) is None


def test_an_async_function_may_close_its_own_iterator():
    async def closes(x):
        if x == 5:
            it.close()
        return x

    it = iter(TEN.map(closes, num_parallel_calls=2))
    for _ in it:
        pass

    assert next(it, None) is None


def test_a_function_that_reads_its_own_iterator_is_told_so():
    it = iter(TEN.map(lambda x: next(it), vectorize=False))

    with pytest.raises(RuntimeError, match="must not read its own iterator"):
        next(it)


def test_closing_waits_for_another_thread_that_reads():
    def elements():
        yield 0
        closer.start()
        closer.join(0.05)  # it has to wait for this element
        yield 1

    it, errors = iter(made_by(elements)), []

    def close():
        try:
            it.close()
        except Exception as error:
            errors.append(error)

    closer = threading.Thread(target=close)
    for _ in it:
        pass
    closer.join()

    assert errors == []
    assert next(it, None) is None


def test_next_gives_the_next_element_or_raises_stop_iteration():
    it = iter(Dataset.range(1))

    assert it.next() == 0
    with pytest.raises(StopIteration):
        it.next()


def test_ragged_and_sparse_leaves_are_arrays_in_numpy_iterators():
    ragged = tf.ragged.constant([["a"], ["b", "c"]])
    sparse = tf.sparse.from_dense([[0, 7]])

    (found,) = Dataset.from_tensors((ragged, sparse)).as_numpy_iterator()

    assert [row.tolist() for row in found[0]] == [[b"a"], [b"b", b"c"]]
    assert found[0].dtype == object
    assert (type(found[1]), found[1].tolist()) == (np.ndarray, [[0, 7]])
