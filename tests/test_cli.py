"""The command line, in this process and in real ones, with good input and with hostile input."""

from __future__ import annotations

import builtins
import io
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

import pontedeldiavolo as pdd
from diagrams import state_of
from pontedeldiavolo import Color, Ending, Game, Phase, Seat, Tiebreak, cli
from pontedeldiavolo.cli.failures import Unreadable, printable
from pontedeldiavolo.cli.main import main
from pontedeldiavolo.cli.sources import LIMIT, Lines

SOURCE = Path(pdd.__file__).parents[1]

TERMINAL = {
    "FORCE_COLOR": "1",
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "COLUMNS": "100",
    "LINES": "50",
}
"""What makes the console underneath believe that it writes to a terminal."""

SMALL = "4x4 tiles=unlimited bridges=unlimited tiebreaks=none"
PAIR = "2x1 tiles=unlimited bridges=unlimited tiebreaks=none"
TINY = "1x1 tiles=unlimited bridges=unlimited tiebreaks=none"
EARLY = '[First "Ada"]\n[Second "Bo"]\n\n1. d4,g7 white 2. a1,b1 3. d6,h9\n'


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
    runner = CliRunner(charset=charset)
    words = list(map(str, arguments))
    return runner.invoke(main, words, input=keys, env=env, catch_exceptions=False)


def lines_of(result: Result, status: int = 0) -> list[str]:
    """Return the lines of standard output of a command that ended as it should."""
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


def usage_error(result: Result) -> str:
    """Return the last line of a complaint about the command line itself."""
    assert result.exit_code == 2, result.output
    usage, *_, line = result.stderr.splitlines()
    assert usage.startswith("Usage: ")
    return line.removeprefix("Error: ")


def random_game(rules: str = SMALL, seed: int = 1, **tags: str) -> Game:
    """Return a game of random actions, played out."""
    game, rng = Game.new(pdd.parse_rules(rules), tags), Random(seed)
    while game.ending is None:
        game = game.play(game.state.legal_actions.sample(rng))
    return game


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A file with one game that was played out."""
    path = tmp_path / "game.pdd"
    path.write_text(pdd.records.dumps(random_game(First="Ada", Second="Bo")), encoding="utf-8")
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A file with three games."""
    path = tmp_path / "games.pdd"
    with path.open("w", encoding="utf-8") as file:
        for seed in range(3):
            pdd.records.dump(random_game(seed=seed, Round=str(seed + 1)), file)
    return path


# The whole


def test_without_a_command_it_helps() -> None:
    lines = lines_of(invoke())
    assert lines[0].startswith("Usage: ")
    for name in ("moves", "perft", "play", "replay", "show", "validate"):
        assert any(line.strip().startswith(name) for line in lines)
        assert invoke(name, "--help").exit_code == 0
    assert all(any(name in line for line in lines) for name in pdd.presets.names())
    assert lines == lines_of(invoke("-h"))


def test_version() -> None:
    assert lines_of(invoke("--version"))[0].endswith(f"version {pdd.__version__}")


def test_unknown_commands_are_refused() -> None:
    assert "No such command" in usage_error(invoke("fly"))


@pytest.mark.parametrize("command", ["moves", "perft", "play", "show"])
@pytest.mark.parametrize("rules", ["", "nonsense", "0x4", "65x65", "10x10 tiles=1", "10x10 " * 99])
def test_bad_rules_are_refused(command: str, rules: str) -> None:
    needed = ("--depth", "1") if command == "perft" else ()
    message = usage_error(invoke(command, *needed, "--rules", rules))
    assert message.startswith("Invalid value for '--rules': expected ")


def test_names_from_outside_are_printed_without_harm() -> None:
    assert printable("Zoë \u202e\x1b[31m\n\udcff") == r"Zoë \u202e\x1b[31m\n\udcff"


# show


def test_show_draws_an_empty_board() -> None:
    lines = lines_of(invoke("show", "--rules", SMALL))
    assert lines == [
        "4  ·   ·   ·   ·",
        "",
        "3  ·   ·   ·   ·",
        "",
        "2  ·   ·   ·   ·",
        "",
        "1  ·   ·   ·   ·",
        "   a   b   c   d",
        "",
        "□ ○ white   ■ ● red   squares: islands   circles: sandbanks   × blocked",
        "",
        "Turn 1: white (first seat) to move.",
    ]


@pytest.mark.parametrize("name", pdd.presets.names())
def test_show_knows_presets(name: str) -> None:
    height = pdd.presets.by_name(name).board.height
    lines = lines_of(invoke("show", "--rules", name))
    assert lines[0].split()[0] == str(height)


def test_show_in_ascii() -> None:
    state = pdd.format_state(state_of("w w w w . r"))
    assert lines_of(invoke("show", state, "--ascii"))[0] == "1 :W:::W:::W:::W:  .  #r#"
    assert invoke("show", state, "--ascii").stdout.isascii()


def test_show_falls_back_to_ascii_where_nothing_else_can_be_written() -> None:
    result = invoke("show", "--rules", SMALL, charset="ascii")
    assert result.stdout_bytes.decode("ascii").startswith("4  .   .   .   .\n")


