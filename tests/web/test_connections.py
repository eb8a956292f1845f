"""Real connections: silent ones, slow ones, and too many of one address."""

from __future__ import annotations

import asyncio
import errno
import importlib
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from support.http_client import SMALL, new_site
from support.http_server import (
    HEAD,
    PATIENCE,
    asked,
    command,
    exchanged,
    httpx,
    in_thread,
    server,
)
from support.paths import SOURCE
from support.processes import serving
from support.waiting import assert_soon

logs = importlib.import_module("pontedeldiavolo.web.http.logs")

SECONDS = 0.25
"""The seconds that clients have in these tests."""


def limits(connections: int = 32, **options: Any) -> server.ConnectionLimits:
    return server.ConnectionLimits(SECONDS, connections, **options)


@contextmanager
def connected(address: str, sent: bytes = b"") -> Iterator[socket.socket]:
    """Connect as a client that sends some bytes and then nothing."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.socket() as client:
        client.settimeout(PATIENCE)
        # The system buffers only a small part of a response that the client does not read.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        client.connect((host, int(port)))
        client.sendall(sent)
        yield client


def ended(client: socket.socket) -> bytes:
    """Return all bytes until the server closes a connection."""
    received = b""
    with suppress(ConnectionError):
        while piece := client.recv(65_536):
            received += piece
    return received


def until(address: str, status: int) -> httpx.Response:
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = httpx.get(f"{address}/words", timeout=PATIENCE)
        if answer.status_code == status:
            return answer
        assert time.monotonic() < deadline


def strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the server treat connections from this machine as those of others."""

    monkeypatch.setattr(server, "is_this_machine", lambda _address: False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET",
        b"GET /words HTTP/1.1\r\nHost: localhost\r\n",
        HEAD + b"Content-Length: 10\r\n\r\n{",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    ],
    ids=["nothing", "a method", "headers", "a body", "chunks"],
)
def test_a_client_that_sends_nothing_is_disconnected(sent: bytes) -> None:
    with in_thread(new_site(), limits=limits()) as address, connected(address, sent) as client:
        before = time.monotonic()
        assert ended(client) == b""
        assert SECONDS * 0.9 < time.monotonic() - before < PATIENCE / 2


def test_a_client_that_sends_too_slowly_is_disconnected() -> None:
    """Sending a byte now and then does not extend the time."""
    with in_thread(new_site(), limits=limits()) as address, connected(address) as client:
        before = time.monotonic()
        with suppress(ConnectionError):
            while time.monotonic() - before < PATIENCE:
                client.sendall(b"G")
                time.sleep(SECONDS / 8)
        assert SECONDS * 0.9 < time.monotonic() - before < PATIENCE


def test_headers_and_body_have_their_time_each() -> None:
    body = b'{"rules": "original"}'
    with in_thread(new_site(), limits=limits()) as address, connected(address) as client:
        for part in (HEAD, b"Content-Length: %d\r\n\r\n" % len(body), body + HEAD):
            client.sendall(part)
            time.sleep(SECONDS * 0.6)
        assert ended(client).startswith(b"HTTP/1.1 201 ")


def test_a_second_request_has_its_time() -> None:
    request = b"GET /words HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with in_thread(new_site(), limits=limits()) as address:
        with connected(address, request + request) as client:
            assert ended(client).count(b"HTTP/1.1 200 ") == 2
        with connected(address, request + b"GET /words") as client:
            assert ended(client).count(b"HTTP/1.1 200 ") == 1


