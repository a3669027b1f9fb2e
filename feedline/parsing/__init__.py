"""parsing: records of tf.train.Example and SequenceExample become arrays."""
