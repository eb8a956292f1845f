"""The MCTS player, and players by name."""

from __future__ import annotations

import lzma
import pickle
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from inspect import signature
from math import inf, nan
from operator import attrgetter
from random import Random
from threading import Thread
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from attrs import evolve
from tools.forced_losses import (
    KEPT_FILE,
    STATE_NODES,
    Trap,
    is_forced_loss,
    played_losses,
    solved,
)
from tools.forced_losses import read as traps

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.base.errors import MAX_INTEGER
from pontedeldiavolo.batch.kernels.game import new_records
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED
from pontedeldiavolo.players import Analysis, MctsPlayer
from pontedeldiavolo.players.mcts import evaluated_tree, proven_play, rollout_tree
from pontedeldiavolo.players.mcts import player as player_module
from pontedeldiavolo.players.mcts import search as search_module
from pontedeldiavolo.players.mcts.alpha_beta import NODES_SEARCHED
from pontedeldiavolo.players.mcts.batched_kernels import TREE_NODE
from pontedeldiavolo.players.mcts.evaluated_tree import EvaluatedTree
from pontedeldiavolo.players.mcts.proven_play import ProvenPlay
from pontedeldiavolo.players.mcts.rollout_tree import RolloutTree
from pontedeldiavolo.players.mcts.search import infer_actions
from pontedeldiavolo.players.registry import FACTORIES, PlayerFactory, parse_spec
from support.games import minimax, played
from support.paths import DATA
from support.stub_players import PlayoutPlayer

TINY, SMALL = (pdd.Rules(pdd.Board(size, size)) for size in (3, 4))
SOLVED = "4x3 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"


@pytest.mark.parametrize(("rows", "best"), [("r3/4/w1rw", "a2,d2"), ("w3/4/rwr1", "d1,b3")])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
def test_a_single_action_that_wins_is_proven(rows: str, best: str, seed: int) -> None:
    state = pdd.parse_state(f"{SOLVED} rows={rows} built=- phase=play to-move=white white=first")
    found = MctsPlayer(simulations=10_000, seed=seed).analyse(state)
    assert (found.best, found.value) == (pdd.parse_action(best), 1)
    assert (found.lines[0].proven, found.lines[0].half_width) == (True, 0)
    assert not found.lines[1].proven or found.lines[1].value < 1


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
@pytest.mark.parametrize(
    ("solver", "simulations", "kept"), [(True, 100_000, 60), (False, 20_000, 57)]
)
def test_values_of_solved_positions_are_kept(*, solver: bool, simulations: int, kept: int) -> None:
    text = lzma.decompress((DATA / "soundness.txt.xz").read_bytes()).decode()
    found = 0
    for line in text.splitlines()[::50]:
        stored, signs = line.rsplit(" ", 1)
        state = pdd.parse_state(stored)
        chosen = MctsPlayer(simulations=simulations, solver=solver).choose(state)
        found += signs[state.legal_actions.index(chosen)] == min(signs, key="+=-".index)
    assert found >= kept


def random_states(rules: pdd.Rules, number: int) -> list[pdd.GameState]:
    """Return states of random games that are not over."""
    rng = Random(5)
    found: list[pdd.GameState] = []
    while len(found) < number:
        state = pdd.GameState.initial(rules)
        for _ in range(rng.randrange(12)):
            if not state.is_over:
                state = state.apply_unchecked(state.legal_actions.sample(rng))
        if not state.is_over:
            found.append(state)
    return found


def test_it_plays_a_small_board_perfectly() -> None:
    for state in random_states(TINY, 60):
        chosen = MctsPlayer(simulations=3000, seed=1).choose(state)
        assert minimax(state.apply(chosen)) == minimax(state)


def test_it_beats_the_greedy_player() -> None:
    points = 0.0
    for seed in range(3):
        for seat in pdd.Seat:
            pair: list[players.Player] = [MctsPlayer(simulations=1000, seed=seed)] * 2
            pair[seat.opponent.index] = players.GreedyPlayer(seed)
            outcome = played(pair[0], pair[1], pdd.Rules(pdd.Board(7, 7))).state.outcome
            assert outcome is not None
            points += outcome.value(seat)
    assert points >= 3


def test_equal_seeds_give_equal_games() -> None:
    def game(seed: int) -> pdd.Game:
        player = MctsPlayer(simulations=50).for_game(seed)
        return played(player, player, pdd.Rules(pdd.Board(5, 5)))

    assert game(1) == game(1) != game(2)


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (2, 1), (3, 3), (16, 16)])
def test_boards_of_all_sizes(size: tuple[int, int]) -> None:
    player = MctsPlayer(simulations=3, threads=2)
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(*size)))
    for _ in range(6):
        if not state.is_over:
            state = state.apply(player.choose(state))


