"""older: names of TensorFlow 1 and habits of its users, and what is written instead."""

from __future__ import annotations

__all__ = ["OLDER"]

_SESSIONS = "there are no sessions: iterate over the dataset, and values are there at once"
_ITERATE = "use iter(dataset), or a for loop"
_RECORDS = "use tf.data.TFRecordDataset, and tf.io.parse_single_example in a map()"
_QUEUES = "input queues are of TensorFlow 1: use tf.data.Dataset"

OLDER: dict[str, dict[str, str]] = {
    "tf": {
        "Session InteractiveSession get_default_session get_default_graph "
        "reset_default_graph global_variables_initializer local_variables_initializer "
        "tables_initializer get_session": _SESSIONS,
        "placeholder placeholder_with_default sparse_placeholder": (
            "there are no placeholders: give functions arguments, and datasets arrays"
        ),
        "get_variable variable_scope global_variables trainable_variables assign assign_add": (
            "there are no variables, see tf.Variable"
        ),
        "layers contrib estimator app flags logging": (
            "it is of TensorFlow 1. Layers are Keras's, flags are absl's, logging is Python's"
        ),
        "enable_eager_execution enable_v2_behavior": "nothing is to be enabled: delete the line",
        "disable_eager_execution disable_v2_behavior": _SESSIONS,
        "ConfigProto GPUOptions": "there are no sessions to configure; see tf.config",
        "gfile": "use tf.io.gfile",
        "python_io": "use tf.io.TFRecordWriter, and tf.data.TFRecordDataset to read",
        "TFRecordReader WholeFileReader TextLineReader FixedLengthRecordReader "
        "tf_record_iterator": _RECORDS,
        "py_func": "use tf.py_function or tf.numpy_function",
        "log": "use tf.math.log",
        "to_float": "use tf.cast(x, tf.float32)",
        "to_double": "use tf.cast(x, tf.float64)",
        "to_int32": "use tf.cast(x, tf.int32)",
        "to_int64": "use tf.cast(x, tf.int64)",
        "div": "use tf.math.divide or //",
        "random_uniform": "use tf.random.uniform",
        "random_normal": "use tf.random.normal",
        "random_shuffle": "use tf.random.shuffle",
        "random_crop": "use tf.image.random_crop",
        "truncated_normal": "use tf.random.truncated_normal",
        "set_random_seed": "use tf.random.set_seed",
        "multinomial": "use tf.random.categorical",
        "string_split": "use tf.strings.split",
        "string_join": "use tf.strings.join",
        "string_to_number": "use tf.strings.to_number",
        "string_to_hash_bucket": "use tf.strings.to_hash_bucket",
        "string_to_hash_bucket_fast": "use tf.strings.to_hash_bucket_fast",
        "regex_replace": "use tf.strings.regex_replace",
        "substr": "use tf.strings.substr",
        "sparse_tensor_to_dense sparse_to_dense": "use tf.sparse.to_dense",
        "where_v2": "use tf.where",
        "is_nan": "use tf.math.is_nan",
        "is_inf": "use tf.math.is_inf",
        "is_finite": "use tf.math.is_finite",
        "mod": "use tf.math.mod or %",
        "matrix_inverse matrix_determinant cholesky svd qr": "use numpy.linalg",
        "keep_dims": "use keepdims=True",
        "AUTO_REUSE": "there are no variables, see tf.Variable",
        "float": "use tf.float32",
        "int": "use tf.int32 or tf.int64",
        "str": "use tf.string",
        "VERSION": "use tf.__version__",
    },
    "tf.data": {
        "make_one_shot_iterator make_initializable_iterator": _ITERATE,
        "get_output_types get_output_shapes get_output_classes": "use Dataset.element_spec",
        "RaggedTensorDataset": "use tf.data.Dataset.from_tensor_slices, which takes ragged tensors",
        "Counter": "use tf.data.Dataset.counter",
    },
    "tf.data.experimental": {
        "sliding_window_batch": "use window() and flat_map()",
        "latency_stats StatsAggregator StatsOptions": "use Dataset.explain()",
        "parse_single_example_dataset": "use tf.data.experimental.parse_example_dataset",
        "filter_for_shard": "use shard()",
        "wrap_fn bytes_produced_stats make_tf_record_dataset": "it is not in TensorFlow 2 either",
    },
    "tf.io": {
        "tf_record_iterator": _RECORDS,
        "TFRecordReader": _RECORDS,
        "string_input_producer": _QUEUES,
        "GFile": "use tf.io.gfile.GFile",
        "FastGFile": "use tf.io.gfile.GFile",
        "FixedLenFeatures": "use tf.io.FixedLenFeature",
        "decode_jpg": "use tf.io.decode_jpeg",
        "QueueBase": _QUEUES,
    },
    "tf.io.gfile": {
        "FastGFile Open": "use tf.io.gfile.GFile",
        "Exists": "use tf.io.gfile.exists",
        "Glob": "use tf.io.gfile.glob",
        "ListDirectory": "use tf.io.gfile.listdir",
        "MakeDirs MkDir": "use tf.io.gfile.makedirs",
        "IsDirectory": "use tf.io.gfile.isdir",
        "Remove": "use tf.io.gfile.remove",
        "DeleteRecursively": "use tf.io.gfile.rmtree",
        "Copy": "use tf.io.gfile.copy",
        "Rename": "use tf.io.gfile.rename",
        "Stat": "use tf.io.gfile.stat",
        "Walk": "use tf.io.gfile.walk",
    },
    "tf.train": {
        "batch shuffle_batch string_input_producer slice_input_producer range_input_producer "
        "start_queue_runners QueueRunner match_filenames_once limit_epochs": _QUEUES,
        "Saver AdamOptimizer GradientDescentOptimizer MomentumOptimizer Optimizer "
        "MonitoredTrainingSession get_global_step get_or_create_global_step Server": (
            "Feedline feeds models and does not train them: use the library of your model"
        ),
    },
    "tf.image": {
        "resize_images resize_image resize_bilinear resize_bicubic resize_nearest_neighbor "
        "resize_area": "use tf.image.resize and its method=",
        "resize_image_with_pad": "use tf.image.resize_with_pad",
        "resize_image_with_crop_or_pad": "use tf.image.resize_with_crop_or_pad",
        "per_image_whitening": "use tf.image.per_image_standardization",
        "transpose_image": "use tf.image.transpose",
        "extract_image_patches": "use tf.image.extract_patches",
        "rotate": "use tf.image.rot90; by other angles, keras.layers.RandomRotation has it",
    },
    "tf.data.Dataset": {
        "make_one_shot_iterator make_initializable_iterator": _ITERATE,
        "output_types output_shapes output_classes": (
            "use element_spec, which has dtypes and shapes; tf.nest.map_structure takes it apart"
        ),
        "map_with_legacy_function": "use map()",
        "filter_with_legacy_function": "use filter()",
        "flat_map_with_legacy_function": "use flat_map()",
        "from_sparse_tensor_slices": "use from_tensor_slices(), which takes sparse tensors",
        "dense_to_ragged_batch": "use ragged_batch()",
        "dense_to_sparse_batch": "use sparse_batch()",
        "get_next next": "use next(iter(dataset)), or a for loop",
        "numpy": "a dataset is no array: use as_numpy_iterator(), or list() of it",
        "as_numpy": "use as_numpy_iterator()",
        "shape dtype": "use element_spec, which has one of each for every leaf. If Keras asks: to "
        "train, write model.fit((batch for batch in ds.repeat()), steps_per_epoch=..., epochs=...)",
        "size length count": "use cardinality(), or len()",
        "collect to_list": "use list(dataset), or list(dataset.as_numpy_iterator())",
        "parallel_map": "use map() with num_parallel_calls=",
        "take_last": "use skip() with cardinality()",
        "head": "use take()",
        "variant_tensor": "there are no handles: a dataset is an object",
        "element_type": "use element_spec",
        "from_generators": "use from_generator()",
        "from_numpy from_array from_dataframe": (
            "use from_tensor_slices(), which takes arrays, and dict(dataframe)"
        ),
        "list_file": "use list_files()",
        "shuffle_and_repeat": "use shuffle().repeat()",
        "map_and_batch": "use map().batch()",
        "parallel_interleave": "use interleave() with num_parallel_calls=",
        "copy_to_device prefetch_to_device": "use apply(tf.data.experimental.copy_to_device(...))",
    },
    "tf.data.Iterator": {
        "initializer": "nothing is to be initialized: iter(dataset) makes a new iterator",
        "string_handle from_string_handle from_structure make_initializer": _ITERATE,
        "output_types output_shapes output_classes": "use element_spec",
    },
}
