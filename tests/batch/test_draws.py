"""Random numbers, and draws from them, held against what chance gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch.kernels.desk import new_desk
from pontedeldiavolo.batch.kernels.drawing import (
    PATIENCE,
    complete_random_pair,
    count_pairs,
    place_nth_pair,
    play_counted,
    play_random_action,
)
from pontedeldiavolo.batch.kernels.playing import choose_color, end_turn, pass_turn, play_out
from pontedeldiavolo.batch.kernels.random import below, random_bits
from support.batches import (
    at_once,
    beginnings,
    fits,
    laid_out,
    numbers_drawn,
    played,
    seed_for,
    sized,
    splitmix,
    tables_of,
    taken_up,
)
from support.narrow_places import DRAWN

# Random numbers


def test_random_numbers_are_those_of_splitmix() -> None:
    # Published with the algorithm: what follows upon 1234567.
    published = (6457827717110365317, 3203168211198807973, 9817491932198370423)
    state, desk = 1234567, new_desk()
    desk.random = state
    for number in published:
        assert seed_for(number) == state
        state, found = splitmix(state)
        assert found == number
        with np.errstate(over="ignore"):
            assert random_bits(desk) == number >> 32
        assert int(desk.random) == state


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 7, 100, 679, 9_902, 2**16, 16_773_120])
def test_numbers_below_a_limit_are_exactly_uniform(limit: int) -> None:
    rng, desk = Random(limit), new_desk()
    surplus = (1 << 32) % limit
    some = [rng.randrange(limit) for _ in range(sized(200, 20))]
    for result in {0, limit - 1, *some}:
        # Of the numbers of 32 bits that lead to it, the first is rejected if there is one too
        # many. Then all results have equally many.
        first = -(-(result << 32) // limit)
        beyond = -(-((result + 1) << 32) // limit)
        rejected = first * limit - (result << 32) < surplus
        assert beyond - first - rejected == (1 << 32) // limit
        for bits in {first, first + 1, rng.randrange(first + 1, beyond), beyond - 1}:
            desk.random = seed_for(bits << 32 | rng.getrandbits(32))
            after_one = splitmix(int(desk.random))[0]
            with np.errstate(over="ignore"):
                found = below(desk, limit)
            at_first_try = int(desk.random) == after_one
            assert at_first_try == (bits != first or not rejected)
            assert found == result if at_first_try else 0 <= found < limit


# Draws


def require_fair_draws(desk: np.record, state: pdd.GameState) -> None:
    """Require that on a desk with a state of a colour to move all draws are exactly fair."""
    board, tables, color = state.rules.board, tables_of(state.rules), desk.to_move
    legal = state.legal_actions
    enough = desk.tiles_left[color] >= 2
    cells = int(desk.cells_listed[color]) if enough else 0
    bridges = int(desk.bridges_listed[color]) if desk.bridges_left > 0 else 0

    def draw(trial: np.record) -> None:
        play_random_action(tables, trial, color)

    def count_and_draw(trial: np.record) -> None:
        play_counted(tables, trial, color, bridges)

    def complete(trial: np.record) -> None:
        complete_random_pair(tables, trial, color)

    # Both orders of a pair are drawn, and the others twice as well.
    drawn = at_once(board, desk, cells * (cells - 1) + 2 * bridges + 2, draw)
    assert drawn == Counter(dict.fromkeys(legal, 2))
    if enough:
        number = len(legal.pairs) + bridges + (not legal.pairs)
        assert at_once(board, desk, number, count_and_draw) == Counter(legal)
    for first in list(legal.first_tiles)[:: sized(1, 4)]:
        half = desk.copy()
        half.first = board.index(first)
        seconds = legal.second_tiles(first)
        expected = Counter(pdd.PlaceTiles(first, second) for second in seconds)
        assert at_once(board, half, len(seconds), complete) == expected


@pytest.mark.parametrize("name", DRAWN)
def test_draws_are_exactly_fair_in_narrow_places(name: str) -> None:
    require_fair_draws(laid_out(DRAWN[name]), DRAWN[name])


@pytest.mark.parametrize("name", ["many conflicts", "one pair", "no pair"])
def test_pairs_are_counted_and_numbered(name: str) -> None:
    state, desk, tables = DRAWN[name], laid_out(DRAWN[name]), tables_of(DRAWN[name].rules)
    pairs = state.legal_actions.pairs
    for enough in (1, 2, 10**6):
        assert count_pairs(tables, desk, desk.to_move, enough) == min(enough, len(pairs))
    found: list[pdd.Action] = []
    for number in range(len(pairs) + 1):
        trial = desk.copy()
        place_nth_pair(tables, trial, trial.to_move, number)
        found.append(played(state.rules.board, desk, trial))
        assert (number < len(pairs)) == (trial.words != desk.words).any()
    # After the last one there is none.
    assert found.pop() == pdd.Pass()
    assert Counter(found) == Counter(pairs)


FAIR_RULES = [
    pdd.Rules(pdd.Board(4, 3)),
    pdd.Rules(pdd.Board(1, 1)),
    pdd.Rules(pdd.Board(1, 9)),
    pdd.Rules(pdd.Board(4, 4), tiles_per_color=5, bridges=2),
    pdd.Rules(pdd.Board(5, 5)),
    pdd.Rules(pdd.Board(33, 1)),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", FAIR_RULES[: sized(6, 3)], ids=pdd.format_rules)
def test_draws_are_exactly_fair_in_the_midst_of_random_games(rules: pdd.Rules) -> None:
    # What earlier draws have left on the lists of the desk, legal or not, must not matter.
    for seed in range(sized(3, 1) if len(rules.board) < 33 else 1):
        for state, desk in random_game(pdd.GameState.initial(rules), seed):
            if state.to_move is not None:
                require_fair_draws(desk, state)


def random_game(start: pdd.GameState, seed: int) -> Iterator[tuple[pdd.GameState, np.record]]:
    """Play a random game action by action on one desk, and require that each action is legal.

    What comes out are all its states, each with the desk at that time.
    """
    rules, tables, state = start.rules, tables_of(start.rules), start
    desk = laid_out(start)
    desk.random = seed
    with np.errstate(over="ignore"):
        while True:
            assert taken_up(rules, desk) == state
            yield state, desk
            if state.is_over:
                return
            before = desk.copy()
            action: pdd.Action
            if state.to_move is None:
                color = int(below(desk, 2))
                choose_color(desk, color)
                action = pdd.ChooseColor(list(pdd.Color)[color])
            elif play_random_action(tables, desk, desk.to_move):
                pass_turn(desk)
                action = pdd.Pass()
            else:
                end_turn(desk)
                action = played(rules.board, before, desk)
            assert action in state.legal_actions
            state = state.apply_unchecked(action)


GAME_RULES = [
    *(
        pdd.Rules(pdd.Board(*sides))
        for sides in ((6, 6), (1, 1), (2, 2), (9, 1), (33, 3), (10, 10))
    ),
    pdd.Rules(pdd.Board(6, 5), tiles_per_color=7, bridges=2),
    pdd.presets.ORIGINAL,
    *(pdd.Rules(pdd.Board(*sides)) for sides in ((5, 40), (64, 3), (26, 26))),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", GAME_RULES[: sized(11, 7)], ids=pdd.format_rules)
def test_random_games_are_legal_from_beginning_to_end(rules: pdd.Rules) -> None:
    rng = Random(pdd.format_rules(rules))
    for start in beginnings(rules, sized(6, 1), rng):
        assert isinstance(start, pdd.GameState)
        seed = rng.getrandbits(64)
        *_, (state, desk) = random_game(start, seed)
        # In one go it is the same game.
        again = laid_out(start)
        again.random = seed
        with np.errstate(over="ignore"):
            turns = play_out(tables_of(rules), again)
        assert taken_up(rules, again) == state
        assert int(again.random) == int(desk.random)
        assert turns == (0 if start.is_over else state.turn - start.turn)
        # And it is one at whose end nothing was left to do.
        assert (
            pdd.GameState.from_position(
                state.position,
                rules=rules,
                phase=pdd.Phase.OVER,
                white_owner=state.owner(pdd.Color.WHITE) or pdd.Seat.FIRST,
            )
            == state
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_counts_of_draws_are_what_chance_gives(name: str) -> None:
    # As above, but whatever way draws are made, and also where many proposals were in vain.
    state = DRAWN[name]
    desk, tables = laid_out(state), tables_of(state.rules)
    legal = state.legal_actions
    chances = dict.fromkeys(legal, 1 / len(legal))
    rng, found, late = Random(name), Counter[pdd.Action](), Counter[pdd.Action]()
    with np.errstate(over="ignore"):
        for _ in range(sized(300, 8) * len(legal)):
            trial, seed = desk.copy(), rng.getrandbits(64)
            trial.random = seed
            passed = play_random_action(tables, trial, trial.to_move)
            action = played(state.rules.board, desk, trial)
            assert passed == isinstance(action, pdd.Pass)
            found[action] += 1
            if numbers_drawn(seed, int(trial.random)) > PATIENCE:
                late[action] += 1
    assert fits(found, chances)
    assert fits(late, chances)
    # Of each kind together, less would do to tell.
    kinds = Counter(type(action) for action in legal)
    shares = {kind: number / len(legal) for kind, number in kinds.items()}
    for counts in (found, late):
        assert fits(Counter(type(action) for action in counts.elements()), shares)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["many conflicts", "one pair", "no pair", "bridges in the way"])
def test_draws_by_counting_are_what_chance_gives(name: str) -> None:
    # Where bridges are listed that cannot be built any more, what is left must be counted anew.
    state = DRAWN[name]
    desk, tables = laid_out(state), tables_of(state.rules)
    legal, bridges = state.legal_actions, int(desk.bridges_listed[desk.to_move])
    rng, found = Random(name), Counter[pdd.Action]()
    with np.errstate(over="ignore"):
        for _ in range(sized(1_000, 8) * len(legal)):
            trial = desk.copy()
            trial.random = rng.getrandbits(64)
            passed = play_counted(tables, trial, trial.to_move, bridges)
            action = played(state.rules.board, desk, trial)
            assert passed == isinstance(action, pdd.Pass)
            found[action] += 1
    assert fits(found, dict.fromkeys(legal, 1 / len(legal)))
    kinds = Counter(type(action) for action in legal)
    shares = {kind: number / len(legal) for kind, number in kinds.items()}
    assert fits(Counter(type(action) for action in found.elements()), shares)
