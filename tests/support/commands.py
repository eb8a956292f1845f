"""Run commands in this process, read their output, and write files for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

import pontedeldiavolo as pdd
from pontedeldiavolo import Game
from pontedeldiavolo.cli.main import main

TERMINAL = {
    "FORCE_COLOR": "1",
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "COLUMNS": "100",
    "LINES": "50",
}
"""Environment variables with which the console treats its output as a terminal."""

COMMANDS = ["show", "render --format svg", "replay", "moves", "moves --record", "perft --depth 1"]
"""Commands that read one file."""
PAIR = "2x1 tiles=unlimited bridges=unlimited tiebreaks=none"
TINY = "1x1 tiles=unlimited bridges=unlimited tiebreaks=none"
EARLY = '[First "Ada"]\n[Second "Bo"]\n\n1. d4,g7 white 2. a1,b1 3. d6,h9\n'


def invoke(
    *arguments: str | Path,
    keys: str | bytes = "",
    env: dict[str, str] | None = None,
    charset: str = "utf-8",
) -> Result:
    """Run a command in this process; exceptions other than an exit make the test fail."""
    runner = CliRunner(charset=charset)
    words = list(map(str, arguments))
    return runner.invoke(main, words, input=keys, env=env, catch_exceptions=False)


def lines_of(result: Result, status: int = 0) -> list[str]:
    """Return the lines on standard output of a successful command."""
    assert result.exit_code == status, result.output
    assert result.stderr == ""
    return result.stdout.splitlines()


def refusal(result: Result, status: int) -> str:
    """Return the one line on standard error of a command that was refused."""
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


def value_of(result: Result, kind: str) -> dict[str, Any]:
    """Return the value of the document that a command writes."""
    document = json.loads(result.stdout)
    assert document.keys() == {"format", "version", "kind", "value"}
    assert (document["format"], document["version"]) == ("pontedeldiavolo", pdd.json.VERSION)
    assert document["kind"] == kind
    value: dict[str, Any] = document["value"]
    return value


# Conversions, and files to convert

ROUND_TRIPS = {
    "pdd": ".pdd",
    "json": ".jsonl",
    "abstract-play": ".json",
    "moves": ".txt",
    "sgf": ".sgf",
}


def convert(*arguments: str | Path, keys: str | bytes = "", status: int = 0) -> str:
    """Run ``convert``; return standard output, and require that standard error is empty."""
    result = invoke("convert", *arguments, keys=keys)
    assert (result.exit_code, result.stderr) == (status, "")
    return result.stdout


def complaints(*arguments: str | Path, keys: str | bytes = "", status: int) -> list[str]:
    result = invoke(*arguments, keys=keys)
    assert result.exit_code == status, result.output
    return result.stderr.splitlines()


def saved(path: Path, *games: Game) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for game in games:
            pdd.records.dump(game, file)
    return path


def records_in(path: Path) -> list[Game]:
    with path.open(encoding="utf-8") as file:
        return list(pdd.records.iter_games(file))
