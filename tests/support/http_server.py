"""Run the site over HTTP, in this process or by the command ``serve``."""

from __future__ import annotations

import asyncio
import importlib
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.paths import SOURCE
from support.processes import PATIENCE, serving

if TYPE_CHECKING:
    import httpx
    import uvicorn

    from pontedeldiavolo.web.http import app, server
    from pontedeldiavolo.web.site import Site
else:
    WHY = "a board over HTTP needs starlette, uvicorn and httpx"
    httpx = pytest.importorskip("httpx", reason=WHY)
    uvicorn = pytest.importorskip("uvicorn", reason=WHY)
    pytest.importorskip("starlette", reason=WHY)
    app = importlib.import_module("pontedeldiavolo.web.http.app")
    server = importlib.import_module("pontedeldiavolo.web.http.server")

# These are needed besides the imports above.
__all__ = ["PATIENCE", "app", "httpx", "server", "uvicorn"]

HEAD = b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@contextmanager
def in_thread(
    site: Site,
    port: int = 0,
    limits: server.ConnectionLimits | None = None,
    behind: Callable[[Any], Any] = lambda asgi: asgi,
    **options: Any,
) -> Iterator[str]:
    """Serve in a thread of this process; yield the address.

    Args:
        site: The site.
        port: The port; 0 for any free one.
        limits: The limits on connections.
        behind: Wraps the application in another one, such as a proxy.
        options: Further arguments of the application.
    """
    ending = threading.Event()
    asgi = behind(app.create_app(site, **{"is_stopping": ending.is_set, **options}))
    running = server.create_server(asgi, limits or server.ConnectionLimits())
    with socket.create_server(("127.0.0.1", port)) as listening:
        # The system buffers only a small part of a response that the client has not read.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            ending.set()
            running.should_exit = True
            thread.join(PATIENCE)
    assert not thread.is_alive()


def stripping_proxy(prefix: str) -> Callable[[Any], Any]:
    """Return a proxy that serves a site below a path and does not tell the site the path."""

    def behind(asgi: Any) -> Any:
        async def proxy(scope: Any, receive: Any, send: Any) -> None:
            path = scope["path"]
            if path.startswith(f"{prefix}/"):
                inner = path.removeprefix(prefix)
                await asgi({**scope, "path": inner, "raw_path": inner.encode()}, receive, send)
                return
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body", "body": b"nothing beside the prefix"})

        return proxy

    return behind


def asked(site: Site, method: str, path: str, **options: Any) -> httpx.Response:
    """Send one request to an application without a server, and collect the response."""
    return asked_of(app.create_app(site, wait_seconds=0), path, method, **options)


def asked_of(asgi: Any, path: str, method: str = "GET", **options: Any) -> httpx.Response:
    """Send one request to an application."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(asgi)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, **options)

    return asyncio.run(ask())


def command(*options: str, opens: bool = False) -> list[str]:
    opening = "--open" if opens else "--no-open"
    return [sys.executable, "-m", "pontedeldiavolo", "serve", "--port", "0", opening, *options]


@contextmanager
def started(
    folder: Path, *options: str, opens: bool = False
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run the command with a folder; yield its address and process, and finally kill it."""
    environment = {"PYTHONPATH": str(SOURCE)}
    line = command("--folder", str(folder), *options, opens=opens)
    with serving(line, folder, environment) as running:
        yield running


def exchanged(address: str, request: bytes) -> tuple[int, bytes]:
    """Send raw bytes; return the status of the response, and all bytes until the end."""
    answer = b""
    with connected(address) as connection:
        connection.sendall(request)
        while piece := connection.recv(65_536):
            answer += piece
    return int(answer.split(b" ", 2)[1]), answer


def hung_up(address: str, request: bytes) -> None:
    """Send raw bytes, and close the connection at once."""
    with connected(address) as connection:
        connection.sendall(request)


def connected(address: str) -> socket.socket:
    host, _, port = address.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), PATIENCE)
