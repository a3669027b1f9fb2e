"""Input pipelines as people write them, compared with what TensorFlow gave for them."""