def test_a_response_is_sent_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a response does not wait for the client to confirm its beginning."""
    options: list[int] = []
    data_received = server.LimitedProtocol.data_received

    def noted(self: Any, data: bytes) -> None:
        connection = self.transport.get_extra_info("socket")
        options.append(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        data_received(self, data)

    monkeypatch.setattr(server.LimitedProtocol, "data_received", noted)
    with in_thread(new_site()) as address:
        assert httpx.get(f"{address}/words", timeout=PATIENCE).status_code == 200
    assert options
    assert all(options)


@pytest.mark.parametrize("is_late", [False, True])
def test_a_client_that_does_not_read_is_disconnected(*, is_late: bool) -> None:
    big = {"rules": "64x64 tiles=unlimited bridges=unlimited tiebreaks=none"}
    site = new_site()
    path = asked(site, "POST", "/games", json=big).headers["Location"]
    whole = asked(site, "GET", path).content
    with in_thread(site, limits=limits()) as address:
        request = f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode()
        with connected(address, request) as client:
            # The time begins with the response.
            client.recv(1, socket.MSG_PEEK)
            time.sleep(SECONDS * (4 if is_late else 0.2))
            received = ended(client)
    assert received.endswith(whole) is not is_late
    assert received.startswith(b"HTTP/1.1 200 ")


def test_a_client_may_wait_for_news() -> None:
    """A client that waits for news has sent its request, so the server keeps the connection."""
    with in_thread(new_site(), limits=limits(), wait_seconds=SECONDS * 3) as address:
        begun = httpx.post(f"{address}/games", json={"rules": SMALL}, timeout=PATIENCE).json()
        before = time.monotonic()
        path = f"/games/{begun['id']}?after=1"
        status, _ = exchanged(address, f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        assert status == 204
        assert time.monotonic() - before > SECONDS * 2


def test_silent_connections_keep_nobody_out() -> None:
    with in_thread(new_site(), limits=limits()) as address, ExitStack() as stack:
        for _ in range(220):
            stack.enter_context(connected(address))
        assert httpx.get(f"{address}/words", timeout=PATIENCE).status_code == 200


def test_an_address_has_some_connections_only(monkeypatch: pytest.MonkeyPatch) -> None:
    strangers(monkeypatch)
    with in_thread(new_site(), limits=limits(connections=3)) as address, ExitStack() as stack:
        clients = [stack.enter_context(connected(address)) for _ in range(3)]
        with connected(address) as client:
            before = time.monotonic()
            assert ended(client) == b""
            assert time.monotonic() - before < SECONDS * 0.9
        # Existing connections continue, and free their places at their end.
        clients[0].sendall(b"GET /words HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert ended(clients[0]).startswith(b"HTTP/1.1 200 ")
        assert httpx.get(f"{address}/words", timeout=PATIENCE).status_code == 200


@pytest.mark.parametrize("exempt", ["loopback", "proxy"])
def test_exempt_addresses_have_any_number(monkeypatch: pytest.MonkeyPatch, exempt: str) -> None:
    if exempt == "proxy":
        strangers(monkeypatch)
    proxies = frozenset({"127.0.0.1"} if exempt == "proxy" else ())
    with in_thread(new_site(), limits=limits(1, proxies=proxies)) as address, ExitStack() as stack:
        clients = [stack.enter_context(connected(address)) for _ in range(5)]
        assert httpx.get(f"{address}/words", timeout=PATIENCE).status_code == 200
        # These connections have the same time as others.
        assert [ended(client) for client in clients] == [b""] * 5


def test_connections_are_counted_while_they_are_open() -> None:
    found = server.ConnectionLimits(connections=2)
    assert [found.enter("192.0.2.1") for _ in range(4)] == [True, True, False, False]
    assert found.enter("2001:db8::1")
    assert not ip_address("2001:db8::1").is_loopback
    for _ in range(3):
        found.leave("192.0.2.1")
    assert found.enter("192.0.2.1")
    for address in ("192.0.2.1", "192.0.2.1", "2001:db8::1"):
        found.leave(address)
    assert found.open == {}
    assert all(found.enter(address) for address in ("127.0.0.1", "::1") * 9)


REQUEST = b"GET /words HTTP/1.0\r\nHost: localhost\r\n\r\n"


def test_all_connections_together_are_limited() -> None:
    """Some connections beyond the limit get a response with the reason; others are closed."""
    with in_thread(new_site(), limits=limits(total=3)) as address, ExitStack() as stack:
        clients = [stack.enter_context(connected(address)) for _ in range(3)]
        told = [stack.enter_context(connected(address)) for _ in range(server.MAX_REFUSALS)]
        closed = stack.enter_context(connected(address))
        assert ended(closed) == b""
        for client in told:
            client.sendall(REQUEST)
            answer = ended(client)
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert b'"code":"server-busy"' in answer
            assert b"nosniff" in answer
        clients[0].sendall(REQUEST)
        assert ended(clients[0]).startswith(b"HTTP/1.1 200 ")
        until(address, 200)


def test_a_client_with_fewer_connections_takes_the_place_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    strangers(monkeypatch)
    found = limits(total=16)

    def connected_as(client: str) -> socket.socket:
        # All clients are on this machine.
        monkeypatch.setattr(server, "client_of", lambda _address: client)
        before = found.open.total()
        made = stack.enter_context(connected(address))
        wait_until_open(found, before + 1)
        return made

    with in_thread(new_site(), limits=found) as address, ExitStack() as stack:
        greedy = [connected_as("greedy") for _ in range(4)]
        greedy[-1].sendall(REQUEST)
        assert ended(greedy[-1]).startswith(b"HTTP/1.1 200 ")
        wait_until_open(found, 3)
        greedy[-1] = connected_as("greedy")
        for client in ("one", "two", "three"):
            for _ in range(4):
                connected_as(client)
        monkeypatch.setattr(server, "client_of", lambda _address: "polite")
        polite = stack.enter_context(connected(address, REQUEST))
        assert ended(polite).startswith(b"HTTP/1.1 200 ")
        # The oldest connection was closed at once, before its time was over.
        assert ended(greedy[0]) == b""


class FakeConnection:
    """A connection that stores whether it was closed."""

    def __init__(self) -> None:
        self.transport = self
        self.is_ended = False

    def abort(self) -> None:
        self.is_ended = True


@pytest.mark.parametrize(
    ("address", "is_kept"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("192.0.2.7", True),
        ("2001:db8::1", True),
        ("2001:db8::2", False),
        ("192.0.2.8", False),
    ],
)
def test_exempt_addresses_keep_their_connections(address: str, *, is_kept: bool) -> None:
    """A proxy carries the connections of many clients, on this machine or on another one.

    Other addresses in the network of a proxy are not exempt.
    """
    found = limits(total=4, proxies=frozenset({"192.0.2.7", "2001:db8::1"}))
    connections = [FakeConnection() for _ in range(4)]
    taken: list[Any] = [*connections]
    assert all(found.take_place(each, address) for each in taken)
    newcomer: Any = FakeConnection()
    assert found.take_place(newcomer, "192.0.2.1") is not is_kept
    assert any(each.is_ended for each in connections) is not is_kept
    # The limit on one client has the same exceptions.
    assert all(found.enter(address) for _ in range(2)) is is_kept


def wait_until_open(found: server.ConnectionLimits, count: int) -> None:
    assert_soon(lambda: found.open.total() == count)


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits as POSIX has them")
@pytest.mark.parametrize(
    ("descriptors", "most"),
    [(2, 1), (64, 32), (256, 192), (1_024, 960), (100_000, 1_000), (-1, 1_000)],
)
def test_descriptors_are_left_for_files(
    monkeypatch: pytest.MonkeyPatch, descriptors: int, most: int
) -> None:
    resource = importlib.import_module("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: (descriptors, descriptors))
    assert server.max_total_connections() == most
    monkeypatch.setitem(sys.modules, "resource", None)
    assert server.max_total_connections() == 1_000


LIMITED = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
runpy.run_module("pontedeldiavolo", run_name="__main__", alter_sys=True)
"""
"""The command with 64 descriptors."""


