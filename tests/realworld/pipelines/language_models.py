"""Language-model pipelines: BERT records, masking, packing, span features, autoregressive inputs."""

import collections
import functools

import numpy as np

from tests.realworld.library import tf


def pipeline_bert_records():
    """TFRecords of ids written with an ordered dict of features, decoded with int64 cast to int32."""

    def create_int_feature(values):
        return tf.train.Feature(int64_list=tf.train.Int64List(value=list(values)))

    path = "train.tf_record"
    writer = tf.io.TFRecordWriter(path)
    rng = np.random.RandomState(12)
    for index in range(9):
        features = collections.OrderedDict()
        features["input_ids"] = create_int_feature(rng.randint(0, 300, 8))
        features["input_mask"] = create_int_feature([1] * (index % 8 + 1) + [0] * (7 - index % 8))
        features["segment_ids"] = create_int_feature([0] * 8)
        features["label_ids"] = create_int_feature([index % 3])
        features["is_real_example"] = create_int_feature([int(index != 4)])
        tf_example = tf.train.Example(features=tf.train.Features(feature=features))
        writer.write(tf_example.SerializeToString())
    writer.close()

    name_to_features = {
        "input_ids": tf.io.FixedLenFeature([8], tf.int64),
        "input_mask": tf.io.FixedLenFeature([8], tf.int64),
        "segment_ids": tf.io.FixedLenFeature([8], tf.int64),
        "label_ids": tf.io.FixedLenFeature([], tf.int64),
        "is_real_example": tf.io.FixedLenFeature([], tf.int64),
    }

    def _decode_record(record, name_to_features):
        example = tf.io.parse_single_example(record, name_to_features)
        for name in list(example.keys()):
            t = example[name]
            if t.dtype == tf.int64:
                t = tf.cast(t, tf.int32)
            example[name] = t
        return example

    def input_fn(params):
        d = tf.data.TFRecordDataset(path)
        d = d.shuffle(buffer_size=100, seed=11)
        d = d.map(lambda record: _decode_record(record, name_to_features))
        d = d.filter(lambda example: tf.equal(example["is_real_example"], 1))
        d = d.batch(batch_size=params["batch_size"], drop_remainder=False)

        def select(record):
            x = {
                "input_word_ids": record["input_ids"],
                "input_mask": record["input_mask"],
                "input_type_ids": record["segment_ids"],
            }
            return (x, record["label_ids"])

        return d.map(select)

    return input_fn({"batch_size": 4})


def pipeline_bert_records_v1_map_and_batch():
    """Pretraining input of the first BERT: parallel_interleave and map_and_batch over shards."""
    for shard in range(3):
        with tf.io.TFRecordWriter(f"pretrain_{shard}.tfrecord") as writer:
            for n in range(4):
                example = tf.train.Example()
                example.features.feature["input_ids"].int64_list.value.extend([shard * 10 + n] * 5)
                example.features.feature["masked_lm_weights"].float_list.value.extend([1.0, n / 2])
                writer.write(example.SerializeToString())
    input_files = sorted(tf.io.gfile.glob("pretrain_*.tfrecord"))
    d = tf.data.Dataset.from_tensor_slices(tf.constant(input_files))
    d = d.apply(
        tf.data.experimental.parallel_interleave(
            tf.data.TFRecordDataset, sloppy=False, cycle_length=2
        )
    )
    features = {
        "input_ids": tf.io.FixedLenFeature([5], tf.int64),
        "masked_lm_weights": tf.io.FixedLenFeature([2], tf.float32),
    }
    return d.apply(
        tf.data.experimental.map_and_batch(
            lambda record: tf.io.parse_single_example(record, features),
            batch_size=5,
            num_parallel_batches=2,
            drop_remainder=True,
        )
    )