def require_sound(found: Analysis, state: pdd.GameState) -> None:
    """Require that an analysis contains only legal actions."""
    assert found.best in state.legal_actions
    assert found.line[0] == found.best
    looked_at = [each.action for each in found.actions]
    assert len({*looked_at}) == len(looked_at)
    assert found.line[0] in looked_at
    assert all(action in state.legal_actions for action in looked_at)
    visits = [each.visits for each in found.actions]
    assert visits == sorted(visits, reverse=True)
    assert -1 <= found.value <= 1
    for action in found.line:
        state = state.apply(action)


@pytest.mark.parametrize("simulations", [1, 2, 10, 500])
def test_analyses_are_of_legal_actions(simulations: int) -> None:
    for state in random_states(pdd.Rules(pdd.Board(4, 4)), 20):
        player = MctsPlayer(simulations=simulations)
        found = player.analyse(state)
        require_sound(found, state)
        assert sum(each.visits for each in found.actions) <= simulations
        assert all(each.visits for each in found.actions if each.action != found.best)
        # A second analysis continues the first.
        again = player.analyse(state)
        require_sound(again, state)
        assert sum(each.visits for each in again.actions) <= 2 * simulations


def decided(seat: pdd.Seat) -> pdd.GameState:
    """Return a state in which the seat to move has several actions and wins with each."""
    rng = Random(3)
    while True:
        state = pdd.GameState.initial(TINY)
        while not state.is_over:
            if len(state.legal_actions) > 1 and state.seat_to_move is seat:
                sign = 1 if seat is pdd.Seat.FIRST else -1
                after = [minimax(state.apply(action)) for action in state.legal_actions]
                if {sign} == {*after}:
                    return state
            state = state.apply_unchecked(state.legal_actions.sample(rng))


@pytest.mark.parametrize("seat", pdd.Seat)
def test_values_are_those_of_the_seat_to_move(seat: pdd.Seat) -> None:
    state = decided(seat)
    found = MctsPlayer(simulations=500).analyse(state)
    assert found.value > 0.9
    assert all(each.value > 0.5 for each in found.actions if each.visits > 50)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_quarter_is_for_the_second_tile(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run = RolloutTree.run
    shares = list[int]()

    def noted(search: RolloutTree, simulations: int, *others: Any) -> int:
        shares.append(simulations)
        return run(search, simulations, *others)

    monkeypatch.setattr(RolloutTree, "run", noted)
    for simulations in (2, 3, 100):
        player = MctsPlayer(simulations=simulations, threads=threads)
        player.analyse(pdd.GameState.initial(SMALL), multi_pv=1)
    assert shares == [2, 0, 3, 0, 75, 25]
    player = MctsPlayer(simulations=999, threads=threads, solver=False)
    found = player.analyse(pdd.GameState.initial(SMALL))
    assert 600 < sum(each.visits for each in found.actions) <= 999


def test_both_orders_of_a_pair_are_one_action() -> None:
    start = pdd.GameState.initial(TINY)
    player = MctsPlayer(simulations=2000)
    found = player.analyse(start)
    assert player._search is not None
    tree = player._search.tree
    for choice in found.actions:
        assert isinstance(choice.action, pdd.PlaceTiles)
        codes = [TINY.board.index(cell) for cell in (choice.action.a, choice.action.b)]
        ways = [tree.find(codes), tree.find(codes[::-1])]
        assert choice.visits == sum(way.visits for way in ways if way)
    assert len(found.actions) == 36


def test_with_many_games_a_line_is_long() -> None:
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(5, 5)))
    found = MctsPlayer(simulations=5000).analyse(state)
    assert len(found.line) > 2
    assert sum(each.visits for each in found.actions) > 3000


def test_the_tree_is_kept_between_moves() -> None:
    rng = Random(2)
    kept = 0
    for _ in range(4):
        player = MctsPlayer(simulations=1000)
        state = pdd.GameState.initial(pdd.Rules(pdd.Board(5, 5)))
        while not state.is_over:
            state = state.apply(player.choose(state))
            if not state.is_over and rng.random() < 0.8:
                state = state.apply(state.legal_actions.sample(rng))
            if not state.is_over and len(state.legal_actions) > 1:
                found = player.analyse(state)
                require_sound(found, state)
                kept += sum(each.visits for each in found.actions) > 1000
    assert kept > 0


