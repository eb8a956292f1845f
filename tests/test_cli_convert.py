"""``convert``, the formats behind it, and what ``validate`` makes of them."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from diagrams import state_of
from pontedeldiavolo import Ending, Game, Seat
from pontedeldiavolo.cli import survey as convert_module
from pontedeldiavolo.cli.formats import FORMATS, entries, recognised
from pontedeldiavolo.cli.main import main
from pontedeldiavolo.cli.sources import LIMIT, Lines
from pontedeldiavolo.records import abstract_play, sgf, splitting
from trees import annotated_games

SOURCE = Path(pdd.__file__).parents[1]
DATA = Path(__file__).parent / "data"
TERMINAL = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "50"}
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


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing in the environment of the tests decide about colours and widths."""
    for name in ("NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", *TERMINAL):
        monkeypatch.delenv(name, raising=False)


def invoke(
    *arguments: str | Path,
    keys: str | bytes = "",
    env: dict[str, str] | None = None,
    charset: str = "utf-8",
) -> Result:
    """Run a command in this process; what is not an exit is an error of the test."""
    words = list(map(str, arguments))
    runner = CliRunner(charset=charset)
    return runner.invoke(main, words, input=keys, env=env, catch_exceptions=False)


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


def random_game(rules: str, seed: int, **tags: str) -> Game:
    """Return a game of random actions, played out."""
    game, rng = Game.new(pdd.parse_rules(rules), tags), Random(seed)
    while game.ending is None:
        game = game.play(game.state.legal_actions.sample(rng))
    return game


def game_of(*actions: str, rules: str = "abstract-play", **tags: str) -> Game:
    """Return the game of some actions."""
    game = Game.new(pdd.parse_rules(rules), tags)
    for action in actions:
        game = game.play(action)
    return game


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


@pytest.fixture(scope="module")
def three() -> tuple[Game, ...]:
    """Three games that every format can hold."""
    return tuple(random_game("abstract-play-8", seed) for seed in range(3))


@pytest.fixture
def archive(tmp_path: Path, three: tuple[Game, ...]) -> Path:
    """A file with those games."""
    return saved(tmp_path / "games.pdd", *three)


# From one format to another


@pytest.mark.parametrize("target", ROUND_TRIPS)
@pytest.mark.parametrize("source", ROUND_TRIPS)
def test_every_format_leads_to_every_other(
    tmp_path: Path, archive: Path, three: tuple[Game, ...], source: str, target: str
) -> None:
    one = tmp_path / f"one{ROUND_TRIPS[source]}"
    two = tmp_path / f"two{ROUND_TRIPS[target].upper()}"
    back = tmp_path / "back.pdd"
    # Two formats have the same suffix: which one is written must be said, not which one is read.
    assert convert(archive, "-o", one, "--to", source) == f"3 games written to {one}, 0 left out.\n"
    convert(one, "-o", two, "--to", target)
    convert(two, "-o", back)
    assert [game.line for game in records_in(back)] == [game.line for game in three]
    assert invoke("validate", one, two).stdout.splitlines()[-1].startswith("6 good games, 0 bad")
    piped = convert("-", "--from", source, "--to", target, keys=one.read_bytes())
    assert piped == two.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["old", "people", "robots"])
def test_records_of_boardspace_are_told_by_their_content(name: str, tmp_path: Path) -> None:
    path, told = DATA / "boardspace" / f"{name}.sgf", DATA / "boardspace" / f"{name}.pdd"
    assert convert(path, "--to", "pdd").strip() == told.read_text(encoding="utf-8").strip()
    again = tmp_path / "again.sgf"
    convert(path, "--from", "boardspace", "-o", again)
    assert convert(again, "--to", "pdd").strip() == told.read_text(encoding="utf-8").strip()
    message = complaints("convert", path, "--to", "boardspace", status=2)[-1]
    assert message == "Error: Nothing is written as boardspace: it is read only."


def test_trees_and_notes_are_kept_where_they_can_be(tmp_path: Path) -> None:
    path, told = DATA / "sgf" / "annotated.sgf", DATA / "sgf" / "annotated.pdd"
    assert convert(path, "--to", "pdd").strip() == told.read_text(encoding="utf-8").strip()
    convert(path, "-o", tmp_path / "one.json")
    assert convert(tmp_path / "one.json", "--to", "pdd").strip() == told.read_text("utf-8").strip()


