"""Several images at once: triplets, two views, styles, captions, MixUp, CutMix, GANs."""

import os
import re
from functools import partial
from pathlib import Path

import numpy as np

from tests.realworld.inputs import picture, write_pictures, write_png
from tests.realworld.library import tf
from tests.realworld.pipeline import drawn

AUTO = tf.data.AUTOTUNE
BATCH_SIZE = 4
SEED = 26
target_shape = (6, 6)


def preprocess_image(filename):
    image_string = tf.io.read_file(filename)
    image = tf.image.decode_jpeg(image_string, channels=3)
    image = tf.image.convert_image_dtype(image, tf.float32)
    return tf.image.resize(image, target_shape)


def preprocess_triplets(anchor, positive, negative):
    return (preprocess_image(anchor), preprocess_image(positive), preprocess_image(negative))


def pipeline_triplets():
    for i in range(5):
        write_png(f"cache/left/{i:02d}.jpg", picture(i))
        write_png(f"cache/right/{i:02d}.jpg", picture(100 + i))
    left, right = Path("cache") / "left", Path("cache") / "right"
    anchor_images = sorted([str(left / f) for f in os.listdir(left)])
    positive_images = sorted([str(right / f) for f in os.listdir(right)])
    image_count = len(anchor_images)
    anchor_dataset = tf.data.Dataset.from_tensor_slices(anchor_images)
    positive_dataset = tf.data.Dataset.from_tensor_slices(positive_images)
    rng = np.random.RandomState(seed=42)
    rng.shuffle(anchor_images)
    rng.shuffle(positive_images)
    negative_images = anchor_images + positive_images
    np.random.RandomState(seed=32).shuffle(negative_images)
    negative_dataset = tf.data.Dataset.from_tensor_slices(negative_images)
    negative_dataset = negative_dataset.shuffle(buffer_size=4096, seed=9)
    dataset = tf.data.Dataset.zip((anchor_dataset, positive_dataset, negative_dataset))
    dataset = dataset.shuffle(buffer_size=1024, seed=10, reshuffle_each_iteration=False)
    dataset = dataset.map(preprocess_triplets)
    train = dataset.take(round(image_count * 0.8)).batch(32, drop_remainder=False).prefetch(8)
    val = dataset.skip(round(image_count * 0.8)).batch(32, drop_remainder=False)
    first = [x.shape for x in list(train.take(1).as_numpy_iterator())[0]]
    return {"train": train, "val": val, "first": first}


def pipeline_pairs_from_lists():
    paths = write_pictures("siamese", ["anchor", "other"], each=4)
    anchor = tf.data.Dataset.list_files("siamese/anchor/*.png", shuffle=False).take(4)
    negative = tf.data.Dataset.list_files(
        os.path.join("siamese", "other") + "/*.png", shuffle=False
    )
    positives = tf.data.Dataset.zip(
        (anchor, anchor, tf.data.Dataset.from_tensor_slices(tf.ones(len(anchor))))
    )
    negatives = tf.data.Dataset.zip(
        (anchor, negative, tf.data.Dataset.from_tensor_slices(tf.zeros(len(anchor))))
    )
    data = positives.concatenate(negatives)

    def preprocess(file_path):
        byte_img = tf.io.read_file(file_path)
        img = tf.io.decode_jpeg(byte_img)
        img = tf.image.resize(img, (4, 4))
        return img / 255.0

    def preprocess_twin(input_img, validation_img, label):
        return (preprocess(input_img), preprocess(validation_img), label)

    samples = data.as_numpy_iterator()
    exampple = samples.next()
    data = data.map(preprocess_twin).cache().shuffle(buffer_size=64, seed=3)
    train = data.take(round(len(data) * 0.7)).batch(4).prefetch(8)
    return {"train": train, "example": list(exampple), "n": len(paths)}


def random_resize_crop(image, scale=(0.75, 1.0), crop_size=5):
    image = tf.image.resize(image, (8, 8))
    size = tf.random.uniform(shape=(1,), minval=scale[0] * 8, maxval=scale[1] * 8, dtype=tf.float32)
    size = tf.cast(size, tf.int32)[0]
    crop = tf.image.random_crop(image, (size, size, 3))
    return tf.image.resize(crop, (crop_size, crop_size))


