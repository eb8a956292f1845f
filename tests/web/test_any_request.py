"""Every request gets a response, and only an allowed one changes a game."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pontedeldiavolo.web.requests import Request, Response
from pontedeldiavolo.web.routes import dispatch
from support.http_client import BY_AN_ISLAND, SMALL, Guest

PATHS = ("", "/seats", "/clicks", "/actions", "/why", "/take-back", "/resignation", "/record")
CELLS = st.sampled_from(["a1", "b1", "c3", "d1", "e3", "f5", "z9", "4d", ""])
TEXTS = CELLS | st.text(max_size=8) | st.sampled_from(["d1,e3", "red", "pass", "a1-c1", "first"])
VALUES = TEXTS | st.integers(-1, 9) | st.none() | st.booleans() | st.floats() | st.lists(TEXTS)
NAMES = ("version", "cell", "first", "action", "seat", "rules", "start", "opponent")
RULES = st.sampled_from([SMALL, "original", "rows=", "2 w r\n1 . .", "greedy", "both", "none"])
FIELDS = st.dictionaries(st.sampled_from(NAMES), VALUES | RULES)
QUERY = st.dictionaries(
    st.sampled_from(["lang", "theme", "after", "taken", "cell", "action"]), TEXTS
)


def said(response: Response) -> Any:
    return json.loads(json.dumps(response.content))


def begun() -> tuple[Guest, dict[str, Any]]:
    guest = Guest().seated()
    return guest, guest.play(*BY_AN_ISLAND)


@given(
    method=st.sampled_from(["GET", "POST", "HEAD", "PUT", ""]),
    path=st.sampled_from(PATHS) | st.text(max_size=6),
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
    guest, before = begun()
    if knows_version:
        fields = {**fields, "version": before["version"]}
    body = json.dumps(fields).encode()
    token = guest.token if is_seated else "stranger"
    request = Request(query, body, token)
    answer = dispatch(guest.site, method, f"/games/{guest.game}{path}", request)
    assert answer.status in (200, 201, 204, 400, 403, 404, 405, 409, 422)
    after = guest.get()
    if answer.status >= 400:
        assert said(answer)["error"]
        assert after == before
    elif not (is_seated and method == "POST"):
        assert after == before
    else:
        assert after["version"] in (before["version"], before["version"] + 1)


@given(body=st.binary(max_size=40) | FIELDS.map(lambda each: json.dumps(each).encode()))
def test_every_new_game_is_answered(body: bytes) -> None:
    answer = Guest().raw("POST", "/games", body)
    assert answer.status in (201, 400, 422)
    assert said(answer).keys() >= ({"token"} if answer.status == 201 else {"error"})


@given(path=st.text(), method=st.text(max_size=5), token=st.text(max_size=5))
def test_every_address_is_answered(path: str, method: str, token: str) -> None:
    answer = dispatch(Guest().site, method, path, Request(token=token))
    assert answer.status in (200, 400, 404, 405)
