"""``convert``: all pairs of formats, detection of formats, losses and errors."""

from __future__ import annotations

import json
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Game, Seat
from pontedeldiavolo.base.file_formats import FILE_FORMATS
from pontedeldiavolo.cli.arguments import MAX_CHARACTERS, Input
from pontedeldiavolo.records import Format, abstract_play, sgf, splitting
from support.commands import ROUND_TRIPS, complaints, convert, invoke, records_in, saved
from support.diagrams import state_of
from support.games import game_of, random_game
from support.paths import STORED
from support.samples import BAD, page
from support.trees import annotated_games


@pytest.fixture(scope="module")
def three() -> tuple[Game, ...]:
    return tuple(random_game("abstract-play-8", seed) for seed in range(3))


@pytest.fixture
def archive(tmp_path: Path, three: tuple[Game, ...]) -> Path:
    return saved(tmp_path / "games.pdd", *three)


# Each format is written and read twice.
@pytest.mark.parametrize(("source", "target"), [*pairwise([*ROUND_TRIPS, "pdd", "moves", "json"])])
def test_every_format_is_converted(
    tmp_path: Path, archive: Path, three: tuple[Game, ...], source: str, target: str
) -> None:
    one = tmp_path / f"one{ROUND_TRIPS[source]}"
    two = tmp_path / f"two{ROUND_TRIPS[target].upper()}"
    back = tmp_path / "back.pdd"
    # Two formats share a suffix, so the format to write must be given, but not the one to read.
    assert convert(archive, "-o", one, "--to", source) == f"3 games written to {one}, 0 left out.\n"
    convert(one, "-o", two, "--to", target)
    convert(two, "-o", back)
    assert [game.line for game in records_in(back)] == [game.line for game in three]
    assert invoke("validate", one, two).stdout.splitlines()[-1].startswith("6 good games, 0 bad")
    piped = convert("-", "--from", source, "--to", target, keys=one.read_bytes())
    assert piped == two.read_text(encoding="utf-8")


def test_trees_and_notes_are_kept_where_they_can_be(tmp_path: Path) -> None:
    path = STORED / "sgf" / "annotated.sgf"
    told = STORED / "sgf" / "annotated.pdd"
    assert convert(path, "--to", "pdd").strip() == told.read_text(encoding="utf-8").strip()
    convert(path, "-o", tmp_path / "one.json")
    assert convert(tmp_path / "one.json", "--to", "pdd").strip() == told.read_text("utf-8").strip()


def test_a_json_file_is_valid_json(tmp_path: Path, archive: Path) -> None:
    several = tmp_path / "several.json"
    one = saved(tmp_path / "one.pdd", random_game("abstract-play-8", 7))
    convert(one, "--to", "abstract-play", "-o", several)
    assert json.loads(several.read_text("utf-8")).keys() == {"header", "moves"}
    convert(archive, "--to", "abstract-play", "--force", "-o", several)
    reports = json.loads(several.read_text("utf-8"))
    assert len(reports) == 3
    lines = tmp_path / "lines.jsonl"
    convert(archive, "--to", "abstract-play", "-o", lines)
    assert [json.loads(line) for line in lines.read_text("utf-8").splitlines()] == reports
    assert convert(lines, "--to", "pdd") == convert(several, "--to", "pdd")


def test_many_inputs_one_output(tmp_path: Path, archive: Path, three: tuple[Game, ...]) -> None:
    document = tmp_path / "one.json"
    convert(saved(tmp_path / "one.pdd", three[0]), "-o", document)
    keys = pdd.records.dumps(three[1])
    result = invoke("convert", archive, document, "-", "--to", "pdd", keys=keys)
    assert result.exit_code == 0
    texts = [pdd.records.dumps(game) for game in (*three, three[0], three[1])]
    assert result.stdout == "".join(f"{text}\n" for text in texts)


def test_a_format_is_written_under_any_suffix(archive: Path, tmp_path: Path) -> None:
    convert(archive, "--to", "sgf", "-o", tmp_path / "games.xyz")
    assert (tmp_path / "games.xyz").read_text("utf-8").startswith("(;FF[4]")


