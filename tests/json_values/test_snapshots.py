"""Snapshots for a board in a browser, compared with the library's results."""

from __future__ import annotations

import json as plain
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from attrs import asdict

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, Phase, Seat, json, messages
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.game.sentences import state_of_play
from support import games
from support.checks import error_of, wrong_type
from support.diagrams import act, state_of
from support.documents import DELETED, VALIDATOR, changed

RULES = [
    pdd.Rules(),
    pdd.presets.ORIGINAL,
    pdd.Rules(pdd.Board(6, 5), 12, 3),
    pdd.Rules(pdd.Board(30, 2), tiebreaks=()),
    pdd.Rules(pdd.Board(2, 2)),
    pdd.Rules(pdd.Board(1, 1)),
    pdd.Rules(pdd.Board(5, 5), 0, 0),
]
LIMIT = 8_000
"""The maximum characters of a snapshot on 10×10."""


def shown(node: pdd.Game | pdd.Node, **arguments: Any) -> dict[str, Any]:
    """Return the value of a node's snapshot, which is plain JSON."""
    document = json.snapshot(node, **arguments)
    assert plain.loads(plain.dumps(document)) == document
    assert list(document) == ["format", "version", "kind", "value"]
    value = document["value"]
    assert isinstance(value, dict)
    return value


def random_game(
    rules: pdd.Rules, seed: int
) -> Iterator[tuple[pdd.Node, pdd.Action | pdd.PlaceTile | None]]:
    """Yield every state and half turn of a random game, each with the last action or step."""
    rng = Random(seed)
    node: pdd.Node = pdd.GameState.initial(rules)
    last: pdd.Action | pdd.PlaceTile | None = None
    yield node, last
    while not node.is_over:
        step = node.legal_steps.sample(rng)
        last = step
        if isinstance(node, pdd.HalfTurn) and isinstance(step, pdd.PlaceTile):
            last = pdd.PlaceTiles(node.placed_tile, step.cell)
        node = node.step(step)
        yield node, last


def texts(items: Any) -> list[str]:
    return [*map(str, items)]


def check_side(side: dict[str, Any], node: pdd.Node, color: Color) -> None:
    position = node.position
    owner = node.owner(color)
    score = node.score(color)
    assert side["owner"] == (None if owner is None else owner.value)
    assert side["tiles"] == texts(position.tiles(color))
    assert side["bridges"] == texts(position.bridges(color))
    assert side["score"] == asdict(score)
    assert side["tiles_left"] == node.tiles_left(color)
    assert side["networks"] == [
        {
            "islands": [texts(group.cells) for group in network.islands],
            "sandbanks": [texts(each.cells) for each in network.groups if not each.is_island],
            "bridges": texts(network.bridges),
            "points": network.points,
        }
        for network in position.networks(color)
    ]


def check_clicks(value: dict[str, Any], node: pdd.Node) -> None:
    if isinstance(node, pdd.HalfTurn):
        assert value["placed_tile"] == str(node.placed_tile)
        assert value["targets"] == texts(node.second_tiles)
        assert (value["conflicts"], value["buildable"], value["other_actions"]) == ({}, [], [])
        return
    legal = node.legal_actions
    assert value["placed_tile"] is None
    assert value["targets"] == texts(legal.first_tiles)
    for first in value["targets"]:
        out = {first, *value["conflicts"].get(first, ())}
        partners = [cell for cell in value["targets"] if cell not in out]
        assert partners == texts(legal.second_tiles(pdd.parse_cell(first)))
    assert value["conflicts"].keys() <= {*value["targets"]}
    assert all(value["conflicts"].values())
    assert value["buildable"] == [pdd.format_action(each) for each in legal.bridges]
    rest = [each for each in legal.others if not isinstance(each, pdd.BuildBridge)]
    assert value["other_actions"] == [pdd.format_action(each) for each in rest]


def check_outcome(value: dict[str, Any], outcome: pdd.Outcome | None) -> None:
    if outcome is None:
        assert value["outcome"] is value["sentences"]["result"] is None
        return
    document = json.to_json(outcome)
    assert isinstance(document, dict)
    assert value["outcome"] == document["value"]
    assert value["sentences"]["result"] == messages.result(outcome)
    assert value["sentences"]["state"] == "The game is over."


@pytest.mark.parametrize("rules", RULES, ids=pdd.format_rules)
def test_everything_is_as_the_library_says(rules: pdd.Rules) -> None:
    for node, last in random_game(rules, 5):
        value = shown(node, last=last)
        VALIDATOR.validate(json.snapshot(node, last=last))
        position = node.position
        assert value["board"] == {"width": rules.board.width, "height": rules.board.height}
        assert value["phase"] == node.phase.value
        assert value["turn"] == node.turn
        assert value["seat_to_move"] == (node.seat_to_move and node.seat_to_move.value)
        assert value["to_move"] == (node.to_move and node.to_move.value)
        assert value["blocked"] == texts(position.blocked)
        assert value["bridges_left"] == node.bridges_left
        check_side(value["white"], node, Color.WHITE)
        check_side(value["red"], node, Color.RED)
        check_clicks(value, node)
        check_outcome(value, node.outcome)
        assert value["last"] == (None if last is None else json.default(last))
        assert (value["sentences"]["last"] is None) == (last is None)


