"""Notebooks of Kaggle and Colab for TPUs: shards, unordered reading, flags, one-hot, counting."""

import functools
import math
import os
import re

import numpy as np

from tests.realworld.inputs import jpeg, picture
from tests.realworld.library import tf
from tests.realworld.pipeline import drawn, missing

AUTO = tf.data.experimental.AUTOTUNE
IMAGE_SIZE = [8, 8]
BATCH_SIZE = 4
CLASSES = ["pink primrose", "canterbury bells", "sweet pea", "rose"]


def _int64_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=value))


def _bytestring_feature(list_of_bytestrings):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=list_of_bytestrings))


def _float_feature(list_of_floats):
    return tf.train.Feature(float_list=tf.train.FloatList(value=list_of_floats))


def to_tfrecord(img_bytes, label, name):
    class_num = np.argmax(np.array(CLASSES) == label)
    one_hot = np.eye(len(CLASSES))[class_num]
    feature = {
        "image": _bytestring_feature([img_bytes]),
        "class": _int64_feature([class_num]),
        "id": _bytestring_feature([name.encode()]),
        "label": _bytestring_feature([label.encode()]),
        "one_hot_class": _float_feature(one_hot.tolist()),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature))


def write_flowers(split, shards=2, each=3):
    tf.io.gfile.makedirs(f"flowers/{split}")
    for shard in range(shards):
        filename = "flowers/{}/{:02d}-{}.tfrec".format(split, shard, each)
        with tf.io.TFRecordWriter(filename) as out_file:
            for i in range(each):
                place = shard * each + i
                img = tf.io.encode_jpeg(picture(place, 8, 8), quality=95, optimize_size=True)
                example = to_tfrecord(
                    tf.io.encode_png(picture(place, 8, 8)).numpy(),
                    CLASSES[place % len(CLASSES)],
                    f"{split}{place}",
                )
                assert len(img.numpy()) > 0
                out_file.write(example.SerializeToString())


def decode_image(image_data):
    image = tf.image.decode_jpeg(image_data, channels=3)
    image = tf.cast(image, tf.float32) / 255.0
    image = tf.reshape(image, [*IMAGE_SIZE, 3])
    return image


def read_labeled_tfrecord(example):
    LABELED_TFREC_FORMAT = {
        "image": tf.io.FixedLenFeature([], tf.string),
        "class": tf.io.FixedLenFeature([], tf.int64),
    }
    example = tf.io.parse_single_example(example, LABELED_TFREC_FORMAT)
    image = decode_image(example["image"])
    label = tf.cast(example["class"], tf.int32)
    return image, label


def read_unlabeled_tfrecord(example):
    UNLABELED_TFREC_FORMAT = {
        "image": tf.io.FixedLenFeature([], tf.string),
        "id": tf.io.FixedLenFeature([], tf.string),
    }
    example = tf.io.parse_single_example(example, UNLABELED_TFREC_FORMAT)
    return decode_image(example["image"]), example["id"]


def load_dataset(filenames, labeled=True, ordered=False):
    ignore_order = tf.data.Options()
    if not ordered:
        ignore_order.experimental_deterministic = False
    dataset = tf.data.TFRecordDataset(filenames, num_parallel_reads=AUTO)
    dataset = dataset.with_options(ignore_order)
    dataset = dataset.map(
        read_labeled_tfrecord if labeled else read_unlabeled_tfrecord, num_parallel_calls=AUTO
    )
    return dataset


def data_augment(image, label):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_saturation(image, 0, 2)
    return image, label


def count_data_items(filenames):
    n = [int(re.compile(r"-([0-9]*)\.").search(filename).group(1)) for filename in filenames]
    return np.sum(n)


