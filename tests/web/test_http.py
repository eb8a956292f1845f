"""The site over HTTP: permissions, limits, and requests of every kind."""

from __future__ import annotations

import asyncio
import gzip
import json
import secrets
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from threading import Event, Semaphore
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import Mount

import pontedeldiavolo as pdd
from pontedeldiavolo.web import store
from pontedeldiavolo.web.pages import page_files
from pontedeldiavolo.web.requests import MAX_BODY_BYTES, Request
from pontedeldiavolo.web.routes import ROUTES, dispatch
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore, Store, StoredGame
from pontedeldiavolo.web.thinkers import PATIENCE_SECONDS, Thinkers
from support.http_client import BY_AN_ISLAND, SMALL, Guest, fixed_seed, new_site
from support.http_server import (
    HEAD,
    PATIENCE,
    app,
    asked,
    asked_of,
    exchanged,
    httpx,
    hung_up,
    in_thread,
    server,
)
from support.waiting import assert_soon

JSON = {"Content-Type": "application/json"}
SCRIPTS = ("main", "page", "transport", "start", "games", "rules")
STYLES = ("style", "tokens", "start", "dialogs")
OWN_HOSTS = ("localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:8000")
NAMES_OF_OTHERS = ("example.org", "example.org:8000", "localhost.example.org", "192.0.2.1")
NO_NAMES = ("localhost:x", "localhost@example.org", "::1")


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
    site = Site(MemoryStore(), fixed_seed, thinkers=Thinkers())
    with in_thread(site) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        begun = begin(client, opponent="level-1", seat="second")
        path = f"/games/{begun.json()['id']}"
        assert client.get(path, params={"after": "1"}).json()["version"] == 2


