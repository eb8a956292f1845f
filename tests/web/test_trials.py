"""Moves that are tried beside a game, and kept in its record as variations."""

from __future__ import annotations

from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.web import sharing, trials
from support.http_client import AT_THE_ISLAND, BY_AN_ISLAND, SMALL, Guest
from support.page_views import changed


def begun(**fields: Any) -> Guest:
    guest = Guest().seated(rules=SMALL, **fields)
    guest.play(*BY_AN_ISLAND)
    return guest


def tried(guest: Guest, ply: int, *actions: str, **more: object) -> Any:
    """Return the view of tried actions; the client shows it beside the game."""
    body = {"ply": ply, "tried": [*actions], **more}
    return changed(None, guest.raw_post("trial", body))


def against_a_person(**fields: Any) -> tuple[Guest, Guest]:
    ada = Guest().seated(rules=SMALL, seat="first", **fields)
    bo = ada.at(ada.looking_on().post("seats", 201, seat="second"))
    return ada, bo


def test_the_library_judges_tried_moves_and_the_game_stays() -> None:
    guest = begun()
    before = guest.get()
    record = guest.record()
    for ply, state in enumerate(record.states()):
        shown = tried(guest, ply)
        assert shown["tried"] == []
        assert shown["snapshot"]["turn"] == state.turn
        assert shown["svg"].count('class="tile ') == sum(
            len(state.position.tiles(color)) for color in pdd.Color
        )
    shown = tried(guest, 2, cells=["c3", "d3"])
    assert shown["tried"] == ["c3,d3"]
    shown = tried(guest, 2, "c3,d3")
    state = record.undo(len(BY_AN_ISLAND) - 2).play("c3,d3").state
    assert state.to_move is not None
    assert shown["snapshot"]["to_move"] == state.to_move.value
    refused = guest.post("trial", ply=5, tried=[], cells=["c3"])["refused"]
    assert refused["violations"][0]["text"] == AT_THE_ISLAND["en"]
    # A first click gives the cells for the second one, as in the game.
    assert guest.post("trial", ply=0, tried=[], cells=["d3"])["second"]
    assert guest.get() == before
    assert guest.record() == record


def test_tried_moves_can_reach_the_end() -> None:
    guest = Guest().seated(rules="2x1 tiles=unlimited bridges=unlimited tiebreaks=none")
    actions: list[str] = []
    game = guest.record()
    shown: Any = None
    while game.ending is None:
        action = pdd.format_action(game.state.legal_actions[0])
        shown = tried(guest, 0, *actions, action=action)
        actions.append(action)
        game = game.play(action)
        assert shown["tried"] == actions
    assert (shown["ending"], shown["snapshot"]["phase"]) == (None, "over")
    assert (
        guest.post("trial", ply=0, tried=actions, action="pass")["refused"]["code"] == "game-ended"
    )
    assert guest.post("trial", 409, ply=0, tried=[*actions, "pass"])["code"] == "game-ended"


@pytest.mark.parametrize(
    ("ply", "actions"),
    [(-1, []), (6, []), ("1", []), (True, []), (None, []), (0, None), (0, "a1,b1"), (0, [1])],
)
def test_bad_fields_are_refused(ply: object, actions: object) -> None:
    guest = begun()
    for path in ("trial", "variations"):
        body = {"ply": ply, "tried": actions, "version": guest.get()["version"]}
        assert guest.post(path, 400, **body)["code"] == "bad-field"


def test_what_is_tried_is_limited_and_checked() -> None:
    guest = begun()
    assert guest.post("trial", 400, ply=0, tried=["a1,b1"] * 401)["code"] == "bad-field"
    assert guest.post("trial", 422, ply=0, tried=["a1,b1", "a1,b1"])["code"] == "illegal-action"
    assert guest.post("trial", 400, ply=0, tried=["x"])["code"]


def test_against_a_person_nothing_is_tried_before_the_end() -> None:
    for fields in ({}, {"time_control": "300+5"}):
        ada, bo = against_a_person(**fields)
        for guest in (ada, bo, ada.looking_on()):
            assert not guest.get()["can_try"]
            assert guest.post("trial", 403, ply=0, tried=[])["code"] == "no-trial"
        assert ada.post("variations", 403, version=1, ply=0, tried=[])["code"] == "no-trial"
        ada.post("resignation", version=1)
        for guest in (ada, bo, ada.looking_on()):
            assert guest.get()["can_try"]
            assert tried(guest, 0, action="a1,b1")["tried"] == ["a1,b1"]


