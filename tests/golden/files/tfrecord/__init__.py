"""tfrecord: files written by TensorFlow and by Feedline, read by the other."""
