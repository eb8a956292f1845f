"""The types of cells, boards, rules, actions and scores, as type checkers see them."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Literal, assert_type

import pontedeldiavolo as pdd

# Words

assert_type(pdd.Color("white"), pdd.Color)
assert_type(pdd.Color.WHITE.opponent, pdd.Color)
assert_type(pdd.Color.RED.index, int)
assert_type(pdd.Seat("first").opponent, pdd.Seat)
assert_type(pdd.Seat.SECOND.index, int)
assert_type(list(pdd.Phase), list[pdd.Phase])
assert_type(list(pdd.Tiebreak), list[pdd.Tiebreak])
assert_type(list(pdd.DecidedBy), list[pdd.DecidedBy])
assert_type(list(pdd.Ending), list[pdd.Ending])
assert_type(list(pdd.Rule), list[pdd.Rule])
slug: str = pdd.Rule("occupied").value

# Cells and boards

cell = pdd.Cell(2, 3)
other = pdd.Cell(column=4, row=3)
assert_type(cell, pdd.Cell)
assert_type(cell.column, int)
assert_type(cell.row, int)
assert_type(cell < other, bool)
assert_type(sorted([cell, other]), list[pdd.Cell])

board = pdd.Board(8, height=8)
assert_type(board.width, int)
assert_type(board.height, int)
assert_type(board.MAX_SIDE, int)
assert_type(pdd.Board.MAX_SIDE, int)
assert_type(board.cells, tuple[pdd.Cell, ...])
assert_type(board.bridges, tuple[pdd.Bridge, ...])
assert_type(board.index(cell), int)
assert_type(board.cell_set(), pdd.CellSet)
assert_type(board.cell_set({cell}), pdd.CellSet)
assert_type(board.cell_set(each for each in board), pdd.CellSet)
assert_type(cell in board, bool)
assert_type(iter(board), Iterator[pdd.Cell])
assert_type(len(board), int)

bridge = pdd.Bridge(cell, other)
assert_type(bridge.a, pdd.Cell)
assert_type(bridge.b, pdd.Cell)
assert_type(bridge.ends, tuple[pdd.Cell, pdd.Cell])
assert_type(bridge.has_bridge_shape, bool)
assert_type(bridge.cells_beneath, tuple[pdd.Cell, ...])
assert_type(bridge.crosses(bridge), bool)
assert_type(bridge <= pdd.Bridge(cell, other), bool)

# Sets of cells

cells = board.cell_set([cell])
assert_type(cells.bits, int)
assert_type(cells & cells, pdd.CellSet)
assert_type(cells & {cell, "d4"}, pdd.CellSet)
assert_type(cells - cells, pdd.CellSet)
assert_type(cells - {cell}, pdd.CellSet)
assert_type(cells | cells, AbstractSet[pdd.Cell])
assert_type(cells | {"d4"}, AbstractSet[pdd.Cell | str])
assert_type(cells ^ cells, AbstractSet[pdd.Cell])
assert_type(cells ^ {1}, AbstractSet[pdd.Cell | int])
assert_type(cells <= {cell}, bool)
assert_type(cells == {cell}, bool)
assert_type(cells.isdisjoint([cell]), bool)
assert_type(cell in cells, bool)
assert_type(iter(cells), Iterator[pdd.Cell])
assert_type(len(cells), int)
as_a_set: AbstractSet[pdd.Cell] = cells
as_a_frozenset = frozenset(cells)
assert_type(as_a_frozenset, frozenset[pdd.Cell])

# Symmetries

symmetry = pdd.symmetries(board)[1]
assert_type(pdd.symmetries(board), tuple[pdd.Symmetry, ...])
assert_type(symmetry.width, int)
assert_type(symmetry.height, int)
assert_type(symmetry.transposes, bool)
assert_type(symmetry.flips_columns, bool)
assert_type(symmetry.flips_rows, bool)
assert_type(symmetry.is_identity, bool)
assert_type(symmetry.inverse, pdd.Symmetry)
assert_type(symmetry.then(symmetry), pdd.Symmetry)
assert_type(symmetry.point(1, 2), tuple[int, int])
symmetry.require_board(8, 8)

# Actions and steps

pair = pdd.PlaceTiles(cell, other)
tile = pdd.PlaceTile(cell)
building = pdd.BuildBridge(cell, other)
choosing = pdd.ChooseColor(pdd.Color.RED)
passing = pdd.Pass()
assert_type(pair.a, pdd.Cell)
assert_type(pair.b, pdd.Cell)
assert_type(pair.cells, tuple[pdd.Cell, pdd.Cell])
assert_type(tile.cell, pdd.Cell)
assert_type(building.a, pdd.Cell)
assert_type(building.b, pdd.Cell)
assert_type(building.bridge, pdd.Bridge)
assert_type(choosing.color, pdd.Color)
assert_type(pair < passing, bool)

assert_type(cell.transform(symmetry), pdd.Cell)
assert_type(bridge.transform(symmetry), pdd.Bridge)
assert_type(pair.transform(symmetry), pdd.PlaceTiles)
assert_type(tile.transform(symmetry), pdd.PlaceTile)
assert_type(building.transform(symmetry), pdd.BuildBridge)
assert_type(choosing.transform(symmetry), pdd.ChooseColor)
assert_type(passing.transform(symmetry), pdd.Pass)


def actions_are_told_apart(action: pdd.Action) -> pdd.Cell | pdd.Color | None:
    """Every kind is matched, so nothing is left to return."""
    match action:
        case pdd.PlaceTiles(a, _) | pdd.BuildBridge(a, _):
            assert_type(a, pdd.Cell)
            return a
        case pdd.ChooseColor(color):
            assert_type(color, pdd.Color)
            return color
        case pdd.Pass():
            return None


def steps_are_told_apart(step: pdd.Step) -> pdd.Cell | None:
    if isinstance(step, pdd.PlaceTile):
        return step.cell
    assert_type(step, pdd.BuildBridge | pdd.ChooseColor | pdd.Pass)
    return None


actions: list[pdd.Action] = [pair, building, choosing, passing]
steps: list[pdd.Step] = [tile, building, choosing, passing]
assert_type(sorted(actions), list[pdd.Action])
assert_type(sorted(steps), list[pdd.Step])
assert_type([actions_are_told_apart(each) for each in actions], list[pdd.Cell | pdd.Color | None])
assert_type([steps_are_told_apart(each) for each in steps], list[pdd.Cell | None])

# Rules and scores

rules = pdd.Rules(board, tiles_per_color=40, bridges=None, tiebreaks=[pdd.Tiebreak.BRIDGES])
score = pdd.Score(points=3, islands=2, bridges=1)
assert_type(rules.board, pdd.Board)
assert_type(rules.tiles_per_color, int | None)
assert_type(rules.bridges, int | None)
assert_type(rules.tiebreaks, tuple[pdd.Tiebreak, ...])
assert_type(rules.decide(score, score), tuple[pdd.Color | None, pdd.DecidedBy])
assert_type(score.points, int)
assert_type(score.islands, int)
assert_type(score.bridges, int)

outcome = pdd.Outcome(None, None, pdd.DecidedBy.NOTHING, score, score)
assert_type(outcome.winner, pdd.Color | None)
assert_type(outcome.winning_seat, pdd.Seat | None)
assert_type(outcome.decided_by, pdd.DecidedBy)
assert_type(outcome.white, pdd.Score)
assert_type(outcome.red, pdd.Score)
assert_type(outcome.value(pdd.Seat.FIRST), int)


def colors_have_two_members(color: pdd.Color) -> Literal["light", "dark"]:
    return "light" if color is pdd.Color.WHITE else "dark"