MORE_ISLANDS = """
5 w w w w . r r r r
4 . . . . . . . . .
3 w w w w . r r r r
2 . . . . . . . . .
1 w w w w . r . . .
bridges f3-f5
"""
MORE_BRIDGES = """
3 w w w w . r r r r
2 . . . . . . . . .
1 w . . . . r . . .
bridges f1-f3
"""
STATES: dict[str, tuple[pdd.GameState, list[str]]] = {
    "play": (
        state_of("w w w w . r r .", Color.RED),
        [
            "White (first seat): 1 point, 1 island, 0 bridges",
            "Red (second seat): 0 points, 0 islands, 0 bridges",
            "1 sandbank in networks without an island",
            "Turn 4: red (second seat) to move.",
        ],
    ),
    "supply": (
        state_of("w . w . r", Color.RED, tiles=3, bridges=1, white_owner=Seat.SECOND),
        ["Turn 3: red (first seat) to move. Left: 1 white tiles, 2 red tiles, 1 bridge."],
    ),
    "last turn": (
        state_of("w w", Color.RED, phase=Phase.LAST_TURN),
        ["Turn 3, the last one: red (second seat) to move."],
    ),
    "colour choice": (
        state_of("w w .", phase=Phase.COLOR_CHOICE),
        [
            "White: 0 points, 0 islands, 0 bridges",
            "The second seat chooses a colour: white or red.",
        ],
    ),
    "points": (
        state_of("w w w w . r .", phase=Phase.OVER, tiles=4),
        ["White (first seat) wins with 1 point to 0."],
    ),
    "islands": (
        state_of(MORE_ISLANDS, phase=Phase.OVER, tiles=12),
        ["White (first seat) wins with more islands, 3 to 2: both have 3 points."],
    ),
    "bridges": (
        state_of(MORE_BRIDGES, phase=Phase.OVER, tiles=5, white_owner=Seat.SECOND),
        ["Red (first seat) wins with more bridges, 1 to 0: both have 1 point."],
    ),
    "nothing": (
        state_of("w . r", phase=Phase.OVER),
        ["A draw: both have 0 points, and as many islands and bridges."],
    ),
    "one tie-break": (
        state_of("w . r", phase=Phase.OVER, tiebreaks=(Tiebreak.BRIDGES,)),
        ["A draw: both have 0 points, and as many bridges."],
    ),
    "no tie-break": (
        state_of("w . r", phase=Phase.OVER, tiebreaks=()),
        ["A draw: both have 0 points, and these rules have no tie-break."],
    ),
}


@pytest.mark.parametrize("case", STATES)
def test_show_says_how_a_state_stands(case: str, tmp_path: Path) -> None:
    state, sentences = STATES[case]
    lines = lines_of(invoke("show", pdd.format_state(state)))
    assert set(sentences) <= set(lines)
    assert lines[-1] == sentences[-1]
    path = tmp_path / "state.txt"
    path.write_text(f"\ufeff\n{pdd.format_state(state)}\n", encoding="utf-8")
    assert lines_of(invoke("show", path)) == lines
    assert lines_of(invoke("show", "-", keys=pdd.format_state(state))) == lines


def test_show_lists_networks_with_their_islands_and_bridges() -> None:
    lines = lines_of(invoke("show", pdd.format_state(STATES["islands"][0]), "--ascii"))
    start = lines.index("Red (second seat): 3 points, 2 islands, 1 bridge")
    assert lines[start : start + 6] == [
        "Red (second seat): 3 points, 2 islands, 1 bridge",
        "points | islands | where they lie | bridges",
        "-------+---------+----------------+--------",
        "     3 |       2 | f3 g3 h3 i3    | f3-f5",
        "       |         | f5 g5 h5 i5    |",
        "1 sandbank in networks without an island",
    ]


def test_show_says_which_sandbanks_and_bridges_a_large_network_has() -> None:
    diagram = "5 . . w .\n4 . . . .\n3 w w w w\n2 . . . .\n1 w w . w\n"
    state = state_of(f"{diagram}bridges a1-a3 b1-b3 d1-d3 c3-c5")
    lines = lines_of(invoke("show", pdd.format_state(state), "--ascii"))
    start = lines.index("White (first seat): 1 point, 1 island, 4 bridges")
    assert lines[start + 1 : start + 6] == [
        "points | islands | where they lie | bridges",
        "-------+---------+----------------+------------------",
        "     1 |       1 | a3 b3 c3 d3    | a1-a3 b1-b3 d1-d3",
        "       |         | 3 sandbanks    | c3-c5",
        "",
    ]


def test_show_draws_the_end_of_a_record(record: Path) -> None:
    game = pdd.records.loads(record.read_text(encoding="utf-8"))
    lines = lines_of(invoke("show", record))
    assert lines[0].startswith("4 ")
    for color in Color:
        score, seat = game.state.score(color), game.state.owner(color)
        assert seat is not None
        who = (
            f"{color.value.capitalize()} ({seat.value} seat, {game.tags[seat.value.capitalize()]})"
        )
        assert any(line.startswith(f"{who}: {score.points} point") for line in lines)
    assert lines[-1].startswith(("White", "Red", "A draw"))


def test_show_takes_actions_as_they_are() -> None:
    lines = lines_of(invoke("show", "d4,g7"))
    assert lines[12] == " 4  ·   ·   ·  [○]  ·   ·   ·   ·   ·   ·"
    assert lines[-1] == "The second seat chooses a colour: white or red."


def test_show_draws_an_empty_record() -> None:
    assert lines_of(invoke("show", "*"))[-1] == "Turn 1: white (first seat) to move."


def test_show_chooses_among_games(archive: Path) -> None:
    ends = [lines_of(invoke("show", archive, "--game", number)) for number in ("1", "2", "3")]
    with archive.open(encoding="utf-8") as file:
        games = list(pdd.records.iter_games(file))
    for game, end in zip(games, ends, strict=True):
        assert end == lines_of(invoke("show", "-", keys=pdd.records.dumps(game)))
    assert len({tuple(end) for end in ends}) == 3
    assert refusal(invoke("show", archive, "--game", "4"), 1) == (
        f"{archive}: no game 4, the last is 3"
    )