def test_a_wrong_type_keeps_the_tree() -> None:
    player = MctsPlayer(simulations=10)
    state = pdd.GameState.initial(TINY)
    player.choose(state)
    tree = player._search
    wrong = cast(Any, 7)
    assert tree is not None
    for refused in (
        partial(player.analyse, state, stop=wrong),
        partial(player.analyse, state, multi_pv=cast(Any, "3")),
        partial(player.search, state, stop=cast(Any, 1)),
        partial(player.search, state, simulations=cast(Any, 2.5)),
        partial(player.choose, state, clock=wrong),
    ):
        with pytest.raises(TypeError):
            refused()
        assert player._search is tree


def test_trees_follow_any_actions_in_between() -> None:
    rng = Random(4)
    player = MctsPlayer(simulations=60)
    states = [pdd.GameState.initial(pdd.Rules(pdd.Board(4, 3), tiles_per_color=6, bridges=2))]
    for _ in range(150):
        state = states[-1]
        if state.is_over or rng.random() < 0.2:
            # The game was undone or started again.
            del states[rng.randrange(1, len(states) + 1) :]
        elif rng.random() < 0.5:
            chosen = player.choose(state)
            # The caller may play another action than the player has chosen.
            overridden = rng.random() < 0.3
            action = state.legal_actions.sample(rng) if overridden else chosen
            states.append(state.apply(action))
        else:
            states.append(state.apply(state.legal_actions.sample(rng)))
        if not states[-1].is_over:
            require_sound(player.analyse(states[-1]), states[-1])


def test_actions_between_states() -> None:
    start = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 4)))
    opened = start.apply(pdd.parse_action("a1,b1"))
    chosen = opened.apply(pdd.ChooseColor(pdd.Color.RED))
    placed = chosen.apply(pdd.parse_action("c3,d3"))
    opening = pdd.parse_action("a1,b1")
    choice = pdd.ChooseColor(pdd.Color.RED)
    other = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 4), bridges=3))
    pair = pdd.parse_action("c3,d3")
    cases: list[tuple[pdd.GameState, pdd.Action | None, pdd.GameState, object]] = [
        *((start, None, start, []), (start, None, opened, [opening])),
        *((start, opening, opened, [opening]), (start, opening, chosen, [opening, choice])),
        (opened, choice, placed, [choice, pair]),
        # Each case has too many, too few or unknown values.
        *((start, None, chosen, None), (start, opening, start, None), (placed, None, opened, None)),
        *((start, pdd.parse_action("a1,c1"), chosen, None), (start, None, other, None)),
        (start, None, other.apply(opening), None),
    ]
    for before, action, after, expected in cases:
        assert infer_actions(before, action, after) == expected


def test_half_turns_are_searched_and_followed() -> None:
    rng = Random(6)
    player = MctsPlayer(simulations=60)
    kept = 0
    nodes: list[pdd.Node] = [pdd.GameState.initial(pdd.Rules(pdd.Board(5, 5)))]
    for _ in range(120):
        node = nodes[-1]
        if node.is_over or rng.random() < 0.2:
            del nodes[rng.randrange(1, len(nodes) + 1) :]
            continue
        found = player.analyse(node)
        kept += sum(each.visits for each in found.actions) > 60
        if isinstance(node, pdd.HalfTurn):
            require_sound(found, node.state)
            pairs = [pdd.format_action(line.actions[0]) for line in found.lines]
            assert all(str(node.placed_tile) in pair.split(",") for pair in pairs)
            chosen = player.choose(node)
            assert chosen in node.legal_steps
            nodes.append(node.step(chosen if rng.random() < 0.5 else rng.choice(node.legal_steps)))
        else:
            require_sound(found, node)
            nodes.append(node.step(rng.choice(node.legal_steps)))
    assert kept > 2


def test_lines_are_those_of_the_best() -> None:
    state = pdd.GameState.initial(SMALL)
    player = MctsPlayer(simulations=4000, solver=False)
    for lines in (1, 3, 1000):
        found = player.analyse(state, multi_pv=lines)
        assert found.lines[0].actions == found.line
        assert len(found.lines) == min(lines, len(found.actions))
        for line in found.lines:
            require_sound(evolve(found, best=line.actions[0], line=line.actions), state)
            assert 0 <= line.half_width <= 1
            assert line.depth >= len(line.actions)
    stopped = MctsPlayer(simulations=10**9).analyse(state, stop=lambda: True)
    assert stopped.best in state.legal_actions


