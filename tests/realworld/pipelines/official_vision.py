"""Code bases of vision: parsers, readers, registries of operations, policies of augmentation."""

import dataclasses
import functools
import math
from importlib.util import find_spec

import numpy as np

from tests.realworld.inputs import jpeg, picture
from tests.realworld.library import tf
from tests.realworld.pipeline import drawn, missing

MEAN_RGB = [0.485 * 255, 0.456 * 255, 0.406 * 255]
STDDEV_RGB = [0.229 * 255, 0.224 * 255, 0.225 * 255]
CROP_PADDING = 4
IMAGE_SIZE = 8
NUM_CHANNELS = 3


def write_imagenet(shards=2, each=3):
    names = ["s420", "s444", "gray", "s422"]
    for shard in range(shards):
        with tf.io.TFRecordWriter(f"train-{shard:05d}-of-{shards:05d}") as writer:
            for i in range(each):
                feature = {
                    "image/encoded": tf.train.Feature(
                        bytes_list=tf.train.BytesList(value=[jpeg(names[(shard + i) % 4])])
                    ),
                    "image/class/label": tf.train.Feature(
                        int64_list=tf.train.Int64List(value=[10 * shard + i + 1])
                    ),
                    "image/object/bbox/xmin": tf.train.Feature(
                        float_list=tf.train.FloatList(value=[0.1] * (i % 2))
                    ),
                }
                for side, value in (("ymin", 0.2), ("xmax", 0.8), ("ymax", 0.9)):
                    feature[f"image/object/bbox/{side}"] = tf.train.Feature(
                        float_list=tf.train.FloatList(value=[value] * (i % 2))
                    )
                example = tf.train.Example(features=tf.train.Features(feature=feature))
                writer.write(example.SerializeToString())


# ---- ResNet as MLPerf and TensorFlow's models read it -----------------------------------


def _parse_example_proto(example_serialized):
    feature_map = {
        "image/encoded": tf.io.FixedLenFeature([], dtype=tf.string, default_value=""),
        "image/class/label": tf.io.FixedLenFeature([], dtype=tf.int64, default_value=-1),
        "image/class/text": tf.io.FixedLenFeature([], dtype=tf.string, default_value=""),
    }
    sparse_float32 = tf.io.VarLenFeature(dtype=tf.float32)
    feature_map.update(
        {
            k: sparse_float32
            for k in [
                "image/object/bbox/xmin",
                "image/object/bbox/ymin",
                "image/object/bbox/xmax",
                "image/object/bbox/ymax",
            ]
        }
    )
    features = tf.io.parse_single_example(serialized=example_serialized, features=feature_map)
    label = tf.cast(features["image/class/label"], dtype=tf.int32)
    xmin = tf.expand_dims(features["image/object/bbox/xmin"].values, 0)
    ymin = tf.expand_dims(features["image/object/bbox/ymin"].values, 0)
    xmax = tf.expand_dims(features["image/object/bbox/xmax"].values, 0)
    ymax = tf.expand_dims(features["image/object/bbox/ymax"].values, 0)
    bbox = tf.concat([ymin, xmin, ymax, xmax], 0)
    bbox = tf.expand_dims(bbox, 0)
    bbox = tf.transpose(a=bbox, perm=[0, 2, 1])
    return features["image/encoded"], label, bbox


def _decode_crop_and_flip(image_buffer, bbox, num_channels):
    sample = tf.image.sample_distorted_bounding_box(
        tf.image.extract_jpeg_shape(image_buffer),
        bounding_boxes=bbox,
        min_object_covered=0.1,
        aspect_ratio_range=[0.75, 1.33],
        area_range=[0.05, 1.0],
        max_attempts=100,
        use_image_if_no_bounding_boxes=True,
    )
    bbox_begin, bbox_size, _ = sample
    offset_y, offset_x, _ = tf.unstack(bbox_begin)
    target_height, target_width, _ = tf.unstack(bbox_size)
    crop_window = tf.stack([offset_y, offset_x, target_height, target_width])
    cropped = tf.image.decode_and_crop_jpeg(image_buffer, crop_window, channels=num_channels)
    return tf.image.random_flip_left_right(cropped)


def _central_crop(image, crop_height, crop_width):
    shape = tf.shape(input=image)
    height, width = shape[0], shape[1]
    amount_to_be_cropped_h = height - crop_height
    crop_top = amount_to_be_cropped_h // 2
    amount_to_be_cropped_w = width - crop_width
    crop_left = amount_to_be_cropped_w // 2
    return tf.slice(image, [crop_top, crop_left, 0], [crop_height, crop_width, -1])


def _mean_image_subtraction(image, means, num_channels):
    if image.get_shape().ndims != 3:
        raise ValueError("Input must be of size [height, width, C>0]")
    if len(means) != num_channels:
        raise ValueError("len(means) must match the number of channels")
    means = tf.broadcast_to(means, tf.shape(image))
    return image - means


