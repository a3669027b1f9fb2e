"""Boxes: RetinaNet's anchors, VOC and COCO records, YOLO's targets, ragged boxes."""

import numpy as np

from tests.realworld.inputs import jpeg, picture, write, write_png
from tests.realworld.library import tf
from tests.realworld.pipeline import missing

BATCH = 2
YOLO_MAX_BOXES = 5
ANCHORS = np.array([(10, 13), (16, 30), (33, 23), (62, 45), (59, 119), (116, 90)], np.float32) / 128
MASKS = np.array([[3, 4, 5], [0, 1, 2]])


def swap_xy(boxes):
    return tf.stack([boxes[:, 1], boxes[:, 0], boxes[:, 3], boxes[:, 2]], axis=-1)


def convert_to_xywh(boxes):
    return tf.concat(
        [(boxes[..., :2] + boxes[..., 2:]) / 2.0, boxes[..., 2:] - boxes[..., :2]], axis=-1
    )


def convert_to_corners(boxes):
    half = boxes[..., 2:] / 2.0
    return tf.concat([boxes[..., :2] - half, boxes[..., :2] + half], axis=-1)


def resize_and_pad_image(image, min_side=12.0, max_side=20.0, jitter=None, stride=8.0):
    image_shape = tf.cast(tf.shape(image)[:2], dtype=tf.float32)
    if jitter is not None:
        min_side = tf.random.uniform((), jitter[0], jitter[1], dtype=tf.float32)
    ratio = min_side / tf.reduce_min(image_shape)
    if ratio * tf.reduce_max(image_shape) > max_side:
        ratio = max_side / tf.reduce_max(image_shape)
    image_shape = ratio * image_shape
    image = tf.image.resize(image, tf.cast(image_shape, dtype=tf.int32))
    padded = tf.cast(tf.math.ceil(image_shape / stride) * stride, dtype=tf.int32)
    image = tf.image.pad_to_bounding_box(image, 0, 0, padded[0], padded[1])
    return image, image_shape, ratio


def samples(n=5):
    rng = np.random.default_rng(21)
    for i in range(n):
        boxes = np.sort(rng.random((i % 3 + 1, 2, 2)), axis=1).reshape(-1, 4)
        yield {
            "image": picture(i, 8 + i, 14),
            "objects": {
                "bbox": boxes.astype(np.float32),
                "label": rng.integers(0, 4, len(boxes)),
            },
        }


def detection_dataset():
    return tf.data.Dataset.from_generator(
        samples,
        output_signature={
            "image": tf.TensorSpec((None, None, 3), tf.uint8),
            "objects": {
                "bbox": tf.TensorSpec((None, 4), tf.float32),
                "label": tf.TensorSpec((None,), tf.int64),
            },
        },
    )


def preprocess_data(sample):
    image = sample["image"]
    bbox = swap_xy(sample["objects"]["bbox"])
    class_id = tf.cast(sample["objects"]["label"], dtype=tf.int32)
    image, image_shape, _ = resize_and_pad_image(image, jitter=None)
    bbox = tf.stack(
        [
            bbox[:, 0] * image_shape[1],
            bbox[:, 1] * image_shape[0],
            bbox[:, 2] * image_shape[1],
            bbox[:, 3] * image_shape[0],
        ],
        axis=-1,
    )
    return image, convert_to_xywh(bbox), class_id


class AnchorBox:
    """Anchors of several sizes at every place of several grids."""

    def __init__(self):
        self.aspect_ratios = [0.5, 1.0, 2.0]
        self.scales = [2**x for x in [0, 1 / 3, 2 / 3]]
        self._num_anchors = len(self.aspect_ratios) * len(self.scales)
        self._strides = [2**i for i in range(3, 5)]
        self._areas = [x**2 for x in [8.0, 16.0]]
        self._anchor_dims = self._compute_dims()

    def _compute_dims(self):
        anchor_dims_all = []
        for area in self._areas:
            anchor_dims = []
            for ratio in self.aspect_ratios:
                height = tf.math.sqrt(area / ratio)
                width = area / height
                dims = tf.reshape(tf.stack([width, height], axis=-1), [1, 1, 2])
                for scale in self.scales:
                    anchor_dims.append(scale * dims)
            anchor_dims_all.append(tf.stack(anchor_dims, axis=-2))
        return anchor_dims_all

    def _get_anchors(self, feature_height, feature_width, level):
        rx = tf.range(feature_width, dtype=tf.float32) + 0.5
        ry = tf.range(feature_height, dtype=tf.float32) + 0.5
        centers = tf.stack(tf.meshgrid(rx, ry), axis=-1) * self._strides[level - 3]
        centers = tf.expand_dims(centers, axis=-2)
        centers = tf.tile(centers, [1, 1, self._num_anchors, 1])
        dims = tf.tile(self._anchor_dims[level - 3], [feature_height, feature_width, 1, 1])
        anchors = tf.concat([centers, dims], axis=-1)
        return tf.reshape(anchors, [feature_height * feature_width * self._num_anchors, 4])

    def get_anchors(self, image_height, image_width):
        anchors = [
            self._get_anchors(
                tf.math.ceil(image_height / 2**i), tf.math.ceil(image_width / 2**i), i
            )
            for i in range(3, 5)
        ]
        return tf.concat(anchors, axis=0)