@pytest.mark.parametrize("wins", [True, False])
def test_the_settled_action_has_one_value(*, wins: bool) -> None:
    state = pdd.GameState.initial(SMALL)
    player = MctsPlayer(simulations=40, solver=False)
    visited = [each.action for each in player.analyse(state).actions if each.visits]
    unvisited = next(action for action in state.legal_actions if action not in visited)
    search = player._search
    assert search is not None
    for action in (visited[-1], unvisited):
        search.set_proven_choice(action, wins=wins)
        found = search.analysis(2)
        values = {each.action: each.value for each in found.actions}
        assert found.best == action
        assert values[action] == found.lines[0].value == found.value == (1 if wins else -1)
        assert {*values} == {*visited, action}


def uniform(games: pdd.batch.GameBatch) -> tuple[Any, Any]:
    """Return equal priors for all legal steps, and values of 0."""
    return games.legal_mask().astype(float), [0.0] * games.size


@pytest.mark.parametrize("stopped_at", [1, 2, 3])
def test_a_stop_ends_all_parts_of_a_search(
    stopped_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = pdd.GameState.initial(SMALL)
    calls = 0

    def stop() -> bool:
        nonlocal calls
        calls += 1
        # A callback that changes its mind, such as an event that is cleared.
        return calls == stopped_at

    monkeypatch.setattr("pontedeldiavolo.players.mcts.rollout_tree.CHUNK_SIMULATIONS", 10)
    for player in (
        MctsPlayer(simulations=10**6, solver=False),
        MctsPlayer(seconds=1000, solver=False),
        MctsPlayer(simulations=10**6, evaluate=uniform),
    ):
        for search in (player.analyse, player.search):
            calls = 0
            search(state, stop=stop)
            assert calls == stopped_at


def test_lines_of_half_turns_are_as_deep_as_the_steps_below_them() -> None:
    state = pdd.GameState.initial(TINY)
    half_turn = state.step(pdd.PlaceTile(pdd.parse_cell("a1")))
    assert isinstance(half_turn, pdd.HalfTurn)
    # A single simulation creates the root's children and visits one of them.
    whole = MctsPlayer(simulations=1, solver=False).analyse(state, multi_pv=100)
    half = MctsPlayer(simulations=1, solver=False).analyse(half_turn, multi_pv=100)
    assert max(line.depth for line in half.lines) == 1
    assert max(line.depth for line in whole.lines) <= 2


def test_a_single_pair_is_chosen_without_a_search() -> None:
    asked: list[pdd.batch.GameBatch] = []

    def evaluate(games: pdd.batch.GameBatch) -> Any:
        asked.append(games)
        raise AssertionError("nothing is to be evaluated")

    state = pdd.GameState.initial(pdd.Rules(pdd.Board(2, 1)))
    (pair,) = state.legal_actions
    assert len(state.legal_steps) == 2
    assert MctsPlayer(simulations=10, evaluate=evaluate).choose(state) == pair
    assert not asked


def test_deep_trees_of_evaluations_have_a_depth() -> None:
    length = 10 * sys.getrecursionlimit()
    # A tree in which every node but the last has an edge with a child, and one without.
    nodes = new_records(length + 1, TREE_NODE)
    nodes["visits"] = 1
    nodes["edge_count"][:-1] = 2
    nodes["visited_count"][:-1] = 1
    nodes["first_edge"] = np.arange(0, 2 * length + 1, 2)
    chain = EvaluatedTree.__new__(EvaluatedTree)
    trees = SimpleNamespace(nodes=nodes, children=np.repeat(np.arange(1, length + 2), 2))
    chain._search = cast(players.BatchedSearch, SimpleNamespace(_trees=trees))
    assert chain.depth(0) == length
    assert chain.depth(length) == 0


def test_a_depth_needs_no_statistics_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    node = pdd.GameState.initial(SMALL)
    tree = EvaluatedTree(node, evaluate=uniform, exploration=1.25, memory=1 << 24)
    tree.run(500)
    level = [0]
    expected = -1
    while level:
        found = [step for number in level for step in tree.children(number)]
        level = [step.node for step in found if step.visits]
        expected += 1
    monkeypatch.setattr(EvaluatedTree, "children", None)
    assert tree.depth(0) == expected > 1


def test_thinking_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    player = MctsPlayer(simulations=300)
    state = random_states(pdd.Rules(pdd.Board(4, 4)), 1)[0]
    player.choose(state)
    run = RolloutTree.run

    def interrupted(search: RolloutTree, simulations: int, *others: Any) -> None:
        run(search, simulations, *others)
        raise KeyboardInterrupt

    monkeypatch.setattr(RolloutTree, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        player.choose(state)
    monkeypatch.undo()
    found = player.analyse(state)
    require_sound(found, state)
    assert sum(each.visits for each in found.actions) <= 300


def test_it_answers_for_any_state_in_any_order() -> None:
    player = MctsPlayer(simulations=30)
    large = pdd.GameState.initial(pdd.presets.BRETTSPIELNETZ)
    for state in (*random_states(TINY, 5), large, *random_states(TINY, 5)):
        assert player.choose(state) in state.legal_actions


EXTREMES: list[dict[str, Any]] = [
    *({"seconds": each} for each in (5e-324, 1e305, sys.float_info.max)),
    *({"simulations": 50, "temperature": each} for each in (5e-324, sys.float_info.max)),
    *({"simulations": 50, "seed": each} for each in (-MAX_INTEGER, MAX_INTEGER)),
    *({"simulations": 1, "threads": each} for each in (1, 1024)),
    {"simulations": 10**9},
    *(
        {"simulations": 50, "evaluate": uniform, "exploration": each}
        for each in (5e-324, sys.float_info.max)
    ),
    *({"simulations": 50, "evaluate": uniform, "memory": each} for each in (1 << 20, 1 << 50)),
    {"seconds": sys.float_info.max, "evaluate": uniform, "memory": 1 << 20},
]
"""Numbers at both ends of what each option allows; the search of a solved game ends by itself."""


@pytest.mark.parametrize("options", EXTREMES)
def test_extreme_numbers_of_options_are_usable(options: dict[str, Any]) -> None:
    # Each option with a number has its extremes here.
    numbers = {*signature(MctsPlayer).parameters} - {
        "rollout",
        "solver",
        "evaluate",
        "book",
        "name",
    }
    assert {each for extreme in EXTREMES for each in extreme} - {"evaluate"} == numbers
    states = (each for each in random_states(TINY, 30) if len(each.legal_actions) > 1)
    state = min(states, key=lambda each: len(each.legal_actions))
    player = MctsPlayer(**options)
    assert player.choose(state) in state.legal_actions
    if "evaluate" in options:
        return
    assert player.search(state, seconds=sys.float_info.max).actions[0] in state.legal_actions
    assert player.search(state, simulations=10**9).actions[0] in state.legal_actions
    clock = players.Clock(10**9, 0, increment=10**9)
    assert player.choose(state, clock=clock) in state.legal_actions


def test_seconds_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[float] = []
    run_until = RolloutTree.run_until

    def noted(search: RolloutTree, end: float, *others: Any) -> None:
        ends.append(end)
        run_until(search, -inf, *others)

    monkeypatch.setattr(search_module, "perf_counter", lambda: 7.0)
    monkeypatch.setattr(RolloutTree, "run_until", noted)
    for threads in (1, 3):
        MctsPlayer(seconds=0.25, threads=threads).choose(pdd.GameState.initial(TINY))
    # A quarter of the time is for the second tile.
    assert sorted(ends) == [7.0625] * 2 + [7.1875] * 2


@pytest.mark.parametrize("options", [{"exploration": 50}, {"memory": 1 << 20}])
def test_options_of_an_evaluation_are_refused_without_one(options: dict[str, Any]) -> None:
    with pytest.raises(pdd.PonteError, match="are options of a search with evaluate"):
        MctsPlayer(**options)


@pytest.mark.parametrize("how", ["choose", "search", "analyse"])
def test_the_tree_is_kept_after_an_action_and_its_answer(how: str) -> None:
    player = MctsPlayer(simulations=5_000, seed=1, solver=False)
    state = pdd.GameState.initial(SMALL)
    getattr(player, how)(state)
    search = player._search
    assert search is not None
    tree = search.tree
    _, *rest = search.line().actions
    state = state.apply(search.best()).apply(rest[0])
    assert player._search_of(state).tree is tree


def test_a_proven_win_is_kept_where_there_is_no_choice() -> None:
    rng = Random(1)
    before = pdd.GameState.initial(SMALL)
    single = before
    while len(single.legal_actions) > 1:
        before = single
        single = single.apply(single.legal_actions.sample(rng))
        if single.is_over:
            single = pdd.GameState.initial(SMALL)
    player = MctsPlayer(simulations=50)
    player._after_proven_win = before
    action = player.choose(single)
    assert player._after_proven_win == single.apply(action)
    # A win of another game, or of the opponent, is not taken along.
    for other in (pdd.GameState.initial(TINY), single):
        player._after_proven_win = other
        player.choose(single)
        assert player._after_proven_win == other


def single_second_tiles() -> Iterator[tuple[pdd.GameState, pdd.HalfTurn]]:
    """Iterate over half turns that only one tile completes, each with the state before its turn."""
    rng = Random(1)
    while True:
        before = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 3)))
        state = before.apply(before.legal_actions.sample(rng))
        while not state.is_over:
            if state.phase is pdd.Phase.PLAY:
                halves = (
                    state.step(pdd.PlaceTile(cell)) for cell in state.legal_actions.first_tiles
                )
                for half in halves:
                    if len(half.legal_steps) == 1:
                        yield before, half
            before = state
            state = state.apply(state.legal_actions.sample(rng))


