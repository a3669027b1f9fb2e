"""Examples and SequenceExamples into columns."""

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedline.kernels.example import (
    BROKEN,
    BYTES,
    FLOATS,
    INTS,
    MISSING,
    NO_KIND,
    WRONG_COUNT,
    WRONG_KIND,
    RecordError,
    Wanted,
    parse_examples,
    parse_examples_twin,
    parse_feature_lists,
    parse_feature_lists_twin,
)
from feedline.train import Example, SequenceExample

BOTH = pytest.mark.parametrize("parse", [parse_examples, parse_examples_twin])
BOTH_LISTS = pytest.mark.parametrize("parse", [parse_feature_lists, parse_feature_lists_twin])
CORPUS = sorted((Path(__file__).parents[2] / "native/tests/corpus/example").iterdir())

KINDS = {BYTES: "bytes_list", FLOATS: "float_list", INTS: "int64_list"}
VALUES = {
    BYTES: st.binary(max_size=5),
    FLOATS: st.floats(width=32, allow_nan=False),
    INTS: st.integers(-(2**63), 2**63 - 1),
}
KEYS = ["a", "b", "key", "ключ"]

features = st.sampled_from(list(KINDS)).flatmap(
    lambda kind: st.lists(VALUES[kind], max_size=4).map(
        lambda values: {KINDS[kind]: {"value": values}}
    )
)
maps = st.dictionaries(st.sampled_from(KEYS), features | st.just({}))
examples = maps.map(lambda found: Example(features={"feature": found}).SerializeToString())
sequences = st.dictionaries(
    st.sampled_from(KEYS), st.lists(features, max_size=3).map(lambda steps: {"feature": steps})
).map(lambda found: SequenceExample(feature_lists={"feature_list": found}).SerializeToString())
wanted_features = st.lists(
    st.builds(
        Wanted,
        st.sampled_from([key.encode() for key in KEYS]),
        st.sampled_from(list(KINDS)),
        st.integers(-1, 3),
        st.booleans(),
    ),
    unique_by=lambda one: one.key,
)


@st.composite
def alike(draw):
    """Records of one writer, and features that are nearly always as wanted."""
    keys = draw(st.lists(st.text("kf1/é", max_size=20), min_size=1, max_size=7, unique=True))
    some = st.sampled_from(draw(st.sampled_from([[FLOATS, INTS, INTS, BYTES], [FLOATS], [INTS]])))
    kinds = [draw(some) for _ in keys]
    sizes = [draw(st.sampled_from([1, 1, 2, 5, 30])) for _ in keys]
    ints = st.integers(0, 300) | st.integers(-(2**63), 2**63 - 1)
    values = {**VALUES, INTS: ints, BYTES: st.binary(max_size=150)}
    features = {
        key: st.lists(values[kind], min_size=size, max_size=size).map(
            lambda found, kind=kind: {KINDS[kind]: {"value": found}}
        )
        for key, kind, size in zip(keys, kinds, sizes, strict=True)
    }
    # Some are in every record, others are not.
    fixed = draw(st.sets(st.sampled_from(keys)))
    record = st.fixed_dictionaries(
        {key: features[key] for key in keys if key in fixed},
        optional={key: features[key] for key in keys if key not in fixed},
    ).map(lambda found: Example(features={"feature": found}).SerializeToString())
    wanted = [
        Wanted(
            key.encode(), kind, draw(st.sampled_from([size, size, size, -1])), draw(st.booleans())
        )
        for key, kind, size in zip(keys, kinds, sizes, strict=True)
    ]
    return draw(st.lists(record, min_size=2, max_size=7)), draw(st.permutations(wanted))


def run(records, after=b""):
    offsets = np.cumsum([0, *map(len, records)])
    return np.frombuffer(b"".join(records) + after, np.uint8), offsets


def outcome(parse, records, wanted, after=b""):
    """What a parser gives, or its error, in a form that can be compared."""
    try:
        found = parse(*run(records, after), wanted)
    except RecordError as error:
        # What is wrong may be worded differently.
        return error.fault, error.record, error.feature, error.offset, error.found
    return [
        [None if part is None else (part.dtype, part.tobytes()) for part in values]
        for values in found
    ]


