"""http_server: a server on this machine that behaves as servers do, well or badly."""

import re
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["Behaviour", "serving"]


class Behaviour:
    """How the server answers.

    Attributes:
        files: What there is, by path.
        ranges: Whether it gives parts of a file.
        says_length: Whether it says how long an answer will be.
        first_byte_s: How long an answer takes to begin.
        failures: What to fail with, one for each coming request of a file: a status, "reset" for
            a connection that is closed without an answer, "cut" for one that ends too soon.
        stalls: Asks, for the number of a request of a file, whether it gets no answer before
            ``release`` is set.
        stalled: Set when a request waits for that.
        requests: What was asked for: the method, the path, the range or None.
        sent: How many bytes of files were sent.
    """

    def __init__(self, files, *, ranges=True, says_length=True, first_byte_s=0.0):
        self.files = files
        self.ranges = ranges
        self.says_length = says_length
        self.first_byte_s = first_byte_s
        self.failures = []
        self.stalls = lambda number: False
        self.stalled, self.release = threading.Event(), threading.Event()
        self.count = 0
        self.requests = []
        self.sent = 0
        self.lock = threading.Lock()


@contextmanager
def serving(behaviour):
    """Give the address of a server that runs until the block ends."""

    class Handler(_Handler):
        how = behaviour

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    how: Behaviour

    def log_message(self, *arguments):
        """Say nothing."""

    def do_HEAD(self):
        self.answer(sends=False)

    def do_GET(self):
        self.answer(sends=True)

    def answer(self, sends):
        how = self.how
        asked = self.headers.get("Range")
        with how.lock:
            how.requests.append((self.command, self.path, asked))
            failure = how.failures.pop(0) if sends and how.failures else None
            how.count += sends
            stalls = sends and how.stalls(how.count)
        if stalls:
            how.stalled.set()
            if not how.release.wait(20):
                how.release.set()  # whoever waited for the answer can tell
        time.sleep(how.first_byte_s)
        content = how.files.get(self.path)
        if content is None:
            self.plain_answer(404)
        elif failure == "reset":
            self.close_connection = True
        elif isinstance(failure, int):
            self.plain_answer(failure)
        else:
            self.give(content, asked, sends, failure == "cut")

    def plain_answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def give(self, content, asked, sends, cuts):
        how = self.how
        part, status = content, 200
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", asked or "")
        if how.ranges and found:
            start, stop = int(found[1]), int(found[2] or len(content)) + 1
            part, status = content[start:stop], 206
        self.send_response(status)
        if how.ranges:
            self.send_header("Accept-Ranges", "bytes")
        if status == 206:
            self.send_header(
                "Content-Range", f"bytes {start}-{start + len(part) - 1}/{len(content)}"
            )
        if how.says_length:
            self.send_header("Content-Length", str(len(part)))
        else:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        if not sends:
            return
        if cuts:
            part = part[: len(part) // 2]
            self.close_connection = True
        for place in range(0, len(part), 1 << 16):
            piece = part[place : place + (1 << 16)]
            try:
                self.wfile.write(piece)
            except OSError:
                self.close_connection = True
                return
            with how.lock:
                how.sent += len(piece)
