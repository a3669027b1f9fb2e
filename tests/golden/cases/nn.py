"""nn: TensorFlow's nn names that are functions of arrays."""

import numpy as np

from tests.golden.case import each

FLOATS = np.array([[0.5, -1.25, 2.0], [7.5, 0.0, -0.75]], np.float32)
INTS = np.array([[3, -1, 2], [0, 5, -7]], np.int32)
IMAGE = np.arange(60, dtype=np.float32).reshape(1, 5, 4, 3) % 7 - 3
WEIGHTS = np.arange(36, dtype=np.float32).reshape(2, 3, 3, 2) % 5 - 2
SEQUENCE = np.arange(12, dtype=np.float32).reshape(1, 6, 2) % 5
PIXELS = (np.arange(147) * 89 % 251).astype(np.float32).reshape(1, 7, 7, 3)
TABLE = np.arange(8, dtype=np.float32).reshape(4, 2)


def rounded(value):
    """Results of functions that are not rounded alike everywhere, to four places."""
    return np.round(np.asarray(value), 4)


EXACT = {
    "relu": lambda tf: tf.nn.relu(FLOATS),
    "relu_ints": lambda tf: tf.nn.relu(INTS),
    "relu_features": lambda tf: tf.nn.relu(features=[-1.0, 2.0]),
    "relu6": lambda tf: tf.nn.relu6(FLOATS),
    "leaky_relu": lambda tf: tf.nn.leaky_relu(FLOATS),
    "leaky_relu_ints": lambda tf: tf.nn.leaky_relu(INTS, alpha=0.5),
    "leaky_relu_number": lambda tf: tf.nn.leaky_relu(-2.0),
    "crelu": lambda tf: tf.nn.crelu(FLOATS),
    "crelu_axis": lambda tf: tf.nn.crelu(FLOATS, axis=0),
    "bias_add": lambda tf: tf.nn.bias_add(FLOATS, [1.0, 2.0, 3.0]),
    "l2_loss": lambda tf: tf.nn.l2_loss([3.0, 4.0]),
    "softsign": lambda tf: tf.nn.softsign([1.0, -3.0]),
    "zero_fraction": lambda tf: tf.nn.zero_fraction([0.0, 1.0, 0.0, 2.0]),
    "moments": lambda tf: tf.nn.moments(FLOATS, [0]),
    "moments_all": lambda tf: tf.nn.moments(np.float32([[1, 2], [3, 4]]), axes=[0, 1]),
    "moments_kept": lambda tf: tf.nn.moments(IMAGE, [1, 2], keepdims=True)[0][0, 0, 0, 0],
    "moments_half": lambda tf: tf.nn.moments(np.float16([1, 3]), 0),
    "embedding_lookup": lambda tf: tf.nn.embedding_lookup(TABLE, [[3, 1], [0, 0]]),
    "embedding_lookup_list": lambda tf: tf.nn.embedding_lookup([TABLE], [2]),
    "embedding_lookup_outside": lambda tf: tf.nn.embedding_lookup(TABLE, [4]),
    "embedding_lookup_norm": lambda tf: tf.nn.embedding_lookup(TABLE * 4, [0, 1], max_norm=5.0),
    "top_k": lambda tf: tf.nn.top_k(FLOATS, k=2),
    "top_k_ints": lambda tf: tf.nn.top_k(INTS, 2, sorted=True),
    "in_top_k": lambda tf: tf.nn.in_top_k([2, 0], FLOATS, 1),
    "max_pool": lambda tf: tf.nn.max_pool(IMAGE, 2, 2, "VALID"),
    "max_pool_same": lambda tf: tf.nn.max_pool(
        IMAGE, ksize=[1, 3, 2, 1], strides=2, padding="SAME"
    ),
    "max_pool_ones": lambda tf: tf.nn.max_pool(IMAGE, [3, 3], [1, 1, 1, 1], padding="SAME"),
    "max_pool2d": lambda tf: tf.nn.max_pool2d(IMAGE, 2, 1, "VALID"),
    "max_pool1d": lambda tf: tf.nn.max_pool1d(SEQUENCE, 3, 2, "SAME"),
    "avg_pool": lambda tf: tf.nn.avg_pool(IMAGE, 2, 2, "VALID"),
    "avg_pool_same": lambda tf: tf.nn.avg_pool(IMAGE, [2, 2], 2, "SAME"),
    "avg_pool2d": lambda tf: tf.nn.avg_pool2d(IMAGE, [1, 2, 2, 1], [1, 1, 1, 1], "SAME"),
    "avg_pool1d": lambda tf: tf.nn.avg_pool1d(SEQUENCE, 2, 2, "VALID"),
    "conv2d": lambda tf: tf.nn.conv2d(IMAGE, WEIGHTS, strides=1, padding="SAME"),
    "conv2d_valid": lambda tf: tf.nn.conv2d(IMAGE, WEIGHTS, [1, 2, 1, 1], "VALID"),
    "conv2d_pairs": lambda tf: tf.nn.conv2d(IMAGE, WEIGHTS, 1, [[0, 0], [1, 0], [2, 1], [0, 0]]),
    "conv2d_dilated": lambda tf: tf.nn.conv2d(IMAGE, WEIGHTS, 1, "SAME", dilations=2),
    "conv2d_misfit": lambda tf: tf.nn.conv2d(IMAGE, WEIGHTS[:, :, :2], 1, "SAME"),
    "conv1d": lambda tf: tf.nn.conv1d(SEQUENCE, WEIGHTS[0, :, :2], 2, "SAME"),
    "depthwise_conv2d": lambda tf: tf.nn.depthwise_conv2d(IMAGE, WEIGHTS, [1, 1, 1, 1], "SAME"),
    "depthwise_conv2d_steps": lambda tf: tf.nn.depthwise_conv2d(
        IMAGE, WEIGHTS[:, :, :, :1], [1, 2, 2, 1], "VALID"
    ),
    "depthwise_conv2d_rounded": lambda tf: tf.nn.depthwise_conv2d(
        PIXELS, np.full((3, 3, 3, 1), 1 / 13, np.float32), [1, 1, 1, 1], "VALID"
    ),
    "space_to_depth": lambda tf: tf.nn.space_to_depth(IMAGE[:, :4], 2),
    "depth_to_space": lambda tf: tf.nn.depth_to_space(IMAGE[:, :2, :2, :1] + np.zeros(4), 2),
    "space_to_batch": lambda tf: tf.space_to_batch(IMAGE, [2, 2], [[1, 0], [0, 0]]),
    "batch_to_space": lambda tf: tf.batch_to_space(
        np.arange(16).reshape(4, 2, 2, 1), [2, 2], [[0, 1], [1, 0]]
    ),
}