def damaged(records, draw):
    """Records with some bytes changed, taken out or put in."""
    found = [bytearray(record) for record in records]
    for _ in range(draw(st.integers(0, 4))):
        record = draw(st.sampled_from(found))
        at = draw(st.integers(0, len(record)))
        record[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return [bytes(record) for record in found]


@given(st.lists(examples, max_size=4), wanted_features)
def test_native_equals_twin_on_examples(records, wanted):
    assert outcome(parse_examples, records, wanted) == outcome(parse_examples_twin, records, wanted)


@given(alike(), st.booleans(), st.data())
def test_native_equals_twin_on_records_that_are_nearly_alike(found, is_damaged, data):
    records, wanted = found
    wanted = wanted[data.draw(st.integers(0, 1)) :]
    if is_damaged:
        records = damaged(records, data.draw)
    # More bytes, so that the last record is not read with more care than the others.
    after = bytes(data.draw(st.sampled_from([0, 20, 200])))

    ours = outcome(parse_examples, records, wanted, after)
    assert ours == outcome(parse_examples_twin, records, wanted, after)


@pytest.mark.parametrize("threads", [2, 3, 16])
@pytest.mark.parametrize("broken", [None, 0, 1023, 2600, 4999])
def test_several_threads_find_the_same(threads, broken):
    records = [example(x=[n, -n], y=[n % 100] * (n % 7 != 3)) for n in range(5000)]
    if broken is not None:
        records[broken] = records[broken][:-1]
    wanted = [Wanted(b"x", INTS, 2, True), Wanted(b"y", INTS, 1, False)]

    def threaded(*arguments):
        return parse_examples(*arguments, threads)

    assert outcome(threaded, records, wanted) == outcome(parse_examples, records, wanted)


def test_what_grows_is_found_by_one_thread():
    records = [example(x=list(range(n % 5))) for n in range(5000)]
    wanted = [Wanted(b"x", INTS, -1, False)]

    (found,) = parse_examples(*run(records), wanted, 4)

    assert np.diff(found.splits).tolist() == [n % 5 for n in range(5000)]


@pytest.mark.parametrize("key", ["", "k", "sixsix", "sevenss", "k" * 13, "k" * 14, "k" * 31])
def test_a_key_that_differs_in_one_letter_is_another(key):
    first = example(**{key: [7]})
    others = [
        first.replace(key.encode(), key[:i].encode() + b"#" + key[i + 1 :].encode())
        for i in range(len(key))
    ]
    records = [first, first, *(record for other in others for record in (first, other))]

    (found,) = parse_examples(*run(records, bytes(200)), [Wanted(key.encode(), INTS, 1, False)])

    assert found.missing.tolist() == [3 + 2 * i for i in range(len(key))]
    assert np.flatnonzero(found.values != 7).tolist() == found.missing.tolist()


@BOTH
def test_features_that_some_records_lack_are_told(parse):
    whole = {"a": [1], "b": [2.0], "c": [3], "d": [b"4"], "e": [5], "f": [6]}
    lacking = [(), (), ("a",), ("b", "c"), ("f",), ("d", "e", "f"), ("a", "f"), (), tuple("abcdef")]
    records = [
        example(**{name: values for name, values in whole.items() if name not in names})
        for names in lacking
    ]
    wanted = [
        Wanted(name.encode(), kind, 1, False)
        for name, kind in zip("fabd", (INTS, INTS, FLOATS, BYTES), strict=True)
    ]

    f, a, b, d = parse(*run(records, bytes(200)), wanted)

    assert f.missing.tolist() == [4, 5, 6, 8]
    assert f.values.tolist() == [6, 6, 6, 6, 0, 0, 0, 6, 0]
    assert a.missing.tolist() == [2, 6, 8]
    assert b.values.tolist() == [2, 2, 2, 0, 2, 2, 2, 2, 0]
    assert d.missing.tolist() == [5, 8]
    assert d.offsets.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]


