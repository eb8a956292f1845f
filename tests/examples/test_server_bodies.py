"""The example server refuses values of wrong types in bodies, and never fails."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from support.http_client import SMALL
from support.json_nodes import ODDITIES, TYPES, texts_with
from support.samples import new_report
from support.site import new_game

if TYPE_CHECKING:
    from support.site import httpx

pytestmark = pytest.mark.slow

BODIES: list[tuple[str, dict[str, object]]] = [
    ("seats", {"seat": "second"}),
    ("actions", {"version": 1, "action": "a1,b1"}),
    ("actions", {"version": 1, "cells": ["a1", "c1"]}),
    ("resignation", {"version": 1}),
    ("draw", {"version": 1}),
]
JSON_TYPE = {"Content-Type": "application/json"}


def test_every_type_in_the_body_for_a_new_game(client: httpx.Client) -> None:
    for what, text in texts_with(
        {"rules": SMALL, "seconds": 300, "increment": 5}, TYPES | ODDITIES
    ):
        answer = client.post("/games", content=text.encode(), headers=JSON_TYPE)
        assert answer.status_code in (201, 400, 413, 422), what


@pytest.mark.parametrize(("path", "body"), BODIES)
def test_every_type_in_a_body(client: httpx.Client, path: str, body: dict[str, object]) -> None:
    for what, text in texts_with(body, TYPES):
        player = new_game(client, SMALL)["first"]
        headers = JSON_TYPE | {"Authorization": f"Bearer {player.token}"}
        address = f"/games/{player.game}/{path}"
        answer = client.post(address, content=text.encode(), headers=headers)
        assert answer.status_code < 500, what
        assert player.get().status_code == 200, what


def test_every_type_in_an_upload(client: httpx.Client) -> None:
    report = new_report("a1,b1")
    good = json.dumps(report)
    for what, text in texts_with(report, TYPES):
        answer = client.post("/uploads", content=f"{good}\n{text}\n{good}".encode())
        assert answer.status_code == 201, what
        assert len(answer.json()["games"]) in (2, 3), what
