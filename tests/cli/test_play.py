"""``play``: against a random player, against a person, and the files to which games are added."""

from __future__ import annotations

import builtins
import io
import os
import signal
import subprocess
import sys
import time
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import Result

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Game, Seat, players
from pontedeldiavolo.cli.play import _Session
from pontedeldiavolo.records.reading import value_of
from support.commands import invoke, lines_of, refusal
from support.games import SMALL
from support.paths import SOURCE, TESTS
from support.processes import PATIENCE


def play(*arguments: str | Path, keys: str | bytes = "", **options: Any) -> Result:
    result = invoke("play", *arguments, keys=keys, **options)
    assert result.exit_code == 0, result.output
    return result


def test_play_against_chance_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "played.pdd"
    for seat in Seat:
        rules = pdd.parse_rules(SMALL)
        rng = Random(5)
        # The same seed gives the same opponent, so that the game can be prepared here.
        game = Game.new(rules)
        chance = Random(7)
        typed = []
        while game.ending is None:
            if game.state.seat_to_move is seat:
                action = game.state.legal_actions.sample(rng)
                typed.append(pdd.format_action(action))
            else:
                action = game.state.legal_actions.sample(chance)
            game = game.play(action)
        options = ("--rules", SMALL, "--seed", "7", "--seat", seat.value, "--save", path)
        result = play(*options, keys="\n".join(typed))
        assert result.stdout.splitlines()[-1] == f"The record is in {path}."
        assert "is a draw" in result.stdout or " wins " in result.stdout
        with path.open(encoding="utf-8") as file:
            *_, saved = pdd.records.iter_games(file)
        assert saved.actions == game.actions
        assert saved.tags[seat.value.capitalize()] == "Person"
        assert saved.tags[seat.opponent.value.capitalize()] == "Random (seed 7)"
    assert lines_of(invoke("validate", path))[-1].startswith("2 good games, 0 bad")


def test_play_against_a_player_of_the_library(tmp_path: Path) -> None:
    path = tmp_path / "played.pdd"
    keys = "a1,b2\n" * 2
    play("--opponent", "greedy", "--rules", SMALL, "--seed", "7", "--save", path, keys=keys)
    game = pdd.records.loads(path.read_text(encoding="utf-8"))
    assert game.tags == {"First": "Person", "Second": "Greedy (seed 7)"}
    player = players.GreedyPlayer(7)
    for state, action in zip(game.states(), game.actions, strict=False):
        if state.seat_to_move is Seat.SECOND:
            assert player.choose(state) == action


@pytest.mark.usefixtures("thinker")
def test_play_with_options_of_players(tmp_path: Path) -> None:
    path = tmp_path / "played.pdd"
    rules = ("--rules", "3x3 " + SMALL[4:])
    play("--opponent", "thinker", "--simulations", "3", *rules, "--save", path, "--seed", "1")
    game = pdd.records.loads(path.read_text(encoding="utf-8"))
    assert game.tags["Second"] == "Playouts 3 (seed 1)"


def test_play_draws_its_own_seed(tmp_path: Path) -> None:
    tags = []
    for name in ("one.pdd", "two.pdd"):
        path = tmp_path / name
        play("--save", path, keys="d4,g7\nquit\n")
        tags.append(pdd.records.loads(path.read_text(encoding="utf-8")).tags["Second"])
    assert tags[0].startswith("Random (seed ")
    assert tags[0] != tags[1]


def test_play_with_two_people(tmp_path: Path) -> None:
    path = tmp_path / "two.pdd"
    result = play("--opponent", "person", "--save", path, keys="d4,g7\nwhite\na1,b1\nresign\n")
    ends = ["Red (player 1) wins by resignation.", f"The record is in {path}."]
    assert result.stdout.splitlines()[-2:] == ends
    assert [prompt in result.stdout for prompt in ("white> ", "player 2> ", "red> ")] == [True] * 3
    game = pdd.records.loads(path.read_text(encoding="utf-8"))
    assert game.ending is Ending.RESIGNATION
    assert game.winning_seat is Seat.FIRST
    assert game.tags == {}


def test_play_explains_every_refusal() -> None:
    keys = "a1,b1\nred\na1,z9\nd4\nfly away\npass\n"
    lines = play("--opponent", "person", "--rules", SMALL, keys=keys).stdout.splitlines()
    start = lines.index("red> Not legal:")
    hint = "Type help for what can be typed."
    wanted = "expected a cell, 'white', 'red' or 'pass' at offset 0 of 'fly away'."
    assert lines[start : start + 7] == [
        "red> Not legal:",
        "  Off the 4×4 board: z9.",
        "  Already taken by a tile: a1.",
        f"red> Not understood: expected ',' or '-' at offset 2 of 'd4'. {hint}",
        f"red> Not understood: {wanted} {hint}",
        "red> Not legal:",
        "  Passing is not allowed while a legal pair of tiles exists.",
    ]