def test_a_single_second_tile_needs_no_search_but_is_followed() -> None:
    before, half = next(single_second_tiles())
    # A search would take minutes.
    player = MctsPlayer(seconds=600)
    player._after_proven_win = before
    step = player.choose(half)
    assert step == half.legal_steps[0]
    pair = pdd.PlaceTiles(half.placed_tile, step.cell)
    assert player._search is not None
    assert (player._search.node, player._chosen) == (half, pair)
    assert player._after_proven_win == half.state.apply(pair)


def test_a_proven_win_is_not_sought_for_the_loser(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[pdd.Node] = []

    def winning(_play: ProvenPlay, node: pdd.Node, *_others: Any) -> None:
        tried.append(node)

    monkeypatch.setattr(ProvenPlay, "first_proven_win", winning)
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(5, 5)))
    for text in ("a1,c3", "red", "e1,e3"):
        state = state.apply(pdd.parse_action(text))
    answer = state.apply(state.legal_actions[0])
    player = MctsPlayer(simulations=1)
    player._after_proven_win = state
    # One player may play both sides.
    player.choose(state)
    assert tried == []
    player.choose(answer)
    assert tried == [answer]


def test_nothing_is_compiled_during_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    run = RolloutTree._run_within
    create = ProvenPlay.__init__

    def run_in_time(search: RolloutTree, wanted: int, *others: Any) -> int:
        nonlocal now
        now += wanted / 1000
        return run(search, wanted, *others)

    def compiled(play: ProvenPlay, *values: Any, **options: Any) -> None:
        nonlocal now
        now += 100
        create(play, *values, **options)

    for module in (player_module, search_module, rollout_tree, proven_play):
        monkeypatch.setattr(module, "perf_counter", lambda: now)
    monkeypatch.setattr(RolloutTree, "_run_within", run_in_time)
    monkeypatch.setattr(ProvenPlay, "__init__", compiled)
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(5, 5))).apply(pdd.parse_action("a1,c3"))
    state = state.apply(pdd.ChooseColor(pdd.Color.RED))
    player = MctsPlayer(seconds=0.1)
    player.choose(state)
    assert now > 100
    assert player._overrun_seconds < 1


