"""nn: TensorFlow's ``nn`` names that are functions of arrays."""

from __future__ import annotations

from feedline.arrays.activations import (
    bias_add,
    crelu,
    elu,
    gelu,
    l2_loss,
    leaky_relu,
    relu,
    relu6,
    selu,
    sigmoid_cross_entropy_with_logits,
    silu,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from feedline.arrays.activations import silu as swish
from feedline.arrays.blocks_of_pixels import (
    depth_to_space,
    space_to_batch,
    space_to_depth,
)
from feedline.arrays.functions import (
    l2_normalize,
    log_softmax,
    sigmoid,
    softmax,
    softplus,
    softsign,
    tanh,
    zero_fraction,
)
from feedline.arrays.norms import (
    batch_normalization,
    moments,
)
from feedline.arrays.picking import (
    embedding_lookup,
)
from feedline.arrays.pooling import (
    avg_pool,
    avg_pool1d,
    avg_pool2d,
    conv1d,
    conv2d,
    depthwise_conv2d,
    max_pool,
    max_pool1d,
    max_pool2d,
)
from feedline.arrays.sorting import (
    in_top_k,
    top_k,
)
from feedline.namespace import open_namespace
from feedline.values.publishing import publish

__all__ = [
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "batch_normalization",
    "bias_add",
    "conv1d",
    "conv2d",
    "crelu",
    "depth_to_space",
    "depthwise_conv2d",
    "elu",
    "embedding_lookup",
    "gelu",
    "in_top_k",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "log_softmax",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "moments",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "space_to_batch",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "swish",
    "tanh",
    "top_k",
    "zero_fraction",
]

publish(globals(), __all__)
open_namespace(globals())
