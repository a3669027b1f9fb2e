"""distribute: one replica, which is what there is where no strategy was chosen."""

from tests.golden.case import each


@each(settings=[{}, {"num_input_pipelines": 4, "input_pipeline_id": 2, "num_replicas_in_sync": 8}])
def case_input_context(tf, settings):
    context = tf.distribute.InputContext(**settings)
    return [
        context.num_input_pipelines,
        context.input_pipeline_id,
        context.num_replicas_in_sync,
        context.get_per_replica_batch_size(16),
        str(context),
    ]


def case_input_context_refuses_what_cannot_be_divided(tf):
    return tf.distribute.InputContext(num_replicas_in_sync=8).get_per_replica_batch_size(15)


@each(kind=["default", "one device"])
def case_strategy(tf, kind):
    one = tf.distribute.OneDeviceStrategy
    strategy = tf.distribute.get_strategy() if kind == "default" else one("/cpu:0")

    def of_context(context):
        ds = tf.data.Dataset.range(6)
        ds = ds.shard(context.num_input_pipelines, context.input_pipeline_id)
        return ds.batch(context.get_per_replica_batch_size(4))

    with strategy.scope():
        made = strategy.run(lambda x, y: x + y, args=(1,), kwargs={"y": 2})
    return [
        strategy.num_replicas_in_sync,
        list(strategy.experimental_distribute_dataset(tf.data.Dataset.range(3).batch(2))),
        list(strategy.distribute_datasets_from_function(of_context)),
        made,
        strategy.experimental_local_results(3),
        tf.distribute.has_strategy(),
        [op.value for op in tf.distribute.ReduceOp],
    ]


@each(op=["SUM", "MEAN", "sum"], axis=[None, 0, 1])
def case_reduce(tf, op, axis):
    value = tf.constant([[1.0, 2.0], [3.0, 5.0]])
    return tf.distribute.get_strategy().reduce(op, value, axis=axis)


def case_reduce_by_its_name(tf):
    strategy = tf.distribute.get_strategy()
    return strategy.reduce(tf.distribute.ReduceOp.MEAN, tf.constant([1, 2, 4]), axis=0)


def case_gather(tf):
    return tf.distribute.get_strategy().gather(tf.constant([1, 2]), axis=0)


def case_reduce_refuses(tf):
    return tf.distribute.get_strategy().reduce("MAX", tf.constant([1]), axis=None)