def test_a_slow_evaluation_does_not_starve_the_next_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    batches = 0
    delay = 3.0

    def evaluate(games: pdd.batch.GameBatch) -> tuple[Any, Any]:
        nonlocal now, batches, delay
        now += 0.01 + delay
        delay = 0.0
        batches += 1
        return uniform(games)

    for module in (player_module, search_module, evaluated_tree, proven_play):
        monkeypatch.setattr(module, "perf_counter", lambda: now)
    rules = pdd.Rules(pdd.Board(6, 6))
    state = pdd.GameState.initial(rules)
    clock = players.Clock(20, 20)
    unprepared = MctsPlayer(evaluate=evaluate)
    unprepared.choose(state, clock=clock)
    assert unprepared._overrun_seconds > clock.share
    batches = 0
    unprepared.choose(state, clock=clock)
    # Half of the share is left, in batches of 0.01 seconds.
    assert batches == pytest.approx(50, abs=3)
    # The first call of a network, which may be slow, comes before the clock runs.
    delay = 3.0
    prepared = MctsPlayer(evaluate=evaluate)
    prepared.prepare(rules)
    assert delay == 0
    batches = 0
    prepared.choose(state, clock=clock)
    assert batches == pytest.approx(100, abs=3)
    assert prepared._overrun_seconds < 0.1


@pytest.mark.parametrize("simulations", [1, 2, 4, 10, 100])
def test_a_number_of_simulations_is_kept_with_an_evaluation(simulations: int) -> None:
    sizes = set()

    def evaluate(games: pdd.batch.GameBatch) -> tuple[Any, Any]:
        sizes.add(games.size)
        return uniform(games)

    player = MctsPlayer(simulations=simulations, evaluate=evaluate)
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(6, 6)))
    player.choose(state)
    assert visits_of(player) == simulations
    player.choose(state)
    assert visits_of(player) == 2 * simulations
    # A network that compiles for a size of batches compiles once.
    assert sizes == {evaluated_tree.LEAVES}


