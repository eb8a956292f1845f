"""How games end, and what their turns tell."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, Ending, Game, Seat
from support.checks import wrong_type
from support.oracle_row import row_game


@pytest.mark.parametrize(
    "game",
    [row_game(), Game.new().end(Ending.TIME), row_game().undo(1).end(Ending.AGREEMENT)],
)
def test_games_that_ended_take_no_more(game: Game) -> None:
    more: list[Callable[[], object]] = [
        lambda: game.play("pass"),
        lambda: game.end(Ending.TIME),
    ]
    for each in more:
        with pytest.raises(pdd.IllegalActionError) as caught:
            each()
        assert [fault.rule for fault in caught.value.violations] == [pdd.Rule.GAME_OVER]
    assert game.undo(0).actions == game.actions


def test_how_a_game_cannot_end() -> None:
    with pytest.raises(pdd.PonteError, match="scored"):
        Game.new().end(Ending.SCORED)
    with pytest.raises(pdd.PonteError, match="winner"):
        Game.new().end(Ending.RESIGNATION)
    for wrong in ("time", None):
        with wrong_type("ending"):
            Game.new().end(wrong)  # type: ignore[arg-type]
    with wrong_type("winner"):
        Game.new().end(Ending.TIME, Color.WHITE)  # type: ignore[arg-type]
    for count in (-1, 1):
        with pytest.raises(pdd.PonteError, match="take back"):
            Game.new().undo(count)
    with wrong_type("count"):
        Game.new().undo(True)  # noqa: FBT003
    for action in (None, 1, pdd.PlaceTile(pdd.Cell(0, 0))):
        with wrong_type("action"):
            Game.new().play(action)  # type: ignore[arg-type]


def test_the_turns_of_a_game() -> None:
    game = row_game()
    assert [(turn.number, turn.seat, turn.color) for turn in game.turns] == [
        (1, Seat.FIRST, Color.WHITE),
        (1, Seat.SECOND, None),
        (2, Seat.FIRST, Color.RED),
        (3, Seat.SECOND, Color.WHITE),
        (4, Seat.FIRST, Color.RED),
        (5, Seat.SECOND, Color.WHITE),
        (6, Seat.FIRST, Color.RED),
    ]
    assert [state.turn for state in game.states()] == [0, 1, 1, 2, 3, 4, 5, 6]
    assert list(game.states())[-1] == game.state
