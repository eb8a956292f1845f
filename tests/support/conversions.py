"""Running ``convert``, and files to convert."""

from __future__ import annotations

from pathlib import Path

import pontedeldiavolo as pdd
from pontedeldiavolo import Game
from support.commands import invoke

ROUND_TRIPS = {
    "pdd": ".pdd",
    "json": ".jsonl",
    "abstract-play": ".json",
    "moves": ".txt",
    "sgf": ".sgf",
}
SHORT = (
    '[Rules "8x8 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"]\n\n1. d4,g7 white'
)


def convert(*arguments: str | Path, keys: str | bytes = "", status: int = 0) -> str:
    """Run ``convert``; return what is on standard output, with nothing on the other."""
    result = invoke("convert", *arguments, keys=keys)
    assert (result.exit_code, result.stderr) == (status, "")
    return result.stdout


def complaints(*arguments: str | Path, keys: str | bytes = "", status: int) -> list[str]:
    """Return what a command writes on standard error."""
    result = invoke(*arguments, keys=keys)
    assert result.exit_code == status, result.output
    return result.stderr.splitlines()


def saved(path: Path, *games: Game) -> Path:
    """Write games to a file of records."""
    with path.open("w", encoding="utf-8") as file:
        for game in games:
            pdd.records.dump(game, file)
    return path


def records_in(path: Path) -> list[Game]:
    """Return the games of a file of records."""
    with path.open(encoding="utf-8") as file:
        return list(pdd.records.iter_games(file))
