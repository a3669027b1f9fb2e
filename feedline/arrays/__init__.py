"""TensorFlow's functions on arrays, in NumPy: for eager use, and recorded inside functions.

Python numbers and lists become int32 and float32 as in ``constant``; arrays keep their
dtype. Where TensorFlow refuses to mix dtypes, NumPy's promotion is followed; a Python number
takes the dtype of the array beside it.
"""
