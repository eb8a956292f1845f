"""Playouts, random numbers and samples, compared with the core and with probabilities."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from operator import ge
from random import Random
from statistics import fmean, variance

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, replay, worker_pool
from pontedeldiavolo.batch.kernels import cells, playouts, steps
from pontedeldiavolo.batch.kernels.game import OPEN_OF, set_shape
from pontedeldiavolo.batch.kernels.playouts import CONFLICTS_BEFORE_COUNTING
from pontedeldiavolo.testing.strategies import TIEBREAKS
from support.batch_rows import (
    FOUR_BY_TWO,
    ODD_RULES,
    PLANE_RULES,
    SMALL,
    answers,
    few_turns_left,
    mixed,
    parts,
)
from support.batches import (
    NONE,
    Arrays,
    Row,
    arrays_of,
    at_once,
    beginnings,
    fits,
    kernel,
    laid_out,
    new_game,
    numbers_drawn,
    played,
    same_arrays,
    seed_for,
    sized,
    splitmix,
    state_behind,
    table_of,
    taken_up,
    visited,
    winner_of,
)
from support.diagrams import play
from support.sparse_states import DRAWN


def test_a_seed_keeps_its_games_within_a_version() -> None:
    # These numbers may change between versions, but not within one, which promises equal games
    # for equal seeds.
    for width, height, turns in (
        (10, 10, [46, 52, 56, 54, 52]),
        (5, 4, [12, 10, 12, 10, 10]),
        (40, 5, [96, 104, 102, 108, 96]),
    ):
        games = GameBatch.initial(pdd.Rules(pdd.Board(width, height)), 5)
        assert games.playout(3).turns.tolist() == turns


def test_processors_are_those_that_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {1, 3, 5}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert worker_pool.processors() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    assert worker_pool.processors() == 64
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert worker_pool.processors() == 1


def test_playouts_depend_on_the_seed() -> None:
    games = GameBatch.initial(pdd.Rules(pdd.Board(6, 5)), sized(200, 12))
    seeds = (0, 1, 2, 2**32, 2**64, 2**64 + 1, 10**100)
    found = [parts(games.playout(seed)) for seed in seeds]
    for place, one in enumerate(found):
        assert not any(same_arrays(one, other) for other in found[:place])
    # The games of a batch differ from each other.
    assert len(set(zip(*found[0][1].T.tolist(), found[0][0].tolist(), strict=True))) > 4


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_playouts_end_where_games_end(rules: pdd.Rules) -> None:
    rows = mixed(rules, sized(60, 8))
    found = GameBatch.from_states(rows).playout(23)
    for row, turns, points, winner in zip(
        rows, found.turns.tolist(), found.points.tolist(), found.winner.tolist(), strict=True
    ):
        state = state_behind(row)
        scores = [state.score(color).points for color in pdd.Color]
        if row.is_over:
            assert (turns, points, winner) == (0, scores, winner_of(state))
            continue
        assert turns > 0
        # Both colours had equally many turns, and the scores stay.
        begun = 0 if state.phase is pdd.Phase.OPENING else state.turn
        assert (begun + turns) % 2 == 0
        assert all(map(ge, points, scores))
        if points[0] != points[1]:
            assert winner == int(points[1] > points[0])
        elif not rules.tiebreaks:
            assert winner == NONE


def test_threads_can_share_batches() -> None:
    # The lock of the interpreter is released, so threads must not write to shared memory.
    many = [GameBatch.from_states(mixed(rules, sized(40, 2))) for rules in PLANE_RULES]
    alone = [everything(games) for games in many]
    tasks = list(range(len(many))) * sized(8, 2)
    with ThreadPoolExecutor(8) as pool:
        together = pool.map(lambda task: everything(many[task]), tasks)
        for place, found in zip(tasks, together, strict=True):
            assert same_arrays(found, alone[place])


def everything(games: GameBatch) -> Arrays:
    """Return all results of a batch, of a step, and of a replay of its states."""
    mask = games.legal_mask()
    # A game that is over has no legal step, so its code does not matter.
    after = games.step(mask.argmax(axis=1))
    again = replay([pdd.Game.new(start=state_behind(row)) for row in games.states()])
    return (*answers(games), *arrays_of(after), again.points, again.winner, again.illegal_at)


@pytest.mark.parametrize("rules", [*ODD_RULES, pdd.Rules(pdd.Board(17, 2))], ids=pdd.format_rules)
def test_details_of_playouts(rules: pdd.Rules) -> None:
    rows = mixed(rules, sized(40, 8))
    games = GameBatch.from_states(rows)
    plain = games.playout(3)
    found = games.playout(3, threads=2, details=True)
    assert same_arrays(parts(plain), parts(found))
    assert plain.tiles is plain.first_actions is None
    assert found.tiles is not None
    assert found.first_actions is not None
    assert found.tiles.shape == games.tiles.shape
    assert ((games.tiles == 0) | (found.tiles == games.tiles)).all()
    space = pdd.StepSpace(rules.board)
    for row, tiles, codes in zip(rows, found.tiles, found.first_actions.tolist(), strict=True):
        steps = [space.decode(code) for code in codes if code != NONE]
        node: pdd.Node = row
        for step in steps:
            node = node.step(step)
        assert bool(steps) == (not row.is_over)
        assert isinstance(node, pdd.GameState)
        after = GameBatch.from_states([node]).tiles[0]
        assert ((after == 0) | (tiles == after)).all()


def test_first_actions_are_those_that_were_played() -> None:
    start = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 3)))
    found = GameBatch.from_states([start]).repeat(sized(4000, 50)).playout(1, details=True)
    assert found.first_actions is not None
    pairs, counts = np.unique(found.first_actions, axis=0, return_counts=True)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert len(pairs) <= len(start.legal_actions)
    # Each action has the same probability; the bound is five standard deviations.
    mean = found.first_actions.shape[0] / len(start.legal_actions)
    assert abs(counts - mean).max() < 5 * mean**0.5 + 1


def test_seats_win_with_the_colours_that_they_own() -> None:
    rows = [row for row in mixed(SMALL, 60) if row.owner(pdd.Color.WHITE) is not None]
    assert len({row.owner(pdd.Color.WHITE) for row in rows}) == 2
    games = GameBatch.from_states(rows).repeat(sized(20, 2))
    result = games.playout(3)
    assert len({*result.winner.tolist()}) == 3
    ends = (each.tolist() for each in (result.winner, result.winning_seat, result.rewards))
    for row, winner, seat, rewards in zip(games, *ends, strict=True):
        if winner == NONE:
            assert (seat, rewards) == (NONE, [0, 0])
        else:
            owner = row.owner(list(pdd.Color)[winner])
            assert owner is not None
            assert seat == owner.index
            assert rewards == ([1, -1] if seat == 0 else [-1, 1])


def test_seats_choose_either_colour_before_they_win() -> None:
    # The winning colour does not depend on its owner, so each seat wins half of the games.
    start = pdd.GameState.initial(SMALL)
    opened = start.apply(start.legal_actions[0])
    for row in (start, opened, start.step(start.legal_steps[0])):
        size = sized(2000, 60)
        result = GameBatch.from_states([row]).repeat(size).playout(4)
        assert np.array_equal(result.winning_seat == NONE, result.winner == NONE)
        for color in (0, 1):
            seats = result.winning_seat[result.winner == color]
            assert len(seats) > size // 10
            # The bound is five standard deviations.
            assert abs(2 * int(seats.sum()) - len(seats)) < 5 * len(seats) ** 0.5
        wins = [1, -1], [-1, 1], [0, 0]
        assert result.rewards.tolist() == [wins[seat] for seat in result.winning_seat.tolist()]


End = tuple[int, int, int, int]
"""The turns, the points and the winner of a finished game."""


def chances_of(row: Row, known: dict[pdd.GameState, dict[End, float]]) -> dict[End, float]:
    """Return the probabilities of all ends if every action is equally likely."""
    found: defaultdict[End, float] = defaultdict(float)
    if isinstance(row, pdd.HalfTurn):
        for second in row.second_tiles:
            after = row.step(pdd.PlaceTile(second))
            for (turns, *rest), chance in chances_of(after, known).items():
                found[turns + 1, rest[0], rest[1], rest[2]] += chance / len(row.second_tiles)
        return found
    state = row.canonical()
    if state.is_over:
        points = [state.score(color).points for color in pdd.Color]
        return {(0, points[0], points[1], winner_of(state)): 1.0}
    if state not in known:
        for action in state.legal_actions:
            new = not isinstance(action, pdd.ChooseColor)
            for (turns, *rest), chance in chances_of(state.apply_unchecked(action), known).items():
                end = (turns + new, rest[0], rest[1], rest[2])
                found[end] += chance / len(state.legal_actions)
        known[state] = found
    return known[state]


COUNTED: dict[str, Row] = {
    "start": pdd.GameState.initial(FOUR_BY_TWO),
    "short of tiles": pdd.GameState.initial(pdd.Rules(FOUR_BY_TWO.board, 3, 1)),
    "no tie-breaks": pdd.GameState.initial(pdd.Rules(FOUR_BY_TWO.board, tiebreaks=())),
    "half turn": pdd.GameState.initial(FOUR_BY_TWO).step(pdd.PlaceTile(pdd.Cell(1, 0))),
    "colour choice": play(pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3))), "a1,c1"),
    "late on 5x5": few_turns_left(pdd.Rules(pdd.Board(5, 5)), 5),
    "late on 9x3": few_turns_left(pdd.Rules(pdd.Board(9, 3)), 6),
    "late, bridges first": few_turns_left(pdd.Rules(pdd.Board(5, 5), tiebreaks=TIEBREAKS[4]), 11),
    "late on 33x2": few_turns_left(pdd.Rules(pdd.Board(33, 2)), 1),
    "no pair": DRAWN["no pair"],
    "one pair": DRAWN["one pair, no bridges"],
    "one tile left": DRAWN["one tile left"],
    "last turn": DRAWN["last turn"],
    "over": visited(FOUR_BY_TWO, Random(1))[-1],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTED)
def test_playouts_end_as_often_as_they_should(name: str) -> None:
    row = COUNTED[name]
    chances = chances_of(row, {})
    assert abs(sum(chances.values()) - 1) < 1e-9
    games = GameBatch.from_states([row]).repeat(sized(20_000, 40))
    found = games.playout(Random(name).getrandbits(32))
    ends = zip(found.turns.tolist(), *found.points.T.tolist(), found.winner.tolist(), strict=True)
    assert fits(Counter(ends), chances)


def test_playouts_are_as_long_and_as_good_as_random_games_of_the_core() -> None:
    rules = pdd.Rules(pdd.Board(6, 6))
    rng = Random(6)
    turns = []
    points = []
    for _ in range(300):
        state = pdd.GameState.initial(rules)
        while not state.is_over:
            state = state.apply_unchecked(state.legal_actions.sample(rng))
        turns.append(state.turn)
        points.append(state.score(pdd.Color.RED).points)
    found = GameBatch.initial(rules, sized(20_000, 100)).playout(6)
    for one, other in ((turns, found.turns.tolist()), (points, found.points[:, 1].tolist())):
        error = sqrt(variance(one) / len(one) + variance(other) / len(other))
        assert abs(fmean(one) - fmean(other)) < 4 * error
    # These values depend on islands and on the order of turns.
    assert (found.turns % 2 == 0).all()
    assert (found.points >= 0).all()


count_on_board = kernel(cells.count_on_board)
find_bridges = kernel(steps.find_bridges)
nth_bridge = kernel(steps.nth_bridge)
complete_random_pair = kernel(playouts.complete_random_pair)
count_pairs = kernel(playouts.count_pairs)
max_bridges = kernel(playouts.max_bridges)
play_counted = kernel(playouts.play_counted)
play_random_action = kernel(playouts.play_random_action)
playout = kernel(playouts.playout)
randbelow = kernel(playouts.randbelow)
random_bits = kernel(playouts.random_bits)
choose_color = kernel(steps.choose_color)


def test_random_numbers_are_those_of_splitmix() -> None:
    # The numbers after the seed 1234567 are published with the algorithm.
    published = (6457827717110365317, 3203168211198807973, 9817491932198370423)
    state = 1234567
    game = new_game()
    game.random = state
    for number in published:
        assert seed_for(number) == state
        state, found = splitmix(state)
        assert found == number
        assert random_bits(game) == number >> 32
        assert int(game.random) == state


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 7, 100, 679, 9_902, 2**16, 16_773_120])
def test_numbers_below_a_limit_are_exactly_uniform(limit: int) -> None:
    rng = Random(limit)
    game = new_game()
    surplus = (1 << 32) % limit
    some = [rng.randrange(limit) for _ in range(sized(200, 20))]
    for result in {0, limit - 1, *some}:
        # If too many numbers of 32 bits lead to a result, the first is rejected. Then equally many
        # numbers lead to each result.
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
    """Require exactly equal probabilities of all actions of a state with a colour to move."""
    rules = state.rules
    table = table_of(state.rules)
    color = game.to_move
    legal = state.legal_actions
    enough = game.tiles_left[color] >= 2
    cells = int(count_on_board(game, OPEN_OF + color)) if enough else 0

    def draw(trial: np.record) -> None:
        play_random_action(table, trial)

    def count_and_draw(trial: np.record) -> None:
        play_counted(table, trial, color)

    # A pair is sampled in both orders, so other actions are sampled twice as often.
    bound = int(max_bridges(table, game, color))
    assert bound >= len(legal.bridges)
    drawn = at_once(rules, game, cells * (cells - 1) + 2 * bound + 2, draw)
    assert drawn == Counter(dict.fromkeys(legal, 2))
    if enough:
        number = 2 * len(legal.pairs) + 2 * len(legal.bridges) + 2 * (not legal.pairs)
        assert at_once(rules, game, number, count_and_draw) == Counter(dict.fromkeys(legal, 2))
    for first in list(legal.first_tiles)[:: sized(1, 4)]:
        half = game.copy()
        # Only in the first row do cells and places have the same numbers.
        columns = set_shape(rules.board.width, rules.board.height)[0]
        half.placed_tile = first.row * columns + first.column
        seconds = legal.second_tiles(first)
        expected = Counter(pdd.PlaceTiles(first, second) for second in seconds)
        assert at_once(rules, half, len(seconds), complete_random_pair) == expected


@pytest.mark.parametrize("name", DRAWN)
def test_draws_are_exactly_fair_with_few_legal_actions(name: str) -> None:
    require_fair_draws(laid_out(DRAWN[name]), DRAWN[name])


@pytest.mark.parametrize("name", ["many conflicts", "one pair", "no pair"])
def test_pairs_are_counted_and_numbered(name: str) -> None:
    state = DRAWN[name]
    game = laid_out(DRAWN[name])
    board = state.rules.board
    pairs = state.legal_actions.pairs
    number = 2 * len(pairs)
    assert count_pairs(game, game.to_move, NONE) == (number, NONE, NONE)
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
    game = laid_out(state)
    table = table_of(state.rules)
    assert state.to_move is not None
    bridges = state.position.open_bridges(state.to_move)
    number = find_bridges(table, game, game.to_move)
    assert number == len(bridges) > 1
    found = [nth_bridge(game, each) for each in range(number)]
    side = set_shape(state.rules.board.width, state.rules.board.height)[0]
    steps = [(place, place + int(table.step[direction])) for place, direction in found]
    cells = [[pdd.Cell(place % side, place // side) for place in ends] for ends in steps]
    assert {pdd.Bridge(*ends) for ends in cells} == {*bridges}


FAIR_RULES = [
    *(pdd.Rules(pdd.Board(*sides)) for sides in ((4, 3), (1, 1), (1, 9), (5, 5), (33, 1))),
    pdd.Rules(pdd.Board(4, 4), tiles_per_color=5, bridges=2),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", FAIR_RULES[: sized(6, 3)], ids=pdd.format_rules)
def test_draws_are_exactly_fair_in_random_games(rules: pdd.Rules) -> None:
    # The state after earlier samples must not matter.
    for seed in range(sized(2, 1) if len(rules.board) < 33 else 1):
        for state, game in random_game(pdd.GameState.initial(rules), seed):
            if state.to_move is not None:
                require_fair_draws(game, state)


def random_game(start: pdd.GameState, seed: int) -> Iterator[tuple[pdd.GameState, np.record]]:
    """Play a random game in place, action by action, and require that each action is legal.

    Yield all its states, each with the game at that time.
    """
    rules = start.rules
    table = table_of(start.rules)
    state = start
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
        # A playout in one call gives the same game.
        again = laid_out(start)
        again.random = seed
        playout(table_of(rules), again)
        assert taken_up(rules, again) == state
        assert int(again.random) == int(game.random)
        assert again.turns == state.turn
        # At its end no action is legal.
        owner = state.owner(pdd.Color.WHITE) or pdd.Seat.FIRST
        over = pdd.GameState.from_position(
            state.position, rules=rules, phase=pdd.Phase.OVER, white_owner=owner
        )
        assert over == state


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in DRAWN if name.startswith("many conflicts")])
def test_samples_after_rejected_proposals_have_the_right_probabilities(name: str) -> None:
    state = DRAWN[name]
    game = laid_out(state)
    table = table_of(state.rules)
    legal = state.legal_actions
    rng = Random(name)
    late = Counter[pdd.Action]()
    while late.total() < sized(20, 6) * len(legal):
        trial = game.copy()
        seed = rng.getrandbits(64)
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
