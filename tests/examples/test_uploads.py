"""Uploads of untrusted files to the example server."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from starlette.routing import Mount

import pontedeldiavolo as pdd
from support.games import actions_of
from support.paths import ROOT
from support.site import PATIENCE, Player, httpx

FORMAT = pdd.records.Format
LIMIT = 65_536
"""The number of bytes that the server accepts."""

GAMES = [
    pdd.records.loads((ROOT / "examples" / "games" / name).read_text("utf-8"))
    for name in ("abstract-play-8.pdd", "wikipedia.pdd")
]


def written(games: list[pdd.Game], form: pdd.records.Format) -> bytes:
    file = BytesIO()
    pdd.records.write(games, file, form)
    return file.getvalue()


def record_of(client: httpx.Client, name: str) -> pdd.Game:
    return pdd.records.loads(Player(client, name).get("/record").text)


@pytest.mark.parametrize("form", [FORMAT.PDD, FORMAT.SGF, FORMAT.JSON])
def test_games_in_formats_that_are_told(client: httpx.Client, form: pdd.records.Format) -> None:
    answer = client.post("/uploads", content=written(GAMES, form))
    assert (answer.status_code, answer.json()["errors"]) == (201, [])
    assert [record_of(client, name) for name in answer.json()["games"]] == GAMES


def test_a_list_of_moves_whose_format_is_named(client: httpx.Client) -> None:
    answer = client.post("/uploads", params={"format": "moves"}, content=b"d4,g7 c3,c5")
    assert answer.status_code == 201
    [name] = answer.json()["games"]
    assert actions_of(record_of(client, name)) == ["d4,g7", "red", "c3,c5"]
    assert client.post("/uploads", params={"format": "chess"}, content=b"").status_code == 400


def test_good_games_among_bad_ones(client: httpx.Client) -> None:
    text = '\ufeff[Event "1"]\n1. d4,g7 *\n\n[Event "2"]\n1. d4,d4 *\n\n[Event "3"]\n1. a1,b1 *\n'
    answer = client.post("/uploads", content=text.encode())
    assert answer.status_code == 201
    assert [record_of(client, each).tags["Event"] for each in answer.json()["games"]] == ["1", "3"]
    [error] = answer.json()["errors"]
    why = "A pair needs two different cells, not d4 twice."
    assert error == f"Game 2, line 5, column 4: expected a legal action: {why}"


def test_an_uploaded_game_can_be_played_on(client: httpx.Client) -> None:
    [name] = client.post("/uploads", content=b"1. d4,g7 *").json()["games"]
    token = Player(client, name).post("seats", seat="second").json()["token"]
    answer = Player(client, name, token).post("actions", version=1, action="white")
    assert (answer.status_code, answer.json()["snapshot"]["phase"]) == (200, "play")


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "Game 1, line 1, column 1: expected a game"),
        (b"hello", "expected a cell"),
        (b"\xff\xfe1", "text in utf-16-le"),
        (b"1. d4,d4 *", "two different cells"),
        (b"(;" * (LIMIT // 2), "Game 1, line 1"),
        (b"1. d4,g7 " + b"(" * 20_000, "Game 1, line 1"),
        (b'{"format": ' + b"[" * 50_000, "Game 1, line 1"),
        (b"[" * LIMIT, "Game 1, line 1"),
        (b"{" * LIMIT, "Game 1, line 1"),
        (b'[Rules "999999999x9 tiles=1 bridges=1 tiebreaks=none"]\n*', "a width from 1 to 64"),
        (
            b'[Rules "64x64 tiles=unlimited bridges=unlimited tiebreaks=none"]\n1. a1,b1 *',
            "expected a board of at most 26x26",
        ),
    ],
    ids=lambda each: str(each)[:20],
)
def test_files_without_a_good_game(client: httpx.Client, content: bytes, error: str) -> None:
    answer = client.post("/uploads", content=content)
    assert (answer.status_code, answer.json()["games"]) == (422, [])
    assert error in answer.json()["errors"][0]
    assert all(len(each) < 1_000 for each in answer.json()["errors"])
    assert len(answer.json()["errors"]) <= 101


def test_errors_are_said_in_german_too(client: httpx.Client) -> None:
    text = b'[Event "1"]\n1. d4,d4 *\n\n[Event "2"]\n1. d4;g7 *'
    answer = client.post("/uploads", params={"lang": "de"}, content=text)
    illegal, unreadable = answer.json()["errors"]
    why = "Ein Paar braucht zwei verschiedene Felder, nicht zweimal d4."
    assert illegal == f"Partie 1, Zeile 2, Spalte 4: erwartet: eine erlaubte Aktion: {why}"
    assert unreadable == "Partie 2, Zeile 5, Spalte 6: erwartet: ',' oder '-'."


def test_blanks_in_a_comment(client: httpx.Client) -> None:
    comment = "a" + 60_000 * " " + "b"
    answer = client.post("/uploads", content=f"1. d4,g7 {{{comment}}} *".encode())
    [name] = answer.json()["games"]
    assert record_of(client, name).line.moves[0].comment == comment


def test_no_more_games_than_a_hundred(client: httpx.Client) -> None:
    record = b'[Rules "2x2 tiles=1 bridges=1 tiebreaks=none"]\n*\n\n'
    answer = client.post("/uploads", content=100 * record)
    assert (len(answer.json()["games"]), answer.json()["errors"]) == (100, [])
    answer = client.post("/uploads", content=200 * record)
    assert len(answer.json()["games"]) == 100
    [error] = answer.json()["errors"]
    assert error.endswith("the limit of games is 100.")


def test_as_many_bytes_as_are_taken_and_no_more(client: httpx.Client) -> None:
    content = b"1. d4,g7 *\n".ljust(LIMIT, b"\n")
    assert client.post("/uploads", content=content).status_code == 201
    answer = client.post("/uploads", content=content + b"\n")
    said = {"error": "At most 65536 bytes, please.", "code": "body-too-long"}
    assert (answer.status_code, answer.json()) == (413, said)
    assert client.post("/games", content=b" " * 2_001).status_code == 413


@pytest.mark.parametrize("length", ["65537", "10000000000"])
def test_bodies_announced_as_too_large_are_not_read(client: httpx.Client, length: str) -> None:
    address = (client.base_url.host, client.base_url.port)
    with socket.create_connection(address, PATIENCE) as connection:
        head = f"POST /uploads HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"
        connection.sendall(head.encode())
        # The client sent no byte of the body.
        assert connection.recv(1_000).startswith(b"HTTP/1.1 413 ")


def test_endless_bodies_are_not_read_to_their_end(client: httpx.Client) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 100_000_000:
            sent += 1_000
            yield b"\n" * 1_000

    try:
        answer = client.post("/uploads", content=endless())
    except httpx.TransportError:
        # The server has closed the connection before the client read the response.
        pass
    else:
        assert answer.status_code == 413
    assert LIMIT < sent < 100_000_000
    assert client.get("/games/none").status_code == 404


ENDLESS = "10x10 tiles=9999999999999999999999999 bridges=1 tiebreaks=none"
DENSE = "1. d4,g7 " + "(a1,b1)" * 4_000 + " *"
"""A record that becomes 1.5 times as long when it is written again."""


def asked(module: dict[str, Any], method: str, path: str, **options: Any) -> httpx.Response:
    """Send a request to the application without a server; its errors make the test fail."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(module["create_app"]())
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, **options)

    return asyncio.run(ask())


