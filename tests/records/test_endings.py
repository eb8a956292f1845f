"""How records tell the end of a game."""

from __future__ import annotations

import pytest

from pontedeldiavolo import Ending, Seat, records
from support.oracle_row import OPENED, WON, WON_ACTIONS


@pytest.mark.parametrize(
    ("tags", "actions", "ending", "winner", "result"),
    [
        ('[Result "*"]', OPENED, None, None, "*"),
        ("", OPENED + " *", None, None, "*"),
        ("", OPENED, None, None, "*"),
        ('[Termination "time"][Result "white"]', OPENED, Ending.TIME, Seat.FIRST, "white"),
        ('[Termination "time"]', OPENED + " red-wins", Ending.TIME, Seat.SECOND, "red"),
        (
            '[Result "first"][Termination "resignation"]',
            OPENED + " first-wins",
            Ending.RESIGNATION,
            Seat.FIRST,
            "white",
        ),
        (
            '[Result "second"][Termination "adjudication"]',
            OPENED,
            Ending.ADJUDICATION,
            Seat.SECOND,
            "red",
        ),
        ('[Termination "agreement"]', OPENED + " draw", Ending.AGREEMENT, None, "draw"),
        ('[Termination "time"][Result "draw"]', "", Ending.TIME, None, "draw"),
        ('[Termination "resignation"]', "first-wins", Ending.RESIGNATION, Seat.FIRST, "first"),
        (
            '[Termination "resignation"]',
            "1. a1,c1 second-wins",
            Ending.RESIGNATION,
            Seat.SECOND,
            "second",
        ),
    ],
)
def test_games_that_ended_or_did_not(
    tags: str, actions: str, ending: Ending | None, winner: Seat | None, result: str
) -> None:
    game = records.loads(f"{tags}\n{actions}")
    assert (game.ending, game.winning_seat, game.result) == (ending, winner, result)
    text = records.dumps(game)
    assert f'[Result "{result}"]' in text
    assert ("Termination" in text) is (ending is not None)
    assert records.loads(text) == game


@pytest.mark.parametrize("result", ["white", "first"])
def test_a_played_out_game_may_name_its_winner_by_seat(result: str) -> None:
    game = records.loads(f'{WON}[Result "{result}"]\n{WON_ACTIONS} {result}-wins')
    assert (game.ending, game.result, game.winning_seat) == (Ending.SCORED, "white", Seat.FIRST)
    assert '[Result "white"]' in records.dumps(game)
