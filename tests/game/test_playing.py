"""Games made of actions, games lost by name, and what a play costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

import pontedeldiavolo as pdd
from support.oracle_row import row_game
from support.strategies import SMALL_RULES, games

if TYPE_CHECKING:
    pass

SMALL = pdd.Rules(pdd.Board(5, 5))
TINY = pdd.Rules(pdd.Board(2, 1))
OPENING = ("a1,b2", "red", "c3,d4")

# Of actions


@given(games(SMALL_RULES))
def test_a_game_of_actions_is_the_game_in_which_they_were_played(game: pdd.Game) -> None:
    for actions in (game.actions, map(pdd.format_action, game.actions)):
        made = pdd.Game.from_actions(game.rules, actions, tags=game.tags)
        assert made == game.undo(0)
        assert made.state == game.state
        assert made.line.depth == 0


def test_a_game_of_actions_may_start_anywhere() -> None:
    start = pdd.Game.from_actions(SMALL, OPENING).state
    game = pdd.Game.from_actions(None, iter(["a3,e5"]), tags={"First": "Ada"}, start=start)
    assert game == pdd.Game.new(start=start, tags={"First": "Ada"}).play("a3,e5")
    assert pdd.Game.from_actions(SMALL, ()) == pdd.Game.new(SMALL)


@pytest.mark.parametrize(
    ("rules", "actions", "error"),
    [
        (SMALL, ["a1,b2", "red", "c3,d4", "a1,a2"], pdd.IllegalActionError),
        (SMALL, ["a1,b2", "red", "c3,d4", "a1;a2"], pdd.NotationError),
        (SMALL, ["a1,b2", "red", "c3,d4", "a3,e5", 7], TypeError),
        (TINY, ["a1,b1", "red", "pass", "pass"], pdd.IllegalActionError),
    ],
)
def test_an_error_has_the_number_of_the_action(
    rules: pdd.Rules, actions: list[str], error: type[Exception]
) -> None:
    before = pdd.Game.from_actions(rules, actions[:-1])
    with pytest.raises(error) as played:
        before.play(actions[-1])
    with pytest.raises(error) as made:
        pdd.Game.from_actions(rules, actions)
    assert made.value.args == played.value.args
    assert made.value.__notes__ == [f"This is action {len(actions)} of a game."]
    with pytest.raises(error) as varied:
        pdd.Game.from_actions(rules, actions[:3]).with_variation((2,), actions[2:])
    assert varied.value.__notes__ == [f"This is action {len(actions) - 2} of a variation."]


# Lost by name


@pytest.mark.parametrize("seat", pdd.Seat)
def test_the_loser_is_named(seat: pdd.Seat) -> None:
    game = pdd.Game.from_actions(SMALL, OPENING)
    assert game.resign(seat) == game.end(pdd.Ending.RESIGNATION, winner=seat.opponent)
    assert game.flag(seat) == game.end(pdd.Ending.TIME, winner=seat.opponent)
    assert game.flag(seat).winning_seat is seat.opponent


def test_the_turns_of_a_game() -> None:
    game = row_game()
    (first, second), (white, red) = pdd.Seat, pdd.Color
    assert [(turn.number, turn.seat, turn.color) for turn in game.turns] == [
        *((1, first, white), (1, second, None), (2, first, red), (3, second, white)),
        *((4, first, red), (5, second, white), (6, first, red)),
    ]
    assert [state.turn for state in game.states()] == [0, 1, 1, 2, 3, 4, 5, 6]
    assert list(game.states())[-1] == game.state


@pytest.mark.parametrize("path", [(0,), (2,), (4,), (2, 0, 0), (2, 0, 1), (2, 0, 1, 0, 0)])
def test_a_line_knows_its_depth_after_any_replacement(path: tuple[int, ...]) -> None:
    game = pdd.Game.from_actions(SMALL, (*OPENING, "a3,e5", "c1,d1"))
    game = game.with_variation((2,), ["c4,d4", "a3,e5"]).with_variation((2, 0, 1), ["a4,e5"])
    deep = pdd.Move(pdd.Pass(), variations=[game.line, game.line_at((2, 0))])
    for move in (pdd.Move(pdd.Pass()), deep, *(move for _, move in game.walk())):
        found = game.line.replaced(path, move)
        # Made again, with all checks.
        assert found.depth == pdd.Line(found.moves).depth
