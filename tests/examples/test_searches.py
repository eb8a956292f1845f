"""Examples that search agree with each other and with exhaustive search."""

from __future__ import annotations

import importlib
import json
import re
import sys
from itertools import pairwise
from math import prod
from pathlib import Path
from random import Random

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.players import Solver, Tablebase
from support.games import minimax
from support.paths import ROOT, example

BOARDS = [(1, 1), (2, 1), (2, 2), (3, 2), (2, 4)]
MAX_CELLS = 12
"""The tests solve no larger boards of the documentation."""


def opened(rules: pdd.Rules) -> list[pdd.GameState]:
    state = pdd.GameState.initial(rules)
    return [state.apply(action) for action in state.legal_actions]


def name_of(state: pdd.GameState) -> str:
    """Return the name of the class of an opening: white's cells in the canonical form."""
    return ",".join(map(str, state.canonical().position.tiles(pdd.Color.WHITE))) or "pass"


@pytest.mark.parametrize(
    "rules",
    [
        *(pdd.Rules(pdd.Board(*size)) for size in BOARDS),
        pdd.Rules(pdd.Board(4, 2), tiles_per_color=2, bridges=1, tiebreaks=()),
        pytest.param(pdd.Rules(pdd.Board(3, 3)), marks=pytest.mark.slow),
    ],
    ids=pdd.format_rules,
)
def test_the_solver_finds_what_plain_minimax_finds(rules: pdd.Rules) -> None:
    found = example("solve")["solve"](rules, Solver()).openings
    red = pdd.ChooseColor(pdd.Color.RED)
    assert found == {name_of(state): minimax(state.apply(red)) for state in opened(rules)}
    with_choice = minimax(pdd.GameState.initial(rules))
    assert max(-abs(value) for value in found.values()) == with_choice


@pytest.mark.slow
def test_the_pages_have_what_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = [(ROOT / "docs" / "game" / "solved.md").read_text("utf-8")]
    sys.path.insert(0, str(ROOT / "docs"))
    importlib.import_module("measured").fill_marks(None, "game/solved", source)
    [page] = source
    rows = re.findall(r"^\| (\d+×\d+) .*", page, re.MULTILINE)
    small = [row.replace("×", "x") for row in rows if prod(map(int, row.split("×"))) <= MAX_CELLS]
    assert len(small) >= 5
    shown = {
        f"{board.replace('x', '×')}, {winner} wins after: {openings}"
        for winner, blocks in re.findall(r"(white|red) wins:\n((?:\n```.*\n.*\n```\n)+)", page)
        for board, openings in re.findall(r"```\{openings\} (\w+)\n(.+)\n", blocks)
    }
    assert len(shown) >= 10
    file = tmp_path / "solved.json"
    given = [*dict.fromkeys(small), "--table", str(tmp_path), "--json", str(file)]
    example("solve")["main"](given)
    table, notes = capsys.readouterr().out.split("\n\n")
    for line in table.splitlines()[2:]:
        found, _, positions = line.removesuffix(" |").rsplit(" | ", 2)
        assert found in page
        assert f"| {positions} |" in page
    assert {*notes.splitlines()} <= shown
    # The file of the documentation has the same values.
    kept = json.loads((ROOT / "docs" / "game" / "solved.json").read_text("utf-8"))["all"]
    for name, made_now in json.loads(file.read_text("utf-8"))["all"].items():
        for key in ("values", "nodes", "positions"):
            assert kept[name][key] == made_now[key]
    # The tables of the package are equal to new ones.
    for name in ("2x2", "3x3", "4x3"):
        rules = pdd.Rules(pdd.Board(*map(int, name.split("x"))))
        made = Tablebase.open(tmp_path / f"{name}.tablebase")
        bundled = Tablebase.bundled(rules)
        assert bundled is not None
        made.save(tmp_path / "made")
        bundled.save(tmp_path / "bundled")
        assert (tmp_path / "made").read_bytes() == (tmp_path / "bundled").read_bytes()


def test_one_drawn_opening_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    for given in (["--choice", "3x3"], ["--openings=c1,b2", "3x2"]):
        example("solve")["main"](given)
    table, note, *others = capsys.readouterr().out.split("\n\n")
    assert re.search(r"\n\| 3×3 \| 1 \| 0 \| 1 \| 0 \|  \| 0 \| \d+ ", table)
    assert note.startswith("3×3, a draw after: a1,b1\n| board")
    assert others == ["3×2, a draw after: c1,b2\n"]


def test_limits_of_the_solver_are_told() -> None:
    solver = Solver(max_nodes=1)
    rules = pdd.Rules(pdd.Board(3, 3))
    with pytest.raises(TimeoutError, match="a1,b1"):
        example("solve")["solve"](rules, solver)
    with pytest.raises(TimeoutError, match="the whole table"):
        example("solve")["table_of"](rules, solver)


@pytest.mark.parametrize("size", [*BOARDS, (3, 3)])
def test_alpha_beta_finds_what_the_solver_finds(size: tuple[int, int]) -> None:
    rules = pdd.Rules(pdd.Board(*size))
    value = example("alpha_beta")["value"]
    red = pdd.ChooseColor(pdd.Color.RED)
    table: dict[bytes, object] = {}
    states = reversed(opened(rules))
    found = {name_of(state): value(state.apply(red), -1, 1, table) for state in states}
    assert found == example("solve")["solve"](rules, Solver()).openings


def test_the_book_maps_actions_back() -> None:
    book = example("opening_book")
    paths = sorted((ROOT / "examples" / "games").glob("*.pdd"))
    games = [pdd.records.loads(path.read_text("utf-8")) for path in paths]
    made = book["build_book"](games)
    depth = book["DEPTH"]
    rng = Random(1)
    for game in games:
        for state, ply in zip(game.states(), game.plies[:depth], strict=False):
            symmetry = rng.choice(state.rules.board.symmetries)
            turned = state.transform(symmetry)
            outcome = game.state.outcome
            assert outcome is not None
            entry = book["look_up"](made, turned)
            after = {turned.apply(each).canonical(): results for each, results in entry.items()}
            played = state.apply(ply.action).canonical()
            assert after[played][outcome.value(ply.seat)] >= 1
    assert book["look_up"](made, pdd.GameState.initial(pdd.Rules(pdd.Board(9, 9)))) == {}


def test_equal_actions_share_an_entry_of_the_book() -> None:
    book = example("opening_book")
    start = pdd.Game.new(pdd.Rules(pdd.Board(4, 4)))
    games = [start.play(text) for text in ("a1,b1", "d4,d3", "a3,a4", "b2,c3")]
    entry = book["look_up"](book["build_book"](games), start.state)
    assert len(entry) == 2


def test_the_main_line_and_a_game_follow_the_book_of_the_library() -> None:
    made = example("opening_book")
    book = pdd.players.Book.bundled(pdd.Rules())
    line = [text.split()[0] for text in made["main_line"](book)]
    game = pdd.Game.from_actions(book.rules, [*map(pdd.parse_action, line)])
    assert len(line) >= 3
    # The last action of the line leads out of the book.
    assert made["known_plies"](book, game) == len(line) - 1
    begun = pdd.Game.from_actions(book.rules, game.actions[:2])
    assert made["known_plies"](book, begun) == 2


def test_states_of_a_greedy_game_are_one_game() -> None:
    game = example("opening_book")["greedy_game"](3)
    assert game.ending is pdd.Ending.SCORED
    assert all(before != after for before, after in pairwise(game.states()))