@BOTH
def test_the_first_wanted_feature_that_a_record_lacks_is_told(parse):
    records = [example(a=[1], b=[2], c=[3])] * 3 + [example(a=[1])]

    with pytest.raises(RecordError) as raised:
        parse(*run(records, bytes(200)), [Wanted(k, INTS, 1, True) for k in (b"c", b"b", b"a")])

    assert (raised.value.fault, raised.value.record, raised.value.feature) == (MISSING, 3, 0)


def test_one_byte_of_any_record_may_differ():
    wanted = [
        Wanted(b"number", INTS, 1, False),
        Wanted(b"numbers", INTS, 3, False),
        Wanted(b"x", FLOATS, 1, False),
        Wanted(b"a_longer_name", FLOATS, 2, False),
        Wanted(b"text", BYTES, 1, False),
    ]
    record = example(
        number=[300], x=[1.0], other=[1], numbers=[1, 2, 300], a_longer_name=[2.0, 3.0], text=[b"t"]
    )
    for at in range(len(record)):
        for change in (1, 2, 8, 128):
            changed = bytearray(record)
            changed[at] ^= change
            records = [record, record, bytes(changed), record]
            ours = outcome(parse_examples, records, wanted, bytes(200))
            assert ours == outcome(parse_examples_twin, records, wanted)


@given(st.lists(sequences, max_size=4), wanted_features)
def test_native_equals_twin_on_feature_lists(records, wanted):
    ours = outcome(parse_feature_lists, records, wanted)

    assert ours == outcome(parse_feature_lists_twin, records, wanted)


