"""The public names of tf.audio."""

from feedline.audio.decoding import decode_wav
from feedline.audio.encoding import encode_wav
from feedline.namespace import open_namespace
from feedline.values.publishing import publish

__all__ = ["decode_wav", "encode_wav"]

publish(globals(), __all__)
open_namespace(globals())
