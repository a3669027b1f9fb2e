"""golden: results of tf.data, recorded."""
