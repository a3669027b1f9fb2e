"""Records of images with annotations, volumes, videos and captions, written and read back."""

import json
import os
from collections import namedtuple

import numpy as np

from tests.realworld.inputs import jpeg, picture, write, write_png
from tests.realworld.library import tf

AUTOTUNE = tf.data.AUTOTUNE


def image_feature(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[tf.io.encode_jpeg(value).numpy()]))


def bytes_feature(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value.encode()]))


def float_feature_list(value):
    return tf.train.Feature(float_list=tf.train.FloatList(value=value))


def int64_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


def create_example(image, path, example):
    feature = {
        "image": image_feature(image),
        "path": bytes_feature(path),
        "area": tf.train.Feature(float_list=tf.train.FloatList(value=[example["area"]])),
        "bbox": float_feature_list(example["bbox"]),
        "category_id": int64_feature(example["category_id"]),
        "id": int64_feature(example["id"]),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature))


def parse_tfrecord_fn(example):
    feature_description = {
        "image": tf.io.FixedLenFeature([], tf.string),
        "path": tf.io.FixedLenFeature([], tf.string),
        "area": tf.io.FixedLenFeature([], tf.float32),
        "bbox": tf.io.VarLenFeature(tf.float32),
        "category_id": tf.io.FixedLenFeature([], tf.int64),
        "id": tf.io.FixedLenFeature([], tf.int64),
    }
    example = tf.io.parse_single_example(example, feature_description)
    example["image"] = tf.io.decode_jpeg(example["image"], channels=3)
    example["bbox"] = tf.sparse.to_dense(example["bbox"])
    return example


def pipeline_annotations_to_shards():
    annotations = []
    for i in range(5):
        write("coco/{:02d}.jpg".format(i), jpeg(["s420", "s444", "gray"][i % 3]))
        annotations.append(
            {
                "image_id": i,
                "id": 100 + i,
                "area": 2.5 * i,
                "bbox": [i, 1.5, 3, 4],
                "category_id": i,
            }
        )
    write("instances.json", json.dumps({"annotations": annotations}))
    with open("instances.json") as f:
        annotations = json.load(f)["annotations"]

    num_samples = 2
    num_tfrecords = len(annotations) // num_samples
    if len(annotations) % num_samples:
        num_tfrecords += 1
    if not os.path.exists("tfrecords"):
        os.makedirs("tfrecords")
    for tfrec_num in range(num_tfrecords):
        samples = annotations[(tfrec_num * num_samples) : ((tfrec_num + 1) * num_samples)]
        name = "tfrecords/file_%.2i-%i.tfrec" % (tfrec_num, len(samples))
        with tf.io.TFRecordWriter(name) as writer:
            for sample in samples:
                image_path = f"coco/{sample['image_id']:02d}.jpg"
                image = tf.io.decode_jpeg(tf.io.read_file(image_path))
                example = create_example(image, image_path, sample)
                writer.write(example.SerializeToString())

    raw_dataset = tf.data.TFRecordDataset("tfrecords/file_00-2.tfrec")
    parsed_dataset = raw_dataset.map(parse_tfrecord_fn)
    lines = []
    for features in parsed_dataset.take(1):
        for key in sorted(features.keys()):
            if key != "image":
                lines.append(f"{key}: {features[key]}")
        lines.append(f"Image shape: {features['image'].shape}")

    def prepare_sample(features):
        image = tf.image.resize(features["image"], size=(6, 6))
        return image, tf.shape(features["image"]), features["category_id"]

    filenames = tf.io.gfile.glob("tfrecords/*.tfrec")
    dataset = (
        tf.data.TFRecordDataset(sorted(filenames), num_parallel_reads=1)
        .map(parse_tfrecord_fn, num_parallel_calls=AUTOTUNE)
        .map(prepare_sample, num_parallel_calls=AUTOTUNE)
        .batch(2)
        .prefetch(AUTOTUNE)
    )
    return {"lines": lines, "ds": dataset, "files": len(filenames)}