def pipeline_masked_language_model():
    """Masking as in masked-language-model examples: labels, weights, NumPy under numpy_function."""
    mask_id, vocab_size = 99, 100
    ids = np.random.RandomState(3).randint(3, 98, (12, 16))
    ids[:, 12:] = 0

    def get_masked_input_and_labels(encoded_texts):
        rng = np.random.RandomState(int(encoded_texts.sum()) % 1000)
        inp_mask = rng.rand(*encoded_texts.shape) < 0.3
        inp_mask[encoded_texts <= 2] = False
        labels = -1 * np.ones(encoded_texts.shape, dtype=np.int64)
        labels[inp_mask] = encoded_texts[inp_mask]
        encoded_texts_masked = np.copy(encoded_texts)
        inp_mask_2mask = inp_mask & (rng.rand(*encoded_texts.shape) < 0.9)
        encoded_texts_masked[inp_mask_2mask] = mask_id
        sample_weights = np.ones(labels.shape)
        sample_weights[labels == -1] = 0
        return encoded_texts_masked, np.copy(encoded_texts), sample_weights

    x, y, weights = get_masked_input_and_labels(ids)
    first = tf.data.Dataset.from_tensor_slices((x, y, weights)).shuffle(1000, seed=1).batch(5)

    def masking(row):
        return tf.numpy_function(
            get_masked_input_and_labels, [row], [tf.int64, tf.int64, tf.float64]
        )

    second = tf.data.Dataset.from_tensor_slices(ids).batch(4).map(masking)
    return [first, second]


def pipeline_masked_positions_by_gather():
    """ELECTRA-like: candidate positions, top_k of seeded scores, scatter_nd back into the ids."""
    ids = np.random.RandomState(5).randint(4, 60, (6, 10)).astype(np.int32)
    ids[:, 0], ids[:, 8:] = 1, 0
    dataset = tf.data.Dataset.from_tensor_slices(ids)

    def mask(input_ids):
        candidates = tf.logical_and(tf.not_equal(input_ids, 0), tf.not_equal(input_ids, 1))
        scores = tf.where(candidates, tf.cast((input_ids * 37) % 23, tf.float32), -1.0)
        _, positions = tf.math.top_k(scores, k=2)
        positions = tf.sort(positions)
        masked_ids = tf.gather(input_ids, positions)
        updates = tf.fill([2], 3)
        masked = tf.tensor_scatter_nd_update(input_ids, positions[:, tf.newaxis], updates)
        flags = tf.scatter_nd(tf.expand_dims(positions, -1), tf.ones_like(positions), [10])
        return {
            "input_ids": masked,
            "masked_lm_positions": positions,
            "masked_lm_ids": masked_ids,
            "is_masked": tf.cast(flags, tf.bool),
            "input_mask": tf.cast(
                tf.sequence_mask(tf.reduce_sum(tf.cast(input_ids > 0, tf.int32)), 10), tf.int32
            ),
        }

    return dataset.map(mask, num_parallel_calls=4).batch(4)


def _token_dataset(seed, n, keys=("inputs", "targets")):
    rng = np.random.RandomState(seed)
    rows = [
        {k: rng.randint(1, 40, rng.randint(1, 7)).astype(np.int32) for k in keys} for _ in range(n)
    ]
    spec = {k: tf.TensorSpec([None], tf.int32) for k in keys}
    return tf.data.Dataset.from_generator(lambda: iter(rows), output_signature=spec)


def pipeline_trim_and_pad():
    """Features trimmed and padded to their lengths by a function over keys, shapes set."""
    feature_lengths = {"inputs": 5, "targets": 3}

    def _trim_and_pad(k, t):
        if k not in feature_lengths:
            return t
        length_k = feature_lengths[k]
        t = t[:length_k]
        pad_amt = length_k - tf.shape(t)[0]
        padded_t = tf.pad(t, [(0, pad_amt)] + [(0, 0)] * (len(t.shape) - 1))
        padded_t.set_shape([length_k] + t.shape.as_list()[1:])
        return padded_t

    dataset = _token_dataset(1, 6, ("inputs", "targets", "rest"))
    dataset = dataset.map(
        lambda x: {k: _trim_and_pad(k, t) for k, t in x.items()},
        num_parallel_calls=tf.data.experimental.AUTOTUNE,
    )
    return [dataset, {k: str(s.shape) for k, s in dataset.element_spec.items()}]


