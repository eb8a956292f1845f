"""``validate`` and ``stats``: check and count the games of many files."""

from __future__ import annotations

import io
from itertools import product
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Game, Phase, Seat
from pontedeldiavolo.cli.arguments import Input
from pontedeldiavolo.cli.messages import Unreadable
from pontedeldiavolo.records import sgf
from support.commands import COMMANDS, invoke, lines_of, refusal, value_of
from support.diagrams import MORE_BRIDGES, MORE_ISLANDS, state_of
from support.games import game_of, random_game


def test_validate_finds_all_good(record: Path, archive: Path) -> None:
    lines = lines_of(invoke("validate", record, archive, "--ascii"))
    width = len(str(archive))
    assert lines == [
        f"{'file':<{width}} | good | bad | verdict",
        f"{'-' * width}-+------+-----+--------",
        f"{record!s:<{width}} |    1 |   0 | good",
        f"{archive} |    3 |   0 | good",
        "4 good games, 0 bad, in 2 files, 0 unreadable.",
    ]
    assert lines_of(invoke("validate", "--quiet", record, archive)) == []


def test_validate_names_the_place_of_every_fault(tmp_path: Path, record: Path) -> None:
    path = tmp_path / "bad.pdd"
    good = record.read_text(encoding="utf-8")
    path.write_text(f'{good}\n[Event "?"]\n1. a1,b1 white\n2. a1,c1\n\n{good}\n[Oops\n*\n')
    start = good.count("\n") + 2
    lines = lines_of(invoke("validate", "-q", record, path), 1)
    fault = "expected a legal action: Already taken by a tile: a1."
    assert lines[0] == f"{path}:{start + 2}:4: game 2: {fault}"
    assert lines[1].startswith(f"{path}:")
    assert ": game 4: expected " in lines[1]
    assert len(lines) == 2
    summary = lines_of(invoke("validate", record, path), 1)[-1]
    assert summary == "3 good games, 2 bad, in 2 files, 0 unreadable."


def test_validate_reads_standard_input(record: Path) -> None:
    *_, last = lines_of(invoke("validate", "-", keys=record.read_bytes()))
    assert last == "1 good game, 0 bad, in 1 file, 0 unreadable."
    (line,) = lines_of(invoke("validate", "-q", "-", keys="1. a1,b1 a1,b1"), 1)
    assert line.startswith("standard input:1:10: game 1: expected a legal action: This cannot be")


def test_validate_goes_on_after_unreadable_files(tmp_path: Path, record: Path) -> None:
    binary = tmp_path / "binary.pdd"
    binary.write_bytes(record.read_bytes() + b'\n[Event "\xff\x00"]\n')
    result = invoke("validate", tmp_path / "missing.pdd", tmp_path, binary, record)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"Error: {tmp_path / 'missing.pdd'}: no such file or directory",
        f"Error: {tmp_path}: is a directory",
        f"Error: {binary}:{record.read_bytes().count(10) + 2}: not UTF-8 text",
    ]
    # The game before the invalid bytes counts, because it was read.
    assert result.stdout.splitlines()[-1] == "2 good games, 0 bad, in 4 files, 3 unreadable."


def test_validate_of_many_files_lists_the_bad_ones(tmp_path: Path, record: Path) -> None:
    bad = tmp_path / "bad.pdd"
    bad.write_text("1. a1")
    lines = lines_of(invoke("validate", *[record] * 20, bad), 1)
    assert sum(str(record) in line for line in lines) == 0
    assert sum(str(bad) in line for line in lines) == 2
    (line,) = lines_of(invoke("validate", *[record] * 21))
    assert line == "21 good games, 0 bad, in 21 files, 0 unreadable."


MORE = "more than 6,000 characters without an end of the record"
HOSTILE = [
    (b"\x7fELF\x02\x01\x01\x00\xff\xfe\x80", 2, ":1: ", "not UTF-8 text"),
    (b'[Event "caf\xe9"]\n*', 2, ":1: ", "not UTF-8 text"),
    ("[Event".encode("utf-16")[:-1], 2, ":1: ", "not UTF-16-LE text"),
    ("[Event".encode("utf-16"), 1, ":1:7: ", "expected "),
    (b'[Event "?"]\n' + b"\n" * 1000 + b"\xff", 2, ":1002: ", "not UTF-8 text"),
    (b"\x00" * 6001, 2, ":1: ", MORE),
    (b"a1,b1\n" * 1100, 2, ":1001: ", MORE),
    (b'[A "b"]\n' * 1100, 2, ":751: ", MORE),
    (b"", 1, ": ", "empty"),
    (b" \n\t\n", 1, ": ", "empty"),
    (b"\x00\x01\x02", 1, ":1:1: ", "expected "),
    (b"<html><body class='a'>", 1, ":1:1: ", "expected "),
    (b"{'json': 1}", 1, ":1:1: ", "expected "),
    (b"1. a1,b1 white 2. a1,b1", 1, ":1:19: ", "expected a legal action"),
    (b"99x99 tiles=1", 1, ":1:1: ", "expected "),
    (b'[Rules "99x99"]\n*', 1, ":1:9: ", "expected "),
]