def pipeline_volumes():
    rng = np.random.default_rng(12)
    names = ["flair", "t1", "label"]
    with tf.io.TFRecordWriter("scans.tfrecord", options=tf.io.TFRecordOptions("GZIP")) as writer:
        for i in range(3):
            feature = {}
            for name in names:
                volume = rng.integers(0, 4, (4, 3, 2 + i)).astype(np.float32)
                feature[f"{name}_raw"] = tf.train.Feature(
                    bytes_list=tf.train.BytesList(value=[volume.tobytes()])
                )
                feature[f"{name}_shape"] = tf.train.Feature(
                    int64_list=tf.train.Int64List(value=volume.shape)
                )
            feature["affine"] = float_feature_list(np.eye(4).flatten())
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())

    def parse(example_proto):
        description = {"affine": tf.io.FixedLenFeature([16], tf.float32)}
        for name in names:
            description[f"{name}_raw"] = tf.io.FixedLenFeature([], tf.string)
            description[f"{name}_shape"] = tf.io.FixedLenFeature([3], tf.int64)
        example = tf.io.parse_single_example(example_proto, description)
        volumes = {}
        for name in names:
            flat = tf.io.decode_raw(example[f"{name}_raw"], tf.float32)
            volumes[name] = tf.reshape(flat, example[f"{name}_shape"])
        image = tf.stack([volumes["flair"], volumes["t1"]], axis=-1)
        label = volumes["label"][..., None]
        affine = tf.reshape(example["affine"], [4, 4])
        cols = tf.gather(affine, [2, 1, 0], axis=1)
        affine = tf.concat([cols, affine[:, 3:]], axis=1)
        return {"image": image, "label": label, "affine": affine}

    def remap(sample):
        label = sample["label"]
        tc = tf.logical_or(tf.equal(label, 1), tf.equal(label, 3))
        wt = tf.logical_or(tc, tf.equal(label, 2))
        stacked = tf.stack([tf.cast(tc, tf.float32), tf.cast(wt, tf.float32)], axis=-1)
        sample["label"] = tf.squeeze(stacked, axis=-2)
        mask = tf.not_equal(sample["image"], 0)
        values = tf.boolean_mask(sample["image"], mask)
        mean, variance = tf.reduce_mean(values), tf.math.reduce_variance(values)
        normed = (sample["image"] - mean) / tf.sqrt(variance + 1e-6)
        sample["image"] = tf.where(mask, normed, sample["image"])
        return sample

    ds = tf.data.TFRecordDataset("scans.tfrecord", compression_type="GZIP")
    ds = ds.map(parse, num_parallel_calls=AUTOTUNE).map(remap, num_parallel_calls=AUTOTUNE)
    return ds.padded_batch(2)


def pipeline_sequence_examples_of_frames():
    with tf.io.TFRecordWriter("clips.tfrecord") as writer:
        for i in range(4):
            frames = [tf.io.encode_png(picture(10 * i + k, 5, 5)).numpy() for k in range(2 + i)]
            lists = {
                "image/encoded": tf.train.FeatureList(
                    feature=[
                        tf.train.Feature(bytes_list=tf.train.BytesList(value=[f])) for f in frames
                    ]
                )
            }
            context = tf.train.Features(
                feature={"clip/label/index": int64_feature(i), "clip/name": bytes_feature(f"c{i}")}
            )
            example = tf.train.SequenceExample(
                context=context, feature_lists=tf.train.FeatureLists(feature_list=lists)
            )
            writer.write(example.SerializeToString())

    def parse(serialized):
        context, sequences = tf.io.parse_single_sequence_example(
            serialized,
            context_features={
                "clip/label/index": tf.io.FixedLenFeature([], tf.int64),
                "clip/name": tf.io.FixedLenFeature([], tf.string, default_value=""),
            },
            sequence_features={"image/encoded": tf.io.FixedLenSequenceFeature([], tf.string)},
        )
        frames = sequences["image/encoded"]
        num_frames = tf.shape(frames)[0]
        indices = tf.cast(tf.linspace(0.0, tf.cast(num_frames - 1, tf.float32), 3), tf.int32)
        frames = tf.gather(frames, indices)
        images = tf.map_fn(
            lambda x: tf.io.decode_png(x, channels=3), frames, fn_output_signature=tf.uint8
        )
        images = tf.image.convert_image_dtype(images, tf.float32)
        images.set_shape((3, None, None, 3))
        label = tf.one_hot(context["clip/label/index"], 4)
        return tf.image.resize(images, (4, 4)), label, context["clip/name"]

    return tf.data.TFRecordDataset("clips.tfrecord").map(parse).batch(2, drop_remainder=True)