@pytest.mark.parametrize("seed", range(6))
def test_snapshots_are_short(seed: int) -> None:
    lengths = [
        len(plain.dumps(json.snapshot(node, last=last, catalog="de")))
        for node, last in random_game(pdd.Rules(), seed)
    ]
    assert max(lengths) < LIMIT
    # The snapshots contain a game.
    assert len(lengths) > 40
    assert max(lengths) > 2 * lengths[0]


LAST_TURN = state_of(". r r", Color.RED, phase=Phase.LAST_TURN)
OVER = state_of("r w", phase=Phase.OVER)
START = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 4)))
OPENED = START.apply(pdd.parse_action("a1,c3"))
CHOSEN = OPENED.apply(pdd.parse_action("red"))
HALF = CHOSEN.step(pdd.parse_step("d1"))
NO_ROOM = pdd.GameState.initial(pdd.Rules(pdd.Board(1, 1))).apply(pdd.Pass())
BRIDGED = state_of("3 w . .\n2 . . r\n1 w . .\nbridges a1-a3", Color.RED)

# Each case: a node, the last action, and the sentence in English and German.
SECOND = "a second tile, the first is on"
ZWEITER = "ein zweiter Stein, der erste liegt auf"
SENTENCES: list[tuple[Any, ...]] = [
    (
        *(START, None, "Player 1 opens the game with two white tiles."),
        "Spieler 1 eröffnet die Partie mit zwei weißen Steinen.",
    ),
    (
        *(START.step(pdd.parse_step("b2")), None, f"White to move (player 1): {SECOND} b2."),
        f"Weiß ist am Zug (Spieler 1): {ZWEITER} b2.",
    ),
    (OPENED, None, "Player 2 chooses a colour. | Spieler 2 wählt eine Farbe."),
    (CHOSEN, None, "Red to move (player 2). | Rot ist am Zug (Spieler 2)."),
    (
        *(HALF, None, f"Red to move (player 2): {SECOND} d1."),
        f"Rot ist am Zug (Spieler 2): {ZWEITER} d1.",
    ),
    (
        *(state_of("w . w r", Color.RED, white_owner=Seat.SECOND), None),
        "Red to move (player 1); no two tiles can be placed.",
        "Rot ist am Zug (Spieler 1); zwei Steine lassen sich nicht legen.",
    ),
    (LAST_TURN, None, "Red has the last turn (player 2). | Rot hat den letzten Zug (Spieler 2)."),
    (OVER, None, "The game is over. | Die Partie ist zu Ende."),
    (OPENED, "c3,a1", "White placed tiles on a1 and c3. | Weiß hat Steine auf a1 und c3 gelegt."),
    (OPENED, "a1", "White placed a tile on a1. | Weiß hat einen Stein auf a1 gelegt."),
    (CHOSEN, "red", "Player 2 chose red. | Spieler 2 hat Rot gewählt."),
    (HALF, "d1", "Red placed a tile on d1. | Rot hat einen Stein auf d1 gelegt."),
    (HALF, "red", "Player 2 chose red. | Spieler 2 hat Rot gewählt."),
    (
        *(BRIDGED, "a1-a3"),
        "White built a bridge from a1 to a3. | Weiß hat eine Brücke von a1 nach a3 gebaut.",
    ),
    (
        *(state_of("w . w .\nbridges a1-c1", Color.RED), "a1-c1"),
        "White built a bridge from a1 to c1. | Weiß hat eine Brücke von a1 nach c1 gebaut.",
    ),
    *((node, "pass", "White passed. | Weiß hat gepasst.") for node in (LAST_TURN, NO_ROOM)),
    (OVER, "pass", "Red passed. | Rot hat gepasst."),
]


@pytest.mark.parametrize("row", SENTENCES)
def test_sentences(row: tuple[Any, ...]) -> None:
    node, last, *sentences = row
    name, action = ("state", None) if last is None else ("last", act(last))
    catalogs = (messages.LANGUAGES["en"], messages.LANGUAGES["de"])
    found = [shown(node, last=action, catalog=each)["sentences"][name] for each in catalogs]
    assert found == " | ".join(sentences).split(" | ")
    assert shown(node, last=action)["sentences"][name] == found[0]
    assert last is not None or state_of_play(node, messages.LANGUAGES["en"]) == found[0]


@pytest.mark.parametrize(
    ("node", "last"),
    [
        *((START, last) for last in ("a1,c3", "a1", "a1-c3", "white", "pass")),
        *((OPENED, last) for last in ("a1,a1", "a1,b1", "a1,z9", "z9", "a1-c3", "pass")),
        *((CHOSEN, last) for last in ("white", "pass")),
        *((BRIDGED, last) for last in ("a1,c2", "a1-a9", "a1-b2")),
        (HALF, "b1"),
    ],
)
def test_an_action_that_was_not_the_last_one_is_refused(node: pdd.Node, last: str) -> None:
    error = error_of(pdd.PonteError, json.snapshot, node, last=act(last))
    assert (error.code, error.values) == ("not-done-last", {"action": last})
    assert str(error).startswith(f"this cannot have been done last: {last}")


