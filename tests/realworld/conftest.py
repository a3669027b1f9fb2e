"""What pytest must not import here: record.py needs TensorFlow, pipelines a chosen library."""

collect_ignore = ["record.py", "pipelines"]