def _aspect_preserving_resize(image, resize_min):
    shape = tf.shape(input=image)
    height, width = shape[0], shape[1]
    resize_min = tf.cast(resize_min, tf.float32)
    height, width = tf.cast(height, tf.float32), tf.cast(width, tf.float32)
    smaller_dim = tf.minimum(height, width)
    scale_ratio = resize_min / smaller_dim
    new_height = tf.cast(height * scale_ratio, tf.int32)
    new_width = tf.cast(width * scale_ratio, tf.int32)
    return tf.compat.v1.image.resize(
        image,
        [new_height, new_width],
        method=tf.image.ResizeMethod.BILINEAR,
        align_corners=False,
    )


def preprocess_image(image_buffer, bbox, is_training=False):
    if is_training:
        image = _decode_crop_and_flip(image_buffer, bbox, NUM_CHANNELS)
        image = tf.compat.v1.image.resize(
            image,
            [IMAGE_SIZE, IMAGE_SIZE],
            method=tf.image.ResizeMethod.BILINEAR,
            align_corners=False,
        )
    else:
        image = tf.image.decode_jpeg(image_buffer, channels=NUM_CHANNELS)
        image = _aspect_preserving_resize(image, IMAGE_SIZE + 2)
        image = _central_crop(image, IMAGE_SIZE, IMAGE_SIZE)
    image.set_shape([IMAGE_SIZE, IMAGE_SIZE, NUM_CHANNELS])
    return _mean_image_subtraction(image, [123.68, 116.78, 103.94], NUM_CHANNELS)


def parse_record(raw_record, is_training, dtype):
    image_buffer, label, bbox = _parse_example_proto(raw_record)
    image = preprocess_image(image_buffer, bbox, is_training)
    image = tf.cast(image, dtype)
    label = tf.cast(tf.cast(tf.reshape(label, shape=[1]), dtype=tf.int32) - 1, dtype=tf.float32)
    return image, label


def process_record_dataset(
    dataset,
    is_training,
    batch_size,
    shuffle_buffer,
    parse_record_fn,
    dtype=tf.float32,
    drop_remainder=False,
):
    if is_training:
        dataset = dataset.shuffle(buffer_size=shuffle_buffer)
        dataset = dataset.repeat()
    dataset = dataset.map(
        lambda value: parse_record_fn(value, is_training, dtype),
        num_parallel_calls=tf.data.experimental.AUTOTUNE,
    )
    dataset = dataset.batch(batch_size, drop_remainder=drop_remainder)
    return dataset.prefetch(buffer_size=tf.data.experimental.AUTOTUNE)


def resnet_input_fn(is_training, batch_size, input_context=None, drop_remainder=False):
    filenames = [f"train-{i:05d}-of-00002" for i in range(2)]
    dataset = tf.data.Dataset.from_tensor_slices(filenames)
    if input_context:
        dataset = dataset.shard(input_context.num_input_pipelines, input_context.input_pipeline_id)
    if is_training:
        dataset = dataset.shuffle(buffer_size=2)
    dataset = dataset.interleave(
        tf.data.TFRecordDataset,
        cycle_length=2,
        num_parallel_calls=tf.data.experimental.AUTOTUNE,
    )
    if is_training:
        dataset = dataset.cache()
    return process_record_dataset(
        dataset,
        is_training,
        batch_size,
        shuffle_buffer=100,
        parse_record_fn=parse_record,
        drop_remainder=drop_remainder,
    )


def pipeline_resnet():
    write_imagenet()
    context = tf.distribute.InputContext(num_input_pipelines=2, input_pipeline_id=1)
    return {
        "eval": resnet_input_fn(False, 2),
        "train": drawn(resnet_input_fn(True, 2, drop_remainder=True).take(2), -130, 300),
        "second host": resnet_input_fn(False, 2, context),
        "per replica": context.get_per_replica_batch_size(32),
    }


# ---- EfficientNet's eval crop, as flax's example has it ----------------------------------


def _decode_and_center_crop(image_bytes, image_size=IMAGE_SIZE):
    shape = tf.io.extract_jpeg_shape(image_bytes)
    image_height, image_width = shape[0], shape[1]
    padded_center_crop_size = tf.cast(
        (
            (image_size / (image_size + CROP_PADDING))
            * tf.cast(tf.minimum(image_height, image_width), tf.float32)
        ),
        tf.int32,
    )
    offset_height = ((image_height - padded_center_crop_size) + 1) // 2
    offset_width = ((image_width - padded_center_crop_size) + 1) // 2
    crop_window = tf.stack(
        [offset_height, offset_width, padded_center_crop_size, padded_center_crop_size]
    )
    image = tf.io.decode_and_crop_jpeg(image_bytes, crop_window, channels=3)
    return tf.image.resize([image], [image_size, image_size], method="bicubic")[0]


def _at_least_x_are_equal(a, b, x):
    match = tf.equal(a, b)
    match = tf.cast(match, tf.int32)
    return tf.greater_equal(tf.reduce_sum(match), x)


