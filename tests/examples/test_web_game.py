"""The server of the tutorial on a first web game."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

import pontedeldiavolo as pdd
from support.paths import ROOT

SECONDS = 30


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    names = runpy.run_path(str(ROOT / "examples" / "web_game.py"))
    handler = names["Handler"]
    handler.table = names["Table"](pdd.Rules(pdd.Board(3, 3)))
    handler.log_message = lambda *_: None
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def ask(
    server: ThreadingHTTPServer, path: str, action: str | None = None
) -> tuple[int, dict[str, Any]]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=SECONDS)
    connection.request("GET" if action is None else "POST", path, action)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    is_json = answer.headers["Content-Type"].startswith("application/json")
    return answer.status, json.loads(body) if is_json else {"text": body}


def test_a_game(server: ThreadingHTTPServer) -> None:
    assert ask(server, "/table")[1]["table"]["phase"] == "opening"
    status, half = ask(server, "/table?first=a1")
    assert (status, half["table"]["first"], len(half["table"]["targets"])) == (200, "a1", 8)
    assert 'data-cell="a1"' in half["svg"]
    assert ask(server, "/play", "a1,c1")[1]["table"]["others"] == ["white", "red"]
    for action in ("red", "a2,b2", "a1-c1"):
        status, shown = ask(server, "/play", action)
        assert (status, shown["table"]["last"]) == (200, action)


def test_refusals(server: ThreadingHTTPServer) -> None:
    assert ask(server, "/play", "a1,d1") == (422, {"error": "Off the 3×3 board: d1."})
    assert ask(server, "/play", "nothing")[0] == 422
    assert ask(server, "/table?first=d1")[0] == 422
    assert ask(server, "/play", "a" * 101)[0] == 404
    assert ask(server, "/elsewhere")[0] == ask(server, "/elsewhere", "")[0] == 404


def test_the_page(server: ThreadingHTTPServer) -> None:
    assert "<title>Ponte del Diavolo</title>" in ask(server, "/")[1]["text"]
