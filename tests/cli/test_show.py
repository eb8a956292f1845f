"""``show``, ``replay``, ``moves`` and ``perft``: boards, scores, legal actions, counts."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, Game, Phase, Seat
from pontedeldiavolo.base.catalogs import rules_summary
from support.commands import EARLY, TERMINAL, TINY, invoke, lines_of
from support.diagrams import MORE_BRIDGES, MORE_ISLANDS, state_of
from support.games import SMALL


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_rules_on_one_page(lang: str) -> None:
    done = invoke("rules", "--ascii", "--lang", lang)
    title, sections = rules_summary(lang)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, title)
    said = " ".join(done.stdout.split())
    assert all(" ".join(section.text.split()) in said for section in sections)
    assert done.stdout.count("a   b   c") == sum(len(section.boards) for section in sections)


def test_show_draws_an_empty_board() -> None:
    lines = lines_of(invoke("show", "--rules", SMALL))
    rows = "\n\n".join(f"{row}  ·   ·   ·   ·" for row in "4321")
    assert lines == [
        *rows.splitlines(),
        "   a   b   c   d",
        "",
        "□ ○ white   ■ ● red   squares: islands   circles: sandbanks   × blocked",
        "",
        "Turn 1: Player 1 opens the game with two white tiles.",
    ]


def test_show_in_ascii() -> None:
    state = pdd.format_state(state_of("w w w w . r"))
    assert lines_of(invoke("show", state, "--ascii"))[0] == "1 :W:::W:::W:::W:  .  #r#"
    assert invoke("show", state, "--ascii").stdout.isascii()


def test_show_falls_back_to_ascii_where_nothing_else_can_be_written() -> None:
    result = invoke("show", "--rules", SMALL, charset="ascii")
    assert result.stdout_bytes.decode("ascii").startswith("4  .   .   .   .\n")


STATES: dict[str, tuple[pdd.GameState, list[str]]] = {
    "play": (
        state_of("w w w w . r r .", Color.RED),
        [
            "White (player 1): 1 point, 1 island, 0 bridges",
            "Red (player 2): 0 points, 0 islands, 0 bridges",
            "1 sandbank in networks without an island",
            "Turn 4: Red to move (player 2).",
        ],
    ),
    "supply": (
        state_of("w . w . r", Color.RED, tiles=3, bridges=1, white_owner=Seat.SECOND),
        ["Turn 3: Red to move (player 1). Left: 1 white tile, 2 red tiles, 1 bridge."],
    ),
    "last turn": (
        state_of("w w", Color.RED, phase=Phase.LAST_TURN),
        ["Turn 3: Red has the last turn (player 2)."],
    ),
    "colour choice": (
        state_of("w w .", phase=Phase.COLOR_CHOICE),
        ["White: 0 points, 0 islands, 0 bridges", "Player 2 chooses a colour."],
    ),
    "points": (
        state_of("w w w w . r .", phase=Phase.OVER, tiles=4),
        ["White (player 1) wins by points, 1 to 0."],
    ),
    "islands": (
        state_of(MORE_ISLANDS, phase=Phase.OVER, tiles=12),
        ["White (player 1) wins by islands, 3 to 2, with equal points (3)."],
    ),
    "bridges": (
        state_of(MORE_BRIDGES, phase=Phase.OVER, tiles=5, white_owner=Seat.SECOND),
        ["Red (player 1) wins by bridges, 1 to 0, with equal points (1)."],
    ),
    "nothing": (state_of("w . r", phase=Phase.OVER), ["The game is a draw with equal points (0)."]),
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
    start = lines.index("Red (player 2): 3 points, 2 islands, 1 bridge")
    assert lines[start : start + 6] == [
        "Red (player 2): 3 points, 2 islands, 1 bridge",
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
    start = lines.index("White (player 1): 1 point, 1 island, 4 bridges")
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
        score = game.state.score(color)
        seat = game.state.owner(color)
        assert seat is not None
        who = f"{color.value.capitalize()} ({game.tags[seat.value.capitalize()]})"
        assert any(line.startswith(f"{who}: {score.points} point") for line in lines)
    assert lines[-1].startswith(("White", "Red", "The game is a draw"))


def test_show_takes_actions_as_they_are() -> None:
    lines = lines_of(invoke("show", "d4,g7"))
    assert lines[12] == " 4  ·   ·   ·  [○]  ·   ·   ·   ·   ·   ·"
    assert lines[-1] == "Player 2 chooses a colour."


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


def test_show_writes_a_picture_in_svg_and_nothing_else(record: Path, tmp_path: Path) -> None:
    game = pdd.records.loads(record.read_text(encoding="utf-8"))
    picture = pdd.svg.render(game, last=game.actions[-1])
    assert invoke("show", record, "--svg").stdout == f"{picture}\n"
    path = tmp_path / "diagram.txt"
    path.write_text("w r w\nbridges a1-c1\nwhite d1\n", encoding="utf-8")
    diagram = pdd.parse_setup(path.read_text(encoding="utf-8"))
    assert invoke("show", path, "--svg").stdout == f"{pdd.svg.render(diagram)}\n"
    empty = pdd.GameState.initial(pdd.parse_rules(SMALL))
    assert invoke("show", "--rules", SMALL, "--svg").stdout == f"{pdd.svg.render(empty)}\n"


def test_show_writes_svg_in_utf_8_to_any_terminal() -> None:
    keys = '[First "Zoë"]\n[Second "Bo"]\n\n1. d4,g7 *\n'.encode()
    written = invoke("show", "-", "--svg", "--ascii", keys=keys, charset="ascii").stdout_bytes
    assert "<title>Ponte del Diavolo, Zoë – Bo</title>" in written.decode()


def test_replay_ends_by_itself_with_board_scores_and_winner(record: Path) -> None:
    game = pdd.records.loads(record.read_text(encoding="utf-8"))
    lines = lines_of(invoke("replay", record))
    assert lines[:4] == ["First: Ada", "Second: Bo", f"Rules: {SMALL}", ""]
    turns = [line for line in lines if line.startswith("Turn ")]
    assert len(turns) == len(game.actions)
    for line, ply in zip(turns, game.plies, strict=True):
        name = "Ada" if ply.seat is Seat.FIRST else "Bo"
        if ply.color is None:
            assert line.startswith("Turn 1: Bo chose ")
        elif ply.turn == 1:
            assert line.startswith("Turn 1: White placed tiles on ")
        else:
            assert line.startswith(f"Turn {ply.turn}: {ply.color.value.capitalize()} ({name}) ")
        cells = re.findall(r"[a-d][1-4]", pdd.format_action(ply.action))
        assert all(f" {cell}" in line for cell in cells)
    boards = [line for line in lines if line.startswith("4 ")]
    assert len(boards) == len(game.actions)
    assert lines[-1] == lines_of(invoke("show", record))[-1]
    # After the turns, the output is that of ``show``.
    end = lines_of(invoke("show", record))
    assert lines[-len(end) + 8 :] == end[8:]


def test_replay_can_show_the_end_only(record: Path) -> None:
    lines = lines_of(invoke("replay", record, "--only-end"))
    assert not any(line.startswith("Turn ") for line in lines)
    assert lines[4:] == lines_of(invoke("show", record))


def test_replay_points_follow_the_board() -> None:
    # White places two tiles at a time, so its island is complete on its second turn.
    text = "a1,b1 red 2. d4,c4 3. a2,b2 4. d3,c3"
    lines = lines_of(invoke("replay", "-", keys=f'[Rules "{SMALL}"]\n{text}\n'))
    points = [line.partition(". ")[2] for line in lines if line.startswith("Turn ")][:5]
    # Where nobody has points, they are left out.
    assert points == ["", "", "", "Points: white 1, red 0.", "Points: white 1, red 1."]


def test_replay_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new.pdd"
    path.write_text(f'[Rules "{TINY}"]\n*\n')
    lines = lines_of(invoke("replay", path))
    assert lines == [f"Rules: {TINY}", "", *lines_of(invoke("show", path))]
    assert lines[-1] == "Turn 1: White to move (player 1); no two tiles can be placed."


def test_replay_of_a_board_without_room() -> None:
    lines = lines_of(invoke("replay", "-", keys=f'[Rules "{TINY}"]\npass red pass\n'))
    assert [line for line in lines if line.startswith("Turn")] == [
        "Turn 1: White passed.",
        "Turn 1: Player 2 chose red.",
        "Turn 2: Red (player 2) passed.",
    ]
    assert lines[-1] == "The game is a draw with equal points (0)."


def test_replay_says_how_a_game_ended_early_or_stands() -> None:
    early = pdd.records.loads(EARLY)
    for game, sentence in (
        (early.resign(Seat.SECOND), "Red (Ada) wins by resignation."),
        (Game.new().play("d4,g7").resign(Seat.SECOND), "Player 1 wins by resignation."),
        (early, "Turn 4: Red to move (Ada)."),
    ):
        assert lines_of(invoke("replay", "-", keys=pdd.records.dumps(game)))[-1] == sentence


def test_replay_chooses_among_games(archive: Path) -> None:
    first = lines_of(invoke("replay", archive))
    assert "Round: 1" in first
    assert first[-1] == "The file has more games: --game 2 shows the next one."
    last = lines_of(invoke("replay", archive, "--game", "3"))
    assert "Round: 3" in last
    assert "--game" not in last[-1]


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Collect the durations for which a command would sleep."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    return slept


@pytest.mark.parametrize(
    ("options", "env", "seconds"),
    [("", {}, 0), ("--delay 1.5", {}, 1.5), ("", TERMINAL, 0.3), ("--delay 0", TERMINAL, 0)],
)
def test_replay_waits_on_terminals_only(
    record: Path, naps: list[float], options: str, env: dict[str, str], seconds: float
) -> None:
    turns = len(pdd.records.loads(record.read_text(encoding="utf-8")).actions)
    invoke("replay", record, *options.split(), env=env)
    assert naps == [seconds] * turns


def test_replay_moves_the_board_in_place_where_it_fits(record: Path, naps: list[float]) -> None:
    turns = len(pdd.records.loads(record.read_text(encoding="utf-8")).actions)
    in_place = invoke("replay", record, env=TERMINAL).stdout
    # The cursor is hidden and moves up, so that each board replaces the last one.
    assert "\x1b[?25l" in in_place
    assert in_place.count("Turn ") == turns
    # A compact board fits on a smaller terminal.
    smaller = invoke("replay", record, env={**TERMINAL, "LINES": "8"}).stdout
    assert "\x1b[?25l" in smaller
    assert len(smaller.splitlines()) < len(in_place.splitlines())
    for size in ({"LINES": "7"}, {"COLUMNS": "10"}, {"TERM": "dumb"}):
        result = invoke("replay", record, env={**TERMINAL, **size})
        assert result.exit_code == 0
        assert "\x1b[?25l" not in result.stdout
    assert len(naps) == 5 * turns


def test_replay_steps_with_enter(record: Path, naps: list[float]) -> None:
    turns = len(pdd.records.loads(record.read_text(encoding="utf-8")).actions)
    result = invoke("replay", record, "--step", keys="\n" * turns)
    assert result.stdout.count("Enter: the next turn ") == turns
    # At the end of the input, the command goes on without waiting.
    result = invoke("replay", record, "--step", keys="\n")
    assert result.exit_code == 0
    assert result.stdout.count("Enter: the next turn ") == 2
    assert result.stdout.splitlines()[-1] == lines_of(invoke("show", record))[-1]
    assert naps == []


def test_moves_lists_some_of_each_kind() -> None:
    state = state_of("3 w . w\n2 . . .\n1 . . .")
    lines = lines_of(invoke("moves", pdd.format_state(state), "--limit", "2"))
    legal = state.legal_actions
    assert lines[:2] == ["Turn 2: White to move (player 1).", f"{len(legal)} legal actions in all."]
    pairs = [f"  {pdd.format_action(pair)}" for pair in legal.pairs]
    assert lines[2:5] == [f"{len(pairs)} pairs of tiles:", *pairs[:2]]
    assert lines[5] == f"  ... and {len(pairs) - 2} more"
    assert lines[6:] == ["1 bridge:", "  a3-c3"]


def test_moves_can_list_all() -> None:
    listed = [line.strip() for line in lines_of(invoke("moves", "--rules", SMALL, "--all"))[3:]]
    state = pdd.GameState.initial(pdd.parse_rules(SMALL))
    assert listed == [pdd.format_action(action) for action in state.legal_actions]
    assert len(lines_of(invoke("moves", "--rules", SMALL))) == 3 + 20 + 1
    assert len(lines_of(invoke("moves", "--rules", SMALL, "--limit", "0"))) == 3 + 1
    assert len(lines_of(invoke("moves", "--limit", "9" * 30))) == 3 + 4950


def test_moves_of_other_kinds(record: Path) -> None:
    lines = lines_of(invoke("moves", "d4,g7"))
    assert lines[:2] == ["Player 2 chooses a colour.", "2 legal actions in all."]
    assert lines[2:] == ["2 choices of a colour:", "  white", "  red"]
    lines = lines_of(invoke("moves", "--rules", TINY))
    assert lines[1:] == ["1 legal action in all.", "1 pass:", "  pass"]
    assert lines_of(invoke("moves", record))[1:] == ["0 legal actions in all."]


def test_moves_of_the_end_of_a_record(archive: Path, record: Path) -> None:
    assert lines_of(invoke("moves", "--record", record)) == lines_of(invoke("moves", record))
    second = lines_of(invoke("moves", "--record", archive, "--game", "2"))
    with archive.open(encoding="utf-8") as file:
        game = list(pdd.records.iter_games(file))[1]
    assert second == lines_of(invoke("moves", pdd.format_state(game.state)))


# Each case: a diagram, a question, and the beginnings of the answer's lines in each language.
EXPLAINED = [
    ("w . . .", "b1,C1", "b1,c1 is legal.|Both cells are free", "b1,c1 ist erlaubt.|Beide Felder"),
    ("w . . .", "d1", "d1 is legal.|The cell is free", "d1 ist erlaubt.|Das Feld"),
    ("w . w .", "a1-c1", "a1-c1 is legal.|Both ends", "a1-c1 ist erlaubt.|Beide E"),
    ("w", "pass", "pass is legal.|There is no", "pass ist erlaubt.|Es lassen sich keine zwei"),
    (
        *("w . . .", "a1,e1"),
        "a1,e1 is not legal.|Off the 4×1 board: e1.|Already taken by a tile: a1.",
        "a1,e1 ist nicht erlaubt.|Nicht auf dem 4×1-Brett: e1.|Schon mit einem Stein",
    ),
    (
        *("w . . .", "pass"),
        "pass is not legal.|Passing is not allowed while a legal pair of tiles exists.",
        "pass ist nicht erlaubt.|Passen ist nicht erlaubt, solange",
    ),
    (
        *("w . . .", "a1", "a1 is not legal.|Already taken by a tile: a1."),
        "a1 ist nicht erlaubt.|Schon mit einem Stein belegt: a1.",
    ),
]


@pytest.mark.parametrize(("diagram", "action", "english", "german"), EXPLAINED)
def test_moves_explains(diagram: str, action: str, english: str, german: str) -> None:
    state = pdd.format_state(state_of(diagram))
    status = 1 if "not legal" in english else 0
    for lang, expected in (("en", english), ("de", german)):
        lines = lines_of(invoke("moves", state, "--explain", action, "--lang", lang), status)
        for line, start in zip(lines, expected.split("|"), strict=True):
            assert line.startswith(start)


def test_moves_explains_the_choice_of_a_colour() -> None:
    assert lines_of(invoke("moves", "d4,g7", "--explain", "white")) == [
        "white is legal.",
        "White's first two tiles lie on the board, and the colour is chosen now.",
    ]
    assert lines_of(invoke("moves", "--explain", "white"), 1)[0] == "white is not legal."


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
    legal = start.legal_actions
    after = {pdd.format_action(action): pdd.perft(start.apply(action), 1) for action in legal}
    assert divided == {action: str(count) for action, count in after.items()}
    assert sum(map(int, divided.values())) == numbers(lines[:3])[-1][1]


def test_perft_of_a_finished_game(record: Path) -> None:
    assert numbers(lines_of(invoke("perft", record, "--depth", "2"))) == [(1, 0), (2, 0)]


def test_perft_needs_no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", lambda: 1.0)
    line = lines_of(invoke("perft", "--rules", SMALL, "--depth", "1"))[1]
    assert line.split() == ["1", "120", "0.000", "-"]
