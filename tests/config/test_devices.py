import pytest

import feedline as tf

CPU = tf.config.PhysicalDevice("/physical_device:CPU:0", "CPU")
config = tf.config


def test_the_processor_is_the_one_device():
    assert config.list_physical_devices() == config.list_physical_devices("CPU") == [CPU]
    assert config.get_visible_devices() == config.experimental.list_physical_devices() == [CPU]
    assert config.list_physical_devices("GPU") == config.list_logical_devices("GPU") == []
    assert [device.name for device in config.list_logical_devices()] == ["/device:CPU:0"]
    assert config.experimental.get_device_details(CPU) == {}


def test_what_programs_do_about_gpus_is_done_for_none():
    config.set_visible_devices([], "GPU")
    config.set_visible_devices(CPU)
    config.set_visible_devices([CPU], "CPU")
    for gpu in config.experimental.list_physical_devices("GPU"):
        config.experimental.set_memory_growth(gpu, True)
    config.set_soft_device_placement(True)

    assert config.get_soft_device_placement() is True


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: config.set_visible_devices([]), "the processor must be visible"),
        (lambda: config.set_visible_devices([], "CPU"), "the processor must be visible"),
        (lambda: config.set_visible_devices(["GPU:0"]), "there is no device 'GPU:0'"),
        (lambda: config.set_soft_device_placement(False), "enabled must be True"),
        (lambda: config.experimental.set_memory_growth(CPU, True), "is no GPU"),
        (lambda: config.experimental.get_device_details("x"), "there is no device 'x'"),
    ],
)
def test_what_cannot_be_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()
