"""``replay``: a record turn by turn."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Game, Seat
from support.commands import EARLY, TERMINAL, TINY, invoke, lines_of
from support.games import SMALL


def test_replay_ends_by_itself_with_board_scores_and_winner(record: Path) -> None:
    game = pdd.records.loads(record.read_text(encoding="utf-8"))
    lines = lines_of(invoke("replay", record))
    assert lines[:4] == ["First: Ada", "Second: Bo", f"Rules: {SMALL}", ""]
    turns = [line for line in lines if line.startswith("Turn ")]
    assert len(turns) == len(game.actions)
    for line, turn in zip(turns, game.turns, strict=True):
        name = "Ada" if turn.seat is Seat.FIRST else "Bo"
        if turn.color is None:
            assert line.startswith("Turn 1: Bo chose ")
        elif turn.number == 1:
            assert line.startswith("Turn 1: White placed tiles on ")
        else:
            assert line.startswith(f"Turn {turn.number}: {turn.color.value.capitalize()} ({name}) ")
        cells = re.findall(r"[a-d][1-4]", pdd.format_action(turn.action))
        assert all(f" {cell}" in line for cell in cells)
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
        "Turn 1: White to move (player 1); no two tiles can be placed.",
    ]


def test_replay_of_a_board_without_room() -> None:
    lines = lines_of(invoke("replay", "-", keys=f'[Rules "{TINY}"]\npass red pass\n'))
    assert [line for line in lines if line.startswith("Turn")] == [
        "Turn 1: White passed. Points: white 0, red 0.",
        "Turn 1: Player 2 chose red. Points: white 0, red 0.",
        "Turn 2: Red (player 2) passed. Points: white 0, red 0.",
    ]
    assert lines[-1] == "The game is a draw with equal points (0)."


ENDINGS = [
    (Ending.RESIGNATION, Seat.FIRST, "Red (Ada) wins by resignation."),
    (Ending.TIME, Seat.SECOND, "White (Bo) wins on time."),
    (Ending.AGREEMENT, None, "The game is a draw (agreement)."),
    (Ending.ADJUDICATION, Seat.FIRST, "Red (Ada) wins by adjudication."),
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
    assert lines[-1] == "Player 1 wins by resignation."


def test_replay_of_an_unfinished_game() -> None:
    assert lines_of(invoke("replay", "-", keys=EARLY))[-1] == "Turn 4: Red to move (Ada)."


def test_replay_chooses_among_games(archive: Path) -> None:
    assert "Round: 1" in lines_of(invoke("replay", archive))
    assert lines_of(invoke("replay", archive))[-1] == (
        "The file has more games: --game 2 shows the next one."
    )
    last = lines_of(invoke("replay", archive, "--game", "3"))
    assert "Round: 3" in last
    assert "--game" not in last[-1]


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Collect how long a command wants to sleep, and do not let it."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    return slept


@pytest.mark.parametrize(
    ("options", "env", "seconds"),
    [
        ([], {}, 0),
        (["--delay", "1.5"], {}, 1.5),
        ([], TERMINAL, 0.3),
        (["--delay", "0"], TERMINAL, 0),
    ],
)
def test_replay_waits_on_terminals_only(
    record: Path, naps: list[float], options: list[str], env: dict[str, str], seconds: float
) -> None:
    turns = len(pdd.records.loads(record.read_text(encoding="utf-8")).actions)
    invoke("replay", record, *options, env=env)
    assert naps == [seconds] * turns


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