def test_a_json_file_is_valid_json(tmp_path: Path, archive: Path) -> None:
    single, several = tmp_path / "single.json", tmp_path / "several.json"
    convert(saved(tmp_path / "one.pdd", random_game("abstract-play-8", 7)), "-o", single)
    assert json.loads(single.read_text("utf-8"))["format"] == "pontedeldiavolo"
    convert(tmp_path / "one.pdd", "--to", "abstract-play", "-o", several)
    assert json.loads(several.read_text("utf-8")).keys() == {"header", "moves"}
    convert(archive, "--to", "abstract-play", "--force", "-o", several)
    reports = json.loads(several.read_text("utf-8"))
    assert len(reports) == 3
    lines = tmp_path / "lines.jsonl"
    convert(archive, "--to", "abstract-play", "-o", lines)
    assert [json.loads(line) for line in lines.read_text("utf-8").splitlines()] == reports
    assert convert(lines, "--to", "pdd") == convert(several, "--to", "pdd")


def test_several_games_are_no_single_document(tmp_path: Path, archive: Path) -> None:
    target = tmp_path / "several.json"
    assert complaints("convert", archive, "-o", target, status=2) == [
        "Error: a .json file holds one game: several go into a .jsonl file"
    ]
    assert list(tmp_path.iterdir()) == [archive]


def test_many_inputs_make_one_output(
    tmp_path: Path, archive: Path, three: tuple[Game, ...]
) -> None:
    document = tmp_path / "one.json"
    convert(saved(tmp_path / "one.pdd", three[0]), "-o", document)
    result = invoke(
        "convert", archive, document, "-", "--to", "pdd", keys=pdd.records.dumps(three[1])
    )
    assert result.exit_code == 0
    texts = [pdd.records.dumps(game) for game in (*three, three[0], three[1])]
    assert result.stdout == "".join(f"{text}\n" for text in texts)


def test_what_to_write_must_be_told(archive: Path, tmp_path: Path) -> None:
    for words in ([], ["-o", "-"], ["-o", tmp_path / "games.xyz"], ["-o", tmp_path / "pdd"]):
        line = complaints("convert", archive, *words, status=2)[-1]
        assert line == "Error: Say what to write: --to FORMAT, or -o with a suffix that tells."
    assert complaints("convert", "--to", "pdd", status=2)[-1].startswith("Error: Missing argument")
    assert (
        "'pgn' is not one of 'pdd'" in complaints("convert", archive, "--to", "pgn", status=2)[-1]
    )
    convert(archive, "--to", "sgf", "-o", tmp_path / "games.xyz")
    assert (tmp_path / "games.xyz").read_text("utf-8").startswith("(;FF[4]")


def test_help_has_a_line_for_every_format() -> None:
    for command in ("convert", "validate", "stats"):
        lines = [line.split() for line in invoke(command, "--help").stdout.splitlines()]
        for each in FORMATS:
            assert [each.name, *", ".join(each.suffixes).split(), *each.about.split()] in lines


# What a format is


REPORT = '{"header": {"game": {"name": "Ponte del Diavolo"}}}'


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.pdd", "(;FF[4]", "pdd"),
        ("a.PDD", REPORT, "pdd"),
        ("a.json", "", "json"),
        ("a.json", '{"kind": "game"}', "json"),
        ("a.json", '{"value": 1}', "json"),
        ("a.json", REPORT, "abstract-play"),
        ("a.JSON", f" [\n  {REPORT}]", "abstract-play"),
        ("a.jsonl", '{ "moves" : []}', "abstract-play"),
        ("a.json", '[Event "x"]', "pdd"),
        ("a.txt", "d4,g7 c3,c5", "moves"),
        ("a.txt", "1. d4,g7 red 2. c3,c5", "pdd"),
        ("a.txt", '\n[Event "x"]\n', "pdd"),
        ("a.sgf", "some words (;GM[1]FF[4]", "sgf"),
        ("a.sgf", "(;FF[4]GM[PonteDelDiavolo]", "boardspace"),
        ("a.sgf", "mail\n(\n;\n GM[ pontedeldiavolo ]", "boardspace"),
        ("a.sgf", "(;C[(a)]GM[PonteDelDiavolo]", "sgf"),
        ("-", "", "pdd"),
        ("-", "1. a1,b1 a1,b1", "pdd"),
        ("-", "(;FF[4]", "sgf"),
        ("-", "(;GM[PonteDelDiavolo]", "boardspace"),
        ("-", REPORT, "abstract-play"),
        ("-", '{"format": "pontedeldiavolo"', "json"),
        ("-", "{a comment}", "pdd"),
        ("-", "size-8 pied d4,g7", "moves"),
        ("a.xyz", "Pie-Invoked d4,g7", "moves"),
        ("a.xyz", "\x00\x01", "pdd"),
    ],
)
def test_formats_are_recognised(name: str, content: str, expected: str) -> None:
    lines = Lines(StringIO(content), None)
    assert recognised(name, lines).name == expected
    # And nothing is taken away by it.
    assert "".join(lines) == content