def test_show_draws_a_diagram(tmp_path: Path) -> None:
    path = tmp_path / "diagram.txt"
    path.write_text("2 w . w\n1 . r .\nbridges a2-c2\n", encoding="utf-8")
    lines = lines_of(invoke("show", path))
    assert lines[:3] == ["2 ░○░─────░○░", "", "1  ·  ▒●▒  ·"]
    assert lines[-1] == "This diagram breaks no rule."


def test_show_explains_the_faults_of_a_diagram() -> None:
    lines = lines_of(invoke("show", "-", keys="w r w\nbridges a1-c1\nwhite d1\n"))
    assert lines[lines.index("This diagram breaks the rules in 2 places:") :] == [
        "This diagram breaks the rules in 2 places:",
        "  Off the 3×1 board: d1.",
        "  Tiles lie beneath the bridge: b1.",
    ]
    assert "not drawn clearly: a1-c1" in lines
    assert "in 1 place:" in invoke("show", "-", keys="x").stdout


# Colours


def test_colours_are_for_terminals() -> None:
    state = pdd.format_state(state_of("w w w w . r"))
    assert "\x1b" not in invoke("show", state).stdout
    colored = invoke("show", state, env=TERMINAL).stdout
    assert "\x1b[" in colored
    # Land has its own ground there, and no shades.
    assert "░" not in colored
    assert "□" in colored


def test_colours_can_be_switched_off() -> None:
    state = pdd.format_state(state_of("w w w w . r"))
    result = invoke("show", state, env={**TERMINAL, "NO_COLOR": "1"})
    assert "░□░░░□░░░□░░░□░" in result.stdout
    # Bold and dim may stay; no colour of ink or ground does.
    codes = {code for part in result.stdout.split("\x1b[")[1:] for code in [part.split("m")[0]]}
    assert codes <= {"0", "1", "2"}


def test_terminals_with_few_colours_get_few() -> None:
    state = pdd.format_state(state_of("w w w w . r"))
    few = invoke("show", state, env={**TERMINAL, "TERM": "xterm", "COLORTERM": ""}).stdout
    many = invoke("show", state, env=TERMINAL).stdout
    assert "38;5;" not in few
    assert "48;5;" in many


# replay


def test_replay_ends_by_itself_with_board_scores_and_winner(record: Path) -> None:
    game = pdd.records.loads(record.read_text(encoding="utf-8"))
    lines = lines_of(invoke("replay", record))
    assert lines[:4] == ["First: Ada", "Second: Bo", f"Rules: {SMALL}", ""]
    turns = [line for line in lines if line.startswith("Turn ")]
    assert len(turns) == len(game.actions)
    for line, turn in zip(turns, game.turns, strict=True):
        name = "first seat, Ada" if turn.seat is Seat.FIRST else "second seat, Bo"
        if turn.color is None:
            assert line.startswith("Turn 1: second seat (Bo) chooses ")
        else:
            assert line.startswith(f"Turn {turn.number}: {turn.color.value} ({name}) ")
        text = pdd.format_action(turn.action)
        assert text in line or (text == "pass" and "passes" in line)
    boards = [line for line in lines if line.startswith("4 ")]
    assert len(boards) == len(game.actions)
    assert lines[-1] == lines_of(invoke("show", record))[-1]
    # What comes after the turns is what show has too.
    end = lines_of(invoke("show", record))
    assert lines[-len(end) + 8 :] == end[8:]


def test_replay_can_show_the_end_only(record: Path) -> None:
    lines = lines_of(invoke("replay", record, "--only-end"))
    assert not any(line.startswith("Turn ") for line in lines)
    assert lines[4:] == lines_of(invoke("show", record))


def test_replay_points_follow_the_board() -> None:
    # Two tiles at a time, so that white's island is complete on its second turn.
    text = "a1,b1 red 2. d4,c4 3. a2,b2 4. d3,c3"
    lines = lines_of(invoke("replay", "-", keys=f'[Rules "{SMALL}"]\n{text}\n'))
    assert [line.partition(". ")[2] for line in lines if "Points: " in line] == [
        "Points: white 0, red 0.",
        "Points: white 0, red 0.",
        "Points: white 0, red 0.",
        "Points: white 1, red 0.",
        "Points: white 1, red 1.",
    ]


def test_replay_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new.pdd"
    path.write_text('[Rules "1x1 tiles=unlimited bridges=unlimited tiebreaks=none"]\n*\n')
    assert lines_of(invoke("replay", path)) == [
        f"Rules: {TINY}",
        "",
        "1  ·",
        "   a",
        "",
        "□ ○ white   ■ ● red   squares: islands   circles: sandbanks   × blocked",
        "",
        "White: 0 points, 0 islands, 0 bridges",
        "",
        "Red: 0 points, 0 islands, 0 bridges",
        "",
        "Turn 1: white (first seat) to move.",
    ]


def test_replay_of_a_board_without_room() -> None:
    lines = lines_of(invoke("replay", "-", keys=f'[Rules "{TINY}"]\npass red pass\n'))
    assert [line for line in lines if line.startswith("Turn")] == [
        "Turn 1: white (first seat) passes. Points: white 0, red 0.",
        "Turn 1: second seat chooses red. Points: white 0, red 0.",
        "Turn 2: red (second seat) passes. Points: white 0, red 0.",
    ]
    assert lines[-1] == "A draw: both have 0 points, and these rules have no tie-break."