def test_snapshots_are_not_read() -> None:
    document = json.snapshot(START)
    for error in (
        *(error_of(json.JsonError, json.from_json, document, of) for of in (None, pdd.GameState)),
        error_of(json.JsonError, json.loads, plain.dumps(document)),
    ):
        assert error.path == "kind"
        assert "a snapshot is for showing only" in error.expected


def test_wrong_types() -> None:
    for node in (None, START.position, START.rules):
        with wrong_type("game_or_node"):
            json.snapshot(node)  # type: ignore[arg-type]
    for last in ("a1,c3", pdd.parse_cell("a1"), 5):
        with wrong_type("last"):
            json.snapshot(OPENED, last=last)  # type: ignore[arg-type]
    for catalog in (None, 5):
        with wrong_type("catalog"):
            json.snapshot(OPENED, catalog=catalog)  # type: ignore[arg-type]


def test_a_catalogue_by_the_code_of_its_language() -> None:
    assert shown(OPENED, catalog="de") == shown(OPENED, catalog="de")


def test_a_catalogue_without_words() -> None:
    with pytest.raises(pdd.PonteError, match=r"no word for Seat\.SECOND"):
        json.snapshot(OPENED, catalog={"state-color-choice": "{player}?"})
    with pytest.raises(pdd.PonteError, match="cannot explain state-color-choice"):
        json.snapshot(OPENED, catalog={Seat.SECOND: "two"})


def test_another_catalogue() -> None:
    catalog: Catalog = {Seat.SECOND: "joueur 2", "state-color-choice": "{player} choisit"}
    assert shown(OPENED, catalog=catalog)["sentences"]["state"] == "Joueur 2 choisit"


@pytest.mark.parametrize(
    ("name", "part"),
    [
        *(
            ("placed_tile", 1),
            ("targets", "a1"),
            ("other_actions", ["a1"]),
            ("conflicts", {"A": []}),
        ),
        *((name, DELETED) for name in shown(START)),
    ],
)
def test_the_schema_refuses_other_documents(name: str, part: object) -> None:
    document = json.snapshot(START)
    assert VALIDATOR.is_valid(document)
    assert not VALIDATOR.is_valid(changed(document, ("value", name), part))


MORE = {"result", "ending", "winning_seat", "moves"}
NOTHING: dict[str, Any] = {"phase": "over", "seat_to_move": None, "to_move": None}
NOTHING |= {"targets": [], "conflicts": {}, "buildable": [], "other_actions": []}


def test_a_game_that_goes_on_is_shown_as_its_state() -> None:
    game = pdd.Game.new(tags={"First": "Ada"})
    for action in ("d4,g7", "red", "c3,e3"):
        game = game.play(action)
        found = shown(game)
        assert found.keys() >= MORE
        assert (found["result"], found["ending"], found["winning_seat"]) == ("*", None, None)
        assert found["moves"] == [pdd.format_action(each) for each in game.actions]
        assert {name: found[name] for name in found if name not in MORE} == shown(
            game.state, last=game.actions[-1]
        )
    assert shown(pdd.Game.new())["last"] is None
    assert shown(game, last=game.actions[0])["last"] == "d4,g7"
    assert not MORE & shown(game.state).keys()


@pytest.mark.parametrize(
    ("actions", "end", "result", "sentence"),
    [
        ([], ("resignation", "first"), "first", "Player 1 wins by resignation."),
        (["d4,g7", "red"], ("time", "second"), "red", "Red wins on time."),
        (["d4,g7"], ("agreement", None), "draw", "The game is a draw (agreement)."),
    ],
)
def test_nothing_is_to_be_done_after_the_end(
    actions: list[str], end: tuple[str, str | None], result: str, sentence: str
) -> None:
    ending, seat = end
    winner = None if seat is None else Seat(seat)
    game = pdd.Game.from_actions(None, actions).end(pdd.Ending(ending), winner)
    found = shown(game)
    assert {name: found[name] for name in NOTHING} == NOTHING
    assert (found["result"], found["ending"], found["winning_seat"]) == (result, *end)
    assert found["sentences"]["state"] == "The game is over."
    assert found["sentences"]["result"] == messages.result(game) == sentence
    assert shown(game, catalog="de")["sentences"]["state"] == "Die Partie ist zu Ende."
    assert found["outcome"] is None
    assert VALIDATOR.is_valid(json.snapshot(game))


def test_a_game_played_out_is_shown_as_its_state() -> None:
    game = games.random_game("3x3")
    assert game.ending is pdd.Ending.SCORED
    found = shown(game)
    assert {name: found[name] for name in NOTHING} == NOTHING
    assert {name: found[name] for name in found if name not in MORE} == shown(
        game.state, last=game.actions[-1]
    )
    assert found["sentences"]["result"] == messages.result(game)