def compute_iou(boxes1, boxes2):
    corners1, corners2 = convert_to_corners(boxes1), convert_to_corners(boxes2)
    lu = tf.maximum(corners1[:, None, :2], corners2[:, :2])
    rd = tf.minimum(corners1[:, None, 2:], corners2[:, 2:])
    intersection = tf.maximum(0.0, rd - lu)
    area = intersection[:, :, 0] * intersection[:, :, 1]
    area1, area2 = boxes1[:, 2] * boxes1[:, 3], boxes2[:, 2] * boxes2[:, 3]
    union = tf.maximum(area1[:, None] + area2 - area, 1e-8)
    return tf.clip_by_value(area / union, 0.0, 1.0)


class LabelEncoder:
    """Targets for every anchor of a batch of images."""

    def __init__(self):
        self._anchor_box = AnchorBox()
        self._box_variance = tf.convert_to_tensor([0.1, 0.1, 0.2, 0.2], dtype=tf.float32)

    def _match(self, anchors, gt_boxes, match_iou=0.4, ignore_iou=0.3):
        iou = compute_iou(anchors, gt_boxes)
        max_iou = tf.reduce_max(iou, axis=1)
        matched = tf.argmax(iou, axis=1)
        positive = tf.greater_equal(max_iou, match_iou)
        negative = tf.less(max_iou, ignore_iou)
        ignore = tf.logical_not(tf.logical_or(positive, negative))
        return matched, tf.cast(positive, tf.float32), tf.cast(ignore, tf.float32)

    def _encode_sample(self, image_shape, gt_boxes, cls_ids):
        anchors = self._anchor_box.get_anchors(image_shape[1], image_shape[2])
        cls_ids = tf.cast(cls_ids, dtype=tf.float32)
        matched, positive, ignore = self._match(anchors, gt_boxes)
        matched_boxes = tf.gather(gt_boxes, matched)
        target = tf.concat(
            [
                (matched_boxes[:, :2] - anchors[:, :2]) / anchors[:, 2:],
                tf.math.log(matched_boxes[:, 2:] / anchors[:, 2:]),
            ],
            axis=-1,
        )
        target = target / self._box_variance
        cls_target = tf.where(tf.not_equal(positive, 1.0), -1.0, tf.gather(cls_ids, matched))
        cls_target = tf.where(tf.equal(ignore, 1.0), -2.0, cls_target)
        return tf.concat([target, tf.expand_dims(cls_target, axis=-1)], axis=-1)

    def encode_batch(self, batch_images, gt_boxes, cls_ids):
        images_shape = tf.shape(batch_images)
        batch_size = images_shape[0]
        labels = tf.TensorArray(dtype=tf.float32, size=batch_size, dynamic_size=True)
        for i in range(batch_size):
            label = self._encode_sample(images_shape, gt_boxes[i], cls_ids[i])
            labels = labels.write(i, label)
        means = tf.constant([103.939, 116.779, 123.68])
        return batch_images - means, labels.stack()


def pipeline_anchors():
    return AnchorBox().get_anchors(16, 24)


