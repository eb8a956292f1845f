"""The same requests over HTTP and as in a browser's worker: the responses are the same."""

from __future__ import annotations

import json
import secrets

import pytest

from pontedeldiavolo.web import store
from pontedeldiavolo.web.requests import MAX_BODY_BYTES
from pontedeldiavolo.web.routes import ROUTES
from support.http_client import BY_AN_ISLAND, SMALL, Guest
from support.http_server import asked

ID = "0" * 32
GAME = f"/games/{ID}"
VERSION = 1 + len(BY_AN_ISLAND)

# Method, path, status, the fields of the body (or its text), the query, the token.
REQUESTS: dict[str, tuple[str, str, int, dict[str, object] | str, dict[str, str], str]] = {
    "words": ("GET", "/words", 200, "", {}, ""),
    "words in German": ("GET", "/words", 200, "", {"lang": "de"}, ""),
    "a new game": ("POST", "/games", 201, {"rules": SMALL}, {}, ""),
    "against a player": (
        *("POST", "/games", 201),
        {"rules": SMALL, "opponent": "greedy", "seat": "second"},
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
    "a game for a stranger": ("GET", GAME, 200, "", {"lang": "de", "theme": "dark"}, ""),
    "no news": ("GET", GAME, 204, "", {"after": str(VERSION)}, ""),
    "news": ("GET", GAME, 200, "", {"after": "1"}, ""),
    "no game": ("GET", "/games/" + "1" * 32, 404, "", {}, ""),
    "a taken seat": ("POST", f"{GAME}/seats", 409, {"seat": "first"}, {}, ""),
    "a first click": ("POST", f"{GAME}/clicks", 200, {"cell": "f4"}, {}, "secret"),
    "a second click": ("POST", f"{GAME}/clicks", 200, {"first": "d1", "cell": "e3"}, {}, "secret"),
    "an illegal click": ("POST", f"{GAME}/clicks", 422, {"cell": "c3"}, {"lang": "de"}, "secret"),
    "a click without a seat": ("POST", f"{GAME}/clicks", 403, {"cell": "f4"}, {}, "other"),
    "an action": ("POST", f"{GAME}/actions", 200, {"action": "d1,e3"}, {}, "secret"),
    "a late action": ("POST", f"{GAME}/actions", 409, {"version": 1}, {}, "secret"),
    "an illegal action": ("POST", f"{GAME}/actions", 422, {"action": "a1,d1"}, {}, "secret"),
    "why not": ("GET", f"{GAME}/why", 200, "", {"cell": "c3"}, ""),
    "why what": ("GET", f"{GAME}/why", 400, "", {}, ""),
    "back": ("POST", f"{GAME}/take-back", 200, {}, {}, "secret"),
    "a resignation": ("POST", f"{GAME}/resignation", 200, {"seat": "first"}, {}, "secret"),
    "the record": ("GET", f"{GAME}/record", 200, "", {}, ""),
    "no page": ("GET", "/nothing", 404, "", {"lang": "de"}, ""),
    "no page of a game": ("GET", f"{GAME}/nothing", 404, "", {}, ""),
    "a path with a slash": ("GET", f"{GAME}/", 404, "", {}, ""),
    "another method": ("DELETE", GAME, 405, "", {"lang": "de"}, "secret"),
}


@pytest.fixture(autouse=True)
def known_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "token_hex", lambda _count: ID)
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _count: "secret")


def new_game() -> Guest:
    """Return a player of both seats of a game that has begun."""
    guest = Guest().seated()
    guest.play(*BY_AN_ISLAND)
    return guest


def text(body: dict[str, object] | str) -> str:
    return body if isinstance(body, str) else json.dumps({"version": VERSION, **body})


@pytest.mark.parametrize("name", REQUESTS)
def test_both_transports_respond_alike(name: str) -> None:
    method, path, status, body, query, token = REQUESTS[name]
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    options = {"content": text(body), "params": query, "headers": headers}
    http = asked(new_game().site, method, path, **options)
    response = Guest(new_game().site, token=token, query=query).raw(
        method, path, text(body).encode()
    )
    assert http.status_code == response.status == status
    is_json = http.headers.get("Content-Type") == "application/json"
    content = http.json() if is_json else http.text or None
    assert content == json.loads(json.dumps(response.content))
    assert all(http.headers[name] == value for name, value in response.headers.items())


def test_every_route_is_tried() -> None:
    tried = {(method, path.replace(ID, "{game}")) for method, path, *_ in REQUESTS.values()}
    assert tried >= {(route.method, route.path) for route in ROUTES}