def status_of(method: str, url: str, body: object = None) -> int:
    """Return the status of a response, or 0 if the connection was closed."""
    try:
        return httpx.request(method, url, json=body, timeout=PATIENCE).status_code
    except httpx.TransportError:
        return 0


def until_answered(address: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while status_of("GET", f"{address}/words") != 200:
        assert time.monotonic() < deadline


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs limits as POSIX has them")
def test_a_server_without_descriptors_refuses_and_goes_on(tmp_path: Path) -> None:
    """Without descriptors no request fails with an internal error, and the log stays short."""
    folder = tmp_path / "games"
    _, _module, _name, *options = command("--folder", str(folder))
    line = [sys.executable, "-c", LIMITED, *options]
    with serving(line, folder, {"PYTHONPATH": str(SOURCE)}) as (address, _):
        begun = httpx.post(f"{address}/games", json={"rules": SMALL}, timeout=PATIENCE).json()
        path = f"/games/{begun['id']}"
        news = f"GET {path}?after=1 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        for request in (b"", news):
            with ExitStack() as stack:
                for _ in range(100):
                    with suppress(ConnectionError):
                        stack.enter_context(connected(address, request))
                found = {
                    status_of(method, f"{address}{where}", body)
                    for method, where, body in [
                        ("GET", path, None),
                        ("POST", "/games", {"rules": SMALL}),
                        ("POST", f"{path}/actions", {"version": 1, "action": "pass"}),
                    ]
                    for _ in range(5)
                }
            # The client gets a sentence or a closed connection.
            assert found & {0, 503}
            assert found <= {0, 200, 201, 403, 503}
        until_answered(address)
        [log] = tmp_path.glob("games-*.log")
        assert log.stat().st_size < 5_000


def test_no_client_has_all_connections_of_a_small_system() -> None:
    found = server.ConnectionLimits(total=8)
    assert [found.enter("192.0.2.1") for _ in range(3)] == [True, True, False]


def test_without_descriptors_the_log_has_few_lines(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        loop = asyncio.get_running_loop()
        for _ in range(1_000):
            error = OSError(errno.EMFILE, "Too many open files")
            server._log_error(loop, {"message": "accept", "exception": error})
        server._log_error(loop, {"message": "something else"})

    with logs.bounded_log():
        asyncio.run(fail())
    assert len(caplog.records) == logs.MAX_RECORDS + 1
    assert "Traceback" not in caplog.text
    assert "No further connection can be opened: [Errno" in caplog.text
    assert "something else" in caplog.text


def test_a_client_that_disconnects_at_once_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def watch(self: server.LimitedProtocol) -> None:
        self.client = None

    monkeypatch.setattr(server.LimitedProtocol, "_watch", watch)
    found = limits(0)
    with in_thread(new_site(), limits=found) as address:
        assert httpx.get(f"{address}/words", timeout=PATIENCE).status_code == 200
    assert found.open == {}


def test_requests_are_counted() -> None:
    """Waiting requests count, connections without a request do not."""
    running = in_thread(new_site(), limits=limits(), wait_seconds=PATIENCE, max_requests=3)
    with running as address, ExitStack() as stack:
        begun = httpx.post(f"{address}/games", json={"rules": SMALL}, timeout=PATIENCE).json()
        path = f"/games/{begun['id']}"
        request = f"GET {path}?after=1 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        waiting = [stack.enter_context(connected(address, request)) for _ in range(3)]
        refused = until(address, 503)
        assert refused.json()["code"] == "server-busy"
        for client in waiting:
            client.close()
        until(address, 200)