@pytest.mark.parametrize(
    ("command", "case"),
    [*product(COMMANDS[:1], HOSTILE), *product(COMMANDS[1:], HOSTILE[::5])],
)
def test_hostile_files_give_one_line_and_a_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, case: tuple[bytes, int, str, str]
) -> None:
    content, status, place, why = case
    monkeypatch.setattr("pontedeldiavolo.cli.arguments.MAX_CHARACTERS", 6000)
    path = tmp_path / "hostile"
    path.write_bytes(content)
    words = command.split()
    message = refusal(invoke(*words, path), status)
    assert message.startswith(f"{path}{place}")
    assert why in message
    assert len(message) < 400
    if "--record" not in command:
        piped = refusal(invoke(*words, "-", keys=content), status)
        assert piped == message.replace(str(path), "standard input")


def test_a_file_that_fails_while_it_is_read() -> None:
    class Failing(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object, /) -> int:
            raise OSError(str(buffer))

    for name, place in (("disk", "disk:1"), (None, "the text")):
        with pytest.raises(Unreadable) as caught:
            next(Input(io.TextIOWrapper(io.BufferedReader(Failing())), name))
        assert caught.value.message == f"{place}: oserror"


def report_of(*arguments: str | Path, keys: str = "", status: int = 0) -> dict[str, object]:
    result = invoke("stats", "--json", *arguments, keys=keys)
    assert (result.exit_code, result.stderr) == (status, "")
    return value_of(result, "statistics")


def text_of(*games: Game) -> str:
    return "".join(f"{pdd.records.dumps(game)}\n" for game in games)


OVER = {
    "points": state_of("w w w w . r .", phase=Phase.OVER, tiles=4, white_owner=Seat.SECOND),
    "islands": state_of(MORE_ISLANDS, phase=Phase.OVER, tiles=12),
    "bridges": state_of(MORE_BRIDGES, phase=Phase.OVER, tiles=5),
    "nothing": state_of("w . r", phase=Phase.OVER),
}
"""An example of a finished game for each way in which games are decided."""

EVERY_KIND = (
    *(Game.new(start=state) for state in OVER.values()),
    game_of("d4,g7").end(Ending.RESIGNATION, Seat.SECOND),
    game_of("d4,g7", "white", "a1,b1").end(Ending.TIME, Seat.FIRST),
    game_of("d4,g7", "red", "a1,b1", "c1,d1").end(Ending.AGREEMENT),
    game_of("d4,g7", "red").end(Ending.ADJUDICATION, Seat.SECOND),
    game_of("d4,g7", "red"),
    game_of(),
)


def test_every_kind_of_game_is_counted() -> None:
    report = report_of("-", keys=text_of(*EVERY_KIND))
    numbers = {"games": 4, "min": 0, "max": 3}
    assert report == {
        "files": 1,
        "unreadable": 0,
        "games": 10,
        "bad": 0,
        "rules": [
            {
                "rules": "10x10 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges",
                "presets": ["board-game-arena", "abstract-play"],
                "games": 6,
            },
            *(
                {"rules": f"{rules} tiebreaks=islands,bridges", "presets": [], "games": 1}
                for rules in (
                    "3x1 tiles=unlimited bridges=unlimited",
                    "7x1 tiles=4 bridges=unlimited",
                    "9x3 tiles=5 bridges=unlimited",
                    "9x5 tiles=12 bridges=unlimited",
                )
            ),
        ],
        "winning_color": {"white": 2, "red": 3, "draw": 2, "no-color": 1, "unfinished": 2},
        "winning_seat": {"first": 2, "second": 4, "draw": 2, "unfinished": 2},
        "decided_by": {
            **dict.fromkeys(("points", "islands", "bridges", "nothing"), 1),
            **dict.fromkeys(("resignation", "time", "agreement", "adjudication"), 1),
            "unfinished": 2,
        },
        "chosen_color": {"white": 1, "red": 3, "none": 6},
        "turns": {"games": 8, "min": 0, "median": 0.5, "mean": 0.875, "max": 3},
        "points": {
            "white": {**numbers, "median": 1.0, "mean": 1.25},
            "red": {**numbers, "median": 0.5, "mean": 1.0},
        },
        "islands": {
            "white": {**numbers, "median": 1.0, "mean": 1.25},
            "red": {**numbers, "max": 2, "median": 0.5, "mean": 0.75},
        },
        "bridges": {
            "white": {**numbers, "max": 0, "median": 0.0, "mean": 0.0},
            "red": {**numbers, "max": 1, "median": 0.5, "mean": 0.5},
        },
    }


