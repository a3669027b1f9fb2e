"""noop: steps that change nothing, and which of them tf.data looks past."""

from tests.golden.case import each

STEPS = {
    "take": lambda ds: ds.take(-1),
    "take_negative": lambda ds: ds.take(-2),
    "skip": lambda ds: ds.skip(0),
    "repeat": lambda ds: ds.repeat(1),
    "shard": lambda ds: ds.shard(1, 0),
    "prefetch": lambda ds: ds.prefetch(1),
    "take_enough": lambda ds: ds.take(100),
    "two": lambda ds: ds.take(-1).skip(0),
    "with_prefetch": lambda ds: ds.take(-1).prefetch(0),
}


def with_noops(tf, ds, kept):
    options = tf.data.Options()
    if kept:
        options.experimental_optimization.noop_elimination = False
    return ds.with_options(options)


@each(step=list(STEPS), kept=[False, True])
def case_between_shuffle_and_repeat(tf, step, kept):
    ds = STEPS[step](tf.data.Dataset.range(5).shuffle(4, seed=3)).repeat(2)
    ds = with_noops(tf, ds, kept)
    return [list(ds), list(ds)]


@each(step=list(STEPS), kept=[False, True])
def case_after_shuffle(tf, step, kept):
    ds = with_noops(tf, STEPS[step](tf.data.Dataset.range(5).shuffle(4, seed=3)), kept)
    return [list(ds), list(ds)]


@each(index=[0, 2])
def case_shard_of_shuffle(tf, index):
    ds = tf.data.Dataset.range(20).shuffle(6, seed=3).shard(3, index)
    return [list(ds), list(ds)]


def case_shard_of_shuffle_repeated(tf):
    return tf.data.Dataset.range(9).shuffle(4, seed=3).shard(2, 1).repeat(3)


def case_shuffle_of_a_cache(tf):
    ds = tf.data.Dataset.range(9).map(lambda x: x * 2).cache().shuffle(4, seed=3)
    return [list(ds), list(ds), list(ds)]
