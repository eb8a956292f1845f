"""``show``: boards, scores and diagrams."""

from __future__ import annotations

from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, Phase, Seat
from support.commands import invoke, lines_of
from support.diagrams import MORE_BRIDGES, MORE_ISLANDS, state_of
from support.games import SMALL


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
        "Turn 1: Player 1 opens the game with two white tiles.",
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
        ["Turn 3: Red to move (player 1). Left: 1 white tiles, 2 red tiles, 1 bridge."],
    ),
    "last turn": (
        state_of("w w", Color.RED, phase=Phase.LAST_TURN),
        ["Turn 3: Red has the last turn (player 2)."],
    ),
    "colour choice": (
        state_of("w w .", phase=Phase.COLOR_CHOICE),
        [
            "White: 0 points, 0 islands, 0 bridges",
            "Player 2 chooses a colour.",
        ],
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
    "nothing": (
        state_of("w . r", phase=Phase.OVER),
        ["The game is a draw with equal points (0)."],
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
        score, seat = game.state.score(color), game.state.owner(color)
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
    text = '[First "Zoë"]\n[Second "Bo"]\n\n1. d4,g7 *\n'
    written = invoke(
        "show", "-", "--svg", "--ascii", keys=text.encode(), charset="ascii"
    ).stdout_bytes
    assert "<title>Ponte del Diavolo, Zoë – Bo</title>" in written.decode()
