"""Reinforcement learning: episodes of steps, transitions, n-step returns, trajectories of records."""

import collections

import numpy as np

from tests.realworld.library import tf

Transition = collections.namedtuple(
    "Transition", ["observation", "action", "reward", "discount", "next_observation"]
)


def _steps(number, length):
    rng = np.random.RandomState(number)
    return {
        "observation": {
            "position": rng.rand(length, 2).astype(np.float32),
            "step": np.arange(length),
        },
        "action": rng.randint(0, 4, length).astype(np.int32),
        "reward": np.arange(length, dtype=np.float32) + number,
        "is_first": np.arange(length) == 0,
        "is_last": np.arange(length) == length - 1,
        "is_terminal": (np.arange(length) == length - 1) & (number % 2 == 0),
    }


def _episode(number, length):
    return tf.data.Dataset.from_tensors(number).map(
        lambda n: {
            "steps": tf.data.Dataset.from_tensor_slices(_steps(number, length)),
            "episode_id": n,
        }
    )


def _episodes():
    episodes = _episode(0, 4)
    for number, length in ((1, 3), (2, 5)):
        episodes = episodes.concatenate(_episode(number, length))
    return episodes


def pipeline_steps_of_episodes():
    """flat_map over the nested datasets, a map over steps, a count of steps per episode."""
    episodes = _episodes()
    steps = episodes.flat_map(lambda episode: episode["steps"])
    steps = steps.map(lambda step: {**step, "reward": step["reward"] * 2})
    lengths = []
    for episode in episodes:
        lengths.append(sum(1 for _ in episode["steps"]))
    return [lengths, steps.batch(6)]


def pipeline_returns_of_episodes():
    """sum of rewards by reduce in the map over episodes; the nested dataset's own cardinality."""

    def total(episode):
        reward = episode["steps"].reduce(np.float32(0), lambda total, step: total + step["reward"])
        length = episode["steps"].reduce(np.int64(0), lambda count, _: count + 1)
        return {"id": episode["episode_id"], "return": reward, "length": length}

    return _episodes().map(total)


def pipeline_transitions():
    """Windows of two steps batched by key, zipped, shifted into (o, a, r, d, o')."""

    def windowed_to_batch(window):
        return tf.nest.map_structure(lambda ds: ds.batch(2, drop_remainder=True), window)

    def batch_of(step_window):
        keys = step_window.keys()
        parts = []
        for key in keys:
            nested = windowed_to_batch(step_window[key])
            parts.append(tf.data.Dataset.zip(nested) if isinstance(nested, dict) else nested)
        ds = tf.data.Dataset.zip(tuple(parts))
        return ds.map(lambda *args: {k: v for k, v in zip(keys, args)})

    def transition(pair):
        observation = tf.nest.map_structure(lambda x: x[0], pair["observation"])
        following = tf.nest.map_structure(lambda x: x[1], pair["observation"])
        discount = tf.cast(tf.logical_not(pair["is_terminal"][1]), tf.float32)
        return Transition(observation, pair["action"][0], pair["reward"][0], discount, following)

    def transitions_of(episode):
        windows = episode["steps"].window(2, shift=1, drop_remainder=True)
        return windows.flat_map(batch_of).map(transition)

    return _episodes().flat_map(transitions_of).batch(4)


def pipeline_n_step_returns():
    """Sliding batches of three, discounted sums by a product of powers, reward to go by cumsum."""
    steps = _steps(3, 9)
    ds = tf.data.Dataset.from_tensor_slices(steps).batch(9)
    gamma = tf.constant(0.9)

    def returns(episode):
        rewards = episode["reward"]
        n = tf.shape(rewards)[0]
        padded = tf.concat([rewards, tf.zeros(2)], axis=0)
        frames = tf.stack([padded[i : i + n] for i in range(3)], axis=-1)
        weights = tf.pow(gamma, tf.range(3, dtype=tf.float32))
        n_step = tf.reduce_sum(frames * weights, axis=-1)
        to_go = tf.cumsum(rewards, reverse=True)
        mean, variance = tf.nn.moments(rewards, axes=[0])
        advantage = (to_go - mean) / tf.sqrt(variance + 1e-8)
        return {"n_step": n_step, "to_go": to_go, "advantage": advantage}

    return ds.map(returns)


def pipeline_truncated_after_condition():
    """scan keeps whether the condition held before; take_while with `not` in the lambda."""
    steps = tf.data.Dataset.from_tensor_slices(_steps(1, 7))
    scan_fn = tf.data.experimental.scan(
        False, lambda previous, step: (step["reward"] > 3.0, (step, previous))
    )
    with_previous = steps.apply(scan_fn)
    take_fn = tf.data.experimental.take_while(lambda step, stop: not stop)
    return with_previous.apply(take_fn).map(lambda step, stop: step).batch(10)


