import os

import pytest

from feedline.data import TFRecordDataset
from feedline.errors import AlreadyExistsError
from feedline.tools.converting.plan import Order, planned
from feedline.tools.converting.writing import (
    StoppedError,
    remove_leftovers,
    worthwhile_jobs,
    write_shard,
    write_shards,
)
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
    write_shards(plan, 1, lambda shard: None)

    assert ids_in(tmp_path / "out") == list(range(50))
    assert plan.missing() == []


def test_several_processes_write_the_same(tmp_path):
    plan = planned(order(tmp_path))
    plan.begin()
    done = []
    write_shards(plan, 2, done.append)

    assert ids_in(tmp_path / "out") == list(range(50))
    assert len(done) == len(plan.shards)


def test_a_second_run_goes_on_with_the_same_plan(tmp_path):
    wish = order(tmp_path)
    plan = planned(wish)
    plan.begin()
    for shard in plan.shards[:2]:
        write_shard(plan.source, shard, "", lambda: False)
    again = planned(wish)

    assert again.is_resumed
    assert again.shards == plan.shards
    assert again.missing() == plan.shards[2:]
    write_shards(again, 1, lambda shard: None)
    assert ids_in(tmp_path / "out") == list(range(50))


def test_a_source_that_changed_makes_another_conversion(tmp_path):
    wish = order(tmp_path)
    planned(wish).begin()
    made.csv_file(tmp_path / "a.csv", 60)

    with pytest.raises(AlreadyExistsError, match="a source was changed since"):
        planned(wish)


def test_another_conversion_is_replaced_when_that_is_asked_for(tmp_path):
    first = planned(order(tmp_path))
    first.begin()
    write_shards(first, 1, lambda shard: None)
    second = planned(order(tmp_path, shard_bytes=100_000, overwrite=True))
    second.begin()
    write_shards(second, 1, lambda shard: None)

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


def test_an_interrupted_file_leaves_nothing_behind(tmp_path):
    plan = planned(Order((made.csv_file(tmp_path / "a.csv", 500),), str(tmp_path / "out")))
    plan.begin()
    with pytest.raises(StoppedError):
        write_shard(plan.source, plan.shards[0], "", lambda: True)

    assert os.listdir(tmp_path / "out") == ["data.plan.json"]


def test_what_a_killed_process_left_is_removed(tmp_path):
    plan = planned(order(tmp_path))
    plan.begin()
    folder, name = os.path.split(plan.shards[0].path)
    left = os.path.join(folder, f".{name}.abc123.tmp")
    others = os.path.join(folder, ".something.tmp")
    for path in (left, others):
        open(path, "wb").close()
    remove_leftovers(plan)

    assert not os.path.exists(left)
    assert os.path.exists(others)


def test_processes_are_started_where_they_pay(tmp_path):
    plan = planned(order(tmp_path))

    assert worthwhile_jobs(plan) == 1
    assert worthwhile_jobs(plan, 2) == 2
    assert worthwhile_jobs(plan, 1000) == len(plan.shards)
