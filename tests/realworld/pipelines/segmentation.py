"""Images with masks, and images that become images: pets, CamVid, pix2pix, low light."""

import os
from glob import glob

import numpy as np

from tests.realworld.inputs import picture, write_png
from tests.realworld.library import tf
from tests.realworld.pipeline import drawn

AUTOTUNE = tf.data.AUTOTUNE
IMG_SIZE = (8, 8)
IMAGE_SIZE = 6
OUTPUT_CLASSES = 3
BATCH_SIZE = 2


def pets(n=5):
    for i in range(n):
        write_png(f"images/pet_{i}.png", picture(i, 10, 9))
        write_png(f"annotations/pet_{i}.png", picture(50 + i, 10, 9, 1) % 3 + 1)
    inputs = sorted(
        os.path.join("images", name) for name in os.listdir("images") if name.endswith(".png")
    )
    targets = sorted(
        os.path.join("annotations", name)
        for name in os.listdir("annotations")
        if name.endswith(".png") and not name.startswith(".")
    )
    return inputs, targets


def get_dataset(batch_size, img_size, input_img_paths, target_img_paths, max_dataset_len=None):
    def load_img_masks(input_img_path, target_img_path):
        input_img = tf.io.read_file(input_img_path)
        input_img = tf.io.decode_png(input_img, channels=3)
        input_img = tf.image.resize(input_img, img_size)
        input_img = tf.image.convert_image_dtype(input_img, "float32")

        target_img = tf.io.read_file(target_img_path)
        target_img = tf.io.decode_png(target_img, channels=1)
        target_img = tf.image.resize(target_img, img_size, method="nearest")
        target_img = tf.image.convert_image_dtype(target_img, "uint8")
        target_img -= 1
        return input_img, target_img

    if max_dataset_len:
        input_img_paths = input_img_paths[:max_dataset_len]
        target_img_paths = target_img_paths[:max_dataset_len]
    dataset = tf.data.Dataset.from_tensor_slices((input_img_paths, target_img_paths))
    dataset = dataset.map(load_img_masks, num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.batch(batch_size)


def pipeline_masks_with_nearest():
    inputs, targets = pets()
    val_samples = 2
    train = get_dataset(BATCH_SIZE, IMG_SIZE, inputs[:-val_samples], targets[:-val_samples])
    val = get_dataset(BATCH_SIZE, IMG_SIZE, inputs[-val_samples:], targets[-val_samples:], 1)
    return {"train": train, "val": val}


def normalize(input_image, input_mask):
    input_image = tf.cast(input_image, tf.float32) / 255.0
    input_mask -= 1
    return input_image, input_mask


@tf.function
def load_image_train(datapoint):
    input_image = tf.image.resize(datapoint["image"], IMG_SIZE)
    input_mask = tf.image.resize(datapoint["segmentation_mask"], IMG_SIZE)
    if tf.reduce_mean(input_image) > 127.0:
        input_image = tf.image.flip_left_right(input_image)
        input_mask = tf.image.flip_left_right(input_mask)
    return normalize(input_image, input_mask)


def pipeline_oxford_style():
    info = {"train": 5}
    images = np.stack([picture(i, 10, 10) for i in range(5)])
    masks = np.stack([picture(70 + i, 10, 10, 1)[..., None] % 3 + 1 for i in range(5)])
    dataset = tf.data.Dataset.from_tensor_slices({"image": images, "segmentation_mask": masks})
    steps = info["train"] // BATCH_SIZE
    train_images = dataset.map(load_image_train, num_parallel_calls=AUTOTUNE)
    batches = (
        train_images.cache()
        .shuffle(10, seed=4)
        .batch(BATCH_SIZE)
        .repeat()
        .map(lambda x, y: (tf.image.flip_up_down(x), tf.image.flip_up_down(y)))
        .prefetch(buffer_size=AUTOTUNE)
    )

    def add_sample_weights(image, label):
        class_weights = tf.constant([2.0, 2.0, 1.0])
        class_weights = class_weights / tf.reduce_sum(class_weights)
        sample_weights = tf.gather(class_weights, indices=tf.cast(label, tf.int32))
        return image, label, sample_weights

    return batches.take(steps).map(add_sample_weights)


def load(image_file):
    image = tf.io.read_file(image_file)
    image = tf.io.decode_jpeg(image)
    w = tf.shape(image)[1]
    w = w // 2
    input_image = image[:, w:, :]
    real_image = image[:, :w, :]
    return tf.cast(input_image, tf.float32), tf.cast(real_image, tf.float32)


def resize(input_image, real_image, height, width):
    method = tf.image.ResizeMethod.NEAREST_NEIGHBOR
    input_image = tf.image.resize(input_image, [height, width], method=method)
    return input_image, tf.image.resize(real_image, [height, width], method=method)


@tf.function()
def random_jitter(input_image, real_image):
    input_image, real_image = resize(input_image, real_image, 9, 9)
    stacked_image = tf.stack([input_image, real_image], axis=0)
    cropped = tf.image.random_crop(stacked_image, size=[2, IMAGE_SIZE, IMAGE_SIZE, 3])
    input_image, real_image = cropped[0], cropped[1]
    if tf.random.uniform(()) > 0.5:
        input_image = tf.image.flip_left_right(input_image)
        real_image = tf.image.flip_left_right(real_image)
    return input_image, real_image


def pipeline_pairs_in_one_picture():
    for i in range(4):
        write_png(f"facades/{'train' if i else 'test'}/{i}.jpg", picture(i, 8, 16))

    def rescale(input_image, real_image):
        return (input_image / 127.5) - 1, (real_image / 127.5) - 1

    def load_image_test(image_file):
        return rescale(*resize(*load(image_file), IMAGE_SIZE, IMAGE_SIZE))

    def load_image_train(image_file):
        input_image, real_image = load(image_file)
        return rescale(*random_jitter(input_image, real_image))

    inp, re = load("facades/train/1.jpg")
    train = tf.data.Dataset.list_files("facades/train/*.jpg")
    train = train.map(load_image_train, num_parallel_calls=tf.data.AUTOTUNE)
    train = train.shuffle(400).batch(1)
    try:
        test = tf.data.Dataset.list_files("facades/test/*.jpg")
    except tf.errors.InvalidArgumentError:
        test = tf.data.Dataset.list_files("facades/val/*.jpg")
    test = test.map(load_image_test).batch(1)
    return {
        "shapes": [inp.shape, re.shape.as_list()],
        "train": drawn(train, -1, 1),
        "test": test,
    }


def pipeline_low_light_crops():
    for i in range(4):
        write_png(f"our485/low/{i}.png", picture(i, 10, 12) // 4)
        write_png(f"our485/high/{i}.png", picture(i, 10, 12))
    low = sorted(glob("./our485/low/*"))
    high = sorted(glob("./our485/high/*"))

    def read_image(image_path):
        image = tf.io.read_file(image_path)
        image = tf.image.decode_png(image, channels=3)
        image.set_shape([None, None, 3])
        return tf.cast(image, dtype=tf.float32) / 255.0

    def random_crop(low_image, enhanced_image):
        shape = tf.shape(low_image)[:2]
        low_w = tf.random.uniform(shape=(), maxval=shape[1] - IMAGE_SIZE + 1, dtype=tf.int32)
        low_h = tf.random.uniform(shape=(), maxval=shape[0] - IMAGE_SIZE + 1, dtype=tf.int32)
        low_crop = low_image[low_h : low_h + IMAGE_SIZE, low_w : low_w + IMAGE_SIZE]
        high_crop = enhanced_image[low_h : low_h + IMAGE_SIZE, low_w : low_w + IMAGE_SIZE]
        low_crop.set_shape([IMAGE_SIZE, IMAGE_SIZE, 3])
        high_crop.set_shape([IMAGE_SIZE, IMAGE_SIZE, 3])
        return low_crop, high_crop

    def load_data(low_path, high_path):
        return random_crop(read_image(low_path), read_image(high_path))

    dataset = tf.data.Dataset.from_tensor_slices((low, high))
    dataset = dataset.map(load_data, num_parallel_calls=tf.data.AUTOTUNE)
    dataset = dataset.batch(BATCH_SIZE, drop_remainder=True)
    whole = tf.data.Dataset.from_tensor_slices((low)).map(
        lambda p: tf.image.resize(images=read_image(p), size=[4, 4]) / 2.0
    )
    spec = dataset.element_spec[0].shape.as_list()
    return {"crops": drawn(dataset), "whole": whole.batch(4), "spec": spec}


def pipeline_colour_masks_to_classes():
    palette = [(0, 0, 0), (128, 0, 0), (0, 128, 0), (128, 128, 0)]
    rng = np.random.default_rng(4)
    index = rng.integers(0, 4, (3, 6, 7))
    for i in range(3):
        write_png(f"masks/{i}.png", np.array(palette, np.uint8)[index[i]])

    def one_hot_of(path):
        mask = tf.image.decode_png(tf.io.read_file(path), channels=3)
        semantic_map = []
        for colour in palette:
            class_map = tf.reduce_all(tf.equal(mask, colour), axis=-1)
            semantic_map.append(class_map)
        semantic_map = tf.cast(tf.stack(semantic_map, axis=-1), tf.float32)
        classes = tf.argmax(semantic_map, axis=-1, output_type=tf.int32)
        return semantic_map, classes[..., tf.newaxis]

    ds = tf.data.Dataset.list_files("masks/*.png", shuffle=False).map(one_hot_of)

    def counted(semantic_map, classes):
        flat = tf.reshape(classes, [-1])
        return tf.math.bincount(flat, minlength=4, maxlength=4)

    histogram = ds.map(counted).reduce(np.zeros(4, np.int32), lambda a, b: a + b)
    return {"ds": ds.padded_batch(3), "histogram": histogram.numpy()}


def pipeline_crops_of_three():
    num_classes = 4
    for i in range(3):
        write_png(f"base/images_{i}.png", picture(i, 9, 9))
        write_png(f"base/segmentation_map_{i}.png", picture(i + 9, 9, 9))
        write_png(f"base/labels_{i}.png", picture(i, 9, 9, 1) % num_classes)

    def load_all(image_files, batch_size, is_train=True):
        def _crop(segmentation_map, image, labels):
            crop_size = tf.convert_to_tensor((IMAGE_SIZE, IMAGE_SIZE))
            image_shape = tf.shape(image)[:2]
            margins = image_shape - crop_size
            y1 = margins[0] // 2
            x1 = margins[1] // 3
            y2 = y1 + crop_size[0]
            x2 = x1 + crop_size[1]
            return [img[y1:y2, x1:x2] for img in (segmentation_map, image, labels)]

        def _load(image_file, map_file, label_file):
            image = tf.image.decode_png(tf.io.read_file(image_file), channels=3)
            seg = tf.image.decode_png(tf.io.read_file(map_file), channels=3)
            labels = tf.squeeze(tf.image.decode_image(tf.io.read_file(label_file), channels=0))
            image = tf.cast(image, tf.float32) / 127.5 - 1
            return tf.cast(seg, tf.float32) / 127.5 - 1, image, labels

        def _one_hot(seg, image, labels):
            labels = tf.one_hot(labels, num_classes)
            labels.set_shape((None, None, num_classes))
            return seg, image, labels

        maps = [f.replace("images", "segmentation_map") for f in image_files]
        labels = [f.replace("images", "labels") for f in image_files]
        ds = tf.data.Dataset.from_tensor_slices((image_files, maps, labels))
        ds = ds.shuffle(batch_size * 10) if is_train else ds
        ds = ds.map(_load, num_parallel_calls=AUTOTUNE)
        ds = ds.map(_crop, num_parallel_calls=AUTOTUNE)
        ds = ds.map(_one_hot, num_parallel_calls=AUTOTUNE)
        return ds.batch(batch_size, drop_remainder=True)

    files = sorted(glob("base/images_*.png"))
    return load_all(files, batch_size=1, is_train=False)


def pipeline_super_resolution():
    def flip_left_right(lowres, highres):
        rn = tf.random.uniform(shape=(), maxval=1)
        return tf.cond(
            rn < 0.5,
            lambda: (lowres, highres),
            lambda: (tf.image.flip_left_right(lowres), tf.image.flip_left_right(highres)),
        )

    def random_rotate(lowres, highres):
        rn = tf.random.uniform(shape=(), maxval=4, dtype=tf.int32)
        return tf.image.rot90(lowres, rn), tf.image.rot90(highres, rn)

    def random_crop(lowres, highres, hr_crop_size=8, scale=2):
        lr_crop_size = hr_crop_size // scale
        lr_shape = tf.shape(lowres)[:2]
        lw = tf.random.uniform((), maxval=lr_shape[1] - lr_crop_size + 1, dtype=tf.int32)
        lh = tf.random.uniform((), maxval=lr_shape[0] - lr_crop_size + 1, dtype=tf.int32)
        hw, hh = lw * scale, lh * scale
        low = lowres[lh : lh + lr_crop_size, lw : lw + lr_crop_size]
        return low, highres[hh : hh + hr_crop_size, hw : hw + hr_crop_size]

    high = np.stack([picture(i, 12, 12) for i in range(4)])
    low = tf.image.resize(high, (6, 6), method="bicubic", antialias=True)
    low = tf.cast(tf.clip_by_value(tf.round(low), 0, 255), tf.uint8)
    cache = tf.data.Dataset.from_tensor_slices((low, high)).cache()

    def dataset_object(dataset_cache, training=True):
        ds = dataset_cache
        ds = ds.map(lambda lo, hi: random_crop(lo, hi), num_parallel_calls=AUTOTUNE)
        if training:
            ds = ds.map(random_rotate, num_parallel_calls=AUTOTUNE)
            ds = ds.map(flip_left_right, num_parallel_calls=AUTOTUNE)
        ds = ds.batch(2)
        if training:
            ds = ds.repeat()
        return ds.prefetch(buffer_size=AUTOTUNE)

    psnr = tf.image.psnr(high[:2], high[1:3], max_val=255).numpy()
    ssim = tf.image.ssim(tf.constant(high[:1]), high[1:2], max_val=255, filter_size=5)
    return {
        "low": low,
        "train": drawn(dataset_object(cache).take(3), 0, 255),
        "val": drawn(dataset_object(cache, training=False), 0, 255),
        "psnr": psnr,
        "ssim": ssim,
    }