def pipeline_steps_shifted():
    """Keys shifted by one against the others inside windows of a batch."""
    steps = tf.data.Dataset.from_tensor_slices(_steps(2, 8))

    def shift_field(field, shift):
        if shift > 0:
            return tf.nest.map_structure(lambda x: x[shift:], field)
        return tf.nest.map_structure(lambda x: x[:shift], field)

    def realign(batch):
        return {
            k: shift_field(v, 1 if k in ("reward", "is_last") else -1) for k, v in batch.items()
        }

    return steps.batch(8).map(realign).unbatch().take(5).batch(3)


def pipeline_zero_step_appended():
    """A step of zeros by the element_spec, concatenated where the last step is terminal."""
    steps = tf.data.Dataset.from_tensor_slices(_steps(2, 3))

    def zeros_from_spec(spec):
        return tf.nest.map_structure(
            lambda t: tf.zeros([1 if d is None else d for d in t.shape], t.dtype), spec
        )

    zeros = tf.data.Dataset.from_tensors(zeros_from_spec(steps.element_spec))
    extra = zeros.map(lambda step: {**step, "is_last": tf.constant(True)})
    sizes = [t.dtype.size * t.shape.num_elements() for t in tf.nest.flatten(steps.element_spec)]
    return [sizes, steps.concatenate(extra).batch(10)]


def pipeline_key_missing_in_one_dataset():
    """Two datasets of dicts made alike by zeros of the other's spec before concatenate."""
    one = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [0.5, 1.5]})
    two = tf.data.Dataset.from_tensor_slices({"a": [3]})

    def add_empty_values(step, spec):
        for k in spec:
            if k not in step:
                step[k] = tf.zeros(spec[k].shape, spec[k].dtype)
        return step

    spec_one, spec_two = one.element_spec, two.element_spec
    one = one.map(lambda step: add_empty_values(step, spec_two))
    two = two.map(lambda step: add_empty_values(step, spec_one))
    return one.concatenate(two)


def pipeline_replay_records():
    """Gzipped shards of Examples by partial'd TFRecordDataset, PNG frames stacked, ids bitcast."""
    import functools

    options = tf.io.TFRecordOptions(compression_type="GZIP")
    for shard in range(2):
        with tf.io.TFRecordWriter(f"run_1-{shard:05d}-of-00002", options) as writer:
            for n in range(3):
                frames = [
                    tf.io.encode_png(np.full((4, 5, 1), 40 * shard + 10 * n + k, np.uint8)).numpy()
                    for k in range(4)
                ]
                feature = {
                    "o_t": tf.train.Feature(bytes_list=tf.train.BytesList(value=frames)),
                    "a_t": tf.train.Feature(int64_list=tf.train.Int64List(value=[n])),
                    "r_t": tf.train.Feature(float_list=tf.train.FloatList(value=[n / 2])),
                    "episode_id": tf.train.Feature(int64_list=tf.train.Int64List(value=[-7 - n])),
                }
                writer.write(
                    tf.train.Example(
                        features=tf.train.Features(feature=feature)
                    ).SerializeToString()
                )
    filenames = [f"run_1-{i:05d}-of-{2:05d}" for i in range(2)]

    def decode_frames(pngs):
        frames = [tf.image.decode_png(pngs[i], channels=1) for i in range(4)]
        frames = tf.concat(frames, axis=2)
        frames.set_shape((4, 5, 4))
        return frames

    def to_sample(example):
        description = {
            "o_t": tf.io.FixedLenFeature([4], tf.string),
            "a_t": tf.io.FixedLenFeature([], tf.int64),
            "r_t": tf.io.FixedLenFeature([], tf.float32),
            "episode_id": tf.io.FixedLenFeature([], tf.int64),
        }
        data = tf.io.parse_single_example(example, description)
        info = {
            "key": tf.constant(0, tf.uint64),
            "probability": tf.constant(1.0, tf.float64),
        }
        episode_id = tf.bitcast(data["episode_id"], tf.uint64)
        return info, (
            decode_frames(data["o_t"]),
            tf.cast(data["a_t"], tf.int32),
            data["r_t"],
            {"episode_id": episode_id},
        )

    file_ds = tf.data.Dataset.from_tensor_slices(filenames).repeat().shuffle(2, seed=1)
    example_ds = file_ds.interleave(
        functools.partial(tf.data.TFRecordDataset, compression_type="GZIP"),
        cycle_length=2,
        block_length=2,
    )
    return (
        example_ds.map(to_sample, num_parallel_calls=tf.data.experimental.AUTOTUNE).take(7).batch(3)
    )