@each(name=list(EXACT))
def case_exact(tf, name):
    return EXACT[name](tf)


ROUNDED = {
    "softmax": lambda tf: tf.nn.softmax(FLOATS),
    "softmax_axis": lambda tf: tf.nn.softmax(FLOATS, axis=0),
    "log_softmax": lambda tf: tf.nn.log_softmax(FLOATS),
    "sigmoid": lambda tf: tf.nn.sigmoid(FLOATS),
    "tanh": lambda tf: tf.nn.tanh(FLOATS),
    "softplus": lambda tf: tf.nn.softplus(FLOATS),
    "elu": lambda tf: tf.nn.elu(FLOATS),
    "selu": lambda tf: tf.nn.selu(FLOATS),
    "gelu": lambda tf: tf.nn.gelu(FLOATS),
    "gelu_approximate": lambda tf: tf.nn.gelu(FLOATS, approximate=True),
    "silu": lambda tf: tf.nn.silu(FLOATS),
    "swish": lambda tf: tf.nn.swish(FLOATS, 2.0),
    "l2_normalize": lambda tf: tf.nn.l2_normalize(FLOATS, axis=1),
    "batch_normalization": lambda tf: tf.nn.batch_normalization(
        FLOATS, FLOATS[0], np.float32([1.0, 4.0, 2.0]), np.float32([1.0, 0.0, 0.0]), 2.0, 1e-3
    ),
    "sigmoid_cross_entropy": lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(
        labels=[1.0, 0.0], logits=[0.5, 2.0]
    ),
    "softmax_cross_entropy": lambda tf: tf.nn.softmax_cross_entropy_with_logits(
        labels=[[0.0, 1.0, 0.0], [0.0, 0.5, 0.5]], logits=FLOATS
    ),
    "sparse_softmax_cross_entropy": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=[2, 0], logits=FLOATS
    ),
}


@each(name=list(ROUNDED))
def case_rounded(tf, name):
    return rounded(ROUNDED[name](tf))


MAPPED = {
    "blurred": lambda tf, x: tf.nn.depthwise_conv2d(
        x[None], tf.ones([3, 3, 3, 1]), [1, 1, 1, 1], "SAME"
    )[0],
    "pooled": lambda tf, x: tf.squeeze(tf.nn.max_pool2d(x[tf.newaxis], 2, 2, "SAME"), 0),
    "convolved": lambda tf, x: tf.nn.conv2d(tf.expand_dims(x, 0), WEIGHTS, 1, "VALID"),
    "relu": lambda tf, x: tf.nn.relu(x),
    "moments": lambda tf, x: tf.nn.moments(x[:4, :2, 0], axes=[0, 1])[0],
}


@each(name=list(MAPPED))
def case_mapped(tf, name):
    images = np.concatenate([IMAGE, IMAGE + 1, -IMAGE])
    return tf.data.Dataset.from_tensor_slices(images).map(lambda x: MAPPED[name](tf, x))