def test_long_answers_are_compressed_for_clients_that_accept_it(client: httpx.Client) -> None:
    begun = begin(client)
    path = f"/games/{begun.json()['id']}"
    for address in (path, "/index.html", "/page.js", "/words"):
        texts = []
        for _ in range(2):
            for accepted in ("gzip", "identity"):
                answer = client.get(address, headers={"Accept-Encoding": accepted})
                assert answer.headers.get("Content-Encoding", "identity") == accepted
                assert "Accept-Encoding" in answer.headers["Vary"]
                texts.append(answer.text)
        assert len({*texts}) == 1
    short = client.get(f"{path}/record", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in short.headers


def test_nothing_is_compressed_where_all_requests_wait(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    compress = gzip.compress
    blocked = []

    def compressed(content: bytes, *levels: int) -> bytes:
        # Only the thread of the server has an event loop that runs.
        with suppress(RuntimeError):
            blocked.append(asyncio.get_running_loop())
        packed.append(len(content))
        return compress(content, *levels)

    packed: list[int] = []
    monkeypatch.setattr(gzip, "compress", compressed)
    accepted = {"Accept-Encoding": "gzip"}
    begun = client.post("/games", json={"rules": SMALL}, headers=accepted)
    for address in (f"/games/{begun.json()['id']}", "/words", "/", "/page.js"):
        assert client.get(address, headers=accepted).headers["Content-Encoding"] == "gzip"
    # The files were compressed before.
    assert len(packed) == len([begun, "the game", "the words"])
    assert blocked == []


def test_a_name_with_half_a_surrogate_pair_does_not_break_an_answer(client: httpx.Client) -> None:
    body = b'{"rules": "original", "seat": "first", "name": "A\\ud800\xc3\x9f"}'
    answer = client.post("/games", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (201, 400)
    json.loads(answer.content)


def test_a_game_over_http(client: httpx.Client) -> None:
    begun = begin(client)
    assert begun.status_code == 201
    path = f"/games/{begun.json()['id']}"
    assert begun.headers["Location"] == path
    assert act(client, begun, 1, "a1,b1").json()["version"] == 2
    assert act(client, begun, 1, "a1,b1").status_code == 409
    refused = act(client, begun, 2, "a1,b1")
    assert (refused.status_code, refused.json().keys()) == (200, {"refused"})
    shown = client.get(path, params={"lang": "de", "theme": "dark"})
    assert shown.headers["Content-Type"] == "application/json"
    assert shown.json()["sentence"] == pdd.messages.result(pdd.Game.new(), "de")
    record = client.get(f"{path}/record")
    assert record.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert pdd.records.loads(record.text).actions == (pdd.parse_action("a1,b1"),)


@pytest.mark.parametrize(
    ("path", "media"),
    [
        *((path, "text/html; charset=utf-8") for path in ("/", "/index.html")),
        *((f"/{name}.js", "text/javascript; charset=utf-8") for name in SCRIPTS),
        *((f"/{name}.css", "text/css; charset=utf-8") for name in STYLES),
        ("/icon.svg", "image/svg+xml"),
    ],
)
def test_the_page(client: httpx.Client, path: str, media: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, media)
    name = "index.html" if path == "/" else path[1:]
    assert answer.content == page_files()[name] != b""
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


@pytest.mark.parametrize("path", ["/../app.py", "/static/page.js", "/%2e%2e/app.py", "/x%00"])
def test_no_other_files_are_served(address: str, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    status, _ = exchanged(address, request.encode())
    assert status == 404


@pytest.mark.parametrize("host", [*OWN_HOSTS, *NAMES_OF_OTHERS, *NO_NAMES])
def test_the_server_answers_to_its_own_names(address: str, host: str) -> None:
    request = f"GET /words HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    found, answer = exchanged(address, request.encode())
    assert found == (200 if host in OWN_HOSTS else 421)
    assert (b'"code":"bad-host"' in answer) == (found == 421)


def test_the_name_is_said_once(address: str) -> None:
    assert exchanged(address, b"GET / HTTP/1.0\r\n\r\n")[0] == 421
    twice = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: example.org\r\n\r\n"
    assert exchanged(address, twice)[0] in (400, 421)


def test_names_in_a_home_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "vm")
    others = {"other.local": 421, "vm.local.evil.example": 421, "vm.example": 421}
    for is_exposed in (False, True):
        own = 200 if is_exposed else 421
        expected = {"vm": own, "VM.local:8000": own, "vm.lan": own, "vm.home.arpa": own, **others}
        for host, status in expected.items():
            headers = {"Host": host}
            site = app.create_app(new_site(), any_address=is_exposed)
            assert asked_of(site, "/words", headers=headers).status_code == status


def test_other_names_are_told_when_it_starts() -> None:
    hosts = {"ponte.example": 200, "192.0.2.1": 200, "[2001:db8::1]:80": 200, "other.example": 421}
    with in_thread(new_site(), names=["Ponte.Example"], any_address=True) as address:
        for host, status in hosts.items():
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
def test_sites_that_start_games(client: httpx.Client, headers: dict[str, str], status: int) -> None:
    body = b'{"rules": "original"}'
    assert client.post("/games", content=body, headers={**JSON, **headers}).status_code == status


def test_requests_of_the_server_s_own_page_are_allowed(client: httpx.Client, address: str) -> None:
    answer = client.post("/games", json={"rules": SMALL}, headers={"Origin": address})
    assert answer.status_code == 201


def test_refusals_are_in_the_language_that_is_asked_for(client: httpx.Client) -> None:
    headers = {"Origin": "https://example.org"}
    answer = client.post("/games", params={"lang": "de"}, json={}, headers=headers)
    said = {
        "error": "Dieser Server nimmt keine Anfragen von anderen Seiten an.",
        "code": "bad-origin",
    }
    assert answer.json() == said


@pytest.mark.parametrize("port", ["", ":80"])
@pytest.mark.parametrize("shown", ["", ":80"])
def test_the_default_port_may_be_told(port: str, shown: str) -> None:
    headers = {"Host": f"localhost{port}", "Origin": f"http://localhost{shown}"}
    answer = asked(new_site(), "POST", "/games", json={"rules": SMALL}, headers=headers)
    assert answer.status_code == 201


def test_a_proxy_may_decrypt() -> None:
    with (
        in_thread(new_site(), names=["games.example"]) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as asking,
    ):
        for origin in ("https://games.example", "https://games.example:443"):
            for told in ({"X-Forwarded-Proto": "https"}, {}):
                headers = {"Host": "games.example", "Origin": origin, **told}
                answer = asking.post("/games", json={"rules": SMALL}, headers=headers)
                assert answer.status_code == 201


def test_the_site_under_a_path() -> None:
    """The page requests only files beside its scripts, below any path."""
    site = new_site()
    mounted = Starlette(routes=[Mount("/games/ponte", app.create_app(site, wait_seconds=0))])

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(mounted)
        base = "http://localhost/games/ponte"
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            begun = await client.post("/games", json={"rules": SMALL})
            where = begun.headers["Location"]
            absolute = f"http://localhost{where}"
            return [begun, *[await client.get(path) for path in ("/", "/main.js", absolute)]]

    begun, *answers = asyncio.run(ask())
    assert begun.headers["Location"] == f"/games/ponte/games/{begun.json()['id']}"
    assert [answer.status_code for answer in answers] == [200, 200, 200]


@pytest.mark.parametrize(
    ("told", "prefix"),
    [
        ("/ponte", "/ponte"),
        ("/a/b-c/", "/a/b-c"),
        ("", ""),
        ("/", ""),
        ("//evil.example", ""),
        ("https://evil.example", ""),
        ("/a b", ""),
    ],
)
def test_a_proxy_may_tell_its_path(told: str, prefix: str) -> None:
    headers = {"X-Forwarded-Prefix": told}
    begun = asked(new_site(), "POST", "/games", json={"rules": SMALL}, headers=headers)
    assert begun.headers["Location"] == f"{prefix}/games/{begun.json()['id']}"


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_methods_that_a_path_does_not_have(client: httpx.Client, method: str) -> None:
    begun = begin(client)
    game = f"/games/{begun.json()['id']}"
    for path, allowed in (("/games", "POST"), (game, "GET, HEAD"), ("/page.js", "GET, HEAD")):
        answer = client.request(method, path)
        assert (answer.status_code, answer.headers["Allow"]) == (405, allowed)
        assert answer.json()["code"] == "no-such-method"


def test_bodies_that_are_too_long(client: httpx.Client, address: str) -> None:
    long = b'{"rules": "original"' + b" " * MAX_BODY_BYTES + b"}"
    answer = client.post("/games", content=long, headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["error"] == f"At most {MAX_BODY_BYTES} bytes, please."
    # The body comes in chunks without a length.
    pieces = (long[at : at + 999] for at in range(0, len(long), 999))
    answer = client.post("/games", content=pieces, headers=JSON)
    assert answer.status_code == 413
    # The body is only announced; it is refused before it is sent.
    request = HEAD + b"Content-Length: 99999999999999999999\r\n\r\n{"
    assert exchanged(address, request)[0] in (400, 413)
    assert begin(client).status_code == 201


@pytest.mark.parametrize("is_length_first", [False, True])
def test_a_body_has_one_length(address: str, *, is_length_first: bool) -> None:
    """Otherwise a proxy could see one request where the server sees two."""
    body = b"0\r\n\r\nGET /words HTTP/1.1\r\nHost: localhost\r\n\r\n"
    lengths = [b"Content-Length: %d\r\n" % len(body), b"Transfer-Encoding: chunked\r\n"]
    told = b"".join(lengths if is_length_first else reversed(lengths))
    status, answer = exchanged(address, HEAD + told + b"\r\n" + body)
    assert (status, answer.count(b"HTTP/1.1 ")) == (400, 1)
    assert b'"code":"two-lengths"' in answer
    assert b"connection: close" in answer.lower()


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
        status = 400  # the server has closed the connection of the endless body
    assert 400 <= status < 500


def test_a_client_that_disconnects_disturbs_no_other(client: httpx.Client, address: str) -> None:
    hung_up(address, HEAD + b"Content-Length: 100\r\n\r\n{")
    assert begin(client).status_code == 201


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Semaphore:
    """Return a semaphore that counts loads of games; waiting requests do not load by themselves."""
    found = Semaphore(0)
    load = Store.load

    def counted(store: Store, name: str) -> StoredGame:
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
        path = f"/games/{begun.json()['id']}"
        seen = {"after": "1", "seats_taken": "2"}
        waiting = threads.submit(asking.get, path, params=seen)
        assert looks.acquire(timeout=PATIENCE)
        act(asking, begun, 1, "a1,b1")
        assert waiting.result(PATIENCE).json()["version"] == 2


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of IDs of loaded games; waiting requests do not load by themselves."""
    found: list[str] = []
    load = Store.load

    def noted(store: Store, name: str) -> StoredGame:
        found.append(name)
        return load(store, name)

    monkeypatch.setattr(Store, "load", noted)
    monkeypatch.setattr(app, "LOOK_SECONDS", 3600.0)
    return found


def test_a_change_wakes_the_requests_for_its_game_only(loads: list[str]) -> None:
    """Refused requests, first clicks and other games wake no waiting request."""
    waiting_pages = 5
    with (
        in_thread(new_site()) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as asking,
        ThreadPoolExecutor(waiting_pages) as threads,
    ):
        begun = begin(asking)
        other = begin(asking)
        game = begun.json()["id"]
        path = f"/games/{game}"
        pages = [
            threads.submit(asking.get, path, params={"after": "1"}) for _ in range(waiting_pages)
        ]
        assert_soon(lambda: len(loads) >= waiting_pages)
        # None of these changes the game.
        assert act(asking, begun, 1, "a1,a1").status_code == 200
        assert act(asking, begun, 9, "a1,b1").status_code == 409
        assert asking.post(f"{path}/actions", json={}).status_code == 403
        assert asking.post(f"/games/{ID}/actions", json={}).status_code == 404
        headers = {"Authorization": f"Bearer {begun.json()['token']}"}
        fields = {"version": 1, "cells": ["a1"]}
        clicked = asking.post(f"{path}/actions", json=fields, headers=headers)
        assert clicked.status_code == 200
        assert act(asking, other, 1, "a1,b1").status_code == 200
        posts = loads.count(game) - waiting_pages
        assert act(asking, begun, 1, "a1,b1").status_code == 200
        assert all(page.result(PATIENCE).json()["version"] == 2 for page in pages)
        # The action loads the game, and so does each waiting page.
        assert loads.count(game) == waiting_pages + posts + 1 + waiting_pages
        assert posts == 4


def test_a_request_waits_no_longer_than_it_may(client: httpx.Client) -> None:
    answer = client.get(f"/games/{begin(client).json()['id']}", params={"after": "1"})
    assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.parametrize("event", ["a change by another process", "the end of the server"])
def test_requests_look_again(looks: Semaphore, monkeypatch: pytest.MonkeyPatch, event: str) -> None:
    monkeypatch.setattr(app, "LOOK_SECONDS", 0.01)
    site = new_site()
    stopping = Event()
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


@pytest.mark.parametrize("waiting", [0, 1, 20, 40, app.MAX_REQUESTS, 10 * app.MAX_REQUESTS])
def test_requests_look_often_enough_however_many_wait(waiting: int) -> None:
    """An analysis continues while a page asks for it; no request delays the server's end."""
    seconds = app._seconds_until_look(waiting)
    ending = server.create_server(app.create_app(new_site()), server.ConnectionLimits())
    assert seconds >= app.LOOK_SECONDS
    assert seconds < (ending.config.timeout_graceful_shutdown or 0) - 1
    assert seconds < PATIENCE_SECONDS / 2


def test_a_request_that_has_news_is_not_sent_away() -> None:
    """To make room, the server ends a request that still waits, not one that has news."""

    async def ask() -> None:
        endpoints = app._Endpoints(new_site(), lambda: False, PATIENCE)
        loop = asyncio.get_running_loop()
        over = loop.create_future()
        waits = loop.create_future()
        over.set_result(None)
        endpoints.waits |= {over: app._Waiting("greedy"), waits: app._Waiting("greedy")}
        assert endpoints.send_away("greedy")
        assert (over.cancelled(), waits.cancelled()) == (False, True)
        assert not endpoints.send_away("greedy")

    asyncio.run(ask())


def test_requests_for_news_are_sent_away_first() -> None:
    """A move that waits for a slot is older than the news that its player's pages wait for."""

    async def ask() -> None:
        endpoints = app._Endpoints(new_site(), lambda: False, PATIENCE)
        loop = asyncio.get_running_loop()
        move, news, others_news = (loop.create_future() for _ in range(3))
        endpoints.waits |= {
            move: app._Waiting("greedy"),
            news: app._Waiting("greedy", is_for_news=True),
            others_news: app._Waiting("polite", is_for_news=True),
        }
        assert endpoints.send_away("greedy")
        assert (move.cancelled(), news.cancelled()) == (False, True)
        assert not endpoints.send_news_away("greedy")
        assert endpoints.send_away("greedy")
        assert (move.cancelled(), others_news.cancelled()) == (True, False)

    asyncio.run(ask())


def test_the_pages_of_a_client_make_room_for_its_moves(looks: Semaphore) -> None:
    pages = 4
    guest = Guest(new_site()).seated()
    path = f"/games/{guest.game}"
    with (
        in_thread(guest.site, wait_seconds=PATIENCE, max_requests=pages) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as asking,
        ThreadPoolExecutor(pages) as threads,
    ):
        news = [threads.submit(asking.get, path, params={"after": "1"}) for _ in range(pages)]
        for _ in news:
            assert looks.acquire(timeout=PATIENCE)
        # A page that only reads does not send away another one.
        assert asking.get(path).status_code == 503
        headers = {"Authorization": f"Bearer {guest.token}"}
        action = {"version": 1, "action": "a1,b1"}
        played = asking.post(f"{path}/actions", json=action, headers=headers)
        assert (played.status_code, played.json()["version"]) == (200, 2)
        answers = sorted(page.result(PATIENCE).status_code for page in news)
        assert answers == [200] * (pages - 1) + [204]


def exchange(scope: Any, received: list[Any], asgi: Any) -> list[Any]:
    """Run an application without a server; return the messages that it sends."""
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
    head = {"type": "http", "method": "GET", "path": f"/games/{guest.game}"}
    scope = {**head, "query_string": b"after=1", "headers": [(b"host", b"localhost")]}
    sent = exchange(scope, received, app.create_app(guest.site))
    assert sent[0]["status"] == 204


def test_an_application_can_be_told_when_it_starts_and_ends() -> None:
    received = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent = exchange({"type": "lifespan"}, received, app.create_app(new_site()))
    types = [each["type"] for each in sent]
    assert types == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


ID = "0" * 32
GAME = f"/games/{ID}"
VERSION = 1 + len(BY_AN_ISLAND)

# Each case: method, path, status, fields or text of the body, query, token.
HAS_PNG = find_spec("resvg_py") is not None
REQUESTS: dict[str, tuple[str, str, int, dict[str, object] | str, dict[str, str], str]] = {
    "words": ("GET", "/words", 200, "", {}, ""),
    "words in German": ("GET", "/words", 200, "", {"lang": "de"}, ""),
    "the rules": ("GET", "/rules", 200, "", {}, ""),
    "a new game": ("POST", "/games", 201, {"rules": SMALL}, {}, ""),
    "against a player": (
        *("POST", "/games", 201),
        {"rules": SMALL, "opponent": "level-4", "seat": "second"},
        {},
        "",
    ),
    "unknown rules": ("POST", "/games", 400, {"rules": "draughts"}, {"lang": "de"}, ""),
    "a bad set-up": ("POST", "/games", 422, {"rules": "original", "start": "1 x"}, {}, ""),
    "no fields": ("POST", "/games", 400, "[]", {}, ""),
    "no JSON": ("POST", "/games", 400, "{", {}, ""),
    "a lone surrogate": ("POST", "/games", 400, '{"rules": "\\ud800"}', {}, ""),
    "a long body": ("POST", "/games", 413, "{" + " " * MAX_BODY_BYTES, {}, ""),
    "a game": ("GET", GAME, 200, "", {}, "secret"),
    "a game for a stranger": ("GET", GAME, 200, "", {"lang": "de"}, ""),
    "no news": ("GET", GAME, 204, "", {"after": str(VERSION)}, ""),
    "news": ("GET", GAME, 200, "", {"after": "1"}, ""),
    "no game": ("GET", "/games/" + "1" * 32, 404, "", {}, ""),
    "a taken seat": ("POST", f"{GAME}/seats", 409, {"seat": "first"}, {}, ""),
    "a click": ("POST", f"{GAME}/actions", 200, {"cells": ["f4"]}, {}, "secret"),
    "two clicks": ("POST", f"{GAME}/actions", 200, {"cells": ["d1", "e3"]}, {}, "secret"),
    "an illegal click": (
        *("POST", f"{GAME}/actions", 200),
        {"cells": ["c3"]},
        {"lang": "de"},
        "secret",
    ),
    "a click without a seat": ("POST", f"{GAME}/actions", 403, {"cells": ["f4"]}, {}, "other"),
    "an action": ("POST", f"{GAME}/actions", 200, {"action": "d1,e3"}, {}, "secret"),
    "a late action": ("POST", f"{GAME}/actions", 409, {"version": 1}, {}, "secret"),
    "an illegal action": ("POST", f"{GAME}/actions", 200, {"action": "a1,d1"}, {}, "secret"),
    "a name": ("POST", f"{GAME}/name", 200, {"name": "Ada"}, {}, "secret"),
    "back": ("POST", f"{GAME}/undo", 200, {}, {}, "secret"),
    "a draw": ("POST", f"{GAME}/draw", 200, {}, {}, "secret"),
    "nothing to decline": ("POST", f"{GAME}/draw", 409, {"answer": "decline"}, {}, "secret"),
    "nothing to withdraw": ("POST", f"{GAME}/undo", 409, {"answer": "withdraw"}, {}, "secret"),
    "no clock": ("POST", f"{GAME}/time", 409, {}, {}, "secret"),
    "another level": ("POST", f"{GAME}/answer", 409, {"opponent": "level-1"}, {}, "secret"),
    "a rematch": ("POST", f"{GAME}/rematch", 409, {}, {}, "secret"),
    "a resignation": ("POST", f"{GAME}/resignation", 200, {"seat": "first"}, {}, "secret"),
    "the record": ("GET", f"{GAME}/record", 200, "", {}, ""),
    "tried actions": (
        *("POST", f"{GAME}/trial", 200),
        {"ply": 1, "tried": ["red"], "cells": ["d3", "e3"]},
        {"lang": "de"},
        "secret",
    ),
    "a tried click": (
        "POST",
        f"{GAME}/trial",
        200,
        {"ply": 0, "tried": [], "cells": ["d3"]},
        {},
        "secret",
    ),
    "an illegal trial": (
        "POST",
        f"{GAME}/trial",
        200,
        {"ply": 5, "tried": [], "cells": ["c3"]},
        {},
        "secret",
    ),
    "a trial without a seat": ("POST", f"{GAME}/trial", 403, {"ply": 0, "tried": []}, {}, ""),
    "a variation": (
        *("POST", f"{GAME}/variations", 200),
        {"ply": 2, "tried": ["c3,d3"]},
        {},
        "secret",
    ),
    "a variation to remove": (
        *("POST", f"{GAME}/variations/removal", 404),
        {"line": ["a1,b1", "red", "c3,d3"]},
        {},
        "secret",
    ),
    "too late to abort": ("POST", f"{GAME}/abort", 409, {}, {}, "secret"),
    "no variation": ("POST", f"{GAME}/variations", 422, {"ply": 2, "tried": []}, {}, "secret"),
    "a picture": ("GET", f"{GAME}/picture", 200, "", {"theme": "dark"}, ""),
    "a moment": ("GET", f"{GAME}/picture", 200, "", {"ply": "2", "lang": "de"}, ""),
    "no such moment": ("GET", f"{GAME}/picture", 400, "", {"ply": "7"}, ""),
    "a replay page": ("GET", f"{GAME}/replay", 200, "", {"lang": "de"}, ""),
    "an animation": ("GET", f"{GAME}/animation", 200 if HAS_PNG else 422, "", {}, ""),
    "summaries": ("GET", "/summaries", 200, "", {"games": ID, "lang": "de"}, ""),
    "an analysis": ("POST", f"{GAME}/analyses", 403, {"ply": 0}, {}, "secret"),
    "no analysis": ("GET", f"{GAME}/analysis", 404, "", {"lang": "de"}, ""),
    "no page": ("GET", "/nothing", 404, "", {"lang": "de"}, ""),
    "no page of a game": ("GET", f"{GAME}/nothing", 404, "", {}, ""),
    "a path with a slash": ("GET", f"{GAME}/", 404, "", {}, ""),
    "another method": ("DELETE", GAME, 405, "", {"lang": "de"}, "secret"),
}


@pytest.fixture
def known_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "token_hex", lambda _count: ID)
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _count: "secret")


def new_game() -> Guest:
    """Return a player of both seats of a game that has begun."""
    guest = Guest().seated()
    guest.play(*BY_AN_ISLAND)
    return guest


def plain(content: object) -> Any:
    return json.loads(json.dumps(content))


def text(body: dict[str, object] | str) -> str:
    return body if isinstance(body, str) else json.dumps({"version": VERSION, **body})


@pytest.mark.usefixtures("known_secrets")
@pytest.mark.parametrize("name", REQUESTS)
def test_both_transports_respond_alike(name: str) -> None:
    method, path, status, body, query, token = REQUESTS[name]
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    options = {"content": text(body), "params": query, "headers": headers}
    http = asked(new_game().site, method, path, **options)
    guest = Guest(new_game().site, token=token, query=query)
    response = guest.raw(method, path, text(body).encode())
    assert http.status_code == response.status == status
    assert all(http.headers[name] == value for name, value in response.headers.items())
    if isinstance(response.content, bytes):
        assert http.content == response.content
        return
    is_json = http.headers.get("Content-Type") == "application/json"
    content = http.json() if is_json else http.text or None
    assert content == plain(response.content)


def test_every_route_is_tried() -> None:
    tried = {(method, path.replace(ID, "{game}")) for method, path, *_ in REQUESTS.values()}
    assert tried >= {(route.method, route.path) for route in ROUTES}


PATHS = ("", "/seats", "/actions", "/undo", "/draw", "/resignation")
OTHERS = ("/record", "/replay", "/picture", "/rematch", "/answer", "/time")
CELLS = st.sampled_from(["a1", "b1", "c3", "d1", "e3", "f5", "z9", "4d", ""])
TEXTS = CELLS | st.text(max_size=8) | st.sampled_from(["d1,e3", "red", "pass", "a1-c1", "first"])
VALUES = TEXTS | st.integers(-1, 9) | st.none() | st.booleans() | st.floats() | st.lists(TEXTS)
NAMES = ("version", "cells", "action", "seat", "rules", "start", "opponent", "name")
RULES = st.sampled_from([SMALL, "original", "rows=", "2 w r\n1 . .", "greedy", "both", "none"])
FIELDS = st.dictionaries(st.sampled_from(NAMES), VALUES | RULES)
QUERY = st.dictionaries(st.sampled_from(["lang", "after", "seats_taken", "ply"]), TEXTS)
METHODS = st.sampled_from(["GET", "POST", "HEAD", "PUT", ""])
ADDRESSES = st.sampled_from((*PATHS, *OTHERS)) | st.text(max_size=6)
ASKED = st.tuples(METHODS, ADDRESSES, QUERY, FIELDS)


@given(asked=ASKED, knows_version=st.booleans(), is_seated=st.booleans())
def test_everything_is_answered(asked: Any, *, knows_version: bool, is_seated: bool) -> None:
    method, path, query, fields = asked
    guest = new_game()
    before = guest.get()
    if knows_version:
        fields = {**fields, "version": before["version"]}
    body = json.dumps(fields).encode()
    token = guest.token if is_seated else "stranger"
    request = Request(query, body, token)
    answer = dispatch(guest.site, method, f"/games/{guest.game}{path}", request)
    assert answer.status in (200, 201, 204, 400, 403, 404, 405, 409, 422)
    after = guest.get()
    if answer.status >= 400:
        assert plain(answer.content)["error"]
        assert after == before
    elif not (is_seated and method == "POST"):
        assert after == before
    else:
        assert after["version"] in (before["version"], before["version"] + 1)


@given(body=st.binary(max_size=40) | FIELDS.map(lambda each: json.dumps(each).encode()))
def test_every_new_game_is_answered(body: bytes) -> None:
    answer = Guest().raw("POST", "/games", body)
    assert answer.status in (201, 400, 422)
    assert plain(answer.content).keys() >= ({"token"} if answer.status == 201 else {"error"})


@given(path=st.text(), method=st.text(max_size=5), token=st.text(max_size=5))
def test_every_address_is_answered(path: str, method: str, token: str) -> None:
    answer = dispatch(Guest().site, method, path, Request(token=token))
    assert answer.status in (200, 400, 404, 405)


SIDES = ("tiles=unlimited", "bridges=unlimited", "tiebreaks=none")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"rules": " ".join(("26x26", *SIDES))}, 201),
        ({"rules": " ".join(("27x1", *SIDES))}, 422),
        ({"rules": " ".join(("1x27", *SIDES))}, 422),
        ({"rules": "original", "start": f"{'. ' * 26}."}, 422),
        ({"rules": "original", "start": "\n".join([". ."] * 27)}, 422),
    ],
)
def test_a_site_limits_the_size_of_boards(fields: dict[str, str], status: int) -> None:
    site = Site(MemoryStore(), max_side=26)
    said = Guest(site).begin(status, **fields)
    if status != 201:
        assert said["code"] == "side-too-long"
        assert said["error"] == "A side has at most 26 cells here."
        german = Guest(site, query={"lang": "de"}).begin(status, **fields)["error"]
        assert german == "Eine Seite hat hier höchstens 26 Felder."


