"""Rules that make a plan cheaper without changing what it yields: one file each."""

from __future__ import annotations

from feedline.ops.filter import Filter
from feedline.ops.flat_map import FlatMap
from feedline.ops.map import Map
from feedline.ops.repeat import Repeat
from feedline.ops.shard import Shard
from feedline.ops.shuffle import Shuffle
from feedline.ops.skip import Skip
from feedline.ops.take import Take
from feedline.optimize.filter_fusion import filter_fusion
from feedline.optimize.map_and_filter_fusion import map_and_filter_fusion
from feedline.optimize.map_fusion import map_fusion
from feedline.optimize.noop_elimination import noop_elimination
from feedline.optimize.rule import Rule
from feedline.optimize.shard_into_records import shard_into_records
from feedline.optimize.shard_into_shuffle import shard_into_shuffle
from feedline.optimize.window_to_views import window_to_views

__all__ = ["RULES", "Rule"]

# In order: each sees what those before it made of the plan.
RULES: tuple[Rule, ...] = (
    Rule(
        noop_elimination,
        about=(Take, Skip, Repeat, Shard, Shuffle),
        option="noop_elimination",
        reason="first: what changes nothing would hide neighbours from the others",
    ),
    Rule(
        shard_into_shuffle,
        about=(Shard,),
        reason="after noop_elimination: a shard of one and a shuffle of one are gone",
    ),
    Rule(
        shard_into_records,
        about=(Shard,),
        reason="after noop_elimination: a shard of one is gone",
    ),
    Rule(
        map_fusion,
        about=(Map,),
        option="map_fusion",
        nested=False,
        shapes_states=False,
        reason="after what removes steps: more maps are neighbours then",
    ),
    Rule(
        filter_fusion,
        about=(Filter,),
        option="filter_fusion",
        default=False,
        nested=False,
        reason="before map_and_filter_fusion, which takes one filter for each map",
    ),
    Rule(
        map_and_filter_fusion,
        about=(Filter,),
        option="map_and_filter_fusion",
        default=False,
        nested=False,
        reason="after map_fusion and filter_fusion: with as few of both as there can be",
    ),
    Rule(
        window_to_views,
        about=(FlatMap,),
        asks=True,
        reason="early: the step it makes can be read by index, which later rules use",
    ),
)
