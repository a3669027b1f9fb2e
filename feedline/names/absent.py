"""absent: the names of TensorFlow 2.21 that are not here, why, and what to use instead.

Grouped by namespace or class; several names with one reason stand in one line. ``*`` is said of
every other name that a namespace lacks. What is here must not be listed (a test looks): delete
the name from its line when you add it. docs/names.md is made of this table.
"""

from __future__ import annotations

__all__ = ["ABSENT"]

_TRAINING = "Feedline feeds models and does not train them: use the library of your model"
_GRAPHS = (
    "there are no graphs and no sessions: functions run as Python, or are recorded by themselves"
)
_QUANTIZED = "NumPy has no quantized dtypes; use the integer dtype of that size"
_MODELS = "it is a layer of models: use the library of your model (torch, jax, Keras)"
_PROTOBUF = "protobuf's own objects are not used here; messages have SerializeToString()"
_TYPES = "the machinery of TensorFlow's own types; element_spec and the *Spec classes are here"
_EVALUATION = "there are no graphs to evaluate: a value is there at once, see numpy()"
_DEVICES = "arrays are in the memory of the host; the library of your model moves them"
_KERAS = "use Keras 3 itself: import keras. What makes datasets is in tf.keras.utils"
_OTHER = "it is not part of Feedline"
_SERVICE = "there is no tf.data service: use shard(), and processes, see docs/parallel.md"

