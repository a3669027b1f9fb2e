"""What pytest must not import here: record.py needs TensorFlow, cases are run by test_golden.py."""

collect_ignore = [
    "record.py",
    "record_names.py",
    "cases",
    "files/example/record.py",
    "files/tfrecord/record.py",
]
