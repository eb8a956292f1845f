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
from support.checks import wrong_type
from support.diagrams import cells, play, state_of
from support.index_likes import Small, Three

A1, C1 = cells("a1 c1")


BOARD = Board()

WRONG_TYPES: dict[str, tuple[str, Callable[[], object]]] = {
    "Cell, text": ("column", lambda: Cell("a", 1)),  # type: ignore[arg-type]
    "Cell, float": ("column", lambda: Cell(1.0, 1)),  # type: ignore[arg-type]
    "Cell, bool column": ("column", lambda: Cell(True, 1)),  # noqa: FBT003
    "Cell, bool row": ("row", lambda: Cell(1, False)),  # noqa: FBT003
    "Cell, None": ("column", lambda: Cell(None, 1)),  # type: ignore[arg-type]
    "Board, text": ("width", lambda: Board("10", 10)),  # type: ignore[arg-type]
    "Board, float": ("height", lambda: Board(10, 10.0)),  # type: ignore[arg-type]
    "Board, bool": ("width", lambda: Board(True, 1)),  # noqa: FBT003
    "Board.index, text": ("cell", lambda: BOARD.index("a1")),  # type: ignore[arg-type]
    "Board.cell_set, text": ("cell", lambda: BOARD.cell_set(["a1"])),  # type: ignore[list-item]
    "Rules, board": ("board", lambda: Rules((10, 10))),  # type: ignore[arg-type]
    "Rules, tiles as text": ("tiles_per_color", lambda: Rules(tiles_per_color="40")),  # type: ignore[arg-type]
    "Rules, tiles as float": ("tiles_per_color", lambda: Rules(tiles_per_color=40.0)),  # type: ignore[arg-type]
    "Rules, tiles as bool": ("tiles_per_color", lambda: Rules(tiles_per_color=True)),
    "Rules, bridges as bool": ("bridges", lambda: Rules(bridges=False)),
    "Rules, tie-break as text": ("tie-break", lambda: Rules(tiebreaks=("islands",))),  # type: ignore[arg-type]
    "Rules.decide, white": ("white's score", lambda: Rules().decide(1, Score(0, 0, 0))),  # type: ignore[arg-type]
    "Rules.decide, red": ("red's score", lambda: Rules().decide(Score(0, 0, 0), (0, 0, 0))),  # type: ignore[arg-type]
    "PlaceTiles, first": ("a", lambda: PlaceTiles("a1", A1)),  # type: ignore[arg-type]
    "PlaceTiles, second": ("b", lambda: PlaceTiles(A1, (0, 1))),  # type: ignore[arg-type]
    "PlaceTile": ("cell", lambda: PlaceTile(None)),  # type: ignore[arg-type]
    "BuildBridge, first": ("a", lambda: BuildBridge("a1", A1)),  # type: ignore[arg-type]
    "BuildBridge, second": ("b", lambda: BuildBridge(A1, 3)),  # type: ignore[arg-type]
    "ChooseColor": ("color", lambda: ChooseColor("white")),  # type: ignore[arg-type]
    "Bridge, first": ("a", lambda: Bridge("a1", A1)),  # type: ignore[arg-type]
    "Bridge, second": ("b", lambda: Bridge(A1, None)),  # type: ignore[arg-type]
    "Bridge.crosses": ("other", lambda: Bridge(A1, C1).crosses("b1-b3")),  # type: ignore[arg-type]
    "Score, text": ("points", lambda: Score("3", 2, 1)),  # type: ignore[arg-type]
    "Score, float": ("islands", lambda: Score(3, 2.0, 1)),  # type: ignore[arg-type]
    "Score, bool": ("bridges", lambda: Score(3, 2, True)),  # noqa: FBT003
    "Outcome": ("winner", lambda: Outcome("white", None, None, 1, 0)),  # type: ignore[arg-type]
    "Outcome.value": ("seat", lambda: value_of(Color.WHITE)),
    "Group": ("color", lambda: Group("white", [A1])),  # type: ignore[arg-type]
    "Network": ("groups", lambda: Network(Color.WHITE, "a1", None)),  # type: ignore[arg-type]
    "Violation": ("rule", lambda: Violation("occupied")),  # type: ignore[arg-type]
    "Turn": ("number", lambda: Turn("1", Seat.FIRST, Color.WHITE, Pass())),  # type: ignore[arg-type]
    "HalfTurn, state": ("state", lambda: HalfTurn(Board(), A1)),  # type: ignore[arg-type]
    "HalfTurn, first": ("first", lambda: HalfTurn(GameState.initial(), "a1")),  # type: ignore[arg-type]
    "Setup, board": ("board", lambda: Setup("10x10")),  # type: ignore[arg-type]
    "Setup, white": ("cell", lambda: Setup(BOARD, white=["a1"])),  # type: ignore[list-item]
    "Setup, red": ("cell", lambda: Setup(BOARD, red=[(0, 0)])),  # type: ignore[list-item]
    "Setup, bridge": ("bridge", lambda: Setup(BOARD, bridges=[BuildBridge(A1, C1)])),  # type: ignore[list-item]
    "Position": ("pieces", lambda: Position("10x10")),  # type: ignore[arg-type]
    "Position.from_setup": ("setup", lambda: Position.from_setup("w")),  # type: ignore[arg-type]
}
"""What is refused, and the name that the error begins with."""

REFUSED_OTHERWISE: dict[str, tuple[str, Callable[[], object]]] = {
    "Board.cell_set, a cell": ("cells must be Iterable, not Cell", lambda: BOARD.cell_set(A1)),  # type: ignore[arg-type]
    "Rules, one tie-break": (
        "tiebreaks must be Iterable, not Tiebreak",
        lambda: Rules(tiebreaks=Tiebreak.ISLANDS),  # type: ignore[arg-type]
    ),
    "Pass": ("takes 1 positional argument", lambda: Pass(A1)),  # type: ignore[call-arg]
    "Setup, one cell": ("white must be Iterable, not Cell", lambda: Setup(BOARD, white=A1)),  # type: ignore[arg-type]
    "GameState": ("a state is made by", GameState),
}


def value_of(seat: object) -> int:
    """Return what a seat won in a finished game."""
    outcome = play(state_of("r r r r", Color.RED), "pass").outcome
    assert outcome is not None
    return outcome.value(seat)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_wrong_types(name: str) -> None:
    argument, make = WRONG_TYPES[name]
    with wrong_type(argument):
        make()


@pytest.mark.parametrize("name", REFUSED_OTHERWISE)
def test_what_python_or_another_sentence_refuses(name: str) -> None:
    said, make = REFUSED_OTHERWISE[name]
    with pytest.raises(TypeError, match=said):
        make()


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