def test_play_helps_and_informs() -> None:
    keys = "help\n?\n\nboard\nscore\nmoves\nmoves c3\nmoves d9\nmoves x\n"
    result = play("--opponent", "person", "--rules", SMALL, keys=f"a1,c1\nred\n{keys}")
    text = result.stdout
    assert text.count("  resign      give up") == 3
    assert text.count("░○░  ·  ░○░") == 2
    assert "White (player 1): 0 points, 0 islands, 0 bridges" in text
    assert "91 legal actions in all." in text
    assert "  ... and 81 more" in text
    assert "With a tile on c3, the other on: b1 d1 a2 " in text
    assert "Nothing is legal with d9:\n  Off the 4×4 board: d9.\n" in text
    assert "Not understood: expected a row from 1 to 4 at offset 1 of 'x'." in text


def test_play_lists_the_bridges_of_a_cell() -> None:
    keys = "a1,c1\nred\nb3,d3\nmoves a1\n"
    text = play("--opponent", "person", "--rules", SMALL, keys=keys).stdout
    assert "Bridges from a1: a1-c1" in text
    assert "With a tile on a1" not in text


def test_play_takes_back() -> None:
    text = play("--seed", "1", keys="undo\nd4,g7\nundo\na1,b1\n").stdout
    assert "There is nothing to undo." in text
    assert "Undone: 2 actions." in text or "Undone: 3 actions." in text
    assert text.count("Turn 1: White placed tiles on ") == 2
    text = play("--opponent", "person", keys="d4,g7\nundo\nundo\n").stdout
    assert "Undone: 1 action." in text
    assert "There is nothing to undo." in text


@pytest.mark.parametrize("keys", ["", "d4,g7\n", "quit\n", " Exit \n", b"d4,g7\n\xff\n", b"\xff"])
def test_play_ends_with_its_input(tmp_path: Path, keys: str | bytes) -> None:
    path = tmp_path / "unfinished.pdd"
    lines = play("--opponent", "person", "--save", path, keys=keys).stdout.splitlines()
    assert lines[-2].endswith("The game stops here, unfinished.")
    assert lines[-1] == f"The record is in {path}."
    game = pdd.records.loads(path.read_text(encoding="utf-8"))
    assert game.result == "*"
    assert len(game.actions) <= 1


def test_play_saves_when_it_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: Iterator[str | type[BaseException]] = iter(["d4,g7", KeyboardInterrupt])

    def answer(prompt: str) -> str:
        del prompt
        given = next(answers)
        if isinstance(given, str):
            return given
        raise given

    monkeypatch.setattr(builtins, "input", answer)
    path = tmp_path / "interrupted.pdd"
    result = play("--opponent", "person", "--save", path)
    assert "The game stops here, unfinished." in result.stdout
    assert len(pdd.records.loads(path.read_text(encoding="utf-8")).actions) == 1


def test_play_saves_when_it_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(prompt: str) -> str:
        raise BrokenPipeError(32, prompt)

    monkeypatch.setattr(builtins, "input", fail)
    path = tmp_path / "failed.pdd"
    assert invoke("play", "--save", path).exit_code == 1
    assert pdd.records.loads(path.read_text(encoding="utf-8")).actions == ()


GAME = pdd.Game.new(tags={"First": "Ada"}).play("d4,g7").play("red").resign(pdd.Seat.FIRST)
RECORD = pdd.records.dumps(GAME).encode()
FORMATS = pdd.records.Format

ENCODING = "a record can only be added to UTF-8 text, and this file is not"
FORMAT = "a record cannot be added to a file of the format {}"
TEXT = "a record cannot be added, because the file contains something other than records: "