ENDINGS = [
    (Ending.RESIGNATION, Seat.FIRST, "Red (first seat, Ada) wins by resignation."),
    (Ending.TIME, Seat.SECOND, "White (second seat, Bo) wins on time."),
    (Ending.AGREEMENT, None, "A draw by agreement."),
    (Ending.ADJUDICATION, Seat.FIRST, "Red (first seat, Ada) wins by adjudication."),
]


@pytest.mark.parametrize(("ending", "winner", "sentence"), ENDINGS)
def test_replay_says_how_a_game_ended_early(
    ending: Ending, winner: Seat | None, sentence: str
) -> None:
    game = pdd.records.loads(EARLY).end(ending, winner)
    assert lines_of(invoke("replay", "-", keys=pdd.records.dumps(game)))[-1] == sentence


def test_replay_of_a_game_resigned_before_the_choice() -> None:
    game = Game.new().play("d4,g7").end(Ending.RESIGNATION, Seat.FIRST)
    lines = lines_of(invoke("replay", "-", keys=pdd.records.dumps(game)))
    assert lines[-1] == "First seat wins by resignation."


def test_replay_of_an_unfinished_game() -> None:
    assert lines_of(invoke("replay", "-", keys=EARLY))[-1] == (
        "Turn 4: red (first seat, Ada) to move."
    )


def test_replay_chooses_among_games(archive: Path) -> None:
    assert "Round: 1" in lines_of(invoke("replay", archive))
    assert lines_of(invoke("replay", archive))[-1] == (
        "The file has more games: --game 2 shows the next one."
    )
    last = lines_of(invoke("replay", archive, "--game", "3"))
    assert "Round: 3" in last
    assert "--game" not in last[-1]


def test_replay_names_the_place_of_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "bad.pdd"
    path.write_text('[Event "?"]\n\n1. a1,b1 white\n2. a1,c1\n')
    assert refusal(invoke("replay", path), 1) == (
        f"{path}:4:4: game 1: expected a legal action: Already taken by a tile: a1."
    )
    path.write_text("1. a1,b1 purple\n")
    assert refusal(invoke("replay", path), 1).startswith(f"{path}:1:10: game 1: expected ")


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Collect how long a command wants to sleep, and do not let it."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    return slept


def test_replay_waits_on_terminals_only(record: Path, naps: list[float]) -> None:
    turns = len(pdd.records.loads(record.read_text(encoding="utf-8")).actions)
    invoke("replay", record)
    assert naps == [0] * turns
    naps.clear()
    invoke("replay", record, "--delay", "1.5")
    assert naps == [1.5] * turns
    naps.clear()
    invoke("replay", record, env=TERMINAL)
    assert naps == [0.3] * turns
    naps.clear()
    invoke("replay", record, "--delay", "0", env=TERMINAL)
    assert naps == [0] * turns


def test_replay_moves_the_board_in_place_where_it_fits(record: Path, naps: list[float]) -> None:
    turns = len(pdd.records.loads(record.read_text(encoding="utf-8")).actions)
    in_place = invoke("replay", record, env=TERMINAL).stdout
    # The cursor is hidden and goes up again to draw each board over the one before.
    assert "\x1b[?25l" in in_place
    assert in_place.count("Turn ") == turns
    for size in ({"LINES": "8"}, {"COLUMNS": "10"}, {"TERM": "dumb"}):
        result = invoke("replay", record, env={**TERMINAL, **size})
        assert result.exit_code == 0
        assert "\x1b[?25l" not in result.stdout
    assert len(naps) == 4 * turns


def test_replay_steps_with_enter(record: Path, naps: list[float]) -> None:
    turns = len(pdd.records.loads(record.read_text(encoding="utf-8")).actions)
    result = invoke("replay", record, "--step", keys="\n" * turns)
    assert result.stdout.count("Enter: the next turn ") == turns
    # At the end of the input it goes on without waiting.
    result = invoke("replay", record, "--step", keys="\n")
    assert result.exit_code == 0
    assert result.stdout.count("Enter: the next turn ") == 2
    assert result.stdout.splitlines()[-1] == lines_of(invoke("show", record))[-1]
    assert naps == []


@pytest.mark.parametrize("delay", ["nan", "-1", "inf", "3601", "soon"])
def test_replay_refuses_senseless_delays(record: Path, delay: str) -> None:
    assert usage_error(invoke("replay", record, "--delay", delay)).startswith(
        "Invalid value for '--delay': "
    )


def test_replay_cannot_step_through_standard_input() -> None:
    assert usage_error(invoke("replay", "--step", "-")).startswith("--step waits for input")


# moves


def test_moves_lists_some_of_each_kind() -> None:
    state = state_of("3 w . w\n2 . . .\n1 . . .")
    lines = lines_of(invoke("moves", pdd.format_state(state), "--limit", "2"))
    legal = state.legal_actions
    assert lines[:2] == [
        "Turn 2: white (first seat) to move.",
        f"{len(legal)} legal actions in all.",
    ]
    pairs = list(legal.pairs)
    assert lines[2:6] == [
        f"{len(pairs)} pairs of tiles:",
        f"  {pdd.format_action(pairs[0])}",
        f"  {pdd.format_action(pairs[1])}",
        f"  ... and {len(pairs) - 2} more",
    ]
    assert lines[6:] == ["1 bridge:", "  a3-c3"]


def test_moves_can_list_all() -> None:
    listed = [line.strip() for line in lines_of(invoke("moves", "--rules", SMALL, "--all"))[3:]]
    state = pdd.GameState.initial(pdd.parse_rules(SMALL))
    assert listed == [pdd.format_action(action) for action in state.legal_actions]
    assert len(lines_of(invoke("moves", "--rules", SMALL))) == 3 + 20 + 1
    assert len(lines_of(invoke("moves", "--rules", SMALL, "--limit", "0"))) == 3 + 1
    assert len(lines_of(invoke("moves", "--limit", "9" * 30))) == 3 + 4950