def test_an_error_lists_ten_faults() -> None:
    """An error lists at most ten violations, here bridges without tiles."""
    spans = zip("abcdefgh", "cdefghij", strict=True)
    built = ",".join(f"{x}{y}-{z}{y}" for x, z in spans for y in range(1, 27))
    rows = "/".join(["26"] * 26)
    start = f"26x26 {' '.join(SIDES)} rows={rows} built={built}"
    start += " phase=play to-move=white white=first"
    body = {"rules": "original", "start": start}
    said = Guest().begin(422, **body)
    assert said["code"] == "invalid-position"
    assert len(said["violations"]) == 10
    assert said["error"].startswith(" ".join(each["text"] for each in said["violations"]))
    assert said["error"].endswith("And at least 90 more.")
    assert len(json.dumps(said)) < 4 * len(json.dumps(body))
    assert Guest(query={"lang": "de"}).begin(422, **body)["error"].endswith(" weitere.")
    few = Guest().begin(422, rules="original", start="w x w")
    assert (len(few["violations"]), few["error"]) == (1, "Already taken by a tile: b1.")


def test_a_client_is_told_of_a_failure_while_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that names its version gets the failure at once, others at the end of their wait."""
    free = Event()

    def fail(_name: str) -> object:
        free.wait(PATIENCE)
        raise EOFError

    monkeypatch.setattr("pontedeldiavolo.web.site.by_name", fail)
    site = Site(MemoryStore(), fixed_seed, thinkers=Thinkers())
    guest = Guest(site).seated(opponent="level-1", seat="first")
    guest.play("a1,b1")
    with (
        in_thread(site, wait_seconds=0.3) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
        ThreadPoolExecutor(2) as threads,
    ):
        seen = {"after": "2", "seats_taken": "1"}
        path = f"/games/{guest.game}"
        waiting = [
            threads.submit(client.get, path, params=params)
            for params in ({**seen, "failure_seen": ""}, seen)
        ]
        free.set()
        for each in waiting:
            assert each.result(PATIENCE).json()["failure"]["code"] == "computer-failed"
        known = {**seen, "failure_seen": "1"}
        assert client.get(path, params=known).status_code == 204


def test_a_request_that_does_not_wait_is_answered_at_once() -> None:
    with (
        in_thread(new_site(), wait_seconds=10 * PATIENCE) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        shown = begin(client).json()
        seen = {
            "after": "1",
            "seats_taken": "2",
            "people_stamp": shown["people_stamp"],
            "wait": "no",
        }
        path = f"/games/{shown['id']}"
        assert client.get(path, params=seen).status_code == 204
