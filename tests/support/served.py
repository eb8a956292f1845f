"""The board to touch over HTTP: in this process, or as the command that starts it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.paths import SOURCE

if TYPE_CHECKING:
    import httpx
    import uvicorn

    from pontedeldiavolo.web.app import Answering
else:
    WHY = "a board over HTTP needs starlette, uvicorn and httpx"
    httpx = pytest.importorskip("httpx", reason=WHY)
    uvicorn = pytest.importorskip("uvicorn", reason=WHY)
    pytest.importorskip("starlette", reason=WHY)

__all__ = [
    "PATIENCE",
    "command",
    "exchanged",
    "httpx",
    "hung_up",
    "in_thread",
    "started",
    "uvicorn",
]

PATIENCE = 60.0
"""After so many seconds a server does not start or answer: then it has failed."""


@contextmanager
def in_thread(site: Answering, port: int = 0, **options: Any) -> Iterator[str]:
    """Serve in a thread of this process; yield the address."""
    from pontedeldiavolo.web.app import create_app  # noqa: PLC0415 - may not be there

    ending = threading.Event()
    app = create_app(site, **{"is_stopping": ending.is_set, **options})
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    with socket.create_server(("127.0.0.1", port)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            ending.set()
            server.should_exit = True
            thread.join(PATIENCE)
    assert not thread.is_alive()


def command(*options: str) -> list[str]:
    """Return the command line that serves at a free port."""
    return [sys.executable, "-m", "pontedeldiavolo", "serve", "--port", "0", "--no-open", *options]


@contextmanager
def started(folder: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run the command on a folder; yield its address and the process, and kill it in the end."""
    log = folder.with_name(f"{folder.name}-{time.monotonic_ns()}.log")
    with log.open("wb") as file:
        process = subprocess.Popen(
            command("--folder", str(folder), *options),
            env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONWARNINGS": "error"},
            stdout=file,
            stderr=file,
        )
        try:
            yield _address(process, log), process
        finally:
            process.kill()
            process.wait()
    # Nothing is a fault of the server unless a test says so.
    assert "Traceback" not in log.read_text("utf-8")


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        found = re.search(r"(http://\S+)/\s", log.read_text("utf-8"))
        if found:
            return found[1]
        time.sleep(0.02)
    raise AssertionError(f"the server does not run: {log.read_text('utf-8')}")


def exchanged(address: str, request: bytes) -> tuple[int, bytes]:
    """Send bytes as they are; return the status of the answer, and all until it is closed."""
    answer = b""
    with _connected(address) as connection:
        connection.sendall(request)
        while piece := connection.recv(65_536):
            answer += piece
    return int(answer.split(b" ", 2)[1]), answer


def hung_up(address: str, request: bytes) -> None:
    """Send bytes as they are, and wait for nothing."""
    with _connected(address) as connection:
        connection.sendall(request)


def _connected(address: str) -> socket.socket:
    host, _, port = address.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), PATIENCE)