def pipeline_resized_and_padded():
    ds = detection_dataset().map(preprocess_data, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.padded_batch(batch_size=BATCH, padding_values=(0.0, 1e-8, -1), drop_remainder=True)


def pipeline_targets_of_anchors():
    encoder = LabelEncoder()
    ds = detection_dataset().map(preprocess_data)
    ds = ds.padded_batch(batch_size=BATCH, padding_values=(0.0, 1e-8, -1), drop_remainder=True)
    ds = ds.map(encoder.encode_batch, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.apply(tf.data.experimental.ignore_errors())


def write_boxes(path, n=4):
    rng = np.random.default_rng(8)
    names = [b"cat", b"dog", b"person"]
    with tf.io.TFRecordWriter(path) as writer:
        for i in range(n):
            m = i % 3
            corners = np.sort(rng.random((2, m)), axis=0), np.sort(rng.random((2, m)), axis=0)

            def floats(values):
                return tf.train.Feature(float_list=tf.train.FloatList(value=values))

            def text(values):
                return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))

            feature = {
                "image/encoded": text([jpeg("s444")]),
                "image/object/bbox/xmin": floats(corners[0][0].tolist()),
                "image/object/bbox/xmax": floats(corners[0][1].tolist()),
                "image/object/bbox/ymin": floats(corners[1][0].tolist()),
                "image/object/bbox/ymax": floats(corners[1][1].tolist()),
                "image/object/class/text": text([names[k % 3] for k in range(m)]),
            }
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())


IMAGE_FEATURE_MAP = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/object/bbox/xmin": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/ymin": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/xmax": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/ymax": tf.io.VarLenFeature(tf.float32),
    "image/object/class/text": tf.io.VarLenFeature(tf.string),
}


def parse_tfrecord(tfrecord, class_table, size):
    x = tf.io.parse_single_example(tfrecord, IMAGE_FEATURE_MAP)
    x_train = tf.image.decode_jpeg(x["image/encoded"], channels=3)
    x_train = tf.image.resize(x_train, (size, size), antialias=True)
    class_text = tf.sparse.to_dense(x["image/object/class/text"], default_value="")
    labels = tf.cast(class_table.lookup(class_text), tf.float32)
    y_train = tf.stack(
        [
            tf.sparse.to_dense(x["image/object/bbox/xmin"]),
            tf.sparse.to_dense(x["image/object/bbox/ymin"]),
            tf.sparse.to_dense(x["image/object/bbox/xmax"]),
            tf.sparse.to_dense(x["image/object/bbox/ymax"]),
            labels,
        ],
        axis=1,
    )
    paddings = [[0, YOLO_MAX_BOXES - tf.shape(y_train)[0]], [0, 0]]
    return x_train, tf.pad(y_train, paddings)


def pipeline_yolo_records():
    write_boxes("voc.tfrecord")
    write("voc.names", "person\ncat\ndog\n")
    class_table = tf.lookup.StaticHashTable(
        tf.lookup.TextFileInitializer(
            "voc.names", tf.string, 0, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER, delimiter="\n"
        ),
        -1,
    )
    files = tf.data.Dataset.list_files("*.tfrecord")
    dataset = files.flat_map(tf.data.TFRecordDataset)
    return dataset.map(lambda x: parse_tfrecord(x, class_table, 12)).batch(2)