def _decode_and_random_crop(image_bytes, image_size):
    bbox = tf.constant([0.0, 0.0, 1.0, 1.0], dtype=tf.float32, shape=[1, 1, 4])
    shape = tf.io.extract_jpeg_shape(image_bytes)
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        shape,
        bounding_boxes=bbox,
        min_object_covered=0.1,
        aspect_ratio_range=(3.0 / 4, 4.0 / 3.0),
        area_range=(0.08, 1.0),
        max_attempts=10,
        use_image_if_no_bounding_boxes=True,
    )
    offset_y, offset_x, _ = tf.unstack(begin)
    target_height, target_width, _ = tf.unstack(size)
    window = tf.stack([offset_y, offset_x, target_height, target_width])
    image = tf.io.decode_and_crop_jpeg(image_bytes, window, channels=3)
    bad = _at_least_x_are_equal(shape, tf.shape(image), 3)
    return tf.cond(
        bad,
        lambda: _decode_and_center_crop(image_bytes, image_size),
        lambda: tf.image.resize([image], [image_size, image_size], tf.image.ResizeMethod.BICUBIC)[
            0
        ],
    )


def normalize_image(image):
    image -= tf.constant(MEAN_RGB, shape=[1, 1, 3], dtype=image.dtype)
    image /= tf.constant(STDDEV_RGB, shape=[1, 1, 3], dtype=image.dtype)
    return image