def flip_random_crop(image):
    image = tf.image.random_flip_left_right(image)
    return random_resize_crop(image)


@tf.function
def float_parameter(level, maxval):
    return tf.cast(level * maxval / 10.0, tf.float32)


def solarize(image, level=6):
    threshold = float_parameter(level, 1)
    return tf.where(image < threshold, image, 255 - image)


def color_drop(x):
    x = tf.image.rgb_to_grayscale(x)
    return tf.tile(x, [1, 1, 3])


@tf.function
def color_jitter(x, strength=0.5):
    x = tf.image.random_brightness(x, max_delta=0.8 * strength)
    x = tf.image.random_contrast(x, lower=1 - 0.8 * strength, upper=1 + 0.8 * strength)
    x = tf.image.random_saturation(x, lower=1 - 0.8 * strength, upper=1 + 0.8 * strength)
    x = tf.image.random_hue(x, max_delta=0.2 * strength)
    return tf.clip_by_value(x, 0, 255)


def random_apply(func, x, p):
    if tf.random.uniform([], minval=0, maxval=1) < p:
        return func(x)
    else:
        return x


def custom_augment(image):
    image = tf.cast(image, tf.float32)
    image = flip_random_crop(image)
    image = random_apply(color_jitter, image, p=0.8)
    image = random_apply(color_drop, image, p=0.2)
    image = random_apply(solarize, image, p=0.2)
    return image


def pipeline_two_views():
    x_train = np.stack([picture(i, 8, 8) for i in range(6)])
    one = tf.data.Dataset.from_tensor_slices(x_train)
    one = one.shuffle(1024, seed=SEED).map(custom_augment, num_parallel_calls=AUTO)
    one = one.batch(BATCH_SIZE).prefetch(AUTO)
    two = tf.data.Dataset.from_tensor_slices(x_train)
    two = two.shuffle(1024, seed=SEED).map(custom_augment, num_parallel_calls=AUTO)
    two = two.batch(BATCH_SIZE).prefetch(AUTO)
    plain_one = tf.data.Dataset.from_tensor_slices(x_train).shuffle(1024, seed=SEED)
    plain_two = tf.data.Dataset.from_tensor_slices(x_train).shuffle(1024, seed=SEED)
    same = [bool(tf.reduce_all(a == b)) for a, b in tf.data.Dataset.zip((plain_one, plain_two))]
    jittered = color_jitter(tf.constant(x_train[0], tf.float32))
    return {
        "both": drawn(tf.data.Dataset.zip((one, two)), -1, 256),
        "same": same,
        "jittered": drawn(jittered, 0, 255),
        "solarized": solarize(x_train[1].astype(np.float32)),
    }


class Augmentation:
    """A step that may or may not be done."""

    def random_execute(self, prob: float) -> bool:
        return tf.random.uniform([], minval=0, maxval=1) < prob


class RandomToGrayscale(Augmentation):
    @tf.function
    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        if self.random_execute(0.2):
            x = tf.image.rgb_to_grayscale(x)
            x = tf.tile(x, [1, 1, 3])
        return x


class RandomResizedCrop(Augmentation):
    def __init__(self, image_size):
        self.image_size = image_size

    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        rand_size = tf.random.uniform(
            shape=[], minval=int(0.75 * self.image_size), maxval=1 * self.image_size, dtype=tf.int32
        )
        crop = tf.image.random_crop(x, (rand_size, rand_size, 3))
        return tf.image.resize(crop, (self.image_size, self.image_size))


class RandomSolarize(Augmentation):
    @tf.function
    def __call__(self, x):
        if self.random_execute(0.2):
            x = tf.where(x < 10, x, 255 - x)
        return x


class RandomAugmentor:
    def __init__(self, image_size):
        self.steps = [RandomResizedCrop(image_size), RandomToGrayscale(), RandomSolarize()]

    def __call__(self, x):
        for step in self.steps:
            x = step(x)
        return tf.clip_by_value(x, 0, 255)