def test_looking_ahead_takes_nothing_away() -> None:
    text = "a\u2028b\x0bc\n" * 1000 + "the end"
    lines = Lines(StringIO(text), None)
    assert lines.start() == text[:4096]
    assert list(lines) == list(StringIO(text))


# What is lost


def test_losses_are_said_game_by_game(tmp_path: Path) -> None:
    rich = (
        game_of("d4,g7", "white", "c3,c5", rules="original", First="Ada")
        .with_variation((2,), ["a1,b1"])
        .with_comment("good", (2,))
        .with_glyphs([1], (2,))
        .end(Ending.RESIGNATION, Seat.SECOND)
    )
    plain = random_game("abstract-play-8", 1)
    path = saved(tmp_path / "games.pdd", rich, plain, rich)
    lost = "variations, comments, glyphs, the supply of tiles and bridges"
    result = invoke("convert", path, "--to", "abstract-play")
    assert (result.exit_code, result.stderr.splitlines()) == (
        0,
        [f"{path}: game 1: lost: {lost}", f"{path}: game 3: lost: {lost}"],
    )
    assert len(json.loads(result.stdout)) == 3
    result = invoke("convert", path, "--to", "abstract-play", "--strict")
    assert (result.exit_code, result.stderr.splitlines()) == (
        1,
        [f"{path}: game {number}: left out: abstract-play would lose {lost}" for number in (1, 3)],
    )
    assert list(abstract_play.iter_games(StringIO(result.stdout))) == [plain]
    for name in ("sgf", "json", "pdd"):
        assert complaints("convert", path, "--to", name, "--strict", status=0) == []


@pytest.mark.parametrize(
    ("game", "text", "lost"),
    [
        (game_of(), "size-10", ""),
        (game_of(rules="abstract-play-12"), "size-12", ""),
        (game_of("d4,g7"), "d4,g7", ""),
        (game_of("d4,g7", "white"), "pie-invoked d4,g7", ""),
        (game_of("d4,g7", "red"), "d4,g7", "the choice of red with nothing after it"),
        (game_of("d4,f6", "red", "a1,b1", "d4-f6"), "d4,f6 a1,b1 d4-f6", ""),
        (game_of("d4,g7").end(Ending.AGREEMENT), "d4,g7 draw", ""),
        (game_of("d4,g7").end(Ending.AGREEMENT, Seat.FIRST), "d4,g7", "how it ended"),
        (game_of("d4,g7").end(Ending.ADJUDICATION), "d4,g7 abandoned", ""),
        (game_of("d4,g7").end(Ending.ADJUDICATION, Seat.SECOND), "d4,g7", "how it ended"),
        (game_of("d4,g7").end(Ending.TIME, Seat.FIRST), "d4,g7 timeout", ""),
        (game_of("d4,g7").end(Ending.TIME, Seat.SECOND), "d4,g7", "how it ended"),
        (game_of("d4,g7").end(Ending.TIME), "d4,g7", "how it ended"),
        (game_of("d4,g7").end(Ending.RESIGNATION, Seat.FIRST), "d4,g7 resign", ""),
        (game_of("d4,g7", First="Ada"), "d4,g7", "the tags"),
        (game_of("d4,g7", rules="wikipedia"), "d4,g7", "the tie-breaks"),
        (game_of("d4,g7", rules="original"), "d4,g7", "the supply of tiles and bridges"),
        (game_of("d4,g7").with_comment("so"), "d4,g7", "comments"),
    ],
)
def test_lists_of_moves(tmp_path: Path, game: Game, text: str, lost: str) -> None:
    path = saved(tmp_path / "game.pdd", game)
    result = invoke("convert", path, "--to", "moves")
    assert result.stdout == f"{text}\n\n"
    assert result.stderr == (f"{path}: game 1: lost: {lost}\n" if lost else "")
    back = abstract_play.loads(result.stdout)
    if not lost:
        assert back == game
    assert back.actions[:1] == game.actions[:1]


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (
            game_of("a1,b1", rules="7x5 tiles=unlimited bridges=unlimited tiebreaks=none"),
            "no board of Abstract Play: 7x5",
        ),
        (
            game_of("a1,b1", rules="10x5 tiles=unlimited bridges=unlimited tiebreaks=none"),
            "no board of Abstract Play: 10x5",
        ),
        (
            Game.new(start=state_of("w . w . . . . ." + "\n. . . . . . . ." * 7)),
            "a list of moves starts from the empty board",
        ),
        (
            random_game("8x8 tiles=4 bridges=0 tiebreaks=none", 1),
            "not a game under the other rules: ",
        ),
    ],
)
def test_what_a_list_of_moves_cannot_tell_is_left_out(
    tmp_path: Path, three: tuple[Game, ...], game: Game, why: str
) -> None:
    path = saved(tmp_path / "games.pdd", game, three[0])
    result = invoke("convert", path, "--to", "moves")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"{path}: game 1: cannot be written as moves: {why}")
    assert abstract_play.loads(result.stdout).actions == three[0].actions