def test_moves_of_other_kinds(record: Path) -> None:
    assert lines_of(invoke("moves", "d4,g7")) == [
        "The second seat chooses a colour: white or red.",
        "2 legal actions in all.",
        "2 choices of a colour:",
        "  white",
        "  red",
    ]
    assert lines_of(invoke("moves", "--rules", TINY))[1:] == [
        "1 legal action in all.",
        "1 pass:",
        "  pass",
    ]
    assert lines_of(invoke("moves", record))[1:] == ["0 legal actions in all."]


def test_moves_of_the_end_of_a_record(archive: Path, record: Path) -> None:
    assert lines_of(invoke("moves", "--record", record)) == lines_of(invoke("moves", record))
    second = lines_of(invoke("moves", "--record", archive, "--game", "2"))
    with archive.open(encoding="utf-8") as file:
        game = list(pdd.records.iter_games(file))[1]
    assert second == lines_of(invoke("moves", pdd.format_state(game.state)))
    assert "not both" in usage_error(invoke("moves", "*", "--record", record))


@pytest.mark.parametrize(
    ("diagram", "action", "status", "english", "german"),
    [
        (
            "w . . .",
            "b1,C1",
            0,
            ["b1,c1 is legal.", "Both cells are free water, no group grows beyond four tiles, and"],
            ["b1,c1 ist erlaubt.", "Beide Felder sind freies Wasser, keine Gruppe wächst über"],
        ),
        ("w . . .", "d1", 0, ["d1 is legal.", "The cell is free"], ["d1 ist erlaubt.", "Das Feld"]),
        (
            "w . w .",
            "a1-c1",
            0,
            ["a1-c1 is legal.", "Both ends"],
            ["a1-c1 ist erlaubt.", "Beide E"],
        ),
        ("w", "pass", 0, ["pass is legal.", "There is no"], ["pass ist erlaubt.", "Es gibt kein"]),
        (
            "w . . .",
            "a1,e1",
            1,
            ["a1,e1 is not legal.", "Off the 4×1 board: e1.", "Already taken by a tile: a1."],
            ["a1,e1 ist nicht erlaubt.", "Nicht auf dem 4×1-Brett: e1.", "Schon mit einem Stein"],
        ),
        (
            "w . . .",
            "pass",
            1,
            ["pass is not legal.", "Passing is not allowed while a legal pair of tiles exists."],
            ["pass ist nicht erlaubt.", "Passen ist nicht erlaubt, solange"],
        ),
        (
            "w . . .",
            "a1",
            1,
            ["a1 is not legal.", "Already taken by a tile: a1."],
            ["a1 ist nicht erlaubt.", "Schon mit einem Stein belegt: a1."],
        ),
    ],
)
def test_moves_explains(
    diagram: str, action: str, status: int, english: list[str], german: list[str]
) -> None:
    state = pdd.format_state(state_of(diagram))
    for lang, expected in (("en", english), ("de", german)):
        lines = lines_of(invoke("moves", state, "--explain", action, "--lang", lang), status)
        assert len(lines) == len(expected)
        assert all(line.startswith(start) for line, start in zip(lines, expected, strict=True))


def test_moves_explains_the_choice_of_a_colour() -> None:
    assert lines_of(invoke("moves", "d4,g7", "--explain", "white")) == [
        "white is legal.",
        "White's first two tiles lie on the board, and the colour is chosen now.",
    ]
    assert lines_of(invoke("moves", "--explain", "white"), 1)[0] == "white is not legal."


@pytest.mark.parametrize("action", ["", "a", "a1,", "4d", "ünï", "a1,b2,c3", "a" * 10_000])
def test_moves_cannot_explain_nonsense(action: str) -> None:
    message = usage_error(invoke("moves", "--explain", action))
    assert message.startswith("Invalid value for --explain: expected ")
    assert len(message) < 200


def test_moves_refuses_a_diagram(tmp_path: Path) -> None:
    path = tmp_path / "diagram.txt"
    path.write_text("w . w\n")
    assert refusal(invoke("moves", path), 1).startswith("a diagram does not say whose turn it is")


# perft


def numbers(lines: list[str]) -> list[tuple[int, int]]:
    """Return the depths and counts of a table."""
    rows = [line.replace(",", "").split() for line in lines[1:]]
    return [(int(depth), int(count)) for depth, count, *_ in rows]


def test_perft_counts_per_depth() -> None:
    lines = lines_of(invoke("perft", "--rules", SMALL, "--depth", "3"))
    start = pdd.GameState.initial(pdd.parse_rules(SMALL))
    assert lines[0].split() == ["depth", "count", "seconds", "nodes/s"]
    assert numbers(lines) == [(depth, pdd.perft(start, depth)) for depth in (1, 2, 3)]
    assert numbers(lines_of(invoke("perft", "--depth", "0"))) == [(0, 1)]


def test_perft_divides() -> None:
    start = state_of("3 w . w\n2 . . .\n1 . . r", tiles=4)
    lines = lines_of(invoke("perft", pdd.format_state(start), "--depth", "2", "--divide"))
    divided = dict(line.split(": ") for line in lines[lines.index("") + 1 :])
    assert divided == {
        pdd.format_action(action): str(pdd.perft(start.apply(action), 1))
        for action in start.legal_actions
    }
    assert sum(map(int, divided.values())) == numbers(lines[:3])[-1][1]


def test_perft_of_a_finished_game(record: Path) -> None:
    assert numbers(lines_of(invoke("perft", record, "--depth", "2"))) == [(1, 0), (2, 0)]