def create_split(batch_size, train, dtype=tf.float32, cache=False):
    def preprocess_for_train(image_bytes):
        image = _decode_and_random_crop(image_bytes, IMAGE_SIZE)
        image = tf.reshape(image, [IMAGE_SIZE, IMAGE_SIZE, 3])
        image = tf.image.random_flip_left_right(image)
        image = normalize_image(image)
        return tf.image.convert_image_dtype(image, dtype=dtype)

    def preprocess_for_eval(image_bytes):
        image = _decode_and_center_crop(image_bytes)
        image = tf.reshape(image, [IMAGE_SIZE, IMAGE_SIZE, 3])
        image = normalize_image(image)
        return tf.image.convert_image_dtype(image, dtype=dtype)

    def decode_example(example):
        if train:
            image = preprocess_for_train(example["image"])
        else:
            image = preprocess_for_eval(example["image"])
        return {"image": image, "label": example["label"]}

    names = ["s420", "s444", "turned", "gray", "s422"]
    ds = tf.data.Dataset.from_tensor_slices(
        {"image": [jpeg(name) for name in names], "label": np.arange(5)}
    )
    options = tf.data.Options()
    options.experimental_threading.private_threadpool_size = 48
    ds = ds.with_options(options)
    if cache:
        ds = ds.cache()
    if train:
        ds = ds.repeat()
        ds = ds.shuffle(16 * batch_size, seed=0)
    ds = ds.map(decode_example, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    if not train:
        ds = ds.repeat()
    return ds.prefetch(10)


def prepare_tf_data(xs, local_device_count=2):
    def _prepare(x):
        x = x._numpy() if hasattr(x, "_numpy") else np.asarray(x)
        return x.reshape((local_device_count, -1) + x.shape[1:])

    return {key: _prepare(x) for key, x in xs.items()}


def pipeline_imagenet_for_jax():
    train_iter = map(prepare_tf_data, create_split(4, train=True))
    eval_iter = map(prepare_tf_data, create_split(2, train=False))
    half = create_split(2, train=False, dtype=tf.bfloat16).take(1)
    batches = [next(eval_iter) for _ in range(3)]
    dtypes = [element["image"].dtype.name for element in half]
    return {"eval": batches, "train": drawn(next(train_iter), -10, 10), "half": dtypes}


if find_spec("ml_dtypes") is None:
    missing("bfloat16, which comes with ml_dtypes")(pipeline_imagenet_for_jax)


def pipeline_mnist_for_jax():
    rng = np.random.default_rng(9)
    data = {"image": rng.integers(0, 255, (10, 6, 6, 1), dtype=np.uint8), "label": np.arange(10)}
    train_ds = tf.data.Dataset.from_tensor_slices(data)
    tf.random.set_seed(0)
    train_ds = train_ds.map(
        lambda sample: {
            "image": tf.cast(sample["image"], tf.float32) / 255,
            "label": sample["label"],
        }
    )
    train_ds = train_ds.repeat(2).shuffle(1024)
    train_ds = train_ds.batch(4, drop_remainder=True).take(3).prefetch(1)
    return [batch["label"] for batch in train_ds.as_numpy_iterator()]


# ---- decoders and parsers with parameters ------------------------------------------------


class Decoder:
    """A decoder of classification examples."""

    def __init__(self, image_field_key="image/encoded", label_field_key="image/class/label"):
        self._keys_to_features = {
            image_field_key: tf.io.FixedLenFeature((), tf.string, default_value=""),
            label_field_key: tf.io.FixedLenFeature((), tf.int64, default_value=-1),
        }

    def decode(self, serialized_example):
        return tf.io.parse_single_example(serialized_example, self._keys_to_features)


class Parser:
    """Makes an image and a label of what a decoder gave."""

    def __init__(
        self, output_size, num_classes, aug_rand_hflip=True, dtype="float32", one_hot=True
    ):
        self._output_size, self._num_classes = output_size, num_classes
        self._aug_rand_hflip, self._one_hot = aug_rand_hflip, one_hot
        if dtype == "float32":
            self._dtype = tf.float32
        elif dtype == "bfloat16":
            self._dtype = tf.bfloat16
        else:
            raise ValueError("dtype {!r} is not supported!".format(dtype))

    def _parse_label(self, decoded_tensors):
        label = tf.cast(decoded_tensors["image/class/label"], dtype=tf.int32)
        return tf.one_hot(label, self._num_classes) if self._one_hot else label

    def _parse_eval_image(self, decoded_tensors):
        image_bytes = decoded_tensors["image/encoded"]
        image_shape = tf.image.extract_jpeg_shape(image_bytes)
        image = self._center_crop(image_bytes, image_shape)
        image = tf.image.resize(image, self._output_size, method=tf.image.ResizeMethod.BILINEAR)
        image.set_shape([self._output_size[0], self._output_size[1], 3])
        offset = tf.constant(MEAN_RGB)
        offset = tf.expand_dims(offset, axis=0)
        offset = tf.expand_dims(offset, axis=0)
        scale = tf.expand_dims(tf.expand_dims(tf.constant(STDDEV_RGB), axis=0), axis=0)
        with tf.name_scope("normalize_image"):
            image = (tf.cast(image, tf.float32) - offset) / scale
        return tf.image.convert_image_dtype(image, self._dtype)

    @staticmethod
    def _center_crop(image_bytes, image_shape):
        with tf.name_scope("center_crop_image"):
            min_side = tf.cast(tf.reduce_min(image_shape[0:2]), tf.float32)
            side = tf.cast(min_side * 0.875, tf.int32)
            offset_h = (image_shape[0] - side) // 2
            offset_w = (image_shape[1] - side) // 2
            window = tf.stack([offset_h, offset_w, side, side])
            return tf.image.decode_and_crop_jpeg(image_bytes, window, channels=3)

    def parse_fn(self, is_training):
        def parse(decoded_tensors):
            return self._parse_eval_image(decoded_tensors), self._parse_label(decoded_tensors)

        return parse


@dataclasses.dataclass
class DataConfig:
    """What a reader is told."""

    input_path: str = "train-*"
    global_batch_size: int = 4
    is_training: bool = False
    shuffle_buffer_size: int = 16
    cycle_length: int = 2
    block_length: int = 1
    drop_remainder: bool = True
    seed: int = None


class InputReader:
    def __init__(
        self,
        params,
        dataset_fn=tf.data.TFRecordDataset,
        decoder_fn=None,
        parser_fn=None,
        transform_and_batch_fn=None,
        postprocess_fn=None,
    ):
        self._params = params
        self._dataset_fn, self._decoder_fn, self._parser_fn = dataset_fn, decoder_fn, parser_fn
        self._batch_fn, self._postprocess_fn = transform_and_batch_fn, postprocess_fn

    def _match(self):
        patterns = self._params.input_path
        if isinstance(patterns, str):
            patterns = [patterns]
        matched = []
        for pattern in patterns:
            matched.extend(tf.io.gfile.glob(pattern))
        if not matched:
            raise ValueError("%s does not match any files." % patterns)
        return sorted(matched)

    def read(self, input_context=None):
        matched_files = self._match()
        dataset = tf.data.Dataset.from_tensor_slices(matched_files)
        if self._params.is_training:
            dataset = dataset.shuffle(len(matched_files), seed=self._params.seed)
        if input_context and input_context.num_input_pipelines > 1:
            dataset = dataset.shard(
                input_context.num_input_pipelines, input_context.input_pipeline_id
            )
        dataset = dataset.interleave(
            map_func=self._dataset_fn,
            cycle_length=self._params.cycle_length,
            block_length=self._params.block_length,
            num_parallel_calls=tf.data.experimental.AUTOTUNE,
            deterministic=True,
        )
        fns = [self._decoder_fn, self._parser_fn]
        for fn in fns:
            if fn:
                dataset = dataset.map(fn, num_parallel_calls=tf.data.experimental.AUTOTUNE)
        per_replica = (
            input_context.get_per_replica_batch_size(self._params.global_batch_size)
            if input_context
            else self._params.global_batch_size
        )
        dataset = dataset.batch(per_replica, drop_remainder=self._params.drop_remainder)
        options = tf.data.Options()
        options.deterministic = True
        options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
        return dataset.with_options(options).prefetch(tf.data.experimental.AUTOTUNE)


def pipeline_reader_decoder_parser():
    write_imagenet()
    params = DataConfig(is_training=False, drop_remainder=False)
    parser = Parser((IMAGE_SIZE, IMAGE_SIZE), 14)
    reader = InputReader(params, decoder_fn=Decoder().decode, parser_fn=parser.parse_fn(False))
    image, label = next(iter(reader.read()))
    assert image.shape == (4, IMAGE_SIZE, IMAGE_SIZE, 3)
    return {"ds": reader.read(), "label": label.numpy().argmax(1)}


# ---- SimCLR ------------------------------------------------------------------------------


def random_apply(func, p, x):
    return tf.cond(
        tf.less(
            tf.random.uniform([], minval=0, maxval=1, dtype=tf.float32), tf.cast(p, tf.float32)
        ),
        lambda: func(x),
        lambda: x,
    )


def to_grayscale(image, keep_channels=True):
    image = tf.image.rgb_to_grayscale(image)
    if keep_channels:
        image = tf.tile(image, [1, 1, 3])
    return image


def color_jitter_rand(image, brightness, contrast, saturation, hue):
    with tf.name_scope("distort_color"):

        def apply_transform(i, x):
            def brightness_foo():
                factor = tf.random.uniform([], tf.maximum(1.0 - brightness, 0), 1.0 + brightness)
                return x * factor

            def contrast_foo():
                return tf.image.random_contrast(x, lower=1 - contrast, upper=1 + contrast)

            def saturation_foo():
                return tf.image.random_saturation(x, lower=1 - saturation, upper=1 + saturation)

            def hue_foo():
                return tf.image.random_hue(x, max_delta=hue)

            return tf.cond(
                tf.less(i, 2),
                lambda: tf.cond(tf.less(i, 1), brightness_foo, contrast_foo),
                lambda: tf.cond(tf.less(i, 3), saturation_foo, hue_foo),
            )

        perm = tf.random.shuffle(tf.range(4))
        for i in range(4):
            image = apply_transform(perm[i], image)
            image = tf.clip_by_value(image, 0.0, 1.0)
        return image


def gaussian_blur(image, kernel_size, sigma, padding="SAME"):
    radius = tf.cast(kernel_size / 2, dtype=tf.int32)
    kernel_size = radius * 2 + 1
    x = tf.cast(tf.range(-radius, radius + 1), dtype=tf.float32)
    blur_filter = tf.exp(-tf.pow(x, 2.0) / (2.0 * tf.pow(tf.cast(sigma, dtype=tf.float32), 2.0)))
    blur_filter /= tf.reduce_sum(blur_filter)
    blur_v = tf.reshape(blur_filter, [kernel_size, 1, 1, 1])
    blur_h = tf.reshape(blur_filter, [1, kernel_size, 1, 1])
    num_channels = tf.shape(image)[-1]
    blur_h = tf.tile(blur_h, [1, 1, num_channels, 1])
    blur_v = tf.tile(blur_v, [1, 1, num_channels, 1])
    expand_batch_dim = image.shape.ndims == 3
    if expand_batch_dim:
        image = tf.expand_dims(image, axis=0)
    blurred = tf.nn.depthwise_conv2d(image, blur_h, strides=[1, 1, 1, 1], padding=padding)
    blurred = tf.nn.depthwise_conv2d(blurred, blur_v, strides=[1, 1, 1, 1], padding=padding)
    if expand_batch_dim:
        blurred = tf.squeeze(blurred, axis=0)
    return blurred


def center_crop(image, height, width, crop_proportion):
    shape = tf.shape(image)
    image_height, image_width = shape[0], shape[1]
    w, h = tf.cast(image_width, tf.float32), tf.cast(image_height, tf.float32)
    aspect_ratio = width / height
    crop_height, crop_width = tf.cond(
        aspect_ratio > w / h,
        lambda: (
            tf.cast(tf.math.rint(crop_proportion / aspect_ratio * w), tf.int32),
            tf.cast(tf.math.rint(crop_proportion * w), tf.int32),
        ),
        lambda: (
            tf.cast(tf.math.rint(crop_proportion * h), tf.int32),
            tf.cast(tf.math.rint(crop_proportion * aspect_ratio * h), tf.int32),
        ),
    )
    offset_height = ((image_height - crop_height) + 1) // 2
    offset_width = ((image_width - crop_width) + 1) // 2
    image = tf.image.crop_to_bounding_box(
        image, offset_height, offset_width, crop_height, crop_width
    )
    return tf.image.resize([image], [height, width], method=tf.image.ResizeMethod.BICUBIC)[0]


def contrastive_images(n=4):
    return np.stack([picture(i, 10, 12) for i in range(n)])


def pipeline_contrastive_views():
    num_classes = 3

    def map_fn(image, label):
        xs = []
        image = tf.image.convert_image_dtype(image, dtype=tf.float32)
        for _ in range(2):
            view = random_apply(lambda x: color_jitter_rand(x, 0.8, 0.8, 0.8, 0.2), 0.8, image)
            view = random_apply(to_grayscale, p=0.2, x=view)
            view = tf.image.random_flip_left_right(view)
            xs.append(tf.clip_by_value(tf.reshape(view, [10, 12, 3]), 0.0, 1.0))
        image = tf.concat(xs, -1)
        label = tf.one_hot(label, num_classes)
        return image, label

    ds = tf.data.Dataset.from_tensor_slices((contrastive_images(), np.arange(4) % 3))
    ds = ds.shuffle(8).repeat(-1)
    ds = ds.map(map_fn, num_parallel_calls=tf.data.experimental.AUTOTUNE)
    return drawn(ds.batch(3, drop_remainder=True).take(2))


def pipeline_contrastive_eval_and_blur():
    def map_fn(image):
        image = tf.image.convert_image_dtype(image, dtype=tf.float32)
        cropped = center_crop(image, 6, 6, crop_proportion=0.875)
        return {"crop": cropped, "blur": gaussian_blur(image, kernel_size=3, sigma=1.2)}

    ds = tf.data.Dataset.from_tensor_slices(contrastive_images()).map(map_fn)
    whole = gaussian_blur(tf.cast(contrastive_images(2), tf.float32), 5, 0.7)
    return {"ds": ds.batch(2), "whole": whole}


# ---- a registry of small operations on dictionaries ---------------------------------------


class Registry:
    _entries = {}

    @classmethod
    def register(cls, name):
        def wrap(fn):
            cls._entries[name] = fn
            return fn

        return wrap

    @classmethod
    def lookup(cls, text):
        name, _, arguments = text.partition("(")
        return eval(f"f({arguments or ')'}", {"f": cls._entries[name]})


def in_key_out_key(get_fn):
    @functools.wraps(get_fn)
    def outer(*args, key=None, inkey=None, outkey=None, **kwargs):
        fn = get_fn(*args, **kwargs)

        def pp(data):
            data[key or outkey or "image"] = fn(data[key or inkey or "image"])
            return data

        return pp

    return outer


@Registry.register("decode")
@in_key_out_key
def get_decode(channels=3):
    def _decode(image):
        return tf.io.decode_image(image, channels=channels, expand_animations=False)

    return _decode


@Registry.register("resize_small")
@in_key_out_key
def get_resize_small(smaller_size, method="area", antialias=False):
    def _resize_small(image):
        h, w = tf.shape(image)[0], tf.shape(image)[1]
        ratio = tf.cast(smaller_size, tf.float32) / tf.cast(tf.minimum(h, w), tf.float32)
        h = tf.cast(tf.round(tf.cast(h, tf.float32) * ratio), tf.int32)
        w = tf.cast(tf.round(tf.cast(w, tf.float32) * ratio), tf.int32)
        dtype = image.dtype
        tf_dtype = tf.type_spec_from_value(image).dtype
        image = tf.image.resize(image, (h, w), method=method, antialias=antialias)
        return tf.cast(tf.clip_by_value(image, tf_dtype.min, tf_dtype.max), dtype)

    return _resize_small


@Registry.register("central_crop")
@in_key_out_key
def get_central_crop(crop_size):
    def _crop(image):
        h, w = crop_size, crop_size
        dy = (tf.shape(image)[0] - h) // 2
        dx = (tf.shape(image)[1] - w) // 2
        return tf.image.crop_to_bounding_box(image, dy, dx, h, w)

    return _crop


@Registry.register("inception_crop")
@in_key_out_key
def get_inception_crop(size, area_min=5, area_max=100):
    def _inception_crop(image):
        begin, crop_size, _ = tf.image.sample_distorted_bounding_box(
            tf.shape(image),
            tf.zeros([0, 0, 4], tf.float32),
            area_range=(area_min / 100, area_max / 100),
            min_object_covered=0,
            use_image_if_no_bounding_boxes=True,
        )
        crop = tf.slice(image, begin, crop_size)
        crop.set_shape([None, None, image.shape[-1]])
        return tf.image.resize(crop, [size, size])

    return _inception_crop


@Registry.register("value_range")
@in_key_out_key
def get_value_range(vmin=-1, vmax=1, in_min=0, in_max=255.0, clip_values=False):
    def _value_range(image):
        in_min_t = tf.constant(in_min, tf.float32)
        in_max_t = tf.constant(in_max, tf.float32)
        image = tf.cast(image, tf.float32)
        image = (image - in_min_t) / (in_max_t - in_min_t)
        image = vmin + image * (vmax - vmin)
        if clip_values:
            image = tf.clip_by_value(image, vmin, vmax)
        return image

    return _value_range


@Registry.register("onehot")
def get_onehot(depth, key="labels", key_result=None, multi=True, on=1.0, off=0.0):
    def _onehot(data):
        labels = data[key]
        if labels.shape.rank > 0 and multi:
            x = tf.scatter_nd(labels[:, None], tf.ones(tf.shape(labels)[0]), (depth,))
            x = tf.clip_by_value(x, 0, 1) * (on - off) + off
        else:
            x = tf.one_hot(labels, depth, on_value=on, off_value=off)
        data[key_result or key] = x
        return data

    return _onehot


@Registry.register("keep")
def get_keep(*keys):
    return lambda data: {k: v for k, v in data.items() if k in keys}


@Registry.register("choice")
def get_choice(key, n):
    def _choice(data):
        nitems = tf.shape(data[key])[0]
        with tf.control_dependencies([tf.debugging.assert_greater_equal(nitems, 1)]):
            nitems = tf.identity(nitems)
        indices = tf.sort(tf.random.shuffle(tf.range(nitems))[:n])
        result = tf.gather(data[key], indices, axis=0)
        data[key] = tf.ensure_shape(result, [n] + [None] * (result.ndim - 1))
        return data

    return _choice


def get_preprocess_fn(pp_pipeline):
    ops = [Registry.lookup(name) for name in pp_pipeline.split("|")] if pp_pipeline else []

    def _preprocess_fn(data):
        for op in ops:
            data = op(data)
        return data

    return _preprocess_fn


def registry_data():
    names = ["s420", "s444", "gray", "progressive", "s422"]
    return tf.data.Dataset.from_tensor_slices(
        {
            "image": [jpeg(name) for name in names],
            "label": np.arange(5),
            "labels": np.arange(10).reshape(5, 2) % 7,
            "_id": np.arange(5),
        }
    )


def pad_like(spec):
    return tf.zeros([x or 0 for x in spec.shape], spec.dtype)


def pipeline_registry():
    evaluation = get_preprocess_fn(
        "decode|resize_small(9)|central_crop(8)|value_range(-1, 1)|"
        "onehot(7)|onehot(5, key='label', multi=False)|keep('image', 'labels', 'label', '_id')"
    )
    training = get_preprocess_fn(
        "decode()|inception_crop(6)|value_range(0, 1)|choice('labels', 1)|keep('image', 'labels')"
    )
    data = registry_data().map(evaluation, num_parallel_calls=10)

    def add_mask(example):
        example.setdefault("_mask", tf.constant(True))
        return example

    data = data.map(add_mask)
    zero = tf.nest.map_structure(pad_like, data.element_spec)
    data = data.concatenate(tf.data.Dataset.from_tensors(zero).repeat())
    data = data.map(lambda d: {k: v for k, v in d.items()}).batch(3, drop_remainder=True).take(2)
    train = registry_data().cache().shuffle(5).repeat(None).map(training)
    return {"eval": data.prefetch(1), "train": drawn(train.batch(4).take(2), 0, 6)}


# ---- policies of augmentation -------------------------------------------------------------


def blend(image1, image2, factor):
    if factor == 0.0:
        return tf.convert_to_tensor(image1)
    if factor == 1.0:
        return tf.convert_to_tensor(image2)
    image1 = tf.cast(image1, tf.float32)
    image2 = tf.cast(image2, tf.float32)
    difference = image2 - image1
    scaled = factor * difference
    temp = tf.cast(image1, tf.float32) + scaled
    if factor > 0.0 and factor < 1.0:
        return tf.cast(temp, tf.uint8)
    return tf.cast(tf.clip_by_value(temp, 0.0, 255.0), tf.uint8)


def solarize(image, threshold=128):
    return tf.where(image < threshold, image, 255 - image)


def solarize_add(image, addition=0, threshold=128):
    added_image = tf.cast(image, tf.int64) + addition
    added_image = tf.cast(tf.clip_by_value(added_image, 0, 255), tf.uint8)
    return tf.where(image < threshold, added_image, image)


def color(image, factor):
    degenerate = tf.image.grayscale_to_rgb(tf.image.rgb_to_grayscale(image))
    return blend(degenerate, image, factor)


def contrast(image, factor):
    degenerate = tf.image.rgb_to_grayscale(image)
    degenerate = tf.cast(degenerate, tf.int32)
    hist = tf.histogram_fixed_width(degenerate, [0, 255], nbins=256)
    mean = tf.reduce_sum(tf.cast(hist, tf.float32)) / 256.0
    degenerate = tf.ones_like(degenerate, dtype=tf.float32) * mean
    degenerate = tf.clip_by_value(degenerate, 0.0, 255.0)
    degenerate = tf.image.grayscale_to_rgb(tf.cast(degenerate, tf.uint8))
    return blend(degenerate, image, factor)


def brightness(image, factor):
    return blend(tf.zeros_like(image), image, factor)


def posterize(image, bits):
    shift = 8 - bits
    return tf.bitwise.left_shift(tf.bitwise.right_shift(image, shift), shift)


def autocontrast(image):
    def scale_channel(image):
        lo = tf.cast(tf.reduce_min(image), tf.float32)
        hi = tf.cast(tf.reduce_max(image), tf.float32)

        def scale_values(im):
            scale = 255.0 / (hi - lo)
            offset = -lo * scale
            im = tf.cast(im, tf.float32) * scale + offset
            im = tf.clip_by_value(im, 0.0, 255.0)
            return tf.cast(im, tf.uint8)

        return tf.cond(hi > lo, lambda: scale_values(image), lambda: image)

    s1 = scale_channel(image[:, :, 0])
    s2 = scale_channel(image[:, :, 1])
    s3 = scale_channel(image[:, :, 2])
    return tf.stack([s1, s2, s3], 2)


def equalize(image):
    def scale_channel(im, c):
        im = tf.cast(im[:, :, c], tf.int32)
        histo = tf.histogram_fixed_width(im, [0, 255], nbins=256)
        nonzero = tf.where(tf.not_equal(histo, 0))
        nonzero_histo = tf.reshape(tf.gather(histo, nonzero), [-1])
        step = (tf.reduce_sum(nonzero_histo) - nonzero_histo[-1]) // 255

        def build_lut(histo, step):
            lut = (tf.cumsum(histo) + (step // 2)) // step
            lut = tf.concat([[0], lut[:-1]], 0)
            return tf.clip_by_value(lut, 0, 255)

        result = tf.cond(
            tf.equal(step, 0), lambda: im, lambda: tf.gather(build_lut(histo, step), im)
        )
        return tf.cast(result, tf.uint8)

    return tf.stack([scale_channel(image, c) for c in range(3)], 2)


def invert(image):
    image = tf.convert_to_tensor(image)
    return 255 - image


def sharpness(image, factor):
    orig_image = image
    image = tf.cast(image, tf.float32)
    image = tf.expand_dims(image, 0)
    kernel = (
        tf.constant([[1, 1, 1], [1, 5, 1], [1, 1, 1]], dtype=tf.float32, shape=[3, 3, 1, 1]) / 13.0
    )
    kernel = tf.tile(kernel, [1, 1, 3, 1])
    strides = [1, 1, 1, 1]
    degenerate = tf.nn.depthwise_conv2d(image, kernel, strides, padding="VALID", dilations=[1, 1])
    degenerate = tf.clip_by_value(degenerate, 0.0, 255.0)
    degenerate = tf.squeeze(tf.cast(degenerate, tf.uint8), [0])
    mask = tf.ones_like(degenerate)
    padded_mask = tf.pad(mask, [[1, 1], [1, 1], [0, 0]])
    padded_degenerate = tf.pad(degenerate, [[1, 1], [1, 1], [0, 0]])
    result = tf.where(tf.equal(padded_mask, 1), padded_degenerate, orig_image)
    return blend(result, orig_image, factor)


def cutout(image, pad_size, center, replace=0):
    image_height, image_width = tf.shape(image)[0], tf.shape(image)[1]
    lower_pad = tf.maximum(0, center[0] - pad_size)
    upper_pad = tf.maximum(0, image_height - center[0] - pad_size)
    left_pad = tf.maximum(0, center[1] - pad_size)
    right_pad = tf.maximum(0, image_width - center[1] - pad_size)
    cutout_shape = [image_height - (lower_pad + upper_pad), image_width - (left_pad + right_pad)]
    padding_dims = [[lower_pad, upper_pad], [left_pad, right_pad]]
    mask = tf.pad(tf.zeros(cutout_shape, dtype=image.dtype), padding_dims, constant_values=1)
    mask = tf.expand_dims(mask, -1)
    mask = tf.tile(mask, [1, 1, 3])
    return tf.where(tf.equal(mask, 0), tf.ones_like(image, dtype=image.dtype) * replace, image)


NAME_TO_FUNC = {
    "AutoContrast": autocontrast,
    "Equalize": equalize,
    "Invert": invert,
    "Posterize": lambda image: posterize(image, 4),
    "Solarize": functools.partial(solarize, threshold=110),
    "SolarizeAdd": functools.partial(solarize_add, addition=40),
    "Color": lambda image: color(image, 1.4),
    "Contrast": lambda image: contrast(image, 0.5),
    "Brightness": lambda image: brightness(image, 1.3),
    "Sharpness": lambda image: sharpness(image, 1.9),
    "Cutout": lambda image: cutout(image, 2, (3, 4), 128),
}


def pipeline_policies():
    images = np.stack([picture(i, 12, 12) for i in range(4)])
    ds = tf.data.Dataset.from_tensor_slices(images)
    return ds.map(lambda image: {name: fn(image) for name, fn in NAME_TO_FUNC.items()}).batch(2)


def pipeline_random_augment():
    num_layers = 2
    names = list(NAME_TO_FUNC)

    @tf.function
    def distort(image):
        for layer_num in range(num_layers):
            op_to_select = tf.random.uniform([], maxval=len(names), dtype=tf.int32)
            with tf.name_scope("randaug_layer_{}".format(layer_num)):
                for i, op_name in enumerate(names):
                    image = tf.cond(
                        tf.equal(i, op_to_select),
                        lambda func=NAME_TO_FUNC[op_name], image=image: func(image),
                        lambda image=image: image,
                    )
        return image

    def select(image):
        branches = [functools.partial(NAME_TO_FUNC[name], image) for name in names[:4]]
        branch = tf.random.uniform(shape=[], maxval=4, dtype=tf.int32)
        return tf.switch_case(branch, branches, default=lambda: image)

    images = np.stack([picture(i, 12, 12) for i in range(4)])
    ds = tf.data.Dataset.from_tensor_slices(images)
    ds = ds.map(distort, num_parallel_calls=tf.data.AUTOTUNE).map(select)
    return drawn(ds.batch(2), 0, 255)


def smallest_multiple(x, base):
    return int(math.ceil(x / base)) * base


@missing("random.Generator.make_seeds inside map")
def pipeline_stateless_random():
    def augment(image_label, seed):
        image, label = image_label
        image = tf.image.resize_with_crop_or_pad(image, 12, 12)
        new_seed = tf.random.split(seed, num=1)[0, :]
        image = tf.image.stateless_random_crop(image, size=[8, 8, 3], seed=seed)
        image = tf.image.stateless_random_brightness(image, max_delta=0.5, seed=new_seed)
        image = tf.clip_by_value(image, 0, 1)
        return image, label

    images = np.stack([picture(i, 10, 10) for i in range(4)]).astype(np.float32) / 255.0
    base = tf.data.Dataset.from_tensor_slices((images, np.arange(4)))
    counter = tf.data.experimental.Counter()
    with_counter = tf.data.Dataset.zip((base, tf.data.Dataset.zip((counter, counter))))
    first = with_counter.map(augment, num_parallel_calls=tf.data.AUTOTUNE).batch(4)

    rng = tf.random.Generator.from_seed(123, alg="philox")

    def f(x, y):
        seed = rng.make_seeds(1)[:, 0]
        return augment((x, y), seed)

    second = base.map(f).batch(4)
    deltas = []
    for i in range(3):
        seed = (i, 0)
        flipped = tf.image.stateless_random_contrast(images[0], lower=0.1, upper=0.9, seed=seed)
        deltas.append(tf.reduce_mean(flipped).numpy())
    return {"first": first, "second": second, "deltas": deltas, "side": smallest_multiple(7, 4)}