class BTDatasetCreator:
    def __init__(self, augmentor: RandomAugmentor, seed: int = 1024):
        self.options = tf.data.Options()
        self.options.threading.max_intra_op_parallelism = 1
        self.seed = seed
        self.augmentor = augmentor

    def augmented_version(self, ds: list) -> tf.data.Dataset:
        return (
            tf.data.Dataset.from_tensor_slices(ds)
            .shuffle(1000, seed=self.seed)
            .map(self.augmentor, num_parallel_calls=AUTO)
            .batch(BATCH_SIZE, drop_remainder=True)
            .prefetch(AUTO)
            .with_options(self.options)
        )

    def __call__(self, ds: list) -> tf.data.Dataset:
        a1, a2 = self.augmented_version(ds), self.augmented_version(ds)
        return tf.data.Dataset.zip((a1, a2)).with_options(self.options)


def pipeline_augmentation_classes():
    features = np.stack([picture(i, 8, 8) for i in range(9)])
    return drawn(BTDatasetCreator(RandomAugmentor(8))(features), 0, 255)


def sample_beta_distribution(size, concentration_0=0.2, concentration_1=0.2):
    gamma_1_sample = tf.random.gamma(shape=[size], alpha=concentration_1)
    gamma_2_sample = tf.random.gamma(shape=[size], alpha=concentration_0)
    return gamma_1_sample / (gamma_1_sample + gamma_2_sample)


def mix_up(ds_one, ds_two, alpha=0.2):
    images_one, labels_one = ds_one
    images_two, labels_two = ds_two
    batch_size = tf.shape(images_one)[0]
    l = sample_beta_distribution(batch_size, alpha, alpha)  # noqa: E741
    x_l = tf.reshape(l, (batch_size, 1, 1, 1))
    y_l = tf.reshape(l, (batch_size, 1))
    images = images_one * x_l + images_two * (1 - x_l)
    labels = labels_one * y_l + labels_two * (1 - y_l)
    return (images, labels)


def fashion():
    x = np.stack([picture(i, 6, 6, 1) for i in range(8)]).astype("float32") / 255.0
    y = tf.one_hot(np.arange(8) % 3, 3)
    return np.reshape(x, (-1, 6, 6, 1)), y


def pipeline_mixup():
    x, y = fashion()
    ds_one = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(BATCH_SIZE * 100).batch(BATCH_SIZE)
    ds_two = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(BATCH_SIZE * 100).batch(BATCH_SIZE)
    train_ds = tf.data.Dataset.zip((ds_one, ds_two))
    train_ds_mu = train_ds.map(
        lambda ds_one, ds_two: mix_up(ds_one, ds_two, alpha=0.2), num_parallel_calls=AUTO
    )
    sample_images, _ = next(iter(train_ds_mu))
    titles = [f"{i}: {image.numpy().squeeze().shape}" for i, image in enumerate(sample_images[:2])]
    return {"mixed": drawn(train_ds_mu), "titles": titles}


IMG_SIZE = 8