def test_preparing_does_not_change_choices() -> None:
    rules = pdd.Rules(pdd.Board(5, 5))
    state = pdd.GameState.initial(rules)
    for options in ({}, {"evaluate": uniform}):
        found = []
        for prepares in (False, True):
            player = MctsPlayer(simulations=30, seed=2, **cast(Any, options))
            if prepares:
                player.prepare(rules)
            found.append(player.analyse(state))
        assert found[0] == found[1]


def test_players_are_sent_and_copied_as_they_began() -> None:
    state = pdd.GameState.initial(TINY)
    for threads, name in ((1, "mcts 20"), (2, "mcts 20 2 threads")):
        player = MctsPlayer(simulations=20, threads=threads, seed=4)
        chosen = player.choose(state)
        for other in (pickle.loads(pickle.dumps(player)), player.for_game(4)):
            assert other.name == player.name == name
            # The choice of several threads depends on their timing.
            assert threads > 1 or other.choose(state) == chosen
        assert isinstance(player, players.Player)


def test_rollouts_may_be_uniform() -> None:
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(5, 5)))
    heuristic = MctsPlayer(simulations=300, seed=4)
    uniform = MctsPlayer(simulations=300, seed=4, rollout="uniform")
    found = uniform.analyse(state)
    assert found != heuristic.analyse(state)
    require_sound(found, state)
    for other in (pickle.loads(pickle.dumps(uniform)), uniform.for_game(4)):
        assert other.name == uniform.name
        assert other.analyse(state) == found
    assert MctsPlayer(solver=False).name == "mcts 1 s no solver"


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("seconds", (0, -1, nan, inf, 10**400), "must be positive and finite"),
        ("simulations", (0, -1, 10**9 + 1), "must be from 1 to 1,000,000,000"),
        ("threads", (0, -1, 10**9 + 1), "must be from 1 to 1,024"),
        ("rollout", ("guided",), "must be heuristic or uniform"),
    ],
)
def test_wrong_options_are_refused(name: str, values: Sequence[Any], said: str) -> None:
    for value in values:
        with pytest.raises(pdd.PonteError, match=f"{name} {said}"):
            MctsPlayer(**{name: value})


