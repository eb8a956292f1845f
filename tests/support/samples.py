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


def game(*actions: str, **tags: str) -> pdd.Game:
    """Return a game that every format can hold, but for its tags."""
    found = pdd.Game.new(pdd.presets.ABSTRACT_PLAY_8, tags)
    for action in actions:
        found = found.play(action)
    return found.end(pdd.Ending.RESIGNATION, found.state.seat_to_move.opponent)  # type: ignore[union-attr]  # it goes on


GAMES = [game("d4,g7", "red", "c3,c5"), game("a1,b1"), game("d4,g7", "white", "a1,b2")]
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