def test_help_has_a_line_for_every_format() -> None:
    for command in ("convert", "validate", "stats"):
        lines = [line.split() for line in invoke(command, "--help").stdout.splitlines()]
        for form in Format:
            files = FILE_FORMATS[form.value]
            suffixes = ", ".join(files.suffixes).split()
            assert [form.value, *suffixes, *files.description.split()] in lines


def test_unsupported_parts_are_listed_by_game(tmp_path: Path) -> None:
    rich = (
        game_of("d4,g7", "white", "c3,c5", rules="original", First="Ada")
        .with_variation((2,), ["a1,b1"])
        .with_comment("good", (2,))
        .with_nags([1], (2,))
        .end(Ending.RESIGNATION, Seat.SECOND)
    )
    plain = random_game("abstract-play-8", 1)
    path = saved(tmp_path / "games.pdd", rich, plain, rich)
    lost = "variations, comments, NAGs, the supply of tiles and bridges"
    result = invoke("convert", path, "--to", "abstract-play")
    said = "".join(f"{path}: game {number}: lost: {lost}\n" for number in (1, 3))
    assert (result.exit_code, result.stderr) == (0, said)
    assert len(json.loads(result.stdout)) == 3
    result = invoke("convert", path, "--to", "abstract-play", "--strict")
    said = said.replace(": lost:", ": left out: abstract-play would lose")
    assert (result.exit_code, result.stderr) == (1, said)
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


FREE = "tiles=unlimited bridges=unlimited tiebreaks=none"
STARTED = Game.new(start=state_of("w . w . . . . ." + "\n. . . . . . . ." * 7))
FEW = random_game("8x8 tiles=4 bridges=0 tiebreaks=none", 1)


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (game_of("a1,b1", rules=f"7x5 {FREE}"), "no board of Abstract Play: 7x5"),
        (game_of("a1,b1", rules=f"10x5 {FREE}"), "no board of Abstract Play: 10x5"),
        (STARTED, "a list of moves starts from the empty board"),
        (FEW, "not a game under the other rules: "),
    ],
)
def test_games_that_lists_of_moves_cannot_hold_are_left_out(
    tmp_path: Path, three: tuple[Game, ...], game: Game, why: str
) -> None:
    path = saved(tmp_path / "games.pdd", game, three[0])
    result = invoke("convert", path, "--to", "moves")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"{path}: game 1: cannot be written as moves: {why}")
    assert abstract_play.loads(result.stdout).actions == three[0].actions


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


def faults_in(path: Path, content: str, *options: str) -> list[str]:
    """Return the errors of a file, without its name."""
    path.write_text(content, encoding="utf-8")
    result = invoke("validate", "-q", *options, path)
    assert result.exit_code == (1 if result.stdout else 0)
    assert result.stderr == ""
    return [line.removeprefix(f"{path}:") for line in result.stdout.splitlines()]