def pipeline_pack_examples():
    """Several examples packed into one with TensorArrays in a loop over the batch."""
    lengths = {"inputs": 10, "targets": 10}
    dataset = _token_dataset(2, 11)
    for key in lengths:
        assert dataset.element_spec[key].shape.is_compatible_with(tf.TensorShape([None]))
        assert dataset.element_spec[key].dtype.is_integer
    batched = dataset.map(lambda x: {k: x[k][:l, ...] for k, l in lengths.items()}).padded_batch(
        max(lengths.values()), padded_shapes={k: [-1] for k in lengths}
    )
    empty = {}
    for key in lengths:
        for suffix in ("", "_positions"):
            empty[key + suffix] = tf.zeros([0], dtype=tf.int32)
            empty[key + suffix].set_shape([None])
    names = empty.keys()

    def _flush(partial, outputs):
        new_outputs = {}
        for name in names:
            room = lengths[name.replace("_positions", "")]
            padded = tf.pad(partial[name], [[0, room - tf.size(partial[name])]])
            new_outputs[name] = outputs[name].write(outputs[name].size(), padded)
        return empty.copy(), new_outputs

    def pack_batch(x):
        partial = empty.copy()
        outputs = {
            name: tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=[10])
            for name in names
        }
        for i in tf.range(0, tf.shape(x["inputs"])[0]):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[
                    (partial, {k: tf.TensorShape([None]) for k in names}),
                    (outputs, {k: tf.TensorShape(None) for k in names}),
                ]
            )
            can_append = True
            one = {}
            for key in lengths:
                val = tf.cast(x[key][i], tf.int32)
                one[key] = val[: tf.reduce_sum(tf.cast(tf.not_equal(val, 0), tf.int32))]
            for key in lengths:
                fits = tf.less_equal(tf.size(partial[key]) + tf.size(one[key]), lengths[key])
                can_append = tf.logical_and(can_append, fits)
            if not can_append:
                partial, outputs = _flush(partial, outputs)
            grown = {}
            for key in lengths:
                seq = one[key][: lengths[key]]
                grown[key] = tf.concat([partial[key], seq], 0)
                grown[key + "_positions"] = tf.concat(
                    [partial[key + "_positions"], tf.range(tf.size(seq), dtype=tf.int32)], 0
                )
            partial = grown
        _, outputs = _flush(partial, outputs)
        packed = {name: outputs[name].stack() for name in names}
        for key in lengths:
            starts = tf.cast(tf.equal(packed[key + "_positions"], 0), tf.int32)
            packed[key + "_segment_ids"] = tf.cumsum(starts, axis=1) * tf.cast(
                tf.not_equal(packed[key], 0), tf.int32
            )
        return packed

    def _set_shape(x):
        for k, v in x.items():
            v.set_shape([10] + list(v.get_shape()[1:]))
        return x

    return batched.map(pack_batch, num_parallel_calls=tf.data.AUTOTUNE).unbatch().map(_set_shape)


def pipeline_autoregressive_inputs():
    """Targets shifted right by one with roll and a one_hot mask; first ids by segment."""

    def shift_right(tensor, bos_id=0):
        if not (tensor.dtype.is_integer or tensor.dtype.is_floating):
            raise ValueError(f"numbers only, got {tensor.dtype}")
        rolled = tf.roll(tensor, shift=1, axis=0)
        depth = tf.shape(tensor)[0]
        mask = tf.one_hot(0, depth=depth, on_value=0, off_value=1, dtype=tensor.dtype)
        mask = mask[[slice(None, None)] + [None] * (len(rolled.shape) - 1)]
        return rolled * mask + (1 - mask) * bos_id

    targets = np.array([[3, 8, 1, 9, 1, 5, 4, 1, 0, 0], [7, 2, 1, 4, 4, 4, 1, 0, 0, 0]], np.int32)
    segments = np.array([[1, 1, 1, 2, 2, 3, 3, 3, 0, 0], [1, 1, 1, 2, 2, 2, 2, 0, 0, 0]], np.int32)
    ds = tf.data.Dataset.from_tensor_slices({"targets": targets, "segment_ids": segments})

    def convert(features):
        inputs = shift_right(features["targets"])
        not_first = tf.equal(features["segment_ids"], shift_right(features["segment_ids"]))
        inputs = inputs * tf.cast(not_first, inputs.dtype)
        return {
            "decoder_target_tokens": features["targets"],
            "decoder_input_tokens": inputs,
            "decoder_loss_weights": tf.cast(tf.not_equal(features["targets"], 0), tf.int32),
        }

    return ds.map(convert)