def written_as(format_: pdd.records.Format) -> bytes:
    file = io.StringIO()
    pdd.records.write([GAME], file, format=format_)
    return file.getvalue().encode()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (written_as(FORMATS.JSON), FORMAT.format("json")),
        (written_as(FORMATS.JSON) * 2, FORMAT.format("json")),
        (written_as(FORMATS.ABSTRACT_PLAY), FORMAT.format("abstract-play")),
        (written_as(FORMATS.SGF), FORMAT.format("sgf")),
        (b"(;GM[PonteDelDiavolo]P0[1 start P0])", FORMAT.format("boardspace")),
        (b"size-8\nd4,g7\n", FORMAT.format("moves")),
        (RECORD.decode().encode("utf-16"), ENCODING),
        (RECORD.decode().encode("utf-16-le"), ENCODING),
        (RECORD.decode().encode("utf-32"), ENCODING),
        (RECORD + '[Event "Café"]'.encode("latin-1"), ENCODING),
        (RECORD + "é".encode()[:1], ENCODING),
        (b"Dear Bo,\n", TEXT),
        (b'{"name": "Bo"}\n', TEXT),
        (b"[1, 2, 3]\n", TEXT),
        (b"\x89PNG\r\n", ENCODING),
    ],
)
@pytest.mark.parametrize("suffix", [".pdd", ".json", ".txt", ""])
def test_a_record_breaks_no_file(tmp_path: Path, content: bytes, why: str, suffix: str) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_bytes(content)
    said = refusal(invoke("play", "--opponent", "person", "--save", path, keys="d4,g7\n"), 2)
    assert said.startswith(f"{path}: {why}")
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("content", "good", "bad"),
    [
        (b"", 1, 0),
        (b" \n\n", 1, 0),
        (RECORD, 2, 0),
        (BOM_UTF8 + RECORD, 2, 0),
        (BOM_UTF8, 1, 0),
        (RECORD.replace(b"\n", b"\r\n"), 2, 0),
        (RECORD.rstrip(), 2, 0),
        (b"1. a1,b1 *", 2, 0),
        (b"\n\n; a comment\n1. a1,b1 *", 2, 0),
        (RECORD + b'\n[Round "2"]\n1. a1,b1 {a comment without an end', 2, 1),
        (b'[First "Ada"]\n1. a1,a1 *', 1, 1),
    ],
)
def test_a_record_is_added_to_others(tmp_path: Path, content: bytes, good: int, bad: int) -> None:
    path = tmp_path / "games.pdd"
    path.write_bytes(content)
    played = invoke("play", "--opponent", "person", "--save", path, keys="d4,g7\n")
    assert (played.exit_code, path.read_bytes().startswith(content)) == (0, True)
    assert content != RECORD.rstrip() or path.read_bytes().startswith(content + b"\n\n[Rules")
    lines = lines_of(invoke("validate", path), 1 if bad else 0)
    assert lines[-1].startswith(f"{good} good game{'s' * (good > 1)}, {bad} bad")


@pytest.mark.parametrize(
    ("suffix", "format_", "games"),
    [
        (".pdd", FORMATS.PDD, 2),
        ("", FORMATS.PDD, 2),
        (".sgf", FORMATS.SGF, 2),
        (".SGF", FORMATS.SGF, 2),
        (".jsonl", FORMATS.JSON, 2),
        (".json", FORMATS.JSON, 1),
    ],
)
def test_the_suffix_decides_on_the_format(
    tmp_path: Path, suffix: str, format_: pdd.records.Format, games: int
) -> None:
    path = tmp_path / f"new{suffix}"
    for number in range(1, 3):
        played = invoke("play", "--opponent", "person", "--save", path, keys="d4,g7\n")
        if number > games:
            # A JSON document cannot be added to a file.
            assert refusal(played, 2).startswith(f"{path}: {FORMAT.format('json')}")
        else:
            assert played.exit_code == 0, played.output
    assert pdd.records.detect(path.read_bytes()) is format_
    found = [value_of(game) for game in pdd.records.read(path)]
    assert [game.actions for game in found] == [(pdd.parse_action("d4,g7"),)] * games