def pipeline_captions_with_pop():
    feature_description = {
        "caption": tf.io.FixedLenFeature([], tf.string),
        "raw_image": tf.io.FixedLenFeature([], tf.string),
    }

    def write_tfrecords(file_name, image_paths, captions):
        with tf.io.TFRecordWriter(file_name) as writer:
            for image_path, caption in zip(image_paths, captions):
                feature = {
                    "caption": bytes_feature(caption),
                    "raw_image": tf.train.Feature(
                        bytes_list=tf.train.BytesList(value=[tf.io.read_file(image_path).numpy()])
                    ),
                }
                example = tf.train.Example(features=tf.train.Features(feature=feature))
                writer.write(example.SerializeToString())

    paths = [write_png(f"images/{i}.png", picture(i)) for i in range(4)]
    captions = ["a dog", "zwei Hühner", "", "three men on a bench"]
    for n in range(2):
        write_tfrecords(f"train-{n:02d}.tfrecord", paths[n::2], captions[n::2])

    def read_example(example):
        features = tf.io.parse_single_example(example, feature_description)
        raw_image = features.pop("raw_image")
        features["image"] = tf.image.resize(
            tf.image.decode_jpeg(raw_image, channels=3), size=(5, 5)
        )
        return features

    files = tf.data.Dataset.list_files("train-*.tfrecord", shuffle=False)
    ds = tf.data.TFRecordDataset(files).map(read_example, num_parallel_calls=AUTOTUNE)
    texts = [e["caption"].numpy().decode("utf-8") for e in ds]
    return {"ds": ds.shuffle(40, seed=1).prefetch(AUTOTUNE).batch(3), "texts": texts}


Sample = namedtuple("Sample", ["image", "mask", "id"])


def pipeline_serialized_tensors():
    with tf.io.TFRecordWriter("tensors.tfrecord") as writer:
        for i in range(3):
            image = tf.io.serialize_tensor(tf.constant(picture(i, 3, 4 + i)))
            mask = tf.io.serialize_tensor(picture(i, 3, 4 + i, 1) > 100)
            feature = {
                "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image.numpy()])),
                "mask": tf.train.Feature(bytes_list=tf.train.BytesList(value=[mask.numpy()])),
                "id": bytes_feature(f"sample_{i}"),
            }
            writer.write(
                tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
            )

    def parse(raw):
        parsed = tf.io.parse_single_example(
            raw, {k: tf.io.FixedLenFeature([], tf.string) for k in ("image", "mask", "id")}
        )
        image = tf.ensure_shape(tf.io.parse_tensor(parsed["image"], tf.uint8), (3, None, 3))
        mask = tf.io.parse_tensor(parsed["mask"], out_type=tf.bool)
        mask.set_shape([3, None])
        return Sample(image=image, mask=mask, id=parsed["id"])

    ds = tf.data.TFRecordDataset("tensors.tfrecord").map(parse)
    covered = [float(tf.reduce_mean(tf.cast(sample.mask, tf.float32))) for sample in ds]
    return {"ds": ds.padded_batch(3), "covered": covered}
