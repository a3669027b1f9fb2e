"""What names of TensorFlow that Feedline does not have are here, for those who ask for them."""
