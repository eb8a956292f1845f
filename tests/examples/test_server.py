"""The example server plays over HTTP as the library does."""

from __future__ import annotations

import json
import random
import re
import runpy
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import pontedeldiavolo as pdd
from pontedeldiavolo.web.computer_moves import Failure
from pontedeldiavolo.web.requests import SiteError
from pontedeldiavolo.web.routes import ROUTES
from pontedeldiavolo.web.thinkers import AnalysisJob
from pontedeldiavolo.web.views import error_response
from support.http_client import BY_AN_ISLAND, SMALL, Guest, at_the_island, snapshot
from support.paths import ROOT
from support.site import PATIENCE, Player, httpx, new_game, running, sit_down

GERMAN = {"red": "Rot", "white": "Weiß"}


def require_shown(shown: dict[str, object], game: pdd.Game) -> None:
    """Fail unless the server shows this game."""
    assert {**shown, "id": None} == {
        "id": None,
        "version": 1 + len(game.actions),
        "result": game.result,
        "ending": game.ending and game.ending.value,
        "sentence": pdd.messages.result(game),
        "clocks": dict.fromkeys(("first", "second")),
        "draw_offer": None,
        "snapshot": snapshot(game),
    }


def click_twice(
    player: Player, state: pdd.GameState, version: int, first: pdd.Cell, second: str
) -> httpx.Response:
    """Click on two cells."""
    answer = player.post("actions", version=version, cells=[str(first)])
    assert answer.status_code == 200
    bridges = state.legal_actions.bridges_from(first)
    ends = [str(each.b if each.a == first else each.a) for each in bridges]
    expected = ends or [*map(str, state.legal_actions.second_tiles(first))]
    assert answer.json() == {"second": expected}
    assert player.see()["version"] == version
    return player.post("actions", version=version, cells=[str(first), second])


def play(player: Player, game: pdd.Game, action: pdd.Action) -> httpx.Response:
    """Play an action as people do: tiles and bridges by two clicks, in any order."""
    version = 1 + len(game.actions)
    match action:
        case pdd.PlaceTiles(a, b):
            return click_twice(player, game.state, version, b, str(a))
        case pdd.BuildBridge(a, b):
            return click_twice(player, game.state, version, a, str(b))
        case _:
            return player.post("actions", version=version, action=pdd.format_action(action))


@pytest.mark.parametrize(("seed", "color"), [(1, "white"), (4, "red")])
def test_a_whole_game_click_by_click(client: httpx.Client, seed: int, color: str) -> None:
    rng = random.Random(seed)
    players = new_game(client, SMALL)
    game = pdd.Game.new(pdd.parse_rules(SMALL))
    kinds = set()
    while game.ending is None:
        require_shown(players["first"].see(), game)
        legal = game.state.legal_actions
        action: pdd.Action = rng.choice(legal.bridges or legal)
        if game.state.phase is pdd.Phase.COLOR_CHOICE:
            action = pdd.ChooseColor(pdd.Color(color))
        seat = game.state.seat_to_move
        assert seat is not None
        answer = play(players[seat.value], game, action)
        assert answer.status_code == 200
        game = game.play(action)
        kinds.add(type(action))
        require_shown(answer.json(), game)
    assert kinds == {pdd.PlaceTiles, pdd.ChooseColor, pdd.BuildBridge, pdd.Pass}
    assert players["first"].see()["ending"] == "scored"
    in_german = players["first"].get(lang="de").json()
    assert in_german["snapshot"] == snapshot(game, pdd.messages.LANGUAGES["de"])
    assert in_german["sentence"] == pdd.messages.result(game, "de")
    assert pdd.records.loads(players["second"].get("/record").text) == game


def put(players: dict[str, Player], *actions: str) -> Player:
    """Play actions one after the other; return the seat to move then."""
    for action in actions:
        shown = players["first"].see()
        mover = players[shown["snapshot"]["seat_to_move"]]
        answer = mover.post("actions", version=shown["version"], action=action)
        assert answer.status_code == 200, answer.text
    return players[players["first"].see()["snapshot"]["seat_to_move"]]


@pytest.mark.parametrize("lang", ["en", "de", ""])
def test_why_not(client: httpx.Client, lang: str) -> None:
    player = put(new_game(client, SMALL), *BY_AN_ISLAND)
    island = at_the_island(lang)
    version = player.see()["version"]
    for fields in ({"cells": ["c3"]}, {"cells": ["d1", "c3"]}, {"action": "d1,c3"}):
        refused = player.post("actions", lang, version=version, **fields)
        assert (refused.status_code, refused.json()["violations"]) == (422, [island])
    assert player.see()["version"] == version