# Bad games


def test_a_bad_game_does_not_stop_the_others(tmp_path: Path, archive: Path) -> None:
    good = archive.read_text(encoding="utf-8")
    start = good.count("\n") + 1
    archive.write_text(f'{good}[Event "?"]\n\n1. a1,b1 white 2. a1,c1\n\n{good}', encoding="utf-8")
    target = tmp_path / "games.jsonl"
    result = invoke("convert", archive, "-o", target)
    assert (result.exit_code, result.stdout) == (1, f"6 games written to {target}, 1 left out.\n")
    fault = "expected a legal action: Already taken by a tile: a1."
    assert result.stderr == f"{archive}:{start + 2}:19: game 4: {fault}\n"
    assert target.read_text("utf-8").count("\n") == 6


def test_the_faults_of_all_formats_have_their_places(tmp_path: Path) -> None:
    twice = game_of("d4,g7", "white", "c3,c5")
    pages = {
        name: convert("-", "--to", name, keys=pdd.records.dumps(twice))
        for name in ROUND_TRIPS
        if name != "abstract-play"
    }
    over = twice.end(Ending.RESIGNATION, Seat.FIRST)
    report = abstract_play.dumps(over)
    pages["abstract-play"] = report
    for name, page in pages.items():
        bad = page.replace("c3,c5", "d4,c5").replace("c5,c3", "c5,d4")
        place = bad.index("d4,c5")
        line, column = bad.count("\n", 0, place) + 1, place - bad.rfind("\n", 0, place)
        above = page.count("\n")
        text = page + bad + page
        path = tmp_path / f"games{ROUND_TRIPS[name]}"
        path.write_text(text, encoding="utf-8")
        result = invoke("validate", "-q", path)
        assert result.exit_code == 1
        (fault,) = result.stdout.splitlines()
        # Reports begin their moves with a quote, and documents tell the path instead.
        where = (above + line, {"json": 1, "abstract-play": column - 1}.get(name, column))
        assert fault.startswith(f"{path}:{where[0]}:{where[1]}: game 2: expected "), fault
        assert "Already taken by a tile: d4." in fault
        (same,) = complaints("convert", path, "--to", "pdd", status=1)
        assert same == fault


def faults_in(path: Path, content: str, *options: str) -> list[str]:
    """Return what is wrong with a file, without its name."""
    path.write_text(content, encoding="utf-8")
    result = invoke("validate", "-q", *options, path)
    assert result.exit_code == (1 if result.stdout else 0)
    assert result.stderr == ""
    return [line.removeprefix(f"{path}:") for line in result.stdout.splitlines()]


