"""namespaces: where names of TensorFlow 1 come from.

Most names of a namespace mean what they mean in TensorFlow 2: they are taken from there. Some
had their parameters in another order: they are in reordered.py. A few are other things: those
are not here, because taking them would give other results without a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from feedline.compat.v1.reordered import REORDERED, reordered
from feedline.namespace import open_namespace
from feedline.values.publishing import published

__all__ = ["open_old_namespace"]

# Names that are other things in TensorFlow 1, by namespace.
_OTHER = {
    "feedline": (
        "DeviceSpec Variable VariableAggregation assert_rank batch_to_space "
        "constant_initializer foldl foldr gradients hessians ones_initializer "
        "random_normal_initializer random_uniform_initializer reverse_sequence scan "
        "space_to_batch summary test testing tuple variable_creator_scope while_loop "
        "zeros_initializer __version__"
    ),
    "feedline.io": "serialize_many_sparse serialize_sparse",
    "feedline.strings": "length to_hash_bucket",
    "feedline.random": "poisson",
    "feedline.math": "bincount confusion_matrix count_nonzero in_top_k softmax log_softmax "
    "reduce_euclidean_norm reduce_std reduce_variance",
    "feedline.image": ("ResizeMethod draw_bounding_boxes extract_glimpse extract_patches resize"),
    "feedline.sparse": (
        "add concat reduce_max reduce_sum segment_mean segment_sqrt_n segment_sum split"
    ),
    "feedline.debugging": "assert_all_finite assert_rank assert_rank_at_least assert_rank_in",
    "feedline.linalg": "diag diag_part matrix_transpose norm tensor_diag_part trace",
    "feedline.nn": (
        "depth_to_space embedding_lookup leaky_relu log_softmax moments softmax "
        "softmax_cross_entropy_with_logits space_to_depth weighted_moments"
    ),
    "feedline.data": "IteratorSpec image_dataset_from_directory",
}


def open_old_namespace(
    names: dict[str, Any],
    current: str,
    rooms: Mapping[str, str] | None = None,
    *,
    modules: Iterable[str] = (),
) -> None:
    """Let a module have, besides its own names, those that a namespace of today has.

    Args:
        names: The ``globals()`` of the module.
        current: The namespace that it was before, such as "feedline.io".
        rooms: As in open_namespace().
        modules: As in open_namespace().
    """
    open_namespace(names, rooms, modules=modules, made_public=published)
    find_own, list_own = names["__getattr__"], names["__dir__"]
    other = frozenset(_OTHER.get(current, "").split())
    old = names["__name__"].replace("feedline.compat.v1", "feedline")
    forms = REORDERED.get(old, {})

    def __getattr__(name: str) -> Any:  # noqa: N807
        if name in list_own() or name not in __dir__():
            return find_own(name)  # which says what to use instead of what is not here
        if name in forms:
            found = reordered(name, *forms[name])
        else:
            found = getattr(import_module(current), name)
        names[name] = found
        return found

    def __dir__() -> list[str]:  # noqa: N807
        today = set(dir(import_module(current)))
        return sorted({*list_own(), *forms, *(today - other)})

    names["__getattr__"], names["__dir__"] = __getattr__, __dir__