def pipeline_append_end_of_sequence():
    """EOS appended to dense, ragged and trimmed features with concat, fill and pad of the last axis."""

    def append_to_innermost(tensor, scalar):
        if isinstance(tensor, tf.RaggedTensor):
            if tensor.shape.rank > 2:
                return tensor.with_values(append_to_innermost(tensor.values, scalar))
            return tf.concat([tensor, tf.fill([tensor.nrows(), 1], scalar)], axis=1)
        ndims = tf.rank(tensor)
        paddings = tf.concat(
            [tf.zeros((ndims - 1, 2), dtype=tf.int32), tf.constant([[0, 1]])], axis=0
        )
        return tf.pad(tensor, paddings=paddings, constant_values=scalar)

    rows = tf.ragged.constant([[[1, 2], [3]], [[4, 5, 6]], [[7], [8], [9, 9]]], dtype=tf.int32)
    ds = tf.data.Dataset.from_tensor_slices(
        {"ragged": rows, "dense": np.arange(12, dtype=np.int32).reshape(3, 4)}
    )
    return ds.map(
        lambda ex: {
            "ragged": append_to_innermost(ex["ragged"], -1),
            "dense": append_to_innermost(ex["dense"], -1),
            "trimmed": append_to_innermost(ex["dense"][..., : 3 - 1], 1),
        }
    )


def pipeline_text_to_text():
    """Question and context joined into prefixed strings with a regex, several answers flattened."""
    records = {
        "question": ["what color?", "who ran ?", "why not"],
        "context": ["The sky-line is (dark) blue.", "Ann ran.", "…because"],
        "answers": tf.ragged.constant([["blue", "dark blue"], ["Ann"], []], dtype=tf.string),
    }

    def pad_punctuation(text):
        text = tf.strings.regex_replace(text, r"([[:punct:]])", r" \1 ")
        return tf.strings.regex_replace(text, r"\s+", " ")

    def preprocess(x):
        joined = tf.strings.join(
            [
                "question:",
                pad_punctuation(x["question"]),
                "context:",
                pad_punctuation(x["context"]),
            ],
            separator=" ",
        )
        answers = x["answers"]
        target = tf.cond(tf.size(answers) > 0, lambda: answers[0], lambda: tf.constant("none"))
        return {"inputs": joined, "targets": target, "n": tf.shape(answers)[0]}

    ds = tf.data.Dataset.from_tensor_slices(records)
    return ds.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)


def pipeline_noise_spans_to_sentinels():
    """T5's span corruption with a fixed noise mask: sentinels counted by cumsum, boolean_mask."""
    tokens = np.random.RandomState(6).randint(10, 90, (4, 14)).astype(np.int32)
    noise = np.random.RandomState(7).rand(4, 14) < 0.35

    def to_unique_sentinel(tokens, noise_mask, first_sentinel=100):
        prev_token_is_noise = tf.pad(noise_mask[:-1], [[1, 0]])
        first_noise_tokens = tf.logical_and(noise_mask, tf.logical_not(prev_token_is_noise))
        subsequent_noise_tokens = tf.logical_and(noise_mask, prev_token_is_noise)
        sentinel = first_sentinel - tf.cumsum(tf.cast(first_noise_tokens, tokens.dtype))
        tokens = tf.where(first_noise_tokens, sentinel, tokens)
        return tf.boolean_mask(tokens, tf.logical_not(subsequent_noise_tokens))

    ds = tf.data.Dataset.zip(
        (tf.data.Dataset.from_tensor_slices(tokens), tf.data.Dataset.from_tensor_slices(noise))
    )
    ds = ds.map(
        lambda t, m: {
            "inputs": to_unique_sentinel(t, m),
            "targets": to_unique_sentinel(t, tf.logical_not(m)),
        }
    )
    return ds.padded_batch(2)