def pipeline_simulation_trajectories():
    """SequenceExamples of raw bytes, frombuffer behind py_function, windows stacked, flat_map."""

    def sequence_example(k):
        positions = np.random.RandomState(k).rand(6, 2, 2).astype(np.float32)
        steps = tf.train.FeatureList(
            feature=[
                tf.train.Feature(bytes_list=tf.train.BytesList(value=[p.tobytes()]))
                for p in positions
            ]
        )
        context = tf.train.Features(
            feature={
                "key": tf.train.Feature(int64_list=tf.train.Int64List(value=[k])),
                "particle_type": tf.train.Feature(
                    bytes_list=tf.train.BytesList(value=[np.array([5, k], np.int64).tobytes()])
                ),
            }
        )
        lists = tf.train.FeatureLists(feature_list={"position": steps})
        return tf.train.SequenceExample(context=context, feature_lists=lists).SerializeToString()

    def convert_to_tensor(x, encoded_dtype):
        if len(x) == 1:
            out = np.frombuffer(x[0].numpy(), dtype=encoded_dtype)
        else:
            out = []
            for el in x:
                out.append(np.frombuffer(el.numpy(), dtype=encoded_dtype))
        return tf.convert_to_tensor(np.array(out))

    def parse(example_proto):
        context, parsed = tf.io.parse_single_sequence_example(
            example_proto,
            context_features={
                "key": tf.io.FixedLenFeature([], tf.int64, default_value=0),
                "particle_type": tf.io.VarLenFeature(tf.string),
            },
            sequence_features={"position": tf.io.VarLenFeature(tf.string)},
        )
        position = tf.py_function(
            lambda x: convert_to_tensor(x, np.float32),
            inp=[parsed["position"].values],
            Tout=tf.float32,
        )
        kinds = tf.py_function(
            lambda x: convert_to_tensor(x, np.int64),
            inp=[context["particle_type"].values],
            Tout=[tf.int64],
        )
        return {"key": context["key"], "particle_type": tf.reshape(kinds, [-1])}, {
            "position": tf.reshape(position, [6, -1, 2])
        }

    def split_trajectory(context, features, window_length=4):
        trajectory_length = features["position"].get_shape().as_list()[0]
        count = trajectory_length - window_length + 1
        stacked = {
            "particle_type": tf.tile(tf.expand_dims(context["particle_type"], axis=0), [count, 1]),
            "position": tf.stack(
                [features["position"][idx : idx + window_length] for idx in range(count)]
            ),
        }
        return tf.data.Dataset.from_tensor_slices(stacked)

    with tf.io.TFRecordWriter("train.tfrecord") as writer:
        for k in range(2):
            writer.write(sequence_example(k))
    ds = tf.data.TFRecordDataset(["train.tfrecord"]).map(parse)
    ds = ds.flat_map(split_trajectory)

    def prepare_inputs(tensor_dict):
        pos = tf.transpose(tensor_dict["position"], perm=[1, 0, 2])
        target_position = pos[:, -1]
        tensor_dict["position"] = pos[:, :-1]
        tensor_dict["n_particles_per_example"] = tf.shape(pos)[:1]
        return tensor_dict, target_position

    return ds.map(prepare_inputs)


def pipeline_replay_buffer_generator():
    """A buffer object with __iter__ and __call__ handed to from_generator with nested signature."""

    class ReplayBuffer:
        def __init__(self, capacity):
            self.storage = collections.deque(maxlen=capacity)

        def add(self, transition):
            self.storage.append(transition)

        def __call__(self):
            rng = np.random.RandomState(0)
            for _ in range(6):
                yield self.storage[rng.randint(len(self.storage))]

    buffer = ReplayBuffer(5)
    for k in range(8):
        state = np.full(3, k, np.float32)
        buffer.add(({"state": state, "legal": [True, k % 2 == 0]}, k % 3, float(k)))
    ds = tf.data.Dataset.from_generator(
        buffer,
        output_signature=(
            {"state": tf.TensorSpec((3,), tf.float32), "legal": tf.TensorSpec([2], tf.bool)},
            tf.TensorSpec((), tf.int32),
            tf.TensorSpec(shape=(), dtype=tf.float32),
        ),
    )
    ds = ds.batch(2)
    iterator = iter(ds)
    first = next(iterator)
    second = iterator.get_next()
    return [first, second, ds.map(lambda s, a, r: (s["state"] * r[:, None], tf.one_hot(a, 3)))]