def test_alone_moves_can_be_tried_unless_a_clock_runs() -> None:
    assert begun().get()["can_try"]
    assert Guest().seated(rules=SMALL, opponent="level-1", seat="first").get()["can_try"]
    assert not Guest().seated(rules=SMALL, time_control="300+5").get()["can_try"]
    # Somebody who looks on could help a player.
    assert not begun().looking_on().get()["can_try"]


def test_a_variation_is_kept_in_the_record() -> None:
    guest = begun()
    old = guest.get()
    shown = guest.post("variations", version=old["version"], ply=2, tried=["c3,d3", "a5,c5"])
    assert shown["version"] == old["version"] + 1
    record = guest.record()
    assert record.actions == tuple(map(pdd.parse_action, BY_AN_ISLAND))
    [kept] = record.line.moves[2].variations
    assert [pdd.format_action(action) for action in kept.actions] == ["c3,d3", "a5,c5"]
    # The page shows it in the list of moves.
    assert 'data-line="1"' in shown["movesHtml"]
    # The same line again adds nothing.
    again = guest.post("variations", version=shown["version"], ply=2, tried=["c3,d3", "a5,c5"])
    assert again["version"] == shown["version"]
    assert guest.record() == record


def test_what_is_shared_has_the_tried_moves_and_the_game_has_not() -> None:
    guest = begun()
    before = guest.record()
    query = {"ply": "2", "tried": "c3,d3 a5,c5"}
    record = pdd.records.loads(guest.get("/record", 200, **query))
    assert record.actions == before.actions
    [shared] = record.line.moves[2].variations
    assert [pdd.format_action(action) for action in shared.actions] == ["c3,d3", "a5,c5"]
    assert "c3 d3" in guest.get("/replay", 200, **query)
    played = pdd.Game.from_actions(record.rules, [*BY_AN_ISLAND[:2], "c3,d3", "a5,c5"])
    drawn = pdd.svg.render(played.state, last=played.actions[-1], size=sharing.PICTURE_SIZE)
    assert guest.get("/picture", 200, **query) == drawn.text
    # Moves of the game itself are no variation of it.
    same = guest.get("/record", ply="2", tried=BY_AN_ISLAND[2])
    assert pdd.records.loads(same).line == before.line
    assert guest.record() == before
    ada, _ = against_a_person()
    for path in ("/record", "/replay", "/picture"):
        assert ada.get(path, 403, ply="0", tried="a1,b1")["code"] == "no-trial"
        for bad in ({"tried": "x", "ply": "2"}, {"tried": "c3,d3", "ply": "9"}):
            assert guest.raw("GET", f"/games/{guest.game}{path}", b"", **bad).status in (400, 422)


def test_a_variation_begins_where_the_moves_differ() -> None:
    guest = begun()
    version = guest.get()["version"]
    guest.post("variations", version=version, ply=0, tried=[*BY_AN_ISLAND[:3], "c4,c5"])
    [kept] = guest.record().line.moves[3].variations
    assert [pdd.format_action(action) for action in kept.actions] == ["c4,c5"]
    # After the last move there is no other one to differ from: the variation repeats it.
    guest.post("variations", version=version + 1, ply=5, tried=["d1,c5"])
    [kept] = guest.record().line.moves[4].variations
    assert [pdd.format_action(action) for action in kept.actions] == [BY_AN_ISLAND[4], "d1,c5"]
    text = pdd.records.dumps(guest.record())
    assert pdd.records.loads(text) == guest.record()


def test_without_another_move_there_is_no_variation() -> None:
    guest = begun()
    version = guest.get()["version"]
    for ply, actions in ((0, []), (0, BY_AN_ISLAND), (5, [])):
        refused = guest.post("variations", 422, version=version, ply=ply, tried=[*actions])
        assert refused["code"] == "nothing-to-keep"
    new = Guest().seated(rules=SMALL)
    refused = new.post("variations", 422, version=1, ply=0, tried=["a1,b1"])
    assert refused["code"] == "nothing-to-keep"


def test_only_players_keep_variations_and_only_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    guest = begun()
    version = guest.get()["version"]
    body: dict[str, Any] = {"ply": 2, "tried": ["c3,d3"]}
    stranger = guest.looking_on()
    assert stranger.post("variations", 403, version=version, **body)["code"] == "no-seat"
    assert guest.post("variations", 409, version=version - 1, **body)["code"] == "outdated"
    monkeypatch.setattr(trials, "MAX_KEPT", 1)
    guest.post("variations", version=version, **body)
    refused = guest.post("variations", 422, version=version + 1, ply=2, tried=["c3,e3"])
    assert refused["code"] == "too-many-variations"


