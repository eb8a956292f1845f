"""Refused command lines: the exit status and the message on one line."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.base.errors import printable
from pontedeldiavolo.players.registry import FACTORIES, PlayerFactory
from support.commands import COMMANDS, PAIR, invoke, refusal
from support.games import random_game

GAMES = [random_game(seed=seed, Round=str(seed + 1)) for seed in range(3)]
FILES = {
    "game.pdd": pdd.records.dumps(GAMES[0]),
    "games.pdd": "".join(f"{pdd.records.dumps(game)}\n" for game in GAMES),
    "2.svg": "".join(f"{pdd.records.dumps(game)}\n" for game in GAMES),
    "illegal.pdd": '[Event "?"]\n\n1. a1,b1 white\n2. a1,c1\n',
    "purple.pdd": "1. a1,b1 purple\n",
    "resumed.pdd": f'{pdd.records.dumps(GAMES[0])}\n[Event "?"]\n\n1. a1,b1 red 2. a1,b1\n',
    "empty.pdd": "",
    "diagram.txt": "w r w\nbridges a1-c1\n",
    "moves.txt": "d4,e5 c3,f6\n",
    "letter.txt": "Dear Bo,\n",
    "old.sgf": "precious",
    "old.svg": "precious",
    "old.png": "precious",
    "old.apng": "precious",
    "old.gif": "precious",
}
MOMENT = "{} shows a whole game, and this is one moment: take png or svg"
NO_TURNS = "only a recorded game has turns: a state or a diagram is drawn as it is"
NO_FORMAT = "Say what to draw: --format FORMAT, or -o with a suffix that tells."
NO_TARGET = "Say what to write: --to FORMAT, or -o with a suffix that tells."
DEPTH = "Invalid value for '--depth'"
FLAGS = "html follows its reader: no options on how it looks go with it."
HOST = "Invalid value for --host: others could reach this address; --expose allows it"
LAST = shlex.quote(pdd.format_state(GAMES[0].state))
OPENING = f"{PAIR} rows=wr built=- phase=opening to-move=white white=-"
LONG = "9" * 5000

# Each case has a command line, its exit status, and the beginning of the message on standard error.
# After dots, the text may be anywhere in the message.
REFUSED = [
    ("fly", 2, "No such command"),
    *(
        (f"{command} --rules {shlex.quote(rules)}", 2, "Invalid value for '--rules': expected ")
        for command in ("moves", "perft --depth 1", "play", "render", "show")
        for rules in ("", "nonsense", "0x4", "65x65", "10x10 tiles=1", "10x10 " * 99)
    ),
    ("show games.pdd --game 4", 1, "games.pdd: no game 4, the last is 3"),
    ("show '10x10 tiles=3'", 1, "expected a blank and then 'bridges=' at offset 13 of '10x10 til"),
    ("show 'w . w\n. q .'", 1, r"expected one of '.', 'w', 'r', 'x' at offset 8 of 'w . w\n. q ."),
    ("show 'a1,b1 a1,c1'", 1, "game 1, line 1, column 7: expected a legal action: This cannot be"),
    ("show a1,b1\udcff", 2, "the text: not UTF-8 text"),
    (f"show '{OPENING}'", 1, "The opening is played on an empty board."),
    ("moves '*' --record game.pdd", 2, "...not both"),
    ("moves diagram.txt", 1, "a diagram does not say whose turn it is"),
    *(
        (f"moves --explain {shlex.quote(action)}", 2, "Invalid value for --explain: expected ")
        for action in ("", "a", "a1,", "4d", "ünï", "a1,b2,c3", "a" * 10_000)
    ),
    *((f"perft --depth {depth}", 2, DEPTH) for depth in ("-1", "101", "x", LONG)),
    ("replay illegal.pdd", 1, "illegal.pdd:4:4: game 1: expected a legal action: Already taken by"),
    ("replay purple.pdd", 1, "purple.pdd:1:10: game 1: expected "),
    ("replay --step -", 2, "--step waits for input"),
    *(
        (f"replay game.pdd --delay {delay}", 2, "Invalid value for '--delay': ")
        for delay in ("nan", "-1", "inf", "3601", "soon")
    ),
    *((f"render {output}", 2, NO_FORMAT) for output in ("", "-o -", "-o picture", "-o x.bmp")),
    ("render --format bmp", 2, "...'bmp' is not one of 'svg', 'png', 'apng', 'gif', 'html'"),
    ("render diagram.txt --format html", 1, MOMENT.format("html")),
    ("render diagram.txt --format gif", 1, MOMENT.format("gif")),
    ("render d4,g7 --turn 1 --format gif", 1, MOMENT.format("gif")),
    ("render --format gif", 1, MOMENT.format("gif")),
    ("render games.pdd -o folder/{turn}.html", 1, MOMENT.format("html")),
    (f"render {LAST} -o folder/a.html", 1, MOMENT.format("html")),
    (f"render {LAST} -o folder/{{turn}}.svg", 1, NO_TURNS),
    (f"render {LAST} --format svg --turn 1", 1, NO_TURNS),
    ("render diagram.txt --format svg --turn 1", 1, NO_TURNS),
    *(
        (f"render game.pdd --format html {option}", 2, FLAGS)
        for option in ("--networks", "--targets", "--no-coordinates", "--theme=dark", "--size=60")
    ),
    ("render games.pdd --format svg --game 4", 1, "games.pdd: no game 4, the last is 3"),
    (f"render game.pdd --format svg --turn {10**30}", 1, f"no turn {10**30}, the game has 0 to "),
    ("render diagram.txt --format svg --targets", 1, "nobody has a turn in a position or a set-up"),
    ("render d4,g7 --format apng --targets", 2, "--targets is for one moment, and apng shows a wh"),
    ("render moves.txt --format svg --from sgf", 1, "moves.txt:1:1: game 1: expected a game tree"),
    ("render empty.pdd -o folder/a.html", 1, "empty.pdd: empty"),
    *(
        (f"render d4,g7 --format gif {option} {value}", 2, f"...'{option}': {why}")
        for option, value, why in (
            ("--size", "0", "0 is not in the range"),
            ("--size", "100000", "100000 is not in the range"),
            ("--seconds", "0", "0.0 is not in the range"),
            ("--seconds", "nan", "not a number"),
            ("--turn", "-1", "-1 is not in the range"),
            ("--turn", "all", "'all' is not a valid integer"),
            ("--theme", "pink", "'pink' is not one of"),
        )
    ),
    *(
        (f"render d4,g7 -o old.{form}", 2, f"old.{form}: exists already; --force replaces it")
        for form in ("svg", "png", "apng", "gif")
    ),
    ("render games.pdd -o {game}.svg", 2, "2.svg: exists already; --force replaces it"),
    ("render game.pdd --format png -o game.pdd --force", 2, "game.pdd: is an input, and is not wr"),
    ("render 2.svg --from pdd -o {game}.svg --force", 2, "2.svg: is an input, and is not written"),
    ("render d4,g7 -o no/where.svg", 2, "no/where.svg: no such file or directory"),
    (
        f"render d4,g7 --format png -o {os.devnull}",
        2,
        f"{os.devnull}: is not a file that could be ",
    ),
    *(
        (f"render resumed.pdd -o 'folder/{name}'", 1, "...game 2: expected a legal action: Already")
        for name in ("all.html", "{game}.svg", "{game}-{turn}.svg")
    ),
    *((f"convert games.pdd {output}", 2, NO_TARGET) for output in ("", "-o -", "-o x.y", "-o pdd")),
    ("convert --to pdd", 2, "Missing argument"),
    ("convert games.pdd --to pgn", 2, "...'pgn' is not one of 'pdd'"),
    ("convert games.pdd --to boardspace", 2, "Nothing is written as boardspace: it is read only."),
    ("convert games.pdd -o a.json", 2, "a .json file holds one game: several go into a .jsonl fil"),
    ("convert games.pdd -o old.sgf", 2, "old.sgf: exists already; --force replaces it"),
    ("convert games.pdd -o link.sgf", 2, "link.sgf: exists already; --force replaces it"),
    *(
        (f"convert x games.pdd {force} -o {name}", 2, f"{name}: is an input, and is not written")
        for name in ("games.pdd", "link.pdd", "hard.pdd")
        for force in ("", "--force")
    ),
    *(
        (
            f"convert game.pdd --to pdd {force} -o {name}",
            2,
            f"{name}: is not a file that could be rep",
        )
        for name in (".", "folder", "queue.pdd", os.devnull)
        for force in ("", "--force")
    ),
    ("convert game.pdd -o no/where.pdd", 2, "no/where.pdd: no such file or directory"),
    ("convert game.pdd -o game.pdd/where.pdd", 2, "game.pdd/where.pdd: not a directory"),
    (f"convert game.pdd -o {'x' * 300}.pdd", 2, f"{'x' * 300}.pdd: file name too long"),
    ("play --opponent person --seconds 1", 2, "--seconds is not for people."),
    ("play --opponent greedy --seconds 1", 2, "--seconds is not for greedy."),
    ("play --opponent ada", 2, "...no player is named 'ada'"),
    ("play --save folder", 2, "folder: is a directory"),
    ("play --save no/where.pdd", 2, "no/where.pdd: no such file or directory"),
    ("match greedy ada", 2, "Invalid value for 'B': no player is named 'ada'; there are random"),
    ("match greedy:x=1 random", 2, "Invalid value for 'A': greedy has no option 'x'"),
    ("match greedy random --games 3", 2, "Invalid value for '--games': games are played in"),
    *(
        (f"match greedy random --sprt {sprt}", 2, f"Invalid value for '--sprt': {why}")
        for sprt, why in (
            ("5", "two differences in"),
            ("a,b", "two differences in"),
            ("5,1", "elo0 is below elo1"),
        )
    ),
    ("match random random --clock 60", 2, "...such as 60+1"),
    *(
        (f"match random random --clock {clock}", 2, f"Invalid value for '--clock': a time of {why}")
        for clock, why in (
            ("inf+0", "a clock must be from 0 to 1,000,000,000 seconds, not inf"),
            ("1+nan", "a clock must be from 0 to 1,000,000,000 seconds, not nan"),
        )
    ),
    ("match external:no-such-engine random", 2, "...no-such-engine cannot be started"),
    ("engine nobody", 2, "...no player is named 'nobody'"),
    ("match greedy random --seconds 1", 2, "--seconds is not for greedy, random."),
    ("match greedy random --seconds nan", 2, "Invalid value for '--seconds': "),
    ("match random random --simulations 1", 2, "--simulations is not for random."),
    ("match thinker:simulations=x random", 2, "Invalid value for 'A': simulations must be a num"),
    ("match missing random", 2, "it needs more: pip install"),
    ("match choosy random", 2, "not today"),
    ("match random greedy --folder letter.txt", 2, "letter.txt: file exists"),
    ("analyse games.pdd --player greedy", 2, "Invalid value for --player: greedy does not say wha"),
    ("analyse games.pdd --player thinker --seconds 1", 2, "--seconds is not for thinker."),
    ("analyse games.pdd --player thinker -o games.pdd --force", 2, "games.pdd: is an input, and i"),
    ("analyse games.pdd --player thinker -o old.sgf", 2, "old.sgf: exists already; --force replac"),
    *((f"serve --no-open --host {host}", 2, HOST) for host in ("192.0.2.1", "::", "example.org")),
    *(
        (f"serve --no-open --allow-host {name}", 2, f"...{name} is not the name of a host: ")
        for name in ("http://a.example", "a.example:80", "*", "a/b")
    ),
    *(
        (f"serve --no-open --proxy {address}", 2, f"...{address} is not an IP address")
        for address in ("proxy.example", "192.0.2.1:80", "10.0.0.0/8")
    ),
    ("serve --no-open --max-games 0", 2, "...0 is not in the range"),
    *((f"serve --no-open --max-side {side}", 2, "...'--max-side': ") for side in ("0", "65")),
    ("serve --no-open --folder letter.txt", 2, "letter.txt: "),
]


def missing() -> players.Player:
    raise ImportError("it needs more: pip install")


def choosy() -> players.Player:
    raise pdd.PonteError("not today")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thinker: None) -> Path:
    """Return the current folder with all files, and register the players of the tests."""
    del thinker
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.pdd").symlink_to("games.pdd")
    (tmp_path / "link.sgf").symlink_to("old.sgf")
    (tmp_path / "hard.pdd").hardlink_to(tmp_path / "games.pdd")
    os.mkfifo(tmp_path / "queue.pdd")
    for name, kind in (("missing", PlayerFactory(missing)), ("choosy", PlayerFactory(choosy))):
        monkeypatch.setitem(FACTORIES, name, kind)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[Path, bytes]:
    files = sorted(folder.rglob("*"))
    return {path: path.read_bytes() if path.is_file() else b"" for path in files}


@pytest.mark.parametrize(("line", "status", "start"), REFUSED, ids=[row[0][:60] for row in REFUSED])
def test_refused_commands_change_nothing(folder: Path, line: str, status: int, start: str) -> None:
    before = contents(folder)
    result = invoke(*shlex.split(line))
    assert (result.exit_code, result.stdout) == (status, ""), result.output
    *usage, last = result.stderr.splitlines()
    assert not usage or (status == 2 and usage[0].startswith("Usage: "))
    said = last.removeprefix("Error: ")
    assert last != said
    assert start[3:] in said if start.startswith("...") else said.startswith(start)
    assert len(said) < 6000
    assert contents(folder) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_cannot_be_opened(folder: Path, command: str) -> None:
    words = command.split()
    strange = folder / "no\x1bwhere.pdd"
    shown = printable(str(strange))
    assert refusal(invoke(*words, strange), 2) == f"{shown}: no such file or directory"
    assert refusal(invoke(*words, folder), 2) == f"{folder}: is a directory"
    assert refusal(invoke(*words, "x" * 5000), 2).endswith(": file name too long")


@pytest.mark.parametrize(
    "line",
    [
        "render d4,g7 -o picture.svg",
        "render games.pdd -o 'folder/{turn}.svg'",
        "render games.pdd -o '{game}.svg' --force",
        "convert games.pdd -o new.sgf",
        "analyse games.pdd --player thinker -o new.pdd",
    ],
)
def test_full_disks_leave_nothing(folder: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = contents(folder)
    monkeypatch.setattr(Path, "replace", fail)
    assert refusal(invoke(*shlex.split(line)), 2).endswith(": no space left on device")
    assert contents(folder) == before
