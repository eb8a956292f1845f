"""The board over HTTP: who may ask, from where, and how much."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from threading import Event, Semaphore
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.web.requests import MAX_BODY_BYTES
from pontedeldiavolo.web.routes import Site
from pontedeldiavolo.web.store import MemoryStore, Store, Stored
from pontedeldiavolo.web.thinkers import Thinkers
from support.http_client import SMALL, Guest, fixed_seed, new_site
from support.http_server import PATIENCE, app, exchanged, httpx, hung_up, in_thread

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with in_thread(new_site(), wait_seconds=0.1) as found:
        yield found


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=PATIENCE) as asking:
        yield asking


def begin(client: httpx.Client, **fields: str) -> httpx.Response:
    return client.post("/games", json={"rules": SMALL, **fields})


def act(client: httpx.Client, begun: httpx.Response, version: int, action: str) -> httpx.Response:
    """Play an action as the user who started the game."""
    return client.post(
        f"/games/{begun.json()['id']}/actions",
        json={"version": version, "action": action},
        headers={"Authorization": f"Bearer {begun.json()['token']}"},
    )


def test_the_answer_of_the_computer_comes_by_itself() -> None:
    thinkers = Thinkers()
    site = Site(MemoryStore(), fixed_seed, thinkers=thinkers)
    with in_thread(site) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        # Nobody waits yet.
        thinkers.on_done()
        begun = begin(client, opponent="random", seat="second")
        path = f"/games/{begun.json()['id']}"
        assert client.get(path, params={"after": "1"}).json()["version"] == 2
        thinkers.on_done()


def test_a_game_over_http(client: httpx.Client) -> None:
    begun = begin(client)
    assert begun.status_code == 201
    path = f"/games/{begun.json()['id']}"
    assert begun.headers["Location"] == path
    assert act(client, begun, 1, "a1,b1").json()["version"] == 2
    assert act(client, begun, 1, "a1,b1").status_code == 409
    assert act(client, begun, 2, "a1,b1").status_code == 422
    shown = client.get(path, params={"lang": "de", "theme": "dark"})
    assert shown.headers["Content-Type"] == "application/json"
    assert shown.json()["sentence"] == pdd.messages.result(pdd.Game.new(), pdd.messages.GERMAN)
    record = client.get(f"{path}/record")
    assert record.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert pdd.records.loads(record.text).actions == (pdd.parse_action("a1,b1"),)


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/index.html", "text/html; charset=utf-8"),
        ("/main.js", "text/javascript; charset=utf-8"),
        ("/board.js", "text/javascript; charset=utf-8"),
        ("/transport.js", "text/javascript; charset=utf-8"),
        ("/style.css", "text/css; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
    ],
)
def test_the_page(client: httpx.Client, path: str, media: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, media)
    name = "index.html" if path == "/" else path[1:]
    file = files("pontedeldiavolo.web").joinpath("static", name)
    assert answer.content == file.read_bytes() != b""
    head = client.head(path)
    assert (head.status_code, head.content) == (200, b"")


def test_every_answer_has_security_headers(client: httpx.Client) -> None:
    answers = [client.get("/"), client.get("/nothing"), client.post("/games"), begin(client)]
    assert [answer.status_code for answer in answers] == [200, 404, 415, 201]
    for answer in answers:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/../app.py", "/static/board.js", "/%2e%2e/app.py", "/x%00"])
def test_no_other_files_are_served(address: str, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    status, _ = exchanged(address, request.encode())
    assert status == 404


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:80", 200),
        ("127.0.0.1", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]", 200),
        ("[::1]:8000", 200),
        ("example.org", 421),
        ("example.org:8000", 421),
        ("localhost.example.org", 421),
        ("192.0.2.1", 421),
        ("localhost:x", 421),
        ("localhost@example.org", 421),
        ("::1", 421),
    ],
)
def test_the_server_answers_to_its_own_names(address: str, host: str, status: int) -> None:
    request = f"GET /words HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    found, answer = exchanged(address, request.encode())
    assert found == status
    assert (b'"code":"bad-host"' in answer) == (status == 421)


def test_the_name_is_said_once(address: str) -> None:
    assert exchanged(address, b"GET / HTTP/1.0\r\n\r\n")[0] == 421
    twice = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: example.org\r\n\r\n"
    assert exchanged(address, twice)[0] in (400, 421)


def test_other_names_are_told_when_it_starts() -> None:
    with in_thread(new_site(), names=["Ponte.Example"], any_address=True) as address:
        for host, status in (
            ("ponte.example", 200),
            ("192.0.2.1:80", 200),
            ("[2001:db8::1]:80", 200),
            ("other.example", 421),
        ):
            request = f"GET /words HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            assert exchanged(address, request.encode())[0] == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Sec-Fetch-Site": "same-origin"}, 201),
        ({"Sec-Fetch-Site": "none"}, 201),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "https://example.org"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": "Application/JSON; charset=utf-8"}, 201),
    ],
)
def test_other_sites_start_no_games(
    client: httpx.Client, headers: dict[str, str], status: int
) -> None:
    body = b'{"rules": "original"}'
    assert client.post("/games", content=body, headers={**JSON, **headers}).status_code == status


def test_the_own_page_may_ask(client: httpx.Client, address: str) -> None:
    answer = client.post("/games", json={"rules": SMALL}, headers={"Origin": address})
    assert answer.status_code == 201


def test_refusals_are_in_the_language_that_is_asked_for(client: httpx.Client) -> None:
    headers = {"Origin": "https://example.org"}
    answer = client.post("/games", params={"lang": "de"}, json={}, headers=headers)
    assert answer.json() == {
        "error": "Andere Seiten dürfen diesen Server nichts fragen.",
        "code": "bad-origin",
    }


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_methods_that_a_path_does_not_have(client: httpx.Client, method: str) -> None:
    begun = begin(client)
    game = f"/games/{begun.json()['id']}"
    for path, allowed in (("/games", "POST"), (game, "GET, HEAD"), ("/board.js", "GET, HEAD")):
        answer = client.request(method, path)
        assert (answer.status_code, answer.headers["Allow"]) == (405, allowed)
        assert answer.json()["code"] == "no-such-method"


def test_bodies_that_are_too_long(client: httpx.Client, address: str) -> None:
    long = b'{"rules": "original"' + b" " * MAX_BODY_BYTES + b"}"
    answer = client.post("/games", content=long, headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["error"] == f"At most {MAX_BODY_BYTES} bytes, please."
    # In pieces, and the length is not told.
    answer = client.post(
        "/games", content=(long[at : at + 999] for at in range(0, len(long), 999)), headers=JSON
    )
    assert answer.status_code == 413
    # Announced only: it is refused before it is sent.
    request = (
        "POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: 99999999999999999999\r\n\r\n{"
    )
    assert exchanged(address, request.encode())[0] in (400, 413)
    assert begin(client).status_code == 201


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"nonsense\r\n\r\n",
        b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    ],
)
def test_malformed_requests_are_refused(address: str, request_bytes: bytes) -> None:
    try:
        status, _ = exchanged(address, request_bytes)
    except ConnectionError:
        status = 400  # the server has hung up on what goes on and on
    assert 400 <= status < 500


def test_a_client_that_hangs_up_disturbs_no_other(client: httpx.Client, address: str) -> None:
    half = (
        "POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: 100\r\n\r\n{"
    )
    hung_up(address, half.encode())
    assert begin(client).status_code == 201


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Semaphore:
    """Return what is released whenever a game is loaded; no request looks again by itself."""
    found, load = Semaphore(0), Store.load

    def counted(store: Store, name: str) -> Stored:
        found.release()
        return load(store, name)

    monkeypatch.setattr(Store, "load", counted)
    monkeypatch.setattr(app, "LOOK_SECONDS", 3600.0)
    return found


def test_a_request_waits_for_a_change(looks: Semaphore) -> None:
    with (
        in_thread(new_site()) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as asking,
        ThreadPoolExecutor(1) as threads,
    ):
        begun = begin(asking)
        path, seen = f"/games/{begun.json()['id']}", {"after": "1", "taken": "2"}
        waiting = threads.submit(asking.get, path, params=seen)
        assert looks.acquire(timeout=PATIENCE)
        act(asking, begun, 1, "a1,b1")
        assert waiting.result(PATIENCE).json()["version"] == 2


def test_a_request_waits_no_longer_than_it_may(client: httpx.Client) -> None:
    answer = client.get(f"/games/{begin(client).json()['id']}", params={"after": "1"})
    assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.parametrize("event", ["a change by another process", "the end of the server"])
def test_a_request_looks_again(
    looks: Semaphore, monkeypatch: pytest.MonkeyPatch, event: str
) -> None:
    monkeypatch.setattr(app, "LOOK_SECONDS", 0.01)
    site, stopping = new_site(), Event()
    guest = Guest(site).seated()
    with (
        in_thread(site, is_stopping=stopping.is_set) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as asking,
        ThreadPoolExecutor(1) as threads,
    ):
        waiting = threads.submit(asking.get, f"/games/{guest.game}", params={"after": "1"})
        assert looks.acquire(timeout=PATIENCE)
        if event == "the end of the server":
            stopping.set()
            assert waiting.result(PATIENCE).status_code == 204
        else:
            guest.play("a1,b1")
            assert waiting.result(PATIENCE).json()["version"] == 2


def exchange(scope: Any, received: list[Any], asgi: Any) -> list[Any]:
    """Run an application by hand; return the messages that it sends."""
    sent = []

    async def receive() -> Any:
        return received.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        await asyncio.wait_for(asgi(scope, receive, send), PATIENCE)

    asyncio.run(run())
    return sent


@pytest.mark.usefixtures("looks")
def test_a_request_ends_with_its_client() -> None:
    guest = Guest().seated()
    received = [{"type": "http.request"}, {"type": "http.disconnect"}]
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/games/{guest.game}",
        "query_string": b"after=1",
        "headers": [(b"host", b"localhost")],
    }

    sent = exchange(scope, received, app.create_app(guest.site))
    assert sent[0]["status"] == 204


def test_an_application_can_be_told_when_it_starts_and_ends() -> None:
    received = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent = exchange({"type": "lifespan"}, received, app.create_app(new_site()))
    assert [each["type"] for each in sent] == [
        "lifespan.startup.complete",
        "lifespan.shutdown.complete",
    ]
