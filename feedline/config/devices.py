"""devices: the processor, which is the one device that there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from feedline.errors import BuildError

__all__ = [
    "LogicalDevice",
    "PhysicalDevice",
    "get_device_details",
    "get_soft_device_placement",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "set_memory_growth",
    "set_soft_device_placement",
    "set_visible_devices",
]


class PhysicalDevice(NamedTuple):
    """A device of this machine."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device as programs see it."""

    name: str
    device_type: str


_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_LOGICAL_CPU = LogicalDevice("/device:CPU:0", "CPU")


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Return the devices of a type, or all: the processor, however many cores it has.

    Args:
        device_type: Such as "GPU", of which there is none here.

    Example:
        >>> list_physical_devices("CPU")
        [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
        >>> list_physical_devices("GPU")
        []
    """
    return [_CPU] if device_type in (None, "CPU") else []


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """Return the devices of a type, or all, as programs see them.

    Args:
        device_type: Such as "GPU", of which there is none here.

    Example:
        >>> list_logical_devices()
        [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """
    return [_LOGICAL_CPU] if device_type in (None, "CPU") else []


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Return the devices of a type, or all, that may be used.

    Args:
        device_type: Such as "GPU", of which there is none here.

    Example:
        >>> get_visible_devices("GPU")
        []
    """
    return list_physical_devices(device_type)


def set_visible_devices(
    devices: PhysicalDevice | Sequence[PhysicalDevice], device_type: str | None = None
) -> None:
    """Say which devices may be used; the processor must be among them.

    Args:
        devices: Of list_physical_devices().
        device_type: Of which type they are; those of other types stay as they are.

    Example:
        >>> set_visible_devices([], "GPU")
    """
    given = [devices] if isinstance(devices, PhysicalDevice) else list(devices)
    unknown = [device for device in given if device != _CPU]
    if unknown:
        raise BuildError(f"set_visible_devices(): there is no device {unknown[0]!r}.")
    if device_type in (None, "CPU") and not given:
        raise BuildError("set_visible_devices(): the processor must be visible: it does the work.")


def get_soft_device_placement() -> bool:
    """Return True: what asks for a device that is not there is done by the processor.

    Example:
        >>> get_soft_device_placement()
        True
    """
    return True


def set_soft_device_placement(enabled: bool) -> None:
    """Accept True alone: see get_soft_device_placement().

    Args:
        enabled: Must be True.
    """
    if not enabled:
        raise BuildError(
            "set_soft_device_placement(): enabled must be True: the processor does all the work."
        )


def get_device_details(device: PhysicalDevice) -> dict[str, Any]:
    """Return what is known of a device, which is nothing of a processor, as in TensorFlow.

    Args:
        device: Of list_physical_devices().

    Example:
        >>> get_device_details(list_physical_devices()[0])
        {}
    """
    if device != _CPU:
        raise BuildError(f"get_device_details(): there is no device {device!r}.")
    return {}


def set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """Refuse: GPUs alone have this, and there is none.

    Args:
        device: A GPU; ``for gpu in list_physical_devices("GPU")`` finds none.
        enable: What would be set.
    """
    raise BuildError(
        f"set_memory_growth(): {device!r} is no GPU: enable={enable} cannot be set. Call it for "
        'the devices of list_physical_devices("GPU"), of which there are none.'
    )
