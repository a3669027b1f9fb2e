"""Channel: messages between two processes.

A message is pickled; arrays in it are not copied into the pickle but lie beside it. What is
small goes through a socket, what is large through shared memory: the sender makes it, keeps
it for the messages to come, and makes a larger one when it has to. If there is not enough
memory to share, or what lies there may not have been read yet, it goes through the socket.

Send     returns when all was written, which needs the other side to read what is large.
Receive  returns a message in memory of its own: nothing of it is shared any more. So shared
         memory may be written to again as soon as any answer came.
Gone     if the other process ended, either raises Gone.
If the code disagrees, the code is wrong.
"""

from __future__ import annotations

import array
import hashlib
import os
import pickle
import socket
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedline.parallel.pickling import pickled
from feedline.parallel.shared_memory import SharedMemory

__all__ = ["Channel", "Gone", "Packed"]

# Through the socket: what costs less than it takes to wake up the other side.
_SMALL = 1 << 16
_SMALLEST_MEMORY = 1 << 20
_MOST_MEMORY = 1 << 28
_ALIGNMENT = 64

# The length of the pickle, how many buffers, whether in shared memory, size of a new one.
_HEADER = struct.Struct("<QI?Q")
_FD_BYTES = array.array("i").itemsize


class Gone(ConnectionError):  # noqa: N818  (not a mistake of anybody)
    """The other process has ended."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A pickle, and the buffers that belong to it."""

    data: Any
    buffers: list[Any] = field(default_factory=list)

    @staticmethod
    def of(message: Any) -> Packed:
        """Return a message in the form it is sent in; what it holds must not change until then."""
        buffers: list[pickle.PickleBuffer] = []
        data = pickled(message, buffers.append)
        return Packed(data, [buffer.raw() for buffer in buffers])

    @property
    def nbytes(self) -> int:
        """How large it is."""
        return int(len(self.data) + sum(buffer.nbytes for buffer in self.buffers))

    @property
    def digest(self) -> bytes:
        """What tells messages apart that are not the same."""
        found = hashlib.blake2b(self.data, digest_size=16)
        for buffer in self.buffers:
            found.update(buffer)
        return found.digest()

    def load(self) -> Any:
        """Return the message."""
        return pickle.loads(self.data, buffers=self.buffers)


class Channel:
    """One end of a connection; ends() makes both."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        # What this side writes to, and what the other does.
        self._ours: SharedMemory | None = None
        self._theirs: SharedMemory | None = None
        # Set once there was not enough memory.
        self._most_memory = _MOST_MEMORY
        # Whether the other side may not have read what this side wrote there last.
        self._unread = False

    def fileno(self) -> int:
        """The number of the open socket."""
        return self._socket.fileno()

    # ---- sending ----------------------------------------------------------------------

    def send(self, message: Packed) -> None:
        """Send a message."""
        parts = [memoryview(message.data), *message.buffers]
        lengths = [part.nbytes for part in parts]
        bounds = _bounds(lengths)
        size = bounds[-1]
        shares = size >= _SMALL and not self._unread
        memory, new = self._memory_for(size) if shares else (None, False)
        announced = memory.size if memory is not None and new else 0
        header = _HEADER.pack(lengths[0], len(message.buffers), memory is not None, announced)
        header += struct.pack(f"<{len(lengths) - 1}Q", *lengths[1:])
        if memory is None:
            self._write(header, parts)
            return
        self._unread = True
        for part, start, length in zip(parts, bounds, lengths, strict=False):
            memory.array[start : start + length] = np.frombuffer(part, np.uint8)
        if new:
            self._write_with_file(header, memory)
        else:
            self._write(header, [])

    def _memory_for(self, size: int) -> tuple[SharedMemory | None, bool]:
        """Return memory of this size, and whether the other side does not know it yet."""
        if self._ours is not None and self._ours.size >= size:
            return self._ours, False
        wanted = max(_SMALLEST_MEMORY, 1 << (size - 1).bit_length())
        if wanted > self._most_memory:
            return None, False
        if self._ours is not None:
            self._ours.close()
            self._ours = None
        try:
            self._ours = SharedMemory.make(wanted)
        except OSError:
            self._most_memory = wanted // 2
            return None, False
        return self._ours, True

    def _write(self, header: bytes, parts: list[Any]) -> None:
        try:
            if sum(part.nbytes for part in parts) < _SMALL:
                self._socket.sendall(b"".join([header, *parts]))
                return
            self._socket.sendall(header)
            for part in parts:
                self._socket.sendall(part)
        except OSError as error:
            raise Gone(str(error)) from error

    def _write_with_file(self, header: bytes, memory: SharedMemory) -> None:
        try:
            sent = socket.send_fds(self._socket, [header], [memory.fd])
            self._socket.sendall(header[sent:])
        except OSError as error:
            raise Gone(str(error)) from error
        memory.close_file()

    # ---- receiving ----------------------------------------------------------------------

    def receive(self) -> Packed:
        """Wait for a message and return it."""
        header, fd = self._read_header()
        self._unread = False
        length, num_buffers, is_shared, size = _HEADER.unpack(header)
        if fd is not None:
            if self._theirs is not None:
                self._theirs.close()
            self._theirs = SharedMemory(fd, size)
            self._theirs.close_file()
        table = bytearray(8 * num_buffers)
        self._read(memoryview(table))
        lengths = [length, *struct.unpack(f"<{num_buffers}Q", table)]
        bounds = _bounds(lengths)
        whole: NDArray[np.uint8] = np.empty(bounds[-1], np.uint8)
        views = [
            memoryview(whole[start : start + count])  # type: ignore[arg-type]
            for start, count in zip(bounds, lengths, strict=False)
        ]
        if is_shared:
            assert self._theirs is not None
            whole[:] = self._theirs.array[: len(whole)]
        else:
            for view in views:
                self._read(view)
        return Packed(views[0], views[1:])

    def _read_header(self) -> tuple[bytes, int | None]:
        try:
            header, extra, _, _ = self._socket.recvmsg(_HEADER.size, socket.CMSG_SPACE(_FD_BYTES))
        except OSError as error:
            raise Gone(str(error)) from error
        fds = array.array("i")
        for _, _, data in extra:
            fds.frombytes(data[: len(data) - len(data) % _FD_BYTES])
        if not header:
            raise Gone("the connection was closed")
        rest = bytearray(_HEADER.size - len(header))
        self._read(memoryview(rest))
        for fd in fds:
            os.set_inheritable(fd, False)
        return header + rest, fds[0] if fds else None

    def _read(self, view: memoryview) -> None:
        try:
            while view.nbytes:
                count = self._socket.recv_into(view)
                if not count:
                    raise Gone("the connection was closed")
                view = view[count:]
        except Gone:
            raise
        except OSError as error:
            raise Gone(str(error)) from error

    # ---- ending ---------------------------------------------------------------------------

    def hang_up(self) -> None:
        """Let the other side, and whoever waits here, find that this is over."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it is over already

    def close(self) -> None:
        """Free everything. Nobody may be sending or receiving."""
        self._socket.close()
        for memory in (self._ours, self._theirs):
            if memory is not None:
                memory.close()
        self._ours = self._theirs = None


def _bounds(lengths: list[int]) -> list[int]:
    """Return where parts of these lengths begin, one after the other, and where they end."""
    bounds = [0]
    for length in lengths:
        bounds.append(bounds[-1] + -(-length // _ALIGNMENT) * _ALIGNMENT)
    return bounds
