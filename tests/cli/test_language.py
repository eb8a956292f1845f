"""Results, errors and prompts in German; the other tests of commands read the English ones."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pontedeldiavolo.cli import messages
from pontedeldiavolo.cli.main import COMMANDS
from pontedeldiavolo.messages import ENGLISH
from pontedeldiavolo.text import Style, legend
from support.commands import PAIR, invoke

GAME = f'[First "Ada"]\n[Rules "{PAIR}"]\n1. a1,b1 red *\n'
# A command, its input, and a line of its output or of its errors.
OUTPUT = [
    ("show -", "w . r", "verletzt keine Regel."),
    ("show -", "w w w w w", "verletzt die Regeln an 1 Stelle:"),
    ("show -", GAME, "Weiß (Ada): 0 Punkte, 0 Inseln, 0 Brücken"),
    ("show --rules original", "", "Übrig: 40 weiße Steine, 40 rote Steine, 15 Brücken."),
    ("show", "", "□ ○ Weiß   ■ ● Rot   Quadrate: Inseln   Kreise: Sandbänke   × gesperrt"),
    ("replay -", GAME, "Zug 1: Weiß hat Steine auf a1 und b1"),
    ("moves --rules 3x3 --limit 1", "", "... und 35 weitere"),
    ("moves - --game 9", GAME, "keine Partie 9, die letzte ist 1"),
    ("perft --depth 1 --rules 3x3", "", "Anzahl"),
    ("play --opponent person", "a1\nmoves a1\nhelp\n", "Nicht verstanden: Erwartet"),
    ("play --opponent person", "quit\n", "Weiß> Die Partie bleibt hier unvollendet stehen."),
    ("play --opponent person", "moves z9\n", "Mit z9 ist nichts erlaubt:"),
    ("validate -", "1. a1,a1 *", "Partie 1: erwartet: Eine erlaubte Aktion"),
    ("validate -", GAME, "1 gute Partie, 0 schlechte, in 1 Datei, 0 unlesbare."),
    ("validate nothing", "", "unlesbar"),
    ("validate nothing", "", "Fehler: nothing: "),
    ("stats -", GAME, "gewählte Farbe"),
    ("convert - --to moves", GAME, "moves schreiben: Bei Abstract Play"),
    ("render - --format gif", "w . r", "gif zeigt eine ganze Partie"),
    ("render - --format svg --turn 9", GAME, "kein Zug 9, die Partie hat 0 bis 1"),
    ("show --rules 10x", "", "Erwartet bei Zeichen 4"),
    ("match greedy random --games 2 --rules 2x2", "", "Niederlagen"),
    ("zeigen", "", "Hilfe: main --help\n\nFehler: Es gibt keinen Befehl 'zeigen'."),
    ("show --fro sgf", "", "Gemeint vielleicht: "),
    ("show a b c", "", "Fehler: Unerwartete Argumente: b c"),
    ("render --force=1", "", "Fehler: Die Option '--force' hat keinen Wert."),
    ("perft", "", "Fehler: Es fehlt die Option '--depth'."),
    ("perft --depth 101", "", "Wert für '--depth': 101 liegt nicht im Bereich 0<=x<=100"),
    ("perft --depth x", "", "Wert für '--depth': 'x' ist keine gültige ganze Zahl."),
    ("moves --explain a1-", "", "Ungültiger Wert für --explain: Erwartet bei Zeichen"),
    ("play --opponent person --seconds 1", "", "--seconds gibt es nicht für: Menschen."),
    ("serve --host 0.0.0.0", "", "--host: andere könnten diese Adresse erreichen"),
    ("show nothing", "", "Fehler: nothing: "),
]


@pytest.mark.parametrize(("line", "keys", "text"), OUTPUT)
def test_german(line: str, keys: str, text: str) -> None:
    for option, env in ((["--lang", "de"], {}), ([], {"PONTEDELDIAVOLO_LANG": "de"})):
        result = invoke(*shlex.split(line), *option, keys=keys, env=env)
        assert text in result.stdout + result.stderr


def test_every_text_of_commands_is_used() -> None:
    folder = Path(messages.__file__).parent
    source = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    codes = {str(key).removeprefix("cli.") for key in ENGLISH if str(key).startswith("cli.")}
    words = {*re.findall(r"[\w-]+", source)}
    ends = ("click-", "verdict-", "is-", "legend-")
    made = {code for code in codes if code.startswith(ends) or code.endswith("-tiles-left")}
    assert {code for code in codes - made if code not in words and code[:-1] not in words} == set()
    assert all(ENGLISH[f"cli.legend-{style.value}"] == legend(style) for style in Style)
    assert len(COMMANDS) > 10
