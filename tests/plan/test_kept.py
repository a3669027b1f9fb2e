import copy
import gc
import pickle
import weakref

import numpy as np

from feedline.data import Dataset
from feedline.plan.kept import Kept


def test_copies_and_pickles_begin_with_nothing():
    kept = Kept(a=1)

    assert pickle.loads(pickle.dumps(kept)) == {}
    assert copy.deepcopy(kept) == {}


def test_a_node_keeps_what_was_worked_out_and_is_the_same_node():
    node = Dataset.range(3).node
    node.kept["a"] = 1

    assert node.kept == {"a": 1}
    assert node == Dataset.range(3).node
    assert pickle.loads(pickle.dumps(node)).kept == {}


def test_a_dataset_that_was_iterated_over_goes_at_once():
    gc.collect()
    gc.disable()
    try:
        ds = Dataset.from_tensor_slices(np.arange(3)).shuffle(2).take(-1).batch(2)
        list(ds)
        gone = weakref.ref(ds.node)
        del ds
        assert gone() is None
    finally:
        gc.enable()