def pipeline_flowers_on_tpu():
    for split in ("train", "val", "test"):
        write_flowers(split, *((2, 3) if split == "train" else (1, 6)))
    GCS_PATH = "flowers"
    train = tf.io.gfile.glob(GCS_PATH + "/train/*.tfrec")
    val = sorted(tf.io.gfile.glob(GCS_PATH + "/val/*.tfrec"))
    test = tf.io.gfile.glob(os.path.join(GCS_PATH, "test", "*.tfrec"))

    def get_training_dataset():
        dataset = load_dataset(train, labeled=True)
        dataset = dataset.map(data_augment, num_parallel_calls=AUTO)
        dataset = dataset.repeat()
        dataset = dataset.shuffle(2048)
        dataset = dataset.batch(BATCH_SIZE)
        return dataset.prefetch(AUTO)

    def get_validation_dataset(ordered=False):
        dataset = load_dataset(val, labeled=True, ordered=ordered)
        return dataset.batch(BATCH_SIZE).cache().prefetch(AUTO)

    def get_test_dataset(ordered=False):
        return load_dataset(test, labeled=False, ordered=ordered).batch(BATCH_SIZE).prefetch(AUTO)

    steps = count_data_items(train) // BATCH_SIZE
    cmdataset = get_validation_dataset(ordered=True)
    images_ds = cmdataset.map(lambda image, label: image)
    labels_ds = cmdataset.map(lambda image, label: label).unbatch()
    cm_correct_labels = next(iter(labels_ds.batch(6))).numpy()
    test_ids_ds = get_test_dataset(ordered=True).map(lambda image, idnum: idnum).unbatch()
    test_ids = next(iter(test_ids_ds.batch(6))).numpy().astype("U")
    lines = []
    for image, label in get_training_dataset().take(1):
        lines.append(f"{image.numpy().shape} {label.numpy().shape} {label.numpy().dtype}")
    return {
        "steps": int(steps),
        "labels": cm_correct_labels,
        "ids": test_ids,
        "val": images_ds,
        "lines": lines,
        "train": drawn(get_training_dataset().take(2), 0, 255),
    }


def get_mat(rotation, shear, height_zoom, width_zoom, height_shift, width_shift):
    rotation = math.pi * rotation / 180.0
    shear = math.pi * shear / 180.0
    c1 = tf.math.cos(rotation)
    s1 = tf.math.sin(rotation)
    one = tf.constant([1], dtype="float32")
    zero = tf.constant([0], dtype="float32")
    rotation_matrix = tf.reshape(
        tf.concat([c1, s1, zero, -s1, c1, zero, zero, zero, one], axis=0), [3, 3]
    )
    c2 = tf.math.cos(shear)
    s2 = tf.math.sin(shear)
    shear_matrix = tf.reshape(
        tf.concat([one, s2, zero, zero, c2, zero, zero, zero, one], axis=0), [3, 3]
    )
    zoom_matrix = tf.reshape(
        tf.concat(
            [one / height_zoom, zero, zero, zero, one / width_zoom, zero, zero, zero, one], axis=0
        ),
        [3, 3],
    )
    shift_matrix = tf.reshape(
        tf.concat([one, zero, height_shift, zero, one, width_shift, zero, zero, one], axis=0),
        [3, 3],
    )
    return tf.matmul(tf.matmul(rotation_matrix, shear_matrix), tf.matmul(zoom_matrix, shift_matrix))


