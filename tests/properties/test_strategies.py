"""The public strategies shrink to little, and name the actions before an error in play."""

from __future__ import annotations

import pytest
from hypothesis import find, given, settings

import pontedeldiavolo as pdd
from pontedeldiavolo.testing import strategies
from support.strategies import SMALL_RULES, share

LITTLE = settings(database=None, derandomize=True, max_examples=500)


def test_states_shrink_to_few_pieces_on_a_small_board() -> None:
    found = find(strategies.states(), lambda state: bool(state.position.blocked), settings=LITTLE)
    assert len(found.rules.board) <= 12
    assert len(found.position.bridges(pdd.Color.WHITE) + found.position.bridges(pdd.Color.RED)) == 1
    # Hypothesis draws constants of all loaded modules, so other tests in the process change where
    # it gets stuck: mostly at three turns.
    assert found.turn <= 6


@pytest.mark.parametrize("phase", pdd.Phase)
def test_a_phase_is_reached(phase: pdd.Phase) -> None:
    @share(0.2)
    @given(strategies.states(SMALL_RULES, phase))
    def check(state: pdd.GameState) -> None:
        assert state.phase is phase

    check()


def test_an_error_within_play_names_the_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    right = strategies.chosen

    def wrong(state: pdd.GameState, *arguments: int, **options: bool) -> pdd.Action:
        if state.turn == 2:
            raise ZeroDivisionError
        return right(state, *arguments, **options)

    monkeypatch.setattr(strategies, "chosen", wrong)
    with pytest.raises(ZeroDivisionError) as caught:
        find(strategies.states(pdd.Rules(pdd.Board(3, 3))), lambda _: False, settings=LITTLE)
    rules = "3x3 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
    assert f"{rules}: a1,b1 white " in "\n".join(caught.value.__notes__)