def test_a_body_has_one_length(module: dict[str, Any]) -> None:
    """Otherwise a proxy could see one request where the server sees two."""
    headers = {"Content-Length": "5", "Transfer-Encoding": "chunked"}
    for path in ("/games", "/uploads"):
        sent = asked(module, "POST", path, headers=headers, content=b"1. d4")
        assert (sent.status_code, sent.json()["code"]) == (400, "two-lengths")
        assert sent.headers["Connection"] == "close"


def test_the_site_may_be_mounted(module: dict[str, Any]) -> None:
    mounted = {"create_app": lambda: Mount("/ponte", module["create_app"]())}
    begun = asked(mounted, "POST", "/ponte/games", json={"rules": "original"})
    assert begun.headers["Location"] == f"/ponte/games/{begun.json()['id']}"
    assert asked(mounted, "GET", begun.headers["Location"]).status_code == 200


def unshowable(_state: pdd.GameState, **_options: object) -> object:
    raise pdd.PonteError(pdd.Reason("json-surrogates", {}))


@pytest.mark.parametrize("outputs_are_current", [True, False])
def test_what_cannot_be_shown_is_not_stored(
    module: dict[str, Any], monkeypatch: pytest.MonkeyPatch, *, outputs_are_current: bool
) -> None:
    rules = ENDLESS
    if not outputs_are_current:
        monkeypatch.setattr(pdd.json, "snapshot", unshowable)
        rules = "original"
    begun = asked(module, "POST", "/games", json={"rules": rules})
    assert begun.status_code == (400 if outputs_are_current else 422)
    text = f'[Rules "{ENDLESS}"]\n\n1. d4,g7 *\n' if outputs_are_current else "1. d4,g7 *\n"
    sent = asked(module, "POST", "/uploads", content=text)
    assert (sent.status_code, sent.json()["games"], len(sent.json()["errors"])) == (422, [], 1)


def test_a_stored_game_is_checked_once(module: dict[str, Any]) -> None:
    sent = asked(module, "POST", "/uploads", content=DENSE)
    [name] = sent.json()["games"]
    texts = {asked(module, "GET", f"/games/{name}/record").text for _ in range(3)}
    assert len(texts) == 1
    assert len(texts.pop()) > 1.4 * len(DENSE)
    assert module["load_record"].cache_info().misses == 1


def test_a_record_may_be_longer_than_an_upload(module: dict[str, Any]) -> None:
    """A game within the limits of an upload can be written and read again, even if it is longer."""
    small = pdd.Limits(side=26, games=100, characters=2_000)
    module["load_record"].__wrapped__.__globals__["LIMITS"] = small
    sent = asked(module, "POST", "/uploads", content="1. d4,g7 " + "(a1,b1)" * 270 + " *")
    [name] = sent.json()["games"]
    record = asked(module, "GET", f"/games/{name}/record")
    assert (record.status_code, len(record.text) > 2_000) == (200, True)


def test_a_response_lists_ten_violations(module: dict[str, Any]) -> None:
    violations = pdd.parse_setup("w x w").violations() * 11
    assert len(violations) > 10
    request = type("Request", (), {"query_params": {}})()
    assert len(module["violation_list"](violations, request)) == 10