def test_a_kept_variation_leaves_offers_and_the_result() -> None:
    ada, bo = against_a_person()
    ada.post("actions", version=1, action="a1,b1")
    bo.post("resignation", version=2)
    ada.post("rematch", version=3)
    rematch = bo.post("rematch", 201, version=4)["id"]
    version = ada.get()["version"]
    shown = bo.post("variations", version=version, ply=1, tried=["red"])
    assert shown["ending"] == "resignation"
    assert shown["rematch_id"] == rematch


# Other lines, and variations that are deleted


def test_other_lines_are_variations_of_what_is_tried() -> None:
    guest = begun()
    start = [*BY_AN_ISLAND[:2]]
    one, other = [*start, "c3,d3", "a5,c5"], [*start, "c3,d3", "e1,e3"]
    shown = tried(guest, 2, "c3,d3", "a5,c5", others=[other, other, start, one])
    # Each line stands there once, and not what other lines begin with.
    assert shown["others"] == [other]
    assert shown["movesHtml"].count('data-line="') == 2
    assert "e1,e3" in shown["movesHtml"]
    # A line that goes on after the last action is not lost, with or without an action before.
    for ply, count in ((2, 2), (0, 1)):
        shown = tried(guest, ply, others=[other])
        assert shown["others"] == [other]
        assert shown["movesHtml"].count('data-line="') == count
    assert guest.record().line.moves[2].variations == ()


def test_all_lines_are_kept() -> None:
    guest = begun()
    start = [*BY_AN_ISLAND[:2]]
    others = [[*start, "c3,d3", "e1,e3"], [*start, "d1,e3"]]
    body = {"ply": 2, "tried": ["c3,d3", "a5,c5"], "others": others}
    shown = guest.post("variations", version=guest.get()["version"], **body)
    kept = [each.actions for each in guest.record().line.moves[2].variations]
    texts = [[pdd.format_action(action) for action in line] for line in kept]
    assert texts == [["c3,d3", "a5,c5"], ["c3,d3", "e1,e3"], ["d1,e3"]]
    # The record has them, so they are no other lines any more.
    assert tried(guest, 5, others=others)["others"] == []
    again = guest.post("variations", version=shown["version"], **body)
    assert again["version"] == shown["version"]


@pytest.mark.parametrize("others", [None, "a1,b1", ["a1,b1"], [[1]], [["a1,b1"]] * 101])
def test_bad_lines_are_refused(others: object) -> None:
    guest = begun()
    body = {"ply": 0, "tried": [], "others": others, "version": guest.get()["version"]}
    for path in ("trial", "variations"):
        assert guest.post(path, 400, **body)["code"] == "bad-field"


def test_an_illegal_line_is_refused() -> None:
    guest = begun()
    shown = guest.post("trial", ply=2, tried=["c3,d3"], others=[[*BY_AN_ISLAND[:2], "a1,b1"]])
    assert shown["refused"]["code"] == "illegal-action"


def test_a_variation_is_deleted() -> None:
    guest = begun()
    version = guest.get()["version"]
    lines = [["c3,d3", "a5,c5"], ["d1,e3"]]
    for line in lines:
        version = guest.post("variations", version=version, ply=2, tried=line)["version"]
    line = [*BY_AN_ISLAND[:2], *lines[0]]
    for wrong in ([], line[:3], [*line, "pass"], [*BY_AN_ISLAND]):
        body = {"version": version, "line": wrong}
        assert guest.post("variations/removal", 404, **body)["code"] == "no-such-variation"
    assert guest.post("variations/removal", 400, version=version)["code"] == "bad-field"
    assert guest.post("variations/removal", 409, version=1, line=line)["code"] == "outdated"
    stranger = guest.looking_on()
    assert stranger.post("variations/removal", 403, version=version, line=line)["code"] == "no-seat"
    shown = guest.post("variations/removal", version=version, line=line)
    assert shown["version"] == version + 1
    assert "a5,c5" not in shown["movesHtml"]
    [left] = guest.record().line.moves[2].variations
    assert [pdd.format_action(action) for action in left.actions] == lines[1]
    assert [pdd.format_action(each) for each in guest.record().actions] == [*BY_AN_ISLAND]


def test_a_variation_of_a_variation_is_deleted() -> None:
    game = pdd.Game.from_actions(pdd.parse_rules(SMALL), BY_AN_ISLAND)
    game = game.with_variation((2,), ["c3,d3", "a5,c5"]).with_variation((2, 0, 1), ["e1,e3"])
    guest = Guest().seated(start=pdd.records.dumps(game))
    line = [*BY_AN_ISLAND[:2], "c3,d3", "e1,e3"]
    guest.post("variations/removal", version=1, line=line)
    [left] = guest.record().line.moves[2].variations
    assert [move.variations for move in left.moves] == [(), ()]