def test_faults_of_documents(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    good = pdd.json.dumps(game_of("d4,g7"))
    state = pdd.json.dumps(pdd.GameState.initial())
    assert faults_in(path, f"{good}\n{good}{good}\n\n [{good}, {good}]\n") == []
    assert faults_in(path, f"{good}\nrubbish\n  more [\n{good}\n[1, 2]\n") == [
        "2:1: game 2: expected JSON (Expecting value)",
        "5:3: game 4: expected JSON (Extra data)",
    ]
    # Only the game that does not end is lost.
    assert faults_in(path, f'{good[:-1]}\n{good}\n{good[:50]}"\n{good}\n') == [
        "2:1: game 1: expected JSON (Expecting ',' delimiter)",
        "3:51: game 3: expected JSON (Expecting ':' delimiter)",
    ]
    assert faults_in(path, f"{state}\n{{}}") == [
        "1:1: game 1: expected 'game' (kind)",
        "2:1: game 2: expected the field 'format'",
    ]
    assert faults_in(path, f"{good}\n]")[0].endswith(" game 2: expected as many ']' as '['")
    assert faults_in(path, " [ ]\n") == ["1:1: expected a game"]
    assert faults_in(path, '"a text with \\" and { in it" ' + good)[0].startswith("1:1: game 1: ")


def test_faults_of_game_trees(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    good = sgf.dumps(game_of("d4,g7").with_comment("(;FF[4] \\ ]\n(;FF[4]\n[x"))
    assert faults_in(path, f"Dear Bo (hello),\n{good} {good}more\n\n{good}(") == []
    # The second game does not end before another one begins.
    broken = good.rstrip()[:-1]
    (fault,) = faults_in(path, f"{good}{broken}\n{good}")
    assert fault == f"{good.count(chr(10)) * 2 + 1}:1: game 2: expected ';', '(' or ')'"
    assert faults_in(path, "no (game) here") == ["1:1: game 1: expected a game tree"]


def test_lists_of_moves_are_divided_by_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    assert faults_in(path, "\n\nd4,g7\nc3,c5\n \n\n\nd4,g7 red\n") == []
    (fault,) = faults_in(path, "d4,g7\n\nc3,c5\nc3,d5\n\nd4,g7")
    assert fault == "4:1: game 2: expected a legal action: Already taken by a tile: c3."
    assert faults_in(path, "") == ["1:1: expected a game"]
    (fault,) = faults_in(path, "d4,g7 white\n1", "--from", "pdd")
    assert fault == "2:1: game 1: expected turn number 2"


def test_peeking_does_not_consume_the_source() -> None:
    text = "a\u2028b\x0bc\n" * 1000 + "the end"
    lines = Input(StringIO(text), None)
    assert lines.peek_beginning() == text[:4096]
    assert list(lines) == list(StringIO(text))


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_games_come_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    game = game_of("d4,g7").end(Ending.AGREEMENT)
    page = convert("-", "--to", name, keys=pdd.records.dumps(game))
    path = tmp_path / f"games{ROUND_TRIPS[name]}"
    # In a list on one line, no line end separates games.
    text = (
        f"[{','.join([page.replace(chr(10), ' ')] * 50)}]" if name == "abstract-play" else page * 50
    )
    path.write_text(text, encoding="utf-8")
    # The file has many more characters than one game may have, and is valid.
    monkeypatch.setattr("pontedeldiavolo.cli.arguments.MAX_CHARACTERS", len(page) + 150)
    monkeypatch.setattr("pontedeldiavolo.records.reading.DETECTION_CHARACTERS", 100)
    monkeypatch.setattr("pontedeldiavolo.records.splitting.CHUNK_CHARACTERS", 100)
    assert invoke("validate", path).stdout.splitlines()[-1].startswith("50 good games, 0 bad")
    monkeypatch.setattr("pontedeldiavolo.cli.arguments.MAX_CHARACTERS", len(page) - 10)
    (message,) = complaints("convert", path, "--to", "pdd", status=2)
    assert message.startswith(f"Error: {path}:")
    assert message.endswith(" characters without an end of the record")


@pytest.mark.parametrize("suffix", [".pdd", ".json", ".sgf", ".txt"])
@pytest.mark.parametrize("begins", ["", '{"', "(;FF[4]C[", "{", "x"])
def test_files_without_end(tmp_path: Path, suffix: str, begins: str) -> None:
    path = tmp_path / f"huge{suffix}"
    with path.open("wb") as file:
        file.write(begins.encode())
        # These bytes take no space on most disks, and are not read to the end.
        file.truncate(1 << 28)
    if (suffix, begins) == (".sgf", '{"'):
        # A file with this beginning has no game trees, so the reader looks for none.
        done = invoke("validate", "-q", path)
        assert done.exit_code == 1
        assert done.output.splitlines()[0] == f"{path}:1:1: game 1: expected a game tree"
        return
    message = f"{path}:1: more than {MAX_CHARACTERS:,} characters without an end of the record"
    assert complaints("validate", "-q", path, status=2) == [f"Error: {message}"]


@settings(max_examples=10)
@given(st.lists(annotated_games(), min_size=1, max_size=3), st.sampled_from((1, 2, 7, 1 << 16)))
def test_pieces_do_not_depend_on_how_they_are_read(games: list[Game], longest: int) -> None:
    for form in (Format.SGF, Format.JSON):
        octets = page(form, games) + BAD[form].strip().encode() * 2
        wanted = [*map(str, pdd.records.read(octets, format=form))]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(splitting, "CHUNK_CHARACTERS", longest)
            found = [*pdd.records.read(octets, format=form)]
        assert found[:-2] == games
        assert [*map(str, found)] == wanted