def test_nothing_is_chosen_when_all_is_over() -> None:
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(1, 1)))
    player = MctsPlayer(simulations=5)
    while not state.is_over:
        state = state.apply(player.choose(state))
    for ask in (player.choose, player.analyse):
        with pytest.raises(pdd.PonteError, match="the game is over"):
            ask(state)


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the player with an analysis under a name."""
    kind = PlayerFactory(PlayoutPlayer, {"playouts": int, "seed": int})
    monkeypatch.setitem(FACTORIES, "playouts", kind)


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_players_have_names(name: str) -> None:
    assert name in players.names()
    assert players.by_name(name).name == name
    assert players.by_name(f" {name.upper()} ").name == name


@pytest.mark.usefixtures("named")
def test_players_are_made_with_options() -> None:
    assert players.by_name("mcts:simulations=5,threads=2").name == "mcts 5 2 threads"
    assert players.by_name("mcts:simulations=5,rollout=uniform").name == "mcts 5 uniform"
    assert players.by_name("mcts:simulations=5,rollout=heuristic").name == "mcts 5"
    for text, name in (("mcts:seconds=5", "mcts 5 s"), ("mcts", "mcts 100")):
        spec = parse_spec(text).with_defaults({"simulations": 100})
        assert spec.player().name == name
    for name in ("mcts 100", "mcts 0.5 s", "mcts 1 s"):
        assert players.by_name(name).name == name
    assert players.by_name(" MCTS 100 ").name == "mcts 100"
    assert players.by_name("playouts").name == "playouts 4"
    assert players.by_name("playouts:playouts=2, seed = 5") == PlayoutPlayer(2, 5)
    spec = parse_spec("playouts:seed=3").with_defaults({"seed": 1, "playouts": 9, "threads": 2})
    assert spec.player() == PlayoutPlayer(9, 3)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "no player is named ''; there are random, greedy, mcts"),
        ("ada", "no player is named 'ada'"),
        ("random 5", "no player is named 'random 5'; there are random, greedy, mcts"),
        ("ada 100", "no player is named 'ada 100'; there are"),
        ("mcts 0", "simulations must be from 1 to 1,000,000,000, not 0"),
        *(
            (name, f"no player is named '{name}'; options follow a colon, mcts:option=value, and")
            for name in ("mcts 64 evaluated", "mcts 5 2 threads", "mcts ten", "mcts five s")
        ),
        ("mcts 100:threads=2", "no player is named 'mcts 100'; options follow a colon"),
        ("random:", "random has no option ''; there are: none"),
        ("playouts:speed=2", "playouts has no option 'speed'; there are: playouts, seed"),
        ("mcts:rollout=wild", "rollout must be heuristic or uniform, not .wild."),
        ("playouts:seed", "seed must be a number, not ''"),
        ("playouts:seed=x", "seed must be a number, not 'x'"),
        ("playouts:seed=1,seed=1", "the option seed is given twice"),
    ],
)
@pytest.mark.usefixtures("named")
def test_unknown_names_are_refused(name: str, said: str) -> None:
    with pytest.raises(pdd.PonteError, match=said):
        players.by_name(name)


def visits_of(player: MctsPlayer) -> int:
    assert player._search is not None
    return player._search.tree.visits


def test_pondering_goes_on_in_the_tree() -> None:
    rules = pdd.Rules(pdd.Board(5, 5))
    player = MctsPlayer(simulations=64, threads=2, solver=False)
    player.prepare(rules)
    start = pdd.GameState.initial(rules)
    state = start.apply(player.choose(start))
    player.ponder(state)
    before = visits_of(player)
    while visits_of(player) < before + 40:
        time.sleep(0.001)
    assert player.search(state, simulations=2).actions[0] in state.legal_actions
    assert visits_of(player) >= before + 41
    player.ponder(state)
    # Without a call of stop, the thread ends with the player.
    thread = player._pondering
    del player
    assert thread is not None
    thread.join(60)
    assert not thread.is_alive()


def test_a_player_can_be_used_after_pondering_could_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Unstartable(Thread):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    player = MctsPlayer(simulations=20)
    state = pdd.GameState.initial(TINY)
    with monkeypatch.context() as patch:
        patch.setattr(player_module, "Thread", Unstartable)
        with pytest.raises(RuntimeError, match="can't start"):
            player.ponder(state)
    player.stop()
    assert player.choose(state) in state.legal_actions
    player.ponder(state)
    player.stop()


def test_an_interrupt_does_not_lose_the_thread_that_ponders(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Interrupted(Thread):
        def start(self) -> None:
            super().start()
            signal.raise_signal(signal.SIGINT)

    player = MctsPlayer(simulations=20, solver=False)
    monkeypatch.setattr(player_module, "Thread", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        player.ponder(pdd.GameState.initial(SMALL))
    thread = player._pondering
    assert thread is not None
    player.stop()
    assert not thread.is_alive()


def test_searches_with_other_limits() -> None:
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(5, 5)))
    player = MctsPlayer(simulations=3, solver=False)
    visits = 0
    cases: list[Any] = [({}, 3, 3), ({"simulations": 8}, 8, 8), ({"seconds": 0.01}, 1, inf)]
    for limits, least, most in cases:
        assert player.search(state, **limits).visits > 0
        assert least <= visits_of(player) - visits <= most
        visits = visits_of(player)
    clock = players.Clock(0.5, 100)
    begin = time.monotonic()
    assert MctsPlayer(600).choose(state, clock=clock) in state.legal_actions
    assert time.monotonic() - begin < 300


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="takes hours")
def test_forced_losses_are_rarely_played() -> None:
    positions = [*traps(), *traps(KEPT_FILE)]
    assert positions
    lost = {played.game for played in played_losses(positions, 10_000, seeds=1)}
    # Some positions are too hard for this number of simulations.
    assert len(lost) <= 2, lost


@pytest.mark.slow
@pytest.mark.parametrize("trap", [*traps(), *traps(KEPT_FILE)], ids=attrgetter("game"))
def test_a_position_with_a_forced_loss_is_not_lost(trap: Trap) -> None:
    assert cast(int, solved(trap.state, STATE_NODES)) >= 0
    assert is_forced_loss(trap.state, trap.action)


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
def test_proofs_that_are_likely_to_succeed_go_on_after_others_have_wasted_nodes() -> None:
    late = min((trap.state for trap in traps()), key=open_cells)
    assert nodes_searched_after_waste(late) > 0
    assert nodes_searched_after_waste(pdd.GameState.initial()) == 0


def open_cells(state: pdd.GameState) -> int:
    """Return the number of open cells, summed over both colours."""
    return sum(len(state.position.open_cells(color)) for color in pdd.Color)


def nodes_searched_after_waste(state: pdd.GameState) -> int:
    """Return the nodes that alpha-beta searches in a tree that has wasted too many before."""
    tree = RolloutTree(state, 1)
    tree._prover = tree._prover._replace(max_vain_per_simulation=-1.0)
    tree.run(1_000)
    return int(tree._prover.stack.counters[NODES_SEARCHED])