@given(st.lists(examples | sequences, min_size=1, max_size=3), wanted_features, st.data())
def test_native_equals_twin_on_what_is_damaged(records, wanted, data):
    records = damaged(records, data.draw)

    assert outcome(parse_examples, records, wanted) == outcome(parse_examples_twin, records, wanted)
    ours = outcome(parse_feature_lists, records, wanted)
    assert ours == outcome(parse_feature_lists_twin, records, wanted)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_native_equals_twin_on_what_fuzzing_found(path):
    record = path.read_bytes()[2:]
    wanted = [Wanted(bytes([97 + i]), 1 + i % 3, (1, -1)[i // 3], False) for i in range(6)]

    for native, twin in (
        (parse_examples, parse_examples_twin),
        (parse_feature_lists, parse_feature_lists_twin),
    ):
        assert outcome(native, [record] * 2, wanted) == outcome(twin, [record] * 2, wanted)


def example(**values):
    kinds = {bytes: "bytes_list", float: "float_list", int: "int64_list"}
    found = {
        name: {kinds[type(items[0])]: {"value": items}} if items else {}
        for name, items in values.items()
    }
    return Example(features={"feature": found}).SerializeToString()


@BOTH
def test_a_fixed_number_of_values_makes_a_dense_array(parse):
    records = [example(x=[1.0, 2.0]), example(x=[3.0, 4.0])]

    (x,) = parse(*run(records), [Wanted(b"x", FLOATS, 2, True)])

    assert x.values.tolist() == [1, 2, 3, 4]
    assert x.splits is None
    assert x.values.flags.writeable


@BOTH
def test_any_number_of_values_comes_with_splits(parse):
    records = [example(x=[5, -6]), example(), example(x=[7])]

    (x,) = parse(*run(records), [Wanted(b"x", INTS, -1, False)])

    assert x.values.tolist() == [5, -6, 7]
    assert x.splits.tolist() == [0, 2, 2, 3]
    assert x.missing.tolist() == [1]


@BOTH
def test_strings_lie_in_one_buffer(parse):
    records = [example(x=[b"ab", b""]), example(x=[b"c"])]

    (x,) = parse(*run(records), [Wanted(b"x", BYTES, -1, False)])

    assert x.values.tobytes() == b"abc"
    assert x.offsets.tolist() == [0, 2, 2, 3]
    assert x.splits.tolist() == [0, 2, 3]


@BOTH
def test_what_is_missing_has_zeros_in_a_dense_array(parse):
    (x,) = parse(*run([example(), example(x=[4])]), [Wanted(b"x", INTS, 1, False)])

    assert x.values.tolist() == [0, 4]
    assert x.missing.tolist() == [0]


@BOTH
@pytest.mark.parametrize(
    ("record", "wanted", "fault", "found"),
    [
        (example(x=[1.0]), Wanted(b"x", INTS, 1, True), WRONG_KIND, FLOATS),
        (example(x=[1.0]), Wanted(b"x", FLOATS, 2, True), WRONG_COUNT, 1),
        (example(x=[1, 2, 3]), Wanted(b"x", INTS, 2, True), WRONG_COUNT, 3),
        (example(x=[b"a"]), Wanted(b"x", BYTES, 0, True), WRONG_COUNT, 1),
        (example(y=[1]), Wanted(b"x", INTS, 1, True), MISSING, 0),
        (example(x=[]), Wanted(b"x", INTS, 1, True), MISSING, 0),
        (example(x=[1, 2])[:-1], Wanted(b"x", INTS, -1, True), BROKEN, 0),
    ],
)
def test_an_error_names_the_record_the_feature_and_a_byte(parse, record, wanted, fault, found):
    other = Wanted(b"other", INTS, -1, False)

    with pytest.raises(RecordError) as raised:
        parse(*run([record]), [other, wanted])

    assert raised.value.fault == fault
    assert raised.value.found == found
    assert 0 <= raised.value.offset <= len(record)


@BOTH
def test_an_error_counts_records_of_the_run_and_features_that_are_wanted(parse):
    records = [example(x=[1]), example(x=[1]), example(x=[2.5])]
    wanted = [Wanted(b"y", INTS, -1, False), Wanted(b"x", INTS, 1, True)]

    with pytest.raises(RecordError) as raised:
        parse(*run(records), wanted)

    assert (raised.value.record, raised.value.feature) == (2, 1)
    assert records[2][raised.value.offset :][:2] == b"\x12\x06"


@BOTH_LISTS
def test_steps_of_feature_lists_are_counted(parse):
    steps = [{"int64_list": {"value": [1, 2]}}, {}, {"int64_list": {"value": [3]}}]
    record = SequenceExample(feature_lists={"feature_list": {"x": {"feature": steps}}})

    (x,) = parse(*run([record.SerializeToString(), b""]), [Wanted(b"x", INTS, -1, False)])

    assert x.values.tolist() == [1, 2, 3]
    assert x.splits.tolist() == [0, 2, 2, 3]
    assert x.steps.tolist() == [0, 3, 3]
    assert x.missing.tolist() == [1]


@BOTH_LISTS
def test_a_step_without_values_is_an_error_where_some_are_wanted(parse):
    record = SequenceExample(feature_lists={"feature_list": {"x": {"feature": [{}]}}})

    with pytest.raises(RecordError) as raised:
        parse(*run([record.SerializeToString()]), [Wanted(b"x", INTS, 1, False)])

    assert raised.value.fault == NO_KIND


@BOTH
@pytest.mark.parametrize(
    ("offsets", "wanted", "what"),
    [
        ([], [], "at least one number"),
        ([0, 5], [], "offsets must rise"),
        ([2, 1], [], "offsets must rise"),
        ([-1, 1], [], "offsets must rise"),
        ([0], [Wanted(b"x", INTS, 1, True)] * 2, "wanted twice"),
        ([0], [Wanted(b"x", 4, 1, True)], "a kind from 1 to 3"),
        ([0], [Wanted(b"x", INTS, -2, True)], "a size of at least -1"),
    ],
)
def test_wrong_arguments_are_refused(parse, offsets, wanted, what):
    with pytest.raises(ValueError, match=what):
        parse(np.zeros(3, np.uint8), np.array(offsets, np.int64), wanted)


def test_the_native_parser_runs_on_several_threads_at_once():
    records = [example(x=[number]) for number in range(2000)]
    results = [None] * 4

    def work(number):
        (found,) = parse_examples(*run(records), [Wanted(b"x", INTS, 1, True)])
        results[number] = found.values.tolist()

    threads = [threading.Thread(target=work, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [list(range(2000))] * 4