def test_perft_needs_no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", lambda: 1.0)
    assert lines_of(invoke("perft", "--rules", SMALL, "--depth", "1"))[1].split() == [
        "1",
        "120",
        "0.000",
        "-",
    ]


def test_perft_shows_its_progress_on_terminals() -> None:
    result = invoke("perft", "--rules", SMALL, "--depth", "2", env=TERMINAL)
    assert "depth 2" in result.stdout
    assert "depth 2" not in invoke("perft", "--rules", SMALL, "--depth", "2").stdout


@pytest.mark.parametrize("depth", ["-1", "101", "x", "9" * 5000])
def test_perft_refuses_depths_that_nobody_counts(depth: str) -> None:
    assert usage_error(invoke("perft", "--depth", depth)).startswith("Invalid value for '--depth'")


# validate


def test_validate_finds_all_good(record: Path, archive: Path) -> None:
    lines, width = lines_of(invoke("validate", record, archive, "--ascii")), len(str(archive))
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
    assert lines_of(invoke("validate", "-", keys=record.read_bytes()))[-1] == (
        "1 good game, 0 bad, in 1 file, 0 unreadable."
    )
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
    # The game before the bytes that are not text counts: it was read.
    assert result.stdout.splitlines()[-1] == "1 good game, 0 bad, in 4 files, 3 unreadable."


def test_validate_takes_a_file_without_games_for_bad(tmp_path: Path) -> None:
    path = tmp_path / "empty.pdd"
    path.write_text("\n\n")
    assert lines_of(invoke("validate", "-q", path), 1) == [f"{path}:1:1: expected a game"]


def test_validate_of_many_files_lists_the_bad_ones(tmp_path: Path, record: Path) -> None:
    bad = tmp_path / "bad.pdd"
    bad.write_text("1. a1")
    lines = lines_of(invoke("validate", *[record] * 20, bad), 1)
    assert sum(str(record) in line for line in lines) == 0
    assert sum(str(bad) in line for line in lines) == 2
    assert lines_of(invoke("validate", *[record] * 21)) == [
        "21 good games, 0 bad, in 21 files, 0 unreadable."
    ]


def test_validate_shows_its_progress_on_terminals(archive: Path) -> None:
    result = invoke("validate", archive, env=TERMINAL)
    assert result.exit_code == 0
    assert "checking" in result.stdout
    for options, env in (([], {}), (["--quiet"], TERMINAL)):
        assert "checking" not in invoke("validate", *options, archive, env=env).stdout


def test_validate_reads_game_by_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Far more than one record may have, in a file that is fine all the same.
    monkeypatch.setattr("pontedeldiavolo.cli.sources.LIMIT", 100)
    path = tmp_path / "many.pdd"
    path.write_text('[Event "a"]\n\n1. a1,b1 white *\n\n' * 50)
    assert lines_of(invoke("validate", path))[-1].startswith("50 good games, 0 bad")
    assert lines_of(invoke("show", path, "--game", "50"))[-1].startswith("Turn 2: red")


# Hostile input

COMMANDS = [
    ["show"],
    ["replay"],
    ["moves"],
    ["moves", "--record"],
    ["perft", "--depth", "1"],
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("content", "status", "place", "why"),
    [
        (b"\x7fELF\x02\x01\x01\x00\xff\xfe\x80", 2, ":1: ", "not UTF-8 text"),
        (b'[Event "caf\xe9"]\n*', 2, ":1: ", "not UTF-8 text"),
        ("[Event".encode("utf-16"), 2, ":1: ", "not UTF-8 text"),
        (b'[Event "?"]\n' + b"\n" * 1000 + b"\xff", 2, ":1002: ", "not UTF-8 text"),
        (b"\x00" * 6001, 2, ":1: ", "more than 6,000 characters without an end of the record"),
        (
            b"a1,b1\n" * 1100,
            2,
            ":1001: ",
            "more than 6,000 characters without an end of the record",
        ),
        (
            b'[A "b"]\n' * 1100,
            2,
            ":751: ",
            "more than 6,000 characters without an end of the record",
        ),
        (b"", 1, ": ", "empty"),
        (b" \n\t\n", 1, ": ", "empty"),
        (b"\x00\x01\x02", 1, ":1:1: ", "expected "),
        (b"<html><body class='a'>", 1, ":1:1: ", "expected "),
        (b"{'json': 1}", 1, ":1:1: ", "expected "),
        (b"1. a1,b1 white 2. a1,b1", 1, ":1:19: ", "expected a legal action"),
        (b"99x99 tiles=1", 1, ":1:1: ", "expected "),
        (b'[Rules "99x99"]\n*', 1, ":1:9: ", "expected "),
    ],
)
def test_hostile_files_give_one_line_and_a_status(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    content: bytes,
    status: int,
    place: str,
    why: str,
) -> None:
    monkeypatch.setattr("pontedeldiavolo.cli.sources.LIMIT", 6000)
    path = tmp_path / "hostile"
    path.write_bytes(content)
    message = refusal(invoke(*command, path), status)
    assert message.startswith(f"{path}{place}")
    assert why in message
    assert len(message) < 400
    if "--record" not in command:
        piped = refusal(invoke(*command, "-", keys=content), status)
        assert piped == message.replace(str(path), "standard input")


