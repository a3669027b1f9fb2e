import pytest

from feedline.data import Dataset
from feedline.data.experimental import copy_to_device, prefetch_to_device
from feedline.errors import BuildError, BuildTypeError

HOSTS = [
    "/cpu:0",
    "cpu",
    "CPU:0",
    "/device:CPU:0",
    "/device:cpu:*",
    "/job:localhost/replica:0/task:0/device:CPU:0",
]


@pytest.mark.parametrize("device", HOSTS)
def test_elements_are_on_the_host_already(device):
    ds = Dataset.range(3)

    assert ds.apply(copy_to_device(device)) is ds
    assert [int(x) for x in ds.apply(prefetch_to_device(device))] == [0, 1, 2]


@pytest.mark.parametrize("device", ["/gpu:0", "TPU:1", "cuda", "/device:GPU:0", "", "cpu:x"])
def test_any_other_device_is_refused_with_a_way_out(device):
    with pytest.raises(BuildError, match=f"must be the host .*, got '{device}'.*torch.from"):
        copy_to_device(device)
    with pytest.raises(BuildError, match=r"prefetch_to_device\(\): device must be the host"):
        prefetch_to_device(device, 2)


def test_the_source_must_be_the_host_too():
    with pytest.raises(BuildError, match="source_device must be the host"):
        copy_to_device("/cpu:0", "/gpu:0")


def test_a_device_is_a_string():
    with pytest.raises(BuildTypeError, match="target_device must be a string, got 0"):
        copy_to_device(0)


def test_the_size_of_the_buffer_is_that_of_prefetch():
    assert "buffer_size=2" in repr(Dataset.range(3).apply(prefetch_to_device("/cpu:0", 2)))
    with pytest.raises(BuildError, match="buffer_size"):
        Dataset.range(3).apply(prefetch_to_device("/cpu:0", -7))
