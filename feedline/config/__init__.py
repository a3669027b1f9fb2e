"""feedline.config: what there is to compute with, and how functions run.

There is the processor alone: arrays are in the memory of the host.
"""

from __future__ import annotations

from feedline.config import experimental, threading
from feedline.config.devices import (
    LogicalDevice,
    PhysicalDevice,
    get_soft_device_placement,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_soft_device_placement,
    set_visible_devices,
)
from feedline.config.running import functions_run_eagerly, run_functions_eagerly
from feedline.namespace import open_namespace

__all__ = [
    "LogicalDevice",
    "PhysicalDevice",
    "experimental",
    "experimental_functions_run_eagerly",
    "experimental_run_functions_eagerly",
    "functions_run_eagerly",
    "get_soft_device_placement",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "run_functions_eagerly",
    "set_soft_device_placement",
    "set_visible_devices",
    "threading",
]

experimental_functions_run_eagerly = functions_run_eagerly
experimental_run_functions_eagerly = run_functions_eagerly

open_namespace(globals())