@tf.function
def transform_targets_for_output(y_true, grid_size, anchor_idxs):
    n = tf.shape(y_true)[0]
    y_true_out = tf.zeros((n, grid_size, grid_size, tf.shape(anchor_idxs)[0], 6))
    anchor_idxs = tf.cast(anchor_idxs, tf.int32)
    indexes = tf.TensorArray(tf.int32, 1, dynamic_size=True)
    updates = tf.TensorArray(tf.float32, 1, dynamic_size=True)
    idx = 0
    for i in tf.range(n):
        for j in tf.range(tf.shape(y_true)[1]):
            if tf.equal(y_true[i][j][2], 0):
                continue
            anchor_eq = tf.equal(anchor_idxs, tf.cast(y_true[i][j][5], tf.int32))
            if tf.reduce_any(anchor_eq):
                box = y_true[i][j][0:4]
                box_xy = (y_true[i][j][0:2] + y_true[i][j][2:4]) / 2
                anchor_idx = tf.cast(tf.where(anchor_eq), tf.int32)
                grid_xy = tf.cast(box_xy // (1 / grid_size), tf.int32)
                indexes = indexes.write(idx, [i, grid_xy[1], grid_xy[0], anchor_idx[0][0]])
                updates = updates.write(idx, [box[0], box[1], box[2], box[3], 1, y_true[i][j][4]])
                idx += 1
    return tf.tensor_scatter_nd_update(y_true_out, indexes.stack(), updates.stack())


def transform_targets(y_train, anchors, anchor_masks, size):
    y_outs = []
    grid_size = size // 32
    anchors = tf.cast(anchors, tf.float32)
    anchor_area = anchors[..., 0] * anchors[..., 1]
    box_wh = y_train[..., 2:4] - y_train[..., 0:2]
    box_wh = tf.tile(tf.expand_dims(box_wh, -2), (1, 1, tf.shape(anchors)[0], 1))
    box_area = box_wh[..., 0] * box_wh[..., 1]
    intersection = tf.minimum(box_wh[..., 0], anchors[..., 0]) * tf.minimum(
        box_wh[..., 1], anchors[..., 1]
    )
    iou = intersection / (box_area + anchor_area - intersection)
    anchor_idx = tf.cast(tf.argmax(iou, axis=-1), tf.float32)
    anchor_idx = tf.expand_dims(anchor_idx, axis=-1)
    y_train = tf.concat([y_train, anchor_idx], axis=-1)
    for anchor_idxs in anchor_masks:
        y_outs.append(transform_targets_for_output(y_train, grid_size, anchor_idxs))
        grid_size *= 2
    return tuple(y_outs)


def pipeline_yolo_targets():
    y_train = np.zeros((2, YOLO_MAX_BOXES, 5), np.float32)
    y_train[0, 0] = [0.1, 0.2, 0.5, 0.7, 3]
    y_train[1, 0] = [0.4, 0.4, 0.45, 0.5, 1]
    y_train[1, 1] = [0.0, 0.1, 0.9, 0.8, 2]
    ds = tf.data.Dataset.from_tensor_slices(y_train).batch(2)
    return ds.map(lambda y: transform_targets(y, ANCHORS, MASKS, 64))


def pipeline_yolo_targets_called_directly():
    y_train = np.zeros((1, 2, 6), np.float32)
    y_train[0, 0] = [0.1, 0.2, 0.5, 0.7, 3, 1]
    return transform_targets_for_output(tf.constant(y_train), 2, np.array([0, 1, 2]))


@missing("a function that casts a row of a ragged value is not recorded")
def pipeline_ragged_boxes():
    paths = [write_png(f"voc/{i}.png", picture(i, 6, 6)) for i in range(4)]
    bbox = [[[1.0, 2, 3, 4]], [[0, 0, 2, 2], [1, 1, 5, 5]], [[2, 2, 3, 3]], [[0, 1, 2, 3]] * 3]
    classes = [[0], [1, 2], [3], [0, 0, 1]]
    bbox = tf.ragged.constant(bbox)
    classes = tf.ragged.constant(classes)
    image_paths = tf.ragged.constant(paths)
    data = tf.data.Dataset.from_tensor_slices((image_paths, classes, bbox))
    num_val = int(len(paths) * 0.25)
    val_data = data.take(num_val)
    train_data = data.skip(num_val)

    def load_dataset(image_path, classes, bbox):
        image = tf.image.decode_png(tf.io.read_file(image_path), channels=3)
        boxes = {"classes": tf.cast(classes, dtype=tf.float32), "boxes": bbox}
        return {"images": tf.cast(image, tf.float32), "bounding_boxes": boxes}

    train = train_data.map(load_dataset, num_parallel_calls=tf.data.AUTOTUNE)
    train = train.ragged_batch(3, drop_remainder=True)

    def dict_to_tuple(inputs):
        return inputs["images"], inputs["bounding_boxes"]

    def dense(images, boxes):
        padded = boxes["boxes"].to_tensor(default_value=-1, shape=[None, 4, 4])
        return images, padded, boxes["classes"].to_tensor(-1)

    val = val_data.map(load_dataset).map(dict_to_tuple)
    return {"train": train.map(dict_to_tuple).map(dense), "val": val}


def pipeline_boxes_drawn_and_cropped():
    images = np.stack([picture(i, 12, 12) for i in range(2)]).astype(np.float32) / 255
    boxes = np.array([[[0.1, 0.1, 0.6, 0.7]], [[0.2, 0.0, 0.9, 0.9]]], np.float32)
    ds = tf.data.Dataset.from_tensor_slices((images, boxes)).batch(2)

    def crops(image, box):
        colours = np.array([[1.0, 0.0, 0.0]])
        shown = tf.image.draw_bounding_boxes(image, box, colours)
        cut = tf.image.crop_and_resize(
            image, box[:, 0], box_indices=tf.range(tf.shape(image)[0]), crop_size=[5, 5]
        )
        return {"shown": shown, "cut": cut}

    keep = tf.image.non_max_suppression(
        [[0, 0, 1, 1], [0, 0, 0.9, 1], [0, 0, 0.2, (0.2).real]],
        [0.5, 0.9, 0.3],
        2,
        iou_threshold=0.5,
    )
    return {"ds": ds.map(crops), "keep": keep}
