"""Requests of every kind: by HTTP and as in a browser's worker, random ones, and large ones."""

from __future__ import annotations

import json
import secrets
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pontedeldiavolo.web import store
from pontedeldiavolo.web.requests import MAX_BODY_BYTES, Request
from pontedeldiavolo.web.routes import ROUTES, Site, dispatch
from pontedeldiavolo.web.store import MemoryStore
from support.http_client import BY_AN_ISLAND, SMALL, Guest
from support.http_server import asked

# The same responses over HTTP and as in a browser's worker

ID = "0" * 32
GAME = f"/games/{ID}"
VERSION = 1 + len(BY_AN_ISLAND)

# Method, path, status, the fields of the body (or its text), the query, the token.
REQUESTS: dict[str, tuple[str, str, int, dict[str, object] | str, dict[str, str], str]] = {
    "words": ("GET", "/words", 200, "", {}, ""),
    "words in German": ("GET", "/words", 200, "", {"lang": "de"}, ""),
    "the rules": ("GET", "/rules", 200, "", {}, ""),
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
    "a game for a stranger": ("GET", GAME, 200, "", {"lang": "de"}, ""),
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
    "a draw": ("POST", f"{GAME}/draw", 200, {}, {}, "secret"),
    # Here the new game takes the place of the old one: there is one address.
    "a rematch": ("POST", f"{GAME}/rematch", 409, {}, {}, "secret"),
    "a resignation": ("POST", f"{GAME}/resignation", 200, {"seat": "first"}, {}, "secret"),
    "the record": ("GET", f"{GAME}/record", 200, "", {}, ""),
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
    response = Guest(new_game().site, token=token, query=query).raw(
        method, path, text(body).encode()
    )
    assert http.status_code == response.status == status
    is_json = http.headers.get("Content-Type") == "application/json"
    content = http.json() if is_json else http.text or None
    assert content == plain(response.content)
    assert all(http.headers[name] == value for name, value in response.headers.items())


def test_every_route_is_tried() -> None:
    tried = {(method, path.replace(ID, "{game}")) for method, path, *_ in REQUESTS.values()}
    assert tried >= {(route.method, route.path) for route in ROUTES}


# Every request gets a response, and only an allowed one changes a game

PATHS = ("", "/seats", "/clicks", "/actions", "/why", "/take-back", "/draw", "/resignation")
OTHERS = ("/record", "/rematch")
CELLS = st.sampled_from(["a1", "b1", "c3", "d1", "e3", "f5", "z9", "4d", ""])
TEXTS = CELLS | st.text(max_size=8) | st.sampled_from(["d1,e3", "red", "pass", "a1-c1", "first"])
VALUES = TEXTS | st.integers(-1, 9) | st.none() | st.booleans() | st.floats() | st.lists(TEXTS)
NAMES = ("version", "cell", "first", "action", "seat", "rules", "start", "opponent", "name")
RULES = st.sampled_from([SMALL, "original", "rows=", "2 w r\n1 . .", "greedy", "both", "none"])
FIELDS = st.dictionaries(st.sampled_from(NAMES), VALUES | RULES)
QUERY = st.dictionaries(st.sampled_from(["lang", "after", "taken", "cell", "action"]), TEXTS)


@given(
    method=st.sampled_from(["GET", "POST", "HEAD", "PUT", ""]),
    path=st.sampled_from((*PATHS, *OTHERS)) | st.text(max_size=6),
    query=QUERY,
    fields=FIELDS,
    knows_version=st.booleans(),
    is_seated=st.booleans(),
)
def test_everything_is_answered(
    method: str,
    path: str,
    query: dict[str, str],
    fields: dict[str, object],
    *,
    knows_version: bool,
    is_seated: bool,
) -> None:
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


# Responses in proportion to their requests

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
def test_a_site_has_a_longest_side(fields: dict[str, str], status: int) -> None:
    site = Site(MemoryStore(), max_side=26)
    said = Guest(site).begin(status, **fields)
    if status != 201:
        assert (said["code"], said["error"]) == (
            "side-too-long",
            "A side has at most 26 cells here.",
        )
        german = Guest(site, query={"lang": "de"}).begin(status, **fields)["error"]
        assert german == "Eine Seite hat hier höchstens 26 Felder."


def test_an_error_lists_ten_faults() -> None:
    """All bridges of a state are without tiles."""
    ends = (
        (f"{x}{y}", f"{z}{y}")
        for x, z in zip("abcdefgh", "cdefghij", strict=True)
        for y in range(1, 27)
    )
    start = (
        f"26x26 {' '.join(SIDES)} rows={'/'.join(['26'] * 26)}"
        f" built={','.join('-'.join(each) for each in ends)} phase=play to-move=white white=first"
    )
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
