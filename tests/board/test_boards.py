"""Boards of all shapes, and what lies on them."""

from __future__ import annotations

import time

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Cell, GameState, Rules
from support.diagrams import cells

A1, B2, C3 = cells("a1 b2 c3")


@pytest.mark.parametrize(
    ("width", "height", "bridges"), [(10, 10, 576), (12, 12, 880), (8, 8, 336), (3, 3, 16)]
)
def test_the_number_of_possible_bridges(width: int, height: int, bridges: int) -> None:
    board = Board(width, height)
    assert len(board.bridges) == bridges
    assert len(board) == len(board.cells) == width * height


@pytest.mark.parametrize(
    ("width", "height"), [(1, 1), (1, 9), (9, 1), (2, 2), (3, 3), (26, 26), (40, 7), (64, 64)]
)
def test_boards_of_all_shapes(width: int, height: int) -> None:
    started = time.perf_counter()
    board = Board(width, height)
    assert list(board) == sorted(board.cells)
    assert all(board.index(cell) == place for place, cell in enumerate(board.cells))
    assert board.cells[-1] == Cell(width - 1, height - 1)
    straight = max(0, width - 2) * height + width * max(0, height - 2)
    diagonal = 2 * max(0, width - 2) * max(0, height - 2)
    knights = 2 * (width - 1) * max(0, height - 2) + 2 * max(0, width - 2) * (height - 1)
    assert len(board.bridges) == straight + diagonal + knights
    assert list(board.bridges) == sorted(set(board.bridges))
    assert all(each.has_bridge_shape for each in board.bridges)
    state = GameState.initial(Rules(board))
    cell_count = width * height
    assert len(state.legal_actions) == max(1, cell_count * (cell_count - 1) // 2)
    assert time.perf_counter() - started < 60


@pytest.mark.parametrize(
    ("width", "height"), [(0, 5), (5, 0), (65, 1), (1, 65), (-1, 3), (9**9, 1)]
)
def test_boards_have_a_longest_and_a_shortest_side(width: int, height: int) -> None:
    with pytest.raises(pdd.InvalidRulesError, match="must be 1 to 64"):
        Board(width, height)
    assert Board.MAX_SIDE >= 64


def test_cells_on_and_off_a_board() -> None:
    board = Board(3, 2)
    assert B2 in board
    assert C3 not in board
    assert "a1" not in board
    assert Cell(3, 0) not in board
    assert board.index(B2) == 4
    for text in ("d1", "a3", "d3", "bl64"):
        with pytest.raises(pdd.PonteError, match=f"{text} is off the 3×2 board"):
            board.index(*cells(text))
        with pytest.raises(pdd.PonteError, match="off"):
            board.cell_set([A1, *cells(text)])


def test_boards_default_to_the_original() -> None:
    assert Board() == Board(10, 10) == Board(width=10, height=10)
