import os
from dataclasses import replace

import pytest

from feedline.data import TFRecordDataset
from feedline.errors import AlreadyExistsError, FileError
from feedline.tools.converting.plan import Order, planned
from feedline.tools.converting.writing import Signals, write_shard, write_shards
from feedline.train import Example
from tests.tools import made


def order(tmp_path, **changes):
    settings = {"name": "t", "shard_bytes": 400, **changes}
    return Order((made.csv_file(tmp_path / "a.csv"),), str(tmp_path / "out"), **settings)


def ids_in(folder):
    names = sorted(str(path) for path in folder.glob("*.tfrecord"))
    records = TFRecordDataset(names)
    return [
        Example.FromString(record).features.feature["id"].int64_list.value[0] for record in records
    ]


def test_every_record_is_written_once_in_order(tmp_path):
    plan = planned(order(tmp_path))
    plan.begin()
    write_shards(plan, 1, lambda done: None)

    assert ids_in(tmp_path / "out") == list(range(50))
    assert plan.missing() == []


def test_a_second_run_goes_on_with_the_same_plan(tmp_path):
    wish = order(tmp_path)
    plan = planned(wish)
    plan.begin()
    for shard in plan.shards[:2]:
        write_shard(plan.source, shard, "", Signals())
    again = planned(wish)

    assert again.is_resumed
    assert again.shards == plan.shards
    assert again.missing() == plan.shards[2:]
    write_shards(again, 1, lambda done: None)
    assert ids_in(tmp_path / "out") == list(range(50))


def test_a_source_that_changed_makes_another_conversion(tmp_path):
    wish = order(tmp_path)
    planned(wish).begin()
    made.csv_file(tmp_path / "a.csv", 60)

    with pytest.raises(AlreadyExistsError, match="a source was changed since"):
        planned(wish)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"shard_bytes": 500}, "its --shard-size was 400, not 500"),
        ({"compression": "GZIP"}, "it is not compressed"),
    ],
)
def test_a_setting_that_changed_is_named(tmp_path, changes, says):
    planned(order(tmp_path)).begin()
    wish = replace(order(tmp_path), **changes)
    os.utime(tmp_path / "a.csv", (0, 0))

    with pytest.raises(AlreadyExistsError, match=says):
        planned(wish)


def test_other_sources_are_named(tmp_path):
    planned(order(tmp_path)).begin()
    wish = replace(order(tmp_path), paths=(made.csv_file(tmp_path / "b.csv"),))

    with pytest.raises(AlreadyExistsError, match=r"it was made of .*a\.csv\. Use --overwrite"):
        planned(wish)


def test_a_source_that_changes_meanwhile_is_noticed(tmp_path):
    plan = planned(order(tmp_path))
    plan.begin()
    write_shards(plan, 1, lambda done: None)
    plan.check_unchanged()
    made.csv_file(tmp_path / "a.csv", 60)

    with pytest.raises(FileError, match="changed while it was converted"):
        plan.check_unchanged()


def test_two_cannot_write_one_conversion_at_once(tmp_path):
    wish = order(tmp_path)
    first, second = planned(wish), planned(wish)
    first.begin()

    with pytest.raises(AlreadyExistsError, match="another process is writing"):
        second.begin()
    first.end()
    second.begin()


def test_overwriting_goes_on_with_what_it_has_begun(tmp_path):
    wish = order(tmp_path, overwrite=True)
    plan = planned(wish)
    plan.begin()
    write_shard(plan.source, plan.shards[0], "", Signals())

    assert planned(wish).missing() == plan.shards[1:]


def test_another_conversion_is_replaced_when_that_is_asked_for(tmp_path):
    first = planned(order(tmp_path))
    first.begin()
    write_shards(first, 1, lambda done: None)
    first.end()
    second = planned(order(tmp_path, shard_bytes=100_000, overwrite=True))
    second.begin()
    write_shards(second, 1, lambda done: None)

    assert [path.name for path in (tmp_path / "out").glob("*.tfrecord")] == [
        "t-00000-of-00001.tfrecord"
    ]
    assert ids_in(tmp_path / "out") == list(range(50))


def test_a_file_of_somebody_else_is_not_taken_for_a_part(tmp_path):
    wish = order(tmp_path, shard_bytes=100_000)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "t-00000-of-00001.tfrecord").write_bytes(b"mine")

    with pytest.raises(AlreadyExistsError, match="not from this conversion"):
        planned(wish)


def test_a_record_longer_than_a_shard_gets_one_of_its_own(tmp_path):
    assert len(planned(order(tmp_path, shard_bytes=1)).shards) == 50