def test_what_is_wrong_with_documents(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    good = pdd.json.dumps(game_of("d4,g7"))
    state = pdd.json.dumps(pdd.GameState.initial())
    assert faults_in(path, f"{good}\n{good}{good}\n\n [{good}, {good}]\n") == []
    assert faults_in(path, f"{good}\nrubbish\n  more [\n{good}\n[1, 2]\n") == [
        "2:1: game 2: expected JSON (Expecting value)",
        "5:3: game 4: expected JSON (Extra data)",
    ]
    assert faults_in(path, f'{{"format":\n\n  oops}} {good}') == [
        "3:3: game 1: expected JSON (Expecting value)"
    ]
    # A game that does not end is the only one that is lost.
    assert faults_in(path, f'{good[:-1]}\n{good}\n{good[:50]}"\n{good}\n') == [
        "2:1: game 1: expected JSON (Expecting ',' delimiter)",
        "3:51: game 3: expected JSON (Expecting ':' delimiter)",
    ]
    assert faults_in(path, f"{state}\n{{}}") == [
        "1:1: game 1: expected 'game' (kind)",
        "2:1: game 2: expected the field 'format'",
    ]
    assert faults_in(path, good.replace("d4,g7", "d4,d4")) == [
        (
            "1:1: game 1: expected a legal action: A pair needs two different cells, not d4 "
            "twice. (value.line.moves[0].action)"
        )
    ]
    for text in (f"[{good},\n", f"{good}\n]"):
        (fault,) = faults_in(path, text)
        assert fault.endswith(" game 2: expected as many ']' as '['")
    assert faults_in(path, " [ ]\n") == ["1:1: expected a game"]
    assert faults_in(path, '"a text with \\" and { in it" ' + good)[0].startswith("1:1: game 1: ")


def test_what_is_wrong_with_game_trees(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    good = sgf.dumps(game_of("d4,g7").with_comment("(;FF[4] \\ ]\n(;FF[4]\n[x"))
    assert faults_in(path, f"Dear Bo (hello),\n{good} {good}more\n\n{good}(") == []
    # The second one does not end, and another one begins.
    broken = good.rstrip()[:-1]
    assert faults_in(path, f"{good}{broken}\n{good}") == [
        f"{good.count(chr(10)) * 2 + 1}:1: game 2: expected ';', '(' or ')'"
    ]
    assert faults_in(path, "(;FF[4]PD[d4,g7") == ["1:10: game 1: expected ']' to end the value"]
    assert faults_in(path, "no (game) here") == ["1:1: expected a game"]


def test_lists_of_moves_are_divided_by_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    assert faults_in(path, "\n\nd4,g7\nc3,c5\n \n\n\nd4,g7 red\n") == []
    assert faults_in(path, "d4,g7\n\nc3,c5\nc3,d5\n\nd4,g7") == [
        "4:1: game 2: expected a legal action: Already taken by a tile: c3."
    ]
    assert faults_in(path, "") == ["1:1: expected a game"]
    assert faults_in(path, "d4,g7 white\n1", "--from", "pdd") == [
        "2:1: game 1: expected turn number 2"
    ]


def test_validate_counts_in_every_format(tmp_path: Path, archive: Path) -> None:
    target = tmp_path / "games.sgf"
    convert(archive, "-o", target)
    lines = invoke(
        "validate", target, DATA / "boardspace" / "old.sgf", "--ascii"
    ).stdout.splitlines()
    assert lines[2].split() == [str(target), "|", "3", "|", "0", "|", "good"]
    assert lines[-1] == "4 good games, 0 bad, in 2 files, 0 unreadable."


# Files of any length


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_all_formats_are_read_game_by_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    page = convert(
        "-", "--to", name, keys=pdd.records.dumps(game_of("d4,g7").end(Ending.AGREEMENT))
    )
    path = tmp_path / f"games{ROUND_TRIPS[name]}"
    # A list in one line has no line ends to go by.
    text = (
        f"[{','.join([page.replace(chr(10), ' ')] * 50)}]" if name == "abstract-play" else page * 50
    )
    path.write_text(text, encoding="utf-8")
    # Far more than one game may have, in a file that is fine all the same.
    monkeypatch.setattr("pontedeldiavolo.cli.sources.LIMIT", len(page) + 150)
    monkeypatch.setattr("pontedeldiavolo.records.lines.START", 100)
    monkeypatch.setattr("pontedeldiavolo.records.splitting.LONGEST", 100)
    assert invoke("validate", path).stdout.splitlines()[-1].startswith("50 good games, 0 bad")
    monkeypatch.setattr("pontedeldiavolo.cli.sources.LIMIT", len(page) - 10)
    (message,) = complaints("convert", path, "--to", "pdd", status=2)
    assert message.startswith(f"Error: {path}:")
    assert message.endswith(" characters without an end of the record")


@pytest.mark.parametrize("suffix", [".pdd", ".json", ".sgf", ".txt"])
@pytest.mark.parametrize("begins", ["", '{"', "(;FF[4]C[", "{", "x"])
def test_files_without_end(tmp_path: Path, suffix: str, begins: str) -> None:
    path = tmp_path / f"huge{suffix}"
    with path.open("wb") as file:
        file.write(begins.encode())
        # Bytes that take no room on most disks, and are not read to the end.
        file.truncate(1 << 28)
    message = f"{path}:1: more than {LIMIT:,} characters without an end of the record"
    assert complaints("validate", "-q", path, status=2) == [f"Error: {message}"]


@settings(max_examples=40)
@given(st.lists(annotated_games(), min_size=1, max_size=3), st.sampled_from((1, 2, 7, 1 << 16)))
def test_pieces_do_not_depend_on_how_they_are_read(games: list[Game], longest: int) -> None:
    pages = {
        "sgf": (splitting.SGF, "\n".join(map(sgf.dumps, games))),
        "json": (splitting.JSON, f"[{','.join(map(pdd.json.dumps, games))}]"),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splitting, "LONGEST", longest)
        for brackets, page in pages.values():
            pieces = list(splitting.games(Lines(StringIO(page), None), brackets))
            assert len(pieces) == len(games)
            for piece in pieces:
                assert isinstance(piece, splitting.Piece)
                lines = page.split("\n")[piece.line - 1 :]
                assert "\n".join(lines)[piece.column - 1 :].startswith(piece.text)
        found = [
            sgf.loads(piece.text)
            for piece in splitting.games(Lines(StringIO(pages["sgf"][1]), None), splitting.SGF)
            if isinstance(piece, splitting.Piece)
        ]
    assert found == games


# Hostile input


@pytest.mark.parametrize("name", [*ROUND_TRIPS, "boardspace"])
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \n\t\r\n",
        b"\x00\x01\x02",
        b"[" * 5000,
        b"{" * 5000,
        b"(;" * 5000,
        b"(;A[" * 5000,
        b"]})" * 5000,
        b'{"header":' * 5000,
        b'{"format":"' * 5000,
        b"\\" * 5001,
        b'{"\\',
        b"(;C[\\",
        b"9" * 5000,
        b'[{"header": 1, "moves": 2}, null, {"format": [[]]}]',
        b"(;GM[PonteDelDiavolo]P0[1 start P0];P0[2 pickb z 99])",
        b"<html><body class='a'>",
        "(;FF[4]PW[\u202e\x1b[31m]PD[a1,a1])".encode(),
    ],
)
def test_hostile_content_gives_lines_and_a_status(
    tmp_path: Path, name: str, content: bytes
) -> None:
    path = tmp_path / "ho\x1bstile"
    path.write_bytes(content)
    result = invoke("convert", "--from", name, "--to", "pdd", path)
    assert (result.exit_code, result.stdout) == (1, "")
    shown = str(path).replace("\x1b", r"\x1b")
    for line in result.stderr.splitlines():
        assert line.startswith(f"{shown}:")
        assert " expected " in line
        assert line.isprintable()
        assert len(line) < 500
    again = complaints("convert", "--from", name, "--to", "pdd", "-", keys=content, status=1)
    assert [line.replace("standard input", shown) for line in again] == result.stderr.splitlines()