def test_several_reasons_come_at_once(client: httpx.Client) -> None:
    player = put(new_game(client, SMALL), *BY_AN_ISLAND)
    version = player.see()["version"]
    violations = player.post("actions", version=version, action="f1,z9").json()["violations"]
    assert [each["code"] for each in violations] == ["off-board", "occupied"]
    answer = player.post("actions", "de", version=version, cells=["z9"])
    assert answer.status_code == 422
    assert answer.json()["violations"][0]["text"] == "Nicht auf dem 6×5-Brett: z9."


@pytest.mark.parametrize(("seat", "result"), [("first", "red"), ("second", "white")])
def test_resigning_is_possible_at_any_time(client: httpx.Client, seat: str, result: str) -> None:
    players = new_game(client, SMALL)
    put(players, *BY_AN_ISLAND)
    version = players[seat].see()["version"]
    shown = players[seat].post("resignation", version=version).json()
    assert (shown["ending"], shown["result"]) == ("resignation", result)
    assert shown["sentence"] == f"{result.capitalize()} wins by resignation."
    in_german = players["first"].get(lang="de").json()
    assert in_german["sentence"] == f"{GERMAN[result]} gewinnt durch Aufgabe."
    for again in (
        players["first"].post("resignation", version=version + 1),
        players["first"].post("actions", version=version + 1, cells=["d1"]),
    ):
        assert (again.status_code, again.json()["code"]) == (409, "game-ended")
        assert again.json()["error"] == "The game has ended."


def test_a_draw_by_agreement(client: httpx.Client) -> None:
    players = new_game(client, SMALL)
    one = players["first"]
    other = players["second"]
    assert one.post("draw", version=1).json()["draw_offer"] == "first"
    # An action makes the offer void, and nobody can accept their own offer.
    shown = one.post("actions", version=2, action="a1,f1").json()
    assert (shown["version"], shown["draw_offer"]) == (3, None)
    assert other.post("draw", version=3).json()["draw_offer"] == "second"
    assert other.post("draw", version=4).json()["ending"] is None
    shown = one.post("draw", version=5).json()
    assert (shown["ending"], shown["result"], shown["draw_offer"]) == ("agreement", "draw", None)
    assert other.post("draw", version=6).status_code == 409


