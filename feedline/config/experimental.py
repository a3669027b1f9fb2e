"""feedline.config.experimental: the older names of what is in feedline.config."""

from __future__ import annotations

from feedline.config.devices import (
    get_device_details,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_memory_growth,
    set_visible_devices,
)
from feedline.config.running import enable_op_determinism
from feedline.namespace import open_namespace

__all__ = [
    "enable_op_determinism",
    "get_device_details",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "set_memory_growth",
    "set_visible_devices",
]

open_namespace(globals())
