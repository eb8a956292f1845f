"""A value of each kind of document, and the stored document for it."""

from __future__ import annotations

import copy
import json as standard
from io import StringIO

from jsonschema import Draft202012Validator

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.json.kinds import Value
from support.diagrams import RED, bridge
from support.paths import STORED

FOLDER = STORED / "json"
VALIDATOR = Draft202012Validator(json.schema())

cell = pdd.parse_cell
SMALL = pdd.Board(5, 5)
RULES = pdd.Rules(SMALL, 12, 4, (pdd.Tiebreak.BRIDGES,))
SETUP = pdd.Setup(SMALL, map(cell, ("a1", "c1", "f6")), [cell("c1")], [bridge("c3-a1")])
STATE = pdd.GameState.from_position(
    pdd.Position.from_pieces(
        SMALL,
        map(cell, ("a1", "b1", "a2", "b2", "d1", "d2")),
        map(cell, ("a5", "c5", "d4", "e4")),
        map(bridge, ("b1-d1", "a5-c5")),
    ),
    rules=RULES,
    to_move=pdd.Color.RED,
    white_owner=pdd.Seat.SECOND,
)


def example_game() -> pdd.Game:
    """Return a game with every feature that a game can have."""
    game = pdd.Game.new(RULES, {"Second": "Bo", "Round": "1", "First": "Åsa", "Note": 'a "b" \\'})
    for action in ("a1,b2", "white", "c3,d4", "a3,e5", "c1,d1"):
        game = game.play(action)
    game = game.with_variation((2,), ["c4,d4", "a3,e5"], "or")
    game = game.with_variation((2, 0, 1), ["a4,e5"])
    game = game.with_comment("the start", ()).with_comment("good\nso far", (3,))
    return game.with_nags([1, 14], (3,)).end(pdd.Ending.TIME, pdd.Seat.FIRST)


TEXT = """[First "Ada"]
[Rules "5x5 tiles=unlimited bridges=unlimited tiebreaks=none"]

1. a1,b2 red (white 2. a2-a3)
2. a1,a1! white-wins
"""


(RECORD,) = pdd.records.iter_records(StringIO(TEXT))
"""A record with an illegal action."""
assert isinstance(RECORD, pdd.records.Record)
GAME = example_game()
FAULT = SETUP.violations()[0]

EXAMPLES: dict[str, Value] = {
    "color": RED,
    "seat": pdd.Seat.SECOND,
    "phase": pdd.Phase.LAST_TURN,
    "tiebreak": pdd.Tiebreak.ISLANDS,
    "decided-by": pdd.DecidedBy.NOTHING,
    "ending": pdd.Ending.RESIGNATION,
    "violation-code": pdd.ViolationCode.TILE_BENEATH,
    "cell": cell("c4"),
    "board": pdd.Board(12, 7),
    "rules": RULES,
    "place-tiles": pdd.PlaceTiles(cell("b2"), cell("a1")),
    "place-tile": pdd.PlaceTile(cell("aa30")),
    "build-bridge": pdd.BuildBridge(cell("c3"), cell("a1")),
    "choose-color": pdd.ChooseColor(RED),
    "pass": pdd.Pass(),
    "bridge": bridge("b3-a1"),
    "setup": SETUP,
    "position": STATE.position,
    "game-state": STATE,
    "half-turn": pdd.HalfTurn(STATE, cell("a4")),
    "score": pdd.Score(10, 4, 3),
    "outcome": pdd.Outcome(
        RED, pdd.Seat.FIRST, pdd.DecidedBy.BRIDGES, pdd.Score(3, 2, 1), pdd.Score(3, 2, 2)
    ),
    # Old documents have no roles of cells; they are omitted where a violation has none.
    "violation": pdd.Violation(FAULT.code, FAULT.cells, FAULT.bridges, FAULT.values),
    "move": GAME.line.moves[2],
    "line": GAME.line,
    "game": GAME,
    "record": RECORD,
}


def golden(kind: str) -> str:
    """Return the stored document of a kind."""
    return (FOLDER / f"{kind}.json").read_text("utf-8")


def parsed(kind: str) -> dict[str, object]:
    data = standard.loads(golden(kind))
    assert isinstance(data, dict)
    return data


Keys = tuple[str | int, ...]

DELETED = object()


def changed(data: object, keys: Keys, part: object) -> object:
    """Return a copy of data in which the part at a path is replaced or removed."""
    data = copy.deepcopy(data)
    if not keys:
        return part
    outer = data
    for key in keys[:-1]:
        outer = outer[key]  # type: ignore[index]  # the path says what it is
    if part is DELETED:
        del outer[keys[-1]]  # type: ignore[attr-defined]  # as above
    else:
        outer[keys[-1]] = part  # type: ignore[index]  # as above
    return data