@pytest.mark.parametrize("content", [None, b"", b"\n \n"])
def test_a_list_of_moves_is_not_begun(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "new.txt"
    if content is not None:
        path.write_bytes(content)
    said = refusal(invoke("play", "--save", path), 2)
    assert said.startswith(f"{path}: a list of moves cannot hold every game")
    assert path.exists() == (content is not None)


def test_a_record_is_added_completely_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.pdd"
    path.write_bytes(RECORD)

    class Full(io.FileIO):
        def write(self, content: Any, /) -> int:
            if len(content) > 30:
                return super().write(content[:30])
            raise OSError(28, "No space left on device")

    plain = Path.open

    def open_full(self: Path, mode: str = "r", buffering: int = -1, **more: Any) -> Any:
        return Full(self, "a+") if buffering == 0 else plain(self, mode, buffering, **more)

    monkeypatch.setattr(Path, "open", open_full)
    result = invoke("play", "--opponent", "person", "--save", path, keys="d4,g7\n")
    assert result.exit_code == 2
    assert result.stderr == f"Error: {path}: no space left on device\n"
    assert path.read_bytes() == RECORD
    # The game is not lost.
    record = result.stdout.partition("This is the record, which could not be saved:\n")[2]
    assert [*map(str, pdd.records.loads(record).actions)] == [str(pdd.parse_action("d4,g7"))]


def test_misread_cells_name_the_columns_of_the_board() -> None:
    text = play("--opponent", "person", keys="zz\nd4,zz1\nmoves zz\na99,b1\n").stdout
    assert text.count("expected a column from a to j at offset") == 3
    assert "expected a row from 1 to 10 at offset 1 of 'a99,b1'" in text
    said = invoke("moves", "--rules", "3x4", "--explain", "zz1").stderr
    assert "expected a column from a to c" in said
    german = play("--opponent", "person", "--lang", "de", keys="zz\n").stdout
    assert "eine Spalte von a bis j." in german


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_cannot_be_added_to_is_refused_before_the_game(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    # Without this reader, the pipe could not be opened for writing.
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        result = invoke("play", "--opponent", "person", "--save", path, keys="d4,g7\n")
    finally:
        os.close(reader)
    assert refusal(result, 2).startswith(f"{path}: ")


def started(path: Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start a game of two people, with one turn played."""
    command = [sys.executable, "-m", "pontedeldiavolo", "play", "--opponent", "person", "--save"]
    process = subprocess.Popen(
        [*command, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUNBUFFERED": "1"},
        **options,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"d4,g7\n")
    process.stdin.flush()
    seen = b""
    deadline = time.monotonic() + PATIENCE
    while b"White placed tiles" not in seen and time.monotonic() < deadline:
        seen += os.read(process.stdout.fileno(), 4096)
    return process


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs signals")
@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM", "SIGINT"])
def test_a_closed_terminal_saves_the_game(tmp_path: Path, name: str) -> None:
    path = tmp_path / "game.pdd"
    with started(path) as process:
        # A terminal that is closed sends more than one signal.
        for _ in range(2 if name == "SIGHUP" else 1):
            process.send_signal(getattr(signal, name))
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert b"The record is in" in out
    assert pdd.records.loads(path.read_bytes()).actions == (pdd.parse_action("d4,g7"),)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs signals")
def test_nohup_plays_on(tmp_path: Path) -> None:
    path = tmp_path / "game.pdd"

    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with started(path, preexec_fn=ignore) as process:
        process.send_signal(signal.SIGHUP)
        process.communicate(b"red\nquit\n", timeout=PATIENCE)
    assert len(pdd.records.loads(path.read_bytes()).actions) == 2


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs signals")
@pytest.mark.parametrize("is_ignored", [False, True])
def test_signals_are_handled_during_the_game_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_ignored: bool
) -> None:
    path = tmp_path / "game.pdd"
    seen = []
    before = signal.getsignal(signal.SIGHUP)

    def run(self: _Session) -> None:
        handler = signal.getsignal(signal.SIGHUP)
        seen.append(handler == self.interrupt)
        self._is_running = True
        for _ in range(2):
            try:
                self.interrupt(1, None)
            except KeyboardInterrupt:
                seen.append(True)

    monkeypatch.setattr(_Session, "run", run)
    handled = signal.SIG_IGN if is_ignored else signal.SIG_DFL
    signal.signal(signal.SIGHUP, handled)
    try:
        assert invoke("play", "--save", path).exit_code == 0
        assert signal.getsignal(signal.SIGHUP) == handled
    finally:
        signal.signal(signal.SIGHUP, before)
    # The second signal has no effect.
    assert seen == [not is_ignored, True]
    assert pdd.records.loads(path.read_bytes()).actions == ()


def test_an_engine_that_fails_ends_the_game_and_its_record_is_named(tmp_path: Path) -> None:
    stub = f"external:{sys.executable} -IS {TESTS / 'support' / 'stub_engine.py'} go resign"
    saved = tmp_path / "saved.pdd"
    words = ("play", "--opponent", stub, "--seat", "second", "--rules", "2x1", "--save", saved)
    result = invoke(*words, keys="white\n")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: stub 1 answered 'resign', which is not an action")
    assert result.stdout.endswith(f"The record is in {saved}.\n")
    assert len(pdd.records.loads(saved.read_text("utf-8")).actions) == 2
