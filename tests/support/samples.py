"""A few games, and files of them in every format."""

from __future__ import annotations

import io
from pathlib import Path

import pontedeldiavolo as pdd
from pontedeldiavolo.records import Format, write

WRITTEN = [each for each in Format if each is not Format.BOARDSPACE]
DATA = Path(__file__).parents[1] / "data"
BOARDSPACE = (DATA / "boardspace" / "people.sgf").read_bytes()
SUFFIXES = {
    Format.PDD: ".pdd",
    Format.SGF: ".sgf",
    Format.BOARDSPACE: ".sgf",
    Format.ABSTRACT_PLAY: ".json",
    Format.MOVES: ".txt",
    Format.JSON: ".jsonl",
}


def lost(*actions: str) -> pdd.Game:
    """Return a game that every format can hold."""
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
    """Return a file of games."""
    file = io.BytesIO()
    write(games, file, form)
    return file.getvalue()


FILES = [
    (form, path)
    for folder, suffixes in {
        "sgf": {".sgf": Format.SGF},
        "boardspace": {".sgf": Format.BOARDSPACE},
        "abstract_play": {".json": Format.ABSTRACT_PLAY, ".txt": Format.MOVES},
    }.items()
    for path in sorted((DATA / folder).iterdir())
    if (form := suffixes.get(path.suffix)) and path.name != "report.schema.json"
]
"""The files of the data in other formats than the library's own."""
