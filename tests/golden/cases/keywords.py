"""Parameters that have names of their own in TensorFlow."""


def case_names_of_parameters_of_arithmetic(tf):
    z = tf.constant([1 + 2j, -3 + 0.5j], tf.complex64)
    return [
        tf.math.real(input=z),
        tf.math.imag(input=z),
        tf.atan2(y=[1.0, -1.0], x=[0.0, 2.0]) > 0,
        tf.math.nextafter(x1=tf.constant([1.0], tf.float64), x2=tf.constant([2.0], tf.float64)),
        tf.math.l2_normalize([3.0, 4.0], dim=0),
        tf.dtypes.cast([1.5, 2.5], tf.int32),
        tf.dtypes.saturate_cast([300, -1], tf.uint8),
        tf.dtypes.complex(real=1.0, imag=2.0),
    ]
