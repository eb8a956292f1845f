"""Results, errors and prompts in German; other tests use English."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.cli import messages
from pontedeldiavolo.cli.main import COMMANDS
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.text import Style, render
from support.commands import PAIR, invoke

ENGLISH = LANGUAGES["en"]

GAME = f'[First "Ada"]\n[Rules "{PAIR}"]\n1. a1,b1 red *\n'
# Each case has a command, its input, and a line of its output or errors.
OUTPUT = [
    ("show -", "w . r", "verletzt keine Regel."),
    ("show -", "w w w w w", "verletzt die Regeln an 1 Stelle:"),
    ("show -", GAME, "Weiß (Ada): 0 Punkte, 0 Inseln, 0 Brücken"),
    ("show --rules original", "", "Übrig: 40 weiße Steine, 40 rote Steine, 15 Brücken."),
    ("show", "", "□ ○ Weiß   ■ ● Rot   Quadrate: Inseln   Kreise: Sandbänke   × blockiert"),
    ("replay -", GAME, "Zug 1: Weiß hat Steine auf a1 und b1"),
    ("moves --rules 3x3 --limit 1", "", "... und 35 weitere"),
    ("moves --limit 20", "", "... und 4.930 weitere"),
    ("perft --depth 1", "", " 4.950 "),
    ("moves - --game 9", GAME, "keine Partie 9, die letzte ist 1"),
    ("perft --depth 1 --rules 3x3", "", "Anzahl"),
    ("play --opponent person", "a1\nmoves a1\nhelp\n", "Nicht verstanden: Erwartet"),
    ("play --opponent person", "quit\n", "Weiß> Die Partie bleibt hier unvollendet stehen."),
    ("play --opponent person", "moves z9\n", "Mit z9 ist nichts erlaubt:"),
    ("validate -", "1. a1,a1 *", "Partie 1: erwartet: Eine erlaubte Aktion"),
    ("validate -", GAME, "1 gültige Partie, 0 fehlerhaft, in 1 Datei, 0 unlesbar."),
    ("validate nothing", "", "unlesbar"),
    ("validate nothing", "", "Fehler: nothing: "),
    ("stats -", GAME, "gewählte Farbe"),
    ("convert - --to moves", GAME, "moves schreiben: Bei Abstract Play"),
    ("render - --format gif", "w . r", "gif zeigt eine ganze Partie"),
    ("render - --format svg --turn 9", GAME, "kein Zug 9, die Partie hat die Züge 0 bis 1"),
    ("match greedy random --games 2 --rules 2x2", "", "Niederlagen"),
    ("show nothing", "", "Fehler: nothing: "),
]
# Faulty arguments, and the end of what is said about them, in English.
USAGE = [
    ("zeigen", "Error: No such command 'zeigen'."),
    ("show a b c", "Error: Got unexpected extra arguments (b c)"),
    ("perft", "Error: Missing option '--depth'."),
    ("show --rules 10x", "expected a height from 1 to 64 at offset 3 of '10x'"),
    ("moves --explain a1-", "expected a cell such as 'c4' at offset 3 of 'a1-'"),
    ("play --opponent person --seconds 1", "Error: --seconds is not for people."),
    ("serve --host 0.0.0.0", "others could reach this address; --expose allows it"),
]


@pytest.mark.parametrize(("line", "keys", "text"), OUTPUT)
def test_german(line: str, keys: str, text: str) -> None:
    for option, env in ((["--lang", "de"], {}), ([], {"PONTEDELDIAVOLO_LANG": "de"})):
        result = invoke(*shlex.split(line), *option, keys=keys, env=env)
        assert text in result.stdout + result.stderr


@pytest.mark.parametrize(("line", "text"), USAGE)
def test_faulty_arguments_are_reported_in_english(line: str, text: str) -> None:
    for option, env in ((["--lang", "de"], {}), ([], {"PONTEDELDIAVOLO_LANG": "de"})):
        result = invoke(*shlex.split(line), *option, env=env)
        assert result.exit_code == 2
        assert result.stderr.startswith("Usage: ")
        assert result.stderr.rstrip("\n").endswith(text)


def test_every_text_of_commands_is_used() -> None:
    folder = Path(messages.__file__).parent
    source = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    codes = {str(key).removeprefix("cli.") for key in ENGLISH if str(key).startswith("cli.")}
    words = {*re.findall(r"[\w-]+", source)}
    ends = ("verdict-", "is-", "legend-")
    made = {code for code in codes if code.startswith(ends) or code.endswith("-tiles-left")}
    assert {code for code in codes - made if code not in words and code[:-1] not in words} == set()
    board = pdd.Setup(pdd.Board(1, 1))
    for style in Style:
        *_, legend = render(board, style=style, legend=True).splitlines()
        assert ENGLISH[f"cli.legend-{style.value}"] == legend
    assert len(COMMANDS) > 10
