import gc
import weakref

import feedline as tf


def double(x):
    return x * 2


def test_steps_are_counted_the_last_one_first():
    it = iter(tf.data.Dataset.range(12).map(double).batch(3))
    for _ in it:
        pass

    stats = it.stats()

    assert [step.elements for step in stats.steps] == [4, 12, 12]
    assert stats.steps[1].label == "map(fn=double)"
    assert stats.elements == 4
    assert 0 <= stats.wait_share <= 1


def test_a_stage_says_where_it_runs():
    options = tf.data.Options()
    options.executor = "threads"
    ds = tf.data.Dataset.range(50).map(double, num_parallel_calls=2).with_options(options)
    with iter(ds) as it:
        list(it)
        step = next(s for s in it.stats().steps if s.label.startswith("map"))

    assert (step.executor, step.width, step.elements) == ("threads", 2, 50)


def test_a_budget_is_shown():
    options = tf.data.Options()
    options.autotune.cpu_budget, options.autotune.ram_budget = 1, 1 << 20
    ds = tf.data.Dataset.range(5).prefetch(2).with_options(options)
    it = iter(ds)
    list(it)

    stats = it.stats()

    assert (stats.cpus, stats.ram_bytes) == (1, 1 << 20)
    assert "processors: 1; memory: 1 MiB" in str(stats)
    assert [room.depth for room in stats.rooms] == [None]


def test_explain_shows_the_latest_iteration_after_it_ended():
    ds = tf.data.Dataset.range(12).batch(3)
    assert "not iterated over yet" in ds.explain(runtime=True)
    list(ds)

    text = ds.explain(runtime=True)

    assert "as it ran\n  4 elements in" in text


def test_explain_shows_an_iteration_that_goes_on():
    ds = tf.data.Dataset.range(12).batch(3)
    it = iter(ds)
    next(it)

    assert "as it ran" in ds.explain(runtime=True)
    assert "not iterated over yet" not in ds.explain(runtime=True)


def test_a_plan_that_was_iterated_over_is_freed_without_a_garbage_collection():
    gc.disable()
    try:
        ds = tf.data.Dataset.range(12).map(double, num_parallel_calls=2).batch(3)
        list(ds)
        node = weakref.ref(ds.node)
        del ds

        assert node() is None
    finally:
        gc.enable()


def test_why_a_function_does_not_run_in_processes_is_said_in_every_iteration():
    ds = tf.data.Dataset.range(200).map(lambda x: int(x), tf.data.AUTOTUNE, vectorize=False)
    it = iter(ds)
    next(it)
    (stage,) = it._run.workers.tuner.stages
    stage.stay("its results cannot be sent")
    it.close()
    said = "does not run in processes: its results cannot be sent"
    shown = [ds.explain(runtime=True)]
    for _ in ds:
        pass
    shown.append(ds.explain(runtime=True))

    assert [said in str(text) for text in shown] == [True, True]
