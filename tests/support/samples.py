"""A few games, and their files in every format."""

from __future__ import annotations

import io
import json
from typing import Any, cast

import pontedeldiavolo as pdd
from pontedeldiavolo.records import Format, write
from support.paths import DATA, STORED

WRITTEN = [each for each in Format if each is not Format.BOARDSPACE]
BOARDSPACE = (DATA / "boardspace" / "people.sgf").read_bytes()
MODULES: dict[Format, Any] = {
    Format.PDD: pdd.records,
    Format.SGF: pdd.records.sgf,
    Format.BOARDSPACE: pdd.records.boardspace,
    Format.ABSTRACT_PLAY: pdd.records.abstract_play,
    Format.MOVES: pdd.records.abstract_play,
}
"""The modules that read the formats."""
SUFFIXES = {
    Format.PDD: ".pdd",
    Format.SGF: ".sgf",
    Format.BOARDSPACE: ".sgf",
    Format.ABSTRACT_PLAY: ".json",
    Format.MOVES: ".txt",
    Format.JSON: ".jsonl",
}


def lost(*actions: str) -> pdd.Game:
    """Return a game that every format can represent."""
    game = pdd.Game.from_actions(pdd.presets.ABSTRACT_PLAY_8, actions)
    assert game.state.seat_to_move
    return game.resign(game.state.seat_to_move)


GAMES = [lost("d4,g7", "red", "c3,c5"), lost("a1,b1"), lost("d4,g7", "white", "a1,b2")]
BAD = {
    Format.PDD: '[Event "?"]\n1. a1,b1 red 2. a1,c1 *\n',
    Format.SGF: "(;FF[4];PD[a1,b1];PD[red];PD[a1,c1])\n",
    Format.ABSTRACT_PLAY: '{"header": {"game": {"name": "Go"}}}\n',
    Format.MOVES: "size-8 a1,b1 a1,c1\n\n",
    Format.JSON: '{"format": "pontedeldiavolo", "version": 1, "kind": "cell", "value": "a1"}\n',
}


def page(form: Format, games: list[pdd.Game] = GAMES) -> bytes:
    file = io.BytesIO()
    write(games, file, form)
    return file.getvalue()


FILES = [
    (form, path)
    for folder, suffixes in {
        STORED / "sgf": {".sgf": Format.SGF},
        DATA / "boardspace": {".sgf": Format.BOARDSPACE},
        STORED / "abstract_play": {".json": Format.ABSTRACT_PLAY, ".txt": Format.MOVES},
    }.items()
    for path in sorted(folder.iterdir())
    if (form := suffixes.get(path.suffix)) and path.name != "report.schema.json"
]
"""The test files in formats of other programs."""

REPORTS = STORED / "abstract_play"
Report = dict[str, Any]


def new_report(*moves: str, results: tuple[object, object] = (0, 0)) -> Report:
    """Return a report in the site's form, of a game between Ada, who began, and Bo."""
    players = zip(("Ada", "Bo"), results, strict=True)
    header = {
        "game": {"name": "Ponte del Diavolo", "variants": ["10x10 board"]},
        "site": {"name": "Abstract Play"},
        "date-start": "2026-05-17T19:02:11.512Z",
        "date-end": "2026-05-28T07:45:00.003Z",
        "date-generated": "2026-05-28T07:45:01.120Z",
        "players": [{"name": name, "result": result} for name, result in players],
    }
    rounds = [list(moves[place : place + 2]) for place in range(0, len(moves), 2)]
    return {"header": header, "moves": rounds}


def finished() -> Report:
    return cast("Report", json.loads((REPORTS / "pie-8x8.json").read_text("utf-8")))