def get_box(lambda_value):
    cut_rat = tf.math.sqrt(1.0 - lambda_value)
    cut_w = tf.cast(IMG_SIZE * cut_rat, tf.int32)
    cut_h = tf.cast(IMG_SIZE * cut_rat, tf.int32)
    cut_x = tf.random.uniform((1,), minval=0, maxval=IMG_SIZE, dtype=tf.int32)
    cut_y = tf.random.uniform((1,), minval=0, maxval=IMG_SIZE, dtype=tf.int32)
    x1 = tf.clip_by_value(cut_x[0] - cut_w // 2, 0, IMG_SIZE)
    y1 = tf.clip_by_value(cut_y[0] - cut_h // 2, 0, IMG_SIZE)
    x2 = tf.clip_by_value(cut_x[0] + cut_w // 2, 0, IMG_SIZE)
    y2 = tf.clip_by_value(cut_y[0] + cut_h // 2, 0, IMG_SIZE)
    target_h = y2 - y1
    if target_h == 0:
        target_h += 1
    target_w = x2 - x1
    if target_w == 0:
        target_w += 1
    return x1, y1, target_h, target_w


def cutmix(train_ds_one, train_ds_two):
    (image1, label1), (image2, label2) = train_ds_one, train_ds_two
    lambda_value = sample_beta_distribution(1, [0.25], [0.25])
    lambda_value = lambda_value[0][0]
    x1, y1, target_h, target_w = get_box(lambda_value)
    crop2 = tf.image.crop_to_bounding_box(image2, y1, x1, target_h, target_w)
    image2 = tf.image.pad_to_bounding_box(crop2, y1, x1, IMG_SIZE, IMG_SIZE)
    crop1 = tf.image.crop_to_bounding_box(image1, y1, x1, target_h, target_w)
    img1 = tf.image.pad_to_bounding_box(crop1, y1, x1, IMG_SIZE, IMG_SIZE)
    image1 = image1 - img1
    image = image1 + image2
    lambda_value = 1 - (target_w * target_h) / (IMG_SIZE * IMG_SIZE)
    lambda_value = tf.cast(lambda_value, tf.float32)
    label = lambda_value * label1 + (1 - lambda_value) * label2
    return image, label


def preprocess_small(image, label):
    image = tf.image.resize(image, (IMG_SIZE, IMG_SIZE))
    image = tf.image.convert_image_dtype(image, tf.float32) / 255.0
    label = tf.cast(label, dtype="float32")
    return image, label


def pipeline_cutmix():
    x = np.stack([picture(i, 9, 9) for i in range(7)])
    y = np.eye(7)
    one = (
        tf.data.Dataset.from_tensor_slices((x, y))
        .shuffle(1024)
        .map(preprocess_small, num_parallel_calls=AUTO)
    )
    two = (
        tf.data.Dataset.from_tensor_slices((x, y))
        .shuffle(1024)
        .map(preprocess_small, num_parallel_calls=AUTO)
    )
    train_ds = tf.data.Dataset.zip((one, two))
    mixed = train_ds.shuffle(1024).map(cutmix, num_parallel_calls=AUTO).batch(3).prefetch(AUTO)
    plain = tf.data.Dataset.from_tensor_slices((x, y)).map(preprocess_small).batch(4)
    return {"mixed": drawn(mixed, -1e-5, 1.001), "plain": plain}


def pipeline_style_and_content():
    paths = write_pictures("artwork/resized", ["monet", "klee"], each=4)
    style_images = [os.path.join("artwork/resized", *p.split("/")[-2:]) for p in paths]
    np.random.seed(3)
    np.random.shuffle(style_images)
    total = len(style_images)
    train_style, val_style = style_images[: int(0.7 * total)], style_images[int(0.7 * total) :]

    def decode_and_resize(image_path):
        image = tf.io.read_file(image_path)
        image = tf.image.decode_jpeg(image, channels=3)
        image = tf.image.convert_image_dtype(image, dtype="float32")
        return tf.image.resize(image, (5, 5))

    def extract(element):
        image = tf.image.convert_image_dtype(element["image"], dtype="float32")
        return tf.image.resize(image, (5, 5))

    content = tf.data.Dataset.from_tensor_slices(
        {"image": np.stack([picture(i) for i in range(3)]), "label": [0, 1, 2]}
    )
    pairs = []
    for names in (train_style, val_style):
        style_ds = tf.data.Dataset.from_tensor_slices(names)
        style_ds = style_ds.map(decode_and_resize, num_parallel_calls=AUTO).repeat()
        pairs.append(tf.data.Dataset.zip((style_ds, content.map(extract).repeat())))
    train, val = (p.shuffle(4, seed=2).batch(2).prefetch(AUTO) for p in pairs)
    return {"train": train.take(2), "val": val.take(1), "card": train.cardinality().numpy()}


strip_chars = "!\"#$%&'()*+,-./:;=?@[\\]^_`{|}~"


def custom_standardization(input_string):
    lowercase = tf.strings.lower(input_string)
    return tf.strings.regex_replace(lowercase, "[%s]" % re.escape(strip_chars), "")


def pipeline_captions():
    paths = write_pictures("Flicker8k", ["img"], each=3)
    rng = np.random.default_rng(0)
    words = np.array(["A dog", "runs,", "on", "the (green)", "grass.", "Two", "men!"])
    captions = [
        ["<start> " + " ".join(rng.choice(words, 3 + k)) + " <end>" for k in range(2)]
        for _ in paths
    ]
    vocabulary = ["", "[UNK]", "<start>", "<end>", "a", "dog", "the", "green", "grass"]
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(
            tf.constant(vocabulary), tf.range(len(vocabulary), dtype=tf.int64)
        ),
        default_value=1,
    )

    def vectorize(text):
        tokens = tf.strings.split(custom_standardization(text))
        ids = tf.ragged.map_flat_values(table.lookup, tokens)
        return ids.to_tensor(shape=[None, 8])

    def decode_and_resize(img_path):
        img = tf.io.read_file(img_path)
        img = tf.image.decode_jpeg(img, channels=3)
        img = tf.image.resize(img, (4, 4))
        return tf.image.convert_image_dtype(img, tf.float32)

    def process_input(img_path, captions):
        return decode_and_resize(img_path), vectorize(captions)

    ds = tf.data.Dataset.from_tensor_slices((paths, captions))
    return ds.map(process_input, num_parallel_calls=AUTO).batch(2)


def pipeline_gan():
    digits = np.concatenate([picture(i, 6, 6, 1)[None] for i in range(10)])
    digits = digits.astype("float32") / 255.0
    digits = np.reshape(digits, (-1, 6, 6, 1))
    labels = np.eye(10)[np.arange(10)].astype("float32")
    dataset = tf.data.Dataset.from_tensor_slices((digits, labels))
    dataset = dataset.shuffle(buffer_size=1024, seed=6).batch(4)

    def one_step(real_images, one_hot_labels):
        batch_size = tf.shape(real_images)[0]
        maps = one_hot_labels[:, :, None, None]
        maps = tf.repeat(maps, repeats=[36])
        maps = tf.reshape(maps, (-1, 6, 6, 10))
        noise = tf.random.normal(shape=(batch_size, 2))
        return tf.concat([real_images, maps], -1), tf.concat([noise, one_hot_labels], axis=1)

    mixed = dataset.map(one_step)
    images = mixed.map(lambda images, latent: images)
    return {"images": images, "latent": drawn(mixed.map(lambda _, latent: latent), -9, 9)}


batch_sizes = {2: 4, 3: 2}


def resize_image(res, image):
    image = tf.image.resize(image, (res, res), method=tf.image.ResizeMethod.NEAREST_NEIGHBOR)
    return tf.cast(image, tf.float32) / 127.5 - 1.0


def pipeline_growing_resolution():
    ds_train = tf.data.Dataset.from_tensor_slices(np.stack([picture(i, 9, 9) for i in range(6)]))
    ds_train = ds_train.map(lambda x: tf.image.flip_left_right(x)).batch(4)

    def create_dataloader(res):
        batch_size = batch_sizes[int(np.log2(res))]
        dl = ds_train.map(partial(resize_image, res), num_parallel_calls=AUTO).unbatch()
        dl = dl.shuffle(200, seed=1).batch(batch_size, drop_remainder=True).prefetch(1).repeat()
        return dl

    return {str(res): create_dataloader(res).take(2) for res in (4, 8)}


def pipeline_centre_square_for_diffusion():
    data = tf.data.Dataset.from_generator(
        lambda: ({"image": picture(i, 8 + i, 12)} for i in range(4)),
        output_signature={"image": tf.TensorSpec((None, None, 3), tf.uint8)},
    )

    def preprocess(data):
        height = tf.shape(data["image"])[0]
        width = tf.shape(data["image"])[1]
        crop_size = tf.minimum(height, width)
        image = tf.image.crop_to_bounding_box(
            data["image"],
            (height - crop_size) // 2,
            (width - crop_size) // 2,
            crop_size,
            crop_size,
        )
        image = tf.image.resize(image, size=[5, 5], antialias=True)
        return tf.clip_by_value(image / 255.0, 0.0, 1.0)

    return (
        data.map(preprocess, num_parallel_calls=AUTO)
        .cache()
        .repeat(2)
        .shuffle(20, seed=8)
        .batch(3, drop_remainder=True)
        .prefetch(buffer_size=AUTO)
    )