def test_a_file_without_end(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        # Bytes that take no room on most disks, and are not read to the end.
        file.truncate(1 << 28)
    assert refusal(invoke("validate", "-q", path), 2) == (
        f"{path}:1: more than {LIMIT:,} characters without an end of the record"
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_cannot_be_opened(command: list[str], tmp_path: Path) -> None:
    missing = tmp_path / "no\x1bwhere.pdd"
    assert refusal(invoke(*command, missing), 2) == (
        f"{printable(str(missing))}: no such file or directory"
    )
    assert refusal(invoke(*command, tmp_path), 2) == f"{tmp_path}: is a directory"
    assert refusal(invoke(*command, "x" * 5000), 2).endswith(": file name too long")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("10x10 tiles=3", "expected a blank and then 'bridges=' at offset 13 of '10x10 tiles=3'"),
        ("w . w\n. q .", r"expected '.', 'w', 'r' or 'x' at offset 8 of 'w . w\n. q .'"),
        ("a1,b1 a1,c1", "game 1, line 1, column 7: expected a legal action: This cannot be done"),
        ("a1,b1\udcff", "the text: not UTF-8 text"),
        (
            f"{PAIR} rows=wr built=- phase=opening to-move=white white=-",
            "The opening is played on an empty board.",
        ),
    ],
)
def test_texts_that_are_given_themselves_are_refused_too(text: str, message: str) -> None:
    assert refusal(invoke("show", text), 2 if "UTF-8" in message else 1).startswith(message)


def test_a_file_that_fails_while_it_is_read() -> None:
    class Failing(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object, /) -> int:
            raise OSError(str(buffer))

    for name, place in (("disk", "disk:1"), (None, "the text")):
        with pytest.raises(Unreadable) as caught:
            next(Lines(io.TextIOWrapper(io.BufferedReader(Failing())), name))
        assert caught.value.message == f"{place}: oserror"


# play


def play(*arguments: str | Path, keys: str | bytes = "", **options: Any) -> Result:
    result = invoke("play", *arguments, keys=keys, **options)
    assert result.exit_code == 0, result.output
    return result


def test_play_against_chance_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "played.pdd"
    for seat in Seat:
        rules, rng = pdd.parse_rules(SMALL), Random(5)
        # The same seed gives the same opponent, so that the game can be prepared here.
        game, chance = Game.new(rules), Random(7)
        typed = []
        while game.ending is None:
            if game.state.seat_to_move is seat:
                action = game.state.legal_actions.sample(rng)
                typed.append(pdd.format_action(action))
            else:
                action = game.state.legal_actions.sample(chance)
            game = game.play(action)
        result = play(
            *("--rules", SMALL, "--seed", "7", "--seat", seat.value, "--save", path),
            keys="\n".join(typed),
        )
        assert result.stdout.splitlines()[-1] == f"The record is in {path}."
        assert "A draw" in result.stdout or " wins " in result.stdout
        with path.open(encoding="utf-8") as file:
            *_, saved = pdd.records.iter_games(file)
        assert saved.actions == game.actions
        assert saved.tags[seat.value.capitalize()] == "Person"
        assert saved.tags[seat.opponent.value.capitalize()] == "Random (seed 7)"
    assert lines_of(invoke("validate", path))[-1].startswith("2 good games, 0 bad")


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
    assert result.stdout.splitlines()[-2:] == [
        "Red (first seat) wins by resignation.",
        f"The record is in {path}.",
    ]
    assert [prompt in result.stdout for prompt in ("white> ", "second> ", "red> ")] == [True] * 3
    game = pdd.records.loads(path.read_text(encoding="utf-8"))
    assert game.ending is Ending.RESIGNATION
    assert game.winning_seat is Seat.FIRST
    assert game.tags == {}


def test_play_explains_every_refusal() -> None:
    keys = "a1,b1\nred\na1,z9\nd4\nfly away\npass\n"
    lines = play("--opponent", "person", "--rules", SMALL, keys=keys).stdout.splitlines()
    start, hint = lines.index("red> Not legal:"), "Type help for what can be typed."
    assert lines[start : start + 7] == [
        "red> Not legal:",
        "  Off the 4×4 board: z9.",
        "  Already taken by a tile: a1.",
        f"red> Not understood: expected ',' or '-' at offset 2 of 'd4'. {hint}",
        "red> Not understood: expected a cell, 'white', 'red' or 'pass' at offset 0 of 'fly away'. "
        + hint,
        "red> Not legal:",
        "  Passing is not allowed while a legal pair of tiles exists.",
    ]


def test_play_helps_and_informs() -> None:
    keys = "help\n?\n\nboard\nscore\nmoves\nmoves c3\nmoves d9\nmoves x\n"
    result = play("--opponent", "person", "--rules", SMALL, keys=f"a1,c1\nred\n{keys}")
    text = result.stdout
    assert text.count("  resign      give up") == 3
    assert text.count("░○░  ·  ░○░") == 2
    assert "White (first seat): 0 points, 0 islands, 0 bridges" in text
    assert "91 legal actions in all." in text
    assert "  ... and 81 more" in text
    assert "With a tile on c3, the other on: b1 d1 a2 " in text
    assert "Nothing is legal with d9:\n  Off the 4×4 board: d9.\n" in text
    assert "Not understood: expected a row from 1 to 64 at offset 1 of 'x'." in text


def test_play_lists_the_bridges_of_a_cell() -> None:
    text = play(
        "--opponent", "person", "--rules", SMALL, keys="a1,c1\nred\nb3,d3\nmoves a1\n"
    ).stdout
    assert "Bridges from a1: a1-c1" in text
    assert "With a tile on a1" not in text


def test_play_takes_back() -> None:
    text = play("--seed", "1", keys="undo\nd4,g7\nundo\na1,b1\n").stdout
    assert "There is nothing to take back." in text
    assert "Taken back: 2 actions." in text or "Taken back: 3 actions." in text
    assert text.count("Turn 1: white (first seat, Person) places ") == 2
    text = play("--opponent", "person", keys="d4,g7\nundo\nundo\n").stdout
    assert "Taken back: 1 action." in text
    assert "There is nothing to take back." in text


