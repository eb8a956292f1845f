"""Steps that a batch refuses, held against the core."""

from __future__ import annotations

from random import Random

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, RowError
from support.batch_rows import BRIDGES_AROUND
from support.batches import Row, arrays_of, same_arrays, sized, state_behind, visited
from support.diagrams import state_of

STRICT_RULES = [
    pdd.Rules(pdd.Board(4, 4)),
    pdd.Rules(pdd.Board(5, 3), tiles_per_color=5, bridges=1),
    pdd.Rules(pdd.Board(1, 1)),
    pdd.Rules(pdd.Board(6, 5)),
    pdd.Rules(pdd.Board(34, 2)),
]


def of_every_kind(rules: pdd.Rules, number: int, rng: Random) -> list[Row]:
    """Return rows of random games, among them one of each phase and kind that there is."""
    rows = [row for _ in range(6) for row in visited(rules, rng)]
    rng.shuffle(rows)
    kinds = {(type(row), state_behind(row).phase): row for row in rows}
    return [*kinds.values(), *rows[: max(0, number - len(kinds))]]


def require_refusals(rows: list[Row]) -> None:
    """Require of each of these rows that exactly its illegal steps are refused, and rightly."""
    space = pdd.StepSpace(rows[0].rules.board)
    over = visited(rows[0].rules, Random(1))[-1]
    for row in rows:
        mask = space.mask(row)
        # A finished game costs nothing to step, and lets the other row be number one.
        games = GameBatch.from_states([over, row])
        arrays = tuple(each.copy() for each in arrays_of(games))
        for code in range(len(space)):
            step = space.decode(code)
            if mask[code]:
                assert games.step([0, code]).states() == (over, row.step(step))
            elif row.is_over:
                assert same_arrays(arrays_of(games.step([0, code])), arrays)
            else:
                with pytest.raises(pdd.IllegalActionError) as expected:
                    row.step(step)
                with pytest.raises(pdd.IllegalActionError) as found:
                    games.step([0, code])
                assert found.value.violations == expected.value.violations != ()
                assert str(found.value) == f"row 1: {expected.value}"
                assert (type(found.value.row), found.value.row) == (int, 1)
        assert same_arrays(arrays_of(games), arrays)


@pytest.mark.slow
@pytest.mark.parametrize("rules", STRICT_RULES[: sized(5, 3)], ids=pdd.format_rules)
def test_a_step_is_refused_exactly_where_the_core_refuses_it(rules: pdd.Rules) -> None:
    require_refusals(of_every_kind(rules, sized(16, 0), Random(pdd.format_rules(rules))))


@pytest.mark.parametrize("name", ["no bridges", "one bridge", "too few tiles", "two tiles"])
def test_what_the_supply_lacks_is_refused(name: str) -> None:
    supply = {"no bridges": (None, 1), "one bridge": (None, 2), "too few tiles": (9, None)}
    tiles, bridges = supply.get(name, (10, None))
    state = state_of(BRIDGES_AROUND, tiles=tiles, bridges=bridges)
    assert state.position.open_bridges(pdd.Color.WHITE)
    require_refusals([state])


def test_the_first_row_that_is_refused_is_named_and_nothing_is_played() -> None:
    games = GameBatch.initial(pdd.Rules(pdd.Board(5, 5)), 6)
    last = len(games.space) - 1
    with pytest.raises(pdd.IllegalActionError, match=r"^row 2: Passing is not allowed"):
        games.step([0, 1, last, 3, last, last - 1])
    with pytest.raises(pdd.IllegalActionError, match=r"^row 5: This cannot be done"):
        games.step([0, 1, 2, 3, 4, last - 1])
    assert games.states() == GameBatch.initial(games.rules, 6).states()
    assert games.step(range(6)).legal_mask().sum() == 6 * 24


def test_codes_out_of_range_are_no_steps_at_all() -> None:
    games = GameBatch.initial(pdd.Rules(pdd.Board(5, 5)), 3)
    number = len(games.space)
    for code in (-1, number, -number, 2**31, -(2**31), 2**32, 2**63 - 1, -(2**63)):
        with pytest.raises(pdd.PonteError) as caught:
            games.step([0, code, code])
        assert isinstance(caught.value, RowError)
        assert caught.value.row == 1
        assert str(caught.value) == f"row 1: code {code} is outside 0 to {number - 1}"
    # It does not matter that a step before it is illegal.
    with pytest.raises(pdd.PonteError, match="row 2: code"):
        games.step([number - 1, 0, number])


@pytest.mark.parametrize("code", [0, 1, -1, 10**9, 2**63 - 1, -(2**63)])
def test_finished_games_stay_as_they_are_whatever_is_given(code: int) -> None:
    rules = pdd.Rules(pdd.Board(2, 2))
    over, start = visited(rules, Random(1))[-1], pdd.GameState.initial(rules)
    games = GameBatch.from_states([over, start, over])
    after = games.step([code, 3, code])
    assert after.states() == (over, start.step(pdd.PlaceTile(pdd.Cell(1, 1))), over)
    assert same_arrays(arrays_of(after.take([0, 2])), arrays_of(games.take([0, 2])))
    assert GameBatch.from_states([over]).step([code]).states() == (over,)