ABSENT: dict[str, dict[str, str]] = {
    "tf": {
        "Variable VariableAggregation VariableSynchronization variable_creator_scope": (
            "there are no variables: use scan() for a state that is handed on, a NumPy array "
            "for one that is changed, and the variables of your model's library"
        ),
        "GradientTape UnconnectedGradients custom_gradient gradients hessians grad_pass_through "
        "no_gradient recompute_grad autodiff AggregationMethod RegisterGradient": (
            "there are no gradients: use those of your model's library (torch, jax, Keras)"
        ),
        "Module": "use the module class of your model's library, or a plain class",
        "losses metrics optimizers initializers constant_initializer ones_initializer "
        "zeros_initializer random_normal_initializer random_uniform_initializer": (
            "use Keras itself: import keras"
        ),
        "summary": "use torch.utils.tensorboard or tensorboardX, which write the same files",
        "saved_model lite tools mlir xla tpu quantization dtensor": _TRAINING,
        "profiler": "use Dataset.explain() for a pipeline, and what your model's library has",
        "Graph Operation import_graph_def graph_util is_symbolic_tensor group no_op tuple": _GRAPHS,
        "queue CriticalSection": "use Python's queue and threading; pipelines need neither",
        "raw_ops load_library load_op_library": (
            "there are no operators below the functions; numpy_function takes any code"
        ),
        "test": "use NumPy's: np.testing.assert_allclose, assert_array_equal; pytest",
        "sysconfig": "it says how TensorFlow was built",
        "security": "it is about TensorFlow's own model files",
        "qint8 qint16 qint32 quint8 quint16": _QUANTIZED,
        "bfloat16": "it comes with ml_dtypes: pip install ml_dtypes; NumPy itself has none",
        "resource variant": "there are no handles: datasets and tables are objects",
        "DeviceSpec": _DEVICES,
        "conv conv2d_backprop_filter_v2 conv2d_backprop_input_v2 extract_volume_patches "
        "space_to_batch_nd required_space_to_batch_paddings": _MODELS,
        "IndexedSlices IndexedSlicesSpec": "gradients have them, and there are none",
        "register_tensor_conversion_function": "give your class __array__(), as NumPy asks for",
        "NoneTensorSpec": _TYPES,
        "feature_column": (
            "TensorFlow itself advises against it; use Keras preprocessing layers, or map()"
        ),
        "experimental": "use numpy, which tf.experimental.numpy imitates",
        "*": _OTHER,
    },
    "tf.data.experimental": {
        "service distributed_save": _SERVICE,
        "get_model_proto": "use Dataset.explain(), which shows what was tuned",
        "make_saveable_from_iterator": "use state_dict() of the iterator",
        "save load": "use save_tfrecord() and tf.data.TFRecordDataset, or cache(filename)",
        "snapshot": "use cache(filename)",
    },
    "tf.io": {
        "decode_jxl": "pillow-jxl-plugin reads JPEG XL, in a numpy_function",
        "decode_proto encode_proto": "use the classes that protoc wrote, in a py_function",
        "write_graph": _GRAPHS,
        "match_filenames_once": "use tf.io.matching_files or tf.io.gfile.glob",
        "*": _OTHER,
    },
    "tf.image": {
        "decode_jxl": "pillow-jxl-plugin reads JPEG XL, in a numpy_function",
        "generate_bounding_box_proposals": _MODELS,
        "*": _OTHER,
    },
    "tf.train": {
        "Checkpoint CheckpointManager CheckpointOptions CheckpointView TrackableView "
        "ExponentialMovingAverage checkpoints_iterator get_checkpoint_state latest_checkpoint "
        "list_variables load_checkpoint load_variable experimental": (
            "use the checkpoints of your model's library; where an iterator is, save() and "
            "restore() of as_numpy_iterator() keep, see docs/resume.md"
        ),
        "ClusterDef ClusterSpec Coordinator JobDef ServerDef": (
            "there are no servers: use shard(), see docs/parallel.md"
        ),
    },
    "tf.random": {
        "all_candidate_sampler fixed_unigram_candidate_sampler learned_unigram_candidate_sampler "
        "log_uniform_candidate_sampler uniform_candidate_sampler": _MODELS,
        "*": "no such distribution is here: use NumPy's Generator in a numpy_function",
    },
    "tf.random.experimental": {
        "*": "it is not part of Feedline; tf.random.Generator and the stateless functions are",
    },
    "tf.random.Generator": {
        "*": "no such distribution is here: use NumPy's Generator in a numpy_function",
    },
    "tf.ragged": {"*": _OTHER},
    "tf.sparse": {"*": "it is not part of Feedline; scipy.sparse takes indices and values"},
    "tf.lookup": {"*": "it is not part of Feedline; a dict in a py_function is a table too"},
    "tf.math": {"*": "NumPy has no such function; use scipy.special in a numpy_function"},
    "tf.nn": {"*": _MODELS},
    "tf.linalg": {"*": "use numpy.linalg or scipy.linalg in a numpy_function"},
    "tf.signal": {"*": "use numpy.fft or scipy.signal in a numpy_function"},
    "tf.dtypes": {
        "qint8 qint16 qint32 quint8 quint16 QUANTIZED_DTYPES": _QUANTIZED,
        "bfloat16": "it comes with ml_dtypes: pip install ml_dtypes; NumPy itself has none",
        "resource variant": "there are no handles: datasets and tables are objects",
        "experimental": "it has the types of 8-bit and 4-bit floats, which NumPy lacks",
        "*": _OTHER,
    },
    "tf.debugging": {
        "experimental disable_check_numerics enable_check_numerics": (
            "use tf.debugging.check_numerics where a value may be NaN"
        ),
        "disable_traceback_filtering enable_traceback_filtering is_traceback_filtering_enabled": (
            "tracebacks are never filtered"
        ),
        "get_log_device_placement set_log_device_placement": _DEVICES,
        "*": _OTHER,
    },
    "tf.distribute": {
        "MirroredStrategy MultiWorkerMirroredStrategy TPUStrategy ParameterServerStrategy": (
            "one process feeds one replica: run a process for each device, as torchrun and jax do, "
            "and use shard() in each; get_strategy() is of one replica"
        ),
        "*": "no strategy is needed to feed a model: use shard() in each process",
    },
    "tf.distribute.Strategy": {
        "*": "no strategy is needed to feed a model: use shard() in each process",
    },
    "tf.distribute.experimental": {
        "*": "no strategy is needed to feed a model: use shard() in each process",
    },
    "tf.keras": {
        "activations applications backend callbacks config constraints datasets initializers "
        "layers losses metrics mixed_precision models ops optimizers random regularizers "
        "saving tree DTypePolicy Function Initializer InputSpec KerasTensor Layer Loss Metric "
        "Model Operation Optimizer Regularizer Sequential Variable Input": _KERAS,
        "*": _KERAS,
    },
    "tf.keras.utils": {
        "get_file": (
            "nothing is downloaded here: use keras.utils.get_file of Keras 3 itself, or urllib; "
            "files at URLs can be read as they are, with fsspec"
        ),
        "*": "use Keras 3 itself: import keras, and keras.utils",
    },
    "tf.keras.preprocessing": {
        "image text": "use Keras 3 itself: import keras, and keras.utils or keras.layers",
        "*": "use Keras 3 itself: import keras, and keras.utils or keras.layers",
    },
    "tf.keras.preprocessing.sequence": {
        "*": "use Keras 3 itself: from keras.preprocessing import sequence",
    },
    "tf.compat": {"*": "it is about TensorFlow 1, or about moving between releases of TensorFlow"},
    "tf.compat.v1": {
        "disable_v2_behavior disable_eager_execution disable_control_flow_v2 "
        "disable_resource_variables disable_tensor_equality disable_v2_tensorshape": (
            "there are no graphs and no sessions to go back to: delete the line, and loop over "
            "the dataset"
        ),
        "placeholder placeholder_with_default sparse_placeholder": (
            "there are no placeholders: give functions arguments, and datasets arrays"
        ),
        "Session InteractiveSession Graph get_default_graph get_default_session "
        "reset_default_graph global_variables_initializer local_variables_initializer "
        "tables_initializer ConfigProto GPUOptions GraphKeys": (
            "there are no graphs and no sessions: iterate over the dataset, and values are there "
            "at once"
        ),
        "get_variable variable_scope global_variables trainable_variables Variable assign": (
            "there are no variables: use those of your model's library"
        ),
        "app flags": "use argparse of Python, or absl.app and absl.flags",
        "layers estimator feature_column losses metrics": (
            "use the library of your model (torch, jax, Keras)"
        ),
        "TFRecordReader WholeFileReader TextLineReader FixedLengthRecordReader": (
            "use tf.data.TFRecordDataset and its kin"
        ),
        "while_loop scan foldl foldr": "use tf's own: TensorFlow 1's differs",
        "*": "it is of TensorFlow 1: use the name that TensorFlow 2 has for it",
    },
    "tf.compat.v1.image": {"*": "use tf.image"},
    "tf.compat.v1.data": {"*": "use tf.data, which has the same names"},
    "tf.compat.v1.data.experimental": {"*": "use tf.data.experimental, which has the same names"},
    "tf.sets": {"*": "use numpy.intersect1d, union1d and setdiff1d in a numpy_function"},
    "tf.types": {"*": _TYPES},
    "tf.types.experimental": {"*": _TYPES},
    "tf.version": {"*": "it says how TensorFlow was built"},
    "tf.autograph": {
        "to_code to_graph": "functions are never rewritten: there is no other code than their own",
        "trace": "use print(), which runs while a function is recorded",
    },
    "tf.autograph.experimental": {
        "*": "functions are never rewritten: Python's loops stay as they are",
    },
    "tf.config": {
        "LogicalDeviceConfiguration get_logical_device_configuration "
        "set_logical_device_configuration": "one processor is one device here: leave it out",
        "experimental_connect_to_cluster experimental_connect_to_host": (
            "there are no servers: use shard(), see docs/parallel.md"
        ),
        "optimizer": "there are no graphs to optimize; Options.experimental_optimization is here",
    },
    "tf.config.experimental": {
        "ClusterDeviceFilters": "there are no servers: use shard(), see docs/parallel.md",
        "VirtualDeviceConfiguration get_virtual_device_configuration "
        "set_virtual_device_configuration": "one processor is one device here: leave it out",
        "enable_tensor_float_32_execution tensor_float_32_execution_enabled "
        "get_memory_growth get_memory_info get_memory_usage reset_memory_stats": (
            "GPUs alone have this, and none is used"
        ),
        "*": "there are no graphs and no remote devices to set this for: leave it out",
    },
    "tf.errors": {
        "OperatorNotAllowedInGraphError": (
            "functions may do with values what Python may: such a function runs as it is written"
        ),
    },
    "tf.data.Dataset": {
        "save load": "use save_tfrecord() and tf.data.TFRecordDataset, or cache(filename)",
        "snapshot": "use cache(filename)",
    },
    "tf.Tensor": {
        "consumers eval graph op value_index OVERLOADABLE_OPERATORS": _EVALUATION,
        "backing_device gpu is_packed": _DEVICES,
        "*": _OTHER,
    },
    "tf.TensorShape": {
        "as_proto experimental_as_proto experimental_from_proto experimental_type_proto": _PROTOBUF,
        "*": _TYPES,
    },
    "tf.TensorSpec": {
        "experimental_as_proto experimental_from_proto experimental_type_proto": _PROTOBUF,
        "*": _TYPES,
    },
    "tf.DType": {
        "experimental_as_proto experimental_from_proto experimental_type_proto": _PROTOBUF,
        "*": _TYPES,
    },
    "tf.RaggedTensor": {
        "consumers": _EVALUATION,
        "*": _OTHER,
    },
    "tf.SparseTensor": {
        "consumers eval graph op": _EVALUATION,
        "*": _OTHER,
    },
    "tf.TensorArray": {
        "grad": "there are no gradients",
        "flow handle": "there are no handles",
        "*": _OTHER,
    },
    "tf.lookup.StaticHashTable": {
        "resource_handle": "there are no handles: a table is an object",
        "*": _OTHER,
    },
}
