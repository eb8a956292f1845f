"""Replace every value in the body of every request by values of every JSON type."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.requests import Response
from pontedeldiavolo.web.routes import ROUTES
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore, Store
from pontedeldiavolo.web.thinkers import Thinkers
from support.http_client import SMALL, Guest, fixed_seed
from support.http_server import asked
from support.json_nodes import ODDITIES, TYPES, texts_with
from support.samples import new_report

SETUP = "w . .\n. . .\n. . r"
NEW_GAME: dict[str, object] = {
    "rules": SMALL,
    "start": SETUP,
    "to_move": "red",
    "seat": "first",
    "opponent": "level-1",
    "name": "Ada",
    "time_control": "300+5",
}
BODIES: list[tuple[str, dict[str, object]]] = [
    ("/games", NEW_GAME),
    ("/games/{game}/seats", {"seat": "second", "name": "Bo"}),
    ("/games/{game}/name", {"name": "Ada", "seat": "first"}),
    ("/games/{game}/actions", {"version": 1, "action": "a1,b1"}),
    ("/games/{game}/actions", {"version": 1, "cells": ["a1", "c1"]}),
    ("/games/{game}/trial", {"ply": 0, "tried": ["a1,b1"], "action": "pass"}),
    ("/games/{game}/trial", {"ply": 0, "tried": [], "cells": ["a1", "c1"]}),
    ("/games/{game}/trial", {"ply": 0, "tried": [], "others": [["a1,b1"]]}),
    ("/games/{game}/variations", {"version": 1, "ply": 0, "tried": [], "others": [["a1,b1"]]}),
    ("/games/{game}/variations/removal", {"version": 1, "line": ["a1,b1"]}),
    ("/games/{game}/abort", {"version": 1}),
    ("/games/{game}/undo", {"version": 1}),
    ("/games/{game}/undo", {"version": 1, "answer": "ask"}),
    ("/games/{game}/resignation", {"version": 1, "seat": "first"}),
    ("/games/{game}/draw", {"version": 1}),
    ("/games/{game}/draw", {"version": 1, "answer": "decline"}),
    ("/games/{game}/draw", {"version": 1, "answer": "withdraw"}),
    ("/games/{game}/time", {"version": 1}),
    ("/games/{game}/answer", {"version": 1, "opponent": "level-1"}),
    ("/games/{game}/rematch", {"version": 1}),
    ("/games/{game}/rematch", {"version": 1, "answer": "decline"}),
    ("/games/{game}/analyses", {"ply": -1}),
]
"""Bodies for each request, in which every field is used."""


def test_every_request_with_a_body_is_tried() -> None:
    assert {path for path, _body in BODIES} == {
        route.path for route in ROUTES if route.method == "POST"
    }


def new_site(store: Store) -> Site:
    """Return a site whose players wait, so that nothing changes without a request."""
    return Site(store, fixed_seed, thinkers=Thinkers(0, 10_000))


def require_answer(answer: Response, what: str) -> None:
    """Require that a request is answered or refused, and that the response can be sent."""
    assert answer.status < 500, what
    if isinstance(answer.content, str):
        answer.content.encode()
    else:
        json.dumps(answer.content).encode()


def sweep(site: Site, path: str, body: dict[str, object], values: dict[str, str]) -> None:
    """Send bodies with each value in each place, and request the game after each."""
    for what, text in texts_with(body, values):
        guest = Guest(site)
        if "{game}" in path:
            guest = guest.seated()
        answer = guest.raw("POST", path.replace("{game}", guest.game), text.encode())
        require_answer(answer, what)
        content = answer.content
        if isinstance(content, dict) and "token" in content:
            guest = guest.at(content)
        if guest.game:
            require_answer(guest.raw("GET", f"/games/{guest.game}"), what)
            require_answer(guest.raw("GET", f"/games/{guest.game}/record"), what)


@pytest.mark.parametrize(("path", "body"), BODIES)
def test_the_bodies_are_valid(path: str, body: dict[str, object]) -> None:
    guest = Guest(new_site(MemoryStore())).seated(seat="first")
    answer = guest.raw("POST", path.replace("{game}", guest.game), json.dumps(body).encode())
    code = answer.content.get("code") if isinstance(answer.content, dict) else None
    # No action could be undone, and no opponent plays yet.
    allowed = (
        "nothing-to-undo",
        "nothing-offered",
        "no-clock",
        "no-analysis",
        "no-trial",
        "not-computers-turn",
        "game-not-ended",
    )
    assert answer.status < 300 or code in allowed, answer


def test_every_type_in_the_body_for_a_new_game() -> None:
    sweep(new_site(MemoryStore()), "/games", NEW_GAME, TYPES)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "body"), BODIES)
def test_every_type_in_a_body(tmp_path: Path, path: str, body: dict[str, object]) -> None:
    sweep(new_site(FolderStore(tmp_path)), path, body, TYPES)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "body"), BODIES)
def test_odd_values_in_a_body(tmp_path: Path, path: str, body: dict[str, object]) -> None:
    sweep(new_site(FolderStore(tmp_path)), path, body, ODDITIES)


def starts() -> Iterator[tuple[str, str]]:
    """Yield damaged games of every JSON format, for the field ``start``."""
    yield from texts_with(new_report("d4,g7", "c3,c5", results=(1, 0)), TYPES)
    game = pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1")
    yield from texts_with(pdd.json.to_json(game), TYPES)


@pytest.mark.slow
def test_every_type_in_a_game_to_continue(tmp_path: Path) -> None:
    guest = Guest(new_site(FolderStore(tmp_path)))
    for what, text in starts():
        body = json.dumps({"rules": SMALL, "start": text}).encode()
        require_answer(guest.raw("POST", "/games", body), what)


def test_a_number_in_place_of_the_moves_of_a_report() -> None:
    report = new_report() | {"moves": 7}
    answer = asked(
        Site(MemoryStore(), fixed_seed),
        "POST",
        "/games",
        json={"rules": SMALL, "start": json.dumps(report)},
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "json-path")
