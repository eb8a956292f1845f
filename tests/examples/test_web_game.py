"""The server of the tutorial "A first web game"."""

from __future__ import annotations

import json
import re
import runpy
import socket
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
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


def ask(server: ThreadingHTTPServer, path: str, action: str | None = None) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=SECONDS)
    connection.request("GET" if action is None else "POST", path, action)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    is_json = answer.headers["Content-Type"].startswith("application/json")
    return answer.status, json.loads(body) if is_json else {"text": body}


def test_a_game(server: ThreadingHTTPServer) -> None:
    assert ask(server, "/snapshot")[1]["snapshot"]["phase"] == "opening"
    status, half = ask(server, "/snapshot?first=a1")
    assert (status, half["snapshot"]["placed_tile"], len(half["snapshot"]["targets"])) == (
        200,
        "a1",
        8,
    )
    assert 'data-cell="a1"' in half["svg"]
    assert ask(server, "/play", "a1,c1")[1]["snapshot"]["other_actions"] == ["white", "red"]
    for action in ("red", "a2,b2", "a1-c1"):
        status, shown = ask(server, "/play", action)
        assert (status, shown["snapshot"]["last"]) == (200, action)


def send(server: ThreadingHTTPServer, request: bytes) -> tuple[int, str]:
    """Send raw bytes; return the status and the code of the error."""
    with socket.create_connection(("127.0.0.1", server.server_port), SECONDS) as connection:
        connection.sendall(request)
        with connection.makefile("rb") as file:
            head, _, body = file.read().partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["code"]


def test_refusals(server: ThreadingHTTPServer) -> None:
    refusal = {"error": "Off the 3×3 board: d1.", "code": "illegal-action"}
    assert ask(server, "/play", "a1,d1") == (422, refusal)
    assert ask(server, "/play", "nothing")[0] == 400
    assert ask(server, "/snapshot?first=d1")[0] == 422
    assert ask(server, "/play", "a" * 101)[0] == 413
    assert ask(server, "/elsewhere")[0] == ask(server, "/elsewhere", "")[0] == 404


@pytest.mark.parametrize(
    ("lines", "body", "answer"),
    [
        ("POST /play", b"", (411, "no-length")),
        ("POST /play\nTransfer-Encoding: chunked", b"", (411, "no-length")),
        (
            "POST /play\nTransfer-Encoding: chunked\nContent-Length: 5",
            b"0\r\n\r\n",
            (400, "two-lengths"),
        ),
        ("POST /play\nContent-Length: -1", b"", (400, "bad-length")),
        ("POST /play\nContent-Length: five", b"", (400, "bad-length")),
        ("POST /play\nContent-Length: " + 5_000 * "9", b"", (413, "body-too-long")),
        ("POST /play\nContent-Length: 2", b"\xff\xfe", (400, "not-utf-8")),
        ("GET /snapshot?first=a1&first=b2", b"", (400, "bad-query")),
        ("GET http://[/snapshot", b"", (404, "no-such-page")),
    ],
)
def test_requests_that_no_browser_sends(
    server: ThreadingHTTPServer,
    lines: str,
    body: bytes,
    answer: tuple[int, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, *others = lines.split("\n")
    head = "\r\n".join([f"{first} HTTP/1.0", *others])
    assert send(server, f"{head}\r\n\r\n".encode() + body) == answer
    assert capsys.readouterr().err == ""


def test_every_refusal_is_a_sentence_in_the_language_of_the_page(
    server: ThreadingHTTPServer,
) -> None:
    handler: Any = server.RequestHandlerClass
    handler.table = type(handler.table)(pdd.Rules(pdd.Board(3, 3)), "de")
    assert ask(server, "/elsewhere")[1]["error"] == "Hier ist nichts."
    long = ask(server, "/play", "a" * 101)[1]["error"]
    assert long == "Der Inhalt darf höchstens 100 Bytes lang sein."
    twice = ask(server, "/snapshot?first=a1&first=b2")[1]["error"]
    assert twice == "'first' darf nur einmal vorkommen."
    path = ROOT / "examples" / "web_game.py"
    refused = re.findall(r'refuse\(\d+, "([a-z0-9-]+)"', path.read_text("utf-8"))
    own = runpy.run_path(str(path))["SENTENCES"]
    for code, catalog in pdd.messages.LANGUAGES.items():
        assert [each for each in refused if each not in {**catalog, **own[code]}] == []
    assert {"no-length", "two-lengths", "bad-length", "not-utf-8"} <= {*refused}


def test_words_in_all_languages(server: ThreadingHTTPServer) -> None:
    handler: Any = server.RequestHandlerClass
    kinds = []
    answer: dict[str, Any] = {}
    for code in pdd.messages.LANGUAGES:
        handler.table = type(handler.table)(pdd.Rules(pdd.Board(3, 3)), code)
        answer = ask(server, "/snapshot")[1]
        assert answer["words"]["lang"] == code
        kinds.append(answer["words"].keys())
    assert set(kinds[0]) == set(kinds[-1]) >= {"white", "red", "pass", "bridge"}
    assert answer["words"]["white"] == "Weiß"
    assert answer["snapshot"]["sentences"]["state"].startswith("Spieler 1")
    assert "Brett" in answer["svg"]
    assert ask(server, "/play", "a1,d1")[1]["error"] == "Nicht auf dem 3×3-Brett: d1."


BLOCK = re.compile(r"(?ms)^```\{literalinclude\} ../../examples/(\S+)\n(.*?)^```$")


def blocks(name: str) -> list[str]:
    """Return the blocks of the tutorial that show parts of a file, in order."""
    text = (ROOT / "examples" / name).read_text("utf-8")
    page = (ROOT / "docs" / "start" / "first-web-game.md").read_text("utf-8")
    found = []
    for block, lines in BLOCK.findall(page):
        if block == name:
            options = dict(re.findall(r'^:([\w-]+): "?(.*?)"?$', lines, re.MULTILINE))
            assert options["caption"].startswith(name)
            start = text.index(options["start-at"]) if "start-at" in options else 0
            end = options.get("end-before")
            found.append(text[start : None if end is None else text.index(end, start)])
    return found


@pytest.mark.parametrize("name", ["web_game.py", "web_game.html"])
def test_the_blocks_of_the_tutorial_make_the_whole_file(name: str) -> None:
    def lines(text: str) -> list[str]:
        return [line.strip() for line in text.splitlines() if line.strip()]

    whole = (ROOT / "examples" / name).read_text("utf-8")
    assert lines("\n".join(blocks(name))) == lines(whole)


def test_the_page(server: ThreadingHTTPServer) -> None:
    assert "<title>Ponte del Diavolo</title>" in ask(server, "/")[1]["text"]