def test_the_table_says_the_same() -> None:
    result = invoke("stats", "--ascii", "-", keys=text_of(*EVERY_KIND))
    assert (result.exit_code, result.stderr) == (0, "")
    rows = [[cell.strip() for cell in line.split("|")] for line in result.stdout.splitlines()]
    for row in (
        ["9x3 tiles=5 bridges=unlimited tiebreaks=islands,bridges", "", "1"],
        ["", "abstract-play", ""],
        ["winning colour", "games", "share"],
        ["white", "2", "20.0%"],
        ["a seat, before colours were chosen", "1", "10.0%"],
        ["second", "4", "40.0%"],
        ["nothing: all was equal", "1", "10.0%"],
        ["resignation", "1", "10.0%"],
        ["unfinished", "2", "20.0%"],
        ["colour chosen", "games", "share"],
        ["none", "6", "60.0%"],
        ["per game", "games", "min", "median", "mean", "max"],
        ["turns", "8", "0", "0.5", "0.9", "3"],
        ["points, white", "4", "0", "1.0", "1.2", "3"],
        ["bridges, red", "4", "0", "0.5", "0.5", "1"],
    ):
        assert row in rows
    assert rows[-1] == ["10 good games, 0 bad, in 1 file, 0 unreadable."]


def test_games_are_counted_over_many_files_and_formats(tmp_path: Path) -> None:
    games = [random_game(seed=seed) for seed in range(5)]
    paths = [tmp_path / "one.pdd", tmp_path / "two.sgf"]
    paths[0].write_text(text_of(*games[:3]), encoding="utf-8")
    paths[1].write_text("".join(map(sgf.dumps, games[3:])), encoding="utf-8")
    assert report_of(*paths) == {**report_of("-", keys=text_of(*games)), "files": 2}
    assert report_of("--from", "sgf", "-", keys=paths[1].read_text("utf-8"))["games"] == 2


def test_statistics_without_a_finished_game() -> None:
    keys = text_of(game_of("d4,g7"))
    nothing = {"games": 0, "min": None, "median": None, "mean": None, "max": None}
    report = report_of("-", keys=keys)
    assert report["turns"] == nothing
    assert report["bridges"] == {"white": nothing, "red": nothing}
    table = invoke("stats", "-", "--ascii", keys=keys).stdout.replace(" ", "").splitlines()
    assert "turns|0|-|-|-|-" in table


def test_bad_games_and_files_are_counted(tmp_path: Path) -> None:
    good = tmp_path / "good.pdd"
    bad = tmp_path / "bad.pdd"
    empty = tmp_path / "empty.jsonl"
    good.write_text(text_of(random_game()), encoding="utf-8")
    bad.write_text(f'1. a1\n\n{text_of(random_game())}[Event "?"]\n1. pass', encoding="utf-8")
    empty.touch()
    report = report_of(good, bad, status=1)
    assert (report["games"], report["bad"]) == (2, 2)
    result = invoke("stats", tmp_path / "missing", good, bad, empty)
    assert result.exit_code == 2
    assert result.stderr == f"Error: {tmp_path}/missing: no such file or directory\n"
    assert result.stdout.splitlines()[-1] == "2 good games, 3 bad, in 4 files, 1 unreadable."
    result = invoke("stats", empty)
    assert result.exit_code == 1
    assert result.stdout == "0 good games, 1 bad, in 1 file, 0 unreadable.\n"
    report = report_of(empty, status=1)
    assert (report["games"], report["bad"], report["rules"]) == (0, 1, [])


def test_no_more_than_some_rules_are_listed() -> None:
    rules = [f"{width}x1 tiles=unlimited bridges=0 tiebreaks=none" for width in range(1, 23)]
    games = [Game.new(pdd.parse_rules(each)) for each in rules]
    lines = invoke("stats", "-", keys=text_of(*games)).stdout.splitlines()
    assert sum("bridges=0" in line for line in lines) == 20
    assert "... and 2 more" in lines
    found = report_of("-", keys=text_of(*games))["rules"]
    assert isinstance(found, list)
    assert len(found) == 22
