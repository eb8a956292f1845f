"""What values are not made of, and what counts as a whole number."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pontedeldiavolo import (
    Board,
    Bridge,
    BuildBridge,
    Cell,
    ChooseColor,
    Color,
    GameState,
    Group,
    HalfTurn,
    Network,
    Outcome,
    Pass,
    PlaceTile,
    PlaceTiles,
    Position,
    Rules,
    Score,
    Seat,
    Setup,
    Tiebreak,
    Turn,
    Violation,
)
from support.diagrams import cells, play, state_of
from support.odd_numbers import Small, Three

A1, C1 = cells("a1 c1")


BOARD = Board()

WRONG_TYPES: dict[str, Callable[[], object]] = {
    "Cell, text": lambda: Cell("a", 1),  # type: ignore[arg-type]
    "Cell, float": lambda: Cell(1.0, 1),  # type: ignore[arg-type]
    "Cell, bool column": lambda: Cell(True, 1),  # noqa: FBT003
    "Cell, bool row": lambda: Cell(1, False),  # noqa: FBT003
    "Cell, None": lambda: Cell(None, 1),  # type: ignore[arg-type]
    "Board, text": lambda: Board("10", 10),  # type: ignore[arg-type]
    "Board, float": lambda: Board(10, 10.0),  # type: ignore[arg-type]
    "Board, bool": lambda: Board(True, 1),  # noqa: FBT003
    "Board.index, text": lambda: BOARD.index("a1"),  # type: ignore[arg-type]
    "Board.cell_set, text": lambda: BOARD.cell_set(["a1"]),  # type: ignore[list-item]
    "Board.cell_set, a cell": lambda: BOARD.cell_set(A1),  # type: ignore[arg-type]
    "Rules, board": lambda: Rules((10, 10)),  # type: ignore[arg-type]
    "Rules, tiles as text": lambda: Rules(tiles_per_color="40"),  # type: ignore[arg-type]
    "Rules, tiles as float": lambda: Rules(tiles_per_color=40.0),  # type: ignore[arg-type]
    "Rules, tiles as bool": lambda: Rules(tiles_per_color=True),
    "Rules, bridges as bool": lambda: Rules(bridges=False),
    "Rules, tie-break as text": lambda: Rules(tiebreaks=("islands",)),  # type: ignore[arg-type]
    "Rules, one tie-break": lambda: Rules(tiebreaks=Tiebreak.ISLANDS),  # type: ignore[arg-type]
    "Rules.decide, white": lambda: Rules().decide(1, Score(0, 0, 0)),  # type: ignore[arg-type]
    "Rules.decide, red": lambda: Rules().decide(Score(0, 0, 0), (0, 0, 0)),  # type: ignore[arg-type]
    "PlaceTiles, first": lambda: PlaceTiles("a1", A1),  # type: ignore[arg-type]
    "PlaceTiles, second": lambda: PlaceTiles(A1, (0, 1)),  # type: ignore[arg-type]
    "PlaceTile": lambda: PlaceTile(None),  # type: ignore[arg-type]
    "BuildBridge, first": lambda: BuildBridge("a1", A1),  # type: ignore[arg-type]
    "BuildBridge, second": lambda: BuildBridge(A1, 3),  # type: ignore[arg-type]
    "ChooseColor": lambda: ChooseColor("white"),  # type: ignore[arg-type]
    "Pass": lambda: Pass(A1),  # type: ignore[call-arg]
    "Bridge, first": lambda: Bridge("a1", A1),  # type: ignore[arg-type]
    "Bridge, second": lambda: Bridge(A1, None),  # type: ignore[arg-type]
    "Bridge.crosses": lambda: Bridge(A1, C1).crosses("b1-b3"),  # type: ignore[arg-type]
    "Score, text": lambda: Score("3", 2, 1),  # type: ignore[arg-type]
    "Score, float": lambda: Score(3, 2.0, 1),  # type: ignore[arg-type]
    "Score, bool": lambda: Score(3, 2, True),  # noqa: FBT003
    "Outcome": lambda: Outcome("white", None, None, 1, 0),  # type: ignore[arg-type]
    "Outcome.value": lambda: value_of(Color.WHITE),
    "Group": lambda: Group("white", [A1]),  # type: ignore[arg-type]
    "Network": lambda: Network(Color.WHITE, "a1", None),  # type: ignore[arg-type]
    "Violation": lambda: Violation("occupied"),  # type: ignore[arg-type]
    "Turn": lambda: Turn("1", Seat.FIRST, Color.WHITE, Pass()),  # type: ignore[arg-type]
    "HalfTurn, state": lambda: HalfTurn(Board(), A1),  # type: ignore[arg-type]
    "HalfTurn, cell": lambda: HalfTurn(GameState.initial(), "a1"),  # type: ignore[arg-type]
    "Setup, board": lambda: Setup("10x10"),  # type: ignore[arg-type]
    "Setup, white": lambda: Setup(BOARD, white=["a1"]),  # type: ignore[list-item]
    "Setup, red": lambda: Setup(BOARD, red=[(0, 0)]),  # type: ignore[list-item]
    "Setup, one cell": lambda: Setup(BOARD, white=A1),  # type: ignore[arg-type]
    "Setup, bridge": lambda: Setup(BOARD, bridges=[BuildBridge(A1, C1)]),  # type: ignore[list-item]
    "Position": lambda: Position("10x10"),  # type: ignore[arg-type]
    "Position.from_setup": lambda: Position.from_setup("w"),  # type: ignore[arg-type]
    "GameState": GameState,
}


def value_of(seat: object) -> int:
    """Return what a seat won in a finished game."""
    outcome = play(state_of("r r r r", Color.RED), "pass").outcome
    assert outcome is not None
    return outcome.value(seat)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_wrong_types(name: str) -> None:
    with pytest.raises(TypeError):
        WRONG_TYPES[name]()


def test_whatever_counts_as_an_index_is_stored_as_an_int() -> None:
    cell = Cell(Three(), Small.TWO)
    board = Board(Three(), Small.TWO)
    rules = Rules(board, Three(), Small.TWO)
    numbers = [
        cell.column,
        cell.row,
        board.width,
        board.height,
        rules.tiles_per_color,
        rules.bridges,
    ]
    assert numbers == [3, 2, 3, 2, 3, 2]
    assert {type(number) for number in numbers} == {int}
    assert cell == Cell(3, 2)


def test_scores_store_ints() -> None:
    score = Score(Three(), Small.TWO, 1)
    assert score == Score(3, 2, 1)
    assert {type(score.points), type(score.islands), type(score.bridges)} == {int}