def pipeline_split_tokens_into_chunks():
    """Documents concatenated by reduce_concat and split into chunks of a length, unbatched."""
    ds = _token_dataset(9, 10, ("targets",))

    def my_fn(x):
        tokens = x["targets"]
        n_tokens = tf.size(tokens)
        num_segments = tf.cast(
            tf.math.ceil(tf.cast(n_tokens, tf.float32) / tf.cast(5, tf.float32)), tf.int32
        )
        padding = num_segments * 5 - tf.size(tokens)
        tokens = tf.pad(tokens, [[0, padding]])
        orig_lengths = tf.concat([tf.repeat(5, num_segments - 1), [5 - padding]], axis=0)
        return {"targets": tf.reshape(tokens, [-1, 5]), "length": orig_lengths}

    def strip_padding(x):
        return {"targets": x["targets"][: x["length"]]}

    ds = ds.padded_batch(4, padded_shapes={"targets": [-1]})

    def concat(x):
        flat = tf.reshape(x["targets"], [-1])
        return {"targets": tf.boolean_mask(flat, tf.cast(flat, tf.bool))}

    return ds.map(concat).map(my_fn).unbatch().map(strip_padding)


def pipeline_position_ids_and_segments():
    """GPT-like blocks: cumulative sums of end marks give segments, a causal mask by broadcasting."""
    stream = np.random.RandomState(8).randint(0, 9, 64).astype(np.int32)
    ds = tf.data.Dataset.from_tensor_slices(stream).batch(16, drop_remainder=True)

    def build(block):
        is_end = tf.cast(tf.equal(block, 0), tf.int32)
        segment = tf.math.cumsum(is_end, exclusive=True)
        same = tf.equal(segment[:, None], segment[None, :])
        i = tf.range(16)[:, tf.newaxis]
        j = tf.range(16)
        causal = i >= j
        mask = tf.cast(tf.logical_and(same, causal), tf.float32)
        weights = tf.where(block == 0, tf.zeros_like(block), tf.ones_like(block))
        return {"tokens": block, "segments": segment, "mask": mask, "weights": weights}

    return ds.map(build).batch(2)


def pipeline_squad_like_features():
    """Parsing with partial'd functions and a window of (start, end) positions clipped."""

    def serialize(i):
        feature = {
            "unique_ids": tf.train.Feature(int64_list=tf.train.Int64List(value=[1000 + i])),
            "input_ids": tf.train.Feature(int64_list=tf.train.Int64List(value=range(i, i + 6))),
            "start_positions": tf.train.Feature(int64_list=tf.train.Int64List(value=[i % 8])),
        }
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()

    path = "squad.tf_record"
    with tf.io.TFRecordWriter(path) as writer:
        for i in range(7):
            writer.write(serialize(i))

    def single_file_dataset(input_file, name_to_features):
        d = tf.data.TFRecordDataset(input_file)
        return d.map(
            lambda record: tf.io.parse_single_example(record, name_to_features),
            num_parallel_calls=tf.data.experimental.AUTOTUNE,
        )

    dataset = single_file_dataset(
        path,
        {
            "unique_ids": tf.io.FixedLenFeature([], tf.int64),
            "input_ids": tf.io.FixedLenFeature([6], tf.int64),
            "start_positions": tf.io.FixedLenFeature([], tf.int64),
        },
    )

    def _select_data_from_record(record, vocab=50):
        x, y = {}, {}
        for name, tensor in record.items():
            if name == "start_positions":
                y[name] = tf.clip_by_value(tensor, 0, 5)
            elif name == "input_ids":
                x["input_word_ids"] = tensor
            else:
                x[name] = tensor
        return (x, y)

    dataset = dataset.map(functools.partial(_select_data_from_record, vocab=10))
    return dataset.shuffle(100, seed=0).repeat(2).batch(4, drop_remainder=True).prefetch(1024)