def test_play_shows_a_limited_supply() -> None:
    text = play("--rules", "original").stdout
    assert "to move. Left: 40 white tiles, 40 red tiles, 15 bridges." in text


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


def test_play_adds_to_files_of_records_only(tmp_path: Path, record: Path) -> None:
    before = record.read_text(encoding="utf-8").rstrip("\n")
    record.write_text(before, encoding="utf-8")
    play("--save", record, keys="d4,g7\n")
    assert record.read_text(encoding="utf-8").startswith(f"{before}\n[First")
    assert lines_of(invoke("validate", record))[-1].startswith("2 good games, 0 bad")
    other = tmp_path / "letter.txt"
    other.write_text("Dear Bo,\n")
    assert refusal(invoke("play", "--save", other), 2) == (
        f"{other}: something else than records is in it"
    )
    assert other.read_text() == "Dear Bo,\n"


def test_play_finds_out_first_whether_it_can_save(tmp_path: Path) -> None:
    assert refusal(invoke("play", "--save", tmp_path), 2) == f"{tmp_path}: is a directory"
    nowhere = tmp_path / "no" / "where.pdd"
    assert refusal(invoke("play", "--save", nowhere), 2) == (
        f"{nowhere}: no such file or directory"
    )


# The real thing


def run_in_process(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run what the installed command runs, and return its exit status."""
    monkeypatch.setattr(sys, "argv", ["pontedeldiavolo", *arguments])
    with pytest.raises(SystemExit) as caught:
        cli.run()
    assert isinstance(caught.value.code, int)
    return caught.value.code


def test_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_in_process(monkeypatch, "show", "--rules", TINY) == 0
    assert capsys.readouterr().out.startswith("1  ·\n   a\n")


def test_run_without_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert run_in_process(monkeypatch, "show", "--rules", TINY) == 0
    monkeypatch.setattr(sys, "stdin", None)
    assert run_in_process(monkeypatch, "play") == 0
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setitem(sys.modules, "click", None)
    assert run_in_process(monkeypatch, "play") == 2


def test_run_on_a_full_disk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Full(io.StringIO):
        def write(self, text: str, /) -> int:
            raise OSError(28, "No space left on device", text)

    monkeypatch.setattr(sys, "stdout", Full())
    assert run_in_process(monkeypatch, "--version") == 2
    assert capsys.readouterr().err == "Error: standard output: No space left on device\n"


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_run_without_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    assert run_in_process(monkeypatch, "--version") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [cli.MISSING]
    assert "pip install 'pontedeldiavolo[cli]'" in captured.err


def test_the_package_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pontedeldiavolo", "--version"])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module("pontedeldiavolo", run_name="__main__")
    assert pdd.__version__ in capsys.readouterr().out
    # Importing that module, as tools for documentation do, runs nothing.
    runpy.run_module("pontedeldiavolo.__main__", run_name="looked_at")
    assert capsys.readouterr().out == ""


def start(
    *arguments: str | Path, code: str | None = None, **environment: str
) -> subprocess.Popen[str]:
    """Start the command, or other code, in a process of its own."""
    how = ["-m", "pontedeldiavolo"] if code is None else ["-c", code]
    words = [sys.executable, "-W", "error", *how, *map(str, arguments)]
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8", **environment},
    )


def finish(process: subprocess.Popen[str], keys: str = "") -> tuple[str, str, int]:
    output, complaints = process.communicate(keys, timeout=30)
    return output, complaints, process.returncode


def test_a_process_of_its_own(record: Path) -> None:
    output, complaints, status = finish(start("replay", record, "--only-end"))
    assert (complaints, status) == ("", 0)
    assert output == invoke("replay", record, "--only-end").stdout


def test_a_terminal_that_writes_ascii_only(tmp_path: Path) -> None:
    path = tmp_path / "zoë.pdd"
    path.write_text('[First "Zoë"]\n\n*\n', encoding="utf-8")
    output, complaints, status = finish(start("replay", path, PYTHONIOENCODING="ascii"))
    assert (complaints, status) == ("", 0)
    assert output.startswith("First: Zo?\n")


def test_nobody_reads_to_the_end() -> None:
    process = start("moves", "--rules", "abstract-play-12", "--all")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdin is not None
    with process.stdin, process.stderr:
        assert process.stdout.readline() == "Turn 1: white (first seat) to move.\n"
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.wait(timeout=30) == -signal.SIGPIPE


BLOCKED = """
import runpy, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("click", "rich"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
sys.argv = ["pontedeldiavolo", "show"]
runpy.run_module("pontedeldiavolo", run_name="__main__")
"""


def test_a_process_without_the_extra() -> None:
    output, complaints, status = finish(start(code=BLOCKED))
    assert (output, complaints, status) == ("", f"{cli.MISSING}\n", 2)


def test_the_package_does_not_need_the_extra() -> None:
    code = (
        "import sys, pontedeldiavolo, pontedeldiavolo.text, pontedeldiavolo.cli\n"
        "print(sorted({'click', 'rich'} & set(sys.modules)))"
    )
    assert finish(start(code=code)) == ("[]\n", "", 0)


def test_play_in_a_process_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "played.pdd"
    output, complaints, status = finish(
        start("play", "--rules", SMALL, "--seed", "3", "--save", path), "a1,b1\nresign\n"
    )
    assert (complaints, status) == ("", 0)
    assert "wins by resignation." in output
    assert pdd.records.loads(path.read_text(encoding="utf-8")).ending is Ending.RESIGNATION