@pytest.mark.parametrize("suffix", [".pdd", ".json", ".jsonl", ".txt"])
def test_bytes_that_are_not_text(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"binary{suffix}"
    path.write_bytes(b"\n\n\xff\xfe")
    assert complaints("convert", path, "--to", "pdd", status=2) == [
        f"Error: {path}:3: not UTF-8 text"
    ]


def test_game_trees_may_be_in_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "latin.sgf"
    path.write_bytes("(;FF[4]PW[Zo\xeb]\nPC[K\xf6ln])\n".encode("latin-1") * 2)
    assert [game.tags for game in records_in(Path(_converted(path)))] == [
        {"Site": "Köln", "First": "Zoë"},
        {"Site": "Köln", "First": "Zoë"},
    ]
    path.write_bytes("(;FF[4]PW[Zoë]\nPC[Köln])".encode())
    assert [game.tags["First"] for game in records_in(Path(_converted(path)))] == ["Zoë"]


def _converted(path: Path) -> Path:
    target = path.with_suffix(".pdd")
    invoke("convert", path, "--force", "-o", target)
    return target


def test_unreadable_files_do_not_stop_the_others(tmp_path: Path, archive: Path) -> None:
    missing, target = tmp_path / "no\x1bwhere.sgf", tmp_path / "games.sgf"
    result = invoke("convert", missing, tmp_path, archive, "-o", target)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"Error: {tmp_path}/no\\x1bwhere.sgf: no such file or directory",
        f"Error: {tmp_path}: is a directory",
    ]
    assert result.stdout == f"3 games written to {target}, 0 left out.\n"
    lines = invoke("validate", missing, target, "-q")
    assert (lines.exit_code, lines.stdout) == (2, "")