def transform(image, label, numbers):
    DIM = IMAGE_SIZE[0]
    XDIM = DIM % 2
    rot, shr, h_zoom, w_zoom, h_shift, w_shift = [tf.reshape(n, [1]) for n in tf.unstack(numbers)]
    m = get_mat(rot, shr, h_zoom, w_zoom, h_shift, w_shift)
    x = tf.repeat(tf.range(DIM // 2, -DIM // 2, -1), DIM)
    y = tf.tile(tf.range(-DIM // 2, DIM // 2), [DIM])
    z = tf.ones([DIM * DIM], dtype="int32")
    idx = tf.stack([x, y, z])
    idx2 = tf.linalg.matmul(m, tf.cast(idx, dtype="float32"))
    idx2 = tf.cast(idx2, dtype="int32")
    idx2 = tf.clip_by_value(idx2, -DIM // 2 + XDIM + 1, DIM // 2)
    idx3 = tf.stack([DIM // 2 - idx2[0,], DIM // 2 - 1 + idx2[1,]])
    d = tf.gather_nd(image, tf.transpose(idx3))
    return tf.reshape(d, [DIM, DIM, 3]), label


def pipeline_affine_by_gather():
    rng = np.random.default_rng(4)
    numbers = (rng.normal(size=(4, 6)) * [15, 5, 0.1, 0.1, 2, 2] + [0, 0, 1, 1, 0, 0]).astype("f4")
    images = np.stack([picture(i, 8, 8) for i in range(4)]).astype(np.float32) / 255
    ds = tf.data.Dataset.from_tensor_slices((images, np.arange(4), numbers))
    return ds.map(transform, num_parallel_calls=AUTO).batch(4)


def onehot(image, label):
    return image, tf.one_hot(label, len(CLASSES))


def cutmix(image, label, PROBABILITY=1.0):
    DIM = IMAGE_SIZE[0]
    imgs = []
    labs = []
    for j in range(BATCH_SIZE):
        P = tf.cast(tf.random.uniform([], 0, 1) <= PROBABILITY, tf.int32)
        k = tf.cast(tf.random.uniform([], 0, BATCH_SIZE), tf.int32)
        x = tf.cast(tf.random.uniform([], 0, DIM), tf.int32)
        y = tf.cast(tf.random.uniform([], 0, DIM), tf.int32)
        b = tf.random.uniform([], 0, 1)
        WIDTH = tf.cast(DIM * tf.math.sqrt(1 - b), tf.int32) * P
        ya = tf.math.maximum(0, y - WIDTH // 2)
        yb = tf.math.minimum(DIM, y + WIDTH // 2)
        xa = tf.math.maximum(0, x - WIDTH // 2)
        xb = tf.math.minimum(DIM, x + WIDTH // 2)
        one = image[j, ya:yb, 0:xa, :]
        two = image[k, ya:yb, xa:xb, :]
        three = image[j, ya:yb, xb:DIM, :]
        middle = tf.concat([one, two, three], axis=1)
        img = tf.concat([image[j, 0:ya, :, :], middle, image[j, yb:DIM, :, :]], axis=0)
        imgs.append(img)
        a = tf.cast(WIDTH * WIDTH / DIM / DIM, tf.float32)
        labs.append((1 - a) * label[j] + a * label[k])
    image2 = tf.reshape(tf.stack(imgs), (BATCH_SIZE, DIM, DIM, 3))
    label2 = tf.reshape(tf.stack(labs), (BATCH_SIZE, len(CLASSES)))
    return image2, label2


def mixup(image, label, PROBABILITY=1.0):
    DIM = IMAGE_SIZE[0]
    imgs = []
    labs = []
    for j in range(BATCH_SIZE):
        P = tf.cast(tf.random.uniform([], 0, 1) <= PROBABILITY, tf.float32)
        k = tf.cast(tf.random.uniform([], 0, BATCH_SIZE), tf.int32)
        a = tf.random.uniform([], 0, 1) * P
        img1 = image[j,]
        img2 = image[k,]
        imgs.append((1 - a) * img1 + a * img2)
        labs.append((1 - a) * label[j,] + a * label[k,])
    image2 = tf.reshape(tf.stack(imgs), (BATCH_SIZE, DIM, DIM, 3))
    label2 = tf.reshape(tf.stack(labs), (BATCH_SIZE, len(CLASSES)))
    return image2, label2


def pipeline_cutmix_and_mixup_of_batches():
    SWITCH = 0.5

    def transform_batch(image, label):
        image2, label2 = cutmix(image, label, 0.66)
        image3, label3 = mixup(image, label, 0.66)
        imgs = []
        labs = []
        for j in range(BATCH_SIZE):
            P = tf.cast(tf.random.uniform([], 0, 1) <= SWITCH, tf.float32)
            imgs.append(P * image2[j,] + (1 - P) * image3[j,])
            labs.append(P * label2[j,] + (1 - P) * label3[j,])
        image4 = tf.reshape(tf.stack(imgs), (BATCH_SIZE, *IMAGE_SIZE, 3))
        return image4, tf.reshape(tf.stack(labs), (BATCH_SIZE, len(CLASSES)))

    images = np.stack([picture(i, 8, 8) for i in range(8)]).astype(np.float32) / 255
    ds = tf.data.Dataset.from_tensor_slices((images, np.arange(8) % 4))
    ds = ds.repeat().batch(BATCH_SIZE).map(onehot, num_parallel_calls=AUTO)
    ds = ds.map(transform_batch, num_parallel_calls=AUTO).unbatch().shuffle(16).batch(BATCH_SIZE)
    return drawn(ds.take(2), 0, 1.0001)


@missing("cache(filename)")
def pipeline_xray_records():
    paths = [f"chest/{'PNEUMONIA' if i % 3 else 'NORMAL'}/person{i}.jpeg" for i in range(6)]
    with tf.io.TFRecordWriter("images.tfrec") as images, tf.io.TFRecordWriter("p.tfrec") as names:
        for i, path in enumerate(paths):
            images.write(jpeg("s420" if i % 2 else "gray"))
            names.write(path.encode("utf-8"))
    ds = tf.data.Dataset.zip(
        (tf.data.TFRecordDataset("images.tfrec"), tf.data.TFRecordDataset("p.tfrec"))
    )
    COUNT_NORMAL = len([f for _, f in ds if "NORMAL" in f.numpy().decode("utf-8")])
    COUNT_PNEUMONIA = len(
        [f for f in ds.as_numpy_iterator() if "PNEUMONIA" in f[1].decode("utf-8")]
    )

    def get_label(file_path):
        parts = tf.strings.split(file_path, "/")
        if parts[-2] == "PNEUMONIA":
            return 1
        else:
            return 0

    def decode_img(img):
        img = tf.image.decode_jpeg(img, channels=3)
        return tf.image.resize(img, IMAGE_SIZE)

    def process_path(image, path):
        label = get_label(path)
        img = decode_img(image)
        return img, label

    ds = ds.map(process_path, num_parallel_calls=AUTO)
    ds = ds.shuffle(10000, seed=42, reshuffle_each_iteration=False)
    train_ds = ds.take(4)
    val_ds = ds.skip(4)
    shown = [f"{label.numpy()} {image.shape}" for image, label in train_ds.take(2)]

    def prepare_for_training(ds, cache=True):
        if cache:
            if isinstance(cache, str):
                ds = ds.cache(cache)
            else:
                ds = ds.cache()
        return ds.batch(3).prefetch(buffer_size=AUTO)

    initial_bias = np.log([COUNT_PNEUMONIA / COUNT_NORMAL])
    weight_for_0 = (1 / COUNT_NORMAL) * len(paths) / 2.0
    return {
        "bias": initial_bias,
        "weight": weight_for_0,
        "train": prepare_for_training(train_ds, cache="./chest_cache"),
        "val": prepare_for_training(val_ds),
        "shown": shown,
    }


def pipeline_interleaved_shards_of_host():
    num_hosts, host = 2, 1
    for k in range(4):
        with tf.io.TFRecordWriter(f"train-{k:03d}-of-004") as w:
            for i in range(3):
                w.write(np.array([k, i], np.float32).tobytes())

    def fetch_dataset(filename):
        buffer_size = 8 * 1024 * 1024
        return tf.data.TFRecordDataset(filename, buffer_size=buffer_size)

    file_pattern = os.path.join(".", "train-*")
    dataset = tf.data.Dataset.list_files(file_pattern, shuffle=False)
    dataset = dataset.shard(num_hosts, host)
    dataset = dataset.repeat(2)
    dataset = dataset.apply(
        tf.data.experimental.parallel_interleave(fetch_dataset, cycle_length=2, sloppy=False)
    )
    dataset = dataset.map(lambda s: tf.io.decode_raw(s, tf.float32), num_parallel_calls=4)
    dataset = dataset.map(functools.partial(tf.ensure_shape, shape=[2]))
    dataset = dataset.batch(4, drop_remainder=True)
    options = tf.data.Options()
    options.experimental_threading.max_intra_op_parallelism = 1
    options.experimental_threading.private_threadpool_size = 48
    return dataset.prefetch(buffer_size=tf.data.experimental.AUTOTUNE).with_options(options)


class CFG:
    seed = 7
    folds = 3
    img_size = 6
    tta = 2


def build_decoder(with_labels=True, target_size=(CFG.img_size, CFG.img_size), ext="png"):
    def decode(path):
        file_bytes = tf.io.read_file(path)
        if ext == "png":
            img = tf.image.decode_png(file_bytes, channels=3)
        elif ext in ["jpg", "jpeg"]:
            img = tf.image.decode_jpeg(file_bytes, channels=3)
        else:
            raise ValueError("Image extension not supported")
        img = tf.cast(img, tf.float32) / 255.0
        img = tf.image.resize(img, target_size)
        return img

    def decode_with_labels(path, label):
        return decode(path), label

    return decode_with_labels if with_labels else decode


def build_augmenter(with_labels=True):
    def augment(img):
        img = tf.image.stateless_random_flip_left_right(img, seed=(1, 2))
        img = tf.image.stateless_random_brightness(img, 0.1, seed=(3, CFG.seed))
        return img

    def augment_with_labels(img, label):
        return augment(img), label

    return augment_with_labels if with_labels else augment


def build_dataset(
    paths,
    labels=None,
    bsize=2,
    cache=True,
    decode_fn=None,
    augment_fn=None,
    augment=True,
    repeat=True,
    shuffle=1024,
    cache_dir="",
):
    if cache_dir != "" and cache is True:
        os.makedirs(cache_dir, exist_ok=True)
    if decode_fn is None:
        decode_fn = build_decoder(labels is not None)
    if augment_fn is None:
        augment_fn = build_augmenter(labels is not None)
    slices = paths if labels is None else (paths, labels)
    dset = tf.data.Dataset.from_tensor_slices(slices)
    dset = dset.map(decode_fn, num_parallel_calls=AUTO)
    dset = dset.cache(cache_dir) if cache else dset
    dset = dset.map(augment_fn, num_parallel_calls=AUTO) if augment else dset
    dset = dset.repeat() if repeat else dset
    dset = dset.shuffle(shuffle, seed=CFG.seed) if shuffle else dset
    return dset.batch(bsize).prefetch(AUTO)


def pipeline_builders_by_fold():
    tf.io.gfile.makedirs("train_images")
    paths, labels = [], []
    for i in range(6):
        path = f"train_images/{i}.png"
        with tf.io.gfile.GFile(path, "wb") as f:
            f.write(tf.io.encode_png(picture(i, 7, 9)).numpy())
        paths.append(path)
        labels.append([float(i % 2), float(i % 3 == 0)])
    paths, labels = np.array(paths), np.array(labels, dtype=np.float32)
    found = {}
    for fold in range(CFG.folds):
        valid = np.arange(6) % CFG.folds == fold
        train = build_dataset(paths[~valid], labels[~valid], repeat=True)
        test = build_dataset(
            paths[valid], None, repeat=False, shuffle=False, augment=False, cache=False
        )
        found[f"fold{fold}"] = (train.take(1), test)
    return found


def pipeline_dropout_of_squares():
    def dropout(image, DIM=8, PROBABILITY=1.0, CT=2, SZ=0.25):
        P = tf.cast(tf.random.uniform([], 0, 1) < PROBABILITY, tf.int32)
        if (P == 0) | (CT == 0) | (SZ == 0):
            return image
        for k in range(CT):
            x = tf.cast(tf.random.uniform([], 0, DIM), tf.int32)
            y = tf.cast(tf.random.uniform([], 0, DIM), tf.int32)
            WIDTH = tf.cast(SZ * DIM, tf.int32) * P
            ya = tf.math.maximum(0, y - WIDTH // 2)
            yb = tf.math.minimum(DIM, y + WIDTH // 2)
            xa = tf.math.maximum(0, x - WIDTH // 2)
            xb = tf.math.minimum(DIM, x + WIDTH // 2)
            one = image[ya:yb, 0:xa, :]
            two = tf.zeros([yb - ya, xb - xa, 3])
            three = image[ya:yb, xb:DIM, :]
            middle = tf.concat([one, two, three], axis=1)
            image = tf.concat([image[0:ya, :, :], middle, image[yb:DIM, :, :]], axis=0)
        return tf.reshape(image, [DIM, DIM, 3])

    images = np.stack([picture(i, 8, 8) for i in range(5)]).astype(np.float32) / 255
    ds = tf.data.Dataset.from_tensor_slices(images).map(dropout, num_parallel_calls=AUTO).batch(5)
    return drawn(ds)
