"""Random numbers, and draws from them, held against what chance gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch.kernels import cells, legal, sampling, transitions
from pontedeldiavolo.batch.kernels.game import OPEN_OF, set_shape
from pontedeldiavolo.batch.kernels.sampling import CONFLICTS_BEFORE_COUNTING
from support.batches import (
    NONE,
    at_once,
    beginnings,
    fits,
    kernel,
    laid_out,
    new_game,
    numbers_drawn,
    played,
    seed_for,
    sized,
    splitmix,
    table_of,
    taken_up,
)
from support.sparse_states import DRAWN

count_on_board = kernel(cells.count_on_board)
find_bridges = kernel(legal.find_bridges)
nth_bridge = kernel(legal.nth_bridge)
complete_random_pair = kernel(sampling.complete_random_pair)
count_pairs = kernel(sampling.count_pairs)
max_bridges = kernel(sampling.max_bridges)
play_counted = kernel(sampling.play_counted)
play_random_action = kernel(sampling.play_random_action)
playout = kernel(sampling.playout)
randbelow = kernel(sampling.randbelow)
random_bits = kernel(sampling.random_bits)
choose_color = kernel(transitions.choose_color)


def test_random_numbers_are_those_of_splitmix() -> None:
    # Published with the algorithm: what follows upon 1234567.
    published = (6457827717110365317, 3203168211198807973, 9817491932198370423)
    state, game = 1234567, new_game()
    game.random = state
    for number in published:
        assert seed_for(number) == state
        state, found = splitmix(state)
        assert found == number
        assert random_bits(game) == number >> 32
        assert int(game.random) == state


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 7, 100, 679, 9_902, 2**16, 16_773_120])
def test_numbers_below_a_limit_are_exactly_uniform(limit: int) -> None:
    rng, game = Random(limit), new_game()
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
            game.random = seed_for(bits << 32 | rng.getrandbits(32))
            after_one = splitmix(int(game.random))[0]
            found = randbelow(game, limit)
            at_first_try = int(game.random) == after_one
            assert at_first_try == (bits != first or not rejected)
            assert found == result if at_first_try else 0 <= found < limit


def require_fair_draws(game: np.record, state: pdd.GameState) -> None:
    """Require that in a game at a state with a colour to move all draws are exactly fair."""
    rules, table, color = state.rules, table_of(state.rules), game.to_move
    legal = state.legal_actions
    enough = game.tiles_left[color] >= 2
    cells = int(count_on_board(game, OPEN_OF + color)) if enough else 0

    def draw(trial: np.record) -> None:
        play_random_action(table, trial)

    def count_and_draw(trial: np.record) -> None:
        play_counted(table, trial, color)

    # Both orders of a pair are drawn, and the others twice as well.
    bound = int(max_bridges(table, game, color))
    assert bound >= len(legal.bridges)
    drawn = at_once(rules, game, cells * (cells - 1) + 2 * bound + 2, draw)
    assert drawn == Counter(dict.fromkeys(legal, 2))
    if enough:
        number = 2 * len(legal.pairs) + 2 * len(legal.bridges) + 2 * (not legal.pairs)
        assert at_once(rules, game, number, count_and_draw) == Counter(dict.fromkeys(legal, 2))
    for first in list(legal.first_tiles)[:: sized(1, 4)]:
        half = game.copy()
        # The numbers of cells and places are the same in the first row only.
        half.first = first.row * set_shape(rules.board.width, rules.board.height)[0] + first.column
        seconds = legal.second_tiles(first)
        expected = Counter(pdd.PlaceTiles(first, second) for second in seconds)
        assert at_once(rules, half, len(seconds), complete_random_pair) == expected


@pytest.mark.parametrize("name", DRAWN)
def test_draws_are_exactly_fair_with_few_legal_actions(name: str) -> None:
    require_fair_draws(laid_out(DRAWN[name]), DRAWN[name])


@pytest.mark.parametrize("name", ["many conflicts", "one pair", "no pair"])
def test_pairs_are_counted_and_numbered(name: str) -> None:
    state, game = DRAWN[name], laid_out(DRAWN[name])
    board, pairs = state.rules.board, state.legal_actions.pairs
    number = 2 * len(pairs)
    assert count_pairs(game, game.to_move, NONE) == (number, NONE, NONE)
    # After the last one there is none.
    assert count_pairs(game, game.to_move, number) == (number, NONE, NONE)
    side = set_shape(board.width, board.height)[0]
    found = [count_pairs(game, game.to_move, each)[1:] for each in range(number)]
    ordered = [[pdd.Cell(place % side, place // side) for place in pair] for pair in found]
    assert Counter(pdd.PlaceTiles(*pair) for pair in ordered) == Counter(dict.fromkeys(pairs, 2))
    assert len(set(map(tuple, ordered))) == number


def test_an_opening_is_drawn_by_counting() -> None:
    start = pdd.GameState.initial(pdd.Rules(pdd.Board(2, 2)))
    game = laid_out(start)
    game.random, before = 5, game.copy()
    play_counted(table_of(start.rules), game, game.to_move)
    assert played(start.rules, before, game) in start.legal_actions


def test_bridges_are_counted_and_numbered() -> None:
    state = DRAWN["bridges in the way"]
    game, table = laid_out(state), table_of(state.rules)
    assert state.to_move is not None
    bridges = state.position.open_bridges(state.to_move)
    number = find_bridges(table, game, game.to_move)
    assert number == len(bridges) > 1
    found = [nth_bridge(game, each) for each in range(number)]
    side = set_shape(state.rules.board.width, state.rules.board.height)[0]
    steps = [(place, place + int(table.step[direction])) for place, direction in found]
    assert {
        pdd.Bridge(*(pdd.Cell(place % side, place // side) for place in ends)) for ends in steps
    } == set(bridges)


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
def test_draws_are_exactly_fair_in_random_games(rules: pdd.Rules) -> None:
    # What earlier draws have left behind must not matter.
    for seed in range(sized(2, 1) if len(rules.board) < 33 else 1):
        for state, game in random_game(pdd.GameState.initial(rules), seed):
            if state.to_move is not None:
                require_fair_draws(game, state)


def random_game(start: pdd.GameState, seed: int) -> Iterator[tuple[pdd.GameState, np.record]]:
    """Play a random game action by action in place, and require that each action is legal.

    What comes out are all its states, each with the game at that time.
    """
    rules, table, state = start.rules, table_of(start.rules), start
    game = laid_out(start)
    game.random = seed
    while True:
        assert taken_up(rules, game) == state
        assert game.turns == state.turn
        yield state, game
        if state.is_over:
            return
        before = game.copy()
        action: pdd.Action
        if state.to_move is None:
            color = int(randbelow(game, 2))
            choose_color(table, game, color)
            action = pdd.ChooseColor(list(pdd.Color)[color])
        else:
            play_random_action(table, game)
            action = played(rules, before, game)
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
    for start in beginnings(rules, sized(2, 1), rng):
        assert isinstance(start, pdd.GameState)
        seed = rng.getrandbits(64)
        *_, (state, game) = random_game(start, seed)
        # In one go it is the same game.
        again = laid_out(start)
        again.random = seed
        playout(table_of(rules), again)
        assert taken_up(rules, again) == state
        assert int(again.random) == int(game.random)
        assert again.turns == state.turn
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
@pytest.mark.parametrize("name", [name for name in DRAWN if name.startswith("many conflicts")])
def test_draws_after_proposals_in_vain_are_what_chance_gives(name: str) -> None:
    state = DRAWN[name]
    game, table = laid_out(state), table_of(state.rules)
    legal = state.legal_actions
    rng, late = Random(name), Counter[pdd.Action]()
    while late.total() < sized(20, 6) * len(legal):
        trial, seed = game.copy(), rng.getrandbits(64)
        trial.random = seed
        play_random_action(table, trial)
        if numbers_drawn(seed, int(trial.random)) > CONFLICTS_BEFORE_COUNTING:
            late[played(state.rules, game, trial)] += 1
    assert fits(late, dict.fromkeys(legal, 1 / len(legal)))


def test_too_few_counts_and_unfair_ones_do_not_pass() -> None:
    chances = {"a": 0.5, "b": 0.5}
    assert fits({"a": 52, "b": 48}, chances)
    assert not fits({"a": 90, "b": 10}, chances)
    for few in ({}, {"a": 1}, {"a": 3, "b": 6}):
        with pytest.raises(AssertionError, match="too few"):
            fits(few, chances)