def test_formats_that_need_more_say_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, archive: Path
) -> None:
    target = tmp_path / "games.jsonl"
    convert(archive, "-o", target)
    for name in [name for name in sys.modules if name.startswith("pontedeldiavolo.json")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cattrs", None)
    message = "pontedeldiavolo.json needs cattrs: pip install 'pontedeldiavolo[json]'"
    before = target.read_text("utf-8")
    commands: tuple[tuple[str | Path, ...], ...] = (
        ("convert", target, "--to", "pdd"),
        ("convert", archive, "--to", "json"),
        ("convert", archive, "--force", "-o", target),
        ("validate", "-q", target),
        ("stats", target),
    )
    for command in commands:
        assert complaints(*command, status=2) == [f"Error: {message}"]
    assert target.read_text("utf-8") == before
    assert convert(archive, "--to", "pdd") == archive.read_text("utf-8")


# Where the output goes


def test_an_output_is_never_an_input(tmp_path: Path, archive: Path) -> None:
    before = archive.read_bytes()
    link, hard = tmp_path / "link.pdd", tmp_path / "hard.pdd"
    link.symlink_to(archive)
    hard.hardlink_to(archive)
    for target in (archive, link, hard):
        for options in ([], ["--force"]):
            assert complaints(
                "convert", tmp_path / "x", archive, *options, "-o", target, status=2
            ) == [f"Error: {target}: is an input, and is not written over"]
    assert archive.read_bytes() == before


def test_an_output_that_exists_is_replaced_by_force_alone(tmp_path: Path, archive: Path) -> None:
    target, link = tmp_path / "old.sgf", tmp_path / "link.sgf"
    target.write_text("precious")
    target.chmod(0o600)
    link.symlink_to(target)
    for name in (target, link):
        assert complaints("convert", archive, "-o", name, status=2) == [
            f"Error: {name}: exists already; --force replaces it"
        ]
    assert target.read_text() == "precious"
    convert(archive, "-o", link, "--force")
    assert link.is_symlink()
    assert target.read_text().startswith("(;FF[4]")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_only_files_are_replaced(tmp_path: Path, archive: Path, force: list[str]) -> None:
    queue = tmp_path / "queue.pdd"
    os.mkfifo(queue)
    for target in (tmp_path, queue, Path(os.devnull)):
        assert complaints("convert", archive, "--to", "pdd", *force, "-o", target, status=2) == [
            f"Error: {target}: is no file that could be replaced"
        ]


def test_an_output_that_cannot_be_made(tmp_path: Path, archive: Path) -> None:
    for target, why in (
        (tmp_path / "no" / "where.pdd", "no such file or directory"),
        (archive / "where.pdd", "not a directory"),
        (tmp_path / f"{'x' * 300}.pdd", "file name too long"),
    ):
        assert complaints("convert", archive, "-o", target, status=2) == [f"Error: {target}: {why}"]


def test_nothing_is_left_behind(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "bad.sgf"
    bad = tmp_path / "bad.pdd"
    bad.write_text("1. a1")
    result = invoke("convert", bad, "-o", target)
    assert (result.exit_code, result.stdout) == (1, "Nothing written, 1 left out.\n")
    assert sorted(tmp_path.iterdir()) == [bad, archive]

    def interrupted(*_: object) -> Iterator[object]:
        yield from entries(str(archive), None, lambda _amount: None)
        assert len(list(tmp_path.iterdir())) == 3
        raise KeyboardInterrupt

    monkeypatch.setattr(convert_module, "entries", interrupted)
    assert invoke("convert", archive, "-o", target).exit_code == 1
    assert sorted(tmp_path.iterdir()) == [bad, archive]


def test_an_output_that_appears_meanwhile_is_kept(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "games.sgf"

    def meanwhile(*_: object) -> Iterator[object]:
        target.write_text("precious")
        yield from entries(str(archive), None, lambda _amount: None)

    monkeypatch.setattr(convert_module, "entries", meanwhile)
    assert complaints("convert", archive, "-o", target, status=2) == [
        f"Error: {target}: exists by now; --force replaces it"
    ]
    assert target.read_text() == "precious"
    assert sorted(tmp_path.iterdir()) == [archive, target]


@pytest.mark.parametrize("method", ["write", "flush", "replace"])
def test_a_full_disk(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    target = tmp_path / "games.sgf"

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if method == "replace":
        monkeypatch.setattr(Path, "replace", fail)
    else:
        opening = Path.open

        def opened_badly(path: Path, *arguments: str, **options: str) -> object:
            file = opening(path, *arguments, **options)  # type: ignore[call-overload]  # whatever it takes
            if path.suffix == ".tmp":
                monkeypatch.setattr(file, method, fail, raising=True)
            return file

        monkeypatch.setattr(Path, "open", opened_badly)
    assert complaints("convert", archive, "-o", target, status=2) == [
        f"Error: {target}: no space left on device"
    ]
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == [archive]


def test_standard_output_is_utf_8_whatever_the_terminal_takes(tmp_path: Path) -> None:
    path = saved(tmp_path / "game.pdd", game_of("d4,g7", First="Zoë ♟"))
    result = invoke("convert", path, "--to", "pdd", charset="ascii")
    assert result.stdout_bytes == path.read_bytes()


def test_a_bar_shows_the_progress_on_terminals(tmp_path: Path, archive: Path) -> None:
    target = tmp_path / "games.sgf"
    bad = tmp_path / "bad.pdd"
    bad.write_text("1. a1")
    result = invoke("convert", archive, bad, "-o", target, env=TERMINAL)
    assert "converting" in result.stdout
    assert result.stderr == f"{bad}:1:6: game 1: expected ',' or '-'\n"
    assert "3 games written" in result.stdout
    result = invoke("convert", archive, "--to", "pdd", env=TERMINAL)
    assert result.stdout == archive.read_text("utf-8")


# The real thing


def run(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    words = [sys.executable, "-m", "pontedeldiavolo", *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1"}
    return subprocess.run(words, env=env, check=False, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload, no-any-return]  # whatever it takes


def test_a_file_is_not_added_to_itself(archive: Path) -> None:
    before = archive.read_bytes()
    with archive.open("ab") as file:
        done = run("convert", archive, "--to", "pdd", stdout=file)
    assert (done.returncode, done.stderr) == (
        2,
        b"Error: standard output: is an input, and is not written over\n",
    )
    with archive.open("rb") as file:
        done = run("convert", "-", "--force", "-o", archive, stdin=file)
    assert (done.returncode, done.stderr) == (
        2,
        f"Error: {archive}: is an input, and is not written over\n".encode(),
    )
    assert archive.read_bytes() == before


def test_through_pipes(archive: Path) -> None:
    with archive.open("rb") as file:
        done = run("convert", "-", "--to", "sgf", stdin=file, stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")
    done = run("convert", "-", "--to", "pdd", input=done.stdout, stdout=subprocess.PIPE)
    assert done.stdout == archive.read_bytes()
    with Path(os.devnull).open("wb") as file:
        assert run("convert", archive, "--to", "pdd", stdout=file).returncode == 0
