"""feedline.image: the public names of tf.image.

Every module is loaded when one of its names is first asked for, and the decoders with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feedline.namespace import open_namespace
from feedline.values.publishing import published as _published

if TYPE_CHECKING:
    from feedline.image.adjusting import adjust_brightness, adjust_contrast, adjust_gamma
    from feedline.image.augmenting import rand_augment, trivial_augment
    from feedline.image.box_drawing import draw_bounding_boxes
    from feedline.image.color_spaces import (
        grayscale_to_rgb,
        hsv_to_rgb,
        rgb_to_grayscale,
        rgb_to_hsv,
        rgb_to_yiq,
        rgb_to_yuv,
        yiq_to_rgb,
        yuv_to_rgb,
    )
    from feedline.image.cropping import (
        central_crop,
        crop_to_bounding_box,
        pad_to_bounding_box,
        resize_with_crop_or_pad,
    )
    from feedline.image.decoding import (
        decode_bmp,
        decode_gif,
        decode_image,
        decode_png,
        decode_webp,
    )
    from feedline.image.distorted_boxes import (
        sample_distorted_bounding_box,
        stateless_sample_distorted_bounding_box,
    )
    from feedline.image.edges import image_gradients, sobel_edges, total_variation
    from feedline.image.encoding import encode_jpeg, encode_png
    from feedline.image.erasing import random_erasing
    from feedline.image.hue_saturation import adjust_hue, adjust_saturation
    from feedline.image.jpeg import (
        decode_and_crop_jpeg,
        decode_jpeg,
        extract_jpeg_shape,
        is_jpeg,
    )
    from feedline.image.jpeg_quality import (
        adjust_jpeg_quality,
        random_jpeg_quality,
        stateless_random_jpeg_quality,
    )
    from feedline.image.mixing import cutmix, mixup
    from feedline.image.padded_suppression import (
        combined_non_max_suppression,
        non_max_suppression_padded,
    )
    from feedline.image.patches import (
        crop_and_resize,
        extract_patches,
    )
    from feedline.image.random_adjusting import (
        random_brightness,
        random_contrast,
        random_hue,
        random_saturation,
        stateless_random_brightness,
        stateless_random_contrast,
        stateless_random_hue,
        stateless_random_saturation,
    )
    from feedline.image.random_cropping import random_crop, stateless_random_crop
    from feedline.image.random_flipping import (
        random_flip_left_right,
        random_flip_up_down,
        stateless_random_flip_left_right,
        stateless_random_flip_up_down,
    )
    from feedline.image.random_resizing import random_resized_crop
    from feedline.image.resizing import (
        ResizeMethod,
        resize,
        resize_with_pad,
    )
    from feedline.image.scaling import (
        convert_image_dtype,
        normalize,
        per_image_standardization,
    )
    from feedline.image.similarity import psnr, ssim, ssim_multiscale
    from feedline.image.suppression import (
        non_max_suppression,
        non_max_suppression_overlaps,
        non_max_suppression_with_scores,
    )
    from feedline.image.turning import (
        flip_left_right,
        flip_up_down,
        rot90,
        transpose,
    )

__all__ = [
    "ResizeMethod",
    "adjust_brightness",
    "adjust_contrast",
    "adjust_gamma",
    "adjust_hue",
    "adjust_jpeg_quality",
    "adjust_saturation",
    "central_crop",
    "combined_non_max_suppression",
    "convert_image_dtype",
    "crop_and_resize",
    "crop_to_bounding_box",
    "cutmix",
    "decode_and_crop_jpeg",
    "decode_bmp",
    "decode_gif",
    "decode_image",
    "decode_jpeg",
    "decode_png",
    "decode_webp",
    "draw_bounding_boxes",
    "encode_jpeg",
    "encode_png",
    "extract_jpeg_shape",
    "extract_patches",
    "flip_left_right",
    "flip_up_down",
    "grayscale_to_rgb",
    "hsv_to_rgb",
    "image_gradients",
    "is_jpeg",
    "mixup",
    "non_max_suppression",
    "non_max_suppression_overlaps",
    "non_max_suppression_padded",
    "non_max_suppression_with_scores",
    "normalize",
    "pad_to_bounding_box",
    "per_image_standardization",
    "psnr",
    "rand_augment",
    "random_brightness",
    "random_contrast",
    "random_crop",
    "random_erasing",
    "random_flip_left_right",
    "random_flip_up_down",
    "random_hue",
    "random_jpeg_quality",
    "random_resized_crop",
    "random_saturation",
    "resize",
    "resize_with_crop_or_pad",
    "resize_with_pad",
    "rgb_to_grayscale",
    "rgb_to_hsv",
    "rgb_to_yiq",
    "rgb_to_yuv",
    "rot90",
    "sample_distorted_bounding_box",
    "sobel_edges",
    "ssim",
    "ssim_multiscale",
    "stateless_random_brightness",
    "stateless_random_contrast",
    "stateless_random_crop",
    "stateless_random_flip_left_right",
    "stateless_random_flip_up_down",
    "stateless_random_hue",
    "stateless_random_jpeg_quality",
    "stateless_random_saturation",
    "stateless_sample_distorted_bounding_box",
    "total_variation",
    "transpose",
    "trivial_augment",
    "yiq_to_rgb",
    "yuv_to_rgb",
]

# Which module has which names. No module is named like a function: importing it would put
# the module in the place of the function.
_ROOMS = {
    "image.adjusting": "adjust_brightness adjust_contrast adjust_gamma",
    "image.augmenting": "rand_augment trivial_augment",
    "image.box_drawing": "draw_bounding_boxes",
    "image.color_spaces": (
        "grayscale_to_rgb hsv_to_rgb rgb_to_grayscale "
        "rgb_to_hsv rgb_to_yiq rgb_to_yuv "
        "yiq_to_rgb yuv_to_rgb"
    ),
    "image.cropping": (
        "central_crop crop_to_bounding_box pad_to_bounding_box resize_with_crop_or_pad"
    ),
    "image.decoding": "decode_bmp decode_gif decode_image decode_png decode_webp",
    "image.distorted_boxes": (
        "sample_distorted_bounding_box stateless_sample_distorted_bounding_box"
    ),
    "image.edges": "image_gradients sobel_edges total_variation",
    "image.encoding": "encode_jpeg encode_png",
    "image.erasing": "random_erasing",
    "image.hue_saturation": "adjust_hue adjust_saturation",
    "image.jpeg": "decode_and_crop_jpeg decode_jpeg extract_jpeg_shape is_jpeg",
    "image.jpeg_quality": "adjust_jpeg_quality random_jpeg_quality stateless_random_jpeg_quality",
    "image.mixing": "cutmix mixup",
    "image.padded_suppression": "combined_non_max_suppression non_max_suppression_padded",
    "image.patches": "crop_and_resize extract_patches",
    "image.random_adjusting": (
        "random_brightness random_contrast random_hue random_saturation "
        "stateless_random_brightness stateless_random_contrast stateless_random_hue "
        "stateless_random_saturation"
    ),
    "image.random_cropping": "random_crop stateless_random_crop",
    "image.random_flipping": (
        "random_flip_left_right random_flip_up_down "
        "stateless_random_flip_left_right stateless_random_flip_up_down"
    ),
    "image.random_resizing": "random_resized_crop",
    "image.resizing": "ResizeMethod resize resize_with_pad",
    "image.scaling": "convert_image_dtype normalize per_image_standardization",
    "image.similarity": "psnr ssim ssim_multiscale",
    "image.suppression": (
        "non_max_suppression non_max_suppression_overlaps non_max_suppression_with_scores"
    ),
    "image.turning": "flip_left_right flip_up_down rot90 transpose",
}
open_namespace(globals(), _ROOMS, made_public=_published)