def test_clocks(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"

    def wait(seconds: int) -> None:
        with closing(sqlite3.connect(database)) as db, db:
            db.execute("UPDATE games SET since = since - ?", [seconds])

    with running(database) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        rules = {"rules": SMALL, "seconds": 6000, "increment": 500}
        looking_on = Player(client, client.post("/games", json=rules).json()["id"])
        players = {seat: sit_down(looking_on, seat) for seat in ("first", "second")}
        wait(3000)  # before the first action no clock runs
        assert looking_on.see()["clocks"] == {"first": 6000, "second": 6000}
        put(players, "a1,f1")
        wait(1000)
        clocks = looking_on.see()["clocks"]
        assert clocks == {"first": 6500, "second": pytest.approx(5000, abs=PATIENCE)}
        put(players, "red")
        moves = pdd.records.loads(looking_on.get("/record").text).line.moves
        assert [move.elapsed for move in moves] == [None, pytest.approx(1000, abs=PATIENCE)]
        # The second seat has red and exceeds its time. The next request ends the game.
        wait(5501)
        late = players["second"].post("actions", version=3, action="b3,d3")
        assert (late.status_code, late.json()["code"]) == (409, "outdated")
        shown = looking_on.see()
        assert (shown["version"], shown["ending"], shown["result"]) == (4, "time", "white")
        for wrong in ({"seconds": 0}, {"seconds": 60, "increment": -1}, {"seconds": 10**9}):
            assert client.post("/games", json={"rules": SMALL, **wrong}).status_code == 400


def test_a_clock_of_the_system_that_steps_back_changes_no_clock_of_a_game(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    with running(database) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        rules = {"rules": SMALL, "seconds": 60, "increment": 5}
        looking_on = Player(client, client.post("/games", json=rules).json()["id"])
        players = {seat: sit_down(looking_on, seat) for seat in ("first", "second")}
        put(players, "a1,f1")
        with closing(sqlite3.connect(database)) as db, db:
            db.execute("UPDATE games SET since = since + 1000")
        assert looking_on.see()["clocks"] == {"first": 65, "second": 60}
        put(players, "red")
        assert looking_on.see()["version"] == 3
        moves = pdd.records.loads(looking_on.get("/record").text).line.moves
        assert [(move.clock, move.elapsed) for move in moves] == [(65, None), (65, 0)]


def test_refusals_are_those_of_the_served_page(client: httpx.Client) -> None:
    players = new_game(client, SMALL)
    refused = players["first"].post("actions", version=1, action="a1,z9")
    with pytest.raises(pdd.IllegalActionError) as caught:
        pdd.GameState.initial(pdd.parse_rules(SMALL)).apply(pdd.parse_action("a1,z9"))
    same = error_response(caught.value, pdd.messages.LANGUAGES["en"])
    assert (refused.status_code, refused.json()) == (same.status, same.content)
    assert isinstance(same.content, dict)
    assert len(same.content) == 3


def test_only_the_seat_to_move_may_play(client: httpx.Client) -> None:
    players = new_game(client, SMALL)
    others = new_game(client, SMALL)
    wrong = dict.fromkeys(("", "nonsense", others["first"].token), "no-seat")
    wrong[players["second"].token] = "not-your-turn"
    for token, code in wrong.items():
        stranger = Player(client, players["first"].game, token)
        for answer in (stranger.post("actions", **CLICK), stranger.post("actions", **ACTION)):
            assert (answer.status_code, answer.json()["code"]) == (403, code)
    assert Player(client, players["first"].game).post("resignation", version=1).status_code == 403
    assert players["first"].see()["version"] == 1


def test_a_seat_is_taken_once(client: httpx.Client) -> None:
    looking_on = Player(client, client.post("/games", json={"rules": SMALL}).json()["id"])
    barrier = Barrier(4)

    def take(_: int) -> int:
        barrier.wait(PATIENCE)
        return looking_on.post("seats", seat="second").status_code

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(take, range(4))) == [201, 409, 409, 409]
    assert sit_down(looking_on, "first").token
    assert looking_on.post("seats", seat="third").status_code == 400


SEAT = {"seat": "first"}
CLICK: dict[str, Any] = {"version": 1, "cells": ["a1"]}
ACTION: dict[str, Any] = {"version": 1, "action": "a1,b1"}


def test_games_that_do_not_exist(client: httpx.Client) -> None:
    nobody = Player(client, "nothing")
    said = {"error": "There is no such game.", "code": "no-such-game"}
    answers = [nobody.get(), nobody.get("/record")]
    steps = {"seats": SEAT, "actions": ACTION, "resignation": {"version": 1}}
    steps["draw"] = {"version": 1}
    answers += [nobody.post(path, **fields) for path, fields in steps.items()]
    assert [(each.status_code, each.json()) for each in answers] == [(404, said)] * 6
    assert client.get("/elsewhere").status_code == 404


@pytest.mark.parametrize(
    ("rules", "status"),
    [
        ("original", 201),
        ("26x26 tiles=unlimited bridges=unlimited tiebreaks=none", 201),
        ("27x2 tiles=unlimited bridges=unlimited tiebreaks=none", 422),
        ("2x64 tiles=unlimited bridges=unlimited tiebreaks=none", 422),
        ("999999999x2 tiles=unlimited bridges=unlimited tiebreaks=none", 400),
        ("draughts", 400),
        ("", 400),
    ],
)
def test_rules_of_new_games(client: httpx.Client, rules: str, status: int) -> None:
    answer = client.post("/games", json={"rules": rules})
    assert answer.status_code == status
    assert set(answer.json()) >= ({"id", "version"} if status == 201 else {"error", "code"})


def test_requests_that_cannot_be_understood(client: httpx.Client) -> None:
    bodies = (b"", b"{", b"[]", b"null", b"{}", b'{"rules": 7}', b"\xff", b"[" * 1_900)
    answers = [client.post("/games", content=body) for body in bodies]
    answers.append(client.post("/games", content=b'{"rules": "\\ud800"}'))
    player = new_game(client, SMALL)["first"]
    cells: list[object] = ["a1", [], ["4d"], ["a1", "?"], [4], ["a1", "b1", "c1"], None]
    wrong: list[dict[str, object]] = [
        *({"cells": each} for each in cells),
        {"version": "1"},
        {"version": None},
    ]
    answers += [player.post("actions", **{**CLICK, **fields}) for fields in wrong]
    answers.append(player.post("actions", cells=["a1"]))
    answers.append(player.post("actions", version=1))
    answers.append(player.post("actions", version=1, action="a1;b1"))
    for answer in answers:
        said = answer.status_code, set(answer.json())
        assert said == (400, {"error", "code"}), answer.request.content


@pytest.mark.slow
def test_only_one_of_two_simultaneous_writers_succeeds(tmp_path: Path) -> None:
    """The clients use two processes that share only the database."""
    database = tmp_path / "games.sqlite3"
    rng = random.Random(2)
    state = pdd.GameState.initial(pdd.presets.ORIGINAL)
    with (
        running(database) as one,
        running(database) as other,
        httpx.Client(base_url=one, timeout=PATIENCE) as here,
        httpx.Client(base_url=other, timeout=PATIENCE) as there,
        ThreadPoolExecutor(2) as threads,
    ):
        players = new_game(here, "original")
        for version in range(1, 41):
            assert state.seat_to_move is not None
            player = players[state.seat_to_move.value]
            actions = [state.legal_actions.sample(rng) for _ in range(2)]
            writers = [Player(asking, player.game, player.token) for asking in (here, there)]
            write = partial(act_at_once, Barrier(2), version)
            statuses = list(threads.map(write, writers, actions))
            assert sorted(statuses) == [200, 409]
            state = state.apply(actions[statuses.index(200)])
            for writer in writers:
                shown = writer.see()
                assert shown["version"] == version + 1
                assert shown["snapshot"]["sentences"]["last"] is not None
                assert pdd.records.loads(writer.get("/record").text).state == state


def act_at_once(barrier: Barrier, version: int, player: Player, action: pdd.Action) -> int:
    """Wait until all threads are ready, then play an action; return the status of the response."""
    barrier.wait(PATIENCE)
    return player.post("actions", version=version, action=pdd.format_action(action)).status_code


@pytest.mark.slow
def test_games_outlive_the_server(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    with running(database) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        players = new_game(client, SMALL)
        player = put(players, *BY_AN_ISLAND)
        before = player.see()
    with running(database) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        player = Player(client, player.game, player.token)
        assert player.see() == before
        assert player.post("seats", seat="first").status_code == 409
        version = before["version"]
        assert player.post("actions", version=version, cells=["d1"]).status_code == 200
        answer = player.post("actions", version=version, cells=["d1", "e3"])
        assert (answer.status_code, answer.json()["snapshot"]["last"]) == (200, "d1,e3")
        # The server checks stored games again, so an illegal one cannot be continued.
        with closing(sqlite3.connect(database)) as db, db:
            db.execute("UPDATE games SET record = replace(record, 'd1,e3', 'c3,e3')")
        damaged = player.get()
        assert damaged.status_code == 500
        assert damaged.json()["code"] == "game-damaged"


def test_workers_may_start_at_the_same_moment(tmp_path: Path, module: dict[str, Any]) -> None:
    store = module["Store"]
    for number in range(20):
        barrier = Barrier(6)

        def start(_: int, path: Path, barrier: Barrier) -> None:
            barrier.wait(PATIENCE)
            store(path)

        path = tmp_path / f"{number}.sqlite3"
        with ThreadPoolExecutor(6) as threads:
            list(threads.map(partial(start, path=path, barrier=barrier), range(6)))
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("PRAGMA journal_mode").fetchall() == [("wal",)]


OPENAPI = runpy.run_path(str(ROOT / "tools" / "openapi.py"))


def test_the_openapi_file_is_that_of_its_program(module: dict[str, Any]) -> None:
    routes = module["create_app"]().routes
    served = {
        OPENAPI["EXAMPLE"]: {
            (method.lower(), route.path) for route in routes for method in route.methods - {"HEAD"}
        },
        OPENAPI["SERVE"]: {
            (route.method.lower(), route.path.replace("{game}", "{id}")) for route in ROUTES
        },
    }
    for file, described in OPENAPI["descriptions"]().items():
        assert described == json.loads(file.read_text("utf-8")), "run: python tools/openapi.py"
        paths = described["paths"]
        assert {(method, path) for path in paths for method in paths[path]} == served[file]


def validate(site: str, method: str, path: str, status: int, content: object) -> None:
    described = OPENAPI["descriptions"]()[OPENAPI[site]]
    responses = described["paths"][path][method.lower()]["responses"]
    found = responses.get(str(status), responses["default"])["content"]["application/json"]
    schema = {**found["schema"], "components": described["components"]}
    Draft202012Validator(schema).validate(content)


def test_responses_of_serve_are_as_the_openapi_file_says() -> None:
    guest = Guest()

    def ask(method: str, path: str, **fields: object) -> Any:
        answer = guest.raw(method, path.format(id=guest.game), json.dumps(fields).encode())
        content = json.loads(json.dumps(answer.content))
        validate("SERVE", method, path, answer.status, content)
        return content

    ask("GET", "/words")
    ask("GET", "/rules")
    ask("POST", "/games", rules="purple")
    guest = guest.at(ask("POST", "/games", rules=SMALL, seat="first", clock="60+5"))
    ask("POST", "/games/{id}/seats", seat="second", name="Bo")
    ask("POST", "/games/{id}/name", name="Ada")
    summaries = guest.raw("GET", "/summaries", games=guest.game)
    validate("SERVE", "GET", "/summaries", summaries.status, summaries.content)
    ask("GET", "/games/{id}")
    ask("POST", "/games/{id}/actions", version=1, cells=["a1"])
    ask("POST", "/games/{id}/actions", version=1, cells=["a1", "z9"])
    assert "refused" in ask("POST", "/games/{id}/actions", version=1, action="a1,a1")
    assert ask("POST", "/games/{id}/actions", version=1, action="a1,f1")["base"] == 1
    ask("POST", "/games/{id}/undo", version=2)
    ask("POST", "/games/{id}/draw", version=3, answer="decline")
    ask("POST", "/games/{id}/time", version=3)
    ask("POST", "/games/{id}/undo", version=3, answer="ask")
    ask("POST", "/games/{id}/answer", version=3)
    assert ask("POST", "/games/{id}/resignation", version=3, seat="first")["ending"]
    ask("POST", "/games/{id}/analyses")
    ask("GET", "/games/{id}/analysis")
    job = AnalysisJob(guest.record(), None, pdd.messages.LANGUAGES["en"], is_over=True)
    guest.site.analyses[guest.game] = job
    ask("GET", "/games/{id}/analysis")
    ask("POST", "/games/{id}/rematch", version=4)
    # One of two people asks for a rematch, and the other one declines it.
    asking = guest.at(ask("POST", "/games", rules=SMALL, seat="first"))
    guest = asking.looking_on()
    other = asking.at(ask("POST", "/games/{id}/seats", seat="second"))
    guest = asking
    assert ask("POST", "/games/{id}/resignation", version=1)["ending"]
    ask("POST", "/games/{id}/rematch", version=2)
    refused = ask("POST", "/games/{id}/rematch", version=3, answer="decline")
    assert refused["code"] == "nothing-offered"
    guest = other
    assert ask("POST", "/games/{id}/rematch", version=3, answer="decline")["declined"]
    guest = guest.at(ask("POST", "/games", rules=SMALL, key="k" * 32))
    ask("POST", "/games/{id}/seats", seat="second", key="k" * 32)


def test_a_failure_is_as_the_openapi_file_says(monkeypatch: pytest.MonkeyPatch) -> None:
    failure = Failure(1, SiteError("computer-failed", 500))
    monkeypatch.setattr("pontedeldiavolo.web.site.Site.failure", lambda *_: failure)
    guest = Guest().seated(rules=SMALL)
    shown = guest.raw("GET", f"/games/{guest.game}").content
    validate("SERVE", "GET", "/games/{id}", 200, json.loads(json.dumps(shown)))


def test_responses_are_as_the_openapi_file_says(client: httpx.Client) -> None:
    def check(path: str, response: httpx.Response) -> None:
        method = response.request.method
        status = response.status_code
        validate("EXAMPLE", method, path, status, response.json())

    players = new_game(client, SMALL)
    one = players["first"]
    check("/games", client.post("/games", json={"rules": "8x8", "seconds": 60}))
    check("/games", client.post("/games", json={"rules": 8}))
    check("/games/{id}/seats", one.post("seats", seat="first"))
    check("/games/{id}", one.get())
    check("/games/{id}/actions", one.post("actions", version=1, cells=["a1"]))
    check("/games/{id}/actions", one.post("actions", version=1, cells=["a1", "f1"]))
    check("/games/{id}/actions", one.post("actions", version=2, action="a1,z9"))
    check("/games/{id}/draw", one.post("draw", version=2))
    check("/games/{id}/resignation", one.post("resignation", version=3))
    for text in ("1. d4,g7 *", "1. d4,d4 *"):
        check("/uploads", client.post("/uploads", content=text))


def test_the_page_has_the_same_table(module: dict[str, Any]) -> None:
    routes = module["create_app"]().routes
    page = (ROOT / "docs" / "howto" / "web-service.md").read_text("utf-8")
    table = page.partition("## HTTP status codes")[0]
    documented = re.findall(r"^\| `(GET|POST) (/\S*)` \|", table, re.MULTILINE)
    served = [(method, route.path) for route in routes for method in route.methods - {"HEAD"}]
    assert sorted(documented) == sorted(served)
